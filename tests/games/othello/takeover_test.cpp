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

TEST(OthelloTakeover, ANodeLimitKeepsTheSolverOut) {
    const auto engine = std::move(*make_engine());
    ASSERT_TRUE(engine->set_position(Notation::format(random_position(12, 4))));
    SearchRequest request;
    request.limits.nodes = 500;
    const auto r = engine->search(request);
    EXPECT_FALSE(r->lines.front().solved);
    EXPECT_LE(r->nodes, 500u);
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
