#include <mutex>
#include <utility>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "karikomi/base/signals.hpp"

namespace karikomi::os {

struct EndRequests::System {
    std::function<void()> on_request;
};

namespace {

// The system calls a plain function, so there is one list for the program: of one.
std::mutex current_mutex;
const std::function<void()>* current = nullptr;  // NOLINT: see above

BOOL WINAPI on_control(DWORD) {
    const std::lock_guard lock(current_mutex);
    if (current == nullptr) return FALSE;
    (*current)();
    return TRUE;
}

}  // namespace

EndRequests::EndRequests(std::function<void()> on_request) : system_(std::make_unique<System>()) {
    system_->on_request = std::move(on_request);
    const std::lock_guard lock(current_mutex);
    current = &system_->on_request;
    SetConsoleCtrlHandler(on_control, TRUE);
}

EndRequests::~EndRequests() {
    SetConsoleCtrlHandler(on_control, FALSE);
    const std::lock_guard lock(current_mutex);
    current = nullptr;
}

}  // namespace karikomi::os
