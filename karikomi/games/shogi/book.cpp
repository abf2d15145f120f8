#include "karikomi/games/shogi/book.hpp"

#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "karikomi/base/text.hpp"
#include "karikomi/games/shogi/notation.hpp"

namespace karikomi::shogi {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        const auto from = line.find_first_not_of(" \t\r");
        if (from == std::string_view::npos) return words;
        const auto to = std::min(line.find_first_of(" \t\r", from), line.size());
        words.push_back(line.substr(from, to - from));
        line.remove_prefix(to);
    }
}

/// A whole number; anything else is 0: books of other makers put words there.
long number_of(std::string_view word) {
    long n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    return error == std::errc{} && end == word.data() + word.size() ? n : 0;
}

/// Nothing where the line has no move to play ("none", "resign").
std::optional<BookMove> read_move(const std::vector<std::string_view>& words) {
    const auto move = parse_usi(words[0]);
    if (!move || move->is_declaration()) return std::nullopt;
    BookMove m;
    m.move = *move;
    if (words.size() > 1) {
        if (const auto answer = parse_usi(words[1])) m.answer = *answer;
    }
    if (words.size() > 2) {
        m.value = static_cast<Value>(std::clamp<long>(number_of(words[2]), -kInfinity, kInfinity));
    }
    if (words.size() > 3) m.depth = static_cast<int>(std::clamp<long>(number_of(words[3]), 0, 999));
    if (words.size() > 4) m.count = std::clamp<long>(number_of(words[4]), 0, 1'000'000'000);
    return m;
}

}  // namespace

Expected<Book> Book::load(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return Error{fmt::format("{}: cannot be read", file.string()), "check the path"};
    return read(in, file.string());
}

Expected<Book> Book::read(std::istream& in, const std::string& name) {
    Book book;
    std::vector<BookMove>* moves = nullptr;
    long number = 0;
    const auto wrong = [&](const std::string& what) {
        return Error{fmt::format("{}, line {}: {}", name, number, what),
                     "give a book in YaneuraOu's text form"};
    };
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
        if (line.starts_with('#') || line.starts_with("//")) continue;
        const auto words = words_of(line);
        if (words.empty()) continue;
        if (words[0] == "sfen") {
            const auto diagram =
                parse_sfen(trimmed(std::string_view(line).substr(line.find("sfen") + 4)));
            if (!diagram) return wrong(diagram.error().what);
            moves = &book.positions_[diagram->board.key()];
            continue;
        }
        if (moves == nullptr) return wrong("a move before any position");
        if (const auto m = read_move(words)) moves->push_back(*m);
    }
    return book;
}

std::vector<BookMove> Book::moves(const Board& b) const {
    std::vector<BookMove> out;
    const auto found = positions_.find(b.key());
    if (found == positions_.end()) return out;
    for (BookMove m : found->second) {
        if (!b.is_legal(m.move)) continue;
        Board next = b;
        BoardUndo undo;
        next.do_move(m.move, undo);
        if (!next.is_legal(m.answer)) m.answer = Move();
        out.push_back(m);
    }
    return out;
}

std::optional<BookMove> Book::choose(const Board& b, Value margin, std::uint64_t random) const {
    std::vector<BookMove> good = moves(b);
    if (good.empty()) return std::nullopt;
    Value best = -kInfinity;
    for (const BookMove& m : good) best = std::max(best, m.value);
    std::erase_if(good, [&](const BookMove& m) { return m.value < best - margin; });
    std::uint64_t total = 0;
    for (const BookMove& m : good) total += static_cast<std::uint64_t>(std::max(m.count, 1L));
    std::uint64_t at = random % total;
    for (const BookMove& m : good) {
        const auto share = static_cast<std::uint64_t>(std::max(m.count, 1L));
        if (at < share) return m;
        at -= share;
    }
    return good.back();
}

}  // namespace karikomi::shogi
