// Solving at several levels of confidence, several lines, chosen root moves, deadlines.
#include <algorithm>
#include <chrono>
#include <map>

#include <gtest/gtest.h>

#include "karikomi/games/othello/solver.hpp"
#include "karikomi/games/othello/weights.hpp"
#include "tests/games/othello/plain_othello.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::othello {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using test::random_board;
using test::simple_score;

/// Scores of all root moves, by plain search.
std::map<Square, int> scores_of(const Board& b) {
    std::map<Square, int> scores;
    for (Bits moves = b.moves(); moves != 0; moves &= moves - 1) {
        const Square s = lowest(moves);
        scores[s] = -simple_score(b.after(s, b.flips(s)));
    }
    return scores;
}

class OthelloLadder : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(solver.has_evaluation()); }
    Solver solver{SolverOptions{.hash_megabytes = 16}};
    Solver fresh{SolverOptions{.hash_megabytes = 16, .use_evaluation = false}};
    std::mt19937 random{41};
};

TEST_F(OthelloLadder, ClimbsToTheExactScore) {
    for (int i = 0; i < test::rounds(30); ++i) {
        const Board b = random_board(random, 16);
        std::vector<Selectivity> steps;
        std::vector<int> scores;
        LadderRequest request;
        request.on_step = [&](const SolveResult& r) {
            EXPECT_TRUE(r.known);
            EXPECT_EQ(r.complete, r.selectivity == Selectivity::Exact);
            EXPECT_FALSE(r.line.empty());
            EXPECT_EQ(r.line.front(), r.best);
            EXPECT_NE(b.moves() & bit(r.best), 0U);
            steps.push_back(r.selectivity);
            scores.push_back(r.score);
        };
        const SolveResult r = solver.solve_ladder(b, request);
        ASSERT_EQ(steps, std::vector(kSelectivities.begin(), kSelectivities.end()));
        ASSERT_TRUE(r.complete);
        ASSERT_EQ(r.score, scores.back());
        // The table is full of selective results by now; the last step must not have used them.
        ASSERT_EQ(r.score, fresh.solve(b).score) << format_obf({b, Colour::Black});
    }
}

TEST_F(OthelloLadder, LessConfidenceTakesFewerNodesAndErrsMore) {
    std::map<Selectivity, int> wrong;
    std::map<Selectivity, std::uint64_t> nodes;
    const int positions = test::rounds(60);
    for (int i = 0; i < positions; ++i) {
        const Board b = random_board(random, 17);
        const int truth = fresh.solve(b).score;
        for (const Selectivity level : kSelectivities) {
            solver.clear();
            const SolveResult r = solver.solve(b, SolveRequest{.selectivity = level});
            ASSERT_TRUE(r.complete);
            ASSERT_EQ(r.selectivity, level);
            nodes[level] += r.nodes;
            wrong[level] += r.score != truth ? 1 : 0;
        }
    }
    EXPECT_EQ(wrong[Selectivity::Exact], 0);
    EXPECT_LE(wrong[Selectivity::P99], positions / 4);
    EXPECT_LT(2 * nodes[Selectivity::P73], nodes[Selectivity::Exact]);
    EXPECT_LT(nodes[Selectivity::P73], nodes[Selectivity::P95]);
}

TEST_F(OthelloLadder, TheLastStepAskedForIsTheLast) {
    const Board b = random_board(random, 18);
    std::vector<Selectivity> steps;
    LadderRequest request;
    request.first = Selectivity::P87;
    request.solve.selectivity = Selectivity::P98;
    request.on_step = [&](const SolveResult& r) { steps.push_back(r.selectivity); };
    const SolveResult r = solver.solve_ladder(b, request);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.selectivity, Selectivity::P98);
    EXPECT_EQ(steps, (std::vector{Selectivity::P87, Selectivity::P95, Selectivity::P98}));
}

TEST_F(OthelloLadder, FewEmptiesOrNoEvaluationMakeOneExactStep) {
    int steps = 0;
    LadderRequest request;
    request.solve.selectivity = Selectivity::P73;
    request.on_step = [&](const SolveResult& r) {
        ++steps;
        EXPECT_EQ(r.selectivity, Selectivity::Exact);
        EXPECT_TRUE(r.complete);
    };
    const Board few = random_board(random, 8);
    EXPECT_EQ(solver.solve_ladder(few, request).score, simple_score(few));
    EXPECT_EQ(steps, 1);
    fresh.solve_ladder(random_board(random, 15), request);
    EXPECT_EQ(steps, 2);
}

