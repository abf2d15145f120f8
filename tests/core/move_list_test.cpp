#include "karikomi/core/move_list.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "karikomi/core/searcher.hpp"
#include "tests/conformance/toy_game.hpp"

namespace karikomi::test {
namespace {

TEST(MoveList, RefusesOneMoveTooManyAndKeepsTheOthers) {
    struct {
        MoveList<int, 2> list;
        int beside = 77;
    } room;
    room.list.push(1);
    room.list.push(2);
    EXPECT_THROW(room.list.push(3), std::length_error);
    EXPECT_EQ(room.list.size(), 2U);
    EXPECT_EQ(room.list[1].move, 2);
    EXPECT_EQ(room.beside, 77);
    room.list.shrink(1);
    EXPECT_NO_THROW(room.list.push(4)) << "there is room again";
}

TEST(MoveList, SaysWhatToDo) {
    MoveList<int, 1> list;
    list.push(1);
    try {
        list.push(2);
        FAIL() << "two moves fit in a list of one";
    } catch (const std::length_error& e) {
        EXPECT_STREQ(e.what(),
                     "more than 1 moves in one list: set the game's kMaxMoves to the most that its "
                     "rules allow");
    }
}

/// A game that has more moves than it says ends its search with an error, on any number of threads,
/// and the searcher can be used again.
TEST(MoveList, ASearchOfAGameWithTooManyMovesEndsWithAnError) {
    for (const int threads : {1, 2}) {
        Searcher<toy::Game> searcher(1);
        searcher.set_threads(threads);
        Limits limits;
        limits.depth = 4;
        toy::fault = toy::Fault::TooManyInStages;
        EXPECT_THROW(searcher.search({}, limits), std::length_error) << threads;
        toy::fault = toy::Fault::None;
        EXPECT_FALSE(searcher.search({}, limits).lines.empty()) << threads;
    }
}

}  // namespace
}  // namespace karikomi::test
