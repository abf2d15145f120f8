/// karikomi curve: the same two engines at several budgets; does the first one's advantage fall as
/// budgets grow?
#include "karikomi/lab/curve/curve.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/cli/trust.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/curve/move_report.hpp"
#include "karikomi/lab/curve/plot.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using curve::BudgetKind;
using curve::CurveBudget;
using curve::CurveConfig;
using curve::CurvePoint;
using match::Match;

constexpr int kPliesInABlock = 10;

struct CurveOptions {
    std::vector<std::string> engines;
    std::string game;
    std::string budgets = "5k,40k,300k,100ms,1s";
    std::string games = "100";
    std::string chart;
    PlayOptions play;
};

// ---- What is wanted -----------------------------------------------------------------------------

/// One number for all budgets, or one for each.
std::vector<std::uint64_t> games_of(const std::string& text, std::size_t budgets) {
    std::vector<std::uint64_t> out;
    for (const std::string& part : curve::split_list(text)) {
        const double n = number_of("--games", part);
        if (n < 2 || n != static_cast<double>(static_cast<std::int64_t>(n))) {
            throw Failure({fmt::format("--games: '{}' is no number of games", part),
                           "give 2 or more for each budget"});
        }
        out.push_back(static_cast<std::uint64_t>(n));
    }
    if (out.size() == 1) out.resize(budgets, out[0]);
    if (out.size() != budgets) {
        throw Failure({fmt::format("--games: {} numbers for {} budgets", out.size(), budgets),
                       "give one for all or one for each"});
    }
    return out;
}

CurveConfig new_curve(const CurveOptions& o) {
    if (!o.play.limits.empty()) {
        throw Failure(
            {fmt::format("--{}: a curve has budgets instead", o.play.limits.begin()->first),
             "write --budgets 5k,40k,100ms,d8"});
    }
    if (o.engines.size() != 2) {
        throw Failure({"curve: compares two engines",
                       "name them: karikomi curve internal:GAME 'internal:GAME?off=iid'"});
    }
    CurveConfig c;
    c.match = o.play.read_with(o.engines, o.game);
    const auto budgets = curve::parse_budgets(o.budgets);
    if (!budgets) throw Failure({"--budgets: " + budgets.error().what, budgets.error().remedy});
    const auto games = games_of(o.games, budgets->size());
    for (std::size_t i = 0; i < games.size(); ++i) c.budgets.push_back({(*budgets)[i], games[i]});
    return c;
}

constexpr const char* kSealedRun = "curve";

std::string seal_file(const std::string& folder) {
    return folder + "/" + kSealFact;
}

std::string folder_of(const CurveOptions& o) {
    if (o.play.database == "none") {
        throw Failure({"--db: a curve keeps its games", "name a folder"});
    }
    if (!o.play.resume.empty()) return o.play.resume;
    if (!o.play.database.empty()) return o.play.database;
    std::string time = lab::utc_now();
    std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
    const std::string folder = state_file(fmt::format("curve-{}-{}", time, getpid()));
    if (folder.empty()) throw Failure({"curve: there is no folder for the games", "use --db"});
    return folder;
}

// ---- Playing ------------------------------------------------------------------------------------

/// Rough cost of a game, so that the estimate of the time left weighs budgets: a node is about a
/// microsecond, a ply of depth about doubles the work.
double cost_of(const curve::Budget& b) {
    const auto amount = static_cast<double>(b.amount);
    if (b.kind == BudgetKind::Nodes) return amount;
    return b.kind == BudgetKind::Time ? 1000 * amount : std::exp2(amount);
}

struct Work {
    double all = 0;
    double done = 0;  ///< by budgets that are complete
};

/// False: it was stopped.
bool play_budget(const CurveOptions& o, const CurveConfig& c, const CurveBudget& at,
                 const std::string& folder, const StopToken& stop, Session& session,
                 Progress& progress, Work& work) {
    const auto config = take(curve::match_at(c, at));
    const auto m = take(Match::make(config, curve::database_at(folder, at.budget)));
    const auto queue = o.play.queue_for(m->config(), m->run_id());
    const std::string budget = at.budget.text();
    const auto watch = [&](const match::MatchView& view) {
        Json game = to_json(view.last, m->names());
        game["budget"] = budget;
        session.log(is_fault(view.last.result.end) ? "fault" : "game", game);
        session.stream(game);
        const auto& t = view.board.row(0).games;
        progress.show(
            work.done + cost_of(at.budget) * static_cast<double>(view.board.games()),
            fmt::format("{}: {}-{}-{} of {}", budget, t.wins, t.draws, t.losses, m->total_games()));
    };
    auto outcome = m->run(*queue, watch, stop);
    if (!outcome) throw Failure(outcome.error(), kBroken);
    work.done += cost_of(at.budget) * static_cast<double>(m->total_games());
    return *outcome != match::Outcome::Stopped;
}

/// Games that the databases hold already.
double work_before(const CurveConfig& c, const std::string& folder) {
    double done = 0;
    for (const CurveBudget& b : c.budgets) {
        const auto store = match::Store::read(curve::database_at(folder, b.budget));
        if (!store) continue;
        (*store)->each_summary([&](const match::GameSummary&) { done += cost_of(b.budget); });
    }
    return done;
}

