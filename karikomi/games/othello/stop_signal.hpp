/// When a solve has to end: somebody asks for it, a point in time, a number of nodes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "karikomi/base/stop.hpp"

namespace karikomi::othello {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Shared by the threads of a solve.
class StopSignal {
public:
    /// `nodes`: all threads together, as often as they say; 0: no limit.
    StopSignal(const StopToken& stop, const Deadline& deadline, std::uint64_t nodes = 0)
        : stop_(stop), deadline_(deadline), node_limit_(nodes), on_stop_(stop, Raise{raised_}) {}

    bool raised() const { return raised_.load(std::memory_order_relaxed); }
    /// To be called now and then: the flag is cheap to ask, the clock is not.
    void look_at_clock() {
        if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) raised_ = true;
        // Nobody else asks where there are no threads (base/stop_alone.hpp).
        if (stop_.stop_requested()) raised_ = true;
    }
    bool counts_nodes() const { return node_limit_ != 0; }
    void spend(std::uint64_t nodes) {
        if (spent_.fetch_add(nodes, std::memory_order_relaxed) + nodes >= node_limit_) {
            raised_ = true;
        }
    }

private:
    struct Raise {
        std::atomic<bool>& flag;
        void operator()() const { flag = true; }
    };
    StopToken stop_;
    Deadline deadline_;
    std::uint64_t node_limit_;
    std::atomic<std::uint64_t> spent_{0};
    std::atomic<bool> raised_{false};
    OnStop<Raise> on_stop_;
};

}  // namespace karikomi::othello
