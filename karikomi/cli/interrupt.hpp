/// Ctrl-C and SIGTERM as a request to stop: what is done so far is kept and printed.
#pragma once

#include <atomic>
#include <thread>

#include <signal.h>

#include "karikomi/base/stop.hpp"

namespace karikomi::cli {

/// While it lives, the first signal asks for a stop and the second ends the program at once. A
/// thread waits for the signals, because a stop may not be asked for in a signal handler. It must
/// be older than all threads of the work: they inherit its mask.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    StopToken stop() const { return stop_.get_token(); }

private:
    void wait_for_signals();

    sigset_t signals_{};
    sigset_t mask_before_{};
    StopSource stop_;
    std::atomic<bool> ending_{false};  ///< the watcher is to leave
    std::thread watcher_;
};

}  // namespace karikomi::cli
