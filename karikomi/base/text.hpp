/// Words, letters and numbers in text. Letters are those of ASCII: no locale changes a result.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karikomi {

inline constexpr std::string_view kBlanks = " \t\r\n\v\f";

constexpr char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upper_case(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
/// "F5" as "f5".
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);

/// Without the blanks around it.
constexpr std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}
/// The first word, which is taken away from `text`; empty when there is none.
std::string_view take_word(std::string_view& text);
/// What lies between separators, one or more; nothing is empty.
std::vector<std::string_view> split_words(std::string_view text,
                                          std::string_view separators = kBlanks);
/// What lies between single separators; may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

/// A whole number, and nothing else in the text.
template <class Number = long> std::optional<Number> parse_whole(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || stop != end || text.empty()) return std::nullopt;
    return value;
}
/// As std::from_chars, which libc++ does not have for these before version 20. `plain`: a number
/// with an exponent ends before it.
std::from_chars_result read_real(const char* first, const char* last, double& value,
                                 bool plain = false);
/// A finite decimal number, and nothing else in the text.
std::optional<double> parse_decimal(std::string_view text);

}  // namespace karikomi
