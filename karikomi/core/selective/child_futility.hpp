/// Futility of whole nodes, asked by the parent: where the ordering has left a child's static
/// value, a child that futility ends need not even be made. Only for the plain form of the rule,
/// in which nothing counts but static value, depth and beta.
/// Worth  docs/techniques/futility.md
#pragma once

#include <optional>

#include "karikomi/core/selective/futility.hpp"

namespace karikomi {

struct ChildFutility {
    static bool is_plain(const FutilityParams& p) {
        return p.enabled && p.reverse_max_depth > 0 && p.reverse_improving == 0 &&
               p.reverse_worsening == 0 && p.reverse_unknown == 0 && !p.reverse_spares_pv &&
               !p.reverse_spares_quiet && p.reverse_improving_plies == 0.0f &&
               p.reverse_worsening_plies == 0.0f && p.reverse_correction == 0.0f;
    }
    /// What Futility::try_node says at a child with a null window that ends at `beta`.
    static std::optional<Value> try_cut(const FutilityParams& p, Value static_value, Depth depth,
                                        Value beta, Futility::Stats& s) {
        if (depth < 1 || depth > p.reverse_max_depth) return std::nullopt;
        if (is_decisive(beta - 1) || is_decisive(beta)) return std::nullopt;
        if (static_value - p.reverse_margin * depth < beta) return std::nullopt;
        ++s.tried, ++s.succeeded, ++s.reversed;
        return (static_value + p.reverse_beta * beta) / (p.reverse_beta + 1);
    }
};

}  // namespace karikomi
