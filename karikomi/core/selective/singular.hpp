/// Singular extension: when every move but the table's fails well below its value, that move is
/// looked at one ply deeper; when the others reach beta as well, the node is cut (multi-cut).
/// Test   search without the table move at about half the depth with the window just below
///        singular_beta = tt_value - (margin_base + margin_slope*depth).
/// Source docs/techniques/README.md.   Worth  docs/techniques/singular.md
#pragma once

#include <optional>

#include "karikomi/core/selective/node_view.hpp"
#include "karikomi/core/selective/singular_params.hpp"

namespace karikomi {

struct Singular {
    static constexpr std::string_view kName = "singular";
    static constexpr int kTableMovesMost = 8192;  ///< how well table moves may do
    using Params = SingularParams;

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
    static Depth probe_depth(Depth depth, const Params& p) {
        return static_cast<Depth>(static_cast<float>(depth - 1) * p.depth_share);
    }
    static Value margin(const NodeView& n, const Params& p) {
        const bool opening = p.by_phase && n.phase == Phase::Opening;
        const bool endgame = p.by_phase && n.phase == Phase::Endgame;
        const bool was_pv = n.table_pv && n.kind != NodeKind::Pv;
        const auto slope = static_cast<Value>((p.margin_slope + (was_pv ? p.margin_table_pv : 0)) *
                                              static_cast<float>(n.depth));
        const auto scaled = [](Value v, float factor) {
            return static_cast<Value>(static_cast<float>(v) * factor);
        };
        return (endgame ? scaled(p.margin_base, p.endgame_base) : p.margin_base) +
               (opening ? scaled(slope, p.opening_slope) : slope);
    }

    /// How far below the bound the others must be for two plies ...
    static Value far_margin(const NodeView& n, const Params& p) {
        return p.double_margin + common_margin(n, p) -
               static_cast<Value>(p.table_moves * static_cast<float>(n.table_moves));
    }
    /// ... and for three.
    static Value farther_margin(const NodeView& n, const Params& p) {
        return p.triple_margin + common_margin(n, p) + (n.kind == NodeKind::Pv ? p.triple_pv : 0) -
               (n.table_move_is_tactical ? 0 : p.triple_quiet) +
               (n.table_pv ? p.triple_table_pv : 0);
    }
    static Value common_margin(const NodeView& n, const Params& p) {
        return (n.kind == NodeKind::Pv ? p.pv_margin : 0) -
               (n.table_move_is_tactical ? 0 : p.quiet_margin) -
               static_cast<Value>(p.double_correction * static_cast<float>(n.correction)) -
               (n.beyond_depth ? p.beyond_margin : 0);
    }

    /// probe(depth, alpha, beta): value of this node without the table move;
    /// histories(): asked only with the history filter on.
    template <class Probe, class AskHistories>
    static Verdict judge(const NodeView& n, const Params& p, int extended, Stats& s, Probe&& probe,
                         AskHistories&& histories) {
        if (!p.enabled || p.min_depth >= kNever) return {};
        if (n.depth < depth_limit(n, p) + (n.table_pv ? p.table_pv_depth : 0)) return {};
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
        const Value v =
            probe(std::max(probe_depth(n.depth, p), 1), singular_beta - 1, singular_beta);
        if (is_decisive(v) && !(p.forced && v < 0)) return {};
        if (v < singular_beta) {
            ++s.extended, ++s.succeeded;
            const bool endgame = p.by_phase && n.phase == Phase::Endgame;
            const bool opening = p.by_phase && n.phase == Phase::Opening;
            const bool may_double = (p.double_extension && !opening) || endgame;
            const bool twice = may_double && v < singular_beta - far_margin(n, p);
            const bool thrice =
                twice && p.triple_extension && v < singular_beta - farther_margin(n, p);
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
