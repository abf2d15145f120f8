/// Who knows more near the end of the game, the search or the solver, and at what cost:
///   build/bench/handover POSITIONS EMPTIES SEED [TRUTH_PERCENT [MOST_MS]]
/// For each position the iterations of the search and the steps of the solver, as rows of
///   position empties who step nodes us value move truth
/// The truth is the solver's score at TRUTH_PERCENT (100). One thread, fresh tables.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/game.hpp"
#include "karikomi/games/othello/solver.hpp"

namespace {
using namespace karikomi;
using namespace karikomi::othello;

constexpr std::uint64_t kRandomPlies = 8;
constexpr std::uint64_t kPlayNodes = 5000;
constexpr Value kMostAhead = 16 * kDisc;

/// A random opening, then sensible play that keeps the game open.
std::string position_at(Engine& engine, int empties, bench::Random& random) {
    SearchRequest request;
    request.limits.nodes = kPlayNodes;
    while (true) {
        if (!bench::play_randomly(engine, kRandomPlies, random)) continue;
        Value value = 0;
        while (!engine.winner() && *engine.moves_left() > empties) {
            const auto found = engine.search(request);
            value = found->lines.front().value;
            (void)engine.play(found->best_move);
        }
        if (engine.winner() || engine.legal_moves().size() < 2) continue;
        if (engine.legal_moves().front() == "pa") continue;
        if (value >= -kMostAhead && value <= kMostAhead) return engine.position_text();
    }
}

struct Row {
    const char* who;
    int step;
    std::uint64_t nodes;
    std::int64_t us;
    double value;
    std::string move;
};

std::vector<Row> search_rows(Engine& engine, const std::string& position, int empties,
                             std::int64_t most_ms) {
    std::vector<Row> rows;
    engine.new_game();
    (void)engine.set_position(position);
    SearchRequest request;
    request.limits.nodes = ~std::uint64_t{0} >> 1;  // the solver stays out
    request.limits.depth = empties;
    request.limits.move_time_ms = most_ms;
    (void)engine.search(request, [&](const Info& i) {
        rows.push_back({"search", i.line.depth, i.total_nodes, i.time_us,
                        static_cast<double>(i.line.value) / kDisc, i.line.pv.front()});
    });
    return rows;
}

std::vector<Row> solve_rows(const GamePosition& pos, SolveMode mode, Selectivity last) {
    std::vector<Row> rows;
    Solver solver(SolverOptions{.hash_megabytes = 64});
    LadderRequest request;
    request.solve.mode = mode;
    request.solve.selectivity = last;
    request.on_step = [&](const SolveResult& r) {
        rows.push_back({mode == SolveMode::Exact ? "solve" : "wld", percent_of(r.selectivity),
                        r.nodes, r.time_us, static_cast<double>(r.score), format_square(r.best)});
    };
    (void)solver.solve_ladder(pos.board(), request);
    return rows;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4 || argc > 6) {
        fmt::print(stderr, "usage: handover POSITIONS EMPTIES SEED [TRUTH_PERCENT [MOST_MS]]\n");
        return 2;
    }
    const int count = std::atoi(argv[1]);
    const int empties = std::atoi(argv[2]);
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[3])));
    const Selectivity last =
        selectivity_of(argc > 4 ? std::atoi(argv[4]) : 100).value_or(Selectivity::Exact);
    const std::int64_t most_ms = argc > 5 ? std::atoll(argv[5]) : 10'000;
    const auto engine = std::move(*othello::make_engine({}));
    engine->set_hash(64);
    for (int i = 0; i < count; ++i) {
        engine->new_game();
        const std::string position = position_at(*engine, empties, random);
        const GamePosition pos = *Notation::parse(position);
        auto rows = search_rows(*engine, position, empties, most_ms);
        const auto solved = solve_rows(pos, SolveMode::Exact, last);
        const auto signs =
            solve_rows(pos, SolveMode::WinLossDraw, std::min(last, Selectivity::P95));
        const double truth = solved.back().value;
        rows.insert(rows.end(), solved.begin(), solved.end());
        rows.insert(rows.end(), signs.begin(), signs.end());
        for (const Row& r : rows) {
            fmt::print("{} {} {} {} {} {} {} {} {}\n", i, empties, r.who, r.step, r.nodes, r.us,
                       r.value, r.move, truth);
        }
        std::fflush(stdout);
    }
    return 0;
}
