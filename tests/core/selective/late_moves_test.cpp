#include "karikomi/core/selective/late_moves.hpp"

#include <cmath>

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

struct Trial {
    LateMoves::Params params{};
    LateMoves::Table table{};
    LateMoves::Stats stats{};

    Trial() { table.prepare(params); }
    template <class Change> explicit Trial(Change&& change) {
        change(params);
        table.prepare(params);
    }
    Depth reduction(const NodeView& n, const LateMoves::MoveFacts& m) {
        return LateMoves::reduction(n, params, table, m, stats);
    }
    bool prunes(const NodeView& n, const LateMoves::MoveFacts& m) {
        return LateMoves::prune(n, params, table, m, stats);
    }
};

LateMoves::MoveFacts quiet_move(int number, int history = 0) {
    return {number, true, false, history};
}
NodeView all_node(Depth depth) {
    return node_at(depth, 99, 100, NodeKind::All);
}

// ---- the table -------------------------------------------------------------------------------

TEST(LateMovesTable, HoldsTheFormula) {
    const Trial trial([](auto& p) { p.base = 0.5f, p.divisor = 2.0f; });
    EXPECT_NEAR(trial.table.at(1, 1), 0.5, 1e-5);
    EXPECT_NEAR(trial.table.at(1, 40), 0.5, 1e-5);  // ln 1 = 0
    EXPECT_NEAR(trial.table.at(8, 16), 0.5 + 2.0794415 * 2.7725887 / 2.0, 1e-4);
    EXPECT_NEAR(trial.table.at(20, 5), 0.5 + 2.9957323 * 1.6094379 / 2.0, 1e-4);
}

TEST(LateMovesTable, FollowsAChangeOfTheNumbers) {
    Trial trial([](auto& p) { p.base = 0.5f, p.divisor = 2.0f; });
    trial.params.base = 1.5f;
    trial.table.prepare(trial.params);
    EXPECT_NEAR(trial.table.at(1, 1), 1.5, 1e-5);
    trial.params.divisor = 4.0f;
    trial.table.prepare(trial.params);
    EXPECT_NEAR(trial.table.at(8, 16), 1.5 + 2.0794415 * 2.7725887 / 4.0, 1e-4);
    trial.params.base = 0.0f;
    trial.table.prepare(trial.params);
    EXPECT_NEAR(trial.table.at(1, 1), 0.0, 1e-5);
}

TEST(LateMovesTable, GrowsWithDepthAndMoveNumber) {
    const Trial trial;
    for (Depth depth = 2; depth < 63; ++depth) {
        for (int number = 2; number < 63; ++number) {
            EXPECT_LT(trial.table.at(depth, number), trial.table.at(depth + 1, number));
            EXPECT_LT(trial.table.at(depth, number), trial.table.at(depth, number + 1));
        }
    }
}

TEST(LateMovesTable, OutsideItsRangeTheLastEntryServes) {
    const Trial trial;
    EXPECT_FLOAT_EQ(trial.table.at(120, 10), trial.table.at(63, 10));
    EXPECT_FLOAT_EQ(trial.table.at(10, 500), trial.table.at(10, 63));
    EXPECT_FLOAT_EQ(trial.table.at(0, 0), trial.table.at(1, 1));
}

// ---- reduction -------------------------------------------------------------------------------

TEST(LateMoves, ReductionIsTheFormulaRoundedDown) {
    Trial trial([](auto& p) { p.base = 0.0f, p.divisor = 2.0f; });
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(4)), 1);    // 2.079 * 1.386 / 2 = 1.44
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16)), 2);   // 2.88
    EXPECT_EQ(trial.reduction(all_node(20), quiet_move(40)), 5);  // 2.996 * 3.689 / 2 = 5.53
}

TEST(LateMoves, NodeKindMovesTheReduction) {
    Trial trial(
        [](auto& p) { p.base = 0.0f, p.divisor = 2.0f, p.cut_node = 1.0f, p.pv_node = -1.0f; });
    const auto plies = [&](NodeKind kind) {
        return trial.reduction(node_at(8, 99, 100, kind), quiet_move(16));
    };
    EXPECT_EQ(plies(NodeKind::All), 2);  // 2.88
    EXPECT_EQ(plies(NodeKind::Cut), 3);
    EXPECT_EQ(plies(NodeKind::Pv), 1);
}

TEST(LateMoves, GoodHistoryReducesLessAndBadHistoryMore) {
    Trial trial([](auto& p) { p.base = 0.0f, p.divisor = 2.0f, p.history = 1000.0f; });
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16, 0)), 2);  // 2.88
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16, 1000)), 1);
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16, 5000)), 0);
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16, -1000)), 3);
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16, -500)), 3);  // 3.38
}

