/// What late moves look up instead of computing it at every move.
#pragma once

#include <cmath>

#include "karikomi/core/selective/late_moves_params.hpp"

namespace karikomi {

/// The logarithms and powers of late_moves.hpp, computed once per parameter set.
class LateMovesTable {
public:
    /// Does nothing when the numbers are those of the last call.
    void prepare(const LateMovesParams& p) {
        if (base_ == p.base && divisor_ == p.divisor && power_ == p.prune_power) return;
        power_ = p.prune_power;
        base_ = p.base;
        divisor_ = p.divisor;
        for (std::size_t d = 1; d < kSize; ++d) {
            powers_[d] = power_ == 2.0f ? static_cast<float>(d * d)
                                        : std::pow(static_cast<float>(d), power_);
            for (std::size_t m = 1; m < kSize; ++m) {
                const double product =
                    std::log(static_cast<double>(d)) * std::log(static_cast<double>(m));
                plies_[d][m] = base_ + static_cast<float>(product) / divisor_;
            }
        }
    }
    float at(Depth depth, int number) const {
        const auto d = static_cast<std::size_t>(std::clamp<int>(depth, 1, kSize - 1));
        return plies_[d][static_cast<std::size_t>(std::clamp<int>(number, 1, kSize - 1))];
    }

    /// Depth to the power of prune_power.
    float power(Depth depth) const { return powers_[std::clamp<int>(depth, 0, kSize - 1)]; }

private:
    static constexpr int kSize = 64;
    float base_ = 0.0f;
    float divisor_ = 0.0f;
    float power_ = 0.0f;
    float plies_[kSize][kSize] = {};
    float powers_[kSize] = {};
};

}  // namespace karikomi
