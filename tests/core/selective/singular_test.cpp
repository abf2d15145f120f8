#include "karikomi/core/selective/singular.hpp"

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// A node of depth 10 whose table entry qualifies: value 400, lower bound, depth 7.
NodeView singular_node(Depth depth = 10, Value alpha = 99, Value beta = 100) {
    NodeView n = node_at(depth, alpha, beta);
    n.tt = {400, depth - 3, Bound::Lower, 33};
    return n;
}

NodeView singular_node_in(Phase phase, Depth depth) {
    NodeView n = singular_node(depth);
    n.phase = phase;
    return n;
}

struct Trial {
    Singular::Params params{};
    Singular::Stats stats{};
    Singular::Histories histories{};
    int asked_for_histories = 0;

    template <class Probe>
    Singular::Verdict operator()(const NodeView& n, Probe&& probe, int extended = 0) {
        return Singular::judge(n, params, extended, stats, probe, [this] {
            ++asked_for_histories;
            return histories;
        });
    }
    /// Is the test made at all? (The probe's answer makes it singular.)
    bool tries(const NodeView& n, int extended = 0) {
        TruthfulProbe probe([](Depth) { return -5000; });
        (*this)(n, probe, extended);
        return !probe.calls().empty();
    }
};

// ---- the test --------------------------------------------------------------------------------

TEST(Singular, StartsWithTheNumbersOfTheSource) {
    const Singular::Params p;
    EXPECT_EQ(p.min_depth, 8);
    EXPECT_EQ(p.tt_margin, 3);
    EXPECT_EQ(p.margin_base, 80);
    EXPECT_EQ(p.margin_slope, 10);
    EXPECT_FALSE(p.double_extension);
    EXPECT_EQ(p.double_margin, 50);
    EXPECT_FLOAT_EQ(p.history_share, 0.9f);
    EXPECT_EQ(p.history_exception, 100);
    EXPECT_EQ(p.opening_depth, 2);
    EXPECT_EQ(p.endgame_depth, -1);
}

TEST(Singular, SearchesWithoutTheTableMoveJustBelowSingularBeta) {
    Trial trial;
    ScriptedProbe probe{0, 0, 0};
    trial(singular_node(8), probe);   // 400 - (80 + 80) = 240, depth 7 / 2
    trial(singular_node(10), probe);  // 400 - (80 + 100) = 220, depth 9 / 2
    trial(singular_node(11), probe);  // 400 - (80 + 110) = 210, depth 10 / 2
    EXPECT_THAT(probe.calls(),
                ElementsAre(at_least_call(3, 240), at_least_call(4, 220), at_least_call(5, 210)));
    EXPECT_EQ(trial.stats.tried, 3u);
}

TEST(Singular, ExtendsByOneWhenAllOtherMovesFail) {
    Trial trial;
    ScriptedProbe probe{219};
    const auto verdict = trial(singular_node(), probe);
    EXPECT_EQ(verdict.extension, 1);
    EXPECT_EQ(verdict.cut, std::nullopt);
    EXPECT_EQ(trial.stats.extended, 1u);
    EXPECT_EQ(trial.stats.succeeded, 1u);
}

TEST(Singular, DoesNothingWhenAnotherMoveReachesSingularBetaBelowBeta) {
    Trial trial;
    ScriptedProbe probe{220};
    const auto verdict = trial(singular_node(10, 299, 300), probe);  // singular_beta 220 < beta 300
    EXPECT_EQ(verdict.extension, 0);
    EXPECT_EQ(verdict.cut, std::nullopt);
    EXPECT_EQ(trial.stats.succeeded, 0u);
    EXPECT_EQ(trial.stats.multi_cut, 0u);
}

TEST(Singular, CutsWithSingularBetaWhenTheOthersReachBetaToo) {
    Trial trial;
    ScriptedProbe probe{500, 500, 500};
    const auto above = trial(singular_node(10, 99, 100), probe);
    EXPECT_EQ(above.cut, 220);
    EXPECT_EQ(above.extension, 0);
    EXPECT_EQ(trial(singular_node(10, 219, 220), probe).cut, 220) << "equal to beta is enough";
    EXPECT_EQ(trial(singular_node(10, 220, 221), probe).cut, std::nullopt);
    EXPECT_EQ(trial.stats.multi_cut, 2u);
    EXPECT_EQ(trial.stats.succeeded, 2u);
    EXPECT_EQ(trial.stats.extended, 0u);
}

TEST(Singular, MultiCutCanBeSwitchedOff) {
    Trial trial;
    trial.params.multi_cut = false;
    ScriptedProbe probe{500};
    EXPECT_EQ(trial(singular_node(), probe).cut, std::nullopt);
}

