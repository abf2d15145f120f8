/// karikomi demo: what the selective techniques are worth, on known positions of each game.
#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi::cli {
namespace {

constexpr Depth kQuickPlies = 4;  // --quick searches this much less deep

struct DemoOptions {
    std::string game;
    bool quick = false;
    EngineOptions engine;
    TuningOptions tuning;
};

struct Row {
    SamplePosition sample;
    Result off;
    Result on;
    bool same_move() const { return off.best_move == on.best_move; }
};

struct GameDemo {
    std::unique_ptr<Engine> engine;
    SearchParams off;
    SearchParams on;
    std::vector<Row> rows;
};

struct Totals {
    std::uint64_t positions = 0, same_move = 0;
    std::uint64_t off_nodes = 0, on_nodes = 0;
    std::int64_t off_us = 0, on_us = 0;

    void add(const Row& row) {
        ++positions;
        same_move += row.same_move() ? 1U : 0U;
        off_nodes += row.off.nodes, on_nodes += row.on.nodes;
        off_us += row.off.time_us, on_us += row.on.time_us;
    }
};

/// How many times less with the techniques on.
template <class T> double ratio(T off, T on) {
    if (off == on) return 1.0;  // nothing against nothing too: a position where the game is over
    return static_cast<double>(off) / static_cast<double>(std::max<T>(on, 1));
}

std::vector<GameDemo> prepare(const DemoOptions& options) {
    std::vector<GameDemo> games;
    for (const std::string& name : chosen_games(options.game, options.tuning)) {
        GameDemo demo;
        demo.engine = ready_engine(name, options.engine, options.tuning);
        demo.on = demo.engine->params();
        demo.off = demo.on;
        require(switch_off(demo.off, "all"));
        games.push_back(std::move(demo));
    }
    return games;
}

// ---- The searches -------------------------------------------------------------------------------

Result search_with(Engine& engine, const SearchParams& params, const SamplePosition& sample,
                   const StopToken& stop) {
    require(engine.set_params(params));  // forgets what the other search has learned
    require(engine.set_position(sample.text));
    SearchRequest request;
    request.limits.depth = sample.depth;
    request.stop = stop;
    return take(engine.search(request));
}

/// False when it was stopped; finished rows are kept.
bool run_all(std::vector<GameDemo>& games, bool quick, const StopToken& stop) {
    std::size_t total = 0;
    for (const GameDemo& demo : games) total += demo.engine->info().samples.size();
    Progress progress("demo", total);
    std::size_t done = 0;
    for (GameDemo& demo : games) {
        const GameInfo& info = demo.engine->info();
        for (SamplePosition sample : info.samples) {
            progress.show(static_cast<double>(done++), info.name + " " + sample.text);
            if (quick) sample.depth = std::max(sample.depth - kQuickPlies, 1);
            Row row{sample, search_with(*demo.engine, demo.off, sample, stop), {}};
            if (!stop.stop_requested()) {
                row.on = search_with(*demo.engine, demo.on, sample, stop);
            }
            if (stop.stop_requested()) return false;
            demo.rows.push_back(std::move(row));
        }
    }
    return true;
}

// ---- JSON ---------------------------------------------------------------------------------------

Json to_json_side(const Result& r) {
    const Json value = r.lines.empty() ? Json(nullptr) : Json(r.lines.front().value);
    return {{"nodes", r.nodes},
            {"time_ms", static_cast<double>(r.time_us) / 1000.0},
            {"bestmove", r.best_move.empty() ? Json(nullptr) : Json(r.best_move)},
            {"value", value}};
}

Json to_json_totals(const Totals& t) {
    const auto side = [](std::uint64_t nodes, std::int64_t us) -> Json {
        return {{"nodes", nodes}, {"time_ms", static_cast<double>(us) / 1000.0}};
    };
    return {{"positions", t.positions},
            {"off", side(t.off_nodes, t.off_us)},
            {"on", side(t.on_nodes, t.on_us)},
            {"node_ratio", ratio(t.off_nodes, t.on_nodes)},
            {"time_ratio", ratio(t.off_us, t.on_us)},
            {"same_move", t.same_move}};
}

Json to_document(const std::vector<GameDemo>& games, const DemoOptions& options, bool complete) {
    Json rows = Json::array();
    Json fingerprints = Json::object();
    Totals totals;
    for (const GameDemo& demo : games) {
        const GameInfo& info = demo.engine->info();
        fingerprints[info.name] = fingerprint(demo.on, info);
        for (const Row& row : demo.rows) {
            totals.add(row);
            rows.push_back({{"game", info.name},
                            {"position", row.sample.text},
                            {"depth", row.sample.depth},
                            {"off", to_json_side(row.off)},
                            {"on", to_json_side(row.on)},
                            {"node_ratio", ratio(row.off.nodes, row.on.nodes)},
                            {"time_ratio", ratio(row.off.time_us, row.on.time_us)},
                            {"same_move", row.same_move()}});
        }
    }
    return {{"rows", rows},
            {"totals", to_json_totals(totals)},
            {"complete", complete},
            {"threads", options.engine.threads},
            {"hash_mb", options.engine.hash_mb},
            {"fingerprints", fingerprints}};
}

// ---- Text ---------------------------------------------------------------------------------------

std::vector<std::string> total_cells(const std::string& name, const Totals& t) {
    return {name,
            "",
            grouped(t.off_nodes),
            grouped(t.on_nodes),
            fmt::format("{:.2f} x", ratio(t.off_nodes, t.on_nodes)),
            duration(t.off_us),
            duration(t.on_us),
            fmt::format("{:.2f} x", ratio(t.off_us, t.on_us)),
            fmt::format("{} of {} same", t.same_move, t.positions)};
}

std::string moves_cell(const Row& row) {
    if (row.same_move()) return row.on.best_move.empty() ? "game over" : row.on.best_move;
    return fmt::format("{} -> {}", row.off.best_move, row.on.best_move);
}

void print_text(const std::vector<GameDemo>& games, const DemoOptions& options, bool complete) {
    fmt::print(
        "{}\nThe same positions to the same depth, with every technique switched off, then on.\n"
        "({}, {} MB; a ratio above 1 speaks for the techniques.)\n",
        bold("What selective search is worth"), counted(options.engine.threads, "thread"),
        options.engine.hash_mb);
    Totals all;
    for (const GameDemo& demo : games) {
        const GameInfo& info = demo.engine->info();
        fmt::print("\n{}  parameters {}\n", bold(info.title), fingerprint(demo.on, info));
        Table table({{"position", false},
                     {"depth"},
                     {"nodes off"},
                     {"nodes on"},
                     {"ratio"},
                     {"time off"},
                     {"time on"},
                     {"ratio"},
                     {"best move", false}});
        Totals totals;
        for (const Row& row : demo.rows) {
            totals.add(row);
            all.add(row);
            const std::string where = row.sample.text.empty() ? "start" : row.sample.text;
            table.add(
                {shortened(where, 24), std::to_string(row.sample.depth), grouped(row.off.nodes),
                 grouped(row.on.nodes), fmt::format("{:.2f} x", ratio(row.off.nodes, row.on.nodes)),
                 duration(row.off.time_us), duration(row.on.time_us),
                 fmt::format("{:.2f} x", ratio(row.off.time_us, row.on.time_us)), moves_cell(row)});
        }
        table.add_rule();
        table.add(total_cells("total", totals));
        fmt::print("{}", table.text());
    }
    if (!complete) fmt::print("\nStopped before the end; run it again for all positions.\n");
    fmt::print(
        "\nTogether: {:.2f} times fewer nodes, {:.2f} times faster, the same best move in {} of "
        "{} positions.\n",
        ratio(all.off_nodes, all.on_nodes), ratio(all.off_us, all.on_us), all.same_move,
        all.positions);
}

int run(const DemoOptions& options, Session& session) {
    std::vector<GameDemo> games = prepare(options);
    Json fingerprints = Json::object();
    for (const GameDemo& demo : games) {
        fingerprints[demo.engine->info().name] = fingerprint(demo.on, demo.engine->info());
    }
    session.begin(fingerprints);
    const bool complete = run_all(games, options.quick, session.stop());
    if (!session.json()) print_text(games, options, complete);
    session.finish(to_document(games, options, complete));
    return complete ? kDone : kNo;
}

}  // namespace

void add_demo(Program& program) {
    Command command =
        program.add("demo", "Known positions of each game, techniques off against on",
                    {"karikomi demo --quick", "karikomi demo --quick --only multi_probcut"});
    const auto o = std::make_shared<DemoOptions>();
    add_game_choice(command, o->game);
    add_switch(command, "--quick", o->quick, fmt::format("Search {} plies less deep", kQuickPlies));
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
