#include "karikomi/base/stop.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace karikomi {
namespace {

TEST(Stop, ReachesWhoeverHasTheTokenBeforeAndAfter) {
    StopSource source;
    const StopToken token = source.get_token();
    int calls = 0;
    const auto count = [&] { ++calls; };
    const OnStop<decltype(count)> early(token, count);
    EXPECT_FALSE(token.stop_requested());
    EXPECT_TRUE(source.request_stop());
    EXPECT_TRUE(token.stop_requested());
    EXPECT_EQ(calls, 1);
    const OnStop<decltype(count)> late(token, count);
    EXPECT_EQ(calls, 2) << "a stop that came before is not lost";
    EXPECT_FALSE(source.request_stop()) << "the second request says that it is the second";
    EXPECT_EQ(calls, 2);
}

TEST(Stop, NobodyStopsAnEmptyToken) {
    const StopToken none;
    EXPECT_FALSE(none.stop_requested());
    const LinkedStop part(none);
    EXPECT_FALSE(part.token().stop_requested());
}

TEST(Stop, APartEndsAloneOrWithTheWhole) {
    StopSource whole;
    {
        const LinkedStop part(whole.get_token());
        StopSource end = part.source();
        end.request_stop();
        EXPECT_TRUE(part.token().stop_requested());
    }
    EXPECT_FALSE(whole.stop_requested()) << "the whole goes on";
    const LinkedStop running(whole.get_token());
    EXPECT_FALSE(running.token().stop_requested());
    std::thread([&] { whole.request_stop(); }).join();
    EXPECT_TRUE(running.token().stop_requested());
    const LinkedStop later(whole.get_token());
    EXPECT_TRUE(later.token().stop_requested());
}

}  // namespace
}  // namespace karikomi
