/// The count of material, kept up to date along a line of moves: what the network starts from, so
/// that it need not learn what a rook is worth.
#pragma once

#include <vector>

#include "karikomi/games/shogi/position.hpp"
#include "karikomi/games/shogi/values.hpp"

namespace karikomi::shogi {

class Material {
public:
    Material() : sums_(kStackSize + 1) {}

    void reset(const Board& b) {
        top_ = 0;
        sums_[0] = count(b);
    }
    /// `p` is the position after the move.
    void after_make(const Position& p, Move m) {
        sums_[top_ + 1] = sums_[top_] + gain(p, m) * (p.board().side() == kWhite ? 1 : -1);
        ++top_;
    }
    void after_unmake() { --top_; }
    Value value(Colour side) const { return side == kBlack ? sums_[top_] : -sums_[top_]; }

    /// For Black, piece by piece.
    static Value count(const Board& b);

private:
    /// For the player who moved.
    static Value gain(const Position& p, Move m) {
        if (m.is_declaration()) return 0;
        if (m.is_drop()) return kPieceValue[m.dropped()] - kHandValue[m.dropped()];
        const Piece taken = p.last_captured();
        Value v = taken != kNoPiece ? capture_gain(type_of(taken)) : 0;
        if (m.promotes()) v += promotion_gain(demoted(type_of(p.board().on(m.to()))));
        return v;
    }

    std::size_t top_ = 0;
    std::vector<Value> sums_;
};

}  // namespace karikomi::shogi
