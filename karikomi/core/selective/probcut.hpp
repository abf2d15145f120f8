/// ProbCut: one reduced search predicts the full one.
/// Model  v_deep = a*v_shallow + b + e, e ~ N(0, sigma^2).
/// Cut    high when v_shallow >= (beta - b + t*sigma)/a, low when <= (alpha - b - t*sigma)/a,
///        each tested by a null-window search at the rounded bound.
/// Bound  normal: as above. quantile: t becomes what the fitted law of e says of p = Phi(t).
/// Forms  basic: one reduction; staged: several, deepest reduction first; captures: only captures
///        that reach the bound by their exchange value (the chess family's form).
/// Source docs/techniques/README.md (Buro 1995).   Worth  docs/techniques/probcut.md
#pragma once

#include <cmath>
#include <optional>

#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/core/selective/node_view.hpp"
#include "karikomi/core/selective/probcut_params.hpp"

namespace karikomi {

struct ProbCut {
    static constexpr std::string_view kName = "probcut";
    using Params = ProbCutParams;
    using Variant = ProbCutParams::Variant;

    struct Stats : CommonStats {
        std::uint64_t probed = 0, cut_high = 0, cut_low = 0, by_table = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("probed", probed);
            v("cut_high", cut_high), v("cut_low", cut_low), v("by_table", by_table);
        }
    };

    /// The base parameters as they stand at this node. Derived anew at each node: adjusting the
    /// stored ones (as the source does) would multiply the factor in again at every call.
    struct Here {
        float t;
        Depth min_depth;
        Depth reduction;
        bool pressed;
    };
    static Here adjusted(const NodeView& n, const Params& p) {
        Here h{p.t, p.min_depth, p.depth_reduction, n.time_pressure > p.pressure};
        if (p.by_phase && n.phase == Phase::Opening)
            h = {p.opening_t, p.opening_min_depth, h.reduction, h.pressed};
        if (p.by_phase && n.phase == Phase::Endgame)
            h = {p.endgame_t, p.endgame_min_depth, h.reduction, h.pressed};
        if (h.pressed) {
            h.t *= p.pressure_t;
            h.reduction += p.pressure_reduction;
        }
        // Captures may be left to the horizon alone; a search needs a ply.
        if (p.variant != Variant::Captures) h.min_depth = std::max(h.min_depth, h.reduction + 1);
        return h;
    }

    static bool needs_static(const Params& p) {
        return p.enabled && p.variant == Variant::Captures;
    }
    /// Lowest depth at which a node may try it: feeds the common gate of the node.
    static Depth lowest_depth(const Params& p) {
        if (!p.enabled || p.min_depth >= kNever) return kNever;
        if (!p.by_phase) return p.min_depth;
        return std::min({p.min_depth, p.opening_min_depth, p.endgame_min_depth});
    }

    /// probe(depth, alpha, beta): value of a search of this node with ProbCut off below;
    /// probe.captures(depth, bound): the same over captures that reach the bound by exchange.
    /// Returns the cut's value; `tried` tells whether the node did any test.
    template <class Probe>
    static std::optional<Value> try_cut(const NodeView& n, const Params& p, const Calibration& c,
                                        Stats& s, bool& tried, Probe&& probe) {
        if (!p.enabled || p.min_depth >= kNever) return std::nullopt;
        const Here h = adjusted(n, p);
        if (n.depth < h.min_depth || !has_quiet_window(n) || n.in_check) return std::nullopt;
        if (n.kind == NodeKind::Pv && !p.pv_nodes) return std::nullopt;
        ++s.tried;
        tried = true;
        switch (p.variant) {
            case Variant::Basic:
                return basic(n, p, h, c, s, probe);
            case Variant::Staged:
                return staged(n, p, h, c, s, probe);
            case Variant::Captures:
                return captures(n, p, h, c, s, probe);
        }
        return std::nullopt;
    }

