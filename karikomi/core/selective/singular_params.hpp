/// The numbers of singular extension; the decisions are in singular.hpp.
#pragma once

#include "karikomi/core/types.hpp"

namespace karikomi {

struct SingularParams {
    bool enabled = true;
    Depth min_depth = 8;
    Depth tt_margin = 3;
    bool exact_entries = false;
    bool nested = false;
    Value margin_base = 80;
    float margin_slope = 10.0f;
    float margin_table_pv = 0.0f;
    float depth_share = 0.5f;
    bool double_extension = false;
    Value double_margin = 50;
    bool triple_extension = false;
    Value triple_margin = 150;
    Value pv_margin = 0;
    Value quiet_margin = 0;
    Value triple_pv = 0;
    Value triple_quiet = 0;
    Value triple_table_pv = 0;
    float double_correction = 0.0f;
    float table_moves = 0.0f;
    int table_move_step = 0;
    Value beyond_margin = 0;
    Depth table_pv_depth = 0;
    bool same_kind = false;
    bool informed = false;
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
    float opening_slope = 1.5f;
    float endgame_base = 0.5f;
    float pressure = 0.8f;
    int max_extensions = 12;

    template <class V> void describe(V&& v) {
        v.flag("enabled", enabled, "use singular extension");
        v.number("min_depth", min_depth, 3, kNever, "ply", "never tried below this depth");
        v.number("tt_margin", tt_margin, 0, 16, "ply",
                 "the table entry must be at least depth - this deep");
        v.number("margin_base", margin_base, 0, 20000, "eval", "margin at depth 0");
        v.number("margin_slope", margin_slope, 0.0f, 2000.0f, "eval/ply", "margin for each ply");
        v.number("margin_table_pv", margin_table_pv, 0.0f, 2000.0f, "eval/ply",
                 "added to it where the position was on a principal variation, not now");
        v.later_number("depth_share", depth_share, 0.1f, 0.9f, "",
                       "the others are searched to this share of depth - 1");
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
        v.later_number("triple_pv", triple_pv, -20000, 20000, "eval",
                       "further added for three plies in PV nodes");
        v.later_number("triple_quiet", triple_quiet, -20000, 20000, "eval",
                       "further taken off for three plies where the table move is quiet");
        v.later_number("triple_table_pv", triple_table_pv, -20000, 20000, "eval",
                       "added for three plies where the position is or was on a principal "
                       "variation");
        v.later_number("double_correction", double_correction, 0.0f, 8.0f, "",
                       "taken off both: this share of what the static value was found to err");
        v.later_number("table_moves", table_moves, 0.0f, 1.0f, "eval",
                       "taken off for two plies by how well table moves did of late (up to 8192)");
        v.later_number("table_move_step", table_move_step, 0, 4096, "",
                       "... what one table move that cut adds to that, or another cut takes off; 0 "
                       "not counted");
        v.later_number("beyond_margin", beyond_margin, 0, 20000, "eval",
                       "taken off both where the line is longer than the iteration is deep");
        v.later_number("table_pv_depth", table_pv_depth, 0, 8, "ply",
                       "added to min_depth where the position is or was on a principal variation");
        v.later_flag("same_kind", same_kind,
                     "the others are searched as in a node of this kind, not as where a cut is "
                     "expected");
        v.later_flag("informed", informed,
                     "the others are searched with what the table knows of the node, and futility "
                     "and ProbCut may end that search");
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
               "opening and endgame have numbers of their own; endgame: double extension allowed");
        v.number("opening_depth", opening_depth, -4, 8, "ply", "added to min_depth in the opening");
        v.number("endgame_depth", endgame_depth, -4, 8, "ply", "added to min_depth in the endgame");
        v.later_number("opening_slope", opening_slope, 0.0f, 8.0f, "",
                       "factor on margin_slope in the opening");
        v.later_number("endgame_base", endgame_base, 0.0f, 8.0f, "",
                       "factor on margin_base in the endgame");
        v.number("pressure", pressure, 0.0f, 10.0f, "",
                 "off above this emergency of the game clock (0 to 1)");
        v.number("max_extensions", max_extensions, 0, 250, "ply", "bound on a whole line");
    }
};

}  // namespace karikomi