TEST(LateMoves, ReductionIsMonotoneInDepthAndNumber) {
    Trial trial;
    for (Depth depth = 3; depth < 40; ++depth) {
        for (int number = 4; number < 80; ++number) {
            const Depth here = trial.reduction(all_node(depth), quiet_move(number));
            EXPECT_LE(here, trial.reduction(all_node(depth + 1), quiet_move(number)));
            EXPECT_LE(here, trial.reduction(all_node(depth), quiet_move(number + 1)));
        }
    }
}

TEST(LateMoves, AtLeastDepthOneIsLeftForTheMove) {
    Trial trial([](auto& p) { p.base = 4.0f, p.divisor = 0.5f, p.min_depth = 2; });
    for (Depth depth = 2; depth <= 30; ++depth) {
        const Depth plies = trial.reduction(all_node(depth), quiet_move(60, -16'000));
        EXPECT_EQ(plies, std::min(plies, depth - 2));
        EXPECT_GE(depth - 1 - plies, 1) << depth;
    }
    EXPECT_EQ(trial.reduction(all_node(5), quiet_move(60)), 3) << "clamped, not refused";
}

TEST(LateMoves, IsNeverAnExtension) {
    Trial trial([](auto& p) { p.base = -2.0f, p.pv_node = -4.0f, p.history = 100.0f; });
    EXPECT_EQ(trial.reduction(node_at(8, 50, 100, NodeKind::Pv), quiet_move(5, 16'000)), 0);
    EXPECT_EQ(trial.stats.succeeded, 0u);
}

TEST(LateMoves, TheFirstMovesAreNotReduced) {
    Trial trial;
    for (const int number : {1, 2, 3}) {
        EXPECT_EQ(trial.reduction(all_node(30), quiet_move(number)), 0);
    }
    EXPECT_EQ(trial.stats.tried, 0u);
    EXPECT_GT(trial.reduction(all_node(30), quiet_move(4)), 0);
    EXPECT_EQ(trial.stats.tried, 1u);
    EXPECT_EQ(trial.stats.succeeded, 1u);
}

TEST(LateMoves, TableIidAndKillerMovesAreExempt) {
    Trial trial;
    LateMoves::MoveFacts special = quiet_move(30, -16'000);
    special.special = true;
    EXPECT_EQ(trial.reduction(all_node(20), special), 0);
    EXPECT_GT(trial.reduction(all_node(20), quiet_move(30, -16'000)), 0);
}

TEST(LateMoves, TacticalMovesAreExemptUnlessToldOtherwise) {
    Trial trial;
    LateMoves::MoveFacts capture = quiet_move(30);
    capture.quiet = false;
    EXPECT_EQ(trial.reduction(all_node(20), capture), 0);
    trial.params.tactical = true;
    EXPECT_GT(trial.reduction(all_node(20), capture), 0);
}

TEST(LateMoves, NothingIsReducedInCheckBelowTheMinimumDepthOrWhenOff) {
    Trial trial;
    NodeView n = all_node(20);
    n.in_check = true;
    EXPECT_EQ(trial.reduction(n, quiet_move(30)), 0);
    trial.params.min_depth = 6;
    EXPECT_EQ(LateMoves::lowest_depth(trial.params), 6);
    EXPECT_EQ(trial.reduction(all_node(5), quiet_move(60)), 0);
    EXPECT_GT(trial.reduction(all_node(6), quiet_move(60)), 0);
    trial.params.enabled = false;
    EXPECT_EQ(LateMoves::lowest_depth(trial.params), kNever);
    EXPECT_EQ(trial.reduction(all_node(20), quiet_move(60)), 0);
}

// ---- what else moves it ------------------------------------------------------------------------

TEST(LateMoves, EachFurtherMoveTakesALittleOff) {
    Trial trial([](auto& p) { p.base = 0.0f, p.divisor = 2.0f, p.per_move = 0.05f; });
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16)), 2);   // 2.88 - 0.8
    EXPECT_EQ(trial.reduction(all_node(20), quiet_move(40)), 3);  // 5.53 - 2
}

TEST(LateMoves, NotImprovingMayScaleTheLogarithmicPart) {
    Trial trial([](auto& p) { p.base = 0.5f, p.divisor = 2.0f, p.not_improving_scale = 0.5f; });
    NodeView better = all_node(8);
    better.improving = true;
    EXPECT_EQ(trial.reduction(better, quiet_move(16)), 3);       // 0.5 + 2.88
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16)), 4);  // 0.5 + 2.88 * 1.5
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(4)), 2);   // 0.5 + 1.44 * 1.5
}

TEST(LateMoves, ExpectedFailLowsMayScaleIt) {
    Trial trial([](auto& p) { p.base = 0.0f, p.divisor = 2.0f, p.all_scale = 4.5f; });
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16)), 4);  // 2.88 * (1 + 4.5 / 9)
    EXPECT_EQ(trial.reduction(node_at(8, 99, 100, NodeKind::Cut), quiet_move(16)), 3);
}

