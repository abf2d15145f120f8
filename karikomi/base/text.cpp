#include "karikomi/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace karikomi {

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = lower_case(c);
    return out;
}

std::string upper_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = upper_case(c);
    return out;
}

std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text = trimmed(text.substr(word.size()));
    return word;
}

std::vector<std::string_view> split_words(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t start = text.find_first_not_of(separators);
        if (start == std::string_view::npos) return words;
        text.remove_prefix(start);
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

#if defined(__cpp_lib_to_chars)
std::from_chars_result read_real(const char* first, const char* last, double& value, bool plain) {
    const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
    return std::from_chars(first, last, value, format);
}
#else
std::from_chars_result read_real(const char* first, const char* last, double& value, bool plain) {
    // strtod wants an end of its own, and takes blanks, signs and hexadecimal numbers besides.
    const std::string_view known = plain ? "0123456789.-" : "0123456789.-+eE";
    std::string text(first, std::find_if(first, last, [&](char c) {
                         return known.find(c) == std::string_view::npos;
                     }));
    char* stop = nullptr;
    const double read = std::strtod(text.c_str(), &stop);
    if (stop == text.c_str() || text.front() == '+') return {first, std::errc::invalid_argument};
    value = read;
    return {first + (stop - text.c_str()), std::errc()};
}
#endif

std::optional<double> parse_decimal(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = read_real(text.data(), end, value);
    const bool is_number = code == std::errc() && stop == end && std::isfinite(value);
    return is_number ? std::optional(value) : std::nullopt;
}

}  // namespace karikomi
