/// Every number of the search in one struct. Each is declared once, in a describe() list that feeds
/// the JSON reader, --set, protocol options, docs/parameters.md and the fingerprint.
#pragma once

#include <cmath>

#include "karikomi/core/selective/selective.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

/// Aspiration windows: each iteration starts with a narrow window around the last value.
struct AspirationParams {
    bool enabled = true;
    Depth min_depth = 4;
    Value delta = 40;
    float widen = 2.0f;
    int max_retries = 4;
    bool store_on_retry = true;
    Depth high_reduction = 0;
    bool low_narrows = false;
    bool low_to_alpha = false;
    bool high_raises = false;
    float by_square = 0.0f;
    bool around_mean = false;

    template <class V> void describe(V&& v) {
        v.flag("enabled", enabled, "start iterations with a narrow window");
        v.number("min_depth", min_depth, 2, kNever, "ply", "full window below this depth");
        v.number("delta", delta, 1, 20000, "eval", "first half-width of the window");
        v.number("widen", widen, 1.1f, 10.0f, "", "half-width is multiplied by this at each retry");
        v.number("max_retries", max_retries, 0, 20, "", "then the window is opened fully");
        v.flag("store_on_retry", store_on_retry, "retries write to the transposition table");
        v.number("high_reduction", high_reduction, 0, 4, "ply",
                 "each retry after a value above the window is so much less deep");
        v.flag("low_narrows", low_narrows, "a value below the window also brings its top down");
        v.flag("low_to_alpha", low_to_alpha, "... all the way to its bottom");
        v.flag("high_raises", high_raises, "a value above the window also brings its bottom up");
        v.later_number("by_square", by_square, 0.0f, 1000000.0f, "eval",
                       "the half-width grows by the mean square of the last values, divided by "
                       "this: the surer a game is decided, the less a value says; 0 never");
        v.later_flag("around_mean", around_mean,
                     "the window lies around the running mean of the values, not the last one");
    }
};

struct TimeParams {
    int overhead_ms = 20;
    float horizon = 32.0f;
    float increment_share = 0.8f;
    float hard_factor = 4.0f;
    float hard_share = 0.3f;
    float next_iteration = 0.6f;
    int emergency_ms = 500;
    float changed_move = 1.6f;
    float calming = 0.8f;
    float byoyomi_main = 1.0f;
    Depth single_move_depth = 4;

    template <class V> void describe(V&& v) {
        v.number("overhead_ms", overhead_ms, 0, 10000, "ms", "kept back for pipes and scheduling");
        v.number("horizon", horizon, 2.0f, 200.0f, "moves", "main time is spread over this many");
        v.number("increment_share", increment_share, 0.0f, 1.0f, "", "of the increment to spend");
        v.number("hard_factor", hard_factor, 1.0f, 20.0f, "", "hard limit in planned times");
        v.number("hard_share", hard_share, 0.05f, 0.9f, "", "hard limit as a share of main time");
        v.number("next_iteration", next_iteration, 0.1f, 1.0f, "",
                 "no new iteration after this share of the planned time");
        v.number("emergency_ms", emergency_ms, 0, 60000, "ms",
                 "less than this left on the game clock, this move's extra time included, is an "
                 "emergency");
        v.number("changed_move", changed_move, 1.0f, 5.0f, "",
                 "planned time is multiplied by this after an iteration with another best move");
        v.number("calming", calming, 0.1f, 1.0f, "",
                 "... and this factor goes down by so much with each iteration that keeps it");
        v.number("byoyomi_main", byoyomi_main, 0.0f, 10.0f, "byoyomi",
                 "main time of at most this is spent with the byoyomi, in one move");
        v.later_number("single_move_depth", single_move_depth, 1, kMaxDepth, "ply",
                       "on a game clock the only legal move is searched no deeper than this");
    }
};

struct TableParams {
    Depth keep_margin = 1;
    Depth age_cost = 8;