TEST(LateMoves, WhatTheTableSaysOfAPrincipalVariationCounts) {
    Trial trial([](auto& p) {
        p.base = 0.0f, p.divisor = 2.0f;
        p.table_pv_value = -1.0f, p.table_pv_depth = -1.0f;
    });
    NodeView n = all_node(8);
    n.tt = {150, 8, Bound::Lower, 33};
    EXPECT_EQ(trial.reduction(n, quiet_move(16)), 2) << "not on a principal variation";
    n.table_pv = true;
    EXPECT_EQ(trial.reduction(n, quiet_move(16)), 0);
    n.tt.depth = 7;
    EXPECT_EQ(trial.reduction(n, quiet_move(16)), 1) << "not as deep as the node";
    n.tt.value = 99;
    EXPECT_EQ(trial.reduction(n, quiet_move(16)), 2) << "not above alpha";
}

TEST(LateMoves, IsAnExtensionOnlyWhereAllowed) {
    Trial trial([](auto& p) { p.base = -2.0f, p.pv_node = -4.0f, p.deeper_most = 2; });
    EXPECT_EQ(trial.reduction(node_at(8, 50, 100, NodeKind::Pv), quiet_move(5)), -2);
    EXPECT_EQ(trial.stats.extended, 1u);
    EXPECT_EQ(trial.stats.succeeded, 0u);
}

TEST(LateMoves, TheFirstMoveIsSearchedLessDeepWhereItsReductionWouldBeLarge) {
    Trial trial([](auto& p) { p.base = 0.0f, p.cut_node = 4.0f, p.first_without_move = 1.0f; });
    NodeView n = node_at(8, 99, 100, NodeKind::Cut);
    n.tt.move = 33;
    const auto less = [&] {
        return LateMoves::first_less(n, trial.params, trial.table, quiet_move(1), trial.stats);
    };
    EXPECT_EQ(less(), 0) << "off";
    trial.params.first_less = 4.5f;
    EXPECT_EQ(less(), 0);
    trial.params.first_less = 3.5f;
    EXPECT_EQ(less(), 1);
    n.tt.move = kNoMove;
    EXPECT_EQ(less(), 2);
    n.depth = 3;
    EXPECT_EQ(less(), 1) << "near the leaves a ply is much";
    EXPECT_EQ(trial.stats.first, 3u);
    trial.params.first_twice_above = 2;
    EXPECT_EQ(less(), 2);
}

TEST(LateMoves, MovesOnAPrincipalVariationMayBeJudgedByLess) {
    Trial trial([](auto& p) { p.judge_plainly = true, p.judge_table_pv = 2.0f; });
    NodeView n = all_node(10);
    const auto left = [&] {
        return LateMoves::depth_left(n, trial.params, trial.table, quiet_move(2), 0);
    };
    const Depth plain = left();
    n.table_pv = true;
    EXPECT_EQ(left(), plain - 2);
}

// ---- pruning by number -----------------------------------------------------------------------

Trial pruning_trial() {
    return Trial([](auto& p) { p.prune_max_depth = 4, p.prune_base = 4; });
}

TEST(LateMovesPrune, SkipsQuietMovesBeyondBasePlusDepthSquared) {
    Trial trial = pruning_trial();
    for (const Depth depth : {1, 2, 3, 4}) {
        const int last = 4 + depth * depth;
        EXPECT_FALSE(trial.prunes(all_node(depth), quiet_move(last))) << depth;
        EXPECT_TRUE(trial.prunes(all_node(depth), quiet_move(last + 1))) << depth;
    }
    EXPECT_FALSE(trial.prunes(all_node(5), quiet_move(500)));
    EXPECT_EQ(trial.stats.pruned, 4u);
}

