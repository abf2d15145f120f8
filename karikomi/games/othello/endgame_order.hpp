/// The order in which an endgame node tries its moves.
#pragma once

#include "karikomi/games/othello/endgame_moves.hpp"
#include "karikomi/games/othello/shallow.hpp"

namespace karikomi::othello {

/// A node whose moves are to be ordered.
struct OrderedNode {
    const Board& board;
    int empties = 0;
    int alpha = 64;        ///< scores up to here are failures
    const Bounds& bounds;  ///< from the table: its moves come first
    int from = 0;          ///< moves before this one are in their place
};

/// Sets the moves' `order` by what they leave the opponent, further up by a look ahead.
void order_by_mobility(EndgameMoves& moves, const OrderedNode& node);
/// The same by shallow searches on pattern values, where there are enough empties for that.
void order_by_value(EndgameMoves& moves, const OrderedNode& node, ShallowSearch& shallow);

}  // namespace karikomi::othello
