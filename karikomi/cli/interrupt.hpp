/// Ctrl-C and SIGTERM as a request to stop: what is done so far is kept and printed.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

#include <signal.h>

#include "karikomi/engine/engine.hpp"

namespace karikomi::cli {

/// While it lives, the first signal asks for a stop and the second ends the program at once. A
/// thread waits for the signals, because Engine::stop() may not be called from a signal handler.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool requested() const { return requested_; }
    const std::atomic<bool>& flag() const { return requested_; }
    /// A search that a signal ends.
    Result search(Engine& engine, const SearchRequest& request, const InfoSink& sink = {});

private:
    void wait_for_signals();
    void aim_at(Engine* engine);

    sigset_t signals_{};
    sigset_t mask_before_{};
    std::atomic<bool> requested_{false};
    std::atomic<bool> ending_{false};
    std::mutex mutex_;  ///< guards running_: it must outlive the call of its stop()
    Engine* running_ = nullptr;
    std::thread watcher_;
};

/// Runs `job` in the background while this thread waits for a signal, and then calls `stop`. The
/// Interrupt must be older than all threads that `job` knows: they inherit its mask.
template <class Job, class Stop>
auto interruptible(const Interrupt& interrupt, const Job& job, const Stop& stop) {
    auto running = std::async(std::launch::async, job);
    while (running.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (!interrupt.requested()) continue;
        stop();
        running.wait();
    }
    return running.get();
}

}  // namespace karikomi::cli
