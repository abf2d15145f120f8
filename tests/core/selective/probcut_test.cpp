#include "karikomi/core/selective/probcut.hpp"

#include <cmath>
#include <random>

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// One technique call with everything that it touches.
struct Trial {
    ProbCut::Params params = [] {
        ProbCut::Params p;
        p.alpha_skip = 1.0f;  // a tuned number; the tests need a known one
        return p;
    }();
    Calibration calibration{};
    ProbCut::Stats stats{};
    bool tried = false;

    template <class Probe> std::optional<Value> operator()(const NodeView& n, Probe&& probe) {
        tried = false;
        return ProbCut::try_cut(n, params, calibration, stats, tried, probe);
    }
};

NodeView node_in(Phase phase, Depth depth, Value alpha, Value beta) {
    NodeView n = node_at(depth, alpha, beta);
    n.phase = phase;
    return n;
}

NodeView pressed_node(Depth depth, Value alpha, Value beta, float pressure = 0.81f) {
    NodeView n = node_at(depth, alpha, beta);
    n.time_pressure = pressure;
    return n;
}

// ---- starting values ------------------------------------------------------------------------

TEST(ProbCut, StartsWithTheNumbersOfTheSource) {
    const ProbCut::Params p;
    EXPECT_EQ(p.min_depth, 7);
    EXPECT_EQ(p.depth_reduction, 4);
    EXPECT_FLOAT_EQ(p.t, 1.5f);
    EXPECT_FLOAT_EQ(p.slope, 1.0f);
    EXPECT_FLOAT_EQ(p.intercept, 0.0f);
    EXPECT_FLOAT_EQ(p.sigma, 100.0f);
    EXPECT_FLOAT_EQ(p.opening_t, 2.0f);
    EXPECT_EQ(p.opening_min_depth, 7);
    EXPECT_FLOAT_EQ(p.endgame_t, 1.0f);
    EXPECT_EQ(p.endgame_min_depth, 4);
    EXPECT_FLOAT_EQ(p.pressure, 0.8f);
    EXPECT_FLOAT_EQ(p.pressure_t, 0.8f);
    EXPECT_EQ(p.pressure_reduction, 1);
    EXPECT_THAT(p.stage_reductions, ElementsAre(4, 3, 2));
    EXPECT_THAT(p.stage_t, ElementsAre(2.0f, 1.5f, 1.0f));
    EXPECT_EQ(p.early_exit, 300);
}

// ---- basic form -----------------------------------------------------------------------------

TEST(ProbCut, TestsTheHighSideWithANullWindowAtTheBound) {
    Trial trial;
    ScriptedProbe probe{250};  // beta 100 + 1.5 * 100
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(8 - 4, 250)));
    EXPECT_TRUE(trial.tried);
}

TEST(ProbCut, OnePointBelowTheHighBoundIsNoCut) {
    Trial trial;
    trial.params.alpha_skip = 0.0f;  // 249 is above the low bound of -51: no second test
    ScriptedProbe probe{249};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), SizeIs(1));
}

