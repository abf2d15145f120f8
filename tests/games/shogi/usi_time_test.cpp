/// The clock as the search sees it, and the options that are parameters.
#include "karikomi/games/shogi/usi/usi_time.hpp"

#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shogi/usi/usi_params.hpp"

namespace karikomi::protocols {
namespace {

Limits clock(std::int64_t main, std::int64_t byoyomi, std::int64_t increment) {
    Limits l;
    l.has_clock = true;
    l.main_ms = main;
    l.byoyomi_ms = byoyomi;
    l.increment_ms = increment;
    return l;
}

TimeParams params_with(const UsiTime& t) {
    TimeParams p;
    p.overhead_ms = static_cast<int>(t.delay_ms);
    return p;
}

TimeBudget plan(const Limits& l, const UsiTime& t) {
    return plan_time(shape_clock(l, t, params_with(t)), params_with(t));
}

TEST(UsiTime, NeverPlansMoreThanTheClockLessTheDelays) {
    for (const std::int64_t main : {0, 50, 500, 5'000, 600'000}) {
        for (const std::int64_t byoyomi : {0, 200, 1'000, 10'000}) {
            for (const std::int64_t increment : {0, 100, 5'000}) {
                if (byoyomi > 0 && increment > 0) continue;
                for (const UsiTime& t : {UsiTime{30, 0, 0}, UsiTime{120, 1120, 0},
                                         UsiTime{30, 100, 2'000}, UsiTime{0, 0, 100'000}}) {
                    const std::int64_t there = main + byoyomi + (main < increment ? increment : 0);
                    const auto b = plan(clock(main, byoyomi, increment), t);
                    SCOPED_TRACE(testing::Message() << main << " " << byoyomi << " " << increment
                                                    << " delay " << t.delay_ms);
                    EXPECT_GE(b.hard_ms, 1);
                    EXPECT_LE(b.hard_ms, std::max<std::int64_t>(there - t.delay_ms, 1));
                    EXPECT_LE(b.soft_ms, b.hard_ms);
                }
            }
        }
    }
}

TEST(UsiTime, TheSecondDelayCountsWhereTimeWouldRunOut) {
    const UsiTime t{100, 1'100, 0};
    EXPECT_EQ(plan(clock(0, 10'000, 0), t).hard_ms, 8'900);
    EXPECT_EQ(plan(clock(0, 10'000, 0), {100, 0, 0}).hard_ms, 9'900);
    // Not more than half of what there is.
    EXPECT_EQ(plan(clock(0, 1'000, 0), {100, 5'000, 0}).hard_ms, 400);
    // Far from the end it changes next to nothing.
    const auto with = plan(clock(600'000, 10'000, 0), t).soft_ms;
    const auto without = plan(clock(600'000, 10'000, 0), {100, 0, 0}).soft_ms;
    EXPECT_NEAR(static_cast<double>(with), static_cast<double>(without), 100.0);
}

TEST(UsiTime, AnIncrementThatTheClockDoesNotShowIsThereToBeUsed) {
    const UsiTime t{30, 0, 0};
    EXPECT_GE(plan(clock(0, 0, 5'000), t).soft_ms, 1'000);
    EXPECT_LE(plan(clock(0, 0, 5'000), t).hard_ms, 4'970);
    EXPECT_LE(plan(clock(5'000, 0, 5'000), t).hard_ms, 4'970);
}

TEST(UsiTime, ThinksAtLeastSoLong) {
    EXPECT_EQ(plan(clock(60'000, 0, 0), {30, 0, 4'000}).soft_ms, 4'000);
    EXPECT_LT(plan(clock(60'000, 0, 0), {30, 0, 0}).soft_ms, 4'000);
    // Never a large part of what is left.
    EXPECT_LE(plan(clock(2'000, 0, 0), {30, 0, 4'000}).hard_ms, 530);
    EXPECT_EQ(plan(clock(0, 1'000, 0), {30, 0, 4'000}).hard_ms, 970);
    // A fixed time is a fixed time.
    Limits fixed;
    fixed.move_time_ms = 500;
    EXPECT_EQ(shape_clock(fixed, {30, 0, 4'000}, {}).move_time_ms, 500);
}

TEST(UsiParams, EveryParameterCanBeSetByItsName) {
    const auto engine = std::move(*make_engine("shogi"));
    UsiParams few(engine->params(), engine->info(), false);
    const UsiParams all(engine->params(), engine->info(), true);
    EXPECT_LT(few.lines().size(), 40U);
    EXPECT_GT(all.lines().size(), 100U);
    // Each technique of the game can be switched off.
    for (const Technique t : engine->info().techniques) {
        const std::string name =
            std::string(kTechniqueNames[static_cast<std::size_t>(t)]) + ".enabled";
        bool shown = false;
        for (const std::string& line : few.lines()) {
            shown |= line.starts_with("option name " + name + " type check");
        }
        EXPECT_TRUE(shown) << name;
        const auto known = few.set(name, "false");
        EXPECT_TRUE(known && *known) << name;
        EXPECT_FALSE(few.value().selective.enabled(t)) << name;
    }
    EXPECT_FALSE(few.set("null_move.enabled", "perhaps"));
    const auto unknown = few.set("no_such.thing", "1");
    EXPECT_TRUE(unknown && !*unknown);
    EXPECT_EQ(few.value().time.horizon, engine->params().time.horizon);
}

}  // namespace
}  // namespace karikomi::protocols