TEST_F(OthelloLadder, AStopKeepsTheStepsThatWereFinished) {
    for (const int threads : {1, 2}) {
        solver.set_threads(threads);
        const Board b = random_board(random, 26);
        StopSource stop;
        SolveResult last;
        LadderRequest request;
        request.solve.stop = stop.get_token();
        request.on_step = [&](const SolveResult& r) {
            last = r;
            stop.request_stop();  // during the second step
        };
        const SolveResult r = solver.solve_ladder(b, request);
        EXPECT_FALSE(r.complete);
        EXPECT_TRUE(r.known);
        EXPECT_EQ(r.selectivity, Selectivity::P73);
        EXPECT_EQ(r.score, last.score);
        EXPECT_EQ(r.best, last.best);
        EXPECT_EQ(r.line, last.line);
    }
}

TEST_F(OthelloLadder, ADeadlineEndsIt) {
    const auto begin = steady_clock::now();
    LadderRequest request;
    request.solve.deadline = begin + milliseconds(150);
    int steps = 0;
    request.on_step = [&](const SolveResult&) { ++steps; };
    const SolveResult r = solver.solve_ladder(random_board(random, 40), request);
    const auto spent = steady_clock::now() - begin;
    EXPECT_FALSE(r.complete);
    EXPECT_EQ(r.known, steps > 0);
    EXPECT_GE(spent, milliseconds(150));
    EXPECT_LT(spent, milliseconds(1500));
    // One that has passed already ends it at once.
    request.solve.deadline = begin;
    EXPECT_FALSE(solver.solve_ladder(random_board(random, 20), request).known);
}

TEST_F(OthelloLadder, SeveralLinesAreTheBestMovesInOrder) {
    for (int i = 0; i < 20; ++i) {
        const Board b = random_board(random, 10);
        std::vector<int> truth;
        const auto scores = scores_of(b);
        for (const auto& [square, score] : scores) truth.push_back(score);
        std::sort(truth.rbegin(), truth.rend());
        const SolveResult r = solver.solve(b, SolveRequest{.lines = 3});
        ASSERT_EQ(r.lines.size(), std::min<std::size_t>(3, truth.size()));
        for (std::size_t k = 0; k < r.lines.size(); ++k) {
            ASSERT_EQ(r.lines[k].score, truth[k]);
            ASSERT_EQ(r.lines[k].score, scores.at(r.lines[k].best));
            ASSERT_EQ(r.lines[k].line.front(), r.lines[k].best);
        }
        ASSERT_EQ(r.score, r.lines[0].score);
        ASSERT_EQ(r.best, r.lines[0].best);
    }
}

TEST_F(OthelloLadder, OnlyTheChosenRootMovesCount) {
    for (int i = 0; i < 20; ++i) {
        const Board b = random_board(random, 10);
        const auto scores = scores_of(b);
        for (const auto& [square, score] : scores) {
            const SolveResult r = solver.solve(b, SolveRequest{.only_moves = bit(square)});
            ASSERT_EQ(r.best, square);
            ASSERT_EQ(r.score, score);
        }
        // What was found out about a few moves must not pass for the whole position's score.
        ASSERT_EQ(solver.solve(b).score, simple_score(b));
        EXPECT_FALSE(solver.solve(b, SolveRequest{.only_moves = ~b.moves()}).known);
    }
}

TEST_F(OthelloLadder, AHintChangesTheOrderAndNotTheResult) {
    for (int i = 0; i < 10; ++i) {
        const Board b = random_board(random, 14);
        const int score = fresh.solve(b).score;
        SolveRequest request;
        for (Bits moves = b.moves(); moves != 0; moves &= moves - 1) {
            request.order.insert(request.order.begin(), lowest(moves));
        }
        request.order.push_back(60);  // no move at all: ignored
        solver.clear();
        ASSERT_EQ(solver.solve(b, request).score, score);
    }
}

TEST_F(OthelloLadder, ARootThatMustPassClimbsToo) {
    Board b;
    do {
        b = random_board(random, 14).passed();
    } while (!b.must_pass());
    LadderRequest request;
    int steps = 0;
    request.on_step = [&](const SolveResult& r) {
        ++steps;
        EXPECT_EQ(r.best, kPass);
        EXPECT_EQ(r.line.front(), kPass);
        EXPECT_EQ(r.lines.size(), 1U);
    };
    const SolveResult r = solver.solve_ladder(b, request);
    EXPECT_GT(steps, 0);
    EXPECT_EQ(r.score, -fresh.solve(b.passed()).score);
}

TEST_F(OthelloLadder, BySignAtEveryLevelAndWithThreads) {
    for (const int threads : {1, 3}) {
        solver.set_threads(threads);
        for (int i = 0; i < test::rounds(20); ++i) {
            const Board b = random_board(random, 16);
            const int score = fresh.solve(b).score;
            LadderRequest request;
            request.solve.mode = SolveMode::WinLossDraw;
            request.on_step = [](const SolveResult& r) { EXPECT_LE(std::abs(r.score), 1); };
            ASSERT_EQ(solver.solve_ladder(b, request).score, (score > 0) - (score < 0));
            ASSERT_EQ(solver.solve(b).score, score);
        }
    }
}

}  // namespace
}  // namespace karikomi::othello