// ---- conditions ------------------------------------------------------------------------------

TEST(Singular, IsNotTriedBelowItsMinimumDepth) {
    Trial trial;
    for (Depth depth = 1; depth <= 12; ++depth) {
        EXPECT_EQ(trial.tries(singular_node(depth)), depth >= 8) << depth;
    }
}

TEST(Singular, NeedsATableMove) {
    Trial trial;
    NodeView n = singular_node();
    n.tt.move = kNoMove;
    EXPECT_FALSE(trial.tries(n));
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(Singular, NeedsALowerBound) {
    Trial trial;
    NodeView n = singular_node();
    for (const Bound bound : {Bound::None, Bound::Upper, Bound::Exact}) {
        n.tt.bound = bound;
        EXPECT_FALSE(trial.tries(n)) << static_cast<int>(bound);
    }
    n.tt.bound = Bound::Lower;
    EXPECT_TRUE(trial.tries(n));
}

TEST(Singular, NeedsATableEntryAtMostThreePliesShallower) {
    Trial trial;
    NodeView n = singular_node(12);
    n.tt.depth = 8;
    EXPECT_FALSE(trial.tries(n));
    for (const Depth depth : {9, 12, 30}) {
        n.tt.depth = depth;
        EXPECT_TRUE(trial.tries(n)) << depth;
    }
}

TEST(Singular, NeverActsOnADecisiveTableValue) {
    Trial trial;
    NodeView n = singular_node();
    for (const Value value : {kDecisive, win_in(11), -kDecisive, loss_in(8)}) {
        n.tt.value = value;
        EXPECT_FALSE(trial.tries(n)) << value;
    }
}

TEST(Singular, NeverAsksForADecisiveSingularBeta) {
    Trial trial;
    NodeView n = singular_node(10, -29'990, -29'989);
    n.tt.value = -29'900;  // minus 180
    EXPECT_FALSE(trial.tries(n));
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(Singular, NeverActsOnDecisiveWindows) {
    Trial trial;
    for (const auto& [alpha, beta] : decisive_windows()) {
        EXPECT_FALSE(trial.tries(singular_node(10, alpha, beta))) << alpha << " .. " << beta;
    }
}

TEST(Singular, NeverActsOnDecisiveShallowValues) {
    for (const Value shallow : {-kDecisive, loss_in(9), kDecisive, win_in(9)}) {
        Trial trial;
        ScriptedProbe probe{shallow};
        const auto verdict = trial(singular_node(), probe);
        EXPECT_EQ(verdict.extension, 0) << shallow;
        EXPECT_EQ(verdict.cut, std::nullopt) << shallow;
    }
}

TEST(Singular, AMoveIsSingularWhereAllOthersLoseByForceIfTold) {
    Trial trial;
    trial.params.forced = true;
    ScriptedProbe lost{loss_in(9)};
    EXPECT_EQ(trial(singular_node(), lost).extension, 1);
    ScriptedProbe won{win_in(9)};
    const auto verdict = trial(singular_node(), won);
    EXPECT_EQ(verdict.extension, 0);
    EXPECT_EQ(verdict.cut, std::nullopt) << "a proven win is still left alone";
}

TEST(Singular, OffNeverProbes) {
    Trial trial;
    trial.params.enabled = false;
    EXPECT_EQ(Singular::lowest_depth(trial.params), kNever);
    EXPECT_FALSE(trial.tries(singular_node(20)));
    trial.params.enabled = true;
    trial.params.min_depth = kNever;
    EXPECT_EQ(Singular::lowest_depth(trial.params), kNever);
    EXPECT_FALSE(trial.tries(singular_node(20)));
    EXPECT_EQ(trial.stats.tried, 0u);
}

TEST(Singular, IsOffInTimeTrouble) {
    Trial trial;
    NodeView n = singular_node();
    n.time_pressure = 0.8f;
    EXPECT_TRUE(trial.tries(n));
    n.time_pressure = 0.81f;
    EXPECT_FALSE(trial.tries(n));
    trial.params.pressure = 2.0f;
    EXPECT_TRUE(trial.tries(n));
}

TEST(Singular, ActsInEveryKindOfNode) {
    for (const NodeKind kind : {NodeKind::Pv, NodeKind::Cut, NodeKind::All}) {
        Trial trial;
        NodeView n = singular_node(10, 50, 100);
        n.kind = kind;
        EXPECT_TRUE(trial.tries(n));
    }
}

// ---- phases ----------------------------------------------------------------------------------

TEST(Singular, TheOpeningAsksForMoreDepthAndAWiderMargin) {
    Trial trial;
    EXPECT_FALSE(trial.tries(singular_node_in(Phase::Opening, 9)));
    ScriptedProbe probe{0, 0};
    trial(singular_node_in(Phase::Opening, 10), probe);  // 400 - (80 + 100 * 3/2)
    trial(singular_node_in(Phase::Opening, 11), probe);  // 400 - (80 + 110 * 3/2)
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(4, 170), at_least_call(5, 155)));
}