bool play_all(const CurveOptions& o, const CurveConfig& c, const std::string& folder,
              Session& session) {
    const StopToken stop = session.stop();
    Work work;
    for (const CurveBudget& b : c.budgets) {
        work.all += cost_of(b.budget) * static_cast<double>(b.games + b.games % 2);
    }
    Progress progress("curve", static_cast<std::uint64_t>(work.all),
                      static_cast<std::uint64_t>(work_before(c, folder)));
    for (const CurveBudget& b : c.budgets) {
        if (stop.stop_requested()) return false;
        if (!play_budget(o, c, b, folder, stop, session, progress, work)) return false;
    }
    return true;
}

// ---- What came out ------------------------------------------------------------------------------

struct Measured {
    CurvePoint point;
    curve::MoveReport moves;
    Json json;
};

Measured measured_at(const CurveBudget& b, const std::string& database) {
    const auto store = take(match::Store::read(database));
    const auto names = store->get("names").get<std::vector<std::string>>();
    match::Scoreboard board(match::pairings_of(2, false));
    store->each_summary([&](const match::GameSummary& g) { board.add(g); });
    const auto& row = board.row(0);
    Measured m{
        {b.budget, row.games, row.pairs}, take(curve::move_report(*store, kPliesInABlock)), {}};
    m.json = {{"budget", b.budget.text()},  {"limits", to_json(b.budget.limits())},
              {"games", row.games.games()}, {"wins", row.games.wins},
              {"draws", row.games.draws},   {"losses", row.games.losses}};
    m.json.update(match::to_json(m.point.estimate()));
    const Json all = board.to_json(names);
    m.json["faults"] = all.at("faults");
    m.json["moves"] = curve::to_json(m.moves);
    m.json["identities"] = store->get("engines");
    m.json["machines"] = store->get("machines");
    m.json["runner"] = store->get("runner");
    m.json["database"] = database;
    m.json["complete"] = row.games.games() >= b.games;
    return m;
}

std::vector<Measured> measure(const CurveConfig& c, const std::string& folder) {
    std::vector<Measured> out;
    for (const CurveBudget& b : c.budgets) {
        const std::string database = curve::database_at(folder, b.budget);
        if (std::filesystem::exists(database)) out.push_back(measured_at(b, database));
    }
    return out;
}

std::vector<CurvePoint> points_of(const std::vector<Measured>& all) {
    std::vector<CurvePoint> points;
    for (const Measured& m : all) points.push_back(m.point);
    return points;
}

Json slope_json(const curve::Slope& s) {
    if (!s.known) return nullptr;
    Json out = {{"elo_for_each_doubling", match::to_json(s.elo)}};
    out["trend"] = name_of(s.trend);
    return out;
}

std::string verdict_text(const curve::Slope& s) {
    if (!s.known) return "too few budgets with games to say anything of the curve";
    const std::string figures =
        fmt::format("{:+.1f} Elo for each doubling of the budget [{:+.1f}, {:+.1f}]", s.elo.value,
                    s.elo.low, s.elo.high);
    switch (s.trend) {
        case curve::Trend::Falls:
            return "The curve falls: " + figures;
        case curve::Trend::Rises:
            return "The curve rises: " + figures;
        case curve::Trend::Level:
            return "The curve is level: " + figures;
        case curve::Trend::Unknown:
            break;
    }
    return "Too few games to say whether the curve falls: " + figures;
}

void print_curve(const CurveConfig& c, const std::vector<Measured>& all) {
    const std::vector<std::string>& names = all.front().moves.names;
    fmt::print("{} against {}, {}\n\n", bold(names[0]), bold(names[1]), c.match.game);
    Table table({{"budget"},
                 {"games"},
                 {"won-drawn-lost"},
                 {"score"},
                 {"Elo"},
                 {"low"},
                 {"high"},
                 {"depth"},
                 {"its depth"}});
    std::vector<curve::TextBar> bars;
    for (const Measured& m : all) {
        const match::Estimate e = m.point.estimate();
        const auto& t = m.point.games;
        table.add({m.point.budget.text(), std::to_string(t.games()),
                   fmt::format("{}-{}-{}", t.wins, t.draws, t.losses),
                   fmt::format("{:.1f} %", 100 * estimate(t).score),
                   fmt::format("{:+.0f}", e.elo.value), fmt::format("{:+.0f}", e.elo.low),
                   fmt::format("{:+.0f}", e.elo.high),
                   fmt::format("{:.1f}", m.moves.whole(0).depth()),
                   fmt::format("{:.1f}", m.moves.whole(1).depth())});
        bars.push_back({m.point.budget.text(), e.elo});
    }
    fmt::print("{}\n{}\n", table.text(), curve::text_plot(bars));
    for (const Json& f : all.back().json["faults"]) {
        if (f["crash"] == 0 && f["hang"] == 0 && f["illegal_move"] == 0 && f["time"] == 0) continue;
        fmt::print("faults of {} at the last budget; see `karikomi match show`\n",
                   f["engine"].get<std::string>());
    }
    fmt::print("{}\n", verdict_text(curve::slope_of(points_of(all))));
}

