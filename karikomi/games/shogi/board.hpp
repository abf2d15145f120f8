/// A position's board, hands and side to move, with what move generation needs kept up to date: no
/// history, no rules of ending. Plain data, cheap to copy.
#pragma once

#include <array>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/shogi/attacks.hpp"

namespace karikomi::shogi {

/// What undo_move needs.
struct BoardUndo {
    Key board_key = 0;
    Key hand_key = 0;
    Bitboard checkers;
    Piece captured = kNoPiece;
};

class Board {
public:
    Board() = default;  ///< empty; see setup()

    // ---- Looking ----
    Colour side() const { return side_; }
    Piece on(Square s) const { return pieces_on_[s]; }
    const Table<Piece, kSquares>& squares() const { return pieces_on_; }
    Hand hand(Colour c) const { return hands_[c]; }
    /// kNowhere where there is none (tsume problems).
    Square king(Colour c) const { return kings_[c]; }
    Bitboard pieces(Colour c) const { return by_colour_[c]; }
    Bitboard pieces(PieceType t) const { return by_type_[t]; }
    Bitboard pieces(Colour c, PieceType t) const { return by_colour_[c] & by_type_[t]; }
    template <class... Types> Bitboard pieces(Colour c, PieceType t, Types... more) const {
        return by_colour_[c] & (by_type_[t] | ... | by_type_[more]);
    }
    Bitboard golds(Colour c) const {
        return pieces(c, kGold, kProPawn, kProLance, kProKnight, kProSilver);
    }
    Bitboard occupied() const { return by_colour_[kBlack] | by_colour_[kWhite]; }
    /// Pieces that give check to the side to move.
    Bitboard checkers() const { return checkers_; }
    bool in_check() const { return static_cast<bool>(checkers_); }
    /// Hash of the board and the side to move, without hands.
    Key board_key() const { return board_key_; }
    /// Hash of everything.
    Key key() const { return board_key_ + hand_key_; }
    /// What a move captures, kNoPiece for none.
    Piece captured_by(Move m) const { return m.is_drop() ? kNoPiece : on(m.to()); }
    /// The type that moves, before it promotes.
    PieceType moved_type(Move m) const { return m.is_drop() ? m.dropped() : type_of(on(m.from())); }

    // ---- Attacks ----
    /// Pieces of either colour that attack s, if the occupied squares were these.
    Bitboard attackers_of(Square s, Bitboard occupied) const;
    /// Pieces of colour c that attack s.
    Bitboard attackers_of(Square s, Colour c) const {
        return attackers_of(s, occupied()) & by_colour_[c];
    }
    /// Squares around `king` that C attacks, if the occupied squares were these. Only the squares
    /// beside the king are right, not those far away.
    template <Colour C> Bitboard danger_near(Square king, Bitboard occupied) const;
    Bitboard sliders(Colour c) const { return pieces(c, kLance, kBishop, kRook, kHorse, kDragon); }
    /// Sliders of c that would attack s if nothing stood between.
    Bitboard snipers_at(Square s, Colour c) const;
    /// Pieces of colour c that stand alone between their king and an enemy slider.
    Bitboard pinned(Colour c) const;

    // ---- Judging moves of the side to move ----
    /// Any 16-bit code may come; a declaration is not the board's business and false here.
    bool is_legal(Move m) const;
    bool gives_check(Move m) const;
    /// Would a pawn dropped there by the side to move, giving check, be mate (uchifuzume)?
    bool is_pawn_drop_mate(Square to) const;
    bool has_legal_move() const;
    /// Legal moves by the rules: useless non-promotions too.
    int count_moves() const;
    /// A move that mates at once, or none. Finds one whenever there is one.
    Move find_mate_in_one() const;
    /// What the exchanges on the target square win for the side to move, both sides taking with the
    /// cheapest piece and stopping when that is better. Pins are not looked at.
    Value exchange_value(Move m) const;

    // ---- Moving ----
    void do_move(Move m, BoardUndo& undo);
    void undo_move(Move m, const BoardUndo& undo);
    /// The turn passes; the side to move must not be in check.
    void do_pass(BoardUndo& undo);
    void undo_pass(const BoardUndo& undo);

    // ---- Setting up ----
    void put(Piece p, Square s);      ///< on an empty square
    void give(Colour c, PieceType t)  ///< one more in hand
    {
        hands_[c].add(t);
    }
    /// Computes keys, kings and checkers, and says what the rules forbid: more pieces than a set
    /// has, two pawns in a file, pieces that can never move, a king that could be taken.
    Status finish(Colour to_move);
    /// Everything that is kept up to date equals what it would be from scratch?
    bool is_consistent() const;

    bool operator==(const Board&) const = default;

private:
    void toggle(Piece p, Square s) {
        const Bitboard b = bit(s);
        by_type_[type_of(p)] ^= b;
        by_colour_[colour_of(p)] ^= b;
    }
    /// Does piece p on s attack `target`, given who stands between?
    bool attacks(Piece p, Square s, Square target, Bitboard occupied) const {
        if (!kAttacks.reach[p][s].has(target)) return false;
        // A step has nothing between, so one test serves all pieces.
        return !(between(s, target) & occupied);
    }
    Bitboard checkers_after(Move m, Piece placed) const;
    Bitboard compute_checkers() const;
    bool is_legal_drop(Move m) const;
    bool is_pseudo_legal(Move m) const;
    Status check_counts() const;
    Status check_squares() const;

    Table<Bitboard, 16> by_type_{};
    Table<Bitboard, 2> by_colour_{};
    Bitboard checkers_;
    Key board_key_ = 0;
    Key hand_key_ = 0;
    Table<Hand, 2> hands_{};
    Table<Square, 2> kings_{{kNowhere, kNowhere}};
    Colour side_ = kBlack;
    Table<Piece, kSquares> pieces_on_{};
};

template <Colour C> Bitboard Board::danger_near(Square king, Bitboard occupied) const {
    const Bitboard own = by_colour_[C];
    Bitboard danger = ahead<C>(own & by_type_[kPawn]);
    const Bitboard steppers = by_type_[kKnight] | by_type_[kSilver] | by_type_[kGold] |
                              by_type_[kKing] | by_type_[kProPawn] | by_type_[kProLance] |
                              by_type_[kProKnight] | by_type_[kProSilver] | by_type_[kHorse] |
                              by_type_[kDragon];
    for_each(steppers & own & kAttacks.near[C][king],
             [&](Square s) { danger |= step_attacks(pieces_on_[s], s); });
    for_each(own & by_type_[kLance] & kAttacks.lance_near[C][king],
             [&](Square s) { danger |= lance_attacks<C>(s, occupied); });
    for_each(own & (by_type_[kBishop] | by_type_[kHorse]),
             [&](Square s) { danger |= bishop_attacks(s, occupied); });
    for_each(own & (by_type_[kRook] | by_type_[kDragon]),
             [&](Square s) { danger |= rook_attacks(s, occupied); });
    return danger;
}

}  // namespace karikomi::shogi
