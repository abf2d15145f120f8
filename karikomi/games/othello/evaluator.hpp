/// The value of a position: the sum of the weights of its patterns, by phase.
#pragma once

#include <memory>
#include <string_view>

#include "karikomi/games/othello/weights.hpp"

namespace karikomi::othello {

inline constexpr int kDisc = 100;  ///< evaluation units in a disc
/// Static values stay within what a game can end with.
inline constexpr int kMostDiscs = 64 * kDisc;

/// For the side to move. `features` are in Black's terms; `moves` are the legal moves.
inline int pattern_value(const Weights& weights, const Features& features, const Board& board,
                         Colour to_move, Bits moves) {
    const int discs = std::popcount(board.own | board.other);
    const std::int16_t* const w = weights.phase(phase_of(discs));
    const int sign = to_move == Colour::Black ? 1 : -1;
    // Places first, in vector registers; then plain loads, which are faster than gathers.
    alignas(64) std::array<std::int32_t, kFeatureSlots> place;
    for (std::size_t i = 0; i < kFeatureSlots; ++i) {
        place[i] = kWeightLayout.centre[i] + sign * features.slot[i];
    }
    int sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(kInstances.count); ++i) {
        sum += w[place[i]];
    }
    sum += w[own_mobility_place(discs, std::popcount(moves))];
    sum += w[other_mobility_place(discs, std::popcount(board.replies()))];
    return std::clamp(sum * kDisc / kWeightScale, -kMostDiscs, kMostDiscs);
}

/// From scratch, for whoever keeps no features.
inline int pattern_value(const Weights& weights, const Board& board) {
    return pattern_value(weights, features_of(board.own, board.other), board, Colour::Black,
                         board.moves());
}

}  // namespace karikomi::othello
