/// The book as text, one line a position.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/games/othello/book.hpp"
#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/records_detail.hpp"

namespace karikomi::othello {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// A whole number from the front of the text, which is taken off.
template <class Number> std::optional<Number> take_number(std::string_view& text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    Number number{};
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return number;
}

Error bad_item(std::string_view item, const char* why) {
    return {fmt::format("'{}': {}", item.substr(0, 40), why),
            "write moves as f5:+0.50/18@95, then level N and games W D L DISCS"};
}

/// "f5:+0.50/18@95", the depth perhaps "end"; depth and confidence may be missing.
Expected<BookLink> parse_link(std::string_view item, const Board& board) {
    const std::size_t colon = item.find(':');
    const auto square = parse_square(item.substr(0, colon));
    if (!square) return square.error();
    if (*square == kPass || (board.moves() & bit(*square)) == 0) {
        return bad_item(item, "the move is not legal here");
    }
    BookLink link;
    link.square = static_cast<std::uint8_t>(*square);
    std::string_view rest = trimmed(item.substr(colon + 1));
    std::size_t used = 0;
    const auto discs = detail::leading_number(rest, used);
    if (!discs || std::abs(*discs) > 64) return bad_item(item, "no value from -64 to +64");
    link.value = static_cast<std::int16_t>(std::lround(*discs * kDisc));
    rest.remove_prefix(used);
    if (rest.starts_with("/end")) {
        rest.remove_prefix(4);
        link.solved = true;
        link.depth = static_cast<std::uint8_t>(board.empties());
    } else if (rest.starts_with('/')) {
        rest.remove_prefix(1);
        const auto depth = take_number<int>(rest);
        if (!depth || *depth < 0 || *depth > 255) return bad_item(item, "no depth after '/'");
        link.depth = static_cast<std::uint8_t>(*depth);
    }
    if (rest.starts_with('@')) {
        rest.remove_prefix(1);
        const auto percent = take_number<int>(rest);
        if (!percent || *percent < 0 || *percent > 100) {
            return bad_item(item, "no percentage after '@'");
        }
        link.confidence = static_cast<std::uint8_t>(*percent);
    }
    if (!trimmed(rest).empty()) return bad_item(item, "more than a move, value, depth and percent");
    return link;
}

/// "level 21" or "games 5 3 4 +37".
Status parse_fact(std::string_view item, BookEntry& entry) {
    std::string_view rest = item;
    if (item.starts_with("level ")) {
        rest.remove_prefix(6);
        const auto level = take_number<int>(rest);
        if (!level || *level < 0 || *level > 100 || !rest.empty()) {
            return bad_item(item, "no level from 0 to 100");
        }
        entry.level = *level;
        return {};
    }
    if (!item.starts_with("games ")) return bad_item(item, "neither a move nor level nor games");
    rest.remove_prefix(6);
    const auto wins = take_number<std::uint32_t>(rest);
    const auto draws = take_number<std::uint32_t>(rest);
    const auto losses = take_number<std::uint32_t>(rest);
    const auto discs = take_number<std::int64_t>(rest);
    if (!wins || !draws || !losses || !discs || !trimmed(rest).empty()) {
        return bad_item(item, "not four numbers");
    }
    entry.results = {*wins, *draws, *losses, *discs};
    return {};
}

}  // namespace

std::string format_book_line(const BookEntry& entry) {
    std::string line = format_obf({entry.board, Colour::Black}) + ";";
    for (const BookLink& l : entry.links) {
        line += fmt::format(" {}:{:+.2f}", format_square(l.square), l.value / double{kDisc});
        if (l.solved) {
            line += "/end";
        } else if (l.depth > 0) {
            line += fmt::format("/{}", l.depth);
        }
        if (l.confidence > 0) line += fmt::format("@{}", l.confidence);
        line += ";";
    }
    if (entry.level >= 0) line += fmt::format(" level {};", entry.level);
    const BookResults& r = entry.results;
    if (r.games() > 0) {
        line += fmt::format(" games {} {} {} {:+};", r.wins, r.draws, r.losses, r.discs);
    }
    return line;
}

Expected<BookEntry> parse_book_line(std::string_view line) {
    const auto obf = parse_obf_line(line);
    if (!obf) return obf.error();
    const Board& board = obf->position.board;
    if (board.moves() == 0) {
        return Error{"the side to move has no move", "leave such positions out"};
    }
    BookEntry facts;
    std::vector<BookLink> links;
    std::string_view rest = obf->rest;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view item = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (item.empty()) continue;
        if (item.find(':') == std::string_view::npos) {
            if (const Status s = parse_fact(item, facts); !s) return s.error();
            continue;
        }
        const auto link = parse_link(item, board);
        if (!link) return link.error();
        links.push_back(*link);
    }
    BookEntry entry = canonical_entry(board, std::move(links));
    entry.level = facts.level;
    entry.results = facts.results;
    return entry;
}

}  // namespace karikomi::othello
