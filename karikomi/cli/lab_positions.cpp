/// karikomi lab positions, karikomi lab agreement: how often a short search finds the move of a
/// long one, and what a depth costs.
#include <cmath>

#include <fmt/format.h>

#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/curve/agreement.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using curve::Budget;

Budget budget_of(const std::string& option, const std::string& text) {
    const auto budget = curve::parse_budget(text);
    if (!budget) throw Failure({option + ": " + budget.error().what, budget.error().remedy});
    return *budget;
}

// ---- Making the set -----------------------------------------------------------------------------

struct PositionsOptions {
    std::string game;
    std::string out;
    std::string play = "2k";
    std::string search = "1M";
    std::string openings = "random:8";
    std::int64_t count = 200;
    std::int64_t per_game = 4;
    std::int64_t threads = 1;
    std::int64_t hash_mb = 64;
    std::int64_t seed = 1;
};

int make_set(const PositionsOptions& o, Session& session) {
    curve::PositionOptions p;
    p.game = o.game;
    p.play = budget_of("--play", o.play);
    p.search = budget_of("--budget", o.search);
    p.count = static_cast<std::size_t>(o.count);
    p.per_game = static_cast<int>(o.per_game);
    p.threads = static_cast<int>(o.threads);
    p.hash_mb = static_cast<int>(o.hash_mb);
    p.openings.source = o.openings;
    p.openings.seed = static_cast<std::uint64_t>(o.seed);
    session.begin(nullptr);
    const StopToken stop = session.stop();
    Progress progress("positions", p.count);
    const bool complete = take(curve::make_positions(p, o.out, stop, [&](std::size_t done) {
        progress.show(static_cast<double>(done), "positions");
    }));
    progress.clear();
    const auto all = take(curve::read_positions(o.out));
    const Json result = {{"game", o.game},
                         {"file", o.out},
                         {"positions", all.size()},
                         {"complete", complete},
                         {"budget", p.search.text()},
                         {"command", command_text(session)},
                         {"commit", kCommit}};
    if (!session.json()) {
        fmt::print("{} in {}\n", counted(static_cast<std::int64_t>(all.size()), "position"), o.out);
        if (!complete) fmt::print("not complete; go on with: {}\n", command_text(session));
    }
    session.finish(result);
    return complete ? kDone : kNo;
}

// ---- Measuring with it --------------------------------------------------------------------------

struct AgreementCommand {
    std::string file;
    std::vector<std::string> engines;
    std::string budgets = "5k,40k";
    std::string rows;
    std::int64_t positions = 0;
    EngineOptions engine;
};

curve::AgreementOptions options_of(const AgreementCommand& o) {
    curve::AgreementOptions a;
    a.positions = take(curve::read_positions(o.file));
    if (a.positions.empty()) {
        throw Failure({fmt::format("'{}': holds no positions", o.file),
                       "make some with `karikomi lab positions`"});
    }
    if (o.positions > 0 && static_cast<std::size_t>(o.positions) < a.positions.size()) {
        a.positions.resize(static_cast<std::size_t>(o.positions));
    }
    a.config.game = a.positions[0].game;
    a.config.threads = static_cast<int>(o.engine.threads);
    a.config.hash_mb = static_cast<int>(o.engine.hash_mb);
    std::vector<std::string> engines = o.engines;
    if (engines.empty()) engines.push_back("internal:" + a.config.game);
    for (const std::string& text : engines) {
        a.config.engines.push_back(take(match::parse_engine(text)));
        const match::EngineSpec& e = a.config.engines.back();
        if (!e.game.empty() && e.game != a.config.game) {
            throw Failure({fmt::format("engine '{}': the positions are of {}", text, a.config.game),
                           "name another"});
        }
        if (!e.time.empty()) {
            throw Failure({fmt::format("engine '{}': has a limit of its own", text),
                           "leave it out: the budgets are the limits"});
        }
    }
    const auto budgets = curve::parse_budgets(o.budgets);
    if (!budgets) throw Failure({"--budgets: " + budgets.error().what, budgets.error().remedy});
    a.budgets = *budgets;
    a.rows_file = o.rows;
    return a;
}

std::string ratio_text(const match::Interval& i) {
    return fmt::format("x {:.2f} [{:.2f}, {:.2f}]", i.value, i.low, i.high);
}

