#include "karikomi/games/shogi/game.hpp"

namespace karikomi::shogi {

void Ordering::score(const Position& p, std::span<ScoredMove<Move>> moves, Depth /*depth*/) {
    const Board& b = p.board();
    const int sign = b.side() == kBlack ? 1 : -1;
    const auto& squares = kPieceSquares.board;
    for (ScoredMove<Move>& m : moves) {
        if (m.move.is_declaration()) {
            m.score = 900'000;
            continue;
        }
        if (m.move.is_drop()) continue;
        const Piece piece = b.on(m.move.from());
        const Piece captured = b.on(m.move.to());
        const PieceType t = type_of(piece);
        if (captured != kNoPiece) {
            m.score = 8 * capture_gain(type_of(captured)) - kPieceValue[t];
            if (m.move.promotes()) m.score += 8 * promotion_gain(t);
        } else {
            const Piece placed = m.move.promotes() ? static_cast<Piece>(piece | kPromoted) : piece;
            m.score = sign * (squares[placed][m.move.to()] - squares[piece][m.move.from()]);
        }
    }
}

Expected<Position> Notation::parse(std::string_view text) {
    if (text.empty() || text == "startpos") return Position();
    const auto diagram = parse_sfen(text);
    if (!diagram) return diagram.error();
    return Position(*diagram);
}

Expected<Move> Notation::parse_move(const Position& pos, std::string_view text) {
    const auto m = parse_usi(text);
    if (!m) return m.error();
    if (pos.is_legal(*m)) return *m;
    if (m->is_declaration()) {
        return Error{"a win cannot be declared here", "see docs/games/shogi.md for the conditions"};
    }
    return Error{format_usi(*m) + " is not a legal move", "see `karikomi show shogi`"};
}

std::vector<std::string> Notation::split_moves(std::string_view text) {
    std::vector<std::string> moves;
    std::string word;
    for (const char c : text) {
        if (c != ' ' && c != ',' && c != '\t' && c != '\r' && c != '\n') {
            word += c;
        } else if (!word.empty()) {
            moves.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) moves.push_back(word);
    return moves;
}

}  // namespace karikomi::shogi
