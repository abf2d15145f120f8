/// The endgame solver: exact, by sign, or selective.
///
/// A null-window principal-variation search on final disc scores, empties to the winner. Where the
/// program has a trained evaluation it orders the moves and makes selective solving possible;
/// without one, moves are ordered by what they leave the opponent, and every solve is exact.
/// docs/games/othello.md#solver says how it works and what each part is worth.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/games/othello/board.hpp"
#include "karikomi/games/othello/selectivity.hpp"
#include "karikomi/games/othello/stop_signal.hpp"

namespace karikomi::othello {

class Weights;

struct SolverOptions {
    std::size_t hash_megabytes = 256;  ///< 0: without a table
    int threads = 1;
    std::shared_ptr<const Weights> weights{};  ///< null: those built into the program
    bool use_evaluation = true;                ///< false: as if the weights were all zero
};

enum class SolveMode : std::uint8_t {
    Exact,
    WinLossDraw,  ///< only the sign of the score
};

struct SolveRequest {
    SolveMode mode = SolveMode::Exact;
    Selectivity selectivity = Selectivity::Exact;
    int alpha = -64;  ///< Exact, one line: outside (alpha, beta) the score is a bound
    int beta = 64;
    int lines = 1;                ///< best root moves that are wanted with their scores
    Bits only_moves = ~Bits{0};   ///< root moves to look at
    std::vector<Square> order{};  ///< root moves to look at first, best first
    StopToken stop{};             ///< ends the solve early
    Deadline deadline{};
    std::uint64_t nodes = 0;     ///< a limit, kept within some thousands; 0: none
    std::optional<int> guess{};  ///< of the best move's score; an even number
    bool continues = false;      ///< work on the same position: all table entries are of today
};

/// A root move, what it is worth, and the play that follows.
struct SolveLine {
    int score = 0;
    Square best = kNoSquare;
    std::vector<Square> line;
};

struct SolveResult {
    int score = 0;  ///< for the side to move; in WinLossDraw mode -1, 0 or 1
    /// kPass where the side to move has none, kNoSquare at the end and when nothing is known.
    Square best = kNoSquare;
    std::vector<Square> line;      ///< best play as far as the table remembers it, passes included
    std::vector<SolveLine> lines;  ///< best first, as many as were asked for; [0] repeats the above
    Selectivity selectivity = Selectivity::Exact;  ///< of these scores
    std::uint64_t nodes = 0;                       ///< of the whole solve so far
    std::int64_t time_us = 0;
    bool known = false;     ///< false: stopped before anything was sure, all above means nothing
    bool complete = false;  ///< at the selectivity that was asked for
};

using StepSink = std::function<void(const SolveResult&)>;

/// Solves at ever higher confidence. A stop loses only the step that it interrupts.
struct LadderRequest {
    SolveRequest solve{};  ///< solve.selectivity is the last step
    Selectivity first = Selectivity::P73;
    /// After each finished step, on the caller's thread. A step of which it is known beforehand
    /// that it will repeat the last one (no evaluation, few empties) is left out.
    StepSink on_step{};
};

class Solver {
public:
    explicit Solver(SolverOptions options = {});
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    /// Goes straight for the answer: lower steps are taken only where they save time.
    SolveResult solve(const Board& board, const SolveRequest& request = {});
    /// One step and no other: who calls chooses what comes before.
    SolveResult solve_step(const Board& board, const SolveRequest& request);
    /// The last step that was finished; known == false when there was none.
    SolveResult solve_ladder(const Board& board, const LadderRequest& request);

    void clear();  ///< forgets all positions
    void resize(std::size_t hash_megabytes);
    void set_threads(int threads);
    bool has_evaluation() const;
    std::string evaluation() const;  ///< its name; "none" without one

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace karikomi::othello