TEST(ProbCut, BoundsComeFromTheMeasuredCellOfTheDepthPair) {
    Trial trial;
    trial.calibration = calibration_of({general_cell(4, 8, {0.8, -20.0, 50.0}),
                                        general_cell(3, 8, {9.0, 99.0, 1.0}),
                                        general_cell(4, 9, {9.0, 99.0, 1.0})});
    // High: (100 + 20 + 1.5*50) / 0.8 = 243.75; low: (40 + 20 - 75) / 0.8 = -18.75.
    ScriptedProbe probe{20, -18};
    EXPECT_EQ(trial(node_at(8, 40, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(4, 244), at_most_call(4, -19)));
}

TEST(ProbCut, BoundsAreRoundedToTheNearestInteger) {
    Trial trial;
    trial.calibration = calibration_of({general_cell(4, 8, {0.8, -20.0, 51.0})});
    // High: (100 + 20 + 76.5) / 0.8 = 245.625 -> 246; low: (40 + 20 - 76.5) / 0.8 = -20.625 -> -21.
    ScriptedProbe first{0, 0};
    trial(node_at(8, 40, 100), first);
    EXPECT_THAT(first.calls(), ElementsAre(at_least_call(4, 246), at_most_call(4, -21)));
    trial.calibration = calibration_of({general_cell(4, 8, {0.8, -20.0, 52.0})});
    // High: (100 + 20 + 78) / 0.8 = 247.5 -> 248; low: (41 + 20 - 78) / 0.8 = -21.25 -> -21.
    ScriptedProbe second{0, 0};
    trial(node_at(8, 41, 100), second);
    EXPECT_THAT(second.calls(), ElementsAre(at_least_call(4, 248), at_most_call(4, -21)));
}

TEST(ProbCut, TheSmoothModelServesPairsThatNobodyMeasured) {
    Trial trial;
    CalibrationModel model;
    model.a = {0.5, 0, 0, 0, 0, 0, 0};
    model.b = {10, 0, 0, 0, 0, 0, 0};
    model.log_sigma = {std::log(40.0), 0, 0, 0, 0, 0, 0};
    trial.calibration = Calibration(1, {general_cell(5, 9, {1.0, 0.0, 200.0})}, model, "");
    ScriptedProbe modelled{1000};  // (100 - 10 + 60) / 0.5 = 300
    EXPECT_EQ(trial(node_at(8, 99, 100), modelled), 100);
    EXPECT_THAT(modelled.calls(), ElementsAre(at_least_call(4, 300)));
    ScriptedProbe measured{1000};  // the cell goes before the model: 100 + 1.5 * 200
    EXPECT_EQ(trial(node_at(9, 99, 100), measured), 100);
    EXPECT_THAT(measured.calls(), ElementsAre(at_least_call(5, 400)));
}

TEST(ProbCut, TheCellOfTheNodesStageIsUsed) {
    Trial trial;
    trial.calibration = calibration_of(
        {general_cell(4, 8, {1.0, 0.0, 10.0}), stage_cell(2, 4, 8, {1.0, 0.0, 60.0})}, 3);
    NodeView n = node_at(8, 99, 100);
    n.stage = 1;
    ScriptedProbe general{1000};
    trial(n, general);
    EXPECT_THAT(general.calls(), ElementsAre(at_least_call(4, 115)));
    n.stage = 2;
    ScriptedProbe own{1000};
    trial(n, own);
    EXPECT_THAT(own.calls(), ElementsAre(at_least_call(4, 190)));
}

TEST(ProbCut, TestsTheLowSideWhenTheHighTestLeavesItOpen) {
    Trial trial;
    // Low bound 99 - 150 = -51. The high test says "at most 0", which leaves the low side open.
    ScriptedProbe cuts{0, -51};
    EXPECT_EQ(trial(node_at(8, 99, 100), cuts), 99);
    EXPECT_THAT(cuts.calls(), ElementsAre(at_least_call(4, 250), at_most_call(4, -51)));
    ScriptedProbe misses{0, -50};
    EXPECT_EQ(trial(node_at(8, 99, 100), misses), std::nullopt);
    EXPECT_THAT(misses.calls(), SizeIs(2));
}

TEST(ProbCut, SkipsTheLowTestWhenTheHighTestEndsFarAboveTheLowBound) {
    Trial trial;
    trial.params.alpha_skip = 1.0f;  // one sigma above the low bound of -51: 49
    ScriptedProbe near{49, 0};
    EXPECT_EQ(trial(node_at(8, 99, 100), near), std::nullopt);
    EXPECT_THAT(near.calls(), SizeIs(2));
    ScriptedProbe far{50};
    EXPECT_EQ(trial(node_at(8, 99, 100), far), std::nullopt);
    EXPECT_THAT(far.calls(), SizeIs(1));
}

TEST(ProbCut, TheHighTestsUpperBoundAloneProvesALowCut) {
    Trial trial;
    ScriptedProbe probe{-51};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), 99);
    EXPECT_THAT(probe.calls(), SizeIs(1));
    EXPECT_EQ(trial.stats.cut_low, 1u);
    EXPECT_EQ(trial.stats.cut_high, 0u);
}

