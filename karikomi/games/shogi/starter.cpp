#include "karikomi/games/shogi/starter.hpp"

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
            return 22 * wing - 30 * std::min(advanced, 5);
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

/// By distance from one's own king, 1 .. 4.
constexpr std::array<int, 4> kNothing = {0, 0, 0, 0};
constexpr std::array<int, 4> guard_bonus(PieceType t) {
    switch (t) {
        case kPawn:
            return {14, 5, 0, 0};
        case kLance:
            return {8, 2, 0, 0};
        case kKnight:
            return {6, 4, 0, 0};
        case kSilver:
            return {36, 22, 8, 0};
        case kGold:
            return {42, 26, 10, 0};
        case kProPawn:
        case kProLance:
        case kProKnight:
        case kProSilver:
            return {30, 18, 5, 0};
        case kHorse:
            return {60, 45, 25, 10};
        case kDragon:
            return {20, 15, 5, 0};
        default:
            return kNothing;
    }
}
/// By distance from the enemy king.
constexpr std::array<int, 4> attack_bonus(PieceType t) {
    switch (t) {
        case kPawn:
            return {20, 14, 5, 0};
        case kKnight:
            return {10, 25, 18, 5};
        case kSilver:
            return {55, 45, 25, 10};
        case kGold:
            return {70, 50, 25, 8};
        case kProPawn:
        case kProLance:
        case kProKnight:
        case kProSilver:
            return {80, 60, 30, 10};
        case kHorse:
            return {70, 60, 40, 20};
        case kDragon:
            return {80, 70, 50, 25};
        default:
            return kNothing;
    }
}

int distance(Square a, Square b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

/// For Black, whose king stands on `king`.
int near_king_bonus(Square king, Piece p, Square s) {
    const int d = distance(king, s);
    const PieceType t = type_of(p);
    if (d < 1 || d > 4 || t == kKing) return 0;
    const auto i = static_cast<std::size_t>(d - 1);
    if (colour_of(p) == kBlack) {
        // What stands behind the king guards little.
        const int bonus = guard_bonus(t)[i];
        return rank_of(s) > rank_of(king) ? bonus / 2 : bonus;
    }
    return -attack_bonus(t)[i];
}

constexpr Piece other_colour(Piece p) {
    return static_cast<Piece>(p ^ 16);
}
Square turned_king(Square s) {
    return s == kNowhere ? kNowhere : turned(s);
}

// ---- Attacks on a king --------------------------------------------------------------------------
constexpr Table<int, kTypes> kAttackWeight = {{0, 3, 4, 6, 8, 8, 10, 10, 0, 10, 9, 9, 9, 12, 14}};
/// What each piece in the enemy's hand adds to the danger once the king is under attack.
constexpr Table<int, 8> kHandWeight = {{0, 2, 6, 8, 14, 14, 20, 18}};

struct Pressure {
    Bitboard squares;  ///< beside the king that are attacked
    int weight = 0;
    int pieces = 0;
};

/// Attacks of C on the squares around a king (or on the king).
template <Colour C> Pressure pressure(const Board& b, Square king, Bitboard ring) {
    Pressure p;
    const Bitboard own = b.pieces(C) - bit(king);
    const Bitboard all = b.occupied();
    const auto add = [&](PieceType t, Bitboard attacked) {
        const Bitboard hit = attacked & ring;
        if (!hit) return;
        p.squares |= hit;
        p.weight += kAttackWeight[t] * hit.count();
        ++p.pieces;
    };
    add(kPawn, ahead<C>(own & b.pieces(kPawn)));
    const Bitboard sliders = b.pieces(C, kBishop, kRook, kHorse, kDragon);
    const Bitboard steppers =
        (own & kAttacks.near[C][king]) - sliders - b.pieces(kPawn) - b.pieces(kLance);
    for_each(steppers, [&](Square s) { add(type_of(b.on(s)), step_attacks(b.on(s), s)); });
    for_each(own & b.pieces(kLance) & kAttacks.lance_near[C][king],
             [&](Square s) { add(kLance, lance_attacks<C>(s, all)); });
    for_each(sliders, [&](Square s) { add(type_of(b.on(s)), attacks_of(b.on(s), s, all)); });
    return p;
}

template <Colour C> int king_danger(const Board& b) {
    constexpr Colour kThem = opposite(C);
    const Square king = b.king(C);
    if (king == kNowhere) return 0;
    const Bitboard ring = king_attacks(king) | bit(king);
    const Pressure attack = pressure<kThem>(b, king, ring);
    const Pressure guard = pressure<C>(b, king, ring);
    int danger = attack.weight + 9 * (attack.squares - guard.squares).count();
    // The king's own squares that are left to it.
    const Bitboard free = (ring - b.pieces(C)) - attack.squares;
    danger += 5 * std::max(3 - free.count(), 0) * std::min(attack.pieces, 2);
    int hand = 0;
    for (const PieceType t : kHandOrder)
        hand += kHandWeight[t] * std::min(b.hand(kThem).count(t), 2);
    danger += hand * std::min(attack.pieces + 1, 4) / 4;
    danger -= guard.weight / 3;
    danger = std::clamp(danger, 0, 160);
    return danger * danger / 14 + 12 * b.pinned(C).count();
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
            for (Square king = 0; king < kSquares; ++king) {
                if (!is_square(king)) continue;
                for (const Colour c : {kBlack, kWhite}) {
                    const Piece p = make_piece(c, t);
                    near_king[king][p][s] = static_cast<std::int16_t>(near_king_bonus(king, p, s));
                }
            }
        }
    }
}

const PieceSquares kPieceSquares;

namespace {

/// All that one piece adds, with these kings.
Value piece_value(Piece p, Square s, Square black_king, Square white_king) {
    const PieceSquares& t = kPieceSquares;
    return t.board[p][s] + t.near_king[black_king][p][s] -
           t.near_king[turned_king(white_king)][other_colour(p)][turned(s)];
}

}  // namespace

Value Starter::sum_of(const Board& b) {
    Value v = 0;
    const Square black = b.king(kBlack);
    const Square white = b.king(kWhite);
    for_each(b.occupied(), [&](Square s) { v += piece_value(b.on(s), s, black, white); });
    for (const PieceType t : kHandOrder) {
        v += kHandValue[t] * (b.hand(kBlack).count(t) - b.hand(kWhite).count(t));
    }
    return v;
}

Value Starter::attacks_value(const Board& b) {
    return king_danger<kWhite>(b) - king_danger<kBlack>(b);
}

Value Starter::sum_after(const Position& p, Move m) const {
    const Value before = sums_[top_];
    if (m.is_declaration()) return before;
    const Board& b = p.board();
    const int sign = b.side() == kBlack ? -1 : 1;  // of the side that has moved
    const Piece placed = b.on(m.to());
    if (type_of(placed) == kKing) return sum_of(b);
    const Square black = b.king(kBlack);
    const Square white = b.king(kWhite);
    const Value now = piece_value(placed, m.to(), black, white);
    if (m.is_drop()) return before + now - sign * kHandValue[m.dropped()];
    const Piece left = m.promotes() ? static_cast<Piece>(placed & ~kPromoted) : placed;
    Value v = before + now - piece_value(left, m.from(), black, white);
    if (const Piece captured = p.last_captured(); captured != kNoPiece) {
        v += sign * kHandValue[demoted(type_of(captured))] -
             piece_value(captured, m.to(), black, white);
    }
    return v;
}

}  // namespace karikomi::shogi
