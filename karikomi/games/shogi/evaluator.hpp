/// A simple evaluation, material and piece squares: enough to play until a trained one is there,
/// and the start of its training.
#pragma once

#include <string_view>
#include <vector>

#include "karikomi/games/shogi/position.hpp"

namespace karikomi::shogi {

/// Value of a piece on its square, for Black; White's are negative.
struct PieceSquares {
    Table<Table<std::int16_t, kSquares>, kPieces> board;
    PieceSquares();
};
extern const PieceSquares kPieceSquares;

class Evaluator {
public:
    static std::string_view id() { return "shogi-simple-1"; }

    Evaluator() : stack_(kStackSize + 1) {}
    void reset(const Position& p) {
        top_ = 0;
        stack_[0] = from_scratch(p.board());
    }
    void after_make(const Position& p, Move m) {
        stack_[top_ + 1] = stack_[top_] + change(p, m);
        ++top_;
    }
    void after_unmake(const Position&, Move) { --top_; }
    Value evaluate(const Position& p) const {
        return p.board().side() == kBlack ? stack_[top_] : -stack_[top_];
    }

    /// For Black.
    static Value from_scratch(const Board& b);

private:
    static Value change(const Position& p, Move m);

    std::size_t top_ = 0;
    std::vector<Value> stack_;
};

}  // namespace karikomi::shogi