    /// The small form: the table's own lower bound, a little less deep, lies far above beta.
    static std::optional<Value> try_table(const NodeView& n, const Params& p, Stats& s) {
        if (!p.enabled || p.small_margin == 0 || n.kind == NodeKind::Pv || !has_quiet_window(n))
            return std::nullopt;
        const bool at_least = n.tt.bound == Bound::Lower || n.tt.bound == Bound::Exact;
        const Value bound = n.beta + p.small_margin;
        if (!at_least || n.tt.depth < n.depth - p.small_less || n.tt.value < bound)
            return std::nullopt;
        if (is_decisive(n.tt.value) || is_decisive(bound)) return std::nullopt;
        ++s.by_table;
        return bound;
    }

private:
    /// `own` holds the numbers of the parameters, where nothing is fitted.
    static Prediction fitted(const NodeView& n, const Params& p, const Calibration& c,
                             Depth shallow, Regression& own) {
        if (const Prediction r = c.cell_prediction(n.stage, shallow, n.depth)) return r;
        if (const Prediction r = c.model_prediction(n.stage, shallow, n.depth)) return r;
        own = {p.slope, p.intercept, p.sigma};
        return {&own, nullptr};
    }
    static Value rounded(double bound) {
        return static_cast<Value>(
            std::lround(std::clamp(bound, -2.0 * kInfinity, 2.0 * kInfinity)));
    }
    static std::optional<Value> cut(std::uint64_t& side, Stats& s, Value v) {
        ++side, ++s.succeeded;
        return v;
    }

    template <class Probe>
    static std::optional<Value> basic(const NodeView& n, const Params& p, const Here& h,
                                      const Calibration& c, Stats& s, Probe& probe) {
        const Depth shallow = n.depth - h.reduction;
        Regression own;
        const Prediction r = fitted(n, p, c, shallow, own);
        const Value high = rounded(r.high_bound(n.beta, h.t, p.bound));
        const Value low = rounded(r.low_bound(n.alpha, h.t, p.bound));
        if (is_probeable(high)) {
            ++s.probed;
            const Value v = probe(shallow, high - 1, high);
            if (is_decisive(v)) return std::nullopt;
            if (v >= high) return cut(s.cut_high, s, n.beta);
            // Failing low, v is an upper bound on the shallow value: below `low` it proves the low
            // cut without a second search. Far above, it makes that cut unlikely, no more.
            if (v <= low) return cut(s.cut_low, s, n.alpha);
            if (v > low + p.alpha_skip * r->sigma) return std::nullopt;
        }
        if (!is_probeable(low)) return std::nullopt;
        ++s.probed;
        const Value v = probe(shallow, low, low + 1);
        if (!is_decisive(v) && v <= low) return cut(s.cut_low, s, n.alpha);
        return std::nullopt;
    }

    template <class Probe>
    static std::optional<Value> staged(const NodeView& n, const Params& p, const Here& h,
                                       const Calibration& c, Stats& s, Probe& probe) {
        for (std::size_t i = 0; i < p.stage_reductions.size(); ++i) {
            const Depth reduction = p.stage_reductions[i];
            if (reduction < 1 || n.depth < reduction + p.stage_least) continue;
            Regression own;
            const Prediction r = fitted(n, p, c, n.depth - reduction, own);
            const double t = p.stage_t[i] * (h.pressed ? p.pressure_t : 1.0f);
            const Value high = rounded(r.high_bound(n.beta, t, p.bound));
            if (!is_probeable(high)) continue;
            ++s.probed;
            const Value v = probe(n.depth - reduction, high - 1, high);
            if (is_decisive(v)) return std::nullopt;
            if (v >= high) return cut(s.cut_high, s, n.beta);
            if (v < rounded(r.low_bound(n.alpha, t, p.bound)) - p.early_exit)
                break;  // no hope left
        }
        return std::nullopt;
    }

    template <class Probe>
    static std::optional<Value> captures(const NodeView& n, const Params& p, const Here& h,
                                         const Calibration& c, Stats& s, Probe& probe) {
        const Depth shallow = std::max(n.depth - h.reduction, 0);
        const Value margin = std::max(p.capture_margin - (n.improving ? p.improving : 0), 1);
        Regression own;
        const Value bound =
            p.capture_margin > 0
                ? n.beta + margin
                : rounded(fitted(n, p, c, shallow, own).high_bound(n.beta, h.t, p.bound));
        if (!is_probeable(bound)) return std::nullopt;
        if (p.table_first && n.tt.bound != Bound::None && n.tt.value < bound) return std::nullopt;
        ++s.probed;
        const Value v = probe.captures(shallow, bound);
        if (is_decisive(v) || v < bound) return std::nullopt;
        // By so much above beta as above the bound.
        return cut(s.cut_high, s, p.by_history ? v - (bound - n.beta) : n.beta);
    }
};

}  // namespace karikomi
