/// What is solved next, and what the steps say together.
#include "karikomi/games/othello/solve_plan.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace karikomi::othello {
namespace {

constexpr auto kSign = SolveMode::WinLossDraw;
constexpr auto kScore = SolveMode::Exact;

SolveResult result(int score, Square best, Selectivity level) {
    SolveResult r;
    r.score = score;
    r.best = best;
    r.selectivity = level;
    r.known = true;
    return r;
}

TEST(SolvePlan, EndsWithTheExactScoreWhateverTheBudget) {
    for (int empties = 1; empties <= 40; ++empties) {
        for (const double budget : {1e3, 1e5, 1e7, 1e9}) {
            const auto steps = plan_steps(empties, budget);
            EXPECT_EQ(steps.back(), (SolveStep{kScore, Selectivity::Exact}));
        }
        EXPECT_EQ(plan_steps(empties, std::nullopt).back(),
                  (SolveStep{kScore, Selectivity::Exact}));
    }
}

TEST(SolvePlan, EachKindOfStepBecomesSurer) {
    for (const double budget : {1e4, 1e7, 1e9}) {
        std::vector<Selectivity> signs, scores;
        for (const SolveStep& s : plan_steps(30, budget)) {
            (s.mode == kSign ? signs : scores).push_back(s.level);
        }
        EXPECT_TRUE(std::is_sorted(signs.begin(), signs.end()));
        EXPECT_TRUE(std::is_sorted(scores.begin(), scores.end()));
    }
}

TEST(SolvePlan, WhoWinsComesFirstWhereTheScoreIsOutOfReach) {
    EXPECT_EQ(plan_steps(32, 5e6).front().mode, kSign);
    EXPECT_EQ(plan_steps(22, 5e6).front().mode, kScore);
    EXPECT_EQ(plan_steps(12, 100.0).size(), 1u);
}

TEST(SolvePlan, CostsGrowWithEmptiesAndConfidence) {
    for (int empties = 16; empties < 36; ++empties) {
        for (const Selectivity level : kSelectivities) {
            EXPECT_LT(expected_nodes({kScore, level}, empties),
                      expected_nodes({kScore, level}, empties + 1));
            EXPECT_LT(expected_nodes({kSign, level}, empties),
                      expected_nodes({kScore, level}, empties));
        }
    }
}

TEST(SolveAnswer, ALostGameLeavesTheMoveToTheSearch) {
    SolveAnswer a;
    a.learn(kSign, result(-1, 5, Selectivity::P95));
    EXPECT_FALSE(a.known());
    a.learn(kScore, result(-8, 6, Selectivity::P73));
    EXPECT_TRUE(a.known());
    EXPECT_FALSE(a.has_to_be_checked());
    EXPECT_TRUE(a.has_score());
}

TEST(SolveAnswer, ASurerWinIsNotGivenUpForALessSureScore) {
    SolveAnswer a;
    a.learn(kSign, result(1, 5, Selectivity::P95));
    EXPECT_TRUE(a.known());
    EXPECT_FALSE(a.has_score());
    a.learn(kScore, result(8, 6, Selectivity::P73));
    EXPECT_TRUE(a.has_to_be_checked());
    EXPECT_FALSE(a.has_score());
    a.checked(false);
    EXPECT_FALSE(a.has_score());
    EXPECT_EQ(a.sign().best, 5);
    a.checked(true);
    EXPECT_TRUE(a.has_score());
    EXPECT_EQ(a.sign().best, 6);
}

TEST(SolveAnswer, AScoreThatContradictsASurerSignIsNotTold) {
    SolveAnswer a;
    a.learn(kSign, result(1, 5, Selectivity::P99));
    a.learn(kScore, result(-2, 5, Selectivity::P73));
    EXPECT_FALSE(a.has_to_be_checked());
    EXPECT_FALSE(a.has_score());
    a.learn(kScore, result(-2, 5, Selectivity::P99));
    EXPECT_TRUE(a.has_score());
}

}  // namespace
}  // namespace karikomi::othello
