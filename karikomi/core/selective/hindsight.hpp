/// Hindsight: a move was reduced because little was expected of it. Its node knows the static value
/// after the move, and with it whether that expectation was right.
/// Rule   much reduced, and the position is no worse for the mover than it looked: a ply deeper;
///        reduced, and both sides' static values together say that the move gave away a lot: a ply
///        less deep.
/// Worth  docs/techniques/hindsight.md
#pragma once

#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct Hindsight {
    static constexpr std::string_view kName = "hindsight";
    struct Params {
        bool enabled = false;
        Depth deeper_from = 3;
        Depth shallower_from = 2;
        Value shallower_margin = 200;

        template <class V> void describe(V&& v) {
            v.flag("enabled", enabled, "correct the depth of reduced moves by their static value");
            v.number("deeper_from", deeper_from, 1, kNever, "ply",
                     "a move reduced by so much is searched a ply deeper if it does not look worse "
                     "than its parent thought");
            v.number("shallower_from", shallower_from, 1, kNever, "ply",
                     "a move reduced by so much may be searched a ply less deep");
            v.number("shallower_margin", shallower_margin, 0, 20000, "eval",
                     "... when it gave away more than this");
        }
    };

    struct Stats : CommonStats {
        std::uint64_t deeper = 0, shallower = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("deeper", deeper), v("shallower", shallower);
        }
    };

    static bool needs_static(const Params& p) { return p.enabled; }
    static Depth lowest_depth(const Params& p) { return p.enabled ? 1 : kNever; }

    /// Plies to add to the node's depth. `reduction` is that of the move that led here,
    /// `before` the static value of the parent for its side to move.
    static Depth adjust(const NodeView& n, const Params& p, Depth reduction, Value before,
                        Stats& s) {
        if (!p.enabled || n.in_check || before == kNoValue || n.static_value == kNoValue) return 0;
        if (reduction < std::min(p.deeper_from, p.shallower_from)) return 0;
        ++s.tried;
        if (reduction >= p.deeper_from && !n.worsening) {
            ++s.succeeded, ++s.deeper;
            return 1;
        }
        if (reduction >= p.shallower_from && n.depth >= 2 &&
            n.static_value + before > p.shallower_margin) {
            ++s.succeeded, ++s.shallower;
            return -1;
        }
        return 0;
    }
};

}  // namespace karikomi
