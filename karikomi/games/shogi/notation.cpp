#include "karikomi/games/shogi/notation.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace karikomi::shogi {
namespace {

constexpr std::string_view kLetters = "?PLNSBRGK";

/// The type of an SFEN letter of either case, kNoType for none.
PieceType type_of_letter(char c) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const std::size_t at = kLetters.find(upper, 1);
    return at == std::string_view::npos ? kNoType : static_cast<PieceType>(at);
}
Colour colour_of_letter(char c) {
    return c >= 'a' && c <= 'z' ? kWhite : kBlack;
}

/// A character as an error message may show it.
std::string shown(char c) {
    if (c > ' ' && c < 127) return fmt::format("'{}'", c);
    return fmt::format("character code {}", static_cast<int>(static_cast<unsigned char>(c)));
}
/// Text as an error message may show it: short, and nothing that a terminal would act on.
std::string shown(std::string_view text) {
    std::string s;
    for (const char c : text.substr(0, 20)) s += c >= ' ' && c < 127 ? c : '?';
    return fmt::format("'{}{}'", s, text.size() > 20 ? "..." : "");
}

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t at = 0;
    while (true) {
        at = text.find_first_not_of(" \t\r\n", at);
        if (at == std::string_view::npos) return words;
        const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
}

Error sfen_error(const std::string& what) {
    return Error{"SFEN: " + what, "see `karikomi show shogi --json` for a well-formed one"};
}

/// One rank, files 9 to 1.
Status read_rank(std::string_view text, int rank, Board& board) {
    const char name = static_cast<char>('a' + rank);
    int file = 9;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c >= '1' && c <= '9') {
            file -= c - '0';
            if (file < 0) return sfen_error(fmt::format("rank {} has more than 9 files", name));
            continue;
        }
        const bool plus = c == '+';
        if (plus) c = ++i < text.size() ? text[i] : ' ';
        PieceType t = type_of_letter(c);
        if (t == kNoType) return sfen_error(fmt::format("rank {}: {} is no piece", name, shown(c)));
        if (plus && !can_promote(t)) {
            return sfen_error(fmt::format("rank {}: {} cannot promote", name, shown(c)));
        }
        if (file < 1) return sfen_error(fmt::format("rank {} has more than 9 files", name));
        if (t == kKing && board.king(colour_of_letter(c)) != kNowhere) {
            return sfen_error(fmt::format("{} has two kings", name_of(colour_of_letter(c))));
        }
        if (plus) t = promoted(t);
        board.put(make_piece(colour_of_letter(c), t), square_at(file--, rank));
    }
    if (file > 0) return sfen_error(fmt::format("rank {} has {} of 9 files", name, 9 - file));
    return {};
}

Status read_ranks(std::string_view text, Board& board) {
    for (int rank = 0; rank < 9; ++rank) {
        const std::size_t end = std::min(text.find('/'), text.size());
        if (const Status s = read_rank(text.substr(0, end), rank, board); !s) return s;
        const bool more = end < text.size();
        if (rank < 8 && !more) return sfen_error(fmt::format("{} of 9 ranks", rank + 1));
        if (rank == 8 && more) return sfen_error("more than 9 ranks");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {};
}

Status read_hands(std::string_view text, Board& board) {
    if (text == "-") return {};
    for (std::size_t i = 0; i < text.size(); ++i) {
        int n = 0;
        const std::size_t digits = i;
        while (i < text.size() && text[i] >= '0' && text[i] <= '9' && n < 100) {
            n = 10 * n + (text[i++] - '0');
        }
        if (i == text.size()) return sfen_error("hands end with a number");
        const bool counted = i > digits;
        const char c = text[i];
        const PieceType t = type_of_letter(c);
        if (t == kNoType || t == kKing) {
            return sfen_error(fmt::format("hands: {} cannot be in hand", shown(c)));
        }
        if (counted && (n < 2 || text[digits] == '0')) {
            return sfen_error(fmt::format("hands: number {} before {}", n, shown(c)));
        }
        const Colour owner = colour_of_letter(c);
        if (board.hand(owner).has(t)) return sfen_error(fmt::format("hands: {} twice", shown(c)));
        // Beyond a full set the numbers would not fit; finish() says how many are too many.
        const int most = kFullSet[static_cast<std::size_t>(t)];
        if (n > most) return sfen_error(fmt::format("hands: {} of {}, a set has {}", n, c, most));
        for (int k = 0; k < std::max(n, 1); ++k) board.give(owner, t);
    }
    return {};
}

}  // namespace

std::string_view name_of(Colour c) {
    return c == kBlack ? "Black" : "White";
}

std::string letter_of(PieceType t) {
    if (is_promoted(t)) return std::string("+") + kLetters[static_cast<std::size_t>(demoted(t))];
    return std::string(1, kLetters[static_cast<std::size_t>(t)]);
}

std::string format_square(Square s) {
    return fmt::format("{}{}", file_of(s), static_cast<char>('a' + rank_of(s)));
}

