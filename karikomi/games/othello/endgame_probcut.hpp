/// Multi-ProbCut in the endgame: shallow searches on pattern values that say, with a stated
/// confidence, on which side of alpha the final score lies.
#pragma once

#include <optional>

#include "karikomi/games/othello/selectivity.hpp"
#include "karikomi/games/othello/shallow.hpp"

namespace karikomi::othello {

class EndgameProbCut {
public:
    /// Below this many empties a probe costs more than it saves.
    static constexpr int kLeastEmpties = 10;

    explicit EndgameProbCut(Selectivity level)
        : deviations_(level == Selectivity::Exact ? 0 : deviations_of(level)) {}

    /// True: the score is above alpha; false: it is not; nothing: cannot tell. Not for Exact.
    std::optional<bool> above(const Board& board, int alpha, int empties,
                              ShallowSearch& shallow) const;

private:
    float deviations_;
};

}  // namespace karikomi::othello
