#include "karikomi/cli/interrupt.hpp"

#include <cstdlib>

#include <pthread.h>

#include "karikomi/engine/console.hpp"

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
        if (!stop_.request_stop()) std::_Exit(kBroken);  // it was asked for before
    }
}

}  // namespace karikomi::cli
