/// What pieces are worth, in hundredths of a pawn on the board. One table for exchanges, ordering
/// and the simple evaluation.
#pragma once

#include "karikomi/games/shogi/types.hpp"

namespace karikomi::shogi {

inline constexpr Value kPawnValue = 100;

/// On the board.
inline constexpr Table<Value, kTypes> kPieceValue = {
    {0, 100, 280, 310, 430, 720, 880, 500, 0, 480, 470, 480, 490, 980, 1150}};
/// In hand: free to go where it is needed.
inline constexpr Table<Value, 8> kHandValue = {{0, 110, 290, 320, 450, 780, 940, 530}};

/// What taking a piece gains: it leaves the board and comes into our hand.
constexpr Value capture_gain(PieceType t) {
    return t == kKing ? 0 : kPieceValue[t] + kHandValue[demoted(t)];
}
constexpr Value promotion_gain(PieceType t) {
    return kPieceValue[promoted(t)] - kPieceValue[t];
}

}  // namespace karikomi::shogi