    template <class V> void describe(V&& v) {
        v.number("keep_margin", keep_margin, 1, 16, "ply",
                 "an older result for the same position stays when it is so much deeper; above 1 "
                 "its move gives way to a new one");
        v.later_number("age_cost", age_cost, 0, 64, "ply",
                       "when an entry has to go, one that is a search older counts as so much less "
                       "deep");
    }
};

/// The root: its moves are reduced and ordered like those of any other node.
struct RootParams {
    bool reduce = false;
    bool order_by_effort = false;
    bool like_node = false;

    template <class V> void describe(V&& v) {
        v.flag("reduce", reduce, "late root moves are searched less deep first");
        v.flag("order_by_effort", order_by_effort,
               "root moves that took many nodes to refute come first in the next iteration");
        v.later_flag("like_node", like_node,
                     "after the best move of the last iteration root moves come in the order of "
                     "any node's, its histories learn, and a risen alpha makes the rest less deep");
    }
};

/// What happens when the depth is used up: core/quiescence.hpp, or a game's own search for threats.
struct QuiescenceParams {
    bool table = false;
    Value least_exchange = 1;
    Value swing = 250;
    bool spare_retakes = true;
    int most_captures = 0;
    bool few_evasions = false;
    bool quick_win = false;
    bool blend = false;
    int threat_nodes = 48;
    int threat_nodes_step = 0;
    int threat_moves = 10;
    int answer_threats = 0;
    int max_plies = 24;
    float gain_share = 1.0f;
    float hope_share = 0.0f;
    bool by_history = false;

    template <class V> void describe(V&& v) {
        v.flag("table", table, "every ply reads and writes the transposition table");
        v.number("least_exchange", least_exchange, -2000, 2000, "eval",
                 "captures that win less by exchange are left out");
        v.number("swing", swing, 0, 20000, "eval",
                 "what a capture may gain beyond its material; less hope than alpha: left out");
        v.flag(
            "spare_retakes", spare_retakes,
            "... but never a capture on the square of the last move: an exchange may change more "
            "than its material");
        v.number("most_captures", most_captures, 0, 64, "",
                 "after so many captures only those on the square of the last move; 0: all");
        v.flag("few_evasions", few_evasions,
               "out of check, once one move has a value, quiet moves are left out");
        v.flag("quick_win", quick_win, "look for a win by the next move in every ply");
        v.flag("blend", blend, "what a value is above beta counts half only");
        v.number("threat_nodes", threat_nodes, 0, 1000000, "nodes",
                 "most of one search for a win by threats, in games whose horizon has one");
        v.number("threat_nodes_step", threat_nodes_step, 0, 100000, "nodes/ply",
                 "... and so many more for each ply of the iteration's depth");
        v.number("threat_moves", threat_moves, 0, 200, "",
                 "... and most threats in a row before the winning one");
        v.number("answer_threats", answer_threats, 0, 8, "",
                 "so often in a line the side to move answers a threat of a certain win before it "
                 "is judged by its static value; 0 never");
        v.number("max_plies", max_plies, 1, 100, "ply", "then the static value, whatever hangs");
        v.later_number("gain_share", gain_share, 0.0f, 2.0f, "",
                       "a capture gains this share of its material when hope is judged");
        v.later_number("hope_share", hope_share, 0.0f, 2.0f, "",
                       "a capture is left out where this share of what it wins by exchange does "
                       "not lift the static value and the swing to alpha; 0 not asked");
        v.later_flag("by_history", by_history, "histories order captures and evasions, too");
    }
};

