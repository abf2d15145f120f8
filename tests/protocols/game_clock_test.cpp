#include "karikomi/games/othello/protocols/game_clock.hpp"

#include <gtest/gtest.h>

namespace karikomi::protocols {
namespace {

Limits limits_of(const GtpClock& clock, Side side) {
    Limits limits;
    clock.limit(side, limits);
    return limits;
}

TEST(GameClock, CountsWhatIsLeftOfAGgfClock) {
    Limits limits;
    limit_time({60, 2, 30}, 15.5, 3, limits);
    EXPECT_TRUE(limits.has_clock);
    EXPECT_EQ(limits.main_ms, 50500);
    EXPECT_EQ(limits.increment_ms, 2000);
    limit_time({60, 0, 30}, 70, 3, limits);
    EXPECT_EQ(limits.main_ms, 20000);
    limit_time({60, 0, 30}, 200, 3, limits);
    EXPECT_EQ(limits.main_ms, 0);
}

TEST(GtpClock, NoLimits) {
    GtpClock clock;
    EXPECT_FALSE(limits_of(clock, 0).has_clock);
    clock.set(100, 5, 0);  // a period without moves: GTP's way to say "no limits"
    EXPECT_FALSE(limits_of(clock, 0).has_clock);
    clock.set(0, 0, 0);
    EXPECT_FALSE(limits_of(clock, 0).has_clock);
}

TEST(GtpClock, MainTimeOnly) {
    GtpClock clock;
    clock.set(60, 0, 0);
    clock.use(0, 20);
    EXPECT_EQ(limits_of(clock, 0).main_ms, 40000);
    EXPECT_EQ(limits_of(clock, 1).main_ms, 60000);
    EXPECT_EQ(limits_of(clock, 0).byoyomi_ms, 0);
    clock.use(0, 100);
    EXPECT_TRUE(limits_of(clock, 0).has_clock);
    EXPECT_EQ(limits_of(clock, 0).main_ms, 0);
    clock.restart();
    EXPECT_EQ(limits_of(clock, 0).main_ms, 60000);
}

TEST(GtpClock, OneMoveAPeriod) {
    GtpClock clock;
    clock.set(0, 5, 1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(limits_of(clock, 1).byoyomi_ms, 5000);
        EXPECT_EQ(limits_of(clock, 1).main_ms, 0);
        clock.use(1, 4);
    }
}

TEST(GtpClock, SeveralMovesAPeriodAfterMainTime) {
    GtpClock clock;
    clock.set(10, 30, 3);
    EXPECT_EQ(limits_of(clock, 0).main_ms, 10000);
    EXPECT_EQ(limits_of(clock, 0).byoyomi_ms, 10000);
    clock.use(0, 12);  // two seconds into the first period
    EXPECT_EQ(limits_of(clock, 0).main_ms, 28000);
    EXPECT_EQ(limits_of(clock, 0).moves_to_go, 3);
    EXPECT_EQ(limits_of(clock, 0).byoyomi_ms, 0);
    clock.use(0, 10);
    EXPECT_EQ(limits_of(clock, 0).moves_to_go, 2);
    clock.use(0, 10);
    EXPECT_EQ(limits_of(clock, 0).byoyomi_ms, 8000);  // the last: all of it
    clock.use(0, 1);
    EXPECT_EQ(limits_of(clock, 0).main_ms, 30000);  // a new period
}

TEST(GtpClock, AControllerIsBelieved) {
    GtpClock clock;
    clock.set_left(0, 7.5, 0);
    EXPECT_EQ(limits_of(clock, 0).main_ms, 7500);
    clock.set(10, 30, 3);
    clock.set_left(1, 12, 2);
    EXPECT_EQ(limits_of(clock, 1).main_ms, 12000);
    EXPECT_EQ(limits_of(clock, 1).moves_to_go, 2);
    clock.set_left(1, 3, 1);
    EXPECT_EQ(limits_of(clock, 1).byoyomi_ms, 3000);
    clock.set_left(1, 0, 0);  // main time is over: the first period
    EXPECT_EQ(limits_of(clock, 1).main_ms, 30000);
}

}  // namespace
}  // namespace karikomi::protocols
