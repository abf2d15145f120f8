/// The last plies of an exact solve: null-window searches without hash table or sorting.
#pragma once

#include <bit>
#include <cstdint>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

/// Up to this many empties solve_last() is the fastest way.
inline constexpr int kLastEmpties = 5;

/// Exact score of `board` against `alpha`: a result > alpha is a lower bound of the score, one
/// <= alpha an upper bound (fail-soft). At most kLastEmpties empties; `moves` are its legal moves;
/// adds to `nodes`.
int solve_last(const Board& board, Bits moves, int alpha, int empties, std::uint64_t& nodes);

/// Whether a look at the other side's stable discs pays for itself: alpha must be high for the
/// number of empties, and the other side needs (64 - alpha) / 2 discs that could be stable.
inline bool stability_may_cut(const Board& board, int alpha, int empties) {
    return alpha >= 2 * empties - 2 && 2 * std::popcount(board.other) >= 64 - alpha;
}

}  // namespace karikomi::othello