TEST(Singular, TheEndgameAsksForLessDepthAndANarrowerMargin) {
    Trial trial;
    EXPECT_FALSE(trial.tries(singular_node_in(Phase::Endgame, 6)));
    ScriptedProbe probe{0, 0};
    trial(singular_node_in(Phase::Endgame, 7), probe);   // 400 - (80/2 + 70)
    trial(singular_node_in(Phase::Endgame, 10), probe);  // 400 - (80/2 + 100)
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(3, 290), at_least_call(4, 260)));
}

TEST(Singular, PhasesMakeNoDifferenceWhenSwitchedOff) {
    for (const Phase phase : {Phase::Opening, Phase::Middle, Phase::Endgame}) {
        Trial trial;
        trial.params.by_phase = false;
        EXPECT_FALSE(trial.tries(singular_node_in(phase, 7)));
        ScriptedProbe probe{-5000};
        EXPECT_EQ(trial(singular_node_in(phase, 8), probe).extension, 1);
        EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(3, 240)));
    }
}

TEST(Singular, LowestDepthIsThatOfTheBoldestPhase) {
    Singular::Params p;
    EXPECT_EQ(Singular::lowest_depth(p), 7);
    p.by_phase = false;
    EXPECT_EQ(Singular::lowest_depth(p), 8);
    p.by_phase = true;
    p.endgame_depth = 3;
    EXPECT_EQ(Singular::lowest_depth(p), 8) << "the middle game is a phase too";
    p.opening_depth = -2;
    EXPECT_EQ(Singular::lowest_depth(p), 6);
}

// ---- double extension ------------------------------------------------------------------------

TEST(SingularDouble, IsOffByDefaultOutsideTheEndgame) {
    Trial trial;
    ScriptedProbe probe{-5000};
    EXPECT_EQ(trial(singular_node(), probe).extension, 1);
    EXPECT_EQ(trial.stats.doubled, 0u);
}

TEST(SingularDouble, ExtendsByTwoWhenFarBelowSingularBeta) {
    Trial trial;
    trial.params.double_extension = true;
    ScriptedProbe probe{169, 170};  // singular_beta 220, minus 50
    EXPECT_EQ(trial(singular_node(), probe).extension, 2);
    EXPECT_EQ(trial(singular_node(), probe).extension, 1);
    EXPECT_EQ(trial.stats.extended, 2u);
    EXPECT_EQ(trial.stats.doubled, 1u);
    EXPECT_EQ(trial.stats.succeeded, 2u);
}

TEST(SingularDouble, IsAllowedInTheEndgame) {
    Trial trial;
    ScriptedProbe probe{209, 210};  // singular_beta 260, minus 50
    EXPECT_EQ(trial(singular_node_in(Phase::Endgame, 10), probe).extension, 2);
    EXPECT_EQ(trial(singular_node_in(Phase::Endgame, 10), probe).extension, 1);
}

TEST(SingularDouble, IsNeverUsedInTheOpening) {
    Trial trial;
    trial.params.double_extension = true;
    ScriptedProbe probe{-5000};
    EXPECT_EQ(trial(singular_node_in(Phase::Opening, 10), probe).extension, 1);
}

// ---- bound on a line -------------------------------------------------------------------------

TEST(SingularLine, ExtensionsAreBoundedAlongALine) {
    Trial trial;
    trial.params.max_extensions = 4;
    EXPECT_TRUE(trial.tries(singular_node(), 3));
    EXPECT_FALSE(trial.tries(singular_node(), 4));
    EXPECT_FALSE(trial.tries(singular_node(), 9));
}

TEST(SingularLine, ADoubleExtensionIsCutToWhatIsLeft) {
    Trial trial;
    trial.params.max_extensions = 4;
    trial.params.double_extension = true;
    ScriptedProbe probe{-5000, -5000};
    EXPECT_EQ(trial(singular_node(), probe, 2).extension, 2);
    EXPECT_EQ(trial(singular_node(), probe, 3).extension, 1);
}

