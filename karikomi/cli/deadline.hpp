/// A stop that comes by itself after some hours, or with the user's.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "karikomi/base/stop.hpp"

namespace karikomi::cli {

class Deadline {
public:
    /// hours 0: only the user's stop. `whole` must be older than all threads of the work.
    Deadline(const StopToken& whole, double hours);
    ~Deadline();
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    StopToken stop() const { return part_.token(); }

private:
    LinkedStop part_;
    std::mutex mutex_;
    std::condition_variable over_;
    bool ending_ = false;
    std::thread clock_;
};

}  // namespace karikomi::cli
