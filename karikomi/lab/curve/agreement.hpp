/// How often a search with some budget chooses the move of a much longer one, and what it costs to
/// reach a depth: quick companions of matches.
#pragma once

#include "karikomi/lab/curve/positions.hpp"
#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/match/player.hpp"

namespace karikomi::curve {

/// One search.
struct AgreementRow {
    std::size_t engine = 0;
    Budget budget;
    std::size_t position = 0;
    std::string move;
    bool right = false;
    Depth depth = 0;
    std::uint64_t nodes = 0;
    double time_ms = 0;
};

struct AgreementOptions {
    match::MatchConfig config;  ///< engines, threads, hash, rules
    std::vector<Budget> budgets;
    std::vector<KnownPosition> positions;
    /// Every search is written here, one JSON line each, and none that stands here is done again
    /// (unless the engine has changed). Empty: nowhere.
    std::string rows_file;

    std::size_t searches() const {
        return config.engines.size() * budgets.size() * positions.size();
    }
};

/// Every engine on every position with every budget; engines by turns, so that a machine that slows
/// down slows all of them. A position begins with an empty table. Gives all rows; fewer than
/// searches() when it was stopped.
Expected<std::vector<AgreementRow>> measure_agreement(
    const AgreementOptions& options, const StopToken& stop,
    const std::function<void(std::size_t)>& on_count);

struct AgreementCell {
    std::uint64_t searches = 0;
    std::uint64_t right = 0;
    match::Interval rate;  ///< share of right moves, 95 % (Wilson)
    double depth = 0;      ///< mean
    double nodes = 0;      ///< geometric mean
    double time_ms = 0;    ///< geometric mean
    // Against the first engine, position by position; 95 % intervals.
    match::Interval rate_difference;
    match::Interval nodes_ratio;  ///< geometric mean
    match::Interval time_ratio;
};
AgreementCell cell_of(const std::vector<AgreementRow>& rows, std::size_t engine,
                      const Budget& budget);
Json to_json(const AgreementCell& cell, bool compared);

}  // namespace karikomi::curve
