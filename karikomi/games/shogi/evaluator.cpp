#include "karikomi/games/shogi/evaluator.hpp"

namespace karikomi::shogi {
namespace {

/// Black's taste: `rank` 0 is the far rank, `wing` 0 the middle file and 4 the edge.
int square_bonus(PieceType t, int rank, int wing) {
    const int advanced = 8 - rank;
    switch (t) {
        case kPawn:
            return 4 * std::max(advanced - 2, 0) - (wing == 4 ? 4 : 0);
        case kLance:
            return -3 * advanced;
        case kKnight:
            return advanced == 0 ? 0 : 12 - 6 * std::abs(advanced - 2);
        case kSilver:
            return 10 - 3 * std::abs(advanced - 3) - 3 * wing;
        case kGold:
            return 8 - 8 * std::max(advanced - 2, 0) - (wing == 4 ? 12 : 0);
        case kKing:
            return 22 * wing - 30 * advanced;
        case kBishop:
            return -4 * wing;
        case kRook:
            return 3 * wing;
        case kHorse:
        case kDragon:
            return rank < 3 ? 20 : 0;
        default:
            return rank < 4 ? 15 - 4 * wing : -10;  // promoted small pieces attack the king
    }
}

}  // namespace

PieceSquares::PieceSquares() {
    for (Square s = 0; s < kSquares; ++s) {
        if (!is_square(s)) continue;
        for (int type = kPawn; type < kTypes; ++type) {
            const auto t = static_cast<PieceType>(type);
            const int bonus = square_bonus(t, rank_of(s), std::abs(file_of(s) - 5));
            const int value = kPieceValue[t] + bonus;
            board[make_piece(kBlack, t)][s] = static_cast<std::int16_t>(value);
            board[make_piece(kWhite, t)][turned(s)] = static_cast<std::int16_t>(-value);
        }
    }
}

const PieceSquares kPieceSquares;

Value Evaluator::from_scratch(const Board& b) {
    Value v = 0;
    for_each(b.occupied(), [&](Square s) { v += kPieceSquares.board[b.on(s)][s]; });
    for (const PieceType t : kHandOrder) {
        v += kHandValue[t] * (b.hand(kBlack).count(t) - b.hand(kWhite).count(t));
    }
    return v;
}

Value Evaluator::change(const Position& p, Move m) {
    if (m.is_declaration()) return 0;
    const Board& b = p.board();
    const auto& table = kPieceSquares.board;
    const int sign = b.side() == kBlack ? -1 : 1;  // of the side that has moved
    const Piece placed = b.on(m.to());
    const Value now = table[placed][m.to()];
    if (m.is_drop()) return now - sign * kHandValue[m.dropped()];
    const Piece before = m.promotes() ? static_cast<Piece>(placed & ~kPromoted) : placed;
    Value v = now - table[before][m.from()];
    if (const Piece captured = p.last_captured(); captured != kNoPiece) {
        v += sign * kHandValue[demoted(type_of(captured))] - table[captured][m.to()];
    }
    return v;
}

}  // namespace karikomi::shogi
