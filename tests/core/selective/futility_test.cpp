#include "karikomi/core/selective/futility.hpp"

#include "karikomi/core/selective/child_futility.hpp"
#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

using testing::ElementsAre;

/// Margins that name their place: side, colour and depth can be read off the digits.
Futility::Params distinct_margins() {
    Futility::Params p;
    p.self_first = {9999, 111, 112, 113};
    p.self_second = {9999, 121, 122, 123};
    p.opponent_first = {9999, 211, 212, 213};
    p.opponent_second = {9999, 221, 222, 223};
    return p;
}

struct Trial {
    Futility::Params params = distinct_margins();
    Futility::Stats stats{};
    std::optional<Value> operator()(const NodeView& n, Value move_value) {
        return Futility::try_prune(n, params, move_value, stats);
    }
};

TEST(Futility, StartsWithTheNumbersOfTheSource) {
    const Futility::Params p;
    EXPECT_EQ(p.max_depth, 3);
    EXPECT_THAT(p.self_first, ElementsAre(0, 900, 300, 900));
    EXPECT_THAT(p.self_second, ElementsAre(0, 900, 300, 900));
    EXPECT_THAT(p.opponent_first, ElementsAre(0, 5000, 2000, 4500));
    EXPECT_THAT(p.opponent_second, ElementsAre(0, 5000, 2000, 4500));
}

TEST(Futility, TakesTheMarginOfSideColourAndDepth) {
    for (const bool opponent : {false, true}) {
        for (const int colour : {0, 1}) {
            for (const Depth depth : {1, 2, 3}) {
                Trial trial;
                NodeView n = node_at(depth, 500, 501);
                n.opponent_to_move = opponent;
                n.colour = colour;
                const Value margin = 100 * (opponent ? 2 : 1) + 10 * (colour + 1) + depth;
                EXPECT_EQ(trial(n, 500 - margin + 1), std::nullopt) << margin;
                EXPECT_EQ(trial(n, 500 - margin), 500) << margin;
            }
        }
    }
}

TEST(Futility, ReturnsTheMostThatTheMoveMayBeWorth) {
    Trial trial;
    const NodeView n = node_at(2, 500, 501);
    EXPECT_EQ(trial(n, -1000), -1000 + 112);
    EXPECT_EQ(trial(n, 300), 412);
}

