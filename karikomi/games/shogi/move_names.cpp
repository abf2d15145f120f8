#include "karikomi/games/shogi/move_names.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/kif_words.hpp"
#include "karikomi/games/shogi/movegen.hpp"

namespace karikomi::shogi {
namespace {

using kif::skip_spaces;
using kif::take;

/// How a piece comes to its target, as its owner sees it.
struct Approach {
    int left = 0;       ///< greater: from farther left
    int direction = 0;  ///< 1 up, 0 sideways, -1 down
    bool is_straight = false;
};

Approach approach_of(const Board& board, Square from, Square to) {
    const Colour c = colour_of(board.on(from));
    const PieceType t = type_of(board.on(from));
    const int climb = relative_rank(c, from) - relative_rank(c, to);
    Approach a;
    a.left = c == kBlack ? file_of(from) : -file_of(from);
    a.direction = climb > 0 ? 1 : climb < 0 ? -1 : 0;
    // The strong pieces are never called straight.
    a.is_straight = climb == 1 && file_of(from) == file_of(to) && t != kHorse && t != kDragon;
    return a;
}

/// Pieces of the mover's, of this type, that reach the square. Pins are not looked at: whoever
/// reads the move need not know of them.
Bitboard rivals(const Board& board, PieceType t, Square to) {
    return board.attackers_of(to, board.side()) & board.pieces(t);
}

bool could_promote(const Board& board, Move m) {
    if (m.is_drop() || !can_promote(board.moved_type(m))) return false;
    return relative_rank(board.side(), m.to()) < 3 || relative_rank(board.side(), m.from()) < 3;
}

std::string_view word_of(PieceType t) {
    for (const kif::PieceWord& w : kif::kPieceWords) {
        if (w.type == t) return w.word;
    }
    return "？";
}

struct RelativeWord {
    std::string_view word;
    char letter;
};
/// The first word of a letter is the one to write.
constexpr std::array<RelativeWord, 9> kRelativeWords = {{{"左", 'L'},
                                                         {"直", 'C'},
                                                         {"右", 'R'},
                                                         {"上", 'U'},
                                                         {"寄", 'M'},
                                                         {"引", 'D'},
                                                         {"打", 'H'},
                                                         {"行", 'U'},
                                                         {"入", 'U'}}};

// ---- Reading ------------------------------------------------------------------------------------

/// What a move in Japanese says.
struct Said {
    Square to = kNowhere;
    PieceType type = kNoType;
    std::string relative{};
    bool promotes = false;
    bool drops = false;
    Square from = kNowhere;
};

Expected<Said> take_words(std::string_view& text, Square last_to) {
    Said said;
    said.to = last_to;
    if (take(text, "同")) {
        if (last_to == kNowhere) return Error{"there is no move before it"};
        skip_spaces(text);
    } else {
        const auto file = kif::take_digit(text, kif::kWideDigits);
        const auto rank = file ? kif::take_rank(text) : std::nullopt;
        if (!rank) return Error{"unknown square"};
        said.to = square_at(*file, *rank - 1);
        if (take(text, "同")) skip_spaces(text);
    }
    said.type = kif::take_piece(text);
    if (said.type == kNoType) return Error{"unknown piece"};
    for (bool more = true; more;) {
        more = false;
        for (const RelativeWord& w : kRelativeWords) {
            if (!take(text, w.word)) continue;
            said.relative += w.letter;
            more = true;
        }
    }
    if (!take(text, "不成") && !take(text, "生")) said.promotes = take(text, "成");
    said.drops = take(text, "打") || said.relative.ends_with('H');
    if (text.size() >= 4 && text[0] == '(' && text[3] == ')' &&
        is_on_board(text[1] - '0', text[2] - '1')) {
        said.from = square_at(text[1] - '0', text[2] - '1');
        text.remove_prefix(4);
    }
    return said;
}

/// Among these pieces those that the words mean.
std::vector<Square> told_apart(const Board& board, const Said& said, std::vector<Square> from) {
    const auto keep = [&](auto wanted) {
        std::erase_if(from, [&](Square s) { return !wanted(s); });
    };
    const auto approach = [&](Square s) { return approach_of(board, s, said.to); };
    const auto has = [&](char letter) { return said.relative.find(letter) != std::string::npos; };
    if (has('U')) keep([&](Square s) { return approach(s).direction > 0; });
    if (has('D')) keep([&](Square s) { return approach(s).direction < 0; });
    if (has('M')) keep([&](Square s) { return approach(s).direction == 0; });
    if (has('C')) {
        keep([&](Square s) { return approach(s).direction > 0 && file_of(s) == file_of(said.to); });
    }
    int most = -100;
    int least = 100;
    for (const Square s : from) {
        most = std::max(most, approach(s).left);
        least = std::min(least, approach(s).left);
    }
    if (has('L')) keep([&](Square s) { return approach(s).left == most; });
    if (has('R')) keep([&](Square s) { return approach(s).left == least; });
    return from;
}

Expected<Move> meant(const Board& board, const Said& said) {
    const Move drop = Move::drop(said.type, said.to);
    const bool in_hand = said.type <= kGold && board.hand(board.side()).count(said.type) > 0;
    if (said.drops) {
        if (said.type > kGold) return Error{"it cannot be dropped"};
        if (!board.is_legal(drop)) return Error{"not a legal move"};
        return drop;
    }
    if (said.from != kNowhere) {
        if (board.on(said.from) != make_piece(board.side(), said.type)) {
            return Error{"another piece stands there"};
        }
        const Move m = Move::board(said.from, said.to, said.promotes);
        if (!board.is_legal(m)) return Error{"not a legal move"};
        return m;
    }
    std::vector<Square> reach;
    for_each(rivals(board, said.type, said.to), [&](Square s) { reach.push_back(s); });
    std::vector<Square> from = told_apart(board, said, reach);
    const auto is_legal = [&](Square s) {
        return board.is_legal(Move::board(s, said.to, said.promotes));
    };
    std::erase_if(from, [&](Square s) { return !is_legal(s); });
    if (from.size() > 1) {
        return Error{"it does not say where it comes from"};
    }
    if (from.size() == 1) return Move::board(from.front(), said.to, said.promotes);
    if (reach.empty() && in_hand && board.is_legal(drop)) return drop;
    return Error{reach.empty() ? "no such piece can go there" : "not a legal move"};
}

}  // namespace

std::string_view mark_of(Colour c) {
    return c == kBlack ? "▲" : "△";
}

std::string relative_of(const Board& board, Move m) {
    if (m.is_declaration()) return {};
    const PieceType t = board.moved_type(m);
    Bitboard others = rivals(board, t, m.to());
    if (m.is_drop()) return others ? "H" : "";
    others = others - bit(m.from());
    if (!others) return {};
    const Approach own = approach_of(board, m.from(), m.to());
    bool same_direction = false;
    bool left_of_all = true;
    bool right_of_all = true;
    bool left_of_same = true;
    for_each(others, [&](Square s) {
        const Approach other = approach_of(board, s, m.to());
        left_of_all = left_of_all && own.left > other.left;
        right_of_all = right_of_all && own.left < other.left;
        if (other.direction != own.direction) return;
        same_direction = true;
        left_of_same = left_of_same && own.left > other.left;
    });
    const std::string direction(1, own.direction > 0 ? 'U' : own.direction < 0 ? 'D' : 'M');
    if (!same_direction) return direction;
    if (own.is_straight) return "C";
    if (left_of_all) return "L";
    if (right_of_all) return "R";
    return (left_of_same ? "L" : "R") + direction;
}

std::string japanese_name(const Board& board, Move m, Square last_to) {
    if (m.is_declaration()) return "宣言勝ち";
    std::string text;
    if (m.to() == last_to) {
        text = "同";
    } else {
        text += kif::kWideDigits[static_cast<std::size_t>(file_of(m.to()))];
        text += kif::kKanjiDigits[static_cast<std::size_t>(rank_of(m.to()) + 1)];
    }
    text += word_of(board.moved_type(m));
    for (const char letter : relative_of(board, m)) {
        for (const RelativeWord& w : kRelativeWords) {
            if (w.letter != letter) continue;
            text += w.word;
            break;
        }
    }
    if (could_promote(board, m)) text += m.promotes() ? "成" : "不成";
    return text;
}

std::string western_name(const Board& board, Move m) {
    if (m.is_declaration()) return "declares";
    const PieceType t = board.moved_type(m);
    const std::string to = format_square(m.to());
    if (m.is_drop()) return fmt::format("{}*{}", letter_of(t), to);
    const bool tells = static_cast<bool>(rivals(board, t, m.to()) - bit(m.from()));
    const std::string from = tells ? format_square(m.from()) : "";
    const char link = board.captured_by(m) != kNoPiece ? 'x' : '-';
    const char* const end = !could_promote(board, m) ? "" : m.promotes() ? "+" : "=";
    return fmt::format("{}{}{}{}{}", letter_of(t), from, link, to, end);
}

const std::vector<MoveStyle>& move_styles() {
    static const std::vector<MoveStyle> kStyles = {{"japanese", "ja", "▲７六歩, △同銀右"},
                                                   {"western", "en", "P-7f, S4ix5h+, B*5e"}};
    return kStyles;
}

std::vector<std::string> names_of(Board board, const std::vector<Move>& moves,
                                  std::string_view style) {
    std::vector<std::string> names;
    Square last_to = kNowhere;
    for (const Move m : moves) {
        names.push_back(style == "japanese"
                            ? std::string(mark_of(board.side())) + japanese_name(board, m, last_to)
                            : western_name(board, m));
        if (m.is_declaration()) break;
        BoardUndo undo;
        board.do_move(m, undo);
        last_to = m.to();
    }
    return names;
}

NotationFacet notation_facet() {
    NotationFacet facet;
    facet.styles = move_styles();
    facet.names = [](const std::string& start, const std::vector<std::string>& moves,
                     const std::string& style) -> Expected<std::vector<std::string>> {
        const bool is_even = start.empty() || start == "startpos";
        const auto diagram = parse_sfen(is_even ? kStartSfen : std::string_view(start));
        if (!diagram) return diagram.error();
        std::vector<Move> all;
        Board board = diagram->board;
        for (const std::string& text : moves) {
            const auto m = parse_usi(text);
            if (!m) return m.error();
            all.push_back(*m);
            if (m->is_declaration()) break;
            if (!board.is_legal(*m)) return Error{text + " is not a legal move"};
            BoardUndo undo;
            board.do_move(*m, undo);
        }
        return names_of(diagram->board, all, style);
    };
    return facet;
}

Expected<Move> take_japanese(const Board& board, std::string_view& text, Square last_to) {
    const auto said = take_words(text, last_to);
    if (!said) return said.error();
    return meant(board, *said);
}

bool looks_japanese(std::string_view text) {
    return static_cast<bool>(take_words(text, square_at(5, 4)));
}

}  // namespace karikomi::shogi
