/// Multi-ProbCut: shallow searches at several depths predict the deep result.
/// Model  v_deep = a*v_shallow + b + e, e ~ N(0, sigma^2), fitted per (stage, shallow, deep).
/// Cut    high when v_shallow >= (beta - b + t*sigma)/a, low when <= (alpha - b - t*sigma)/a.
/// Modes  pairs: a list of (shallow, deep) pairs; a pair serves only remaining
///        depths that have a measured cell. model: one shallow depth chosen from the remaining one,
///        with (a, b, sigma) from the smooth model.
/// Bound  normal: as above. quantile: t becomes what the fitted law of e says of p = Phi(t) for the
///        side that would err (error_law.hpp): the promise holds at every level.
/// Source docs/techniques/README.md (Buro 1997).   Worth  docs/techniques/multi_probcut.md
#pragma once

#include <cmath>
#include <optional>

#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/core/selective/multi_probcut_params.hpp"
#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct MultiProbCut {
    static constexpr std::string_view kName = "multi_probcut";
    using Params = MultiProbCutParams;
    using Mode = Params::Mode;
    using Window = Params::Window;
    using Order = Params::Order;
    static constexpr std::size_t kPairs = Params::kPairs;

    struct Stats : CommonStats {
        std::uint64_t probed = 0, cut_high = 0, cut_low = 0;
        std::array<std::uint64_t, kPairs> pair_high{}, pair_low{};  ///< model mode: all in [0]
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("probed", probed);
            v("cut_high", cut_high), v("cut_low", cut_low);
            for (std::size_t i = 0; i < kPairs; ++i) v("pair_high", pair_high[i], i);
            for (std::size_t i = 0; i < kPairs; ++i) v("pair_low", pair_low[i], i);
        }
    };

    static bool needs_static(const Params& p) { return p.enabled && p.static_gate; }
    static Depth lowest_depth(const Params& p) { return p.enabled ? p.min_depth : kNever; }

    /// Half the remaining depth (or the given share), of the same parity: evaluations swing with
    /// the side to move, and equal parity keeps that swing out of sigma.
    static Depth model_shallow(const Params& p, Depth deep) {
        Depth s = static_cast<Depth>(static_cast<float>(deep) * p.shallow_share);
        if ((deep - s) & 1) --s;
        return std::max(s, deep & 1);
    }

    /// probe(depth, alpha, beta): value of a search of this node, Multi-ProbCut off below
    /// (or one nesting deeper).
    template <class Probe>
    static std::optional<Value> try_cut(const NodeView& n, const Params& p, const Calibration& c,
                                        Stats& s, Probe&& probe) {
        if (!p.enabled || n.depth < p.min_depth || n.after_pass) return std::nullopt;
        if (!has_quiet_window(n) || (n.kind == NodeKind::Pv && !p.pv_nodes)) return std::nullopt;
        ++s.tried;
        if (p.mode == Mode::Model) {
            const Depth shallow = model_shallow(p, n.depth);
            const Prediction r = c.model_prediction(n.stage, shallow, n.depth);
            return r ? test(n, p, {r, shallow, 0}, s, probe) : std::nullopt;
        }
        for (std::size_t k = 0; k < kPairs; ++k) {
            const std::size_t i = p.pair_order == Order::Backward ? kPairs - 1 - k : k;
            const Depth shallow = p.pair_shallow[i];
            if (p.pair_deep[i] == 0 || n.depth < p.pair_deep[i] || shallow >= n.depth) continue;
            const Prediction r = c.cell_prediction(n.stage, shallow, n.depth);
            if (!r) continue;  // not measured for this depth: no basis for a cut
            if (const auto v = test(n, p, {r, shallow, i}, s, probe)) return v;
        }
        return std::nullopt;
    }

private:
    struct Pair {
        Prediction fit;
        Depth shallow;
        std::size_t number;
    };
    template <class Probe>
    static std::optional<Value> test(const NodeView& n, const Params& p, const Pair& pair, Stats& s,
                                     Probe& probe) {
        // Rounded outwards: a bound between two integers must not weaken the confidence.
        const double limit = 2.0 * kInfinity;
        const auto high = static_cast<Value>(
            std::ceil(std::clamp(pair.fit.high_bound(n.beta, p.t, p.bound), -limit, limit)));
        const auto low = static_cast<Value>(
            std::floor(std::clamp(pair.fit.low_bound(n.alpha, p.t, p.bound), -limit, limit)));
        bool try_high = is_probeable(high);
        bool try_low = is_probeable(low);
        if (p.static_gate) {
            try_high = try_high && n.static_value >= n.beta + p.gate_sigma * pair.fit->sigma;
            try_low = try_low && n.static_value <= n.alpha - p.gate_sigma * pair.fit->sigma;
        }
        if (p.window == Window::Full) {
            if (!try_high && !try_low) return std::nullopt;
            ++s.probed;
            const Value v = probe(pair.shallow, -kInfinity, kInfinity);
            if (is_decisive(v)) return std::nullopt;
            if (try_high && v >= high) return cut(s, s.cut_high, s.pair_high[pair.number], n.beta);
            if (try_low && v <= low) return cut(s, s.cut_low, s.pair_low[pair.number], n.alpha);
            return std::nullopt;
        }
        if (try_high) {
            ++s.probed;
            const Value v = probe(pair.shallow, high - 1, high);
            if (is_decisive(v)) return std::nullopt;
            if (v >= high) return cut(s, s.cut_high, s.pair_high[pair.number], n.beta);
            // v is an upper bound now: already below `low` it saves the second search.
            if (try_low && v <= low) return cut(s, s.cut_low, s.pair_low[pair.number], n.alpha);
        }
        if (try_low) {
            ++s.probed;
            const Value v = probe(pair.shallow, low, low + 1);
            if (!is_decisive(v) && v <= low)
                return cut(s, s.cut_low, s.pair_low[pair.number], n.alpha);
        }
        return std::nullopt;
    }
    static std::optional<Value> cut(Stats& s, std::uint64_t& side, std::uint64_t& pair, Value v) {
        ++side, ++pair, ++s.succeeded;
        return v;
    }
};

}  // namespace karikomi
