/// Counts the lines of a given length: the check of move generation and the measure of its speed.
#pragma once

#include <bit>
#include <cstdint>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

/// Positions after `depth` plies. A pass is a ply; a game that has ended counts once where it ends.
/// The last ply is counted from the move mask without playing it.
template <class Moves, class Flips>
std::uint64_t perft_with(const Board& board, int depth, Moves moves_of, Flips flips_of) {
    if (depth <= 0) return 1;
    Bits moves = moves_of(board.own, board.other);
    if (moves == 0) {
        if (depth == 1 || moves_of(board.other, board.own) == 0) return 1;
        return perft_with(board.passed(), depth - 1, moves_of, flips_of);
    }
    if (depth == 1) return static_cast<std::uint64_t>(std::popcount(moves));
    std::uint64_t leaves = 0;
    for (; moves != 0; moves &= moves - 1) {
        const Square square = lowest(moves);
        const Board next = board.after(square, flips_of(board.own, board.other, square));
        leaves += perft_with(next, depth - 1, moves_of, flips_of);
    }
    return leaves;
}

inline std::uint64_t perft(const Board& board, int depth) {
    return perft_with(
        board, depth, [](Bits own, Bits other) { return bits::legal_moves(own, other); },
        [](Bits own, Bits other, Square square) { return bits::flips(own, other, square); });
}

}  // namespace karikomi::othello
