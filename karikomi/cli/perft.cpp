/// karikomi perft: counts the paths of the rules, to check a move generator against known counts.
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi::cli {
namespace {

struct PerftOptions {
    PositionOptions at;
    std::int64_t depth = -1;
    bool divide = false;
};

/// Counts in pieces of a fraction of a second, so that it can show progress and be stopped.
class Counter {
public:
    Counter(Engine& engine, const PositionOptions& at, StopToken stop)
        : engine_(engine), at_(at), progress_("perft", 1000), stop_(std::move(stop)) {}

    /// One row a move; only whole rows when it was stopped.
    std::vector<PerftRow> count(Depth depth) {
        if (depth == 0) return {};
        if (is_small(depth)) return engine_.perft(depth);
        std::vector<PerftRow> rows;
        const std::vector<std::string> moves = engine_.legal_moves();
        const double share = 1.0 / static_cast<double>(moves.size());
        for (const std::string& move : moves) {
            path_ = {move};
            const std::uint64_t nodes = count_below(depth - 1, share);
            if (stop_.stop_requested()) break;
            rows.push_back({move, nodes});
        }
        progress_.clear();
        return rows;
    }
    bool interrupted() const { return stop_.stop_requested(); }

private:
    static constexpr double kPiece = 2e7;  // leaves, a tenth of a second or so

    bool is_small(Depth depth) const {
        const auto moves = static_cast<double>(engine_.legal_moves().size());
        return std::pow(moves, depth) <= kPiece;
    }

    /// Leaves below the path; `share` is its part of the whole work, as far as one can tell.
    std::uint64_t count_below(Depth depth, double share) {
        go_to_path();
        std::uint64_t nodes = 0;
        if (is_small(depth)) {
            for (const PerftRow& row : engine_.perft(depth)) nodes += row.nodes;
            done_ += share;
            progress_.show(1000.0 * done_, path_.front());
            return nodes;
        }
        const std::vector<std::string> moves = engine_.legal_moves();
        for (const std::string& move : moves) {
            if (stop_.stop_requested()) break;
            path_.push_back(move);
            nodes += count_below(depth - 1, share / static_cast<double>(moves.size()));
            path_.pop_back();
        }
        return nodes;
    }
    void go_to_path() {
        at_.apply(engine_);
        for (const std::string& move : path_) require(engine_.play(move));
    }

    Engine& engine_;
    const PositionOptions& at_;
    std::vector<std::string> path_;  ///< moves from the position to the piece at work
    double done_ = 0;                ///< 0 to 1
    Progress progress_;
    StopToken stop_;
};

struct Count {
    std::vector<PerftRow> rows;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    bool complete = true;
};

Count count_leaves(Engine& engine, const PerftOptions& options, const StopToken& stop) {
    using Clock = std::chrono::steady_clock;
    const auto depth = static_cast<Depth>(options.depth);
    const auto start = Clock::now();
    Count count;
    Counter counter(engine, options.at, stop);
    count.rows = counter.count(depth);
    for (const PerftRow& row : count.rows) count.nodes += row.nodes;
    if (depth == 0) count.nodes = 1;  // the position itself
    count.time_us =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();
    count.complete = !counter.interrupted();
    return count;
}

void print_text(const Count& count, const PerftOptions& options) {
    if (options.divide && !count.rows.empty()) {
        Table table({{"move", false}, {"nodes"}});
        for (const PerftRow& row : count.rows) table.add({row.move, grouped(row.nodes)});
        fmt::print("{}\n", table.text());
    }
    fmt::print("{} depth {}: {} nodes in {}, {} nodes/s{}\n", options.at.game, options.depth,
               bold(grouped(count.nodes)), duration(count.time_us),
               grouped(nodes_per_second(count.nodes, count.time_us)),
               count.complete ? "" : " (stopped before the end)");
}

int run(const PerftOptions& options, Session& session) {
    const std::unique_ptr<Engine> engine = take(make_engine(options.at.engine_name()));
    options.at.apply(*engine);
    session.begin(nullptr);
    const Count count = count_leaves(*engine, options, session.stop());
    Json out = {{"game", engine->info().name},
                {"depth", options.depth},
                {"nodes", count.nodes},
                {"time_ms", static_cast<double>(count.time_us) / 1000.0},
                {"nps", nodes_per_second(count.nodes, count.time_us)},
                {"complete", count.complete}};
    if (options.divide) {
        out["divide"] = Json::array();
        for (const PerftRow& row : count.rows) {
            out["divide"].push_back({{"move", row.move}, {"nodes", row.nodes}});
        }
    }
    if (!session.json()) print_text(count, options);
    session.finish(out);
    return count.complete ? kDone : kNo;
}

}  // namespace

void add_perft(Program& program) {
    Command command =
        program.add("perft", "Count the paths of legal moves of a given length",
                    {"karikomi perft GAME --depth 7", "karikomi perft GAME --depth 6 --divide"});
    const auto options = std::make_shared<PerftOptions>();
    options->at.add_to(command);
    add_number(command, "--depth", options->depth, {0, kMaxDepth}, "Length of the paths, in plies")
        .required();
    add_switch(command, "--divide", options->divide, "Also show the count below each move");
    command.does([options](Session& session) { return run(*options, session); });
}

}  // namespace karikomi::cli
