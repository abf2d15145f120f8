/// How fast renju's parts are: make and unmake, forbidden points, chains of fours. One thread.
///   build/bench/renju_speed [SECONDS]
#include <chrono>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/solver.hpp"

namespace {
using namespace karikomi;
using namespace karikomi::renju;
using Clock = std::chrono::steady_clock;

/// Positions of games by random candidate moves.
std::vector<Position> positions_for(Rule rule, bench::Random& random) {
    std::vector<Position> all;
    while (all.size() < 200) {
        Position pos(Rules{rule, kUsualSize});
        const auto plies = 8 + random.below(30);
        for (std::uint64_t i = 0; i < plies && !pos.outcome(0); ++i) {
            MoveList<Move, Game::kMaxMoves> moves;
            pos.generate_candidates(moves);
            if (moves.empty()) break;
            Undo undo;
            pos.make(moves[random.below(moves.size())].move, undo);
        }
        if (!pos.outcome(0)) all.push_back(pos);
    }
    return all;
}

template <class Work> double per_second(double seconds, Work&& work) {
    const auto start = Clock::now();
    double done = 0;
    double spent = 0;
    while (spent < seconds) {
        done += static_cast<double>(work());
        spent = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return done / spent;
}
}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju}) {
        bench::Random random(1);
        auto positions = positions_for(rule, random);
        std::size_t next = 0;
        const double makes = per_second(seconds, [&] {
            Position& pos = positions[next++ % positions.size()];
            MoveList<Move, Game::kMaxMoves> moves;
            pos.generate_candidates(moves);
            for (const auto& m : moves) {
                Undo undo;
                pos.make(m.move, undo);
                pos.unmake(m.move, undo);
            }
            return moves.size();
        });
        const double fouls = per_second(
            seconds, [&] { return positions[next++ % positions.size()].foul_cells().size() + 1; });
        Solver solver;
        const double fours = per_second(
            seconds, [&] { return solver.solve(positions[next++ % positions.size()], {}).nodes; });
        fmt::print(
            "{:<10} make and unmake {:>10.0f}/s   boards of forbidden points {:>8.0f}/s   "
            "nodes by fours {:>9.0f}/s\n",
            kRuleNames[static_cast<std::size_t>(rule)], makes, fouls, fours);
    }
    return 0;
}