TEST(LateMovesPrune, ThePowerReplacesTheSquare) {
    const Trial trial([](auto& p) { p.prune_base = 3, p.prune_power = 1.5f; });
    EXPECT_EQ(LateMoves::most_moves(all_node(4), trial.params, trial.table), 3 + 8);
    EXPECT_EQ(LateMoves::most_moves(all_node(9), trial.params, trial.table), 3 + 27);
}

TEST(LateMovesPrune, StaysOutOfThreatsThatAreTooGrave) {
    Trial trial = pruning_trial();
    NodeView n = all_node(2);
    n.threat = Threat::Grave;
    EXPECT_TRUE(trial.prunes(n, quiet_move(50)));
    trial.params.prune_threat = static_cast<int>(Threat::Slow);
    EXPECT_FALSE(trial.prunes(n, quiet_move(50)));
}

TEST(LateMoves, AnOpenWindowAndAnUnsureStaticValueReduceLess) {
    Trial trial([](auto& p) { p.window = 2.0f, p.correction = 0.02f; });
    NodeView n = all_node(20);
    const Depth plain = trial.reduction(n, quiet_move(30));
    n.window = 1.0f;
    EXPECT_EQ(trial.reduction(n, quiet_move(30)), plain - 2);
    n.window = 0.0f;
    n.correction = 100;
    EXPECT_EQ(trial.reduction(n, quiet_move(30)), plain - 2);
}

TEST(LateMoves, AnswersThatKeepCuttingReduceMore) {
    Trial trial([](auto& p) {
        p.child_cuts = 1.0f, p.child_cut_count = 1, p.child_cuts_more = 1.0f;
        p.child_cuts_all = 2.0f;
    });
    const auto after = [&](NodeView n, int cuts) {
        LateMoves::MoveFacts m = quiet_move(30);
        m.child_cuts = cuts;
        return trial.reduction(n, m);
    };
    const NodeView cut = node_at(20, 99, 100, NodeKind::Cut);
    EXPECT_EQ(after(cut, 2), after(cut, 1) + 1);
    EXPECT_EQ(after(cut, 3), after(cut, 1) + 2);
    EXPECT_EQ(after(cut, 9), after(cut, 3));
    EXPECT_EQ(after(all_node(20), 2), after(all_node(20), 1) + 3);
}

TEST(LateMoves, ReducedMovesOfPvNodesGetAPlyBack) {
    Trial trial;
    const NodeView pv = node_at(20, 99, 300, NodeKind::Pv);
    const Depth plain = trial.reduction(pv, quiet_move(30));
    trial.params.pv_deeper = 1.0f;
    EXPECT_EQ(trial.reduction(pv, quiet_move(30)), plain - 1);
    EXPECT_EQ(trial.reduction(all_node(20), quiet_move(30)),
              Trial().reduction(all_node(20), quiet_move(30)));
}

TEST(LateMovesPrune, IsOffByDefault) {
    Trial trial;
    for (const Depth depth : {1, 2, 3}) {
        EXPECT_FALSE(trial.prunes(all_node(depth), quiet_move(500)));
    }
}

TEST(LateMovesPrune, SparesPvNodesTacticalAndSpecialMovesChecksAndDecisiveWindows) {
    Trial trial = pruning_trial();
    EXPECT_TRUE(trial.prunes(all_node(1), quiet_move(50)));
    EXPECT_TRUE(trial.prunes(node_at(1, 99, 100, NodeKind::Cut), quiet_move(50)));
    EXPECT_FALSE(trial.prunes(node_at(1, 50, 100, NodeKind::Pv), quiet_move(50)));
    EXPECT_FALSE(trial.prunes(all_node(1), {50, false, false, 0}));
    EXPECT_FALSE(trial.prunes(all_node(1), {50, true, true, 0}));
    NodeView n = all_node(1);
    n.in_check = true;
    EXPECT_FALSE(trial.prunes(n, quiet_move(50)));
    EXPECT_FALSE(trial.prunes(node_at(1, loss_in(9), loss_in(9) + 1), quiet_move(50)));
    EXPECT_FALSE(trial.prunes(node_at(1, win_in(9), win_in(8)), quiet_move(50)));
    trial.params.enabled = false;
    EXPECT_FALSE(trial.prunes(all_node(1), quiet_move(50)));
    EXPECT_EQ(trial.stats.pruned, 2u);
}

TEST(LateMovesPrune, TheSlopeWidensTheNumberOfMoves) {
    Trial trial = pruning_trial();
    const int narrow = LateMoves::most_moves(all_node(3), trial.params, trial.table);
    trial.params.prune_slope = 4.0f;
    EXPECT_EQ(LateMoves::most_moves(all_node(3), trial.params, trial.table), narrow + 3 * 9);
}

