/// From samples to a calibration: a regression for each cell (stage, shallow, deep), the smooth
/// model over all of them, and how well both cover samples that the fit has not seen.
#pragma once

#include <optional>
#include <utility>

#include "karikomi/lab/regression.hpp"
#include "karikomi/lab/samples.hpp"

namespace karikomi::lab {

/// Values by stage and depth; kNoValue where there is none or where it is decisive. A column is as
/// long as the stage has positions.
class SampleTable {
public:
    SampleTable(int stages, Depth depth);
    void add(const Sample& sample);

    int stages() const { return static_cast<int>(columns_.size()); }
    Depth depth() const { return depth_; }
    std::size_t positions() const { return positions_; }
    std::size_t pairs() const;  ///< usable samples over all cells
    /// The samples of one cell.
    std::vector<PairSample> cell(int stage, Depth shallow, Depth deep) const;

private:
    Depth depth_;
    std::size_t positions_ = 0;
    std::vector<std::vector<std::vector<Value>>> columns_;  ///< [stage][depth]
};

struct TableParts {
    SampleTable fitted;
    SampleTable held_out;
};
TableParts load_samples(const SampleStore& store, int stages, int held_out_percent);

struct FitOptions {
    SigmaKind sigma = SigmaKind::Coverage;
    std::int64_t least = kLeastSamples;  ///< samples that a cell of its own needs
    int threads = 1;
    Depth max_deep = 0;  ///< cells of deeper searches are left out; 0: none are
    /// Cells that there must be, if need be with the model's values: (shallow, deep).
    std::vector<std::pair<Depth, Depth>> wanted;
    /// Cells known from elsewhere (measured without any technique, say) stay as they are, and new
    /// ones are made only for searches deeper than `known_up_to`.
    std::vector<CalibrationCell> known;
    Depth known_up_to = 0;
};

struct Fit {
    std::vector<CellFit> cells;  ///< all with 3 samples or more
    std::optional<ModelChoice> choice;
    Calibration calibration;
    std::size_t own_cells = 0;    ///< in the calibration, fitted to their own samples
    std::size_t model_cells = 0;  ///< ... with the model's values
};
Fit fit_samples(const SampleTable& table, const FitOptions& options, const std::string& evaluation);
Json to_json(const CellFit& cell);
Json to_json(const Fit& fit);

// ---- Coverage -----------------------------------------------------------------------------------

/// What lies beyond z*sigma at one level.
struct Tail {
    std::int64_t above = 0;  ///< the deep value is higher than the shallow one promised
    std::int64_t below = 0;
};
struct CellCoverage {
    int stage = 0;
    Depth shallow = 0;
    Depth deep = 0;
    std::int64_t samples = 0;
    bool from_model = false;
    std::array<Tail, kLevels.size()> tails{};
};
struct Coverage {
    std::vector<CellCoverage> cells;
    CellCoverage all;        ///< of all cells together
    CellCoverage cell_fits;  ///< of those with a regression of their own
    CellCoverage model;      ///< all cells, but judged by the smooth model
};
/// The calibration against samples that it was not fitted to.
Coverage measure_coverage(const SampleTable& held_out, const Calibration& calibration);

/// Wilson's interval of a share, 95 %.
struct Share {
    double value = 0;
    double low = 0;
    double high = 1;
};
Share share_of(std::int64_t count, std::int64_t of);
/// Share beyond the bound in points (percent) over what the level allows; mean of both sides.
double excess_points(const CellCoverage& cell, std::size_t level);
Json to_json(const CellCoverage& cell);
Json to_json(const Coverage& coverage);

}  // namespace karikomi::lab
