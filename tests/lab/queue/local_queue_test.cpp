// Jobs for threads of this program.
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/queue/nats.hpp"
#include "karikomi/lab/queue/queue.hpp"

namespace karikomi::queue {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

// Doubles numbers; complains of negative ones, breaks at 13, and waits for ever at 99.
class Doubler final : public Handler {
public:
    Status check(const Json& /*payload*/) const override { return {}; }
    Expected<Json> run(const Json& payload, const StopToken& stop) override {
        const int n = payload.at("n");
        if (n < 0) return Error{"negative", "give another"};
        if (n == 13) throw std::runtime_error("unlucky");
        while (n == 99 && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return Json({{"twice", 2 * n}});
    }
};

Makers doublers() {
    return {{"double", [](int /*slot*/) { return std::make_unique<Doubler>(); }}};
}

Done wait_for(JobQueue& queue) {
    for (int i = 0; i < 1000; ++i) {
        auto done = queue.next(100ms);
        EXPECT_TRUE(done);
        if (done && *done) return **done;
    }
    ADD_FAILURE() << "no result";
    return {};
}

TEST(LocalQueue, DoesEveryJobOnce) {
    const auto queue = make_local_queue(doublers(), 3);
    EXPECT_EQ(queue->slots(), 3U);
    for (int i = 0; i < 12; ++i) queue->submit({std::to_string(i), "double", {{"n", i}}});
    std::set<std::string> seen;
    for (int i = 0; i < 12; ++i) {
        const Done done = wait_for(*queue);
        ASSERT_FALSE(done.error);
        EXPECT_EQ(done.result["twice"], 2 * std::stoi(done.id));
        seen.insert(done.id);
    }
    EXPECT_THAT(seen, SizeIs(12));
    const auto none = queue->next(1ms);
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
}

TEST(LocalQueue, SaysWhatCannotBeDone) {
    const auto queue = make_local_queue(doublers(), 1);
    const auto error_of = [&](const char* kind, const Json& payload) {
        queue->submit({"x", kind, payload});
        const Done done = wait_for(*queue);
        return done.error ? done.error->what : std::string();
    };
    EXPECT_EQ(error_of("double", {{"n", -1}}), "negative");
    EXPECT_THAT(error_of("halve", {{"n", 1}}), HasSubstr("'halve'"));
    EXPECT_THAT(error_of("double", {{"n", 13}}), HasSubstr("unlucky"));
    EXPECT_EQ(error_of("double", {{"n", 4}}), "") << "and goes on";
}

TEST(LocalQueue, CanBeCancelledWhileItWorks) {
    const auto queue = make_local_queue(doublers(), 2);
    for (int i = 0; i < 5; ++i) queue->submit({std::to_string(i), "double", {{"n", 99}}});
    std::this_thread::sleep_for(20ms);
    queue->cancel();  // the destructor would wait for ever otherwise
}

TEST(NatsUrls, AreShownWithoutSecrets) {
    EXPECT_EQ(public_url("nats://me:secret@host:4222"), "nats://host:4222");
    EXPECT_EQ(public_url("nats://a:4222,tls://u:p@b:4222"), "nats://a:4222,tls://b:4222");
    EXPECT_EQ(public_url("host"), "host");
}

}  // namespace
}  // namespace karikomi::queue
