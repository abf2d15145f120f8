#include "karikomi/cli/deadline.hpp"

#include <chrono>

namespace karikomi::cli {

Deadline::Deadline(const StopToken& whole, double hours) : part_(whole) {
    if (!(hours > 0)) return;
    clock_ = std::thread([this, hours] {
        std::unique_lock lock(mutex_);
        const auto wait = std::chrono::duration<double>(hours * 3600);
        if (!over_.wait_for(lock, wait, [this] { return ending_; })) {
            StopSource(part_.source()).request_stop();
        }
    });
}

Deadline::~Deadline() {
    if (!clock_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    over_.notify_all();
    clock_.join();
}

}  // namespace karikomi::cli
