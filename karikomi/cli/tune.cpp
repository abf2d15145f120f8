/// karikomi tune: good values for declared parameters, by games.
#include "karikomi/lab/tune/tune.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/tune/chart.hpp"
#include "karikomi/lab/tune/effect.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using match::Match;
using match::MatchConfig;
using tune::Climb;
using tune::GridAxis;

struct TuneOptions {
    std::string game;
    std::string preset;
    std::string method;
    std::string base;
    std::string engine;
    std::string chart;
    std::string write;
    std::vector<std::string> params;
    PlayOptions play;
    std::int64_t games = 0;
    std::int64_t pairs = 1;
};

/// The parameters with these assignments, as a file that --params reads.
void write_params_file(const TuneOptions& o, const std::string& game,
                       const std::vector<std::string>& assignments, const Json& result) {
    if (o.write.empty()) return;
    const auto engine = take(make_engine(game));
    SearchParams params = engine->params();
    for (const std::string& a : assignments) require(set_param(params, a));
    const Json provenance = {{"by", "karikomi tune"},
                             {"commit", kCommit},
                             {"method", result["method"]},
                             {"games", result["games"]},
                             {"parameters", result["parameters"]},
                             {"machine", lab::machine_json()}};
    write_output("--write", o.write,
                 pretty(write_params(params, engine->info(), provenance)) + "\n");
}

/// The engine with these values, as `karikomi match` takes it, where it is another program.
void add_engine(Json& result, const std::string& base, const std::vector<std::string>& best) {
    if (!tune::is_program(base)) return;
    match::EngineSpec::Pairs settings;
    for (const std::string& b : best) settings.emplace_back("set", b);
    result["engine"] = tune::tuned_text({}, base, settings);
}

// ---- Grid ---------------------------------------------------------------------------------------

struct Grid {
    std::vector<GridAxis> axes;
    std::string base;
    MatchConfig config;
};

Json grid_json(const Grid& grid, const tune::GridResult& r) {
    Json out = {{"event", "result"}, {"method", "grid"}, {"game", grid.config.game}};
    const tune::GridPoint& best = r.points[r.best];
    out["parameters"] = Json::array();
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        Json plausible = Json::array();
        for (std::size_t k = 0; k < grid.axes[i].values.size(); ++k) {
            if (r.plausible[i][k]) plausible.push_back(grid.axes[i].values[k]);
        }
        out["parameters"].push_back({{"path", grid.axes[i].path},
                                     {"value", grid.axes[i].values[best.at[i]]},
                                     {"plausible", plausible}});
    }
    out["elo"] = to_json(best.elo);
    out["points"] = Json::array();
    std::uint64_t games = 0;
    for (const tune::GridPoint& p : r.points) {
        Json values = Json::object();
        for (std::size_t i = 0; i < grid.axes.size(); ++i) {
            values[grid.axes[i].path] = grid.axes[i].values[p.at[i]];
        }
        out["points"].push_back({{"values", values}, {"elo", to_json(p.elo)}, {"games", p.games}});
        games += p.games;
    }
    out["games"] = games;
    return out;
}

void print_grid(const Grid& grid, const tune::GridResult& r) {
    std::vector<Table::Column> columns;
    for (const GridAxis& a : grid.axes) columns.push_back({a.path});
    for (const char* title : {"games", "Elo", "low", "high", ""}) columns.push_back({title});
    Table table(columns);
    for (std::size_t k = 0; k < r.points.size(); ++k) {
        const tune::GridPoint& p = r.points[k];
        std::vector<std::string> row;
        for (std::size_t i = 0; i < grid.axes.size(); ++i) {
            row.push_back(grid.axes[i].values[p.at[i]]);
        }
        row.push_back(std::to_string(p.games));
        for (const double v : {p.elo.value, p.elo.low, p.elo.high}) {
            row.push_back(fmt::format("{:+.1f}", v));
        }
        row.emplace_back(k == r.best ? "best" : "");
        table.add(std::move(row));
    }
    fmt::print("Elo against the start, with 95 % intervals\n\n{}\n", table.text());
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        std::vector<std::string> values;
        for (std::size_t k = 0; k < grid.axes[i].values.size(); ++k) {
            if (r.plausible[i][k]) values.push_back(grid.axes[i].values[k]);
        }
        fmt::print("{}: not clearly worse than the best: {}\n", grid.axes[i].path,
                   fmt::join(values, ", "));
    }
}

