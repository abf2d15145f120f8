/// Positions to measure the endgame solver on: random openings, then sensible play, with their
/// exact scores, as OBF.
///   build/bench/endgame_positions COUNT EMPTIES SEED [WEIGHTS] > positions.obf
/// With weights both sides play by a search of a few plies, without them by mobility.
#include <cstdlib>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/games/othello/shallow.hpp"
#include "karikomi/games/othello/solver.hpp"

namespace {

using namespace karikomi;
using namespace karikomi::othello;

constexpr int kRandomPlies = 10;
constexpr int kPlayDepth = 4;
constexpr int kLargestScore = 30;  ///< beyond, a position says little about hard ones

Square random_move(Bits moves, bench::Random& random) {
    for (auto skip = random.below(static_cast<std::uint64_t>(std::popcount(moves))); skip > 0;
         --skip) {
        moves &= moves - 1;
    }
    return lowest(moves);
}

Square by_mobility(const Board& board) {
    Square best = kNoSquare;
    int least = 1000;
    for (Bits moves = board.moves(); moves != 0; moves &= moves - 1) {
        const Bits replies = board.after(lowest(moves), board.flips(lowest(moves))).moves();
        const int left = std::popcount(replies) + 3 * std::popcount(replies & kCorners) -
                         ((bit(lowest(moves)) & kCorners) != 0 ? 5 : 0);
        if (left < least) {
            least = left;
            best = lowest(moves);
        }
    }
    return best;
}

/// Null where the game ended on the way or the side to move has to pass.
bool play(Position& p, int empties, bench::Random& random, ShallowSearch* search) {
    p = start_position();
    for (int ply = 0; p.board.empties() > empties; ++ply) {
        const Bits moves = p.board.moves();
        if (moves == 0) {
            if (p.board.replies() == 0) return false;
            p.board.pass();
        } else {
            const Square square = ply < kRandomPlies  ? random_move(moves, random)
                                  : search != nullptr ? search->best(p.board, kPlayDepth).square
                                                      : by_mobility(p.board);
            p.board.play(square, p.board.flips(square));
        }
        p.to_move = opposite(p.to_move);
    }
    return std::popcount(p.board.moves()) >= 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4 || argc > 5) {
        fmt::print(stderr, "usage: endgame_positions COUNT EMPTIES SEED [WEIGHTS]\n");
        return 2;
    }
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[3])));
    std::shared_ptr<const Weights> weights = built_in_weights();
    std::unique_ptr<ShallowSearch> search;
    if (argc == 5) {
        auto loaded = Weights::load(argv[4]);
        if (!loaded) {
            fmt::print(stderr, "endgame_positions: {}\n", loaded.error().what);
            return 2;
        }
        weights = std::make_shared<const Weights>(std::move(*loaded));
        search = std::make_unique<ShallowSearch>(*weights);
    }
    Solver solver({.weights = weights});
    Position position;
    for (int done = 0; done < std::atoi(argv[1]);) {
        if (!play(position, std::atoi(argv[2]), random, search.get())) continue;
        const SolveResult r = solver.solve(position.board);
        if (std::abs(r.score) > kLargestScore) continue;
        fmt::print("{}; {}:{:+};\n", format_obf(position), format_square(r.best), r.score);
        ++done;
    }
    return 0;
}
