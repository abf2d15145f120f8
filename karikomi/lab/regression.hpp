/// Least squares between shallow and deep search values: one cell at a time, and the smooth model
/// over all cells. Double precision throughout; decisive values must have been left out by the
/// caller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "karikomi/core/selective/calibration.hpp"

namespace karikomi::lab {

struct PairSample {
    double shallow = 0;
    double deep = 0;
};

struct CellFit {
    int stage = CalibrationCell::kAnyStage;
    Depth shallow = 0;
    Depth deep = 0;
    Regression fit{};
    double r2 = 0;
    /// Jarque-Bera: probability that normal residuals look at least this odd; near 0 means the
    /// errors are not normal and the model's confidence is only nominal.
    double normality = 1;
    std::int64_t samples = 0;
};

/// Fewer samples than this are no basis for a cell of its own.
inline constexpr std::int64_t kLeastSamples = 100;

/// a, b, sigma (unbiased), r^2 and the normality check. Constant input gives a = 1, b = mean error.
CellFit fit_cell(std::span<const PairSample> samples);

/// a, b and log sigma as smooth functions of stage and depths, weighted by sample counts.
CalibrationModel fit_model(std::span<const CellFit> cells, int stages);

}  // namespace karikomi::lab
