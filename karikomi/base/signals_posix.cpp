#include <atomic>
#include <thread>
#include <utility>

#include <pthread.h>
#include <signal.h>

#include "karikomi/base/signals.hpp"

namespace karikomi::os {

struct EndRequests::System {
    std::function<void()> on_request;
    sigset_t signals{};
    sigset_t mask_before{};
    std::atomic<bool> ending{false};  ///< the watcher is to leave
    std::thread watcher;

    void watch() {
        for (;;) {
            int number = 0;
            sigwait(&signals, &number);
            if (ending) return;
            on_request();
        }
    }
};

EndRequests::EndRequests(std::function<void()> on_request) : system_(std::make_unique<System>()) {
    system_->on_request = std::move(on_request);
    sigemptyset(&system_->signals);
    sigaddset(&system_->signals, SIGINT);
    sigaddset(&system_->signals, SIGTERM);
    // Threads started from now on inherit the mask, so the watcher alone gets the signals.
    pthread_sigmask(SIG_BLOCK, &system_->signals, &system_->mask_before);
    system_->watcher = std::thread([this] { system_->watch(); });
}

EndRequests::~EndRequests() {
    system_->ending = true;
    pthread_kill(system_->watcher.native_handle(), SIGINT);  // wakes it
    system_->watcher.join();
    pthread_sigmask(SIG_SETMASK, &system_->mask_before, nullptr);
}

}  // namespace karikomi::os
