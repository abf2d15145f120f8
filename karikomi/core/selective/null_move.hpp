/// Null move: if passing still fails high, a real move will too. Wrong in zugzwang, so games decide
/// when a pass is thinkable (Othello and Connect Four: never) and deep results are verified by a
/// normal search.
/// Worth  docs/techniques/null_move.md
#pragma once

#include <optional>

#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct NullMove {
    static constexpr std::string_view kName = "null_move";
    struct Params {
        bool enabled = true;
        Depth min_depth = 3;
        Depth reduction = 3;
        int depth_divisor = 4;
        Value eval_margin = 0;
        Value eval_slope = 0;
        Value eval_step = 0;
        Depth eval_step_most = 3;
        bool cut_nodes_only = false;
        bool nested = false;
        Depth verify_depth = 10;
        int most_threat = kAnyThreat;
        Value improving = 0;

        template <class V> void describe(V&& v) {
            v.flag("enabled", enabled, "use the null move");
            v.number("min_depth", min_depth, 1, kNever, "ply", "never tried below this depth");
            v.number("reduction", reduction, 1, 12, "ply", "least reduction");
            v.number("depth_divisor", depth_divisor, 1, 64, "", "further reduction: depth / this");
            v.number("eval_margin", eval_margin, -5000, 5000, "eval",
                     "tried when the static value is at least beta + this");
            v.number("eval_slope", eval_slope, 0, 500, "eval/ply", "... less this for each ply");
            v.number("eval_step", eval_step, 0, 20000, "eval",
                     "one ply more for each of these above beta; 0 never");
            v.later_number("improving", improving, 0, 20000, "eval",
                           "... and less this where the side to move is improving");
            v.later_number("eval_step_most", eval_step_most, 1, 12, "ply", "... up to this");
            v.flag("cut_nodes_only", cut_nodes_only, "only in expected cut nodes");
            v.flag("nested", nested,
                   "a line may have several null moves, but never two in a row; otherwise one");
            v.number("verify_depth", verify_depth, 1, kNever, "ply",
                     "from here a fail-high is verified by a normal search");
            v.number("most_threat", most_threat, 0, kAnyThreat, "",
                     "only where the other side threatens no worse than this: 0 nothing, 1 an "
                     "attack, 2 a certain win, 3 anything");
        }
    };

    struct Stats : CommonStats {
        std::uint64_t verified = 0, refuted = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("verified", verified), v("refuted", refuted);
        }
    };

    static bool needs_static(const Params& p) { return p.enabled; }
    static Depth lowest_depth(const Params& p) { return p.enabled ? p.min_depth : kNever; }

    /// probe.pass(depth, beta): value after passing, for the side that passed;
    /// probe.verify(depth, beta): value of this node by a normal search, null move off.
    template <class Probe>
    static std::optional<Value> try_cut(const NodeView& n, const Params& p, Stats& s, bool& tried,
                                        Probe&& probe) {
        if (!p.enabled || n.depth < p.min_depth || n.in_check || n.kind == NodeKind::Pv) return {};
        if (p.cut_nodes_only && n.kind != NodeKind::Cut) return {};
        if (!has_quiet_window(n) || !is_calm(n, p.most_threat)) return {};
        if (n.estimate < n.beta + std::min(p.eval_margin, 0)) return {};
        const Value margin =
            p.eval_margin - p.eval_slope * n.depth - (n.improving ? p.improving : 0);
        if (n.static_value < n.beta + margin) return {};
        ++s.tried;
        tried = true;
        Depth reduced = n.depth - p.reduction - n.depth / p.depth_divisor;
        if (p.eval_step > 0) {
            const Value steps = (n.static_value - n.beta) / p.eval_step;
            reduced -= std::clamp(steps, 0, p.eval_step_most);
        }
        const Value v = probe.pass(std::max(reduced, 0), n.beta);
        if (v < n.beta) return {};
        // A win that starts with a pass is no proof.
        const Value cut = is_decisive(v) ? n.beta : v;
        if (n.depth >= p.verify_depth) {
            ++s.verified;
            if (probe.verify(std::max(reduced, 1), n.beta) < n.beta) {
                ++s.refuted;
                return {};
            }
        }
        ++s.succeeded;
        return cut;
    }
};

}  // namespace karikomi
