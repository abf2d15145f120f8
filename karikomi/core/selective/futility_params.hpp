/// The numbers of futility pruning.
#pragma once

#include <array>

#include "karikomi/core/types.hpp"

namespace karikomi {

struct FutilityParams {
    static constexpr Depth kDepths = 3;
    using Margins = std::array<Value, kDepths + 1>;  ///< by remaining depth; [0] is unused

    bool enabled = true;
    Depth max_depth = kDepths;
    Margins self_first{0, 900, 300, 900};
    Margins self_second{0, 900, 300, 900};
    Margins opponent_first{0, 5000, 2000, 4500};
    Margins opponent_second{0, 5000, 2000, 4500};
    Depth reverse_max_depth = 0;
    Value reverse_margin = 100;
    Value reverse_improving = 0;
    Value reverse_worsening = 0;
    Value reverse_unknown = 0;
    int reverse_beta = 1;
    bool reverse_spares_pv = false;
    bool reverse_spares_quiet = false;
    int reverse_threat = kAnyThreat;
    Depth razor_max_depth = 0;
    int razor_threat = kAnyThreat;
    Value razor_base = 300;
    Value razor_slope = 150;
    Depth late_max_depth = 0;
    int late_threat = kAnyThreat;
    Value late_base = 100;
    Value late_slope = 120;
    bool late_pv = false;
    bool late_decisive = false;
    Depth tactical_max_depth = 0;
    Value tactical_base = 230;
    Value tactical_slope = 220;
    float tactical_gain = 1.0f;
    float tactical_history = 0.0f;
    Value late_first = 0;
    Value late_above = 0;
    float reverse_improving_plies = 0.0f;
    float reverse_worsening_plies = 0.0f;
    float reverse_correction = 0.0f;

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
        v.number("reverse_max_depth", reverse_max_depth, 0, 30, "ply",
                 "up to here a static value far above beta ends the node; 0 never");
        v.number("reverse_margin", reverse_margin, 1, 20000, "eval/ply", "how far above");
        v.number("reverse_improving", reverse_improving, 0, 20000, "eval",
                 "less than that where the side to move is improving");
        v.number("reverse_worsening", reverse_worsening, 0, 20000, "eval",
                 "less than that where the opponent's position is getting worse");
        v.flag("reverse_spares_pv", reverse_spares_pv,
               "not where the position is or was on a principal variation");
        v.flag("reverse_spares_quiet", reverse_spares_quiet,
               "not where the table has a quiet move");
        v.number("reverse_unknown", reverse_unknown, 0, 20000, "eval/ply",
                 "less than that where the table knows nothing of the position");
        v.number("reverse_beta", reverse_beta, 1, 16, "",
                 "the node is worth the mean of its value and so many times beta");
        v.number("reverse_threat", reverse_threat, 0, kAnyThreat, "",
                 "only where the other side threatens no worse than this: 0 nothing, 1 an attack, "
                 "2 a certain win, 3 anything");
        v.number("razor_max_depth", razor_max_depth, 0, 30, "ply",
                 "up to here a static value far below alpha is left to the horizon; 0 never");
        v.number("razor_base", razor_base, 0, 20000, "eval", "how far below, at depth 0");
        v.number("razor_slope", razor_slope, 0, 20000, "eval/ply^2", "... and per depth^2");
        v.number("razor_threat", razor_threat, 0, kAnyThreat, "",
                 "only where the other side threatens no worse than this (reverse_threat)");
        v.number("late_max_depth", late_max_depth, 0, 30, "ply",
                 "quiet moves with at most this depth left after reduction are judged by "
                 "late_base and late_slope; 0 never");
        v.number("late_base", late_base, 0, 20000, "eval", "margin at depth 0");
        v.number("late_slope", late_slope, 0, 20000, "eval/ply", "margin for each ply");
        v.number("late_threat", late_threat, 0, kAnyThreat, "",
                 "only where the other side threatens no worse than this (reverse_threat)");
        v.flag("late_pv", late_pv, "late moves and captures of PV nodes are judged, too");
        v.flag("late_decisive", late_decisive,
               "... and those of nodes whose window lies among proven wins or losses");
        v.number("tactical_max_depth", tactical_max_depth, 0, 30, "ply",
                 "captures with at most this depth left after reduction are judged by what "
                 "they take; 0 never");
        v.number("tactical_base", tactical_base, 0, 20000, "eval", "margin at depth 0");
        v.number("tactical_slope", tactical_slope, 0, 20000, "eval/ply", "margin for each ply");
        v.later_number("tactical_gain", tactical_gain, 0.0f, 2.0f, "",
                       "share of its material that a capture counts");
        v.later_number("tactical_history", tactical_history, 0.0f, 4.0f, "eval",
                       "more margin for each point of its history");
        v.later_number("late_first", late_first, 0, 20000, "eval",
                       "more margin for quiet moves while no move has raised alpha");
        v.later_number("late_above", late_above, 0, 20000, "eval",
                       "... and where the static value is above alpha");
        v.later_number("reverse_improving_plies", reverse_improving_plies, 0.0f, 8.0f, "ply",
                       "less by the margin of so many plies where the side to move is improving");
        v.later_number("reverse_worsening_plies", reverse_worsening_plies, 0.0f, 8.0f, "ply",
                       "... and where the opponent's position is getting worse");
        v.later_number("reverse_correction", reverse_correction, 0.0f, 8.0f, "",
                       "more by this share of what the static value was found to err");
    }
};

}  // namespace karikomi