Expected<Diagram> parse_sfen(std::string_view text) {
    const std::vector<std::string_view> words = split_words(text);
    if (words.size() < 3) {
        return sfen_error(fmt::format("{} of board, side and hands", words.size()));
    }
    if (words.size() > 4) return sfen_error(fmt::format("more text: {}", shown(words[4])));
    Diagram d;
    if (const Status s = read_ranks(words[0], d.board); !s) return s.error();
    if (words[1] != "b" && words[1] != "w") {
        return sfen_error(fmt::format("side {} is neither b nor w", shown(words[1])));
    }
    if (const Status s = read_hands(words[2], d.board); !s) return s.error();
    if (words.size() == 4) {
        const std::string_view n = words[3];
        const auto [end, error] = std::from_chars(n.data(), n.data() + n.size(), d.move_number);
        if (error != std::errc{} || end != n.data() + n.size() || d.move_number < 0 ||
            d.move_number > 1'000'000) {
            return sfen_error(fmt::format("move number {}", shown(n)));
        }
        d.move_number = std::max(d.move_number, 1);  // some programs count from 0
    }
    const Status s = d.board.finish(words[1] == "b" ? kBlack : kWhite);
    if (!s) return Error{"SFEN: " + s.error().what, s.error().remedy};
    return d;
}

std::string format_sfen(const Board& board, int move_number) {
    std::string text;
    for (int rank = 0; rank < 9; ++rank) {
        if (rank > 0) text += '/';
        int empty = 0;
        for (int file = 9; file >= 1; --file) {
            const Piece p = board.on(square_at(file, rank));
            if (p == kNoPiece) {
                ++empty;
                continue;
            }
            if (empty > 0) text += fmt::format("{}", std::exchange(empty, 0));
            std::string letter = letter_of(type_of(p));
            if (colour_of(p) == kWhite) letter.back() = static_cast<char>(letter.back() + 32);
            text += letter;
        }
        if (empty > 0) text += fmt::format("{}", empty);
    }
    std::string hands;
    for (const Colour c : {kBlack, kWhite}) {
        for (const PieceType t : kHandOrder) {
            const int n = board.hand(c).count(t);
            if (n == 0) continue;
            if (n > 1) hands += fmt::format("{}", n);
            hands += static_cast<char>(kLetters[static_cast<std::size_t>(t)] + 32 * c);
        }
    }
    return fmt::format("{} {} {} {}", text, board.side() == kBlack ? 'b' : 'w',
                       hands.empty() ? "-" : hands, move_number);
}

// ---- Moves --------------------------------------------------------------------------------------
namespace {

Square parse_square(std::string_view text) {
    const int file = text[0] - '0';
    const int rank = text[1] - 'a';
    return is_on_board(file, rank) ? square_at(file, rank) : kNowhere;
}

}  // namespace

Expected<Move> parse_usi(std::string_view text) {
    const Error wrong{fmt::format("{} is not a move", shown(text)),
                      "write 7g7f, 8h2b+ (promotes) or P*5e (drop)"};
    if (text == "win") return Move::declare();
    if (text.size() < 4 || text.size() > 5) return wrong;
    const Square to = parse_square(text.substr(2, 2));
    if (to == kNowhere) return wrong;
    if (text[1] == '*') {
        const PieceType t = type_of_letter(text[0]);
        const bool upper = text[0] >= 'A' && text[0] <= 'Z';
        if (text.size() != 4 || t == kNoType || t == kKing || !upper) return wrong;
        return Move::drop(t, to);
    }
    const Square from = parse_square(text);
    if (from == kNowhere || (text.size() == 5 && text[4] != '+')) return wrong;
    return Move::board(from, to, text.size() == 5);
}

std::string format_usi(Move m) {
    if (m.is_declaration()) return "win";
    if (m.is_drop()) return fmt::format("{}*{}", letter_of(m.dropped()), format_square(m.to()));
    return fmt::format("{}{}{}", format_square(m.from()), format_square(m.to()),
                       m.promotes() ? "+" : "");
}

// ---- Diagram ------------------------------------------------------------------------------------
namespace {

std::string describe_hand(const Board& board, Colour c) {
    std::string text;
    for (const PieceType t : kHandOrder) {
        const int n = board.hand(c).count(t);
        if (n > 0) text += fmt::format(" {}{}", letter_of(t), n > 1 ? std::to_string(n) : "");
    }
    return text.empty() ? " -" : text;
}

}  // namespace

std::string draw_board(const Board& board) {
    std::string text = fmt::format("White's hand:{}\n", describe_hand(board, kWhite));
    text += "   9  8  7  6  5  4  3  2  1\n";
    for (int rank = 0; rank < 9; ++rank) {
        for (int file = 9; file >= 1; --file) {
            const Piece p = board.on(square_at(file, rank));
            std::string cell = p == kNoPiece ? "." : letter_of(type_of(p));
            if (p != kNoPiece && colour_of(p) == kWhite) {
                cell.back() = static_cast<char>(cell.back() + 32);
            }
            text += fmt::format(" {:>2}", cell);
        }
        text += fmt::format("  {}\n", static_cast<char>('a' + rank));
    }
    text += fmt::format("Black's hand:{}\n", describe_hand(board, kBlack));
    return text + fmt::format("{} to move\n", name_of(board.side()));
}

}  // namespace karikomi::shogi
