/// Mate in one, exactly: every checking move is considered, most are refused without trying them
/// because the king keeps a square that the move cannot take away.
#include "karikomi/games/shogi/movegen.hpp"

namespace karikomi::shogi {
namespace {

/// The first move of a list that satisfies a test; the rest is passed over.
template <class Test> class FirstThat {
public:
    explicit FirstThat(Test test) : test_(test) {}
    void push(Move m) {
        if (found_.raw() == kNoMove && test_(m)) found_ = m;
    }
    Move found() const { return found_; }

private:
    Test test_;
    Move found_;
};

}  // namespace

bool Board::is_mate_after(Move m) const {
    Board next = *this;
    BoardUndo undo;
    next.do_move(m, undo);
    return !next.has_legal_move();
}

/// Drops add attacks and can only block others, so all escapes must be under the new piece's eyes.
Move Board::mate_by_drop(Bitboard escapes) const {
    const Square king = kings_[opposite(side_)];
    const Bitboard all = occupied();
    Bitboard free = kAllSquares - all;
    if (checkers_) {
        if (checkers_.has_two()) return {};
        free = between(kings_[side_], checkers_.first());
    }
    const Bitboard without_king = all ^ bit(king);
    // A pawn's drop may not mate.
    for (const PieceType t : {kGold, kSilver, kRook, kBishop, kLance, kKnight}) {
        if (!hands_[side_].has(t)) continue;
        const Piece p = make_piece(side_, t);
        // From where it would give check: what the other colour's piece attacks from the king.
        Bitboard from = attacks_of(make_piece(opposite(side_), t), king, all) & free;
        while (from) {
            const Square to = from.first();
            from ^= bit(to);
            const Bitboard left = escapes - attacks_of(p, to, without_king) - bit(to);
            if (left) continue;
            const Move m = Move::drop(t, to);
            if (is_mate_after(m)) return m;
        }
    }
    return {};
}

Move Board::mate_by_move(Bitboard escapes) const {
    const Square king = kings_[opposite(side_)];
    const Bitboard without_king = occupied() ^ bit(king);
    // Pieces that may uncover a slider: their moves can take more squares away than they attack.
    Bitboard covers;
    for_each(sliders(side_), [&](Square s) { covers |= attacks_of(on(s), s, occupied()); });
    const auto mates = [&](Move m) {
        if (!gives_check(m)) return false;
        const Square from = m.from();
        if (!covers.has(from)) {
            Piece p = on(from);
            if (m.promotes()) p = static_cast<Piece>(p | kPromoted);
            const Bitboard now = attacks_of(p, m.to(), (without_king ^ bit(from)) | bit(m.to()));
            if (escapes - now - bit(m.to())) return false;
        }
        return is_mate_after(m);
    };
    FirstThat list(mates);
    generate_moves<Stage::Board, Promotions::Every>(*this, list);
    return list.found();
}

Move Board::find_mate_in_one() const {
    const Colour them = opposite(side_);
    const Square king = kings_[them];
    if (king == kNowhere) return {};
    const Bitboard without_king = occupied() ^ bit(king);
    const Bitboard danger = side_ == kBlack ? danger_near<kBlack>(king, without_king)
                                            : danger_near<kWhite>(king, without_king);
    const Bitboard escapes = king_attacks(king) - by_colour_[them] - danger;
    if (const Move m = mate_by_drop(escapes); m.raw() != kNoMove) return m;
    return mate_by_move(escapes);
}

}  // namespace karikomi::shogi
