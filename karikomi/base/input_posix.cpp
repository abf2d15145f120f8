#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "karikomi/base/input.hpp"

namespace karikomi::os {

struct Input::System {
    int descriptor;
    int wake[2] = {-1, -1};  ///< a pipe: its closing wakes the reader
};

Input::Input(int descriptor) : system_(std::make_unique<System>()) {
    // Asked before the pipe is made, which would take the number of a closed one.
    system_->descriptor = ::fcntl(descriptor, F_GETFD) < 0 ? -1 : descriptor;
    if (::pipe2(system_->wake, O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category());
    }
}

Input::~Input() {
    wake();
    ::close(system_->wake[0]);
}

void Input::wake() {
    if (system_->wake[1] >= 0) ::close(system_->wake[1]);
    system_->wake[1] = -1;
}

std::ptrdiff_t Input::read(char* to, std::size_t size) {
    if (system_->descriptor < 0) return 0;
    std::array<struct pollfd, 2> both = {
        {{system_->descriptor, POLLIN, 0}, {system_->wake[0], POLLIN, 0}}};
    int ready = 0;
    do {
        ready = ::poll(both.data(), both.size(), -1);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0 || both[1].revents != 0) return 0;
    const ssize_t n = ::read(system_->descriptor, to, size);
    if (n < 0) return errno == EINTR || errno == EAGAIN ? -1 : 0;
    return n;
}

}  // namespace karikomi::os
