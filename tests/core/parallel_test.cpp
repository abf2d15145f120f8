#include "karikomi/core/parallel.hpp"

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace karikomi::test {
namespace {

TEST(RunCrew, RunsEveryJobOnce) {
    for (const int threads : {1, 2, 3, 8, 40}) {
        std::vector<std::atomic<int>> runs(static_cast<std::size_t>(threads));
        run_crew(threads, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
        for (const auto& n : runs) EXPECT_EQ(n.load(), 1);
    }
}

TEST(RunCrew, JobZeroRunsOnTheCallingThreadAndTheOthersElsewhere) {
    std::vector<std::thread::id> ids(4);
    run_crew(4, [&](int i) { ids[static_cast<std::size_t>(i)] = std::this_thread::get_id(); });
    EXPECT_EQ(ids[0], std::this_thread::get_id());
    for (std::size_t i = 1; i < ids.size(); ++i) EXPECT_NE(ids[i], ids[0]);
}

TEST(RunCrew, TheJobsRunAtTheSameTime) {
    // Each job waits for all the others: one after the other they would wait in vain.
    std::atomic<int> arrived{0};
    std::atomic<int> met{0};
    run_crew(3, [&](int) {
        ++arrived;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (arrived.load() < 3 && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::yield();
        }
        if (arrived.load() == 3) ++met;
    });
    EXPECT_EQ(met.load(), 3);
}

TEST(RunCrew, PassesOnTheExceptionOfAnyJob) {
    for (const int thrower : {0, 1, 3}) {
        try {
            run_crew(4, [&](int i) {
                if (i == thrower) throw std::runtime_error("job " + std::to_string(i));
            });
            ADD_FAILURE() << "no exception from job " << thrower;
        } catch (const std::runtime_error& e) {
            EXPECT_EQ(e.what(), "job " + std::to_string(thrower));
        }
    }
}

TEST(RunCrew, TheOtherJobsEndBeforeAnExceptionIsPassedOn) {
    std::atomic<int> ended{0};
    const auto job = [&](int i) {
        if (i == 0) throw std::runtime_error("early");
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        ++ended;
    };
    EXPECT_THROW(run_crew(4, job), std::runtime_error);
    EXPECT_EQ(ended.load(), 3);
}

TEST(RunCrew, ManyExceptionsAreOneException) {
    EXPECT_THROW(run_crew(8, [](int) { throw std::logic_error("all"); }), std::logic_error);
}

TEST(RunCrew, ManyCrewsInARowLeaveNothingBehind) {
    std::atomic<int> runs{0};
    for (int i = 0; i < 200; ++i) run_crew(3, [&](int) { ++runs; });
    EXPECT_EQ(runs.load(), 600);
}

TEST(HelperDepth, TheMainThreadKeepsToTheIteration) {
    for (int iteration = 1; iteration < 50; ++iteration) {
        EXPECT_EQ(helper_depth(iteration, 0), iteration);
    }
}

TEST(HelperDepth, HelpersRunAheadByDifferentAmounts) {
    std::set<int> ahead;
    for (int thread = 1; thread < 8; ++thread) {
        const int more = helper_depth(10, thread) - 10;
        EXPECT_GE(more, 1);
        EXPECT_LE(more, 3);
        ahead.insert(more);
    }
    EXPECT_GE(ahead.size(), 2u);
}

}  // namespace
}  // namespace karikomi::test
