/// Singular extension: when every move but the table's fails well below its value, that move is
/// looked at one ply deeper; when the others reach beta as well, the node is cut (multi-cut).
/// Test   search without the table move at (depth-1)/2 with the window just below
///        singular_beta = tt_value - (margin_base + margin_slope*depth).
/// Source docs/techniques/README.md.   Worth  docs/techniques/singular.md
#pragma once

#include <optional>

#include "karikomi/core/selective/node_view.hpp"

namespace karikomi {

struct Singular {
    static constexpr std::string_view kName = "singular";
    struct Params {
        bool enabled = true;
        Depth min_depth = 8;
        Depth tt_margin = 3;
        bool exact_entries = false;
        bool nested = false;
        Value margin_base = 80;
        float margin_slope = 10.0f;
        float margin_table_pv = 0.0f;
        bool double_extension = false;
        Value double_margin = 50;
        bool triple_extension = false;
        Value triple_margin = 150;
        Value pv_margin = 0;
        Value quiet_margin = 0;
        bool node_deeper = false;
        bool multi_cut = true;
        bool multi_cut_by_value = false;
        Depth negative = 0;
        Depth negative_cut = 0;
        bool forced = false;
        bool pv_nodes = true;
        bool all_nodes = true;
        bool history_filter = false;
        float history_share = 0.9f;
        Value history_exception = 100;
        bool by_phase = true;
        Depth opening_depth = 2;
        Depth endgame_depth = -1;
        float pressure = 0.8f;
        int max_extensions = 12;

        template <class V> void describe(V&& v) {
            v.flag("enabled", enabled, "use singular extension");
            v.number("min_depth", min_depth, 3, kNever, "ply", "never tried below this depth");
            v.number("tt_margin", tt_margin, 0, 16, "ply",
                     "the table entry must be at least depth - this deep");
            v.number("margin_base", margin_base, 0, 20000, "eval", "margin at depth 0");
            v.number("margin_slope", margin_slope, 0.0f, 2000.0f, "eval/ply",
                     "margin for each ply");
            v.number("margin_table_pv", margin_table_pv, 0.0f, 2000.0f, "eval/ply",
                     "added to it where the position was on a principal variation, not now");
            v.flag("exact_entries", exact_entries, "exact table values count as lower bounds");
            v.flag("nested", nested,
                   "nodes below an exclusion search may test for singular moves again");
            v.flag("double_extension", double_extension, "two plies for very singular moves");
            v.number("double_margin", double_margin, -20000, 20000, "eval",
                     "how far below for two plies");
            v.flag("triple_extension", triple_extension, "three plies for the most singular ones");
            v.number("triple_margin", triple_margin, -20000, 20000, "eval",
                     "how far below for three plies");
            v.number("pv_margin", pv_margin, 0, 20000, "eval", "added to both in PV nodes");
            v.number("quiet_margin", quiet_margin, 0, 20000, "eval",
                     "taken off both where the table move is quiet");
            v.flag("node_deeper", node_deeper,
                   "the other moves of the node are searched a ply deeper, too");
            v.flag("multi_cut", multi_cut, "cut when the other moves reach beta too");
            v.flag("multi_cut_by_value", multi_cut_by_value,
                   "... as their value says, not the bound that they were tested against");
            v.number("negative", negative, 0, 4, "ply",
                     "table move searched less deep when others reach its value and it beta");
            v.number("negative_cut", negative_cut, 0, 4, "ply",
                     "... or when others reach its value in an expected cut node");
            v.flag("forced", forced, "a move is singular also where all others lose by force");
            v.flag("pv_nodes", pv_nodes, "test in PV nodes");
            v.flag("all_nodes", all_nodes, "test in nodes that are expected to fail low");
            v.flag("history_filter", history_filter, "only if the move's history is near the best");
            v.number("history_share", history_share, 0.0f, 1.0f, "", "history_filter: how near");
            v.number("history_exception", history_exception, 0, 20000, "eval",
                     "history_filter: not asked when the table value is this far above beta");
            v.flag("by_phase", by_phase,
                   "opening: slope * 3/2; endgame: base / 2, double extension allowed");
            v.number("opening_depth", opening_depth, -4, 8, "ply",
                     "added to min_depth in the opening");
            v.number("endgame_depth", endgame_depth, -4, 8, "ply",
                     "added to min_depth in the endgame");
            v.number("pressure", pressure, 0.0f, 10.0f, "",
                     "off above this emergency of the game clock (0 to 1)");
            v.number("max_extensions", max_extensions, 0, 250, "ply", "bound on a whole line");
        }
    };

