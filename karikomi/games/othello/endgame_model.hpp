/// How well a shallow search on pattern values foretells the final score, in discs:
///   final score = value of a search of depth s + bias + e,  e ~ N(0, sigma^2).
/// Fitted by `build/bench/endgame_fit 2 3` for the weights othello-patterns-204e9ef7, at 10 to 22
/// empties. Its slope over empties (-0.012) is left out, taken at 13 empties: it is small, and
/// solves go further than the fit.
#pragma once

#include <array>
#include <cstddef>

namespace karikomi::othello {

struct EndgameModel {
    /// [empties odd][s odd]: who makes the last move matters.
    std::array<std::array<float, 2>, 2> bias{};
    /// ln sigma = c[0] + c[1] s + c[2] s^2 + c[3] empties.
    std::array<float, 4> ln_sigma{};

    constexpr float bias_of(int empties, int s) const {
        return bias[static_cast<std::size_t>(empties & 1)][static_cast<std::size_t>(s & 1)];
    }
    constexpr float ln_sigma_of(int empties, int s) const {
        const auto depth = static_cast<float>(s);
        return ln_sigma[0] + ln_sigma[1] * depth + ln_sigma[2] * depth * depth +
               ln_sigma[3] * static_cast<float>(empties);
    }
};

inline constexpr EndgameModel kEndgameModel{
    .bias = {{{1.32F, -0.96F}, {2.99F, 0.84F}}},
    .ln_sigma = {2.197F, -0.1412F, 0.00698F, 0.0F},
};

}  // namespace karikomi::othello
