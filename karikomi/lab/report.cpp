#include "karikomi/lab/report.hpp"

#include <algorithm>
#include <cmath>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/coverage.hpp"
#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/match/store.hpp"
#include "karikomi/lab/store/database.hpp"
#include "karikomi/lab/tune/tune.hpp"

namespace karikomi::lab {
namespace {

constexpr std::size_t kMostPoints = 600;  ///< of a scatter plot
constexpr std::size_t kMostCurve = 500;   ///< of a curve over games or trials
constexpr int kQuantiles = 60;            ///< of a Q-Q plot

/// By bisection: a plot needs few of them.
double normal_quantile(double p) {
    double low = -8, high = 8;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// The cell that has the most to say: deepest search, half its depth, most samples.
struct Shown {
    int stage = 0;
    Depth shallow = 0;
    Depth deep = 0;
    std::size_t samples = 0;
};
Shown cell_to_show(const SampleTable& table) {
    Shown best;
    for (Depth deep = table.depth(); deep >= 1; --deep) {
        Depth shallow = deep / 2;
        if (((deep - shallow) & 1) != 0) --shallow;
        shallow = std::max(shallow, deep & 1);
        if (shallow >= deep) continue;
        for (int stage = 0; stage < table.stages(); ++stage) {
            const std::size_t n = table.cell(stage, shallow, deep).size();
            if (n > best.samples) best = {stage, shallow, deep, n};
        }
        if (best.samples >= static_cast<std::size_t>(kLeastSamples)) break;
    }
    return best;
}

Json scatter_json(const SampleTable& table) {
    const Shown shown = cell_to_show(table);
    const auto samples = table.cell(shown.stage, shown.shallow, shown.deep);
    if (samples.size() < 3) return nullptr;
    CellFit fit = fit_cell(samples);
    fit.stage = shown.stage, fit.shallow = shown.shallow, fit.deep = shown.deep;
    Json points = Json::array();
    std::vector<double> residuals;
    residuals.reserve(samples.size());
    const std::size_t step = samples.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const PairSample& s = samples[i];
        residuals.push_back(s.deep - fit.fit.a * s.shallow - fit.fit.b);
        if (i % step == 0) points.push_back({s.shallow, s.deep});
    }
    std::sort(residuals.begin(), residuals.end());
    Json quantiles = Json::array();
    for (int i = 0; i < kQuantiles; ++i) {
        const double p = (i + 0.5) / kQuantiles;
        const auto at = static_cast<std::size_t>(p * static_cast<double>(residuals.size()));
        quantiles.push_back({normal_quantile(p), residuals[at] / std::max(fit.fit.sigma, 1e-9)});
    }
    Json shown_residuals = Json::array();
    for (std::size_t i = 0; i < residuals.size(); i += step) {
        shown_residuals.push_back(std::round(residuals[i] * 10) / 10);
    }
    return {{"cell", to_json(fit)},
            {"points", points},
            {"residuals", shown_residuals},
            {"quantiles", quantiles}};
}

Json cells_json(const Fit& fit) {
    Json cells = Json::array();
    for (const CellFit& c : fit.cells) {
        if (c.samples < 30) continue;
        cells.push_back({{"stage", c.stage},
                         {"shallow", c.shallow},
                         {"deep", c.deep},
                         {"samples", c.samples},
                         {"sigma", c.fit.sigma}});
    }
    return cells;
}

Expected<Json> game_json(const std::string& file, int held_out_percent) {
    auto store = SampleStore::read(file);
    if (!store) return store.error();
    const Json conditions = (*store)->conditions();
    auto engine = make_engine(conditions.at("game").get<std::string>());
    if (!engine) return engine.error();
    const GameInfo& info = (*engine)->info();
    const TableParts parts = load_samples(**store, info.stages, held_out_percent);
    const Fit fit = fit_samples(parts.fitted, {}, info.evaluation);
    Json stages = Json::array();
    for (const auto& [stage, n] : (*store)->by_stage()) stages.push_back({stage, n});
    Json out = {{"game", info.name},
                {"title", info.title},
                {"unit", info.unit},
                {"database", file},
                {"conditions", conditions},
                {"sources", (*store)->sources()},
                {"positions", (*store)->size()},
                {"stages", stages},
                {"scatter", scatter_json(parts.fitted)},
                {"cells", cells_json(fit)},
                {"coverage", to_json(measure_coverage(parts.held_out, fit.calibration))["all"]}};
    const Json model = to_json(fit);
    out["cross_validation"] = model.value("cross_validation", Json(nullptr));
    out["verify"] = (*store)->fact("verify");
    out["futility"] = (*store)->fact("futility");
    out["calibrate"] = Json::object();
    for (const char* technique : {"multi_probcut", "probcut", "futility"}) {
        const Json steps = (*store)->fact(fmt::format("calibrate {}", technique));
        if (!steps.is_null()) out["calibrate"][technique] = steps;
    }
    return out;
}

/// Elo, its interval and the test's ratio after each pair (or as many as a curve needs).
Expected<Json> match_json(const std::string& file) {
    auto store = match::Store::read(file);
    if (!store) return store.error();
    auto config = match::config_of((*store)->get("config"));
    if (!config) return config.error();
    match::Scoreboard board(
        match::pairings_of(static_cast<int>(config->engines.size()), config->gauntlet));
    Json curve = Json::array();
    (*store)->each_game([&](const match::GameRow& row) {
        board.add(match::summary_of(row));
        const match::Pentanomial& pairs = board.row(0).pairs;
        if (pairs.pairs() == 0) return;
        const match::Estimate e = match::estimate(pairs);
        const double llr = config->sprt ? match::log_likelihood_ratio(pairs, *config->sprt) : 0.0;
        curve.push_back({board.games(), e.elo.value, e.elo.low, e.elo.high, llr});
    });
    const std::size_t step = curve.size() / kMostCurve + 1;
    Json thin = Json::array();
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (i % step == 0 || i + 1 == curve.size()) thin.push_back(curve[i]);
    }
    Json engines = Json::array();
    for (const match::EngineSpec& e : config->engines) engines.push_back(e.text);
    Json out = {{"database", file},
                {"game", config->game},
                {"engines", engines},
                {"games", board.games()},
                {"limits", config->time.text()},
                {"estimate", match::to_json(match::estimate(board.row(0).pairs))},
                {"curve", thin}};
    if (config->sprt) {
        out["sprt"] = match::to_json(*config->sprt);
        out["sprt"]["lower"] = config->sprt->lower();
        out["sprt"]["upper"] = config->sprt->upper();
    }
    return out;
}

Expected<Json> tuning_json(const std::string& file) {
    const auto climb = tune::read_climb(file);
    if (!climb) return climb.error();
    auto database = Database::read(file, "tune");
    if (!database) return database.error();
    Json names = Json::array();
    for (const tune::SpsaParam& p : climb->options.params) names.push_back(p.path);
    Json course = Json::array();
    (*database)->run([&](SQLite::Database& db) {
        SQLite::Statement q(db, "SELECT theta FROM trials ORDER BY position");
        while (q.executeStep()) course.push_back(Json::parse(q.getColumn(0).getString()));
    });
    const std::size_t step = course.size() / kMostCurve + 1;
    Json thin = Json::array();
    for (std::size_t i = 0; i < course.size(); ++i) {
        if (i % step == 0 || i + 1 == course.size()) thin.push_back({i + 1, course[i]});
    }
    return Json{{"database", file},
                {"game", climb->match.game},
                {"parameters", names},
                {"trials", course.size()},
                {"course", thin}};
}

}  // namespace

Expected<Json> report_data(const ReportSources& sources) {
    Json out = {{"games", Json::array()}, {"matches", Json::array()}, {"tunings", Json::array()}};
    for (const std::string& file : sources.samples) {
        auto game = game_json(file, sources.held_out_percent);
        if (!game) return game.error();
        out["games"].push_back(std::move(*game));
    }
    for (const std::string& file : sources.matches) {
        auto m = match_json(file);
        if (!m) return m.error();
        out["matches"].push_back(std::move(*m));
    }
    for (const std::string& file : sources.tunings) {
        auto t = tuning_json(file);
        if (!t) return t.error();
        out["tunings"].push_back(std::move(*t));
    }
    return out;
}

}  // namespace karikomi::lab
