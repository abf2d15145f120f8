/// Regression between shallow and deep search values: one cell at a time, and the smooth model
/// over all cells. Double precision throughout; decisive values must have been left out by the
/// caller.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "karikomi/core/selective/calibration.hpp"

namespace karikomi::lab {

struct PairSample {
    double shallow = 0;
    double deep = 0;  ///< infinite: decisive, which no line can tell
    /// Samples of one game are not independent: errors are those of games. -1: a game of its own.
    std::int32_t game = -1;
};

/// The confidence levels that Othello players know: one-sided, p = Phi(z).
struct ConfidenceLevel {
    int percent;
    double p;
    double z;
};
inline constexpr std::array<ConfidenceLevel, 5> kLevels = {{{73, 0.73, 0.6128},
                                                            {87, 0.87, 1.1264},
                                                            {95, 0.95, 1.6449},
                                                            {98, 0.98, 2.0537},
                                                            {99, 0.99, 2.3263}}};

/// What the samples of a cell add up to: enough for every least-squares question about it.
struct PairSums {
    double n = 0;
    double mean_x = 0, mean_y = 0;
    double xx = 0, xy = 0, yy = 0;  ///< about the means

    /// Mean squared error of a line on these samples.
    double squared_error(const Regression& r) const;
};

struct CellFit {
    int stage = CalibrationCell::kAnyStage;
    Depth shallow = 0;
    Depth deep = 0;
    Regression fit{};  ///< least squares, sigma unbiased (or what use_sigma() made of it)
    double r2 = 0;
    /// Jarque-Bera: probability that normal residuals look at least this odd; near 0 means the
    /// errors are not normal and the model's confidence is only nominal.
    double normality = 1;
    std::int64_t samples = 0;
    double skewness = 0;
    double kurtosis = 3;
    /// Standard errors, right also where sigma differs along the line and where games have many
    /// samples: what a bootstrap over games comes to.
    Regression error{};
    std::int64_t decided = 0;  ///< further samples, whose deep value is decisive
    /// Least squares over the samples within three sigmas of it, found from a Huber fit; sigma is
    /// corrected for what was cut off. And its standard errors.
    Regression robust{};
    Regression robust_error{};
    std::int64_t outliers = 0;  ///< samples beyond that
    /// The sigma whose coverage at all of kLevels is nearest to what they say. With normal errors
    /// it is the usual one; with heavy tails it is smaller.
    double coverage_sigma = 0;
    PairSums sums{};
};

/// Fewer samples than this are no basis for a cell of its own.
inline constexpr std::int64_t kLeastSamples = 100;

/// All of the above. Constant input gives a = 1, b = mean error. Decisive deep values are errors
/// for coverage_sigma, and left out of everything else.
CellFit fit_cell(std::span<const PairSample> samples);

/// Which sigma a technique should get.
enum class SigmaKind : std::uint8_t { Rms, Coverage, Robust };
void use_sigma(CellFit& cell, SigmaKind kind);

/// a, b and log sigma as smooth functions of stage and depths, by the first `terms` terms. Cells
/// weigh as much as they know: by samples, and for a and b also by their error.
CalibrationModel fit_model(std::span<const CellFit> cells, int stages,
                           std::size_t terms = CalibrationModel::kFewestTerms);

/// How good a model is in cells that it was not fitted to.
struct CrossValidation {
    std::size_t terms = 0;
    /// Root mean squared prediction error there, over that of the cells' own regressions.
    double error_ratio = 0;
    double log_sigma_error = 0;  ///< root mean squared error of log sigma
    std::size_t cells = 0;
};
struct ModelChoice {
    CalibrationModel model;
    CrossValidation best;
    std::vector<CrossValidation> tried;
};
/// Tries models with more and more terms; the one that predicts cells best that it has not seen
/// wins.
ModelChoice choose_model(std::span<const CellFit> cells, int stages);

}  // namespace karikomi::lab