std::string grid_chart_of(const Grid& grid, const tune::GridResult& r) {
    std::vector<tune::ChartAxis> axes;
    for (const GridAxis& a : grid.axes) axes.push_back({a.path, a.values});
    std::vector<tune::ChartPoint> points;
    for (const tune::GridPoint& p : r.points) points.push_back({p.at, p.elo});
    return tune::grid_chart(axes, points);
}

int run_grid(const TuneOptions& o, const Grid& grid, Session& session) {
    const MatchConfig config = take(tune::grid_match(grid.config, grid.base, grid.axes));
    const std::string database = o.play.database_for("tune");
    const auto m = take(Match::make(config, database));
    Json axes = Json::array();
    for (const GridAxis& a : grid.axes) axes.push_back({{"path", a.path}, {"values", a.values}});
    m->store().set("grid", {{"axes", axes}, {"base", grid.base}});
    session.begin(to_json(m->identities()[0]));
    Progress progress("tune", m->total_games(), m->board().games());
    const StopToken stop = session.stop();
    const auto queue = o.play.queue_for(m->config(), m->run_id());
    const auto watch = [&](const match::MatchView& view) {
        session.log("game", to_json(view.last, m->names()));
        progress.show(static_cast<double>(view.board.games()),
                      m->names()[static_cast<std::size_t>(view.last.slot.second)]);
    };
    auto outcome = m->run(*queue, watch, stop);
    progress.clear();
    if (!outcome) throw Failure(outcome.error(), kBroken);
    const tune::GridResult r = tune::grid_result(m->board(), grid.axes);
    Json result = grid_json(grid, r);
    const bool stopped = *outcome == match::Outcome::Stopped;
    result["complete"] = !stopped;
    result["conditions"] = m->result();
    result["database"] = database;
    if (stopped) result["resume"] = o.play.resume_text("tune", database);
    if (!o.chart.empty()) write_output("--chart", o.chart, grid_chart_of(grid, r));
    std::vector<std::string> best;
    for (const Json& p : result["parameters"]) {
        best.push_back(p["path"].get<std::string>() + "=" + p["value"].get<std::string>());
    }
    result["set"] = best;
    add_engine(result, grid.base, best);
    if (!session.json()) {
        if (!grid.base.empty()) fmt::print("on top of: {}\n", grid.base);
        print_grid(grid, r);
        if (stopped) fmt::print("\nstopped; go on with: {}\n", result["resume"].get<std::string>());
    }
    write_params_file(o, config.game, best, result);
    session.finish(result);
    return stopped ? kNo : kDone;
}

Grid recorded_grid(const std::string& database) {
    const auto store = take(match::Store::read(database));
    const Json recorded = store->get("grid");
    if (recorded.is_null()) {
        throw Failure({fmt::format("database '{}': is of a match, not of a grid", database),
                       "use karikomi match --resume"});
    }
    Grid grid;
    grid.config = take(match::config_of(store->get("config")));
    grid.base = recorded.at("base");
    for (const Json& a : recorded.at("axes")) {
        grid.axes.push_back({a.at("path"), a.at("values").get<std::vector<std::string>>()});
    }
    return grid;
}

// ---- SPSA ---------------------------------------------------------------------------------------

Json climb_json(const Climb& climb, const std::string& game) {
    const tune::Spsa& spsa = climb.spsa();
    Json out = {{"event", "result"}, {"method", "spsa"}, {"game", game}};
    out["parameters"] = Json::array();
    const auto estimates = spsa.estimates();
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        const tune::SpsaParam& p = spsa.options().params[i];
        const tune::Spsa::Estimate& e = estimates[i];
        out["parameters"].push_back({{"path", p.path},
                                     {"value", e.value},
                                     {"error", e.error()},
                                     {"low", e.low},
                                     {"high", e.high},
                                     {"arrived", e.arrived()},
                                     {"last", e.last},
                                     {"start", p.start},
                                     {"c_end", p.c_end},
                                     {"r_end", p.r_end}});
    }
    out["trials"] = spsa.finished();
    out["pairs_per_trial"] = spsa.options().pairs;
    out["games"] = climb.games();
    out["faults"] = climb.faults();
    out["identity"] = to_json(climb.identity());
    return out;
}

