/// Ctrl-C, and whatever else asks a program to end: signals_posix.cpp, signals_windows.cpp.
#pragma once

#include <functional>
#include <memory>

namespace karikomi::os {

/// While it lives, each request calls `on_request` on a thread of its own instead of ending the
/// program. It must be older than all threads of the work: they inherit what it sets.
class EndRequests {
public:
    explicit EndRequests(std::function<void()> on_request);
    ~EndRequests();
    EndRequests(const EndRequests&) = delete;
    EndRequests& operator=(const EndRequests&) = delete;

private:
    struct System;
    std::unique_ptr<System> system_;
};

}  // namespace karikomi::os
