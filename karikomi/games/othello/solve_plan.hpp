/// What to solve next near the end of the game, what it will cost, and what the steps done so far
/// say together. docs/games/othello.md#search-and-solver-on-one-plan has the reasons and figures.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "karikomi/games/othello/solver.hpp"

namespace karikomi::othello {

struct SolveStep {
    SolveMode mode = SolveMode::Exact;
    Selectivity level = Selectivity::Exact;
    bool operator==(const SolveStep&) const = default;
};

/// Nodes that a step takes: the middle of positions that differ by a factor of three either way.
double expected_nodes(const SolveStep& step, int empties);

/// Steps in the order of their cost. Who wins is known with far fewer nodes than by how much, so
/// that comes first, unless the budget is enough for a trustworthy score.
std::vector<SolveStep> plan_steps(int empties, std::optional<double> budget);

/// The results of the steps together: a surer sign of the score goes before a less sure score.
class SolveAnswer {
public:
    /// Less sure than that, a step only prepares the next one: the search's own move, found with
    /// selective cuts too, is as good.
    static constexpr bool counts(const SolveStep& step) {
        return step.level >=
               (step.mode == SolveMode::WinLossDraw ? Selectivity::P95 : Selectivity::P87);
    }
    void learn(SolveMode mode, const SolveResult& result);

    /// The score's move is another than the one for which the sign is known: it has to be shown
    /// that this move keeps the sign.
    bool has_to_be_checked() const;
    void checked(bool keeps);  ///< the outcome of that

    /// The move to play is known, and with it its line.
    bool known() const { return sign_holds() || score_.has_value(); }
    /// The score is that of score(), otherwise only the sign is known.
    bool has_score() const;
    const SolveResult& sign() const { return *sign_; }
    const SolveResult& score() const { return *score_; }

private:
    /// Somebody who loses anyway may choose any move; then the sign says nothing about moves.
    bool sign_holds() const { return sign_ && sign_->score >= 0; }
    bool sign_is_surer() const {
        return sign_ && (!score_ || sign_->selectivity > score_->selectivity);
    }

    std::optional<SolveResult> sign_;
    std::optional<SolveResult> score_;
};

}  // namespace karikomi::othello
