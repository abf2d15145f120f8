// The stop of programs of one thread. This file must not see base/stop.hpp, which has another.
#include "karikomi/base/stop_alone.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace karikomi {
namespace {

TEST(StopAlone, TokensSeeARequestAndCallbacksRunOnce) {
    const StopSource source;
    const StopToken token = source.get_token();
    EXPECT_TRUE(token.stop_possible());
    EXPECT_FALSE(token.stop_requested());
    int calls = 0;
    const auto count = [&] { ++calls; };
    const OnStop<decltype(count)> before(token, count);
    EXPECT_TRUE(source.request_stop());
    EXPECT_FALSE(source.request_stop());
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(token.stop_requested());
    const OnStop<decltype(count)> after(token, count);  // at once
    EXPECT_EQ(calls, 2);
}

TEST(StopAlone, ACallbackThatIsGoneIsNotCalled) {
    const StopSource source;
    int calls = 0;
    const auto count = [&] { ++calls; };
    auto gone = std::make_unique<OnStop<decltype(count)>>(source.get_token(), count);
    gone.reset();
    source.request_stop();
    EXPECT_EQ(calls, 0);
}

TEST(StopAlone, ATokenOfNobodyNeverStops) {
    const StopToken token;
    EXPECT_FALSE(token.stop_possible());
    EXPECT_FALSE(token.stop_requested());
}

TEST(StopAlone, WhoAsksLooksAround) {
    const StopSource source;
    const StopToken token = source.get_token();
    bool over = false;
    int looks = 0;
    source.set_look([&] { return ++looks, over; });
    bool told = false;
    const auto tell = [&] { told = true; };
    const OnStop<decltype(tell)> on_stop(token, tell);
    const int before = looks;
    EXPECT_FALSE(token.stop_requested());
    EXPECT_EQ(looks, before + 1);
    over = true;
    EXPECT_FALSE(told) << "nobody has asked yet";
    EXPECT_TRUE(token.stop_requested());
    EXPECT_TRUE(told);
    source.set_look({});
    EXPECT_TRUE(token.stop_requested()) << "what was asked for stays";
}

}  // namespace
}  // namespace karikomi
