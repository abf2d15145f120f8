/// The hand-written evaluation: material, hands, piece squares, pieces by their distance from both
/// kings, attacks on the squares around a king, pins. It plays until a trained network is there,
/// and makes the games that the first network is trained on.
#pragma once

#include <vector>

#include "karikomi/games/shogi/position.hpp"

namespace karikomi::shogi {

/// Value of a piece on its square, for Black; White's are negative.
struct PieceSquares {
    Table<Table<std::int16_t, kSquares>, kPieces> board;
    /// near_king[king][piece][square]: what the piece adds for Black, whose king stands there.
    Table<Table<Table<std::int16_t, kSquares>, kPieces>, kSquares> near_king;
    PieceSquares();
};
extern const PieceSquares kPieceSquares;

/// The part that is a sum over pieces is kept up to date; attacks are counted when asked for.
class Starter {
public:
    Starter() : sums_(kStackSize + 1) {}

    void reset(const Board& b) {
        top_ = 0;
        sums_[0] = sum_of(b);
    }
    void after_make(const Position& p, Move m) {
        sums_[top_ + 1] = sum_after(p, m);
        ++top_;
    }
    void after_unmake() { --top_; }
    /// For the side to move.
    Value evaluate(const Board& b) const {
        const Value v = sums_[top_] + attacks_value(b);
        return b.side() == kBlack ? v + kTempo : kTempo - v;
    }

    /// For Black: the sum over pieces, and what attacks change.
    static Value sum_of(const Board& b);
    static Value attacks_value(const Board& b);

private:
    static constexpr Value kTempo = 20;
    Value sum_after(const Position& p, Move m) const;

    std::size_t top_ = 0;
    std::vector<Value> sums_;
};

}  // namespace karikomi::shogi