TEST(ProbCut, CountsWhatItDoes) {
    Trial trial;
    ScriptedProbe probe{250, 0, -51, 0, 0, 200};
    trial(node_at(8, 99, 100), probe);  // high cut, one probe
    trial(node_at(8, 99, 100), probe);  // low cut, two probes
    trial(node_at(8, 99, 100), probe);  // no cut, two probes
    trial(node_at(8, 99, 100), probe);  // no cut, one probe
    EXPECT_EQ(trial.stats.tried, 4u);
    EXPECT_EQ(trial.stats.probed, 6u);
    EXPECT_EQ(trial.stats.cut_high, 1u);
    EXPECT_EQ(trial.stats.cut_low, 1u);
    EXPECT_EQ(trial.stats.succeeded, 2u);
}

/// First principles: with a probe that tells the truth, a cut happens exactly when the rounded
/// inequality holds.
TEST(ProbCut, AgreesWithTheInequalitiesOnRandomNodes) {
    std::mt19937 random(20240501);
    const auto in = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    int high_cuts = 0;
    int low_cuts = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Regression fit{in(60, 140) / 100.0, in(-80, 80) / 1.0, in(10, 300) / 1.0};
        const Depth depth = in(7, 20);
        const Value alpha = in(-1000, 1000);
        const Value beta = alpha + in(1, 60);
        const Value truth = in(-2500, 2500);
        Trial trial;
        trial.calibration = calibration_of({general_cell(depth - 4, depth, fit)});
        TruthfulProbe probe([&](Depth) { return truth; });
        const auto result = trial(node_at(depth, alpha, beta), probe);
        const long high = std::lround((beta - fit.b + 1.5 * fit.sigma) / fit.a);
        const long low = std::lround((alpha - fit.b - 1.5 * fit.sigma) / fit.a);
        std::optional<Value> expected;
        if (truth >= high)
            expected = beta, ++high_cuts;
        else if (truth <= low)
            expected = alpha, ++low_cuts;
        ASSERT_EQ(result, expected) << "depth " << depth << " window " << alpha << ".." << beta
                                    << " truth " << truth << " bounds " << low << ", " << high;
    }
    EXPECT_GT(high_cuts, 2000);
    EXPECT_GT(low_cuts, 2000);
}

// ---- depth ----------------------------------------------------------------------------------

TEST(ProbCut, IsNotTriedBelowItsMinimumDepth) {
    Trial trial;
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(6, 99, 100), silent), std::nullopt);
    EXPECT_FALSE(trial.tried);
    EXPECT_EQ(trial.stats.tried, 0u);
    ScriptedProbe probe{1000};
    EXPECT_EQ(trial(node_at(7, 99, 100), probe), 100);
}

TEST(ProbCut, MinimumDepthIsClampedSoThatTheShallowSearchHasDepthOne) {
    Trial trial;
    trial.params.min_depth = 1;
    trial.params.depth_reduction = 6;
    ScriptedProbe silent;
    for (Depth depth = 1; depth <= 6; ++depth) {
        EXPECT_EQ(trial(node_at(depth, 99, 100), silent), std::nullopt) << depth;
    }
    ScriptedProbe probe{1000};
    EXPECT_EQ(trial(node_at(7, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(1, 250)));
}

TEST(ProbCut, LowestDepthIsNeverAboveANodeThatActs) {
    Trial trial;
    for (const bool by_phase : {false, true}) {
        trial.params.by_phase = by_phase;
        const Depth gate = ProbCut::lowest_depth(trial.params);
        for (const Phase phase : {Phase::Opening, Phase::Middle, Phase::Endgame}) {
            for (Depth depth = 1; depth < gate; ++depth) {
                ScriptedProbe silent;
                EXPECT_EQ(trial(node_in(phase, depth, 99, 100), silent), std::nullopt);
            }
        }
        EXPECT_LE(gate, by_phase ? 5 : 7);
    }
}

// ---- phase and time -------------------------------------------------------------------------

TEST(ProbCut, TheOpeningIsMoreCareful) {
    Trial trial;
    trial.params.min_depth = 6;
    ScriptedProbe probe{1000};  // 100 + 2.0 * 100
    EXPECT_EQ(trial(node_in(Phase::Opening, 7, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(3, 300)));
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_in(Phase::Opening, 6, 99, 100), silent), std::nullopt);
}

