/// From samples to a calibration: a regression for each cell (stage, shallow, deep), the smooth
/// model over all of them, and how well both cover samples that the fit has not seen.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>

#include "karikomi/lab/law.hpp"
#include "karikomi/lab/regression.hpp"
#include "karikomi/lab/samples.hpp"

namespace karikomi::lab {

/// Values by stage and depth; kNoValue where there is none. A column is as long as the stage has
/// positions.
class SampleTable {
public:
    SampleTable(int stages, Depth depth);
    void add(const Sample& sample);

    int stages() const { return static_cast<int>(columns_.size()); }
    Depth depth() const { return depth_; }
    std::size_t positions() const { return positions_; }
    std::size_t pairs() const;  ///< usable samples over all cells
    std::size_t games() const { return games_; }
    /// The samples of one cell. Those with a decisive deep value (infinite) come only when they are
    /// asked for; a decisive shallow value predicts nothing and never comes.
    enum class Decided : bool { LeftOut, Kept };
    std::vector<PairSample> cell(int stage, Depth shallow, Depth deep,
                                 Decided decided = Decided::LeftOut) const;

private:
    Depth depth_;
    std::size_t positions_ = 0;
    std::size_t games_ = 0;
    std::unordered_map<std::uint64_t, std::int32_t> game_numbers_;
    std::vector<std::vector<std::int32_t>> game_of_;        ///< [stage]
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
    bool law = true;  ///< fit the law of the errors too
};

struct Fit {
    std::vector<CellFit> cells;  ///< all with 3 samples or more
    std::optional<ModelChoice> choice;
    Calibration calibration;
    std::size_t own_cells = 0;    ///< in the calibration, fitted to their own samples
    std::size_t model_cells = 0;  ///< ... with the model's values
    std::optional<LawFit> law;
};
Fit fit_samples(const SampleTable& table, const FitOptions& options, const std::string& evaluation);
Json to_json(const CellFit& cell);
Json to_json(const Fit& fit);

}  // namespace karikomi::lab
