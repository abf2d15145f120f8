/// Discs that can never turn again, or rather a part of them that is cheap to find.
#pragma once

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

/// Stable discs of `own`: exact along each edge, then every disc that is safe on all four of its
/// lines because the line is full or a neighbour on it is stable. Never claims too much.
Bits stable_discs(Bits own, Bits other);

/// The edge part alone.
Bits stable_edge_discs(Bits own, Bits other);

}  // namespace karikomi::othello
