#include "karikomi/core/clock.hpp"

#include <chrono>
#include <random>
#include <thread>

#include <gtest/gtest.h>

namespace karikomi::test {
namespace {

using Ms = std::int64_t;

Limits on_the_clock(Ms main, Ms byoyomi = 0, Ms increment = 0, int moves_to_go = 0) {
    Limits l;
    l.has_clock = true;
    l.main_ms = main;
    l.byoyomi_ms = byoyomi;
    l.increment_ms = increment;
    l.moves_to_go = moves_to_go;
    return l;
}
Limits fixed_time(Ms ms) {
    Limits l;
    l.move_time_ms = ms;
    return l;
}
TimeParams overhead_of(int ms) {
    TimeParams p;
    p.overhead_ms = ms;
    return p;
}

// ---- planning --------------------------------------------------------------------------------

TEST(PlanTime, WithoutTimesThereIsNoLimit) {
    Limits l;
    l.depth = 12;
    l.nodes = 5000;
    const TimeBudget b = plan_time(l, {});
    EXPECT_EQ(b.soft_ms, 0);
    EXPECT_EQ(b.hard_ms, 0);
}

TEST(PlanTime, AFixedTimeIsUsedUpExceptForTheOverhead) {
    const TimeBudget b = plan_time(fixed_time(1000), overhead_of(30));
    EXPECT_EQ(b.hard_ms, 970);
    EXPECT_EQ(b.soft_ms, 970);
    EXPECT_TRUE(b.use_all);
}

TEST(PlanTime, AFixedTimeBelowTheOverheadLeavesOneMillisecond) {
    for (const Ms ms : {1, 19, 20, 21}) {
        EXPECT_EQ(plan_time(fixed_time(ms), overhead_of(20)).hard_ms, 1) << ms;
    }
    EXPECT_EQ(plan_time(fixed_time(22), overhead_of(20)).hard_ms, 2);
}

TEST(PlanTime, AFixedTimeGoesBeforeTheClock) {
    Limits l = on_the_clock(600'000, 10'000);
    l.move_time_ms = 500;
    EXPECT_EQ(plan_time(l, overhead_of(20)).hard_ms, 480);
}

TEST(PlanTime, ByoyomiAloneIsUsedUp) {
    const TimeBudget b = plan_time(on_the_clock(0, 10'000), overhead_of(50));
    EXPECT_EQ(b.soft_ms, 9950);
    EXPECT_EQ(b.hard_ms, 9950);
    EXPECT_TRUE(b.use_all);
}

TEST(PlanTime, WithMainTimeLeftAMoveGetsItsByoyomiAndAShareOfTheMainTime) {
    const TimeParams p = overhead_of(0);
    const TimeBudget b = plan_time(on_the_clock(320'000, 10'000), p);
    EXPECT_EQ(b.soft_ms, 320'000 / 32 + 10'000);
    EXPECT_GT(b.hard_ms, b.soft_ms);
    EXPECT_LT(b.hard_ms, 320'000 + 10'000);
    EXPECT_FALSE(b.use_all);
}

TEST(PlanTime, MainTimeAloneIsSpreadOverTheGame) {
    const TimeBudget b = plan_time(on_the_clock(320'000), overhead_of(20));
    EXPECT_EQ(b.soft_ms, 320'000 / 32 - 20);
    EXPECT_EQ(b.hard_ms, 4 * 320'000 / 32 - 20);
    EXPECT_FALSE(b.use_all);
}

TEST(PlanTime, PartOfTheIncrementIsSpent) {
    const TimeBudget b = plan_time(on_the_clock(320'000, 0, 5000), overhead_of(20));
    EXPECT_EQ(b.soft_ms, 10'000 + 4000 - 20);
}

TEST(PlanTime, TheIncrementIsNotOnTheClockYet) {
    const TimeBudget b = plan_time(on_the_clock(1000, 0, 60'000), overhead_of(20));
    EXPECT_LE(b.hard_ms, 980);
}

TEST(PlanTime, FewerMovesToGoGetMoreTimeEach) {
    const TimeParams p = overhead_of(0);
    EXPECT_EQ(plan_time(on_the_clock(60'000, 0, 0, 10), p).soft_ms, 6000);
    EXPECT_EQ(plan_time(on_the_clock(60'000, 0, 0, 3), p).soft_ms, 20'000);
    EXPECT_EQ(plan_time(on_the_clock(64'000, 0, 0, 500), p).soft_ms, 2000) << "at most the horizon";
}

TEST(PlanTime, TheLastMoveBeforeTheControlMayUseAllTheTime) {
    const TimeBudget b = plan_time(on_the_clock(60'000, 0, 0, 1), overhead_of(100));
    EXPECT_EQ(b.soft_ms, 59'900);
    EXPECT_EQ(b.hard_ms, 59'900);
}

TEST(PlanTime, EmptyAndOverdrawnClocksStillGetOneMillisecond) {
    for (const Ms main : {-100'000, -1, 0, 1, 5, 20}) {
        for (const Ms increment : {0, 3000}) {
            for (const int moves_to_go : {0, 1, 40}) {
                const auto l = on_the_clock(main, 0, increment, moves_to_go);
                const TimeBudget b = plan_time(l, overhead_of(20));
                EXPECT_EQ(b.hard_ms, 1) << main;
                EXPECT_EQ(b.soft_ms, 1) << main;
                EXPECT_FALSE(b.use_all) << "without byoyomi unused time is not lost";
            }
        }
    }
}

TEST(PlanTime, OverdrawnMainTimeDoesNotEatTheByoyomi) {
    EXPECT_EQ(plan_time(on_the_clock(-5000, 10'000), overhead_of(20)).hard_ms, 9980);
}

TEST(PlanTime, SmallMainTimeIsSpentWithTheByoyomi) {
    TimeParams p = overhead_of(20);
    EXPECT_TRUE(plan_time(on_the_clock(10'000, 10'000), p).use_all);
    EXPECT_FALSE(plan_time(on_the_clock(10'001, 10'000), p).use_all);
    p.byoyomi_main = 0.5f;
    EXPECT_FALSE(plan_time(on_the_clock(10'000, 10'000), p).use_all);
    EXPECT_TRUE(plan_time(on_the_clock(5'000, 10'000), p).use_all);
}

TEST(PlanTime, HoldsItsPromisesOnRandomClocks) {
    std::mt19937_64 random(4);
    const auto in = [&](Ms low, Ms high) {
        return std::uniform_int_distribution<Ms>(low, high)(random);
    };
    const auto time = [&] {  // all magnitudes, now and then nothing or less than nothing
        const Ms kind = in(0, 9);
        if (kind == 0) return Ms{0};
        if (kind == 1) return in(-1000, 0);
        return in(1, Ms{1} << in(1, 23));
    };
    for (int i = 0; i < 50'000; ++i) {
        const Ms main = time();
        const Ms byoyomi = std::max<Ms>(time(), 0);
        const Ms increment = std::max<Ms>(time(), 0);
        const int moves_to_go = in(0, 2) == 0 ? static_cast<int>(in(1, 80)) : 0;
        TimeParams p = overhead_of(static_cast<int>(in(0, 3) == 0 ? in(0, 2000) : in(0, 50)));
        p.horizon = static_cast<float>(in(2, 200));
        p.increment_share = static_cast<float>(in(0, 100)) / 100.0f;
        p.hard_factor = static_cast<float>(in(10, 200)) / 10.0f;
        p.hard_share = static_cast<float>(in(5, 90)) / 100.0f;
        const TimeBudget b = plan_time(on_the_clock(main, byoyomi, increment, moves_to_go), p);
        const Ms there = std::max<Ms>(main, 0) + byoyomi;
        const auto shown = testing::Message() << "main " << main << " byoyomi " << byoyomi
                                              << " increment " << increment << " to go "
                                              << moves_to_go << " overhead " << p.overhead_ms;
        ASSERT_LE(b.hard_ms, std::max<Ms>(there - p.overhead_ms, 1)) << shown;
        ASSERT_GE(b.hard_ms, 1) << shown;
        ASSERT_GE(b.soft_ms, 1) << shown;
        ASSERT_LE(b.soft_ms, b.hard_ms) << shown;
        ASSERT_GE(b.soft_ms, byoyomi - p.overhead_ms)
            << "byoyomi that is not used is lost: " << shown;
        if (main <= 0 && byoyomi > 0) {
            ASSERT_EQ(b.hard_ms, std::max<Ms>(byoyomi - p.overhead_ms, 1)) << shown;
            ASSERT_TRUE(b.use_all) << shown;
        }
    }
}

TEST(PlanTime, AWholeGameNeverOverstepsTheClock) {
    for (const Ms increment : {0, 100, 2000}) {
        for (const Ms byoyomi : {0, 1000}) {
            Ms main = 60'000;
            const TimeParams p = overhead_of(20);
            for (int move = 0; move < 300; ++move) {
                const TimeBudget b = plan_time(on_the_clock(main, byoyomi, increment), p);
                const Ms used = b.hard_ms + (b.hard_ms > 1 ? p.overhead_ms : 0);  // always the most
                ASSERT_LE(used, main + byoyomi + 1) << "move " << move;
                main = std::max<Ms>(main - used, 0) + increment;
            }
        }
    }
}

// ---- the running clock -----------------------------------------------------------------------

void wait_ms(int ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

TEST(Clock, IsOverWhenTheHardLimitHasPassed) {
    Clock clock;
    clock.start(fixed_time(30), overhead_of(0));
    wait_ms(35);
    EXPECT_TRUE(clock.is_over());
    EXPECT_GE(clock.elapsed_ms(), 35);
    EXPECT_GE(clock.elapsed_us(), 35'000);
    EXPECT_FLOAT_EQ(clock.pressure(), 0.0f) << "a fixed time for a move is no emergency";
}

TEST(Clock, PressureIsAnEmergencyOfTheGameClock) {
    TimeParams p = overhead_of(0);
    p.emergency_ms = 500;
    Clock clock;
    clock.start(on_the_clock(400), p);
    EXPECT_FLOAT_EQ(clock.pressure(), 1.0f);
    clock.start(on_the_clock(501), p);
    EXPECT_FLOAT_EQ(clock.pressure(), 0.0f);
    clock.start(on_the_clock(0, 1000), p);
    EXPECT_FLOAT_EQ(clock.pressure(), 0.0f) << "a second for every move is enough";
}

TEST(Clock, IsNotOverBeforeTheHardLimit) {
    Clock clock;
    clock.start(fixed_time(60'000), overhead_of(0));
    wait_ms(5);
    EXPECT_FALSE(clock.is_over());
}

TEST(Clock, WithoutALimitItIsNeverOver) {
    Clock clock;
    clock.start({}, {});
    wait_ms(5);
    EXPECT_FALSE(clock.is_over());
    EXPECT_FALSE(clock.is_enough(0.0001f));
    EXPECT_FLOAT_EQ(clock.pressure(), 0.0f);
}

TEST(Clock, InfiniteIsNeverOverWhateverTheClockSays) {
    Limits l = on_the_clock(1);
    l.infinite = true;
    Clock clock;
    clock.start(l, {});
    wait_ms(10);
    EXPECT_FALSE(clock.is_over());
    EXPECT_FALSE(clock.is_enough(0.0001f));
    EXPECT_FLOAT_EQ(clock.pressure(), 0.0f);
}

TEST(Clock, ThePlannedTimeEndsIterationsEarlierThanTheHardLimit) {
    TimeParams p = overhead_of(0);  // soft 50, hard 200, no new iteration after 30
    Clock clock;
    clock.start(on_the_clock(1600), p);
    EXPECT_FALSE(clock.is_enough(1000.0f));
    wait_ms(35);
    EXPECT_TRUE(clock.is_enough(1.0f));
    EXPECT_FALSE(clock.is_enough(1000.0f)) << "an unstable result gets more time";
}

TEST(Clock, TimeThatWouldBeLostIsUsedToTheEnd) {
    Clock clock;
    clock.start(fixed_time(60'000), overhead_of(0));
    EXPECT_FALSE(clock.is_enough(0.0f));
    clock.start(on_the_clock(0, 60'000), overhead_of(0));
    EXPECT_FALSE(clock.is_enough(0.0f));
}

TEST(Clock, PonderingCostsNothing) {
    Limits l = fixed_time(10);
    l.ponder = true;
    Clock clock;
    clock.start(l, overhead_of(0));
    EXPECT_TRUE(clock.pondering());
    wait_ms(20);
    EXPECT_FALSE(clock.is_over());
    EXPECT_FALSE(clock.is_enough(0.0001f));
    EXPECT_FLOAT_EQ(clock.pressure(), 0.0f);
}

TEST(Clock, APonderHitStartsTheTimeAnew) {
    Limits l = fixed_time(400);
    l.ponder = true;
    Clock clock;
    clock.start(l, overhead_of(0));
    wait_ms(450);
    clock.ponder_hit();
    EXPECT_FALSE(clock.pondering());
    EXPECT_FALSE(clock.is_over()) << "the time before the hit does not count";
    EXPECT_GE(clock.elapsed_ms(), 450) << "but it did pass";
    wait_ms(410);
    EXPECT_TRUE(clock.is_over());
}

TEST(Clock, APonderHitMayBringNewTimes) {
    Limits l = on_the_clock(600'000);
    l.ponder = true;
    Clock clock;
    clock.start(l, overhead_of(0));
    const Limits shorter = fixed_time(10);
    clock.ponder_hit(&shorter);
    wait_ms(15);
    EXPECT_TRUE(clock.is_over());
}

TEST(Clock, ASecondStartForgetsTheFirst) {
    Clock clock;
    clock.start(fixed_time(5), overhead_of(0));
    wait_ms(10);
    EXPECT_TRUE(clock.is_over());
    clock.start(fixed_time(60'000), overhead_of(0));
    EXPECT_FALSE(clock.is_over());
}

}  // namespace
}  // namespace karikomi::test
