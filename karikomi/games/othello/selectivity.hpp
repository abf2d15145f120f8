/// How sure a result of the endgame solver is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace karikomi::othello {

/// The share of Multi-ProbCut's cuts that are meant to be right, in percent. A larger level is more
/// trusted; Exact makes no such cuts at all.
enum class Selectivity : std::uint8_t { P73, P87, P95, P98, P99, Exact };

inline constexpr std::array kSelectivities = {Selectivity::P73, Selectivity::P87,
                                              Selectivity::P95, Selectivity::P98,
                                              Selectivity::P99, Selectivity::Exact};

constexpr int percent_of(Selectivity level) {
    constexpr std::array kPercent = {73, 87, 95, 98, 99, 100};
    return kPercent[static_cast<std::size_t>(level)];
}

/// One of 73, 87, 95, 98, 99, 100.
constexpr std::optional<Selectivity> selectivity_of(int percent) {
    for (const Selectivity level : kSelectivities) {
        if (percent_of(level) == percent) return level;
    }
    return std::nullopt;
}

/// Standard deviations that leave that share below, one-sided: Phi^-1(p). Not for Exact.
constexpr float deviations_of(Selectivity level) {
    constexpr std::array kDeviations = {0.613F, 1.126F, 1.645F, 2.054F, 2.326F};
    return kDeviations[static_cast<std::size_t>(level)];
}

constexpr Selectivity next_level(Selectivity level) {
    return level == Selectivity::Exact ? level
                                       : static_cast<Selectivity>(static_cast<int>(level) + 1);
}

}  // namespace karikomi::othello
