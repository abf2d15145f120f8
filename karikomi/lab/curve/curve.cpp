#include "karikomi/lab/curve/curve.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::curve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigFile = "curve.json";
constexpr double kZ95 = 1.96;
/// Slopes within this many Elo a doubling are called level.
constexpr double kLevel = 10;

/// Elo and its variance, finite for one-sided results: one drawn game more than were played.
struct Measured {
    double x = 0;  ///< doublings of the budget
    double elo = 0;
    double weight = 0;
};

Measured measured(const CurvePoint& p, double dispersion) {
    const auto n = static_cast<double>(p.games.games()) + 1;
    const double points =
        static_cast<double>(p.games.wins) + static_cast<double>(p.games.draws) / 2 + 0.5;
    const double score = points / n;
    const double per_score = 400 / std::log(10.0) / (score * (1 - score));
    const double variance = dispersion * score * (1 - score) / n * per_score * per_score;
    return {p.budget.doublings(), match::elo_of_score(score), 1 / variance};
}

/// Variance of a game's score as the pairs show it, over that of a coin with the same mean: draws
/// and paired openings make it smaller. Of all budgets together, because each has few pairs.
double dispersion_of(const std::vector<CurvePoint>& points) {
    double seen = 0;
    double coin = 0;
    for (const CurvePoint& p : points) {
        const auto pairs = static_cast<double>(p.pairs.pairs());
        if (pairs == 0) continue;
        const match::Estimate e = match::estimate(p.pairs);
        seen += pairs * 2 * e.deviation * e.deviation;
        coin += pairs * e.score * (1 - e.score);
    }
    return coin > 0 ? std::clamp(seen / coin, 0.25, 2.0) : 1.0;
}

Slope slope_by_kinds(const std::vector<CurvePoint>& points, const std::vector<BudgetKind>& kinds) {
    const double dispersion = dispersion_of(points);
    double xx = 0;
    double xy = 0;
    for (const BudgetKind kind : kinds) {
        std::vector<Measured> line;
        for (const CurvePoint& p : points) {
            if (p.budget.kind == kind && p.games.games() > 0) {
                line.push_back(measured(p, dispersion));
            }
        }
        double weight = 0, x = 0, y = 0;
        for (const Measured& m : line) {
            weight += m.weight, x += m.weight * m.x, y += m.weight * m.elo;
        }
        for (const Measured& m : line) {
            const double dx = m.x - x / weight;
            xx += m.weight * dx * dx;
            xy += m.weight * dx * (m.elo - y / weight);
        }
    }
    Slope slope;
    if (xx < 1e-12) return slope;
    const double half = kZ95 / std::sqrt(xx);
    slope.known = true;
    slope.elo = {xy / xx, xy / xx - half, xy / xx + half};
    slope.trend = slope.elo.high < 0                                   ? Trend::Falls
                  : slope.elo.low > 0                                  ? Trend::Rises
                  : slope.elo.low > -kLevel && slope.elo.high < kLevel ? Trend::Level
                                                                       : Trend::Unknown;
    return slope;
}

Expected<Json> read_json(const fs::path& file) {
    std::ifstream in(file);
    if (!in) {
        return Error{fmt::format("'{}': there is no curve", file.parent_path().string()),
                     "name a folder that `karikomi curve` has made"};
    }
    const Json json = Json::parse(in, nullptr, false);
    if (json.is_discarded()) {
        return Error{fmt::format("'{}': is no JSON", file.string()), "use another --db"};
    }
    return json;
}

/// Without budgets: what must be the same for games to belong to one curve.
Json conditions_of(const CurveConfig& c) {
    Json out = to_json(c.match);
    out.erase("games");
    out.erase("time");
    return out;
}

}  // namespace

Json to_json(const CurveConfig& c) {
    Json budgets = Json::array();
    for (const CurveBudget& b : c.budgets) {
        budgets.push_back({{"budget", b.budget.text()}, {"games", b.games}});
    }
    return {{"match", to_json(c.match)}, {"budgets", budgets}};
}

Expected<CurveConfig> curve_config_of(const Json& json) {
    CurveConfig c;
    try {
        auto match = match::config_of(json.at("match"));
        if (!match) return match.error();
        c.match = std::move(*match);
        for (const Json& b : json.at("budgets")) {
            const auto budget = parse_budget(b.at("budget"));
            if (!budget) return budget.error();
            c.budgets.push_back({*budget, b.at("games")});
        }
    } catch (const Json::exception& e) {
        return Error{fmt::format("recorded curve: {}", e.what()), "start a new one"};
    }
    return c;
}

Expected<match::MatchConfig> match_at(const CurveConfig& config, const CurveBudget& at) {
    match::MatchConfig m = config.match;
    for (const match::EngineSpec& e : m.engines) {
        if (e.time.empty()) continue;
        return Error{fmt::format("engine '{}': has a limit of its own", e.text),
                     "leave it out: the budgets are the limits"};
    }
    m.time = at.budget.limits();
    m.games = at.games;
    return m;
}

std::string database_at(const std::string& folder, const Budget& budget) {
    return (fs::path(folder) / (budget.text() + ".db")).string();
}

Status write_curve(const std::string& folder, const CurveConfig& config) {
    const fs::path file = fs::path(folder) / kConfigFile;
    std::error_code failed;
    fs::create_directories(folder, failed);
    const Error cannot{fmt::format("'{}': cannot be written", folder),
                       "name another folder with --db"};
    if (failed) return cannot;
    if (fs::exists(file)) {
        const auto old = read_curve(folder);
        if (!old) return old.error();
        const Json before = conditions_of(*old);
        const Json now = conditions_of(config);
        for (const auto& [key, value] : now.items()) {
            if (before.value(key, Json(nullptr)) == value) continue;
            return Error{fmt::format("'{}': holds a curve with another '{}'", folder, key),
                         "use another --db, or --resume alone to go on with that curve"};
        }
    }
    const fs::path fresh = file.string() + ".new";
    std::ofstream out(fresh);
    if (!(out << pretty(to_json(config)) << "\n") || !out.flush()) return cannot;
    out.close();
    fs::rename(fresh, file, failed);
    if (failed) return cannot;
    return {};
}

Expected<CurveConfig> read_curve(const std::string& folder) {
    const auto json = read_json(fs::path(folder) / kConfigFile);
    if (!json) return json.error();
    return curve_config_of(*json);
}

match::Estimate CurvePoint::estimate() const {
    return pairs.pairs() > 0 ? match::estimate(pairs) : match::estimate(games);
}

std::string_view name_of(Trend trend) {
    constexpr std::array<std::string_view, 4> kNames = {"unknown", "falls", "level", "rises"};
    return kNames[static_cast<std::size_t>(trend)];
}

Slope slope_of(const std::vector<CurvePoint>& points) {
    return slope_by_kinds(points, {BudgetKind::Nodes, BudgetKind::Time, BudgetKind::Depth});
}

Slope slope_of(const std::vector<CurvePoint>& points, BudgetKind kind) {
    return slope_by_kinds(points, {kind});
}

}  // namespace karikomi::curve
