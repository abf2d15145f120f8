/// Futility pruning with measured, side-aware margins.
/// Rule   at remaining depth 1..max_depth skip a quiet move when
///        static value after the move + margin[whose move][colour][depth] <= alpha.
/// Why two sides: the root player's own threats show in the static value, the opponent's answers
///        only in search, so the same depth needs a small margin on one side and a large one on the
///        other. Colour is a third index for games with unequal rules (renju's forbidden moves).
/// Source seeds/001.   Worth  docs/techniques/futility.md
#pragma once

#include <optional>

#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct Futility {
    static constexpr Depth kDepths = 3;
    using Margins = std::array<Value, kDepths + 1>;  ///< by remaining depth; [0] is unused

    struct Params {
        bool enabled = true;
        Depth max_depth = kDepths;
        Margins self_first{0, 900, 300, 900};
        Margins self_second{0, 900, 300, 900};
        Margins opponent_first{0, 5000, 2000, 4500};
        Margins opponent_second{0, 5000, 2000, 4500};

        template <class V> void describe(V&& v) {
            v.flag("enabled", enabled, "use futility pruning");
            v.number("max_depth", max_depth, 0, kDepths, "ply", "deepest node that prunes");
            v.list("self_first", self_first, 0, 60000, "eval",
                   "margins by depth when the root player is to move and is the first player");
            v.list("self_second", self_second, 0, 60000, "eval", "... and is the second player");
            v.list("opponent_first", opponent_first, 0, 60000, "eval",
                   "margins when the opponent is to move and is the first player");
            v.list("opponent_second", opponent_second, 0, 60000, "eval",
                   "... and is the second player");
        }
    };

    struct Stats : CommonStats {
        std::uint64_t pruned_self = 0, pruned_opponent = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("pruned_self", pruned_self), v("pruned_opponent", pruned_opponent);
        }
    };

    /// Deepest node at which a move may be pruned; 0 switches the technique off.
    static Depth highest_depth(const Params& p) { return p.enabled ? p.max_depth : 0; }

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

/// What a measuring run writes down for each quiet move at depth 1..3 (techniques.md section 3):
/// gain = max(0, value - static_value). The laboratory turns these into margins.
struct GainSample {
    Depth depth = 0;
    Depth root_depth = 0;
    bool opponent = false;
    int colour = 0;
    int stage = 0;
    Value static_value = 0;  ///< after the move, for the mover
    Value value = 0;         ///< after the search, for the mover
    Bound bound = Bound::None;
    Value gain() const { return std::max(0, value - static_value); }
};

}  // namespace karikomi
