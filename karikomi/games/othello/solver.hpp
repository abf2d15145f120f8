/// The exact endgame solver.
///
/// A null-window principal-variation search on final disc scores, empties to the winner. It knows
/// nothing of midgame evaluation, but one may be lent to it to order moves by; without one they are
/// ordered by what they leave the opponent.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "karikomi/games/othello/board.hpp"
#include "karikomi/games/othello/endgame_moves.hpp"

namespace karikomi::othello {

struct SolverOptions {
    std::size_t hash_megabytes = 128;  ///< 0: without a table
    int threads = 1;
    OrderEvaluator evaluator{};  ///< orders moves where there are many empties left
};

enum class SolveMode : std::uint8_t {
    Exact,
    WinLossDraw,  ///< only the sign of the score
};

struct SolveRequest {
    SolveMode mode = SolveMode::Exact;
    int alpha = -64;  ///< Exact: outside (alpha, beta) the score is a bound
    int beta = 64;
    const std::atomic<bool>* stop = nullptr;  ///< set it to end the solve early
};

struct SolveResult {
    int score = 0;  ///< for the side to move; in WinLossDraw mode -1, 0 or 1
    Square best =
        kNoSquare;  ///< kPass where the side to move has none, kNoSquare at the game's end
    std::vector<Square> line;  ///< best play as far as the table remembers it, passes included
    std::uint64_t nodes = 0;
    bool complete = false;  ///< false: stopped, score and line mean nothing
};

class Solver {
public:
    explicit Solver(SolverOptions options = {});
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    SolveResult solve(const Board& board, const SolveRequest& request = {});
    void clear();  ///< forgets all positions

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace karikomi::othello