void print_cells(const curve::AgreementOptions& a, const std::vector<curve::AgreementRow>& rows) {
    const bool several = a.config.engines.size() > 1;
    std::vector<Table::Column> columns = {{"engine", false}, {"budget"}, {"searches"}, {"right"},
                                          {"95 %"},          {"depth"},  {"nodes"},    {"ms"}};
    if (several) {
        for (const char* title : {"right, against the first", "nodes", "time"}) {
            columns.push_back({title});
        }
    }
    Table table(columns);
    for (const Budget& b : a.budgets) {
        for (std::size_t e = 0; e < a.config.engines.size(); ++e) {
            const curve::AgreementCell c = cell_of(rows, e, b);
            std::vector<std::string> row = {
                shortened(a.config.engines[e].name.empty() ? a.config.engines[e].text
                                                           : a.config.engines[e].name,
                          40),
                b.text(),
                std::to_string(c.searches),
                fmt::format("{:.1f} %", 100 * c.rate.value),
                fmt::format("{:.0f}..{:.0f}", 100 * c.rate.low, 100 * c.rate.high),
                fmt::format("{:.1f}", c.depth),
                grouped(static_cast<std::uint64_t>(std::llround(c.nodes))),
                fmt::format("{:.1f}", c.time_ms)};
            if (several) {
                const match::Interval& d = c.rate_difference;
                row.push_back(e == 0 ? ""
                                     : fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", 100 * d.value,
                                                   100 * d.low, 100 * d.high));
                row.push_back(e == 0 ? "" : ratio_text(c.nodes_ratio));
                row.push_back(e == 0 ? "" : ratio_text(c.time_ratio));
            }
            table.add(std::move(row));
        }
    }
    fmt::print("{}\nnodes and ms are geometric means; intervals 95 %\n", table.text());
}

int measure(const AgreementCommand& o, Session& session) {
    const curve::AgreementOptions a = options_of(o);
    session.begin(nullptr);
    const StopToken stop = session.stop();
    Progress progress("agreement", a.searches());
    const auto rows = take(curve::measure_agreement(
        a, stop, [&](std::size_t done) { progress.show(static_cast<double>(done), "searches"); }));
    progress.clear();
    const bool complete = rows.size() == a.searches();
    Json result = {{"game", a.config.game}, {"file", o.file}, {"positions", a.positions.size()}};
    result["rows"] = Json::array();
    for (const Budget& b : a.budgets) {
        for (std::size_t e = 0; e < a.config.engines.size(); ++e) {
            Json row = {{"engine", a.config.engines[e].text}, {"budget", b.text()}};
            row.update(to_json(cell_of(rows, e, b), e > 0));
            result["rows"].push_back(std::move(row));
        }
    }
    result["complete"] = complete;
    result["command"] = command_text(session);
    result["commit"] = kCommit;
    result["machine"] = lab::machine_json();
    if (!session.json()) {
        print_cells(a, rows);
        if (!complete && !o.rows.empty()) {
            fmt::print("stopped; go on with: {}\n", command_text(session));
        }
    }
    session.finish(result);
    return complete ? kDone : kNo;
}

}  // namespace

void add_lab_positions(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "positions", "Positions of self-play with the move that a long search chooses",
        {"karikomi lab positions GAME --count 5 --play 200 --budget 5k --out "
         "/tmp/set.jsonl"});
    const auto o = std::make_shared<PositionsOptions>();
    add_game(command, o->game);
    add_name(command, "--out", o->out, "FILE",
             "JSON lines; what it holds already is kept, so that a run goes on")
        .required();
    add_number(command, "--count", o->count, {1, 1'000'000}, "Positions");
    add_name(command, "--budget", o->search, "B", "Of the long search: 1M nodes, 10s, d20");
    add_name(command, "--play", o->play, "B", "Of each move of self-play");
    add_number(command, "--per-game", o->per_game, {1, 100}, "Positions of one game at most");
    add_name(command, "--openings", o->openings, "WHAT",
             "random:PLIES, start, or a file with one opening a line");
    add_number(command, "--threads", o->threads, {1, 512}, "Positions at once");
    add_number(command, "--hash", o->hash_mb, {1, 65536}, "Table of each search, MB")
        .type_name("MB");
    add_number(command, "--seed", o->seed, {0, 1'000'000'000'000}, "Of everything random");
    command.does([o](Session& session) { return make_set(*o, session); });
}

void add_lab_agreement(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "agreement", "How often a search finds the move of a long one; what a depth costs",
        {"karikomi lab positions GAME --count 5 --budget 5k --out /tmp/p && karikomi lab "
         "agreement /tmp/p"});
    const auto o = std::make_shared<AgreementCommand>();
    add_text(command, "FILE", o->file, "", "Positions of `karikomi lab positions`").required();
    add_list(command, "ENGINE", o->engines, "",
             "internal:GAME[?SETTINGS] or PROTOCOL[?SETTINGS]:COMMAND (default: ours)");
    add_name(command, "--budgets", o->budgets, "LIST",
             "Of each search: nodes as 40k, time as 100ms or 1s, depth as d8");
    add_name(command, "--rows", o->rows, "FILE",
             "Keep every search as a JSON line; those it holds are not done again");
    add_number(command, "--positions", o->positions, {1, 1'000'000}, "Only the first so many");
    o->engine.add_to(command);
    command.takes_evidence();
    command.does([o](Session& session) { return measure(*o, session); });
}

}  // namespace karikomi::cli
