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

}  // namespace

std::optional<BookMove> parse_book_move(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty()) return std::nullopt;
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

std::string format_book_move(const BookMove& m) {
    return fmt::format("{} {} {} {} {}", format_usi(m.move),
                       m.answer.raw() == kNoMove ? "none" : format_usi(m.answer), m.value, m.depth,
                       m.count);
}

std::string book_text(const Board& b) {
    std::string text = format_sfen(b, 1);
    text.resize(text.rfind(' '));
    return text;
}

Board flipped(const Board& b) {
    Board out;
    for (Square s = 0; s < kSquares; ++s) {
        const Piece p = b.on(s);
        if (p != kNoPiece) out.put(make_piece(opposite(colour_of(p)), type_of(p)), turned(s));
    }
    for (const Colour c : {kBlack, kWhite}) {
        for (const PieceType t : kHandOrder) {
            for (int i = b.hand(c).count(t); i > 0; --i) out.give(opposite(c), t);
        }
    }
    (void)out.finish(opposite(b.side()));  // what is allowed stays so
    return out;
}

Move flipped(Move m) {
    if (m.raw() == kNoMove || m.is_declaration()) return m;
    return m.is_drop() ? Move::drop(m.dropped(), turned(m.to()))
                       : Move::board(turned(m.from()), turned(m.to()), m.promotes());
}

// ---- On the fly ---------------------------------------------------------------------------------

/// A book on the disk, found by halving: every look reads a few dozen lines.
class SortedBookFile {
public:
    explicit SortedBookFile(const std::filesystem::path& file)
        : in_(file, std::ios::binary),
          size_(in_ ? static_cast<std::int64_t>(std::filesystem::file_size(file)) : 0) {}

    bool is_open() const { return static_cast<bool>(in_); }
    /// Looks at some places only: a whole large file would take minutes.
    bool looks_sorted() {
        constexpr std::int64_t kLooks = 256;
        std::string last;
        for (std::int64_t i = 0; i < kLooks; ++i) {
            const auto here = position_from(size_ / kLooks * i);
            if (!here) break;
            if (here->text < last) return false;
            last = here->text;
        }
        return true;
    }
    std::vector<BookMove> moves(const std::string& wanted) {
        std::int64_t low = 0;
        std::int64_t high = size_;
        std::vector<BookMove> out;
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            const auto here = position_from(middle);
            if (!here || here->text > wanted) {
                high = middle;
            } else if (here->text < wanted) {
                low = here->after;
            } else {
                return moves_after(here->after);
            }
        }
        return out;
    }

private:
    struct Place {
        std::string text;  ///< of the position, without the move number
        std::int64_t after = 0;
    };
    /// The first position whose line begins there or later.
    std::optional<Place> position_from(std::int64_t offset) {
        in_.clear();
        in_.seekg(std::max<std::int64_t>(offset - 1, 0));
        std::string line;
        if (offset > 0) std::getline(in_, line);
        while (std::getline(in_, line)) {
            const auto words = words_of(line);
            if (words.size() < 4 || words[0] != "sfen") continue;
            const std::int64_t after = in_.eof() ? size_ : static_cast<std::int64_t>(in_.tellg());
            return Place{fmt::format("{} {} {}", words[1], words[2], words[3]), after};
        }
        return std::nullopt;
    }
    std::vector<BookMove> moves_after(std::int64_t offset) {
        std::vector<BookMove> out;
        in_.clear();
        in_.seekg(offset);
        for (std::string line; std::getline(in_, line) && !line.starts_with("sfen");) {
            if (line.starts_with('#') || line.starts_with("//")) continue;
            if (const auto m = parse_book_move(line)) out.push_back(*m);
        }
        return out;
    }

    std::ifstream in_;
    std::int64_t size_;
};

// ---- The book -----------------------------------------------------------------------------------

Expected<Book> Book::open(const std::filesystem::path& file) {
    Book book;
    book.file_ = std::make_shared<SortedBookFile>(file);
    if (!book.file_->is_open())
        return Error{fmt::format("{}: cannot be read", file.string()), "check the path"};
    if (!book.file_->looks_sorted()) {
        return Error{fmt::format("{}: its positions are not sorted", file.string()),
                     "sort it with `karikomi book shogi merge NEW.db FILE`, or read it whole"};
    }
    return book;
}

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
        if (const auto m = parse_book_move(line)) moves->push_back(*m);
    }
    return book;
}

std::vector<BookMove> Book::raw_moves(const Board& b) const {
    if (file_) return file_->moves(book_text(b));
    const auto found = positions_.find(b.key());
    return found == positions_.end() ? std::vector<BookMove>() : found->second;
}

std::vector<BookMove> Book::moves(const Board& b) const {
    std::vector<BookMove> out;
    for (BookMove m : raw_moves(b)) {
        if (!b.is_legal(m.move)) continue;
        Board next = b;
        BoardUndo undo;
        next.do_move(m.move, undo);
        if (!next.is_legal(m.answer)) m.answer = Move();
        out.push_back(m);
    }
    return out;
}

std::vector<BookMove> Book::moves_either_way(const Board& b) const {
    std::vector<BookMove> out = moves(b);
    if (!out.empty()) return out;
    out = moves(flipped(b));
    for (BookMove& m : out) {
        m.move = flipped(m.move);
        m.answer = flipped(m.answer);
    }
    return out;
}

std::optional<BookMove> Book::choose(const Board& b, const BookTaste& taste,
                                     std::uint64_t random) const {
    std::vector<BookMove> good = taste.flipped ? moves_either_way(b) : moves(b);
    std::erase_if(good, [&](const BookMove& m) { return m.depth < taste.least_depth; });
    if (good.empty()) return std::nullopt;
    Value best = -kInfinity;
    for (const BookMove& m : good) best = std::max(best, m.value);
    std::erase_if(good, [&](const BookMove& m) { return m.value < best - taste.margin; });
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
