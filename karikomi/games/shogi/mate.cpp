/// Mate in one, exactly: every checking move is considered, but most pieces are too far away, and
/// most checks are refused without trying them because the king keeps a square that the move
/// cannot take away, or takes the piece.
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

Square take_first(Bitboard& b) {
    const Square s = b.first();
    b ^= bit(s);
    return s;
}

class MateFinder {
public:
    explicit MateFinder(const Board& board)
        : b_(board),
          us_(board.side()),
          them_(opposite(us_)),
          king_(board.king(them_)),
          all_(board.occupied()),
          own_(board.pieces(us_)) {}

    Move find() {
        if (king_ == kNowhere) return {};
        const Bitboard danger = us_ == kBlack ? b_.danger_near<kBlack>(king_, all_ ^ bit(king_))
                                              : b_.danger_near<kWhite>(king_, all_ ^ bit(king_));
        escapes_ = king_attacks(king_) - b_.pieces(them_) - danger;
        along_diagonals_ = bishop_attacks(king_, all_);
        along_straights_ = rook_attacks(king_, all_);
        if (const Move m = by_drop(); m.raw() != kNoMove) return m;
        if (b_.in_check()) return by_evasion();
        if (const Move m = by_move(); m.raw() != kNoMove) return m;
        return by_uncovering();
    }

private:
    bool is_mate(Move m) const {
        Board next = b_;
        BoardUndo undo;
        next.do_move(m, undo);
        return !next.has_legal_move();
    }

    /// From where a piece of ours would give check, as things stand.
    Bitboard checking_squares(PieceType t) const {
        const Piece twin = make_piece(them_, t);
        switch (t) {
            case kLance:
                return along_straights_ & kAttacks.reach[twin][king_];
            case kBishop:
            case kHorse:
                return along_diagonals_ | step_attacks(twin, king_);
            case kRook:
            case kDragon:
                return along_straights_ | step_attacks(twin, king_);
            default:
                return step_attacks(twin, king_);
        }
    }

    /// Is it worth trying p on `to`, coming from `from` (nowhere for a drop)? It must not leave the
    /// king a square, nor be taken by it. Only for moves that uncover nothing.
    bool may_mate(Piece p, Square from, Square to) const {
        const Bitboard now = (all_ ^ bit(king_) ^ bit(from)) | bit(to);
        if (escapes_ - attacks_of(p, to, now) - bit(to)) return false;
        if (!king_attacks(king_).has(to)) return true;
        return static_cast<bool>((b_.attackers_of(to, now) & own_) - bit(from));
    }

    /// Drops add attacks and can only block others.
    Move by_drop() const {
        Bitboard free = kAllSquares - all_;
        if (b_.in_check()) {
            if (b_.checkers().has_two()) return {};
            free = between(b_.king(us_), b_.checkers().first());
        }
        // A pawn's drop may not mate.
        for (const PieceType t : {kGold, kSilver, kRook, kBishop, kLance, kKnight}) {
            if (!b_.hand(us_).has(t)) continue;
            Bitboard goals = checking_squares(t) & free;
            while (goals) {
                const Square to = take_first(goals);
                if (!may_mate(make_piece(us_, t), kNowhere, to)) continue;
                const Move m = Move::drop(t, to);
                if (is_mate(m)) return m;
            }
        }
        return {};
    }

    /// Out of check there are few moves: all of them.
    Move by_evasion() const {
        FirstThat list([this](Move m) { return b_.gives_check(m) && is_mate(m); });
        generate_moves<Stage::Board, Promotions::Useful>(b_, list);
        return list.found();
    }

    /// Checks given by the piece that moves.
    Move by_move() {
        for (Bitboard snipers = b_.snipers_at(king_, us_); snipers;) {
            const Bitboard blockers = between(king_, take_first(snipers)) & all_;
            if (blockers.is_single()) uncovering_ |= blockers & own_;
        }
        pinned_ = b_.pinned(us_);
        for_each(b_.sliders(us_), [&](Square s) { covered_ |= attacks_of(b_.on(s), s, all_); });
        for (int i = kPawn; i < kTypes; ++i) {
            const auto t = static_cast<PieceType>(i);
            const Piece p = make_piece(us_, t);
            Bitboard from = (b_.pieces(t) & own_ & kAttacks.may_check[p][king_]) - uncovering_;
            while (from) {
                if (const Move m = by_piece(p, take_first(from)); m.raw() != kNoMove) return m;
            }
        }
        return {};
    }
    Move by_piece(Piece p, Square from) const {
        const PieceType t = type_of(p);
        Bitboard reached = attacks_of(p, from, all_) - own_;
        if (pinned_.has(from)) reached &= line_through(b_.king(us_), from);
        Bitboard plain = reached & checking_squares(t);
        if (can_promote(t)) {
            const Bitboard zone = far_ranks(us_, 3);
            Bitboard better = reached & checking_squares(promoted(t));
            if (!zone.has(from)) better &= zone;
            while (better) {
                const Square to = take_first(better);
                const auto strong = static_cast<Piece>(p | kPromoted);
                if (mates(strong, Move::board(from, to, true))) return Move::board(from, to, true);
            }
            // Where promoting is no worse, that was tried already.
            if (t == kPawn || t == kBishop || t == kRook) {
                plain = plain - (zone.has(from) ? reached : zone);
            }
            if (t == kLance || t == kKnight) plain = plain - far_ranks(us_, 2);
        }
        while (plain) {
            const Move m = Move::board(from, take_first(plain));
            if (mates(p, m)) return m;
        }
        return {};
    }
    bool mates(Piece placed, Move m) const {
        // Behind a piece that leaves, a slider may take squares away that `escapes_` still has.
        if (!covered_.has(m.from()) && !may_mate(placed, m.from(), m.to())) return false;
        return is_mate(m);
    }

    /// Checks given by a slider behind the piece that moves: all moves of these pieces.
    Move by_uncovering() const {
        if (!uncovering_) return {};
        FirstThat list([this](Move m) {
            return uncovering_.has(m.from()) && b_.gives_check(m) && is_mate(m);
        });
        generate_moves<Stage::Board, Promotions::Useful>(b_, list);
        return list.found();
    }

    const Board& b_;
    Colour us_;
    Colour them_;
    Square king_;
    Bitboard all_;
    Bitboard own_;
    Bitboard escapes_;          ///< where the king can go now
    Bitboard along_diagonals_;  ///< lines from the king
    Bitboard along_straights_;
    Bitboard uncovering_;  ///< own pieces that stand alone between a slider and the king
    Bitboard pinned_;
    Bitboard covered_;  ///< by own sliders
};

}  // namespace

Move Board::find_mate_in_one() const {
    return MateFinder(*this).find();
}

}  // namespace karikomi::shogi
