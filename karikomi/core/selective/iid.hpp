/// Internal iterative deepening: where the table knows no good first move, a reduced search of the
/// same node finds one. Its rival, internal iterative reduction (IIR), searches such nodes less
/// deep instead.
/// Forms  basic; adaptive (depth limit follows the success rate per node kind); multi-level
///        (several reduced depths in turn); selective (depth limit by kind of position); delayed
///        (PV nodes, only after the first moves failed to cut); cached (recent results are kept);
///        they combine.
/// Source docs/techniques/README.md.   Worth  docs/techniques/iid.md
#pragma once

#include "karikomi/core/selective/iid_memory.hpp"
#include "karikomi/core/selective/iid_params.hpp"
#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct Iid {
    static constexpr std::string_view kName = "iid";
    using Params = IidParams;
    using Variant = IidParams::Variant;
    using Memory = IidMemory;

    struct Stats : CommonStats {
        std::array<std::uint64_t, 3> attempts{}, hits{};  ///< by NodeKind: pv, cut, all
        std::uint64_t cache_hits = 0, delayed = 0, reduced = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("pv_attempts", attempts[0]), v("pv_hits", hits[0]);
            v("cut_attempts", attempts[1]), v("cut_hits", hits[1]);
            v("all_attempts", attempts[2]), v("all_hits", hits[2]);
            v("cache_hits", cache_hits), v("delayed", delayed), v("reduced", reduced);
        }
    };

    struct Found {
        Value value = 0;
        Bound bound = Bound::None;
        MoveCode move = kNoMove;
    };

    static Depth lowest_depth(const Params& p) {
        if (!p.enabled || p.min_depth >= kNever) return kNever;
        if (p.variant == Variant::Reduce) return p.reduce_min_depth;
        const auto lowest = [](const auto& depths) {
            return *std::min_element(depths.begin(), depths.end());
        };
        if (p.selective) return lowest(p.selective_depths);
        const Depth usual = p.adaptive ? lowest(p.adaptive_depths) : p.min_depth;
        return p.delayed ? std::min(usual, p.delayed_min_depth) : usual;
    }

    static bool acts_in(NodeKind k, const Params& p) {
        return k == NodeKind::Pv || (!p.pv_only && (k == NodeKind::Cut || p.all_nodes));
    }

    static bool table_has_good_move(const NodeView& n, const Params& p) {
        return n.tt.move != kNoMove && n.tt.depth >= n.depth - p.tt_margin;
    }

    /// Least depth for this node under the chosen forms; kNever in check with `selective`.
    static Depth limit(const NodeView& n, const Params& p, const Memory& m) {
        if (p.selective) {
            if (n.piece_count < p.few_pieces) return p.selective_depths[0];
            if (n.in_check) return kNever;
            return p.selective_depths[n.mobility > p.many_moves ? 1 : 2];
        }
        if (!p.adaptive) return p.min_depth;
        const float rate = m.rate(n.kind);
        const std::size_t band = rate < p.adaptive_rates[0]   ? 0
                                 : rate < p.adaptive_rates[1] ? 1
                                                              : 2;
        return p.adaptive_depths[band];
    }

    /// Depths of the reduced searches, shallow first.
    struct Levels {
        std::array<Depth, 3> depth{};
        int count = 0;
        void add(Depth d) {
            if (d >= 1) depth[static_cast<std::size_t>(count++)] = d;
        }
    };
    static Levels levels(const NodeView& n, const Params& p) {
        Levels l;
        const Depth d = n.depth;
        if (p.multi_level) {
            const auto& less = d >= 16   ? p.levels_16
                               : d >= 12 ? p.levels_12
                               : d >= 8  ? p.levels_8
                                         : p.levels_1;
            for (const int reduction : less) {
                const Depth more = n.aspiration_failed ? p.after_failure : 0;
                if (reduction > 0) l.add(std::min(d - reduction + more, d - 1));
            }
            return l;
        }
        Depth at = d - p.depth_reduction;
        if (n.kind == NodeKind::Cut) at -= p.cut_node_reduction;
        if (n.aspiration_failed) at += p.after_failure;
        l.add(std::clamp(at, 1, d - 1));
        return l;
    }

    /// Finds a first move, or kNoMove. probe(depth, alpha, beta) -> Found searches this node.
    template <class Probe>
    static MoveCode find_move(const NodeView& n, const Params& p, Memory& m, Stats& s,
                              Probe&& probe) {
        if (!p.enabled || p.min_depth >= kNever || p.variant != Variant::Search) return kNoMove;
        if (!acts_in(n.kind, p) || n.depth <= 1 || !has_quiet_window(n)) return kNoMove;
        if (n.depth < limit(n, p, m) + (n.kind == NodeKind::Pv ? 0 : p.non_pv_depth))
            return kNoMove;
        if (p.delayed && n.kind == NodeKind::Pv && n.depth >= p.delayed_min_depth) return kNoMove;
        if (table_has_good_move(n, p)) return kNoMove;
        return look(n, p, m, s, probe);
    }

    /// Should a PV node stop after `moves` moves without a cut and look for a better one?
    static bool is_delayed_now(const NodeView& n, const Params& p, int moves) {
        if (p.min_depth >= kNever || (p.selective && n.in_check)) return false;
        return p.enabled && p.delayed && p.variant == Variant::Search && n.kind == NodeKind::Pv &&
               n.depth >= p.delayed_min_depth && moves == p.delayed_after && has_quiet_window(n) &&
               !table_has_good_move(n, p);
    }
    template <class Probe>
    static MoveCode find_delayed(const NodeView& n, const Params& p, Memory& m, Stats& s,
                                 Probe&& probe) {
        ++s.delayed;
        return look(n, p, m, s, probe);
    }

    /// IIR: how much less deep to search a node without a table move.
    static Depth reduction(const NodeView& n, const Params& p, Stats& s) {
        if (!p.enabled || p.min_depth >= kNever || p.variant != Variant::Reduce) return 0;
        if (!acts_in(n.kind, p) || n.tt.move != kNoMove || !has_quiet_window(n)) return 0;
        if (n.depth < p.reduce_min_depth + (n.kind == NodeKind::Pv ? 0 : p.non_pv_depth)) return 0;
        if (p.reduce_spares_line && n.follows_pv) return 0;
        if (n.prior_reduction > p.reduce_prior || !is_calm(n, p.reduce_threat)) return 0;
        ++s.tried, ++s.succeeded, ++s.reduced;
        return std::min(p.reduce_by, n.depth - 1);
    }

    /// To be called when the node is done: did the move found cut, or stay best?
    static void book_result(NodeKind k, const Params& p, Memory& m, Stats& s, bool success) {
        if (success) ++s.hits[static_cast<std::size_t>(k)], ++s.succeeded;
        m.learn(k, success, p.adaptive_weight);
    }

private:
    template <class Probe>
    static MoveCode look(const NodeView& n, const Params& p, Memory& m, Stats& s, Probe& probe) {
        ++s.tried, ++s.attempts[static_cast<std::size_t>(n.kind)];
        if (p.cached) {
            if (const MoveCode known = m.find(n.key, n.depth - p.cache_less, p.cache_age);
                known != kNoMove) {
                ++s.cache_hits;
                return known;
            }
        }
        MoveCode best = kNoMove;
        const Levels l = levels(n, p);
        for (int i = 0; i < l.count; ++i) {
            const Depth depth = l.depth[static_cast<std::size_t>(i)];
            // Far below the node only the move matters, and a null window finds it more cheaply.
            const bool narrow = p.multi_level && depth < n.depth - p.narrow_beyond;
            const Found f = probe(depth, n.alpha, narrow ? n.alpha + 1 : n.beta);
            if (f.move == kNoMove) continue;
            best = f.move;
            if (f.bound == Bound::Exact && f.value > n.alpha + p.good_enough) break;
        }
        if (best == kNoMove) m.learn(n.kind, false, p.adaptive_weight);
        if (p.cached && best != kNoMove) m.keep(n.key, n.depth, best);
        return best;
    }
};

}  // namespace karikomi