/// How much histories learn from one result.
struct HistoryParams {
    int square = 32;
    int slope = 0;
    int offset = 0;
    int most = 2048;
    float penalty = 1.0f;
    int penalty_slope = 0;
    int penalty_offset = 0;
    int penalty_most = 2048;
    float penalty_fade = 1.0f;
    float from_table = 0.0f;
    int from_table_most = 8192;
    int research = 0;
    float blame_parent = 0.0f;
    int blame_parent_number = 1;
    int blame_table = 0;
    int blame_table_number = 4;
    int plain_most = 16'384;
    int continuation_most = 16'384;
    int tactical_most = 16'384;
    int judge_own = 2;
    bool judge_near = false;
    bool counter_moves = true;
    bool learn_exact = false;
    bool killers = true;
    bool spare_quiet = false;
    int ordering_check = 0;
    int expectation = 0;
    Value expectation_worst = 200;
    Value expectation_best = 170;
    Value expectation_usual = 60;
    std::array<int, 6> shares{1024, 1024, 0, 0, 0, 0};
    int bias = 0;
    int table_bonus = 0;
    float parent_share = 0.0f;
    float tactical_reward = 1.0f;
    float tactical_blame = 1.0f;
    int refuted_tactical = 0;
    int continuation_start = 0;
    int tactical_start = 0;
    int own_weight = 1;
    // By parts of the position, and near the root.
    int structure_weight = 0;
    int structure_most = 8192;
    int structure_start = 0;
    float structure_reward = 0.8f;
    float structure_blame = 0.55f;
    float structure_expectation = 0.0f;
    int early_plies = 0;
    int early_weight = 8;
    int early_start = 0;
    float early_share = 0.75f;
    // Every move failed low: what the quiet move learns that led there.
    int surprise_slope = 0;
    int surprise_offset = 0;
    int surprise_most = 2048;
    float surprise_base = 0.0f;
    float surprise_ply = 0.0f;
    float surprise_ply_most = 4.0f;
    float surprise_late = 0.0f;
    int surprise_late_number = 8;
    float surprise_static = 0.0f;
    Value surprise_static_margin = 70;
    float surprise_parent = 0.0f;
    Value surprise_parent_margin = 45;
    float surprise_history = 0.0f;
    float surprise_own = 1.0f;
    float surprise_structure = 1.0f;
    // Order of moves.
    float losing_share = 0.0f;
    Value check_losing = 0;
    int late_quiet = 0;
    bool plain_evasions = false;
    int sort_after = 8;

