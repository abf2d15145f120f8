/// A program that we talk to line by line. Written on the system's own calls and not on
/// Boost.Process, because each of these matters here: a pipe must not leak into programs started at
/// the same time (their end of file would never come), a read needs a deadline, a program that does
/// not read must not block us, and it must die with us.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "karikomi/base/expected.hpp"
#include "karikomi/base/stop.hpp"

namespace karikomi::match {

class Child {
public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    enum class Read : std::uint8_t { Line, Timeout, Closed, Stopped };

    Child() = default;
    ~Child() { kill(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// `command` is for /bin/sh. `cpu` >= 0 ties it to one processor.
    Status start(const std::string& command, const std::string& folder, int cpu);
    bool running() const { return pid_ > 0; }

    /// False when the program is gone or does not read.
    bool write(std::string_view line);
    /// The next line of its stdout, without line end. Its stderr only goes to the last lines.
    Read read(std::string& line, Time deadline);
    /// Throws away what has come and was not read.
    void drain();

    /// Waits for its end and kills what is left of its process group.
    void finish(std::chrono::milliseconds grace);
    void kill();
    /// "ended with code 3", "killed by signal 11 (Segmentation fault)", or empty.
    const std::string& end() const { return end_; }

    /// From now on reads return Stopped when this asks for it.
    void stop_on(StopToken stop) { stop_ = std::move(stop); }

    /// What went to it ("> "), came from it ("< ") and from its stderr ("! "), oldest first.
    std::vector<std::string> last_lines() const;

private:
    static constexpr std::size_t kKept = 20;

    void remember(char direction, std::string_view text);
    bool fill(int fd, std::string& buffer);
    void take_errors(bool rest);
    void collect(bool block);
    void close_pipes();

    pid_t pid_ = -1;
    int in_ = -1;   ///< we write
    int out_ = -1;  ///< we read
    int err_ = -1;
    std::string out_text_;
    std::string err_text_;
    std::string end_;
    StopToken stop_;
    mutable std::mutex mutex_;  ///< guards last_
    struct Remembered {
        std::string line;
        int times = 1;  ///< in a row: a flood must not wash away what came before
    };
    std::deque<Remembered> last_;
};

}  // namespace karikomi::match