    struct Stats : CommonStats {
        std::uint64_t extended = 0, doubled = 0, tripled = 0, multi_cut = 0, negative = 0;
        template <class V> void describe(V&& v) {
            describe_common(v);
            v("extended", extended), v("doubled", doubled), v("tripled", tripled);
            v("multi_cut", multi_cut), v("negative", negative);
        }
    };

    struct Verdict {
        std::optional<Value> cut;  ///< multi-cut: return this from the node
        Depth extension = 0;       ///< for the table move; below 0: less deep
        Depth others = 0;          ///< for all other moves
    };
    struct Histories {
        int move = 0;  ///< of the table move
        int best = 0;  ///< largest among the node's moves
    };

    static Depth lowest_depth(const Params& p) {
        if (!p.enabled || p.min_depth >= kNever) return kNever;
        return p.by_phase ? p.min_depth + std::min({0, p.opening_depth, p.endgame_depth})
                          : p.min_depth;
    }

    static Depth depth_limit(const NodeView& n, const Params& p) {
        if (!p.by_phase || n.phase == Phase::Middle) return p.min_depth;
        return p.min_depth + (n.phase == Phase::Opening ? p.opening_depth : p.endgame_depth);
    }
    static Value margin(const NodeView& n, const Params& p) {
        const bool opening = p.by_phase && n.phase == Phase::Opening;
        const bool endgame = p.by_phase && n.phase == Phase::Endgame;
        const bool was_pv = n.table_pv && n.kind != NodeKind::Pv;
        const auto slope = static_cast<Value>((p.margin_slope + (was_pv ? p.margin_table_pv : 0)) *
                                              static_cast<float>(n.depth));
        return p.margin_base / (endgame ? 2 : 1) + (opening ? slope * 3 / 2 : slope);
    }

    /// probe(depth, alpha, beta): value of this node without the table move;
    /// histories(): asked only with the history filter on.
    template <class Probe, class AskHistories>
    static Verdict judge(const NodeView& n, const Params& p, int extended, Stats& s, Probe&& probe,
                         AskHistories&& histories) {
        if (!p.enabled || p.min_depth >= kNever || n.depth < depth_limit(n, p)) return {};
        if ((n.kind == NodeKind::Pv && !p.pv_nodes) || (n.kind == NodeKind::All && !p.all_nodes))
            return {};
        const bool at_least =
            n.tt.bound == Bound::Lower || (p.exact_entries && n.tt.bound == Bound::Exact);
        if (n.tt.move == kNoMove || !at_least || is_decisive(n.tt.value)) return {};
        if (n.tt.depth < n.depth - p.tt_margin || !has_quiet_window(n)) return {};
        if (n.time_pressure > p.pressure || extended >= p.max_extensions) return {};
        if (p.history_filter && n.tt.value < n.beta + p.history_exception) {
            const Histories h = histories();
            const float least = static_cast<float>(h.best) -
                                (1.0f - p.history_share) * std::abs(static_cast<float>(h.best));
            if (static_cast<float>(h.move) < least) return {};
        }
        const Value singular_beta = n.tt.value - margin(n, p);
        if (is_decisive(singular_beta)) return {};
        ++s.tried;
        const Value v = probe(std::max((n.depth - 1) / 2, 1), singular_beta - 1, singular_beta);
        if (is_decisive(v) && !(p.forced && v < 0)) return {};
        if (v < singular_beta) {
            ++s.extended, ++s.succeeded;
            const bool endgame = p.by_phase && n.phase == Phase::Endgame;
            const bool opening = p.by_phase && n.phase == Phase::Opening;
            const bool may_double = (p.double_extension && !opening) || endgame;
            const Value far = singular_beta - (n.kind == NodeKind::Pv ? p.pv_margin : 0) +
                              (n.table_move_is_tactical ? 0 : p.quiet_margin);
            const bool twice = may_double && v < far - p.double_margin;
            const bool thrice = twice && p.triple_extension && v < far - p.triple_margin;
            if (twice) ++s.doubled;
            if (thrice) ++s.tripled;
            const Depth plies = 1 + (twice ? 1 : 0) + (thrice ? 1 : 0);
            return {std::nullopt, std::min(plies, p.max_extensions - extended),
                    p.node_deeper ? 1 : 0};
        }
        const Value others = p.multi_cut_by_value ? v : singular_beta;
        if (p.multi_cut && others >= n.beta) {
            ++s.multi_cut, ++s.succeeded;
            return {others, 0};
        }
        // Others are as good, so this move alone does not decide the node.
        const Depth less = n.tt.value >= n.beta      ? p.negative
                           : n.kind == NodeKind::Cut ? p.negative_cut
                                                     : 0;
        if (less > 0) ++s.negative;
        return {std::nullopt, -less};
    }
};

}  // namespace karikomi
