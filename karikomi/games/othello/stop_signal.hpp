/// When a solve has to end: somebody asks for it, a point in time, or both.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "karikomi/base/stop.hpp"

namespace karikomi::othello {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Shared by the threads of a solve.
class StopSignal {
public:
    StopSignal(const StopToken& stop, const Deadline& deadline)
        : deadline_(deadline), on_stop_(stop, Raise{raised_}) {}

    bool raised() const { return raised_.load(std::memory_order_relaxed); }
    /// To be called now and then: the flag is cheap to ask, the clock is not.
    void look_at_clock() {
        if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) raised_ = true;
    }

private:
    struct Raise {
        std::atomic<bool>& flag;
        void operator()() const { flag = true; }
    };
    Deadline deadline_;
    std::atomic<bool> raised_{false};
    OnStop<Raise> on_stop_;
};

}  // namespace karikomi::othello
