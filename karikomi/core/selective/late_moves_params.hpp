/// The numbers of late_moves.hpp.
#pragma once

#include "karikomi/core/types.hpp"

namespace karikomi {

struct LateMovesParams {
    bool enabled = true;
    // Reductions.
    Depth min_depth = 3;
    int full_moves = 3;
    bool count_skipped = false;
    float base = 0.3f;
    float extra = 0.0f;
    float divisor = 2.2f;
    float cut_node = 0.5f;
    float cut_without_move = 0.0f;
    float pv_node = -0.7f;
    float table_pv = 0.0f;
    float table_tactical = 0.0f;
    float table_pv_depth_cut = 0.0f;
    float window = 0.0f;
    float correction = 0.0f;
    float pv_deeper = 0.0f;
    float child_cuts = 0.0f;
    int child_cut_count = 2;
    float child_cuts_more = 0.0f;
    float child_cuts_all = 0.0f;
    float tactical_worth = 0.0f;
    float history = 8000.0f;
    float per_move = 0.0f;
    float not_improving_scale = 0.0f;
    float all_scale = 0.0f;
    float table_pv_value = 0.0f;
    float table_pv_depth = 0.0f;
    Depth deeper_most = 0;
    float first_less = 0.0f;
    float first_without_move = 1.0f;
    Depth first_twice_above = 3;
    bool tactical = false;
    bool in_check = false;
    bool special = false;
    float special_less = 1.0f;
    float not_improving = 0.0f;
    float check = 0.0f;
    Value deeper = 0;
    Value shallower = 0;
    // Moves that are not searched at all.
    Depth prune_max_depth = 0;
    int prune_base = 4;
    float prune_slope = 1.0f;
    float prune_power = 2.0f;
    int prune_threat = kAnyThreat;
    bool prune_by_trend = false;
    float prune_trend_share = 0.5f;
    bool skip_rest = false;
    bool prune_pv = false;
    bool prune_in_check = false;
    bool prune_checks = false;
    bool spare_lost = false;
    bool expect_cut = false;
    Depth exchange_max_depth = 0;
    Value exchange_quiet = 25;
    Value exchange_tactical = 120;
    Depth history_max_depth = 0;
    int history_least = -3000;
    bool judge_plainly = false;
    float judge_history = 0.0f;
    float judge_own = 2.2f;
    float judge_table_pv = 0.0f;
    bool spare_line = false;
    float exchange_history = 0.0f;
    bool exchange_ahead = false;
    bool prune_decisive = false;
    bool skip_silently = false;

    template <class V> void describe(V&& v) {
        describe_reductions(v);
        describe_pruning(v);
    }

private:
    template <class V> void describe_reductions(V& v) {
        v.flag("enabled", enabled, "reduce late moves");
        v.number("min_depth", min_depth, 2, kNever, "ply", "never reduces below this depth");
        v.number("full_moves", full_moves, 1, 64, "", "this many moves are never reduced");
        v.flag("count_skipped", count_skipped, "moves that were skipped count as well");
        v.number("base", base, -2.0f, 4.0f, "ply", "constant part of the reduction");
        v.number("extra", extra, -4.0f, 4.0f, "ply", "added when searched, not when judged");
        v.number("divisor", divisor, 0.5f, 20.0f, "", "larger reduces less");
        v.number("cut_node", cut_node, -4.0f, 4.0f, "ply", "added in expected cut nodes");
        v.number("cut_without_move", cut_without_move, -4.0f, 4.0f, "ply",
                 "added there where the table has no move");
        v.number("pv_node", pv_node, -4.0f, 4.0f, "ply", "added in PV nodes");
        v.number("table_pv", table_pv, -4.0f, 4.0f, "ply",
                 "added where the position is or was on a principal variation");
        v.number("table_tactical", table_tactical, -4.0f, 4.0f, "ply",
                 "added where the table move is tactical");
        v.number("child_cuts", child_cuts, -4.0f, 4.0f, "ply",
                 "added where the answers to earlier moves kept cutting");
        v.number("child_cut_count", child_cut_count, 0, 64, "", "... more often than this");
        v.later_number("child_cuts_more", child_cuts_more, -4.0f, 4.0f, "ply",
                       "... and so much more where they did it once more");
        v.later_number("child_cuts_all", child_cuts_all, -4.0f, 4.0f, "ply",
                       "... and so much more in nodes expected to fail low");
        v.later_number("window", window, 0.0f, 4.0f, "ply",
                       "taken off in the open window, less in a narrower one");
        v.later_number("correction", correction, 0.0f, 1.0f, "ply/eval",
                       "taken off by how much the static value was found to err");
        v.later_number("pv_deeper", pv_deeper, 0.0f, 2.0f, "ply",
                       "reduced moves of PV nodes are searched so much deeper after all");
        v.later_number("tactical_worth", tactical_worth, 0.0f, 16.0f, "/eval",
                       "what a capture takes counts so much as history");
        v.number("history", history, 100.0f, 1000000.0f, "", "history worth one ply");
        v.number("per_move", per_move, 0.0f, 1.0f, "ply",
                 "taken off for each move: the logarithm alone goes too far");
        v.number("not_improving_scale", not_improving_scale, 0.0f, 4.0f, "",
                 "share by which the logarithm grows where the side to move is not improving");
        v.number("all_scale", all_scale, 0.0f, 8.0f, "",
                 "in nodes expected to fail low the reduction grows by this share / (depth + 1)");
        v.number("table_pv_value", table_pv_value, -4.0f, 4.0f, "ply",
                 "added where such a position's table value is above alpha");
        v.number("table_pv_depth", table_pv_depth, -4.0f, 4.0f, "ply",
                 "... and where its table entry is as deep as the node");
        v.later_number("table_pv_depth_cut", table_pv_depth_cut, -4.0f, 4.0f, "ply",
                       "... and so much more in expected cut nodes");
        v.number("deeper_most", deeper_most, 0, 4, "ply",
                 "a reduction below 0 searches the move deeper, by so much at most");
        v.number("first_less", first_less, 0.0f, 16.0f, "ply",
                 "outside the PV the first move is searched a ply less deep where its reduction "
                 "would be more than this, two where it is a ply more; 0 never");
        v.number("first_without_move", first_without_move, -4.0f, 4.0f, "ply",
                 "added for this where the table has no move");
        v.later_number("first_twice_above", first_twice_above, 1, kNever, "ply",
                       "... two plies only at depths above this");
        v.flag("tactical", tactical, "reduce captures and other tactical moves too");
        v.flag("in_check", in_check, "reduce out of check too");
        v.flag("special", special, "reduce killers and the like too");
        v.number("special_less", special_less, 0.0f, 4.0f, "ply", "... but by so much less");
        v.number("not_improving", not_improving, -4.0f, 4.0f, "ply",
                 "added to the reduction where the side to move is not improving");
        v.number("check", check, -4.0f, 4.0f, "ply", "added for moves that give check");
        v.number("deeper", deeper, 0, 20000, "eval",
                 "a reduced move this far above the best is repeated a ply deeper; 0 never");
        v.number("shallower", shallower, 0, 20000, "eval",
                 "one less than this above the best is repeated a ply less deep; 0 never");
    }

