#include "karikomi/games/othello/solve_plan.hpp"

#include <array>
#include <cmath>

namespace karikomi::othello {
namespace {

constexpr int kFitted = 22;      ///< empties to which the costs below belong
constexpr int kPlainBelow = 15;  ///< fewer empties are solved at once

/// Medians over 16 positions of 22 to 26 and 12 of 28 to 32 empties, all steps before included
/// (`build/bench/handover`).
double score_nodes(Selectivity level, int empties) {
    constexpr std::array kNodes = {0.1e6, 0.44e6, 1.4e6, 2.5e6, 3.6e6, 10.5e6};
    const double growth = level == Selectivity::Exact ? 1.04 : 0.60;  // doublings for each empty
    return kNodes[static_cast<std::size_t>(level)] * std::exp2(growth * (empties - kFitted));
}

constexpr double kSignShare = 0.1;  ///< what the sign costs of the score
/// A score with so much of the budget left needs no sign before it.
constexpr double kEasy = 0.5;

}  // namespace

double expected_nodes(const SolveStep& step, int empties) {
    const double share = step.mode == SolveMode::WinLossDraw ? kSignShare : 1.0;
    return share * score_nodes(step.level, empties);
}

std::vector<SolveStep> plan_steps(int empties, std::optional<double> budget) {
    constexpr auto kSign = SolveMode::WinLossDraw;
    constexpr auto kScore = SolveMode::Exact;
    if (empties < kPlainBelow) return {{kScore, Selectivity::Exact}};
    const double exact = expected_nodes({kScore, Selectivity::Exact}, empties);
    if (budget && exact < kEasy * *budget) {
        return {{kScore, Selectivity::P95}, {kScore, Selectivity::Exact}};
    }
    const double likely = expected_nodes({kScore, Selectivity::P95}, empties);
    if (!budget || likely < kEasy * *budget) {
        return {{kScore, Selectivity::P73},
                {kScore, Selectivity::P87},
                {kScore, Selectivity::P95},
                {kScore, Selectivity::P99},
                {kScore, Selectivity::Exact}};
    }
    return {{kSign, Selectivity::P87},  {kSign, Selectivity::P95},   {kScore, Selectivity::P73},
            {kScore, Selectivity::P87}, {kSign, Selectivity::P99},   {kScore, Selectivity::P95},
            {kScore, Selectivity::P99}, {kScore, Selectivity::Exact}};
}

void SolveAnswer::learn(SolveMode mode, const SolveResult& result) {
    (mode == SolveMode::WinLossDraw ? sign_ : score_) = result;
}

bool SolveAnswer::has_to_be_checked() const {
    return sign_holds() && score_ && sign_is_surer() && score_->best != sign_->best &&
           score_->score >= sign_->score;
}

void SolveAnswer::checked(bool keeps) {
    if (keeps) sign_->best = score_->best;
}

bool SolveAnswer::has_score() const {
    if (!score_) return false;
    if (!sign_holds() || !sign_is_surer()) return true;
    return score_->best == sign_->best && score_->score >= sign_->score;
}

}  // namespace karikomi::othello