TEST(Futility, ActsAtDepthsOneToThreeOnly) {
    Trial trial;
    for (Depth depth = 4; depth <= kMaxDepth; ++depth) {
        EXPECT_EQ(trial(node_at(depth, 500, 501), -20'000), std::nullopt) << depth;
    }
    EXPECT_EQ(trial.stats.tried, 0u);
    for (const Depth depth : {1, 2, 3}) {
        EXPECT_TRUE(trial(node_at(depth, 500, 501), -20'000).has_value()) << depth;
    }
}

TEST(Futility, DoesNotActAtTheHorizon) {
    Trial trial;
    EXPECT_EQ(trial(node_at(0, 500, 501), -20'000), std::nullopt);
}

TEST(Futility, ActsOnlyUpToTheDepthThatIsSet) {
    for (const Depth limit : {0, 1, 2, 3}) {
        Trial trial;
        trial.params.max_depth = limit;
        EXPECT_EQ(Futility::highest_depth(trial.params), limit);
        for (const Depth depth : {1, 2, 3}) {
            EXPECT_EQ(trial(node_at(depth, 500, 501), -20'000).has_value(), depth <= limit);
        }
    }
}

TEST(Futility, ActsInEveryKindOfNode) {
    for (const NodeKind kind : {NodeKind::Pv, NodeKind::Cut, NodeKind::All}) {
        Trial trial;
        EXPECT_TRUE(trial(node_at(1, 500, 600, kind), -20'000).has_value());
    }
}

TEST(Futility, OffNeverPrunes) {
    Trial trial;
    trial.params.enabled = false;
    EXPECT_EQ(Futility::highest_depth(trial.params), 0);
    for (const Depth depth : {1, 2, 3}) {
        EXPECT_EQ(trial(node_at(depth, 500, 501), -20'000), std::nullopt);
    }
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(Futility, NeverActsInCheck) {
    Trial trial;
    NodeView n = node_at(1, 500, 501);
    n.in_check = true;
    EXPECT_EQ(trial(n, -20'000), std::nullopt);
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(Futility, NeverActsOnADecisiveAlpha) {
    for (const Value alpha : {-kInfinity, loss_in(4), -kDecisive, kDecisive, win_in(5)}) {
        Trial trial;
        EXPECT_EQ(trial(node_at(1, alpha, alpha + 1), -29'000), std::nullopt) << alpha;
        EXPECT_EQ(trial.stats.tried, 0u);
    }
}

TEST(Futility, NeverActsOnDecisiveWindows) {
    for (const auto& [alpha, beta] : decisive_windows()) {
        Trial trial;
        EXPECT_EQ(trial(node_at(1, alpha, beta, NodeKind::Pv), -29'000), std::nullopt)
            << alpha << " .. " << beta;
    }
}

TEST(Futility, NeverActsOnDecisiveStaticValues) {
    for (const Value lost : {-kDecisive, loss_in(20)}) {
        Trial trial;
        EXPECT_EQ(trial(node_at(1, 500, 501), lost), std::nullopt) << lost;
    }
}

TEST(Futility, CountsPrunedMovesBySide) {
    Trial trial;
    NodeView n = node_at(1, 500, 501);
    trial(n, -1000);
    trial(n, 1000);
    n.opponent_to_move = true;
    trial(n, -1000);
    trial(n, -1000);
    EXPECT_EQ(trial.stats.tried, 4u);
    EXPECT_EQ(trial.stats.succeeded, 3u);
    EXPECT_EQ(trial.stats.pruned_self, 1u);
    EXPECT_EQ(trial.stats.pruned_opponent, 2u);
    EXPECT_EQ(trial.stats.probe_nodes, 0u);
}

TEST(GainSample, GainIsWhatTheSearchFoundAboveTheStaticValue) {
    GainSample g;
    g.static_value = 100;
    g.value = 350;
    EXPECT_EQ(g.gain(), 250);
    g.static_value = -400;
    g.value = -100;
    EXPECT_EQ(g.gain(), 300);
}

TEST(GainSample, ALossIsAGainOfZero) {
    GainSample g;
    g.static_value = 100;
    g.value = 100;
    EXPECT_EQ(g.gain(), 0);
    g.value = -5000;
    EXPECT_EQ(g.gain(), 0);
}

// ---- whole nodes, and late moves --------------------------------------------------------------

Futility::Params whole_nodes() {
    Futility::Params p;
    p.reverse_max_depth = 4;
    p.reverse_margin = 50;
    p.reverse_improving = 20;
    p.razor_max_depth = 2;
    p.razor_base = 100;
    p.razor_slope = 30;
    return p;
}
/// The horizon's answer; kNoValue: it must not be asked.
std::optional<Value> judge_node(NodeView n, const Futility::Params& p, Value static_value,
                                Value horizon = kNoValue) {
    n.static_value = n.estimate = static_value;
    Futility::Stats s;
    return Futility::try_node(n, p, s, [&](Value) {
        EXPECT_NE(horizon, kNoValue) << "the horizon was asked";
        return horizon;
    });
}

TEST(FutilityOfNodes, IsOffUnlessADepthIsSet) {
    EXPECT_FALSE(Futility::judges_nodes({}));
    EXPECT_EQ(judge_node(node_at(1, 99, 100, NodeKind::Cut), {}, 20'000), std::nullopt);
    EXPECT_EQ(judge_node(node_at(1, 99, 100, NodeKind::Cut), {}, -20'000), std::nullopt);
}

TEST(FutilityOfNodes, ReverseCutsWhenTheMarginIsReached) {
    const NodeView n = node_at(3, 99, 100, NodeKind::Cut);
    EXPECT_EQ(judge_node(n, whole_nodes(), 249), std::nullopt);
    EXPECT_EQ(judge_node(n, whole_nodes(), 250), 175);
    NodeView better = n;
    better.improving = true;
    EXPECT_EQ(judge_node(better, whole_nodes(), 230), 165);
    EXPECT_EQ(judge_node(better, whole_nodes(), 229), std::nullopt);
    EXPECT_EQ(judge_node(node_at(5, 99, 100, NodeKind::Cut), whole_nodes(), 9000), std::nullopt);
    EXPECT_EQ(judge_node(node_at(3, 99, 130, NodeKind::Pv), whole_nodes(), 9000), std::nullopt);
    NodeView checked = n;
    checked.in_check = true;
    EXPECT_EQ(judge_node(checked, whole_nodes(), 9000), std::nullopt);
    EXPECT_EQ(
        judge_node(node_at(3, kDecisive - 1, kDecisive, NodeKind::Cut), whole_nodes(), 29'999),
        std::nullopt);
}

TEST(FutilityOfNodes, AParentJudgesItsChildByTheSameRule) {
    Futility::Params p = whole_nodes();
    p.razor_max_depth = 0;
    EXPECT_FALSE(ChildFutility::is_plain(p));  // whether a node improves, its parent cannot tell
    p.reverse_improving = 0;
    EXPECT_TRUE(ChildFutility::is_plain(p));
    p.reverse_beta = 3;
    for (const Depth depth : {1, 3, 4, 5}) {
        for (const Value beta : {-kDecisive + 1, -kDecisive + 2, -40, 100, kDecisive}) {
            for (Value value = beta - 20; value <= beta + 260; value += 10) {
                Futility::Stats s;
                const auto found = ChildFutility::try_cut(p, value, depth, beta, s);
                const NodeView n = node_at(depth, beta - 1, beta, NodeKind::Cut);
                EXPECT_EQ(found, judge_node(n, p, value)) << depth << " " << beta << " " << value;
                EXPECT_EQ(s.reversed, found ? 1u : 0u);
            }
        }
    }
    Futility::Stats s;
    EXPECT_EQ(ChildFutility::try_cut(p, 9000, 0, 100, s),
              std::nullopt);  // a leaf is worth its value
}

TEST(FutilityOfNodes, RazoringAsksTheHorizon) {
    const NodeView n = node_at(2, 500, 501, NodeKind::All);
    // 500 - 100 - 30 * 4 = 280
    EXPECT_EQ(judge_node(n, whole_nodes(), 280), std::nullopt);
    EXPECT_EQ(judge_node(n, whole_nodes(), 279, 450), 450);
    EXPECT_EQ(judge_node(n, whole_nodes(), 279, 500), std::nullopt);
    EXPECT_EQ(judge_node(n, whole_nodes(), 279, -kWin + 5), std::nullopt);
    EXPECT_EQ(judge_node(node_at(3, 500, 501, NodeKind::All), whole_nodes(), -9000), std::nullopt);
}

TEST(FutilityOfNodes, StaysOutOfThreatsThatAreTooGrave) {
    const Threat all[] = {Threat::None, Threat::Slow, Threat::Grave, Threat::Now};
    for (int most = 0; most <= kAnyThreat; ++most) {
        Futility::Params p = whole_nodes();
        p.reverse_threat = most;
        p.razor_threat = most;
        p.late_max_depth = 3;
        p.late_threat = most;
        for (const Threat threat : all) {
            const bool calm = static_cast<int>(threat) <= most;
            NodeView high = node_at(3, 99, 100, NodeKind::Cut);
            high.threat = threat;
            EXPECT_EQ(judge_node(high, p, 250).has_value(), calm) << most;
            NodeView low = node_at(2, 500, 501, NodeKind::All);
            low.threat = threat;
            EXPECT_EQ(judge_node(low, p, 0, calm ? 400 : kNoValue).has_value(), calm) << most;
            Futility::Stats s;
            EXPECT_EQ(Futility::try_prune_late(low, p, 1, -5000, false, s).has_value(), calm)
                << most;
        }
    }
}

TEST(FutilityOfLateMoves, GoesByTheDepthThatIsLeft) {
    Futility::Params p;
    p.late_max_depth = 3;
    p.late_base = 100;
    p.late_slope = 50;
    Futility::Stats s;
    const NodeView n = node_at(8, 500, 501, NodeKind::All);
    EXPECT_EQ(Futility::try_prune_late(n, p, 2, 300, false, s), 500);
    EXPECT_EQ(Futility::try_prune_late(n, p, 2, 301, false, s), std::nullopt);
    EXPECT_EQ(Futility::try_prune_late(n, p, 4, -5000, false, s), std::nullopt);
    EXPECT_EQ(Futility::try_prune_late(node_at(8, 500, 700, NodeKind::Pv), p, 2, 0, false, s),
              std::nullopt);
    EXPECT_EQ(s.late, 1u);
    const NodeView seeks_mate = node_at(8, win_in(9), win_in(8), NodeKind::All);
    EXPECT_EQ(Futility::try_prune_late(seeks_mate, p, 2, 300, false, s), std::nullopt);
    p.late_decisive = true;
    EXPECT_EQ(Futility::try_prune_late(seeks_mate, p, 2, 300, false, s), 500);
    p.enabled = false;
    EXPECT_EQ(Futility::try_prune_late(n, p, 2, 300, false, s), std::nullopt);
}

TEST(FutilityOfLateMoves, MayGoBelowTheHorizonAndWaitForAFirstGoodMove) {
    Futility::Params p;
    p.late_max_depth = 3;
    p.late_base = 100;
    p.late_slope = 50;
    Futility::Stats s;
    const NodeView n = node_at(8, 500, 501, NodeKind::All);
    EXPECT_EQ(Futility::try_prune_late(n, p, -4, 600, false, s), 500)
        << "far down the list even a static value above alpha does not help";
    EXPECT_EQ(Futility::try_prune_late(n, p, -3, 600, false, s), std::nullopt);
    p.late_first = 60;
    EXPECT_EQ(Futility::try_prune_late(n, p, -4, 600, true, s), std::nullopt);
    EXPECT_EQ(Futility::try_prune_late(n, p, -4, 600, false, s), 500);
    p.late_above = 60;
    EXPECT_EQ(Futility::try_prune_late(n, p, -4, 600, false, s), std::nullopt);
    EXPECT_EQ(Futility::try_prune_late(n, p, 2, 300, false, s), 500) << "not above alpha";
}

TEST(FutilityOfLateMoves, CapturesCountAShareOfTheirMaterialAndTheirHistory) {
    Futility::Params p;
    p.tactical_max_depth = 3;
    p.tactical_base = 100;
    p.tactical_slope = 50;
    p.tactical_gain = 0.5f;
    p.tactical_history = 0.1f;
    Futility::Stats s;
    NodeView n = node_at(8, 500, 501, NodeKind::All);
    n.static_value = 0;
    EXPECT_EQ(Futility::try_prune_tactical(n, p, 2, 600, 0, s), 500);
    EXPECT_EQ(Futility::try_prune_tactical(n, p, 2, 602, 0, s), std::nullopt);
    EXPECT_EQ(Futility::try_prune_tactical(n, p, 2, 602, -10, s), 500);
    EXPECT_EQ(Futility::try_prune_tactical(n, p, 4, 0, 0, s), std::nullopt);
}

TEST(FutilityOfNodes, TheMarginGoesByTrendAndByWhatIsKnown) {
    Futility::Params p;
    p.reverse_margin = 40;
    p.reverse_unknown = 10;
    p.reverse_improving_plies = 2.0f;
    p.reverse_worsening_plies = 0.5f;
    p.reverse_correction = 2.0f;
    NodeView n = node_at(5, 99, 100, NodeKind::Cut);
    n.table_known = true;
    EXPECT_EQ(Futility::reverse_margin(n, p), 200);
    n.improving = true;
    EXPECT_EQ(Futility::reverse_margin(n, p), 200 - 80);
    n.worsening = true;
    EXPECT_EQ(Futility::reverse_margin(n, p), 200 - 100);
    n.correction = 7;
    EXPECT_EQ(Futility::reverse_margin(n, p), 200 - 100 + 14);
    n.table_known = false;
    EXPECT_EQ(Futility::reverse_margin(n, p), 150 - 75 + 14);
}

}  // namespace
}  // namespace karikomi::test
