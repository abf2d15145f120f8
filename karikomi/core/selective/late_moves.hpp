/// Late moves: with good ordering the moves at the end of the list rarely matter, so they are
/// searched less deep, and some not at all.
/// Rule   reduction = base + ln(depth)*ln(move number)/divisor, then more or less by what is known
///        of the node (kind, trend, table) and of the move (history, check). A reduced move that
///        surprises is searched again, a ply deeper or shallower by how large the surprise is.
/// Skip   quiet moves from number prune_base + depth^2 on; moves that lose material by exchange;
///        quiet moves with a bad history. Each is off unless its depth is set.
/// Worth  docs/techniques/late_moves.md
#pragma once

#include "karikomi/core/selective/late_moves_table.hpp"
#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct LateMoves {
    static constexpr std::string_view kName = "late_moves";
    using Params = LateMovesParams;

    struct Stats : CommonStats {
        std::uint64_t researched = 0, deeper = 0, shallower = 0, extended = 0, first = 0;
        std::uint64_t pruned = 0, by_exchange = 0, by_history = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("researched", researched), v("deeper", deeper), v("shallower", shallower);
            v("extended", extended), v("first", first);
            v("pruned", pruned), v("by_exchange", by_exchange), v("by_history", by_history);
        }
    };

    struct MoveFacts {
        int number = 1;  ///< 1 for the first move searched
        bool quiet = true;
        bool special = false;  ///< table, IID or killer move
        int history = 0;       ///< what reductions go by
        bool check = false;    ///< gives check, as far as anybody asked
        int child_cuts = 0;    ///< answers to earlier moves that cut
        bool doomed = false;   ///< every move so far loses by force: skip none
        bool first = true;     ///< no move has raised alpha
        int near = 0;          ///< history after the last two moves and by structure
        int own = 0;           ///< ... and of the move alone
    };

    using Table = LateMovesTable;

    static Depth lowest_depth(const Params& p) { return p.enabled ? p.min_depth : kNever; }

    /// Plies to search this move less deep; leaves at least depth 1.
    static Depth reduction(const NodeView& n, const Params& p, const Table& table,
                           const MoveFacts& m, Stats& s) {
        if (n.depth < lowest_depth(p) || m.number <= p.full_moves) return 0;
        if ((m.special && !p.special) || (n.in_check && !p.in_check)) return 0;
        if (!m.quiet && !p.tactical) return 0;
        ++s.tried;
        const float r = plies(n, p, table, m);
        const Depth most = std::max(n.depth - 2, 0);
        const auto more = n.kind == NodeKind::Pv ? static_cast<Depth>(p.pv_deeper) : 0;
        const Depth less = std::clamp(static_cast<Depth>(r), -p.deeper_most, most) - more;
        if (less > 0) ++s.succeeded;
        if (less < 0) ++s.extended;
        return less;
    }

    /// Plies to search the first move of a node outside the PV less deep: where nothing speaks for
    /// the node's expectation but the expectation, it gets less of a search altogether.
    static Depth first_less(const NodeView& n, const Params& p, const Table& table,
                            const MoveFacts& m, Stats& s) {
        if (p.first_less <= 0.0f || n.depth < lowest_depth(p)) return 0;
        const float r =
            plies(n, p, table, m) + (n.tt.move == kNoMove ? p.first_without_move : 0.0f);
        if (r <= p.first_less) return 0;
        ++s.first;
        return r > p.first_less + 1.0f && n.depth > p.first_twice_above ? 2 : 1;
    }

    /// The reduction as a real number.
    static float plies(const NodeView& n, const Params& p, const Table& table, const MoveFacts& m) {
        float r = table.at(n.depth, m.number);
        if (!n.improving) r += p.not_improving + p.not_improving_scale * (r - p.base);
        r -= p.window * n.window + p.correction * static_cast<float>(n.correction);
        r += p.extra - p.per_move * static_cast<float>(m.number) -
             static_cast<float>(m.history) / p.history;
        if (n.kind == NodeKind::Cut) {
            r += p.cut_node + (n.tt.move == kNoMove ? p.cut_without_move : 0.0f);
        }
        if (n.kind == NodeKind::Pv) r += p.pv_node;
        if (n.table_pv) {
            r += p.table_pv;
            if (n.tt.value != kNoValue && n.tt.value > n.alpha) r += p.table_pv_value;
            if (n.tt.depth >= n.depth) {
                r += p.table_pv_depth + (n.kind == NodeKind::Cut ? p.table_pv_depth_cut : 0.0f);
            }
        }
        if (n.table_move_is_tactical) r += p.table_tactical;
        if (m.child_cuts > p.child_cut_count) {
            r += p.child_cuts + (n.kind == NodeKind::All ? p.child_cuts_all : 0.0f);
            if (m.child_cuts > p.child_cut_count + 1) r += p.child_cuts_more;
        }
        if (m.check) r += p.check;
        if (m.special) r -= p.special_less;
        if (n.kind == NodeKind::All) r += r * p.all_scale / static_cast<float>(n.depth + 1);
        return r;
    }

    /// A reduced move came back above alpha: how deep to search it again, seen from full depth?
    static Depth adjust_research(const Params& p, Value value, Value best, Depth reduction,
                                 Stats& s) {
        ++s.researched;
        if (p.deeper > 0 && value > best + p.deeper && reduction > 0) {
            ++s.deeper;
            return 1;
        }
        if (p.shallower > 0 && value < best + p.shallower) {
            ++s.shallower;
            return -1;
        }
        return 0;
    }

    /// May moves of this node be skipped at all?
    static bool may_prune(const NodeView& n, const Params& p) {
        return p.enabled && !(p.spare_line && n.follows_pv && n.kind == NodeKind::Pv) &&
               (n.kind != NodeKind::Pv || p.prune_pv) && is_calm(n, p.prune_threat) &&
               (!n.in_check || p.prune_in_check) && (p.prune_decisive || !is_decisive(n.alpha));
    }

    /// Skip this quiet move for its number?
    static bool prune(const NodeView& n, const Params& p, const Table& table, const MoveFacts& m,
                      Stats& s) {
        if (n.depth > p.prune_max_depth || !m.quiet || m.special || !may_prune(n, p)) return false;
        if (m.number <= most_moves(n, p, table)) return false;
        ++s.pruned;
        return true;
    }
    static int most_moves(const NodeView& n, const Params& p, const Table& table) {
        const auto moves = p.prune_base + static_cast<int>(p.prune_slope * table.power(n.depth));
        if (!p.prune_by_trend || n.improving) return moves;
        return static_cast<int>(static_cast<float>(moves) * p.prune_trend_share);
    }

    /// Deepest node at which a move may be skipped.
    static Depth highest_node(const Params& p) {
        if (!p.enabled) return 0;
        return std::max({p.prune_max_depth, p.exchange_max_depth, p.history_max_depth});
    }

    /// Depth that is left for a move when it is judged, before anything is searched.
    static Depth depth_left(const NodeView& n, const Params& p, const Table& table,
                            const MoveFacts& m, Depth reduction) {
        if (!p.judge_plainly) return n.depth - 1 - reduction;
        float r = table.at(n.depth, m.number);
        if (!n.improving) r += p.not_improving + p.not_improving_scale * (r - p.base);
        r -= p.window * n.window;
        if (n.table_pv) r += p.judge_table_pv;
        Depth left = n.depth - 1 - static_cast<Depth>(r);
        if (p.judge_history > 0.0f && m.quiet && !m.check) {
            const float history =
                static_cast<float>(m.near) + p.judge_own * static_cast<float>(m.own);
            left += static_cast<Depth>(history / p.judge_history);
        }
        return left;
    }

    /// Skip this quiet move for its history? `left` is the depth after reduction.
    static bool prune_by_history(const NodeView& n, const Params& p, const MoveFacts& m, Depth left,
                                 Stats& s) {
        if (n.depth > p.history_max_depth || m.special || !may_prune(n, p)) return false;
        const bool kept = p.judge_plainly ? m.near >= p.history_least * n.depth
                                          : m.history >= p.history_least * std::max(left, 1);
        if (kept) return false;
        ++s.by_history;
        return true;
    }

    /// What a tactical move may lose.
    static Value tactical_loss(const NodeView& n, const Params& p, const MoveFacts& m) {
        const auto more = m.quiet ? 0.0f : p.exchange_history * static_cast<float>(m.own);
        return std::max(p.exchange_tactical * n.depth + static_cast<Value>(more), 0);
    }

    /// Skip this move for what it loses by exchange? `exchange()` is asked last.
    template <class Exchange>
    static bool prune_by_exchange(const NodeView& n, const Params& p, const MoveFacts& m,
                                  Depth left, Stats& s, Exchange&& exchange) {
        if (n.depth > p.exchange_max_depth || !may_prune(n, p)) return false;
        if (p.exchange_ahead && n.alpha < 0 && (!m.quiet || m.check)) return false;
        const Depth plies = std::max(left, p.judge_plainly ? 0 : 1);
        const Value most =
            m.quiet && !m.check ? p.exchange_quiet * plies * plies : tactical_loss(n, p, m);
        if (exchange() >= -most) return false;
        ++s.by_exchange;
        return true;
    }
};

}  // namespace karikomi