std::string climb_chart_of(const tune::Spsa& spsa) {
    std::vector<tune::ChartCourse> courses;
    for (std::size_t i = 0; i < spsa.options().params.size(); ++i) {
        const tune::SpsaParam& p = spsa.options().params[i];
        tune::ChartCourse course{p.path, p.min, p.max, {static_cast<float>(p.start)}};
        for (const auto& point : spsa.history()) course.values.push_back(point[i]);
        courses.push_back(std::move(course));
    }
    return tune::course_chart(courses);
}

void print_climb(const Json& result) {
    Table table({{"parameter", false}, {"start"}, {"value"}, {"low"}, {"high"}, {"last"}, {""}});
    bool arrived = true;
    for (const Json& p : result["parameters"]) {
        const auto text = [&](const char* key) {
            return fmt::format("{:.4g}", p[key].get<double>());
        };
        const bool here = p["arrived"].get<bool>();
        arrived = arrived && here;
        table.add({p["path"].get<std::string>(), text("start"), text("value"), text("low"),
                   text("high"), text("last"), here ? "" : "on its way"});
    }
    fmt::print(
        "{}\nlow and high: the optimum is between them with 90 % confidence\n{} games; check "
        "the values with `karikomi match` before you believe them\n",
        table.text(), result["games"].dump());
    if (!arrived) {
        fmt::print("on its way: not there yet; play more games, or raise its r or c\n");
    }
}

int run_climb(const TuneOptions& o, const tune::ClimbConfig& c, Session& session) {
    const std::string database = o.play.database_for("tune");
    const auto climb = take(Climb::make(c.match, c.base, c.options, database));
    session.begin(to_json(climb->identity()));
    Progress progress("tune", c.options.trials, climb->spsa().finished());
    const StopToken stop = session.stop();
    const auto queue = o.play.queue_for(c.match, climb->run_id());
    const auto watch = [&](const tune::ClimbView& view) {
        session.log("trial", {{"number", view.spsa.finished()}, {"theta", view.spsa.theta()}});
        session.stream(
            {{"event", "trial"}, {"number", view.spsa.finished()}, {"theta", view.spsa.theta()}});
        progress.show(static_cast<double>(view.spsa.finished()),
                      fmt::format("{:.4g}", fmt::join(view.spsa.theta(), " ")));
    };
    auto complete = climb->run(*queue, watch, stop);
    progress.clear();
    if (!complete) throw Failure(complete.error(), kBroken);
    Json result = climb_json(*climb, c.match.game);
    result["complete"] = *complete;
    result["database"] = database;
    result["limits"] = to_json(c.match.time);
    result["machine"] = lab::machine_json();
    result["commit"] = kCommit;
    if (!*complete) result["resume"] = o.play.resume_text("tune", database);
    std::vector<std::string> best;
    for (std::size_t i = 0; i < c.options.params.size(); ++i) {
        const double value = result["parameters"][i]["value"];
        const tune::SpsaParam& p = c.options.params[i];
        best.push_back(p.integer ? fmt::format("{}={:.0f}", p.path, value)
                                 : fmt::format("{}={:.4g}", p.path, value));
    }
    result["set"] = best;
    add_engine(result, c.base, best);
    if (!o.chart.empty()) write_output("--chart", o.chart, climb_chart_of(climb->spsa()));
    if (!session.json()) {
        print_climb(result);
        if (!*complete)
            fmt::print("\nstopped; go on with: {}\n", result["resume"].get<std::string>());
    }
    write_params_file(o, c.match.game, best, result);
    session.finish(result);
    return *complete ? kDone : kNo;
}

// ---- The command --------------------------------------------------------------------------------

bool wants_climb(const TuneOptions& o) {
    if (o.method.empty()) return false;
    if (o.method != "grid" && o.method != "spsa") {
        throw Failure({fmt::format("--method: '{}' is unknown", o.method), "use grid or spsa"});
    }
    return o.method == "spsa";
}

/// Whatever a technique's numbers are, a game that cannot use it plays all of them alike.
void check_technique(const std::string& where, const std::string& path, const GameInfo& game) {
    const std::string section = path.substr(0, path.find('.'));
    const bool is_technique =
        std::find(kTechniqueNames.begin(), kTechniqueNames.end(), section) != kTechniqueNames.end();
    if (is_technique) require_usable(where, section, game);
}

/// Settings of our own engine, or another program with what it says it can be told.
struct Tuned {
    std::string base;
    bool program = false;
    std::vector<match::ProgramOption> options;
};

