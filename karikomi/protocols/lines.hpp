/// Lines in, lines out: what all protocols share. Input is read on a thread of its own, so that a
/// line which must end a search is seen while the search runs.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "karikomi/base/input.hpp"
#include "karikomi/engine/protocol.hpp"

namespace karikomi::protocols {

using karikomi::Direction;
using karikomi::Streams;
using karikomi::Summary;
using karikomi::Transcript;

/// One line of input, without its end (LF or CR LF). It may hold any bytes.
struct InputLine {
    std::string text;
    std::uint64_t number = 0;  ///< counted from 1
    bool whole = true;         ///< false: longer than kLongestLine, the rest was dropped
};

/// No command of any protocol comes near it; more would only fill the memory.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// How long a search may go on when the other side has gone.
inline constexpr std::chrono::milliseconds kGrace{1000};

/// Reads a file descriptor line by line and queues the lines: none is lost, however long the owner
/// is busy. The end of the input ends the queue, after the lines before it.
class LineReader {
public:
    /// Called on the reading thread at the moment when a line arrives or the input ends.
    struct Events {
        /// A line arrived. False: it says goodbye, nothing after it will be read.
        std::function<bool(const InputLine&)> line;
        std::function<void()> end;         ///< no more lines will come
        std::function<void()> grace_over;  ///< kGrace after that, unless the reader is gone by then
    };
    LineReader(int descriptor, Events events);
    ~LineReader();  ///< ends the reading thread, also in the middle of a line
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// Waits for the next line; nothing after the last one.
    std::optional<InputLine> next();

private:
    void read_all();
    /// False when there is nothing more to read.
    bool read_some();
    void take(std::string_view piece);
    bool finish_line();  ///< false when the line was the last one

    os::Input input_;
    Events events_;
    InputLine current_;  ///< the line that is being read

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<InputLine> lines_;
    bool ended_ = false;
    bool leaving_ = false;  ///< the reader is about to go
    std::condition_variable left_;
    std::thread thread_;
};

/// Writes lines, each at once, from any thread.
class Speaker {
public:
    Speaker(std::FILE* output, Transcript transcript)
        : output_(output), transcript_(std::move(transcript)) {}
    Speaker(const Speaker&) = delete;
    Speaker& operator=(const Speaker&) = delete;

    void say(std::string_view line);
    /// A line of the other side, for the transcript only.
    void heard(std::string_view line);
    /// Nobody reads any more: there is nothing left to do.
    bool is_broken() const { return broken_; }

private:
    std::FILE* output_;
    std::mutex output_mutex_;
    Transcript transcript_;
    std::mutex transcript_mutex_;  ///< its own: who reads must not wait for who writes
    std::atomic<bool> broken_{false};
};

// ---- Words --------------------------------------------------------------------------------------
/// "F5" as "f5"; only ASCII letters change.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
std::string_view trimmed(std::string_view text);
/// The first word, which is taken away from `text`; empty when there is none.
std::string_view take_word(std::string_view& text);
/// A whole number, and nothing else in the text.
std::optional<std::int64_t> parse_whole(std::string_view text);
/// A finite decimal number, and nothing else in the text.
std::optional<double> parse_decimal(std::string_view text);

}  // namespace karikomi::protocols
