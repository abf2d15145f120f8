/// How often the deep value lies beyond the bound that a shallow one gave, on each side, in samples
/// that the fit has not seen.
#pragma once

#include "karikomi/core/params.hpp"
#include "karikomi/lab/fit.hpp"

namespace karikomi::lab {

/// A share with its 95 % interval.
struct Share {
    double value = 0;
    double low = 0;
    double high = 1;
};
/// By Wilson's interval: for what is independent.
Share share_of(std::int64_t count, std::int64_t of);

/// What lies beyond the bound at one level.
struct Tail {
    std::int64_t above = 0;  ///< the deep value is higher than the shallow one promised
    std::int64_t below = 0;
    /// Of so many samples: no bound where more are decisive than the level allows.
    std::int64_t of_above = 0;
    std::int64_t of_below = 0;
};
/// The same as shares, with intervals by a bootstrap over games.
struct TailShares {
    Share above;
    Share below;
};
struct CellCoverage {
    int stage = 0;
    Depth shallow = 0;
    Depth deep = 0;
    std::int64_t samples = 0;
    std::int64_t decided = 0;  ///< of them: the deep value is decisive, an error of its side
    bool from_model = false;
    std::array<Tail, kLevels.size()> tails{};
    std::int64_t games = 0;
    std::array<TailShares, kLevels.size()> shares{};
    Tail used_tail{};  ///< at the t that a technique uses, where that was asked for
    TailShares used{};
};
/// The pairs of depths that a technique probes, by the numbers that it reads there.
struct ProbedCoverage {
    std::string name;
    Technique technique{};
    bool enabled = false;
    BoundForm bound = BoundForm::Normal;
    double t = 0;
    bool high_cuts_only = false;  ///< it never claims value <= alpha
    CellCoverage all;
};
struct Coverage {
    std::vector<CellCoverage> cells;
    CellCoverage all;        ///< of all cells together
    CellCoverage cell_fits;  ///< of those with a regression of their own
    CellCoverage model;      ///< all cells, but judged by the smooth model
    BoundForm bound = BoundForm::Normal;
    std::vector<ProbedCoverage> probed;
};
struct CoverageOptions {
    BoundForm bound = BoundForm::Normal;    ///< of the cells; where there is no law, normal
    const SearchParams* shipped = nullptr;  ///< whose probes are judged; none: nobody's
    int rounds = 1000;                      ///< of the bootstrap
    int cell_rounds = 200;                  ///< ... of each single cell
    std::uint64_t seed = 1;
    int threads = 1;
};
/// The calibration against samples that it was not fitted to.
Coverage measure_coverage(const SampleTable& held_out, const Calibration& calibration,
                          const CoverageOptions& options = {});

/// Share beyond the bound in points (percent) over what the level allows; mean of both sides.
double excess_points(const CellCoverage& cell, std::size_t level);
Json to_json(const CellCoverage& cell);
Json to_json(const ProbedCoverage& probed);
Json to_json(const Coverage& coverage);

}  // namespace karikomi::lab
