/// The numbers of internal iterative deepening; the decisions are in iid.hpp.
#pragma once

#include "karikomi/core/types.hpp"

namespace karikomi {

struct IidParams {
    enum class Variant : std::uint8_t { Search, Reduce };
    static constexpr std::array<std::string_view, 2> kVariants = {"search", "reduce"};

    bool enabled = true;
    Variant variant = Variant::Search;
    Depth min_depth = 5;
    Depth depth_reduction = 2;
    bool pv_only = false;
    bool all_nodes = true;
    Depth non_pv_depth = 0;
    Depth cut_node_reduction = 1;
    Depth tt_margin = 2;
    Depth after_failure = 1;

    bool adaptive = false;
    std::array<float, 2> adaptive_rates{0.3f, 0.5f};
    std::array<int, 3> adaptive_depths{6, 5, 4};
    float adaptive_start = 0.5f;
    float adaptive_weight = 0.1f;

    bool multi_level = false;
    std::array<int, 3> levels_1{2};
    std::array<int, 3> levels_8{4, 2};
    std::array<int, 3> levels_12{6, 4, 2};
    std::array<int, 3> levels_16{8, 5, 2};
    Depth narrow_beyond = 4;
    Value good_enough = 100;

    bool selective = false;
    int few_pieces = 10;
    int many_moves = 50;
    std::array<int, 3> selective_depths{3, 4, 5};

    bool delayed = false;
    Depth delayed_min_depth = 8;
    int delayed_after = 3;

    bool cached = false;
    int cache_age = 100;
    Depth cache_less = 1;

    Depth reduce_min_depth = 6;
    Depth reduce_by = 1;
    Depth reduce_prior = kNever;
    int reduce_threat = kAnyThreat;
    bool reduce_spares_line = false;

    template <class V> void describe(V&& v) {
        v.flag("enabled", enabled, "use internal iterative deepening (or reduction)");
        v.choice("variant", variant, kVariants, "search for a first move, or reduce the depth");
        v.number("min_depth", min_depth, 2, kNever, "ply", "never tried below this depth");
        v.number("depth_reduction", depth_reduction, 1, 16, "ply", "how much less deep it looks");
        v.flag("pv_only", pv_only, "only in PV nodes");
        v.flag("all_nodes", all_nodes, "also in nodes that are expected to fail low");
        v.number("non_pv_depth", non_pv_depth, 0, 16, "ply",
                 "added to the least depth outside PV nodes");
        v.number("cut_node_reduction", cut_node_reduction, 0, 8, "ply",
                 "further reduction in expected cut nodes");
        v.number("tt_margin", tt_margin, 0, 16, "ply",
                 "a table move counts only if its depth is at least depth - this");
        v.number("after_failure", after_failure, 0, 4, "ply",
                 "looks this much deeper after an aspiration failure");
        v.flag("adaptive", adaptive, "depth limit follows the success rate of the node kind");
        v.list("adaptive_rates", adaptive_rates, 0.0f, 1.0f, "", "adaptive: low and middling rate");
        v.list("adaptive_depths", adaptive_depths, 2, kNever, "ply",
               "adaptive: least depth below the low rate, below the middling one, above");
        v.number("adaptive_start", adaptive_start, 0.0f, 1.0f, "", "adaptive: rate at the start");
        v.number("adaptive_weight", adaptive_weight, 0.001f, 1.0f, "",
                 "adaptive: weight of the newest result in the moving average");
        v.flag("multi_level", multi_level, "several reduced searches, shallow ones first");
        v.list("levels_1", levels_1, 0, 60, "ply", "multi_level: reductions up to depth 7");
        v.list("levels_8", levels_8, 0, 60, "ply", "multi_level: reductions at depths 8 to 11");
        v.list("levels_12", levels_12, 0, 60, "ply", "multi_level: reductions at depths 12 to 15");
        v.list("levels_16", levels_16, 0, 60, "ply", "multi_level: reductions from depth 16 on");
        v.number("narrow_beyond", narrow_beyond, 0, 60, "ply",
                 "multi_level: null window for levels reduced by more than this");
        v.number("good_enough", good_enough, 0, 20000, "eval",
                 "multi_level: stop at an exact value this far above alpha");
        v.flag("selective", selective, "depth limit by pieces, check and mobility");
        v.number("few_pieces", few_pieces, 0, 100, "", "selective: fewer than this is few");
        v.number("many_moves", many_moves, 0, 600, "", "selective: more than this is many");
        v.list("selective_depths", selective_depths, 2, kNever, "ply",
               "selective: least depth with few pieces, with many moves, else");
        v.flag("delayed", delayed, "in PV nodes only after the first moves failed to cut");
        v.number("delayed_min_depth", delayed_min_depth, 2, kNever, "ply", "delayed: from here");
        v.number("delayed_after", delayed_after, 1, 64, "", "delayed: after this many moves");
        v.flag("cached", cached, "keep recent results in a small table");
        v.number("cache_age", cache_age, 1, 100000, "searches", "cached: results grow stale");
        v.later_number("cache_less", cache_less, 0, 16, "ply",
                       "cached: a result may come from so much less deep");
        v.number("reduce_min_depth", reduce_min_depth, 2, kNever, "ply", "reduce: from here");
        v.number("reduce_by", reduce_by, 1, 4, "ply", "reduce: plies");
        v.number("reduce_prior", reduce_prior, 0, kNever, "ply",
                 "reduce: not after a move that was itself reduced by more than this");
        v.later_flag("reduce_spares_line", reduce_spares_line,
                     "reduce: not on the principal variation of the last iteration");
        v.number("reduce_threat", reduce_threat, 0, kAnyThreat, "",
                 "reduce: only where the other side threatens no worse than this: 0 nothing, 1 an "
                 "attack, 2 a certain win, 3 anything");
    }

    template <class V> void presets(V&& v) {
        const auto set = [this](Depth min, Depth less, bool pv, Depth cut) {
            enabled = true, variant = Variant::Search;
            min_depth = min, depth_reduction = less, pv_only = pv, cut_node_reduction = cut;
        };
        v("conservative", [=] { set(6, 2, true, 0); });
        v("balanced", [=] { set(5, 2, false, 1); });
        v("aggressive", [=] { set(4, 3, false, 1); });
    }
};

}  // namespace karikomi