TEST(SingularLine, NoLineGetsMoreThanTheBound) {
    Trial trial;
    trial.params.double_extension = true;
    int extended = 0;
    for (int ply = 0; ply < 100; ++ply) {
        TruthfulProbe probe([](Depth) { return -5000; });
        extended += trial(singular_node(), probe, extended).extension;
    }
    EXPECT_EQ(extended, trial.params.max_extensions);
}

// ---- history filter --------------------------------------------------------------------------

TEST(SingularHistory, IsNotAskedForUnlessTheFilterIsOn) {
    Trial trial;
    trial.histories = {0, 1000};
    EXPECT_TRUE(trial.tries(singular_node()));
    EXPECT_EQ(trial.asked_for_histories, 0);
}

TEST(SingularHistory, AMoveWithHistoryFarBelowTheBestIsNotTried) {
    Trial trial;
    trial.params.history_filter = true;
    const NodeView n = singular_node(10, 349, 350);  // 400 < 350 + 100: no exception
    trial.histories = {899, 1000};
    EXPECT_FALSE(trial.tries(n));
    EXPECT_EQ(trial.asked_for_histories, 1);
    EXPECT_EQ(trial.stats.tried, 0u);
    trial.histories = {901, 1000};
    EXPECT_TRUE(trial.tries(n));
    trial.histories = {1000, 1000};
    EXPECT_TRUE(trial.tries(n));
}

TEST(SingularHistory, AMoveFarAboveBetaIsTriedAllTheSame) {
    Trial trial;
    trial.params.history_filter = true;
    trial.histories = {0, 1000};
    EXPECT_FALSE(trial.tries(singular_node(10, 300, 301)));  // 400 < 401
    EXPECT_TRUE(trial.tries(singular_node(10, 299, 300)));   // 400 >= 400
}

// ---- margins by what is known of the node ------------------------------------------------------

/// Plies by which a node is extended when the other moves are worth `others`.
Depth extension(const Singular::Params& p, const NodeView& n, Value others) {
    Trial trial{p};
    TruthfulProbe probe([&](Depth) { return others; });
    return trial(n, probe).extension;
}
Singular::Params far_params() {
    Singular::Params p;
    p.by_phase = false;
    p.margin_base = 0, p.margin_slope = 0.0f;
    p.double_extension = p.triple_extension = true;
    p.double_margin = 10, p.triple_margin = 50;
    return p;
}

TEST(Singular, TwoAndThreePliesHaveMarginsOfTheirOwn) {
    Singular::Params p = far_params();
    NodeView n = singular_node();
    n.table_move_is_tactical = true;
    EXPECT_EQ(extension(p, n, 400 - 10), 1);
    EXPECT_EQ(extension(p, n, 400 - 11), 2);
    EXPECT_EQ(extension(p, n, 400 - 50), 2);
    EXPECT_EQ(extension(p, n, 400 - 51), 3);
    n.table_pv = true;
    p.triple_table_pv = 30;
    EXPECT_EQ(extension(p, n, 400 - 80), 2);
    EXPECT_EQ(extension(p, n, 400 - 81), 3);
    n.table_move_is_tactical = false;
    p.triple_quiet = 30;
    EXPECT_EQ(extension(p, n, 400 - 51), 3) << "quiet table moves need less";
}

TEST(Singular, WhatIsLessSureNeedsLess) {
    Singular::Params p = far_params();
    NodeView n = singular_node();
    EXPECT_EQ(extension(p, n, 400 - 6), 1);
    p.double_correction = 0.5f;
    n.correction = 10;
    EXPECT_EQ(extension(p, n, 400 - 6), 2) << "the static value errs here";
    n.correction = 0;
    p.beyond_margin = 5;
    EXPECT_EQ(extension(p, n, 400 - 6), 1);
    n.beyond_depth = true;
    EXPECT_EQ(extension(p, n, 400 - 6), 2);
    n.beyond_depth = false;
    p.table_moves = 0.01f;
    n.table_moves = 500;
    EXPECT_EQ(extension(p, n, 400 - 6), 2) << "table moves did well of late";
    n.table_moves = -500;
    EXPECT_EQ(extension(p, n, 400 - 15), 1);
}

TEST(Singular, FormerPrincipalVariationsMayNeedMoreDepth) {
    Trial trial;
    NodeView n = singular_node(8);
    EXPECT_TRUE(trial.tries(n));
    trial.params.table_pv_depth = 1;
    EXPECT_TRUE(trial.tries(n));
    n.table_pv = true;
    EXPECT_FALSE(trial.tries(n));
    n = singular_node(9);
    n.table_pv = true;
    EXPECT_TRUE(trial.tries(n));
}

}  // namespace
}  // namespace karikomi::test
