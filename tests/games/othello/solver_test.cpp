#include "karikomi/games/othello/solver.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "karikomi/games/othello/last_empties.hpp"
#include "tests/games/othello/plain_othello.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::othello {
namespace {

using test::PlainOthello;
using test::random_board;
using test::simple_score;
using test::sorted_score;

int sign(int v) {
    return (v > 0) - (v < 0);
}

/// The line must be legal and end with the score that was announced.
void expect_line_is_worth(Board b, const SolveResult& r) {
    bool swapped = false;
    for (const Square s : r.line) {
        if (s == kPass) {
            ASSERT_TRUE(b.must_pass());
            b.pass();
        } else {
            ASSERT_NE(b.moves() & bit(s), 0U);
            b.play(s, b.flips(s));
        }
        swapped = !swapped;
    }
    ASSERT_TRUE(b.over());
    ASSERT_EQ(swapped ? -final_score(b) : final_score(b), r.score);
}

TEST(OthelloSolver, SimpleNegamaxIsRight) {
    std::mt19937 random(10);
    for (int i = 0; i < 150; ++i) {
        const Board b = random_board(random, static_cast<int>(1 + random() % 7));
        ASSERT_EQ(simple_score(b), plain_score(PlainOthello(b)));
        ASSERT_EQ(sorted_score(b), simple_score(b));
    }
}

TEST(OthelloSolver, LastEmptiesAgainstEveryWindow) {
    std::mt19937 random(11);
    for (int i = 0; i < 2000; ++i) {
        const int empties = static_cast<int>(1 + random() % kLastEmpties);
        const Board b = random_board(random, empties);
        const int score = simple_score(b);
        for (int alpha = -64; alpha < 64; alpha += 1 + static_cast<int>(random() % 8)) {
            std::uint64_t nodes = 0;
            const int result = solve_last(b, b.moves(), alpha, empties, nodes);
            ASSERT_EQ(result > alpha, score > alpha) << i << ' ' << alpha;
            ASSERT_TRUE(result > alpha ? result <= score : result >= score) << i << ' ' << alpha;
            ASSERT_GT(nodes, 0U);
        }
    }
}

TEST(OthelloSolver, ThousandPositionsExactAndBySign) {
    std::mt19937 random(12);
    Solver with_table(SolverOptions{.hash_megabytes = 8});
    Solver without(SolverOptions{.hash_megabytes = 0});
    const SolveRequest by_sign{.mode = SolveMode::WinLossDraw};
    for (int i = 0; i < test::rounds(1000); ++i) {
        const Board b = random_board(random, 8 + i % 4 + (i % 50 == 0 ? 1 : 0));
        const int score = simple_score(b);
        for (Solver* solver : {&with_table, &without}) {
            const SolveResult coarse = solver->solve(b, by_sign);
            ASSERT_TRUE(coarse.complete);
            ASSERT_EQ(coarse.score, sign(score)) << i;
            const Board coarse_next = b.after(coarse.best, b.flips(coarse.best));
            ASSERT_EQ(sign(-simple_score(coarse_next, -1, 1)), sign(score)) << i;
            const SolveResult exact = solver->solve(b);
            ASSERT_EQ(exact.score, score) << i;
            ASSERT_FALSE(exact.line.empty());
            ASSERT_EQ(exact.best, exact.line.front());
            expect_line_is_worth(b, exact);
            if (HasFatalFailure()) FAIL() << i;
        }
    }
}

TEST(OthelloSolver, ThousandPositionsOfTenToFourteenEmpties) {
    std::mt19937 random(22);
    Solver solver(SolverOptions{.hash_megabytes = 8});
    // Few of the large ones: there the plain solver takes its time.
    const struct {
        int empties;
        int positions;
    } plan[] = {{10, 450}, {11, 300}, {12, 170}, {13, 60}, {14, 20}};
    for (const auto& p : plan) {
        for (int i = 0; i < test::rounds(p.positions); ++i) {
            const Board b = random_board(random, p.empties);
            const SolveResult r = solver.solve(b);
            ASSERT_EQ(r.score, sorted_score(b)) << format_obf({b, Colour::Black});
            expect_line_is_worth(b, r);
            if (HasFatalFailure()) FAIL() << format_obf({b, Colour::Black});
        }
    }
}

TEST(OthelloSolver, ResultsOutsideTheWindowAreBounds) {
    std::mt19937 random(13);
    Solver solver(SolverOptions{.hash_megabytes = 1});
    for (int i = 0; i < 200; ++i) {
        const Board b = random_board(random, 10);
        const int score = simple_score(b);
        SolveRequest request;
        request.alpha = -20 + static_cast<int>(random() % 30);
        request.beta = request.alpha + 1 + static_cast<int>(random() % 10);
        const SolveResult r = solver.solve(b, request);
        if (r.score <= request.alpha) {
            ASSERT_LE(score, r.score);
        } else if (r.score >= request.beta) {
            ASSERT_GE(score, r.score);
        } else {
            ASSERT_EQ(score, r.score);
        }
    }
}

TEST(OthelloSolver, EndsAndPasses) {
    Solver solver(SolverOptions{.hash_megabytes = 1});
    // Nobody can move: Black's one disc against White's one.
    const SolveResult over = solver.solve(Board{bit(0), bit(63)});
    EXPECT_TRUE(over.complete);
    EXPECT_EQ(over.score, 0);
    EXPECT_EQ(over.best, kNoSquare);
    EXPECT_TRUE(over.line.empty());
    // White must pass, then Black takes everything.
    const Position pass =
        *parse_obf("XO-------------------------------------------------------------- O");
    const SolveResult passed = solver.solve(pass.board);
    EXPECT_EQ(passed.best, kPass);
    EXPECT_EQ(passed.score, -64);
    EXPECT_EQ(passed.line, (std::vector<Square>{kPass, 2}));
    // A full board.
    EXPECT_EQ(solver.solve(Board{~Bits{0}, 0}).score, 64);
}

TEST(OthelloSolver, OneThreadIsDeterministic) {
    std::mt19937 random(14);
    const Board b = random_board(random, 15);
    Solver first(SolverOptions{.hash_megabytes = 4});
    Solver second(SolverOptions{.hash_megabytes = 4});
    const SolveResult r = first.solve(b);
    EXPECT_EQ(second.solve(b).nodes, r.nodes);
    EXPECT_LT(first.solve(b).nodes, r.nodes) << "the table remembers";
    first.clear();
    EXPECT_EQ(first.solve(b).nodes, r.nodes);
}

TEST(OthelloSolver, ThreadsAgree) {
    std::mt19937 random(15);
    Solver one(SolverOptions{.hash_megabytes = 8});
    for (const int threads : {2, 3, 5}) {
        Solver many(SolverOptions{.hash_megabytes = 8, .threads = threads});
        for (int i = 0; i < 25; ++i) {
            const Board b = random_board(random, 15);
            const SolveResult r = many.solve(b);
            ASSERT_TRUE(r.complete);
            ASSERT_EQ(r.score, one.solve(b).score);
            expect_line_is_worth(b, r);
            ASSERT_EQ(many.solve(b, SolveRequest{.mode = SolveMode::WinLossDraw}).score,
                      sign(r.score));
        }
    }
}

TEST(OthelloSolver, StopFlagEndsALongSolve) {
    for (const int threads : {1, 2}) {
        Solver solver(SolverOptions{.hash_megabytes = 8, .threads = threads});
        StopSource stop;
        SolveRequest request;
        request.stop = stop.get_token();
        std::chrono::steady_clock::time_point stopped_at;
        std::thread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stopped_at = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const SolveResult r = solver.solve(start_position().board, request);
        const auto after = std::chrono::steady_clock::now();
        stopper.join();
        EXPECT_FALSE(r.complete);
        EXPECT_LT(after - stopped_at, std::chrono::milliseconds(500));
        EXPECT_GT(r.nodes, 0U);
        // What a stopped solve left behind must not be wrong.
        std::mt19937 random(16);
        const Board b = random_board(random, 12);
        EXPECT_EQ(solver.solve(b).score, simple_score(b));
    }
}

}  // namespace
}  // namespace karikomi::othello