TEST(LateMovesPrune, ActsOnDecisiveWindowsWhenTold) {
    Trial trial = pruning_trial();
    trial.params.prune_decisive = true;
    EXPECT_TRUE(trial.prunes(node_at(1, win_in(9), win_in(8), NodeKind::Cut), quiet_move(50)));
    EXPECT_TRUE(
        trial.prunes(node_at(1, loss_in(9), loss_in(9) + 1, NodeKind::Cut), quiet_move(50)));
}

TEST(LateMoves, AGoodHistoryLeavesMoreDepthToJudgeBy) {
    Trial trial([](auto& p) { p.judge_plainly = true; });
    const auto left = [&](int history) {
        LateMoves::MoveFacts m = quiet_move(20);
        m.near = history;
        return LateMoves::depth_left(all_node(10), trial.params, trial.table, m, 0);
    };
    EXPECT_EQ(left(9000), left(-9000)) << "not asked";
    trial.params.judge_history = 3000.0f;
    EXPECT_GE(left(9000), left(0) + 2);
    EXPECT_LE(left(-9000), left(0) - 2);
}

// ---- by exchange, by history, by trend --------------------------------------------------------

TEST(LateMoves, PrunesByExchange) {
    Trial trial([](auto& p) {
        p.exchange_max_depth = 4;
        p.exchange_quiet = 10;
        p.exchange_tactical = 100;
    });
    const auto prunes = [&](const NodeView& n, bool quiet, Depth left, Value exchange) {
        return LateMoves::prune_by_exchange(n, trial.params, {5, quiet, false, 0}, left,
                                            trial.stats, [&] { return exchange; });
    };
    EXPECT_FALSE(prunes(all_node(4), true, 3, -90)) << "10 * 3 * 3";
    EXPECT_TRUE(prunes(all_node(4), true, 3, -91));
    EXPECT_FALSE(prunes(all_node(4), false, 3, -400)) << "100 * 4";
    EXPECT_TRUE(prunes(all_node(4), false, 3, -401));
    EXPECT_FALSE(prunes(all_node(5), true, 3, -5000)) << "too deep";
    NodeView checked = all_node(2);
    checked.in_check = true;
    EXPECT_FALSE(prunes(checked, true, 1, -5000));
    EXPECT_FALSE(prunes(node_at(2, 0, 50, NodeKind::Pv), true, 1, -5000));
    EXPECT_EQ(trial.stats.by_exchange, 2u);
    trial.params.enabled = false;
    EXPECT_FALSE(prunes(all_node(4), true, 3, -91));
}

TEST(LateMoves, PrunesByHistory) {
    Trial trial([](auto& p) {
        p.history_max_depth = 3;
        p.history_least = -1000;
    });
    const auto prunes = [&](const NodeView& n, int history, Depth left, bool special = false) {
        return LateMoves::prune_by_history(n, trial.params, {5, true, special, history}, left,
                                           trial.stats);
    };
    EXPECT_FALSE(prunes(all_node(3), -2000, 2));
    EXPECT_TRUE(prunes(all_node(3), -2001, 2));
    EXPECT_FALSE(prunes(all_node(3), -2001, 2, true)) << "killers stay";
    EXPECT_FALSE(prunes(all_node(4), -20'000, 2));
    EXPECT_EQ(trial.stats.by_history, 1u);
}

TEST(LateMoves, LooksAtTheTrend) {
    Trial trial([](auto& p) {
        p.base = 0.0f, p.divisor = 2.0f;
        p.not_improving = 1.0f;
        p.prune_max_depth = 3;
        p.prune_base = 5;
        p.prune_by_trend = true;
    });
    NodeView better = all_node(8);
    better.improving = true;
    EXPECT_EQ(trial.reduction(all_node(8), quiet_move(16)), 3);
    EXPECT_EQ(trial.reduction(better, quiet_move(16)), 2);
    better = all_node(3);
    better.improving = true;
    EXPECT_FALSE(trial.prunes(better, quiet_move(14)));
    EXPECT_TRUE(trial.prunes(better, quiet_move(15)));
    EXPECT_FALSE(trial.prunes(all_node(3), quiet_move(7)));
    EXPECT_TRUE(trial.prunes(all_node(3), quiet_move(8)));
    trial.params.prune_trend_share = 0.25f;
    EXPECT_FALSE(trial.prunes(all_node(3), quiet_move(3)));
    EXPECT_TRUE(trial.prunes(all_node(3), quiet_move(4)));
}

}  // namespace
}  // namespace karikomi::test
