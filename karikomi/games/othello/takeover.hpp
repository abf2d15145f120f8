/// When the endgame solver takes over from the search, and how far it goes.
#pragma once

#include "karikomi/core/solving.hpp"
#include "karikomi/games/othello/game.hpp"
#include "karikomi/games/othello/solve_plan.hpp"
#include "karikomi/games/othello/solver.hpp"

namespace karikomi::othello {

/// What a strength level means, as Othello players know it: a midgame depth, and numbers of empties
/// from which the end is solved exactly or with less confidence.
struct Level {
    int depth = 1;
    int exact = 0;  ///< solve to the end from this many empties ...
    int p98 = 0;    ///< ... with this confidence from these
    int p87 = 0;
    int p73 = 0;
};
Level level_of(int number);

/// The search's view of the solver.
class Takeover {
public:
    explicit Takeover(const Evaluator& evaluator) : solver_({.weights = evaluator.weights()}) {}

    bool wants(const GamePosition& pos, Depth next, const Limits& limits);
    SolverVerdict solve(const SolverTask<Game>& task);
    void set_hash(std::size_t megabytes) { solver_.resize(megabytes); }
    void set_threads(int threads) { solver_.set_threads(threads); }
    void new_game() { solver_.clear(); }

private:
    class Attempt;
    /// To the end whatever it takes: levels, fixed depths, several lines, analysis.
    SolverVerdict climb(const SolverTask<Game>& task);

    Solver solver_;
    Depth again_at_ = 1;  ///< the iteration before which another attempt is worth it
};

}  // namespace karikomi::othello