std::string chart_of(const std::vector<Measured>& all) {
    std::vector<curve::Panel> panels;
    for (const auto& [kind, title] :
         {std::pair{BudgetKind::Nodes, "nodes a move"},
          std::pair{BudgetKind::Time, "time of a move"}, std::pair{BudgetKind::Depth, "depth"}}) {
        curve::Panel panel{fmt::format("Elo with 95 % intervals by {}", title), {}, {}};
        curve::Series series{"", {}, true};
        for (const Measured& m : all) {
            if (m.point.budget.kind != kind) continue;
            const match::Interval elo = m.point.estimate().elo;
            const double x = m.point.budget.doublings();
            series.points.push_back({x, elo.value, elo.low, elo.high});
            panel.ticks.push_back({x, m.point.budget.text()});
        }
        if (series.points.empty()) continue;
        panel.series.push_back(std::move(series));
        panels.push_back(std::move(panel));
    }
    return curve::svg_of(panels);
}

int report(const CurveOptions& o, const CurveConfig& c, const std::string& folder, bool stopped,
           Session& session) {
    const std::vector<Measured> all = measure(c, folder);
    if (all.empty()) throw Failure({"curve: there are no games yet", "play some"});
    const auto points = points_of(all);
    const curve::Slope slope = curve::slope_of(points);
    Json result = {{"event", "result"}, {"game", c.match.game}, {"engines", all[0].moves.names}};
    result["points"] = Json::array();
    bool complete = all.size() == c.budgets.size();
    for (const Measured& m : all) {
        complete = complete && m.json["complete"].get<bool>();
        result["points"].push_back(m.json);
    }
    result["slope"] = slope_json(slope);
    result["slope_by_nodes"] = slope_json(slope_of(points, BudgetKind::Nodes));
    result["slope_by_time"] = slope_json(slope_of(points, BudgetKind::Time));
    result["verdict"] = name_of(slope.trend);
    result["complete"] = complete;
    result["folder"] = folder;
    result["commit"] = kCommit;
    if (stopped) result["resume"] = o.play.resume_text("curve", folder);
    if (!o.chart.empty()) write_output("--chart", o.chart, chart_of(all));
    if (!session.json()) {
        print_curve(c, all);
        fmt::print("records: {}\n", folder);
        if (stopped) fmt::print("\nstopped; go on with: {}\n", result["resume"].get<std::string>());
    }
    session.finish(result);
    return stopped || slope.trend == curve::Trend::Falls ? kNo : kDone;
}

int run(const CurveOptions& o, Session& session) {
    if (!o.engines.empty() && o.engines[0] == "show") {
        if (o.engines.size() != 2) {
            throw Failure({"curve show: needs one folder", "write karikomi curve show FOLDER"});
        }
        session.begin(nullptr);
        return report(o, take(curve::read_curve(o.engines[1])), o.engines[1], false, session);
    }
    const std::string folder = folder_of(o);
    CurveConfig config;
    if (!o.play.resume.empty()) {
        if (!o.engines.empty()) {
            throw Failure({"--resume: the engines are on record", "give no engines"});
        }
        config = take(curve::read_curve(folder));
        require_own_commands(folder, config.match, kSealedRun,
                             read_file(seal_file(folder)).value_or(""), o.play.allow_commands);
        o.play.set_how(config.match);
    } else {
        config = new_curve(o);
        for (const CurveBudget& b : config.budgets) take(curve::match_at(config, b));
        require(curve::write_curve(folder, config));
        if (!commands_of(config.match).empty()) {
            (void)write_file(seal_file(folder), seal_of(kSealedRun, config.match));
        }
    }
    session.begin(nullptr);
    const bool complete = play_all(o, config, folder, session);
    return report(o, config, folder, !complete, session);
}

}  // namespace

void add_curve(Program& program) {
    Command command = program.add(
        "curve", "Two engines at several budgets: does the advantage fall as budgets grow?",
        {"karikomi curve internal:GAME 'internal:GAME?off=iid' --budgets 200,1k --games 4",
         "karikomi curve internal:GAME 'internal:GAME?off=all' --budgets d2,d3 --games 4,2"});
    const auto o = std::make_shared<CurveOptions>();
    add_list(command, "ENGINE", o->engines, "",
             "Two of internal:GAME[?SETTINGS] or PROTOCOL[?SETTINGS]:COMMAND");
    add_name(command, "--game", o->game, "GAME", "The game, where no engine is internal");
    add_name(command, "--budgets", o->budgets, "LIST",
             "Of each move, for both sides: nodes as 40k, time as 100ms or 1s, depth as d8");
    add_name(command, "--games", o->games, "N[,N...]", "For each budget, or one number for each");
    add_name(command, "--chart", o->chart, "FILE", "Draw the curve as SVG");
    o->play.add_to(command, PlayOptions::Limits::Refused);
    command.add_footer(R"(

Records: --db names a folder with a match for each budget (docs/curve.md).
  curve show FOLDER    the curve as far as it is played, also while it runs)");
    command.takes_evidence();
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
