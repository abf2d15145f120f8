#include "karikomi/cli/interrupt.hpp"

#include <cstdlib>

#include <pthread.h>

#include "karikomi/cli/common.hpp"

namespace karikomi::cli {

Interrupt::Interrupt() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    // Threads started from now on inherit the mask, so the watcher alone gets the signals.
    pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
    watcher_ = std::thread([this] { wait_for_signals(); });
}

Interrupt::~Interrupt() {
    ending_ = true;
    pthread_kill(watcher_.native_handle(), SIGINT);  // wakes it
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Interrupt::wait_for_signals() {
    for (;;) {
        int number = 0;
        sigwait(&signals_, &number);
        if (ending_) return;
        if (requested_.exchange(true)) std::_Exit(kBroken);
        const std::lock_guard lock(mutex_);
        if (running_ != nullptr) running_->stop();
    }
}

void Interrupt::aim_at(Engine* engine) {
    const std::lock_guard lock(mutex_);
    running_ = engine;
}

Result Interrupt::search(Engine& engine, const SearchRequest& request, const InfoSink& sink) {
    aim_at(&engine);
    // Armed here, so that a signal that came before is not forgotten by the search.
    engine.arm(request);
    if (requested_) engine.stop();
    auto result = engine.search(request, sink);
    aim_at(nullptr);
    return take(std::move(result));
}

}  // namespace karikomi::cli
