/// The last plies of an exact solve: null-window searches without hash table or sorting.
#pragma once

#include <cstdint>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

/// Up to this many empties solve_last() is the fastest way.
inline constexpr int kLastEmpties = 5;

/// Exact score of `board` against `alpha`: a result > alpha is a lower bound of the score, one
/// <= alpha an upper bound (fail-soft). At most kLastEmpties empties; adds to `nodes`.
int solve_last(const Board& board, int alpha, int empties, std::uint64_t& nodes);

/// Above this alpha a look at the stable discs pays for itself, by number of empties.
int stability_threshold(int empties);

}  // namespace karikomi::othello