    int bonus(Depth depth) const {
        return std::clamp(square * depth * depth + slope * depth - offset, 0, most);
    }
    int blame(Depth depth) const {
        if (penalty_slope == 0) return static_cast<int>(penalty * static_cast<float>(bonus(depth)));
        return std::clamp(penalty_slope * depth - penalty_offset, 0, penalty_most);
    }
    template <class V> void describe(V&& v) {
        v.number("square", square, 0, 1000, "/ply^2", "bonus of a move that cut, by depth^2");
        v.number("slope", slope, 0, 2000, "/ply", "... and by depth");
        v.number("offset", offset, 0, 2000, "", "... less this");
        v.number("most", most, 1, 8192, "", "largest bonus");
        v.number("penalty", penalty, 0.0f, 4.0f, "bonus",
                 "taken from the moves that were searched before it");
        v.number("penalty_slope", penalty_slope, 0, 5000, "/ply",
                 "... or this for each ply; 0: as penalty says");
        v.number("penalty_offset", penalty_offset, 0, 5000, "", "... less this");
        v.number("penalty_most", penalty_most, 1, 8192, "", "... and at most this");
        v.number("penalty_fade", penalty_fade, 0.5f, 1.0f, "",
                 "each further move is blamed by this share of the one before");
        v.number("from_table", from_table, 0.0f, 4.0f, "bonus",
                 "for the quiet table move of a node that the table cut");
        v.later_number("from_table_most", from_table_most, 1, 8192, "", "... at most this");
        v.number("research", research, 0, 8192, "",
                 "for continuations by a move that came above alpha when it was reduced");
        v.number("blame_parent", blame_parent, 0.0f, 4.0f, "penalty",
                 "for the first quiet move of the parent, when a move refutes it");
        v.later_number("blame_parent_number", blame_parent_number, 1, 64, "",
                       "... up to this number, one more where the table knew the parent");
        v.number("blame_table", blame_table, 0, 8192, "",
                 "for an early quiet move of the parent, when the table refutes it");
        v.later_number("blame_table_number", blame_table_number, 1, 64, "",
                       "... up to this number");
        v.number("plain_most", plain_most, 1000, 32000, "",
                 "largest value of a move's own history: the larger, the slower it forgets");
        v.flag("judge_near", judge_near,
               "reductions and pruning go by a move's own history (judge_own) and the "
               "continuations of the last two moves, not by those further back");
        v.later_number("judge_own", judge_own, 0, 8, "",
                       "judge_near: how often a move's own history counts");
        v.number("continuation_most", continuation_most, 1000, 32000, "",
                 "largest value of a continuation history: the larger, the slower it forgets");
        v.later_number("tactical_most", tactical_most, 1000, 32000, "",
                       "largest value of a tactical move's history: the larger, the slower it "
                       "forgets");
        v.flag("counter_moves", counter_moves,
               "the last quiet answer that cut comes before all others");
        v.flag("killers", killers, "quiet moves that cut a sibling come before all other ones");
        v.flag("learn_exact", learn_exact, "the best move of a PV node that does not cut counts");
        v.flag("spare_quiet", spare_quiet, "quiet moves are not blamed where a tactical move cuts");
        v.number("ordering_check", ordering_check, 0, 100000, "",
                 "added to the order of quiet moves that give check and do not lose material");
        v.number("expectation", expectation, 0, 1000, "/eval",
                 "a quiet move learns by how the static value has changed, times this");
        v.number("expectation_worst", expectation_worst, 0, 20000, "eval",
                 "... a loss counts up to this");
        v.number("expectation_best", expectation_best, 0, 20000, "eval",
                 "... a gain counts up to this");
        v.number("expectation_usual", expectation_usual, -5000, 5000, "eval",
                 "... a loss of this is what any move does: the side to move stands better");
        v.list("shares", shares, 0, 4096, "bonus/1024",
               "what histories after the moves 1 to 6 plies ago learn; beyond 2 only in games that "
               "keep such, and the fifth orders no moves");
        describe_more(v);
        v.number("sort_after", sort_after, 0, 600, "moves",
                 "a node that asks for more will ask for all: the rest is sorted at once");
    }

private:
    template <class V> void describe_more(V& v) {
        v.later_number("bias", bias, 0, 1000, "",
                       "added to whatever the history after the last move learns");
        v.later_number("table_bonus", table_bonus, 0, 8192, "",
                       "added to the bonus where the table had the move");
        v.later_number("parent_share", parent_share, 0.0f, 1.0f, "",
                       "... and this share of the history that the move to this node had");
        v.later_number("tactical_reward", tactical_reward, 0.0f, 8.0f, "bonus",
                       "what a tactical move learns that cut");
        v.later_number("tactical_blame", tactical_blame, 0.0f, 8.0f, "penalty",
                       "... and one that did not");
        v.later_number("refuted_tactical", refuted_tactical, 0, 8192, "",
                       "for the tactical move that led to a node where every move failed low");
        v.later_number("continuation_start", continuation_start, -10000, 10000, "",
                       "what a continuation is worth of which nothing is known");
        v.later_number("tactical_start", tactical_start, -10000, 10000, "",
                       "... and a tactical move");
        v.later_number("own_weight", own_weight, 0, 8, "",
                       "how often a move's own history counts in the order");
        describe_places(v);
        describe_surprise(v);
        v.later_number("losing_share", losing_share, 0.0f, 8.0f, "eval",
                       "a capture comes before the quiet moves unless it loses more by exchange "
                       "than this share of its place in the order");
        v.later_number("check_losing", check_losing, 0, 20000, "eval",
                       "ordering_check: it may lose so much");
        v.later_flag("plain_evasions", plain_evasions,
                     "out of check captures come first whatever they lose, then quiet moves by "
                     "their own history and the one after the last move");
        v.later_number("late_quiet", late_quiet, -200000, 0, "",
                       "quiet moves with a history below this come after the losing captures; 0 "
                       "none do");
    }
    template <class V> void describe_places(V& v) {
        v.later_number("structure_weight", structure_weight, 0, 8, "",
                       "moves have a history by the position's first structure, which counts so "
                       "often in the order; 0 none");
        v.later_number("structure_most", structure_most, 1000, 32000, "", "... its largest value");
        v.later_number("structure_start", structure_start, -10000, 10000, "",
                       "... what it holds at first");
        v.later_number("structure_reward", structure_reward, 0.0f, 8.0f, "bonus",
                       "... what it learns of a bonus");
        v.later_number("structure_blame", structure_blame, 0.0f, 8.0f, "penalty",
                       "... and of a penalty");
        v.later_number("structure_expectation", structure_expectation, 0.0f, 8.0f, "",
                       "... and of a changed static value (expectation), where the table knew "
                       "nothing");
        v.later_number("early_plies", early_plies, 0, 8, "ply",
                       "so many plies from the root on moves have a history of this search; 0 "
                       "none");
        v.later_number("early_weight", early_weight, 0, 32, "",
                       "... which counts so often in the order, less by the ply");
        v.later_number("early_start", early_start, -10000, 10000, "", "... what it holds at first");
        v.later_number("early_share", early_share, 0.0f, 8.0f, "bonus", "... what it learns");
    }
    template <class V> void describe_surprise(V& v) {
        v.later_number("surprise_slope", surprise_slope, 0, 2000, "/ply",
                       "where every move failed low the quiet move that led there was good: points "
                       "by depth; 0 never");
        v.later_number("surprise_offset", surprise_offset, 0, 2000, "", "... less this");
        v.later_number("surprise_most", surprise_most, 1, 8192, "", "... at most this");
        v.later_number("surprise_base", surprise_base, -16.0f, 16.0f, "",
                       "they count so often, and more by what follows");
        v.later_number("surprise_ply", surprise_ply, 0.0f, 4.0f, "/ply", "by depth");
        v.later_number("surprise_ply_most", surprise_ply_most, 0.0f, 16.0f, "", "... at most this");
        v.later_number("surprise_late", surprise_late, 0.0f, 16.0f, "", "where it came late");
        v.later_number("surprise_late_number", surprise_late_number, 1, 255, "moves",
                       "... after so many others");
        v.later_number("surprise_static", surprise_static, 0.0f, 16.0f, "",
                       "where the node's value is far below its static one");
        v.later_number("surprise_static_margin", surprise_static_margin, 0, 20000, "eval",
                       "... by so much");
        v.later_number("surprise_parent", surprise_parent, 0.0f, 16.0f, "",
                       "where it is far below what the parent's static value promised");
        v.later_number("surprise_parent_margin", surprise_parent_margin, 0, 20000, "eval",
                       "... by so much");
        v.later_number("surprise_history", surprise_history, 0.0f, 1000000.0f, "",
                       "less by the move's history, once for each of these; 0 not");
        v.later_number("surprise_own", surprise_own, 0.0f, 8.0f, "",
                       "share that the move's own history learns");
        v.later_number("surprise_structure", surprise_structure, 0.0f, 8.0f, "",
                       "... and that by the position's structure");
    }
};

