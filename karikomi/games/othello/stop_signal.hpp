/// When a solve has to end: a flag that somebody else sets, a point in time, or both.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace karikomi::othello {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Shared by the threads of a solve.
class StopSignal {
public:
    StopSignal(const std::atomic<bool>* flag, const Deadline& deadline)
        : flag_(flag), deadline_(deadline) {}

    bool raised() const {
        return late_.load(std::memory_order_relaxed) ||
               (flag_ != nullptr && flag_->load(std::memory_order_relaxed));
    }
    /// To be called now and then: the flag is cheap to ask, the clock is not.
    void look_at_clock() {
        if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) late_ = true;
    }

private:
    const std::atomic<bool>* flag_;
    Deadline deadline_;
    std::atomic<bool> late_{false};
};

}  // namespace karikomi::othello
