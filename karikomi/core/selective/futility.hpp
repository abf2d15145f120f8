/// Futility pruning with measured, side-aware margins.
/// Rule   at remaining depth 1..max_depth skip a quiet move when
///        static value after the move + margin[whose move][colour][depth] <= alpha.
/// Why two sides: the root player's own threats show in the static value, the opponent's answers
///        only in search, so the same depth needs a small margin on one side and a large one on the
///        other. Colour is a third index for games with unequal rules (renju's forbidden moves).
/// Whole nodes (off unless their depths are set), for games whose static value can be trusted:
///        reverse   static value - margin*depth >= beta: the node fails high;
///        razoring  static value + margin(depth) < alpha: only the horizon is asked.
/// Late   by the depth that is left after the reduction of a late move, with one straight margin.
/// Source docs/techniques/README.md; the whole-node forms are the chess family's.
/// Worth  docs/techniques/futility.md
#pragma once

#include <optional>

#include "karikomi/core/selective/futility_params.hpp"
#include "karikomi/core/selective/gain_sample.hpp"
#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct Futility {
    static constexpr std::string_view kName = "futility";
    static constexpr Depth kDepths = FutilityParams::kDepths;
    using Margins = FutilityParams::Margins;

    using Params = FutilityParams;

    struct Stats : CommonStats {
        std::uint64_t pruned_self = 0, pruned_opponent = 0;
        std::uint64_t reversed = 0, razored = 0, late = 0, tactical = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("pruned_self", pruned_self), v("pruned_opponent", pruned_opponent);
            v("reversed", reversed), v("razored", razored), v("late", late);
            v("tactical", tactical);
        }
    };

    /// Deepest node at which a move may be pruned; 0 switches the technique off.
    static Depth highest_depth(const Params& p) { return p.enabled ? p.max_depth : 0; }
    /// Deepest node that needs a look at all.
    static Depth highest_node(const Params& p) {
        if (!p.enabled) return 0;
        return std::max({p.max_depth, p.reverse_max_depth, p.razor_max_depth});
    }
    static bool judges_nodes(const Params& p) {
        return p.enabled && (p.reverse_max_depth > 0 || p.razor_max_depth > 0);
    }

    static bool needs_static(const Params& p) { return judges_nodes(p); }

    /// Ends the whole node? `horizon(alpha)`: is the horizon's value below alpha, and which?
    template <class Horizon>
    static std::optional<Value> try_node(const NodeView& n, const Params& p, Stats& s,
                                         Horizon&& horizon) {
        if (!judges_nodes(p) || n.kind == NodeKind::Pv || n.in_check) return std::nullopt;
        if (!has_quiet_window(n) || n.static_value == kNoValue) return std::nullopt;
        const bool spared =
            (p.reverse_spares_pv && n.table_pv) ||
            (p.reverse_spares_quiet && n.tt.move != kNoMove && !n.table_move_is_tactical);
        if (n.depth <= p.reverse_max_depth && !spared && is_calm(n, p.reverse_threat)) {
            ++s.tried;
            const Value margin = reverse_margin(n, p);
            if (n.estimate - std::max(margin, 0) >= n.beta) {
                ++s.succeeded, ++s.reversed;
                // Not the whole of it: the margin is a guess.
                return (n.estimate + p.reverse_beta * n.beta) / (p.reverse_beta + 1);
            }
        }
        if (n.depth <= p.razor_max_depth && is_calm(n, p.razor_threat) &&
            n.estimate + p.razor_base + p.razor_slope * n.depth * n.depth < n.alpha) {
            ++s.tried;
            const Value v = horizon(n.alpha);
            if (v < n.alpha && !is_decisive(v)) {
                ++s.succeeded, ++s.razored;
                return v;
            }
        }
        return std::nullopt;
    }

    /// How far above beta ends a node?
    static Value reverse_margin(const NodeView& n, const Params& p) {
        const Value slope = p.reverse_margin - (n.table_known ? 0 : p.reverse_unknown);
        const float plies = (n.improving ? p.reverse_improving_plies : 0.0f) +
                            (n.worsening ? p.reverse_worsening_plies : 0.0f);
        return slope * n.depth - (n.improving ? p.reverse_improving : 0) -
               (n.worsening ? p.reverse_worsening : 0) -
               static_cast<Value>(plies * static_cast<float>(slope)) +
               static_cast<Value>(p.reverse_correction * static_cast<float>(n.correction));
    }

    /// try_prune by the depth that is left for a late move. `first`: no move has raised alpha.
    static std::optional<Value> try_prune_late(const NodeView& n, const Params& p, Depth left,
                                               Value move_value, bool first, Stats& s) {
        if (!p.enabled || left > p.late_max_depth || n.in_check) return std::nullopt;
        if (!is_calm(n, p.late_threat)) return std::nullopt;
        if (n.kind == NodeKind::Pv && !p.late_pv) return std::nullopt;
        if (!(p.late_decisive || has_quiet_window(n)) || is_decisive(move_value))
            return std::nullopt;
        ++s.tried;
        const Value most = move_value + p.late_base + p.late_slope * left +
                           (first ? p.late_first : 0) + (move_value > n.alpha ? p.late_above : 0);
        if (most > n.alpha) return std::nullopt;
        ++s.succeeded, ++s.late;
        return most;
    }

    /// The same for a capture; `gain` is what it takes.
    static std::optional<Value> try_prune_tactical(const NodeView& n, const Params& p, Depth left,
                                                   Value gain, int history, Stats& s) {
        if (!p.enabled || left > p.tactical_max_depth || n.in_check) return std::nullopt;
        if (n.kind == NodeKind::Pv && !p.late_pv) return std::nullopt;
        if (!(p.late_decisive || has_quiet_window(n)) || n.static_value == kNoValue)
            return std::nullopt;
        ++s.tried;
        const Value most = n.static_value +
                           static_cast<Value>(p.tactical_gain * static_cast<float>(gain)) +
                           static_cast<Value>(p.tactical_history * static_cast<float>(history)) +
                           p.tactical_base + p.tactical_slope * left;
        if (most > n.alpha) return std::nullopt;
        ++s.succeeded, ++s.tactical;
        return most;
    }

    static Value margin(const Params& p, bool opponent, int colour, Depth depth) {
        const Margins& self = colour == 0 ? p.self_first : p.self_second;
        const Margins& other = colour == 0 ? p.opponent_first : p.opponent_second;
        return (opponent ? other : self)[static_cast<std::size_t>(depth)];
    }

    /// Most that a quiet move may be worth, or nothing when it must be searched. `move_value` is
    /// the static value after the move, for the mover; the caller has seen to it that the move is
    /// quiet and that it is not the first.
    static std::optional<Value> try_prune(const NodeView& n, const Params& p, Value move_value,
                                          Stats& s) {
        if (n.depth < 1 || n.depth > highest_depth(p) || n.in_check) return std::nullopt;
        if (!has_quiet_window(n) || is_decisive(move_value)) return std::nullopt;
        ++s.tried;
        const Value most = move_value + margin(p, n.opponent_to_move, n.colour, n.depth);
        if (most > n.alpha) return std::nullopt;
        ++s.succeeded;
        ++(n.opponent_to_move ? s.pruned_opponent : s.pruned_self);
        return most;
    }
};

}  // namespace karikomi