Tuned tuned_of(const TuneOptions& o, const MatchConfig& config) {
    if (o.engine.empty()) return {o.base, false, {}};
    if (!o.base.empty() || !o.preset.empty() || !o.write.empty()) {
        throw Failure({"--engine: --base, --write and the ready grids are of our own engine",
                       "write settings as usi?option.NAME=VALUE:COMMAND; --json has the values"});
    }
    auto spec = take(match::parse_engine(o.engine));
    if (!tune::is_program(o.engine)) {
        throw Failure({fmt::format("--engine '{}': is our own engine", o.engine),
                       "leave it out; --base has settings of ours"});
    }
    match::apply_defaults(spec, config);
    const auto player = take(match::make_player(spec, {config.game, config.rules}));
    return {o.engine, true, player->options()};
}

/// False for what plays the same whatever the value is. A game clock may act where a fixed depth
/// does not, so then nobody can tell; and only techniques are asked, which act at any limit.
bool acts(const std::string& path, const MatchConfig& config, const std::string& base,
          const std::vector<std::string>& values) {
    const std::string section = path.substr(0, path.find('.'));
    const bool is_technique =
        std::find(kTechniqueNames.begin(), kTechniqueNames.end(), section) != kTechniqueNames.end();
    if (!is_technique || config.time.has_clock()) return true;
    const auto spec_of = [&](const match::EngineSpec::Pairs& more) {
        return take(match::parse_engine(tune::tuned_text(config.game, base, more)));
    };
    std::vector<match::EngineSpec> points;
    for (const std::string& v : values) points.push_back(spec_of({{"set", path + "=" + v}}));
    return take(tune::changes_tree(spec_of({}), points));
}

[[noreturn]] void refuse_idle(const std::string& path, const std::string& game) {
    throw Failure(
        {fmt::format("--param {}: none of its values changes the search of {}", path, game),
         fmt::format("switch on what it belongs to, as in --base "
                     "'set={}.enabled=true', with the right variant and depths",
                     path.substr(0, path.find('.')))});
}

Grid new_grid(const TuneOptions& o) {
    Grid grid;
    const auto engine = take(make_engine(o.game));
    grid.config = o.play.read();
    grid.config.game = o.game;
    grid.config.games = o.games > 0 ? static_cast<std::uint64_t>(o.games) : 200;
    const Tuned tuned = tuned_of(o, grid.config);
    grid.base = tuned.base;
    if (!o.preset.empty()) {
        grid.axes = tune::preset_grid(o.preset);
        if (grid.axes.empty()) {
            throw Failure(
                {fmt::format("tune: there is no ready grid '{}'", o.preset),
                 fmt::format("use {}, or --param", fmt::join(tune::preset_names(), ", "))});
        }
        for (const std::string& setting : tune::preset_needs(o.preset)) {
            grid.base += (grid.base.empty() ? "set=" : "&set=") + setting;
        }
        for (const GridAxis& a : grid.axes) {
            check_technique("tune " + o.preset, a.path, engine->info());
        }
    }
    for (const std::string& text : o.params) {
        grid.axes.push_back(take(tune::parse_axis(text)));
        const GridAxis& axis = grid.axes.back();
        if (!tuned.program) check_technique("--param " + axis.path, axis.path, engine->info());
        if (!tuned.program) continue;
        for (const std::string& v : axis.values) {
            require(tune::check_program_value(axis.path, v, tuned.options));
        }
    }
    if (grid.axes.empty()) throw Failure({"tune: nothing to tune", "give --param PATH=V,V,V"});
    for (const GridAxis& a : grid.axes) {
        if (tuned.program || acts(a.path, grid.config, grid.base, a.values)) continue;
        refuse_idle(a.path, o.game);
    }
    return grid;
}

void check_no_double(const std::vector<tune::SpsaParam>& params) {
    std::set<std::string> paths;
    for (const tune::SpsaParam& p : params) {
        if (paths.insert(p.path).second) continue;
        throw Failure({fmt::format("--param: {} is named twice", p.path), "name it once"});
    }
}

/// Of the range that a climb may see: both ends, and two steps to either side of the start.
std::vector<std::string> values_around(const tune::SpsaParam& p) {
    std::vector<std::string> out;
    for (const double x : {p.start - 2 * p.c_end, p.start + 2 * p.c_end, p.min, p.max}) {
        const double v = std::clamp(x, p.min, p.max);
        out.push_back(p.integer ? fmt::format("{:.0f}", v) : fmt::format("{:.9g}", v));
    }
    return out;
}

