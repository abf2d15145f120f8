/// karikomi bench: fixed positions to fixed depths. On one thread the result is the same on every
/// machine, so its signature tells whether a change has changed the search.
#include <fmt/format.h>

#include "karikomi/base/hash.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi::cli {
namespace {

struct BenchOptions {
    std::string game;
    std::int64_t depth_limit = 0;  // 0: none
    EngineOptions engine;
    TuningOptions tuning;
};

struct GameBench {
    std::unique_ptr<Engine> engine;
    std::string params;
    std::size_t positions = 0;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    Fnv hash;
};

std::vector<GameBench> prepare(const BenchOptions& options) {
    std::vector<GameBench> games;
    for (const std::string& name : chosen_games(options.game, options.tuning)) {
        GameBench bench;
        bench.engine = ready_engine(name, options.engine, options.tuning);
        bench.params = fingerprint(bench.engine->params(), bench.engine->info());
        games.push_back(std::move(bench));
    }
    return games;
}

Result search_sample(GameBench& bench, const SamplePosition& sample, const BenchOptions& options,
                     const StopToken& stop) {
    bench.engine->new_game();
    require(bench.engine->set_position(sample.text));
    SearchRequest request;
    request.limits.depth = sample.depth;
    if (options.depth_limit > 0) {
        request.limits.depth = std::min(sample.depth, static_cast<Depth>(options.depth_limit));
    }
    request.legacy = options.tuning.legacy();
    request.stop = stop;
    return take(bench.engine->search(request));
}

/// False when it was stopped; what is finished is counted.
bool run_all(std::vector<GameBench>& games, const BenchOptions& options, const StopToken& stop) {
    std::size_t total = 0;
    for (const GameBench& bench : games) total += bench.engine->info().samples.size();
    Progress progress("bench", total);
    std::size_t done = 0;
    for (GameBench& bench : games) {
        for (const SamplePosition& sample : bench.engine->info().samples) {
            progress.show(static_cast<double>(done++),
                          bench.engine->info().name + " " + sample.text);
            const Result r = search_sample(bench, sample, options, stop);
            if (stop.stop_requested()) return false;
            const Value value = r.lines.empty() ? 0 : r.lines.front().value;
            bench.hash.add(fmt::format("{}|{}|{}|{}\n", sample.text, r.best_move, value, r.nodes));
            bench.nodes += r.nodes;
            bench.time_us += r.time_us;
            ++bench.positions;
        }
    }
    return true;
}

Json to_document(const std::vector<GameBench>& games, const BenchOptions& options, bool complete) {
    Json out = {{"games", Json::array()}};
    Fnv signature;
    for (const GameBench& bench : games) {
        const GameInfo& info = bench.engine->info();
        const std::string hash = bench.hash.text();
        signature.add(info.name + " " + hash + "\n");
        out["games"].push_back({{"game", info.name},
                                {"positions", bench.positions},
                                {"nodes", bench.nodes},
                                {"score_hash", hash},
                                {"nps", nodes_per_second(bench.nodes, bench.time_us)},
                                {"time_ms", static_cast<double>(bench.time_us) / 1000.0},
                                {"evaluation", info.evaluation},
                                {"fingerprint", bench.params}});
    }
    out["signature"] = signature.text();
    out["complete"] = complete;
    out["threads"] = options.engine.threads;
    out["hash_mb"] = options.engine.hash_mb;
    out["depth_limit"] = options.depth_limit > 0 ? Json(options.depth_limit) : Json(nullptr);
    out["profile"] = options.tuning.profile;
    return out;
}

void print_text(const std::vector<GameBench>& games, const Json& document,
                const BenchOptions& options) {
    Table table({{"game", false},
                 {"positions"},
                 {"nodes"},
                 {"time"},
                 {"nodes/s"},
                 {"score hash"},
                 {"parameters"}});
    for (std::size_t i = 0; i < games.size(); ++i) {
        const GameBench& bench = games[i];
        table.add({bench.engine->info().name, std::to_string(bench.positions), grouped(bench.nodes),
                   duration(bench.time_us), grouped(nodes_per_second(bench.nodes, bench.time_us)),
                   document["games"][i]["score_hash"], bench.params});
    }
    fmt::print("{}\n", table.text());
    if (!document["complete"].get<bool>()) {
        fmt::print("stopped before the end: no signature\n");
        return;
    }
    fmt::print("signature {}  ({}, {} MB)\n", bold(document["signature"].get<std::string>()),
               counted(options.engine.threads, "thread"), options.engine.hash_mb);
    if (options.engine.threads > 1) {
        fmt::print("With more than one thread the signature varies from run to run.\n");
    }
}

int run(const BenchOptions& options, Session& session) {
    std::vector<GameBench> games = prepare(options);
    Json fingerprints = Json::object();
    for (const GameBench& bench : games) fingerprints[bench.engine->info().name] = bench.params;
    session.begin(fingerprints);
    const bool complete = run_all(games, options, session.stop());
    Json document = to_document(games, options, complete);
    if (!session.json()) print_text(games, document, options);
    if (!complete) document["signature"] = nullptr;
    session.finish(document);
    return complete ? kDone : kNo;
}

}  // namespace

void add_bench(Program& program) {
    Command command = program.add(
        "bench", "Search fixed positions to fixed depths: speed, and a signature of the search",
        {"karikomi bench --depth-limit 10", "karikomi bench --game GAME --depth-limit 8 --json"});
    const auto o = std::make_shared<BenchOptions>();
    add_game_choice(command, o->game);
    add_number(command, "--depth-limit", o->depth_limit, {1, kMaxDepth},
               "Search no deeper than this (for a quick run)");
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::With);
    command.add_footer(
        "\n\nThe signature is the same in every run with one thread, and varies with "
        "more.");
    command.takes_evidence();
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
