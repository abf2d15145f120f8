#include <algorithm>
#include <atomic>
#include <mutex>

// clang-format off: the others need what windows.h declares
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
// clang-format on

#include "karikomi/base/input.hpp"

namespace karikomi::os {

/// Windows cannot wait for a pipe and for something else at once. The reader waits in the read
/// itself; wake() breaks that off, again and again until the reader has seen it.
struct Input::System {
    HANDLE handle = INVALID_HANDLE_VALUE;
    std::mutex mutex;
    HANDLE reader = nullptr;  ///< the thread that waits in a read
    std::atomic<bool> woken{false};
};

Input::Input(int descriptor) : system_(std::make_unique<System>()) {
    const auto known = _get_osfhandle(descriptor);
    if (known > 0) system_->handle = reinterpret_cast<HANDLE>(known);  // NOLINT: the system's
}

Input::~Input() {
    wake();
}

void Input::wake() {
    system_->woken = true;
    // A read that cannot be broken off (a pipe of another system below this one) ends with the
    // program that writes into it, so there is an end to the trying.
    for (int i = 0; i < 100; ++i) {
        {
            const std::lock_guard lock(system_->mutex);
            if (system_->reader == nullptr) return;
            CancelSynchronousIo(system_->reader);
        }
        Sleep(10);
    }
}

std::ptrdiff_t Input::read(char* to, std::size_t size) {
    if (system_->handle == INVALID_HANDLE_VALUE) return 0;
    HANDLE self = nullptr;
    DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &self, 0, FALSE,
                    DUPLICATE_SAME_ACCESS);
    {
        const std::lock_guard lock(system_->mutex);
        system_->reader = self;
    }
    DWORD done = 0;
    BOOL good = FALSE;
    if (!system_->woken) {
        const auto most = static_cast<DWORD>(std::min<std::size_t>(size, 1U << 20U));
        good = ReadFile(system_->handle, to, most, &done, nullptr);
    }
    {
        const std::lock_guard lock(system_->mutex);
        system_->reader = nullptr;
    }
    if (self != nullptr) CloseHandle(self);
    return good != 0 && !system_->woken ? static_cast<std::ptrdiff_t>(done) : 0;
}

}  // namespace karikomi::os
