/// A scaling curve: the same two engines at several budgets, and whether the first one's advantage
/// falls as budgets grow. Each budget is a match of its own in a folder, so a curve that was killed
/// goes on, and a budget or more games can be added later.
#pragma once

#include "karikomi/lab/curve/budget.hpp"
#include "karikomi/lab/match/match.hpp"

namespace karikomi::curve {

struct CurveBudget {
    Budget budget;
    std::uint64_t games = 100;
};

struct CurveConfig {
    match::MatchConfig match;  ///< without limits and number of games
    std::vector<CurveBudget> budgets;
};
Json to_json(const CurveConfig& config);
Expected<CurveConfig> curve_config_of(const Json& json);

/// The match at one of the budgets. An engine with a limit of its own is refused: it would play
/// alike at every budget.
Expected<match::MatchConfig> match_at(const CurveConfig& config, const CurveBudget& at);
std::string database_at(const std::string& folder, const Budget& budget);

/// Keeps the configuration in the folder, which is made where it does not exist. A folder of other
/// conditions is refused; other budgets and numbers of games are taken over.
Status write_curve(const std::string& folder, const CurveConfig& config);
Expected<CurveConfig> read_curve(const std::string& folder);

struct CurvePoint {
    Budget budget;
    match::Trinomial games;
    match::Pentanomial pairs;
    /// What is shown: by pairs where there are any.
    match::Estimate estimate() const;
};

enum class Trend : std::uint8_t { Unknown, Falls, Level, Rises };
std::string_view name_of(Trend trend);

struct Slope {
    match::Interval elo;  ///< for each doubling of the budget, with 95 % interval
    Trend trend = Trend::Unknown;
    bool known = false;  ///< at least two budgets of one kind have games
};
/// One line for each kind of budget, all with the same slope: nodes and times have no common scale.
Slope slope_of(const std::vector<CurvePoint>& points);
/// The same for one kind alone.
Slope slope_of(const std::vector<CurvePoint>& points, BudgetKind kind);

}  // namespace karikomi::curve