/// One parameter, which must act, or those of a section that do.
void add_climbs(tune::ClimbConfig& c, const std::string& text, const Engine& engine) {
    const std::size_t before = c.options.params.size();
    const bool section = text.find(".*") != std::string::npos;
    for (tune::SpsaParam& p : take(tune::parse_climbs(text, engine.params()))) {
        check_technique("--param " + p.path, p.path, engine.info());
        if (acts(p.path, c.match, c.base, values_around(p))) {
            c.options.params.push_back(std::move(p));
        } else if (!section) {
            refuse_idle(p.path, c.match.game);
        }
    }
    if (c.options.params.size() == before) refuse_idle(text, c.match.game);
}

tune::ClimbConfig new_climb(const TuneOptions& o) {
    if (!o.preset.empty() || o.params.empty()) {
        throw Failure({"tune: --method spsa needs --param", "give --param PATH for each"});
    }
    tune::ClimbConfig c;
    c.match = o.play.read();
    c.match.game = o.game;
    const Tuned tuned = tuned_of(o, c.match);
    c.base = tuned.base;
    const auto engine = take(make_engine(o.game));
    for (const std::string& text : o.params) {
        if (tuned.program) {
            c.options.params.push_back(take(tune::parse_program_climb(text, tuned.options)));
            continue;
        }
        add_climbs(c, text, *engine);
    }
    check_no_double(c.options.params);
    const std::int64_t games = o.games > 0 ? o.games : 2000;
    const std::int64_t in_trial = 2 * o.pairs;
    c.options.pairs = static_cast<std::uint64_t>(o.pairs);
    c.options.trials = static_cast<std::uint64_t>((games + in_trial - 1) / in_trial);
    const double rate = tune::usual_rate(c.options.all_pairs(), c.options.params.size());
    for (tune::SpsaParam& p : c.options.params) {
        if (p.r_end == 0) p.r_end = rate;
    }
    c.options.seed = static_cast<std::uint64_t>(o.play.seed);
    return c;
}

int run(const TuneOptions& o, Session& session) {
    const std::string& old = o.play.resume;
    if (!old.empty()) {
        if (const auto kind = lab::Database::kind_of(old); kind && *kind == "tune") {
            tune::ClimbConfig c = take(tune::read_climb(old));
            o.play.set_how(c.match);
            return run_climb(o, c, session);
        }
        Grid grid = recorded_grid(old);
        o.play.set_how(grid.config);
        return run_grid(o, grid, session);
    }
    if (o.game.empty()) throw Failure({"tune: no game given", "see `karikomi tune --help`"});
    if (wants_climb(o)) return run_climb(o, new_climb(o), session);
    return run_grid(o, new_grid(o), session);
}

}  // namespace

void add_tune(Program& program) {
    Command command = program.add(
        "tune", "Find good values for parameters by games: a grid, or SPSA",
        {"karikomi tune GAME --param multi_probcut.t=1,2 --depth 6 --games 4",
         "karikomi tune GAME --method spsa --param multi_probcut.t --depth 8 --games 4"});
    const auto o = std::make_shared<TuneOptions>();
    add_text(command, "GAME", o->game, "", "The game");
    add_text(command, "PRESET", o->preset, "",
             fmt::format("A ready grid: {}", fmt::join(tune::preset_names(), ", ")));
    add_name(command, "--method", o->method, "NAME", "grid or spsa (default: grid)");
    add_list(command, "--param", o->params, "P",
             "grid: PATH=V,V or PATH=A..B:STEP; spsa: PATH[=START][,c=STEP], SECTION.*")
        .once_each();
    add_name(command, "--engine", o->engine, "PROTOCOL:COMMAND",
             "Tune another program's options: usi:COMMAND, gtp:, gomocup:, nboard:");
    add_text(command, "--base", o->base, "SETTINGS",
             "Of the engine that is tuned, as in internal:GAME?SETTINGS");
    add_number(command, "--games", o->games, {2, 1'000'000'000},
               "grid: for each point (default: 200); spsa: in all (default: 2000)");
    add_number(command, "--pairs", o->pairs, {1, 1000},
               "spsa: pairs of games between the same two points");
    add_name(command, "--chart", o->chart, "FILE", "Draw the result as SVG");
    add_name(command, "--write", o->write, "FILE", "Write a parameter file with the result");
    o->play.add_to(command);
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
