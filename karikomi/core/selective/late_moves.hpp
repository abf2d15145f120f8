/// Late moves: with good ordering the moves at the end of the list rarely matter, so they are
/// searched less deep (and, near the leaves, not at all when `prune_max_depth` says so).
/// Rule   reduction = base + ln(depth)*ln(move number)/divisor, adjusted by node kind and history.
/// Further forms, off unless their depth is set: moves that lose material by exchange, and quiet
///        moves with a bad history, are not searched near the leaves.
/// Worth  docs/techniques/late_moves.md
#pragma once

#include <cmath>

#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct LateMoves {
    struct Params {
        bool enabled = true;
        Depth min_depth = 3;
        int full_moves = 3;
        float base = 0.3f;
        float divisor = 2.2f;
        float cut_node = 0.5f;
        float pv_node = -0.7f;
        float history = 8000.0f;
        bool tactical = false;
        Depth prune_max_depth = 0;
        int prune_base = 4;
        bool prune_by_trend = false;
        float not_improving = 0.0f;
        float check = 0.0f;
        Depth exchange_max_depth = 0;
        Value exchange_quiet = 25;
        Value exchange_tactical = 120;
        Depth history_max_depth = 0;
        int history_least = -3000;

        template <class V> void describe(V&& v) {
            v.flag("enabled", enabled, "reduce late moves");
            v.number("min_depth", min_depth, 2, kNever, "ply", "never reduces below this depth");
            v.number("full_moves", full_moves, 1, 64, "", "this many moves are never reduced");
            v.number("base", base, -2.0f, 4.0f, "ply", "constant part of the reduction");
            v.number("divisor", divisor, 0.5f, 20.0f, "", "larger reduces less");
            v.number("cut_node", cut_node, -4.0f, 4.0f, "ply", "added in expected cut nodes");
            v.number("pv_node", pv_node, -4.0f, 4.0f, "ply", "added in PV nodes");
            v.number("history", history, 100.0f, 1000000.0f, "", "history worth one ply");
            v.flag("tactical", tactical, "reduce captures and other tactical moves too");
            v.number("prune_max_depth", prune_max_depth, 0, 16, "ply",
                     "up to here late quiet moves are skipped; 0 never");
            v.number("prune_base", prune_base, 1, 200, "", "skipped from this + depth^2 moves on");
            v.flag("prune_by_trend", prune_by_trend,
                   "half as many moves where the side to move is not improving");
            v.number("not_improving", not_improving, -4.0f, 4.0f, "ply",
                     "added to the reduction where the side to move is not improving");
            v.number("check", check, -4.0f, 4.0f, "ply", "added for moves that give check");
            v.number("exchange_max_depth", exchange_max_depth, 0, 30, "ply",
                     "up to here moves that lose by exchange are skipped; 0 never");
            v.number("exchange_quiet", exchange_quiet, 0, 20000, "eval/ply^2",
                     "a quiet move may lose this times the square of the depth left");
            v.number("exchange_tactical", exchange_tactical, 0, 20000, "eval/ply",
                     "a tactical move may lose this for each ply");
            v.number("history_max_depth", history_max_depth, 0, 30, "ply",
                     "up to here quiet moves with a bad history are skipped; 0 never");
            v.number("history_least", history_least, -50000, 0, "",
                     "history for each ply below which a quiet move is skipped");
        }
    };

    struct Stats : CommonStats {
        std::uint64_t researched = 0, pruned = 0, by_exchange = 0, by_history = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("researched", researched), v("pruned", pruned);
            v("by_exchange", by_exchange), v("by_history", by_history);
        }
    };

    struct MoveFacts {
        int number = 1;  ///< 1 for the first move searched
        bool quiet = true;
        bool special = false;  ///< table, IID or killer move: never reduced
        int history = 0;
        bool check = false;  ///< gives check, as far as anybody asked
    };

    /// The logarithms, computed once per parameter set.
    class Table {
    public:
        /// Does nothing when the numbers are those of the last call.
        void prepare(const Params& p) {
            if (base_ == p.base && divisor_ == p.divisor) return;
            base_ = p.base;
            divisor_ = p.divisor;
            for (std::size_t d = 1; d < kSize; ++d) {
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

    private:
        static constexpr int kSize = 64;
        float base_ = 0.0f;
        float divisor_ = 0.0f;
        float plies_[kSize][kSize] = {};
    };

    static Depth lowest_depth(const Params& p) { return p.enabled ? p.min_depth : kNever; }

    /// Plies to search this move less deep; leaves at least depth 1.
    static Depth reduction(const NodeView& n, const Params& p, const Table& table,
                           const MoveFacts& m, Stats& s) {
        if (n.depth < lowest_depth(p) || m.number <= p.full_moves || m.special || n.in_check)
            return 0;
        if (!m.quiet && !p.tactical) return 0;
        ++s.tried;
        float r = table.at(n.depth, m.number) - static_cast<float>(m.history) / p.history;
        if (n.kind == NodeKind::Cut) r += p.cut_node;
        if (n.kind == NodeKind::Pv) r += p.pv_node;
        if (!n.improving) r += p.not_improving;
        if (m.check) r += p.check;
        const Depth plies = std::clamp(static_cast<Depth>(r), 0, n.depth - 2);
        if (plies > 0) ++s.succeeded;
        return plies;
    }

    /// Skip this quiet move altogether?
    static bool prune(const NodeView& n, const Params& p, const MoveFacts& m, Stats& s) {
        if (!p.enabled || n.depth > p.prune_max_depth || n.kind == NodeKind::Pv) return false;
        if (!m.quiet || m.special || n.in_check || is_decisive(n.alpha)) return false;
        int searched = p.prune_base + n.depth * n.depth;
        if (p.prune_by_trend && !n.improving) searched /= 2;
        if (m.number <= searched) return false;
        ++s.pruned;
        return true;
    }

    /// Deepest node at which a move may be skipped.
    static Depth highest_depth(const Params& p) {
        if (!p.enabled) return 0;
        return std::max({p.prune_max_depth, p.exchange_max_depth, p.history_max_depth});
    }

    /// Skip this quiet move for its history? `left` is the depth after reduction.
    static bool prune_by_history(const NodeView& n, const Params& p, const MoveFacts& m, Depth left,
                                 Stats& s) {
        if (n.depth > p.history_max_depth || n.kind == NodeKind::Pv) return false;
        if (m.special || n.in_check || is_decisive(n.alpha)) return false;
        if (m.history >= p.history_least * std::max(left, 1)) return false;
        ++s.by_history;
        return true;
    }

    /// Skip this move for what it loses by exchange? `exchange()` is asked last.
    template <class Exchange>
    static bool prune_by_exchange(const NodeView& n, const Params& p, const MoveFacts& m,
                                  Depth left, Stats& s, Exchange&& exchange) {
        if (!p.enabled || n.depth > p.exchange_max_depth || n.kind == NodeKind::Pv) return false;
        if (n.in_check || is_decisive(n.alpha)) return false;
        const Value most = m.quiet ? p.exchange_quiet * std::max(left, 1) * std::max(left, 1)
                                   : p.exchange_tactical * n.depth;
        if (exchange() >= -most) return false;
        ++s.by_exchange;
        return true;
    }
};

}  // namespace karikomi
