#include "karikomi/core/selective/null_move.hpp"

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

NodeView node_with_value(Depth depth, Value static_value, NodeKind kind = NodeKind::Cut) {
    NodeView n = node_at(depth, 99, 100, kind);
    n.static_value = n.estimate = static_value;
    return n;
}

struct Trial {
    NullMove::Params params{};
    NullMove::Stats stats{};
    bool tried = false;

    std::optional<Value> operator()(const NodeView& n, ScriptedProbe& probe) {
        tried = false;
        return NullMove::try_cut(n, params, stats, tried, probe);
    }
    bool tries(const NodeView& n) {
        ScriptedProbe probe{-5000};
        const auto cut = NullMove::try_cut(n, params, stats, tried, probe);
        EXPECT_EQ(cut, std::nullopt);
        return !probe.calls().empty();
    }
};

TEST(NullMove, CutsWhenPassingStillFailsHigh) {
    Trial trial;
    ScriptedProbe probe{100, 99};
    EXPECT_EQ(trial(node_with_value(6, 150), probe), 100);
    EXPECT_TRUE(trial.tried);
    EXPECT_EQ(trial(node_with_value(6, 150), probe), std::nullopt);
    EXPECT_TRUE(trial.tried) << "a failed try keeps ProbCut out as well";
    EXPECT_EQ(trial.stats.tried, 2u);
    EXPECT_EQ(trial.stats.succeeded, 1u);
}

TEST(NullMove, StaysOutOfThreatsThatAreTooGrave) {
    Trial trial;
    NodeView n = node_with_value(6, 150);
    n.threat = Threat::Grave;
    EXPECT_TRUE(trial.tries(n));
    trial.params.most_threat = static_cast<int>(Threat::Slow);
    EXPECT_FALSE(trial.tries(n));
    n.threat = Threat::Slow;
    EXPECT_TRUE(trial.tries(n));
}

TEST(NullMove, ReturnsTheFailSoftValue) {
    Trial trial;
    ScriptedProbe probe{340};
    EXPECT_EQ(trial(node_with_value(6, 150), probe), 340);
}

TEST(NullMove, ReductionGrowsWithDepth) {
    Trial trial;
    trial.params.verify_depth = kNever;
    const std::pair<Depth, Depth> depths[] = {{3, 0}, {4, 0}, {5, 1},  {7, 3},
                                              {8, 3}, {9, 4}, {12, 6}, {20, 12}};
    for (const auto& [depth, reduced] : depths) {  // depth - 3 - depth / 4, never below 0
        ScriptedProbe probe{0};
        trial(node_with_value(depth, 150), probe);
        EXPECT_THAT(probe.calls(), ElementsAre(pass_call(reduced, 100))) << depth;
    }
}

TEST(NullMove, ReductionGrowsWithTheStaticValueUpToALimit) {
    const auto depth_with = [](Depth most, Value static_value) {
        Trial trial;
        trial.params.eval_step = 100;
        trial.params.eval_step_most = most;
        ScriptedProbe probe{0};
        trial(node_with_value(12, static_value), probe);
        return probe.calls().front().depth;
    };
    const Depth usual = NullMove::Params{}.eval_step_most;
    const Depth plain = depth_with(usual, 100);
    EXPECT_EQ(depth_with(usual, 300), plain - 2);
    EXPECT_EQ(depth_with(usual, 900), plain - 3);
    EXPECT_EQ(depth_with(5, 900), plain - 5);
}

TEST(NullMove, ALargeReductionEndsAtTheHorizon) {
    Trial trial;
    trial.params.reduction = 12;
    ScriptedProbe probe{0};
    trial(node_with_value(6, 150), probe);
    EXPECT_THAT(probe.calls(), ElementsAre(pass_call(0, 100)));
}

TEST(NullMove, DeepCutsAreVerifiedByANormalSearch) {
    Trial trial;
    ScriptedProbe confirmed{150, 100};
    EXPECT_EQ(trial(node_with_value(10, 150), confirmed), 150);
    EXPECT_THAT(confirmed.calls(), ElementsAre(pass_call(5, 100), verify_call(5, 100)));
    EXPECT_EQ(trial.stats.verified, 1u);
    EXPECT_EQ(trial.stats.refuted, 0u);
    ScriptedProbe refuted{150, 99};
    EXPECT_EQ(trial(node_with_value(10, 150), refuted), std::nullopt);
    EXPECT_EQ(trial.stats.verified, 2u);
    EXPECT_EQ(trial.stats.refuted, 1u);
    EXPECT_EQ(trial.stats.succeeded, 1u);
}

