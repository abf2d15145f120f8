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

    template <class V> void describe(V&& v) {
        v.flag("enabled", enabled, "start iterations with a narrow window");
        v.number("min_depth", min_depth, 2, kNever, "ply", "full window below this depth");
        v.number("delta", delta, 1, 20000, "eval", "first half-width of the window");
        v.number("widen", widen, 1.1f, 10.0f, "", "half-width is multiplied by this at each retry");
        v.number("max_retries", max_retries, 0, 20, "", "then the window is opened fully");
        v.flag("store_on_retry", store_on_retry, "retries write to the transposition table");
    }
};

struct TimeParams {
    int overhead_ms = 20;
    float horizon = 32.0f;
    float increment_share = 0.8f;
    float hard_factor = 4.0f;
    float hard_share = 0.3f;
    float next_iteration = 0.6f;

    template <class V> void describe(V&& v) {
        v.number("overhead_ms", overhead_ms, 0, 10000, "ms", "kept back for pipes and scheduling");
        v.number("horizon", horizon, 2.0f, 200.0f, "moves", "main time is spread over this many");
        v.number("increment_share", increment_share, 0.0f, 1.0f, "", "of the increment to spend");
        v.number("hard_factor", hard_factor, 1.0f, 20.0f, "", "hard limit in planned times");
        v.number("hard_share", hard_share, 0.05f, 0.9f, "", "hard limit as a share of main time");
        v.number("next_iteration", next_iteration, 0.1f, 1.0f, "",
                 "no new iteration after this share of the planned time");
    }
};

struct TableParams {
    bool strict_probes = false;

    template <class V> void describe(V&& v) {
        v.flag("strict_probes", strict_probes,
               "verification searches refuse table results that were themselves selective");
    }
};

/// What the search learns and remembers beside the selective techniques, for games that offer what
/// it needs; all of it off unless a game's file says otherwise.
struct NodeParams {
    bool quick_win = false;
    bool horizon_table = false;
    bool far_continuation = false;
    bool tactical_history = false;
    bool far_sorting = true;
    Value correction = 0;

    template <class V> void describe(V&& v) {
        v.flag("quick_win", quick_win, "look for a win by the next move before searching a node");
        v.flag("horizon_table", horizon_table, "the horizon's values go through the table");
        v.flag("far_continuation", far_continuation,
               "continuation history also after the move four plies ago");
        v.flag("tactical_history", tactical_history, "histories order tactical moves too");
        v.flag("far_sorting", far_sorting,
               "sort the moves that are left after late-move pruning has begun");
        v.number("correction", correction, 0, 5000, "eval",
                 "most that each correction history may add to the static value; 0 none");
    }
};

struct SearchParams {
    AspirationParams aspiration;
    TimeParams time;
    TableParams table;
    NodeParams node;
    SelectiveParams selective;
    Calibration calibration;  ///< data, not a declared number: read and written as a whole

    template <class V> void describe(V&& v) {
        v.section("aspiration", aspiration);
        v.section("time", time);
        v.section("table", table);
        v.section("node", node);
        selective.describe(v);
    }
};

/// How much a result may rest on statistics, as the transposition table records it: 0 for a full
/// search, larger for less confidence. A node never accepts a result above its own level.
inline int selectivity_level(const SelectiveParams& p) {
    const bool prunes = p.probcut.enabled || p.futility.enabled || p.null_move.enabled ||
                        p.late_moves.enabled || p.singular.enabled ||
                        (p.iid.enabled && p.iid.variant == Iid::Variant::Reduce);
    int level = prunes ? 3 : 0;
    if (p.multi_probcut.enabled) {
        constexpr std::array<float, 5> kFloors = {2.30f, 2.05f, 1.60f, 1.10f, 0.60f};
        int mpc = 1;
        for (const float floor : kFloors) mpc += p.multi_probcut.t < floor ? 1 : 0;
        level = std::max(level, mpc);
    }
    return level;
}

/// The confidence of Multi-ProbCut's cuts in percent, as players read it; 100 without it.
inline int confidence_percent(const SelectiveParams& p) {
    if (!p.multi_probcut.enabled) return 100;
    const double below = 0.5 * std::erfc(-p.multi_probcut.t / std::sqrt(2.0));
    return static_cast<int>(std::lround(100.0 * below));
}

}  // namespace karikomi