TEST(ProbCut, TheEndgameIsBolderButKeepsOnePlyForTheShallowSearch) {
    Trial trial;
    ScriptedProbe probe{1000};  // 100 + 1.0 * 100, depth 4 clamped to 5
    EXPECT_EQ(trial(node_in(Phase::Endgame, 5, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(1, 200)));
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_in(Phase::Endgame, 4, 99, 100), silent), std::nullopt);
}

TEST(ProbCut, CapturesMayBeLeftToTheHorizonAlone) {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Captures;
    trial.params.by_phase = false;
    trial.params.min_depth = 3;
    trial.params.depth_reduction = 3;
    trial.params.capture_margin = 50;
    ScriptedProbe probe{1000};
    EXPECT_EQ(trial(node_at(3, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(captures_call(0, 150)));
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(2, 99, 100), silent), std::nullopt);
}

TEST(ProbCut, PhasesMakeNoDifferenceWhenSwitchedOff) {
    Trial trial;
    trial.params.by_phase = false;
    for (const Phase phase : {Phase::Opening, Phase::Middle, Phase::Endgame}) {
        ScriptedProbe silent;
        EXPECT_EQ(trial(node_in(phase, 6, 99, 100), silent), std::nullopt);
        ScriptedProbe probe{1000};
        EXPECT_EQ(trial(node_in(phase, 7, 99, 100), probe), 100);
        EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(3, 250)));
    }
}

TEST(ProbCut, TimePressureLowersTheMarginAndTheDepth) {
    Trial trial;
    ScriptedProbe probe{1000};  // 1.5 * 0.8 = 1.2 sigmas, reduction 5
    EXPECT_EQ(trial(pressed_node(8, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(3, 220)));
}

TEST(ProbCut, ExactlyFourFifthsOfTheBudgetIsNoPressureYet) {
    Trial trial;
    ScriptedProbe probe{1000};
    trial(pressed_node(8, 99, 100, 0.8f), probe);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(4, 250)));
}

TEST(ProbCut, TimePressureMovesTheClampOfTheMinimumDepth) {
    Trial trial;
    NodeView n = node_in(Phase::Endgame, 5, 99, 100);
    n.time_pressure = 2.0f;
    ScriptedProbe silent;
    EXPECT_EQ(trial(n, silent), std::nullopt);
    n.depth = 6;  // reduction 5 + 1
    ScriptedProbe probe{1000};
    EXPECT_EQ(trial(n, probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(1, 180)));  // 1.0 * 0.8 sigmas
}

TEST(ProbCut, TimePressureIsDerivedAnewAtEachNode) {
    Trial trial;
    ScriptedProbe probe{1000, 1000, 1000, 1000};
    for (int i = 0; i < 3; ++i) trial(pressed_node(8, 99, 100), probe);
    trial(node_at(8, 99, 100), probe);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(3, 220), at_least_call(3, 220),
                                           at_least_call(3, 220), at_least_call(4, 250)));
    EXPECT_FLOAT_EQ(trial.params.t, 1.5f);
    EXPECT_EQ(trial.params.depth_reduction, 4);
}

// ---- staged form ----------------------------------------------------------------------------