TEST(NullMove, ShallowCutsAndFailuresAreNotVerified) {
    Trial trial;
    ScriptedProbe shallow{150};
    EXPECT_EQ(trial(node_with_value(9, 150), shallow), 150);
    ScriptedProbe failed{99};
    EXPECT_EQ(trial(node_with_value(12, 150), failed), std::nullopt);
    EXPECT_EQ(trial.stats.verified, 0u);
}

TEST(NullMove, VerificationHasAtLeastOnePly) {
    Trial trial;
    trial.params.verify_depth = 1;
    ScriptedProbe probe{150, 150};
    trial(node_with_value(3, 150), probe);
    EXPECT_THAT(probe.calls(), ElementsAre(pass_call(0, 100), verify_call(1, 100)));
}

TEST(NullMove, AWinThatStartsWithAPassIsNoProof) {
    Trial trial;
    ScriptedProbe probe{win_in(8)};
    EXPECT_EQ(trial(node_with_value(6, 150), probe), 100);
}

TEST(NullMove, IsNotTriedBelowItsMinimumDepth) {
    Trial trial;
    EXPECT_FALSE(trial.tries(node_with_value(2, 150)));
    EXPECT_FALSE(trial.tried);
    EXPECT_TRUE(trial.tries(node_with_value(3, 150)));
    EXPECT_EQ(NullMove::lowest_depth(trial.params), 3);
}

TEST(NullMove, NeedsAStaticValueAtBeta) {
    Trial trial;
    EXPECT_FALSE(trial.tries(node_with_value(6, 99)));
    EXPECT_TRUE(trial.tries(node_with_value(6, 100)));
    EXPECT_FALSE(trial.tries(node_with_value(6, kNoValue)));
    trial.params.eval_margin = 30;
    EXPECT_FALSE(trial.tries(node_with_value(6, 129)));
    EXPECT_TRUE(trial.tries(node_with_value(6, 130)));
}

TEST(NullMove, IsNotTriedInCheckOrInPvNodes) {
    Trial trial;
    NodeView n = node_with_value(6, 150);
    n.in_check = true;
    EXPECT_FALSE(trial.tries(n));
    EXPECT_FALSE(trial.tries(node_with_value(6, 150, NodeKind::Pv)));
    EXPECT_FALSE(trial.tried);
}

TEST(NullMove, CanBeRestrictedToCutNodes) {
    Trial trial;
    EXPECT_TRUE(trial.tries(node_with_value(6, 150, NodeKind::All)));
    trial.params.cut_nodes_only = true;
    EXPECT_FALSE(trial.tries(node_with_value(6, 150, NodeKind::All)));
    EXPECT_TRUE(trial.tries(node_with_value(6, 150, NodeKind::Cut)));
}

TEST(NullMove, NeverActsOnDecisiveWindows) {
    Trial trial;
    for (const auto& [alpha, beta] : decisive_windows()) {
        NodeView n = node_at(6, alpha, beta);
        n.static_value = n.estimate = kInfinity;
        EXPECT_FALSE(trial.tries(n)) << alpha << " .. " << beta;
    }
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(NullMove, OffNeverProbes) {
    Trial trial;
    trial.params.enabled = false;
    EXPECT_FALSE(trial.tries(node_with_value(20, 5000)));
    EXPECT_EQ(NullMove::lowest_depth(trial.params), kNever);
    EXPECT_FALSE(trial.tried);
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(NullMove, NeedsLessOfASurplusWhereTheSideToMoveIsImproving) {
    Trial trial;
    trial.params.eval_margin = 200;
    trial.params.improving = 40;
    NodeView n = node_with_value(6, 100 + 160);
    EXPECT_FALSE(trial.tries(n));
    n.improving = true;
    EXPECT_TRUE(trial.tries(n));
    n.static_value = n.estimate = 100 + 159;
    EXPECT_FALSE(trial.tries(n));
}

}  // namespace
}  // namespace karikomi::test
