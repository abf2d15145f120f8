#include "karikomi/cli/output.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "karikomi/base/system.hpp"

namespace karikomi::cli {

Progress::Progress(std::string what, std::uint64_t total, std::uint64_t before)
    : what_(std::move(what)),
      total_(static_cast<double>(total)),
      before_(static_cast<double>(before)),
      start_(std::chrono::steady_clock::now()),
      enabled_(os::is_terminal(os::Stream::Errors)) {}

void Progress::show(double done, std::string_view now) {
    const auto time = std::chrono::steady_clock::now();
    if (!enabled_ || time - last_ < std::chrono::milliseconds(100)) return;
    last_ = time;
    const std::chrono::duration<double> spent = time - start_;
    std::string line = what_;
    if (total_ > 0) line += fmt::format(": {:.0f} %", 100.0 * done / total_);
    if (done > before_ && done <= total_) {
        const double left = spent.count() * (total_ - done) / (done - before_);
        line += fmt::format(", about {:.0f} s left", left);
    }
    const std::size_t columns = os::terminal_columns(os::Stream::Errors);
    const std::size_t room = columns > 0 ? columns : 80;
    fmt::print(stderr, "\r\033[K{}  {}", line,
               shortened(now, room - std::min(room - 10, line.size() + 3)));
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace karikomi::cli