Trial staged_trial() {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Staged;
    trial.calibration = calibration_of({general_cell(4, 8, {1.0, 0.0, 100.0}),
                                        general_cell(5, 8, {0.5, 10.0, 60.0}),
                                        general_cell(6, 8, {2.0, -20.0, 40.0})});
    return trial;
}

TEST(ProbCutStaged, EachStageUsesTheRegressionOfItsOwnDepthPair) {
    Trial trial = staged_trial();
    ScriptedProbe probe{200, 200, 79};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    // 100 + 2.0*100; (100 - 10 + 1.5*60) / 0.5; (100 + 20 + 1.0*40) / 2.
    EXPECT_THAT(probe.calls(),
                ElementsAre(at_least_call(4, 300), at_least_call(5, 360), at_least_call(6, 80)));
    EXPECT_EQ(trial.stats.probed, 3u);
    EXPECT_EQ(trial.stats.tried, 1u);
    EXPECT_EQ(trial.stats.succeeded, 0u);
}

TEST(ProbCutStaged, CutsAtTheFirstStageThatReachesItsBound) {
    Trial trial = staged_trial();
    ScriptedProbe probe{299, 360};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), SizeIs(2));
    EXPECT_EQ(trial.stats.cut_high, 1u);
    EXPECT_EQ(trial.stats.succeeded, 1u);
}

TEST(ProbCutStaged, GoesOnWhileTheShallowValueIsNearAlpha) {
    Trial trial = staged_trial();
    ScriptedProbe probe{99, 99, 0};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), SizeIs(3));
}

TEST(ProbCutStaged, LeavesEarlyWhenTheShallowValueIsHopeless) {
    Trial trial = staged_trial();
    ScriptedProbe probe{-1000};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), SizeIs(1));
}

/// "leave early when v' is 300 below alpha's bound", the bound being (alpha - b - T*sigma)/a.
TEST(ProbCutStaged, EarlyExitIsMeasuredFromTheLowBound) {
    Trial trial = staged_trial();
    // First stage: low bound 99 - 2.0*100 = -101, so the exit lies below -401.
    ScriptedProbe stays{-401, 99, 0};
    EXPECT_EQ(trial(node_at(8, 99, 100), stays), std::nullopt);
    EXPECT_THAT(stays.calls(), SizeIs(3));
    ScriptedProbe leaves{-402};
    EXPECT_EQ(trial(node_at(8, 99, 100), leaves), std::nullopt);
    EXPECT_THAT(leaves.calls(), SizeIs(1));
}

TEST(ProbCutStaged, TimePressureLowersTheMarginOfEveryStage) {
    Trial trial = staged_trial();
    trial.calibration = {};  // 100 everywhere, so only T matters
    ScriptedProbe probe{99, 99, 99};
    trial(pressed_node(9, 99, 100), probe);
    ASSERT_THAT(probe.calls(), SizeIs(3));
    EXPECT_EQ(probe.calls()[0].beta, 100 + 160);
    EXPECT_EQ(probe.calls()[1].beta, 100 + 120);
    EXPECT_EQ(probe.calls()[2].beta, 100 + 80);
}

TEST(ProbCutStaged, StagesThatLeaveLessThanTwoPliesAreSkipped) {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Staged;
    trial.params.min_depth = 5;
    trial.params.by_phase = false;
    ScriptedProbe probe{99, 99};  // depth 5: 5 < 4 + 2, so only reductions 3 and 2
    trial(node_at(5, 99, 100), probe);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(2, 250), at_least_call(3, 200)));
}

TEST(ProbCutStaged, IgnoresUnusedPlacesInTheList) {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Staged;
    trial.params.stage_reductions = {0, 3, 0};
    ScriptedProbe probe{99};
    trial(node_at(8, 99, 100), probe);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(5, 250)));
}

// ---- captures form --------------------------------------------------------------------------

