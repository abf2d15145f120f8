#include "karikomi/engine/text.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "karikomi/base/system.hpp"

namespace karikomi {
namespace {

bool wants_colour() {
    const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: any text but the empty one
    return os::is_terminal(os::Stream::Output) && (no_colour == nullptr || *no_colour == '\0');
}

std::string styled(std::string_view text, int code) {
    static const bool kColour = wants_colour();
    return kColour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

/// Characters, not bytes.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

/// Bytes of the character that starts here, 0 if none does. Refuses surrogates and long forms.
std::size_t character_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t n = first >= 0xc2 && first < 0xe0   ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    if (n == 0 || s.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
    if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
    return n;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t n = character_length(bytes);
        if (n == 0) return false;
        bytes.remove_prefix(n);
    }
    return true;
}

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string duration(std::int64_t us) {
    const double s = static_cast<double>(us) / 1e6;
    return s < 100.0 ? fmt::format("{:.3f} s", s) : fmt::format("{:.1f} s", s);
}

std::string shortened(std::string_view text, std::size_t width) {
    if (text.size() <= width) return std::string(text);
    return fmt::format("{}...", text.substr(0, width - 3));
}

std::string counted(std::int64_t n, std::string_view thing) {
    return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

std::string bold(std::string_view text) {
    return styled(text, 1);
}

std::string dim(std::string_view text) {
    return styled(text, 2);
}

std::size_t terminal_width() {
    return os::terminal_columns(os::Stream::Output);
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string pad(widths[i] - std::min(widths[i], width_of(cells[i])), ' ');
        if (i > 0) out += "  ";
        out += columns_[i].right ? pad + cells[i] : cells[i] + pad;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string Table::text() const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (const Column& c : columns_) {
        titles.push_back(c.title);
        widths.push_back(width_of(c.title));
    }
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    std::size_t whole = 2 * (widths.size() - 1);
    for (const std::size_t w : widths) whole += w;
    std::string out = dim(line(titles, widths)) + "\n";
    for (const auto& row : rows_) {
        out += (row.empty() ? dim(std::string(whole, '-')) : line(row, widths)) + "\n";
    }
    return out;
}

}  // namespace karikomi
