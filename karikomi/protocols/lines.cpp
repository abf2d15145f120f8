#include "karikomi/protocols/lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace karikomi::protocols {

// ---- Reading ------------------------------------------------------------------------------------

LineReader::LineReader(int descriptor, Events events)
    : input_(descriptor), events_(std::move(events)) {
    current_.number = 1;
    thread_ = std::thread([this] { read_all(); });
}

LineReader::~LineReader() {
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
    }
    left_.notify_all();
    input_.wake();
    thread_.join();
}

std::optional<InputLine> LineReader::next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !lines_.empty() || ended_; });
    if (lines_.empty()) return std::nullopt;
    InputLine line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void LineReader::read_all() {
    while (read_some()) {
    }
    events_.end();
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    arrived_.notify_all();
    std::unique_lock lock(mutex_);
    if (left_.wait_for(lock, kGrace, [this] { return leaving_; })) return;
    lock.unlock();
    events_.grace_over();
}

bool LineReader::read_some() {
    std::array<char, 1 << 16> buffer;
    const std::ptrdiff_t size = input_.read(buffer.data(), buffer.size());
    if (size < 0) return true;
    if (size == 0) {  // a last line without an end is a line too
        if (!current_.text.empty()) finish_line();
        return false;
    }
    std::string_view rest(buffer.data(), static_cast<std::size_t>(size));
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        take(rest.substr(0, end));
        if (end == std::string_view::npos) return true;
        if (!finish_line()) return false;
        rest.remove_prefix(end + 1);
    }
    return true;
}

void LineReader::take(std::string_view piece) {
    const std::size_t room = kLongestLine - current_.text.size();
    if (piece.size() > room) current_.whole = false;
    current_.text.append(piece.substr(0, room));
}

bool LineReader::finish_line() {
    InputLine line;
    std::swap(line, current_);
    current_.number = line.number + 1;
    if (!line.text.empty() && line.text.back() == '\r') line.text.pop_back();
    // The event comes first: whoever takes the line from the queue finds its effects in place.
    const bool goes_on = events_.line(line);
    {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
    }
    arrived_.notify_all();
    return goes_on;
}

// ---- Writing ------------------------------------------------------------------------------------

void Speaker::say(std::string_view line) {
    if (transcript_) {
        const std::lock_guard lock(transcript_mutex_);
        transcript_(Direction::Out, line);
    }
    const std::lock_guard lock(output_mutex_);
    if (broken_) return;
    const bool written = std::fwrite(line.data(), 1, line.size(), output_) == line.size() &&
                         std::fputc('\n', output_) != EOF && std::fflush(output_) == 0;
    broken_ = !written;
}

void Speaker::heard(std::string_view line) {
    if (!transcript_) return;
    const std::lock_guard lock(transcript_mutex_);
    transcript_(Direction::In, line);
}

// ---- Words --------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

}  // namespace

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string upper_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text = trimmed(text.substr(word.size()));
    return word;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);  // NOLINT: knows its end
    if (code != std::errc() || stop != end || text.empty()) return std::nullopt;
    return value;
}

std::optional<double> parse_decimal(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);  // NOLINT: knows its end
    const bool is_number = code == std::errc() && stop == end && std::isfinite(value);
    return is_number ? std::optional(value) : std::nullopt;
}

}  // namespace karikomi::protocols
