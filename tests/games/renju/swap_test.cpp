/// Choosing sides and starting openings, without a conversation.
#include <set>

#include <gtest/gtest.h>

#include "karikomi/games/renju/gomocup/gomocup_swap.hpp"

namespace karikomi::protocols {
namespace {

TEST(GomocupSwap, WhoIsWorseTakesTheOtherSide) {
    for (const std::size_t stones : {3u, 5u}) {
        EXPECT_EQ(choose_side(-100, stones), SwapAnswer::Swap);
        EXPECT_EQ(choose_side(100, stones), SwapAnswer::Stay);
        EXPECT_EQ(choose_side(win_in(5), stones), SwapAnswer::Stay);
        EXPECT_EQ(choose_side(loss_in(4), stones), SwapAnswer::Swap);
    }
}

TEST(GomocupSwap, TwoStonesArePutOnlyAfterThreeAndWhereTheSidesAreEqual) {
    EXPECT_EQ(choose_side(0, 3), SwapAnswer::PutTwo);
    EXPECT_EQ(choose_side(-5, 3), SwapAnswer::PutTwo);
    EXPECT_EQ(choose_side(0, 5), SwapAnswer::Stay);
    EXPECT_EQ(choose_side(-5, 5), SwapAnswer::Swap);
}

TEST(GomocupSwap, StartsDifferAndLieOnTheBoard) {
    for (const int size : {5, 15, 22}) {
        Random random(7);
        std::set<std::array<int, 4>> seen;
        for (int i = 0; i < 200; ++i) {
            const auto two = random_start(random, size);
            EXPECT_FALSE(two[0] == two[1]);
            for (const Pair p : two) {
                EXPECT_TRUE(p.x >= 0 && p.y >= 0 && p.x < size && p.y < size);
            }
            seen.insert({two[0].x, two[0].y, two[1].x, two[1].y});
        }
        EXPECT_GT(seen.size(), 100u) << size;
    }
}

TEST(GomocupSwap, TheNearestLineIsTheOneWhoseValueIs) {
    const std::vector<Line> lines = {{.value = 90, .pv = {"h8"}},
                                     {.value = -10, .pv = {}},
                                     {.value = 30, .pv = {"i9"}},
                                     {.value = -80, .pv = {"j10"}}};
    EXPECT_EQ(nearest_line(lines, 0), &lines[2]);
    EXPECT_EQ(nearest_line(lines, 100), &lines[0]);
    EXPECT_EQ(nearest_line(lines, -1000), &lines[3]);
    EXPECT_EQ(nearest_line({}, 0), nullptr);
}

}  // namespace
}  // namespace karikomi::protocols