/// What the search learns and remembers beside the selective techniques, for games that offer what
/// it needs; all of it off unless a game's file says otherwise.
struct NodeParams {
    bool quick_win = false;
    bool horizon_table = false;
    bool tactical_history = false;
    bool far_sorting = true;
    Value correction = 0;
    Depth correction_depth = 16;
    int correction_rate = 8;
    int correction_step = 256;
    bool refine_static = false;
    bool carry_static = false;
    bool blend_cuts = false;
    Depth after_raise = 0;
    Depth after_raise_below = kNever;
    Depth after_raise_above = 3;
    bool table_deeper = false;
    bool above_improves = false;
    bool spread_pv = false;
    Depth spread_pv_above = 3;
    Depth table_agrees = 0;
    Value correction_line = 0;
    float correction_low = 1.0f;
    bool mate_distance = false;
    bool keep_static = false;
    Depth win_deeper = 0;
    bool confirm_high = false;
    bool few_cuts = false;

    template <class V> void describe(V&& v) {
        v.flag("quick_win", quick_win, "look for a win by the next move before searching a node");
        v.flag("horizon_table", horizon_table, "the horizon's values go through the table");
        v.flag("tactical_history", tactical_history, "histories order tactical moves too");
        v.flag("far_sorting", far_sorting,
               "sort the moves that are left after late-move pruning has begun");
        v.number("correction", correction, 0, 5000, "eval",
                 "most that each correction history may add to the static value; 0 none");
        v.number("correction_depth", correction_depth, 1, 64, "ply",
                 "deeper results teach no more than those of this depth");
        v.number("correction_rate", correction_rate, 1, 1000, "ply",
                 "a result of this depth teaches the whole difference");
        v.later_number("correction_step", correction_step, 1, 1024, "",
                       "one result changes an entry, which holds up to 1024, by at most this");
        v.flag("refine_static", refine_static,
               "a table value on the right side of the static value takes its place");
        v.flag("spread_pv", spread_pv,
               "a node that failed low below one on a principal variation counts as on it, too");
        v.later_number("spread_pv_above", spread_pv_above, 0, kNever, "ply",
                       "... at depths above this");
        v.number("table_agrees", table_agrees, 0, kNever, "ply",
                 "below this depth the table ends a node only where it says what was expected");
        v.flag("carry_static", carry_static,
               "in check the static value of two plies ago stands for the node's own");
        v.flag("blend_cuts", blend_cuts,
               "a value above beta is drawn towards beta, less so deeper");
        v.number("after_raise", after_raise, 0, 4, "ply",
                 "a PV node that has raised alpha searches its other moves so much less deep");
        v.number("after_raise_below", after_raise_below, 1, kNever, "ply",
                 "... at depths below this");
        v.later_number("after_raise_above", after_raise_above, 1, kNever, "ply",
                       "... and above this");
        v.flag("table_deeper", table_deeper,
               "the table ends a node by a value above beta only where it is deeper than the node");
        v.flag("above_improves", above_improves,
               "a static value of beta or more counts as improving, too");
        v.later_number("correction_line", correction_line, 0, 5000, "eval",
                       "... and the one by the last moves of the line");
        v.later_number("correction_low", correction_low, 0.0f, 4.0f, "",
                       "a value that failed low teaches so much of the difference");
        v.later_flag("mate_distance", mate_distance,
                     "no search for a longer win than one that is known");
        v.later_flag("keep_static", keep_static,
                     "a static value goes into the table before the node is searched");
        v.later_number("win_deeper", win_deeper, 0, 20, "ply",
                       "a win by the next move goes into the table, so much deeper; 0 not");
        v.later_flag("confirm_high", confirm_high,
                     "a PV node searches again also what comes above beta");
        v.later_flag("few_cuts", few_cuts,
                     "cuts by a move that was extended by two plies do not count as cuts of the "
                     "answers");
    }
};

struct SearchParams {
    AspirationParams aspiration;
    TimeParams time;
    TableParams table;
    RootParams root;
    NodeParams node;
    HistoryParams history;
    QuiescenceParams quiescence;
    SelectiveParams selective;
    Calibration calibration;  ///< data, not a declared number: read and written as a whole

    template <class V> void describe(V&& v) {
        v.section("aspiration", aspiration);
        v.section("time", time);
        v.section("table", table);
        v.section("root", root);
        v.section("node", node);
        v.section("history", history);
        v.section("quiescence", quiescence);
        selective.describe(v);
    }
};

/// The confidence of Multi-ProbCut's cuts in percent, as players read it; 100 without it.
inline int confidence_percent(const SelectiveParams& p) {
    if (!p.of<MultiProbCut>().enabled) return 100;
    const double below = 0.5 * std::erfc(-p.of<MultiProbCut>().t / std::sqrt(2.0));
    return static_cast<int>(std::lround(100.0 * below));
}

}  // namespace karikomi
