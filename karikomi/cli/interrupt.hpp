/// Ctrl-C and SIGTERM as a request to stop: what is done so far is kept and printed.
#pragma once

#include "karikomi/base/signals.hpp"
#include "karikomi/base/stop.hpp"

namespace karikomi::cli {

/// While it lives, the first request asks for a stop and the second ends the program at once. It
/// must be older than all threads of the work.
class Interrupt {
public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    StopToken stop() const { return stop_.get_token(); }

private:
    StopSource stop_;
    os::EndRequests requests_;  ///< last: it uses the other
};

}  // namespace karikomi::cli
