/// The shapes that the network's arithmetic works on.
#pragma once

#include <cstdint>

namespace karikomi::shogi {

inline constexpr int kHalf = 256;      ///< outputs of the first layer, for each player
inline constexpr int kHidden = 32;     ///< of the second and the third
inline constexpr int kOne = 127;       ///< an activation of 1
inline constexpr int kWeightOne = 64;  ///< a weight of 1 behind the first layer
inline constexpr int kGroup = 4;       ///< activations that are multiplied together
static_assert(kWeightOne == 1 << 6);

/// A feature's weights, or a player's sums, on cache lines of their own.
struct alignas(64) Row {
    std::int16_t at[kHalf];
};

/// Weights of a layer with 32 outputs, for one group of inputs: output by output.
struct alignas(64) Group {
    std::int8_t at[kHidden][kGroup];
};

/// What a layer needs: its weights in both orders, and where the sums start.
struct LayerView {
    const std::int8_t* by_output;  ///< [kHidden][inputs]
    const Group* by_group;         ///< [inputs / kGroup]
    const std::int32_t* bias;      ///< [kHidden]
};

}  // namespace karikomi::shogi