    template <class V> void describe_pruning(V& v) {
        v.number("prune_max_depth", prune_max_depth, 0, kNever, "ply",
                 "up to here late quiet moves are skipped; 0 never");
        v.number("prune_base", prune_base, 1, 200, "", "skipped from this + depth^2 moves on");
        v.number("prune_slope", prune_slope, 0.1f, 20.0f, "", "... depth^2 times this");
        v.number("prune_power", prune_power, 0.0f, 3.0f, "",
                 "... or depth to this power, times it");
        v.number("prune_threat", prune_threat, 0, kAnyThreat, "",
                 "only where the other side threatens no worse (futility.reverse_threat)");
        v.flag("prune_by_trend", prune_by_trend, "fewer moves where it is not improving");
        v.later_number("prune_trend_share", prune_trend_share, 0.1f, 1.0f, "",
                       "... this share of their number");
        v.flag("skip_rest", skip_rest, "after a skipped move no quiet move is looked at");
        v.flag("prune_pv", prune_pv, "skip moves in PV nodes too");
        v.flag("prune_in_check", prune_in_check, "skip moves out of check too");
        v.flag("prune_checks", prune_checks, "moves that give check may lose too much, too");
        v.flag("spare_lost", spare_lost, "skip nothing while every move so far loses by force");
        v.flag("expect_cut", expect_cut, "answers to reduced moves are expected to cut");
        v.number("exchange_max_depth", exchange_max_depth, 0, kNever, "ply",
                 "up to here moves that lose by exchange are skipped; 0 never");
        v.number("exchange_quiet", exchange_quiet, 0, 20000, "eval/ply^2",
                 "a quiet move may lose this times the square of the depth left");
        v.number("exchange_tactical", exchange_tactical, 0, 20000, "eval/ply",
                 "a tactical move may lose this for each ply");
        v.number("history_max_depth", history_max_depth, 0, kNever, "ply",
                 "up to here quiet moves with a bad history are skipped; 0 never");
        v.number("history_least", history_least, -50000, 0, "",
                 "history for each ply below which a quiet move is skipped");
        v.flag("judge_plainly", judge_plainly,
               "moves are judged by depth and number alone, not by all that reduces them");
        v.number("judge_history", judge_history, 0.0f, 1000000.0f, "",
                 "... and by their history, worth a ply for each of these; 0 not");
        v.later_number("judge_own", judge_own, 0.0f, 16.0f, "",
                       "... in which a move's own history counts so often");
        v.later_flag("spare_line", spare_line,
                     "skip no quiet move on the principal variation of the last iteration");
        v.later_number("exchange_history", exchange_history, 0.0f, 1.0f, "eval",
                       "a tactical move may lose so much more for each point of its history");
        v.later_flag("exchange_ahead", exchange_ahead,
                     "tactical moves are skipped only by a side that hopes for more than a draw");
        v.number("judge_table_pv", judge_table_pv, -4.0f, 4.0f, "ply",
                 "... and less where the position is or was on a principal variation");
        v.flag("prune_decisive", prune_decisive,
               "skip moves also where the window lies among proven wins or losses");
        v.flag("skip_silently", skip_silently,
               "a skipped move says nothing of the node's value; otherwise it may be alpha");
    }
};

}  // namespace karikomi
