/// The engine near the end of the game: who searches, who solves, and what a level means.
#include "karikomi/games/othello/takeover.hpp"

#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/othello/engine.hpp"

namespace karikomi::othello {
namespace {

GamePosition random_position(int empties, std::uint32_t seed) {
    std::mt19937 random(seed);
    while (true) {
        GamePosition pos;
        while (!pos.outcome(0) && pos.empties() > empties) {
            MovesOf<Game> moves;
            pos.generate(moves);
            GamePosition::Undo undo;
            pos.make(moves[random() % moves.size()].move, undo);
        }
        if (!pos.outcome(0) && pos.moves() != 0) return pos;
    }
}

TEST(OthelloTakeover, TheEndIsSolvedExactlyWhateverTheLimit) {
    const auto engine = std::move(*make_engine());
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const GamePosition pos = random_position(12, seed);
        Solver solver(SolverOptions{.hash_megabytes = 8});
        const int truth = solver.solve(pos.board()).score * kDisc;
        ASSERT_TRUE(engine->set_position(Notation::format(pos)));
        SearchRequest by_depth;
        by_depth.limits.depth = 12;
        SearchRequest by_time;
        by_time.limits.move_time_ms = 2000;
        SearchRequest by_level;
        by_level.limits.level = 10;
        for (const SearchRequest& request : {by_depth, by_time, by_level}) {
            const auto r = engine->search(request);
            ASSERT_TRUE(r);
            EXPECT_TRUE(r->lines.front().solved);
            EXPECT_EQ(r->lines.front().confidence, 100);
            EXPECT_EQ(r->lines.front().value, truth);
        }
    }
}

TEST(OthelloTakeover, SeveralLinesAndNamedMovesAreSolvedToo) {
    const auto engine = std::move(*make_engine());
    const GamePosition pos = random_position(11, 3);
    ASSERT_TRUE(engine->set_position(Notation::format(pos)));
    ASSERT_GE(engine->legal_moves().size(), 3u);
    SearchRequest request;
    request.limits.depth = 20;
    request.limits.multi_pv = 3;
    const auto three = engine->search(request);
    ASSERT_EQ(three->lines.size(), 3u);
    EXPECT_GE(three->lines[0].value, three->lines[1].value);
    EXPECT_GE(three->lines[1].value, three->lines[2].value);
    request.limits.multi_pv = 1;
    request.only_moves = {three->lines[2].pv.front()};
    const auto named = engine->search(request);
    EXPECT_EQ(named->best_move, three->lines[2].pv.front());
    EXPECT_EQ(named->lines.front().value, three->lines[2].value);
}

TEST(OthelloTakeover, ANodeLimitHoldsForSearchAndSolverTogether) {
    const auto engine = std::move(*make_engine());
    // The solver looks at its nodes between subtrees of ten empties.
    constexpr std::uint64_t kBetweenLooks = 20'000;
    for (const int empties : {12, 18, 22, 26, 30, 33}) {
        for (const std::uint64_t nodes : {500u, 20'000u, 100'000u, 400'000u}) {
            engine->new_game();
            ASSERT_TRUE(engine->set_position(Notation::format(random_position(empties, 4))));
            SearchRequest request;
            request.limits.nodes = nodes;
            const auto r = engine->search(request);
            ASSERT_FALSE(r->best_move.empty());
            EXPECT_LE(r->nodes, nodes + kBetweenLooks) << empties << " empties, limit " << nodes;
            if (nodes == 500) EXPECT_LE(r->nodes, 2 * nodes) << empties;
        }
    }
}

TEST(OthelloTakeover, AModerateNodeLimitSolvesEighteenEmptiesExactly) {
    const auto engine = std::move(*make_engine());
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const GamePosition pos = random_position(18, seed);
        Solver solver(SolverOptions{.hash_megabytes = 8});
        const int truth = solver.solve(pos.board()).score * kDisc;
        engine->new_game();
        ASSERT_TRUE(engine->set_position(Notation::format(pos)));
        SearchRequest request;
        request.limits.nodes = 4'000'000;
        const auto r = engine->search(request);
        EXPECT_TRUE(r->lines.front().solved) << seed;
        EXPECT_EQ(r->lines.front().confidence, 100) << seed;
        EXPECT_EQ(r->lines.front().value, truth) << seed;
    }
}

TEST(OthelloTakeover, TheSameNodesGiveTheSameAnswer) {
    const auto engine = std::move(*make_engine());
    for (const int empties : {20, 26, 32, 36}) {
        const std::string text = Notation::format(random_position(empties, 7));
        std::vector<std::string> seen;
        for (int run = 0; run < 2; ++run) {
            engine->new_game();
            ASSERT_TRUE(engine->set_position(text));
            SearchRequest request;
            request.limits.nodes = 300'000;
            const auto r = engine->search(request);
            seen.push_back(r->best_move + " " + std::to_string(r->lines.front().value) + " " +
                           std::to_string(r->nodes));
        }
        EXPECT_EQ(seen[0], seen[1]) << empties;
    }
}

TEST(OthelloTakeover, OnAClockTheSolverKeepsNearThePlan) {
    const auto engine = std::move(*make_engine());
    // Close games of 28 and 32 empties, in which an exact solve takes minutes.
    for (const char* text :
         {"X--X-O---XXXXO-O-XXXXOOOOOOOOOO-X-XXOXOX--XOOOX--------X-------- X",
          "----------O--------O----OXXXOX--OOOOXOX-OOXXOXXO--OOOOX---OXXO-- X"}) {
        engine->new_game();
        ASSERT_TRUE(engine->set_position(text));
        SearchRequest request;
        request.limits.has_clock = true;
        request.limits.main_ms = 6'400;
        Limits planned = request.limits;
        planned.moves_to_go = Game::moves_to_plan(*Notation::parse(text));
        const TimeBudget plan = plan_time(planned, engine->params().time);
        const auto r = engine->search(request);
        // Twice the plan for a step under way, less than the clock's hard limit.
        ASSERT_LT(2 * plan.soft_ms + 50, plan.hard_ms);
        EXPECT_LT(r->time_us / 1000, 2 * plan.soft_ms + 50) << text;
    }
}

TEST(OthelloTakeover, TheClockIsSpreadOverTheMovesBeforeTheSolution) {
    EXPECT_EQ(Game::moves_to_plan(GamePosition()), 24);
    EXPECT_EQ(Game::moves_to_plan(random_position(30, 1)), 9);
    EXPECT_EQ(Game::moves_to_plan(random_position(10, 1)), 5);
}

TEST(OthelloTakeover, NodesOfUnfinishedStepsAreCounted) {
    const auto engine = std::move(*make_engine());
    ASSERT_TRUE(engine->set_position(Notation::format(random_position(30, 5))));
    SearchRequest request;
    request.limits.nodes = 2'000'000;
    const auto r = engine->search(request);
    EXPECT_GT(r->nodes, 1'000'000u);
}

TEST(OthelloLevels, GrowWithTheirNumber) {
    for (int number = 1; number <= 60; ++number) {
        const Level before = level_of(number - 1);
        const Level level = level_of(number);
        EXPECT_GE(level.depth, before.depth) << number;
        EXPECT_GE(level.exact, before.exact) << number;
        EXPECT_LE(level.exact, level.p98) << number;
        EXPECT_LE(level.p98, level.p87) << number;
        EXPECT_LE(level.p87, level.p73) << number;
    }
    EXPECT_EQ(level_of(10).exact, 20);
    EXPECT_EQ(level_of(21).exact, 24);
    EXPECT_EQ(level_of(60).exact, 60);
}

TEST(OthelloLevels, AMidgameLevelSearchesToItsDepth) {
    const auto engine = std::move(*make_engine());
    SearchRequest request;
    request.limits.level = 7;
    const auto r = engine->search(request);
    EXPECT_EQ(r->lines.front().depth, 7);
    EXPECT_FALSE(r->lines.front().solved);
}

}  // namespace
}  // namespace karikomi::othello