TEST(ProbCutCaptures, ReachTheRegressionsBoundWithoutAMargin) {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Captures;
    trial.calibration = calibration_of({general_cell(4, 8, {0.5, 10.0, 60.0})});
    ScriptedProbe probe{360, 359};  // (100 - 10 + 90) / 0.5
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), 100);
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), ElementsAre(captures_call(4, 360), captures_call(4, 360)));
    EXPECT_EQ(trial.stats.tried, 2u);
    EXPECT_EQ(trial.stats.probed, 2u);
    EXPECT_EQ(trial.stats.cut_high, 1u);
}

TEST(ProbCutCaptures, ReachBetaPlusTheMarginWhenOneIsSet) {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Captures;
    trial.params.capture_margin = 170;
    trial.calibration = calibration_of({general_cell(4, 8, {0.5, 10.0, 60.0})});
    ScriptedProbe probe{270, 269};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), 100);
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), ElementsAre(captures_call(4, 270), captures_call(4, 270)));
}

TEST(ProbCutCaptures, NeverCutLow) {
    Trial trial;
    trial.params.variant = ProbCut::Variant::Captures;
    ScriptedProbe probe{-5000};
    EXPECT_EQ(trial(node_at(8, 99, 100), probe), std::nullopt);
    EXPECT_EQ(trial.stats.cut_low, 0u);
}

// ---- when it must not act -------------------------------------------------------------------

constexpr ProbCut::Variant kAllVariants[] = {ProbCut::Variant::Basic, ProbCut::Variant::Staged,
                                             ProbCut::Variant::Captures};

TEST(ProbCut, OffNeverProbes) {
    Trial trial;
    trial.params.enabled = false;
    for (const auto variant : kAllVariants) {
        trial.params.variant = variant;
        for (Depth depth = 1; depth <= kMaxDepth; ++depth) {
            ScriptedProbe silent;
            EXPECT_EQ(trial(node_at(depth, 99, 100), silent), std::nullopt);
            EXPECT_FALSE(trial.tried);
        }
    }
    EXPECT_EQ(trial.stats.tried, 0u);
    EXPECT_EQ(ProbCut::lowest_depth(trial.params), kNever);
}

TEST(ProbCut, AMinimumDepthOfNeverSwitchesOffInEveryPhase) {
    Trial trial;
    trial.params.min_depth = kNever;
    for (const Phase phase : {Phase::Opening, Phase::Middle, Phase::Endgame}) {
        ScriptedProbe silent;
        EXPECT_EQ(trial(node_in(phase, 30, 99, 100), silent), std::nullopt);
    }
    EXPECT_EQ(ProbCut::lowest_depth(trial.params), kNever);
}

TEST(ProbCut, NeverActsOnDecisiveWindows) {
    Trial trial;
    for (const auto variant : kAllVariants) {
        trial.params.variant = variant;
        for (const auto& [alpha, beta] : decisive_windows()) {
            ScriptedProbe silent;
            EXPECT_EQ(trial(node_at(10, alpha, beta), silent), std::nullopt)
                << alpha << " " << beta;
            EXPECT_FALSE(trial.tried);
        }
    }
}

TEST(ProbCut, NeverActsOnDecisiveShallowValues) {
    for (const auto variant : kAllVariants) {
        for (const Value shallow : {win_in(7), kDecisive, -kDecisive, loss_in(12)}) {
            Trial trial;
            trial.params.variant = variant;
            ScriptedProbe probe{shallow, 0, 0};
            EXPECT_EQ(trial(node_at(10, 99, 100), probe), std::nullopt) << shallow;
            EXPECT_EQ(trial.stats.succeeded, 0u);
        }
    }
}

