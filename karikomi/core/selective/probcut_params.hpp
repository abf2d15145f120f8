/// The numbers of ProbCut; the decisions are in probcut.hpp.
#pragma once

#include "karikomi/core/selective/error_law.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

struct ProbCutParams {
    enum class Variant : std::uint8_t { Basic, Staged, Captures };
    static constexpr std::array<std::string_view, 3> kVariants = {"basic", "staged", "captures"};

    bool enabled = true;
    Variant variant = Variant::Basic;
    Depth min_depth = 7;
    Depth depth_reduction = 4;
    float t = 1.5f;
    BoundForm bound = BoundForm::Normal;
    float slope = 1.0f;
    float intercept = 0.0f;
    float sigma = 100.0f;
    float alpha_skip = 3.0f;
    bool by_phase = true;
    float opening_t = 2.0f;
    Depth opening_min_depth = 7;
    float endgame_t = 1.0f;
    Depth endgame_min_depth = 4;
    float pressure = 0.8f;
    float pressure_t = 0.8f;
    Depth pressure_reduction = 1;
    std::array<int, 3> stage_reductions{4, 3, 2};
    std::array<float, 3> stage_t{2.0f, 1.5f, 1.0f};
    Depth stage_least = 2;
    Value early_exit = 300;
    Value capture_margin = 0;
    bool pv_nodes = false;
    bool before_null_move = false;
    bool exclusive = true;
    Value improving = 0;
    bool table_first = false;
    bool store = false;
    bool nested = false;
    Value small_margin = 0;
    Depth small_less = 4;
    float capture_share = 1.0f;
    bool by_history = false;

    template <class V> void describe(V&& v) {
        v.flag("enabled", enabled, "use ProbCut");
        v.choice("variant", variant, kVariants, "one reduction, several, or captures only");
        v.number("min_depth", min_depth, 1, kNever, "ply", "never tried below this depth");
        v.number("depth_reduction", depth_reduction, 1, 16, "ply", "deep minus shallow depth");
        v.number("t", t, 0.0f, 5.0f, "sigma", "safety margin");
        v.later_choice("bound", bound, kBoundForms,
                       "margin at p: t sigmas, or the quantile of the fitted error law");
        v.number("slope", slope, 0.1f, 5.0f, "", "a where nothing is fitted");
        v.number("intercept", intercept, -5000.0f, 5000.0f, "eval", "b where nothing is fitted");
        v.number("sigma", sigma, 0.0f, 20000.0f, "eval", "sigma where nothing is fitted");
        v.number("alpha_skip", alpha_skip, 0.0f, 20.0f, "sigma",
                 "no low test when the high test ended this far above the low bound");
        v.flag("by_phase", by_phase, "use the opening and endgame values below");
        v.number("opening_t", opening_t, 0.0f, 5.0f, "sigma", "t in the opening");
        v.number("opening_min_depth", opening_min_depth, 1, kNever, "ply",
                 "min_depth in the opening");
        v.number("endgame_t", endgame_t, 0.0f, 5.0f, "sigma", "t in the endgame");
        v.number("endgame_min_depth", endgame_min_depth, 1, kNever, "ply",
                 "min_depth in the endgame");
        v.number("pressure", pressure, 0.0f, 10.0f, "",
                 "emergency of the game clock (0 to 1) above which there is time pressure");
        v.number("pressure_t", pressure_t, 0.1f, 2.0f, "", "factor on t under time pressure");
        v.number("pressure_reduction", pressure_reduction, 0, 8, "ply",
                 "further reduction under time pressure");
        v.list("stage_reductions", stage_reductions, 0, 16, "ply", "staged: reductions in turn");
        v.list("stage_t", stage_t, 0.0f, 5.0f, "sigma", "staged: t of each stage");
        v.later_number("stage_least", stage_least, 1, 16, "ply",
                       "staged: depth that a reduction must leave");
        v.number("early_exit", early_exit, 0, 20000, "eval",
                 "staged: stop when the shallow value is this far below the low bound");
        v.number("capture_margin", capture_margin, 0, 5000, "eval",
                 "captures: bound is beta + this; 0 takes the regression's bound");
        v.flag("pv_nodes", pv_nodes, "try it in PV nodes too");
        v.flag("before_null_move", before_null_move, "goes before the null move");
        v.flag("exclusive", exclusive,
               "a node that tries the null move does not try ProbCut, and the other way round");
        v.number("improving", improving, 0, 5000, "eval",
                 "captures: margin is less by this where the side to move is improving");
        v.flag("table_first", table_first,
               "not tried where the table's value at the shallow depth is below the bound");
        v.flag("store", store, "captures: the cut goes to the table");
        v.flag("nested", nested, "nodes below a verification search may use ProbCut again");
        v.number("small_margin", small_margin, 0, 5000, "eval",
                 "cut where the table's own lower bound, a little less deep, is this far above "
                 "beta; 0 never");
        v.number("small_less", small_less, 0, 16, "ply", "... by at most this");
        v.later_number("capture_share", capture_share, 0.05f, 2.0f, "",
                       "captures: this share of what one wins by exchange has to reach the bound");
        v.later_flag("by_history", by_history, "captures: histories order them, too");
    }
};

}  // namespace karikomi