TEST(ProbCut, NeverActsOnADecisiveValueOfTheLowTest) {
    Trial trial;
    ScriptedProbe probe{0, loss_in(12)};
    EXPECT_EQ(trial(node_at(10, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), SizeIs(2));
}

TEST(ProbCut, NeverAsksForADecisiveHighBound) {
    for (const auto variant : kAllVariants) {
        Trial trial;
        trial.params.variant = variant;
        TruthfulProbe probe([](Depth) { return kMaxEval; });
        EXPECT_EQ(trial(node_at(10, 29'989, 29'990), probe), std::nullopt);
        for (const Call& c : probe.calls()) EXPECT_LT(c.beta, kDecisive);
    }
}

TEST(ProbCut, TestsTheLowSideAloneWhenTheHighBoundIsOutOfReach) {
    Trial trial;
    ScriptedProbe probe{29'750};
    EXPECT_EQ(trial(node_at(10, 29'900, 29'901), probe), 29'900);
    EXPECT_THAT(probe.calls(), ElementsAre(at_most_call(6, 29'750)));
}

TEST(ProbCut, NeverAsksForADecisiveLowBound) {
    Trial trial;
    trial.params.alpha_skip = 20.0f;  // keeps the low side open, but its bound is -30 149
    ScriptedProbe probe{-29'990};
    EXPECT_EQ(trial(node_at(10, -29'999, -29'998), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(6, -29'848)));
}

/// A flat line (slope at its lower clamp) puts the high bound below every value that a search can
/// return: "any shallow value will do" is no evidence.
TEST(ProbCut, ABoundBelowEveryPossibleValueIsNoEvidence) {
    for (const auto variant : kAllVariants) {
        Trial trial;
        trial.params.variant = variant;
        trial.calibration = calibration_of({general_cell(4, 8, {0.1, 0.0, 100.0}),
                                            general_cell(5, 8, {0.1, 0.0, 100.0}),
                                            general_cell(6, 8, {0.1, 0.0, 100.0})});
        // (-5000 + 150) / 0.1 = -48 500
        TruthfulProbe hopeless([](Depth) { return -20'000; });
        EXPECT_EQ(trial(node_at(8, -5001, -5000), hopeless), std::nullopt);
        EXPECT_EQ(trial.stats.succeeded, 0u);
    }
}

TEST(ProbCut, ABoundAboveEveryPossibleValueIsNoEvidence) {
    Trial trial;
    trial.calibration = calibration_of({general_cell(4, 8, {0.1, 0.0, 100.0})});
    // Low bound: (5000 - 150) / 0.1 = 48 500
    TruthfulProbe winning([](Depth) { return 20'000; });
    EXPECT_EQ(trial(node_at(8, 5000, 5001), winning), std::nullopt);
    EXPECT_EQ(trial.stats.succeeded, 0u);
}

TEST(ProbCut, StaysOutOfPvNodesUnlessToldOtherwise) {
    Trial trial;
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(8, 50, 100, NodeKind::Pv), silent), std::nullopt);
    EXPECT_FALSE(trial.tried);
    ScriptedProbe all{1000};
    EXPECT_EQ(trial(node_at(8, 50, 100, NodeKind::All), all), 100);
    trial.params.pv_nodes = true;
    ScriptedProbe pv{1000};
    EXPECT_EQ(trial(node_at(8, 50, 100, NodeKind::Pv), pv), 100);
}

TEST(ProbCut, StaysOutOfNodesInCheck) {
    Trial trial;
    NodeView n = node_at(8, 99, 100);
    n.in_check = true;
    ScriptedProbe silent;
    EXPECT_EQ(trial(n, silent), std::nullopt);
    EXPECT_FALSE(trial.tried);
}

// ---- the common counters --------------------------------------------------------------------

TEST(BookSaving, CountsWhatTheNodeWouldHaveCostMinusTheProbes) {
    CommonStats s;
    book_saving(s, 1000.0, 300);
    EXPECT_EQ(s.saved_nodes, 700u);
    book_saving(s, 50.5, 20);
    EXPECT_EQ(s.saved_nodes, 730u);
}

TEST(BookSaving, NeverCountsALoss) {
    CommonStats s;
    book_saving(s, 100.0, 100);
    book_saving(s, 100.0, 5000);
    book_saving(s, 0.0, 1);
    EXPECT_EQ(s.saved_nodes, 0u);
}

}  // namespace
}  // namespace karikomi::test
