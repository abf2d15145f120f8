#include "karikomi/core/selective/multi_probcut.hpp"

#include <cmath>
#include <random>

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;
using Mode = MultiProbCut::Mode;
using Order = MultiProbCut::Order;
using Window = MultiProbCut::Window;

struct Trial {
    MultiProbCut::Params params = [] {
        MultiProbCut::Params p;
        p.enabled = true;
        p.pair_order = Order::Backward;  // the source's order; the other has tests of its own
        return p;
    }();
    Calibration calibration{};
    MultiProbCut::Stats stats{};

    template <class Probe> std::optional<Value> operator()(const NodeView& n, Probe&& probe) {
        return MultiProbCut::try_cut(n, params, calibration, stats, probe);
    }
};

/// All three pairs of the source measured at depth 14, with t = 1.5 for round numbers.
Trial trial_at_fourteen() {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of({general_cell(2, 14, {1.0, 0.0, 400.0}),
                                        general_cell(4, 14, {1.0, 0.0, 200.0}),
                                        general_cell(6, 14, {1.0, 0.0, 100.0})});
    return trial;
}

/// A model that says a = 1, b = 0 and the same sigma everywhere.
Calibration flat_model(double sigma) {
    CalibrationModel model;
    model.log_sigma = {std::log(sigma), 0, 0, 0, 0, 0, 0};
    return {1, {}, model, ""};
}

Trial model_trial(double sigma = 100.0) {
    Trial trial;
    trial.params.mode = Mode::Model;
    trial.params.t = 1.5f;
    trial.calibration = flat_model(sigma);
    return trial;
}

// ---- starting values and levels -------------------------------------------------------------

TEST(MultiProbCut, StartsWithTheNumbersOfTheSource) {
    const MultiProbCut::Params p;
    EXPECT_FALSE(p.enabled) << "off by default in the library";
    EXPECT_EQ(p.mode, Mode::Pairs);
    EXPECT_THAT(p.pair_shallow, ElementsAre(2, 4, 6, 0, 0, 0, 0, 0));
    EXPECT_THAT(p.pair_deep, ElementsAre(6, 10, 14, 0, 0, 0, 0, 0));
    EXPECT_NEAR(p.t, 1.645, 1e-6);
    EXPECT_EQ(p.max_nesting, 0) << "no recursion into itself";
}

TEST(MultiProbCut, PresetsAreOneSidedConfidenceLevels) {
    const std::pair<std::string_view, double> levels[] = {
        {"73", 0.73}, {"87", 0.87}, {"95", 0.95}, {"98", 0.98}, {"99", 0.99}};
    for (const auto& [name, p] : levels) {
        MultiProbCut::Params params;
        ASSERT_TRUE(apply_preset(params, name)) << name;
        EXPECT_TRUE(params.enabled);
        const double phi = 0.5 * std::erfc(-static_cast<double>(params.t) / std::sqrt(2.0));
        EXPECT_NEAR(phi, p, 5e-4) << name;
    }
}

TEST(MultiProbCut, TheHundredPercentPresetSwitchesItOff) {
    MultiProbCut::Params params;
    params.enabled = true;
    ASSERT_TRUE(apply_preset(params, "100"));
    EXPECT_FALSE(params.enabled);
}

// ---- pairs ----------------------------------------------------------------------------------

TEST(MultiProbCutPairs, AreTriedDeepestFirst) {
    Trial trial = trial_at_fourteen();
    trial.params.window = Window::Full;
    ScriptedProbe probe{100, 100, 100};
    EXPECT_EQ(trial(node_at(14, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), ElementsAre(search_call(6, -kInfinity, kInfinity),
                                           search_call(4, -kInfinity, kInfinity),
                                           search_call(2, -kInfinity, kInfinity)));
    EXPECT_EQ(trial.stats.tried, 1u);
    EXPECT_EQ(trial.stats.probed, 3u);
    EXPECT_EQ(trial.stats.succeeded, 0u);
}

TEST(MultiProbCutPairs, CanBeTriedShallowestFirst) {
    Trial trial = trial_at_fourteen();
    trial.params.pair_order = Order::Forward;
    trial.params.window = Window::Full;
    ScriptedProbe none{100, 100, 100};
    EXPECT_EQ(trial(node_at(14, 99, 100), none), std::nullopt);
    EXPECT_THAT(none.calls(), ElementsAre(search_call(2, -kInfinity, kInfinity),
                                          search_call(4, -kInfinity, kInfinity),
                                          search_call(6, -kInfinity, kInfinity)));
    ScriptedProbe second{699, 400};  // bounds 700 and 400
    EXPECT_EQ(trial(node_at(14, 99, 100), second), 100);
    EXPECT_THAT(trial.stats.pair_high, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0));
}

TEST(MultiProbCutPairs, TheFirstPairThatCutsEndsTheTest) {
    Trial trial = trial_at_fourteen();
    trial.params.window = Window::Full;
    ScriptedProbe probe{249, 400};  // bounds 250 and 400
    EXPECT_EQ(trial(node_at(14, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), SizeIs(2));
    EXPECT_THAT(trial.stats.pair_high, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(trial.stats.pair_low, Each(0u));
}

TEST(MultiProbCutPairs, ServeOnlyRemainingDepthsFromTheirDeepDepthOn) {
    // Cells exist for every depth, so only the rule "remaining depth >= d" holds a pair back.
    for (Depth depth = 3; depth <= 16; ++depth) {
        Trial trial;
        trial.params.window = Window::Full;
        std::vector<CalibrationCell> cells;
        for (const Depth shallow : {2, 4, 6}) {
            if (shallow < depth) cells.push_back(general_cell(shallow, depth, {1.0, 0.0, 100.0}));
        }
        trial.calibration = calibration_of(cells);
        std::vector<Depth> expected;
        if (depth >= 14) expected.push_back(6);
        if (depth >= 10) expected.push_back(4);
        if (depth >= 6) expected.push_back(2);
        TruthfulProbe probe([](Depth) { return 100; });
        trial(node_at(depth, 99, 100), probe);
        std::vector<Depth> probed;
        for (const Call& c : probe.calls()) probed.push_back(c.depth);
        EXPECT_EQ(probed, expected) << "depth " << depth;
    }
}

TEST(MultiProbCutPairs, ServeOnlyDepthsTheirRegressionWasMeasuredFor) {
    Trial trial;
    trial.params.window = Window::Full;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0}),
                                        general_cell(4, 10, {1.0, 0.0, 100.0}),
                                        general_cell(6, 14, {1.0, 0.0, 100.0})});
    for (Depth depth = 3; depth <= 20; ++depth) {
        TruthfulProbe probe([](Depth) { return 100; });
        trial(node_at(depth, 99, 100), probe);
        const bool measured = depth == 6 || depth == 10 || depth == 14;
        EXPECT_THAT(probe.calls(), SizeIs(measured ? 1 : 0)) << "depth " << depth;
    }
}

TEST(MultiProbCutPairs, DoNotFallBackOnTheModel) {
    Trial trial;
    trial.calibration = flat_model(100.0);
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(14, 99, 100), silent), std::nullopt);
}

TEST(MultiProbCutPairs, UseTheCellOfTheNodesStage) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of(
        {stage_cell(0, 2, 6, {1.0, 0.0, 800.0}), stage_cell(2, 2, 6, {1.0, 0.0, 300.0})}, 3);
    NodeView n = node_at(6, 99, 100);
    n.stage = 0;
    ScriptedProbe early{1300};
    EXPECT_EQ(trial(n, early), 100);
    EXPECT_THAT(early.calls(), ElementsAre(at_least_call(2, 1300)));
    n.stage = 1;
    ScriptedProbe silent;
    EXPECT_EQ(trial(n, silent), std::nullopt) << "nothing measured in this stage";
    n.stage = 2;
    ScriptedProbe late{550};
    EXPECT_EQ(trial(n, late), 100);
    EXPECT_THAT(late.calls(), ElementsAre(at_least_call(2, 550)));
}

// ---- bounds ---------------------------------------------------------------------------------

TEST(MultiProbCut, BoundsAreRoundedOutwards) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of({general_cell(2, 6, {0.8, -20.0, 50.0})});
    // High: (100 + 20 + 75) / 0.8 = 243.75 -> 244; low: (39 + 20 - 75) / 0.8 = -20.
    ScriptedProbe first{0, 0};
    EXPECT_EQ(trial(node_at(6, 39, 100), first), std::nullopt);
    EXPECT_THAT(first.calls(), ElementsAre(at_least_call(2, 244), at_most_call(2, -20)));
    trial.calibration = calibration_of({general_cell(2, 6, {0.8, -20.0, 51.0})});
    // High: (98 + 20 + 76.5) / 0.8 = 243.125 -> 244; low: (40 + 20 - 76.5) / 0.8 = -20.625 -> -21.
    ScriptedProbe second{0, 0};
    EXPECT_EQ(trial(node_at(6, 40, 98), second), std::nullopt);
    EXPECT_THAT(second.calls(), ElementsAre(at_least_call(2, 244), at_most_call(2, -21)));
}

TEST(MultiProbCut, NinetyFivePercentIsOnePointSixFourFiveSigmas) {
    Trial trial;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 800.0})});
    ScriptedProbe probe{1416};  // 100 + 1.645 * 800 = 1416
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), 100);
    EXPECT_THAT(probe.calls(), ElementsAre(at_least_call(2, 1416)));
}

TEST(MultiProbCutNullWindow, TestsEachBoundWithItsOwnSearch) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    ScriptedProbe high{250};
    EXPECT_EQ(trial(node_at(6, 99, 100), high), 100);
    EXPECT_THAT(high.calls(), ElementsAre(at_least_call(2, 250)));
    ScriptedProbe low{249, -51};
    EXPECT_EQ(trial(node_at(6, 99, 100), low), 99);
    EXPECT_THAT(low.calls(), ElementsAre(at_least_call(2, 250), at_most_call(2, -51)));
    ScriptedProbe neither{249, -50};
    EXPECT_EQ(trial(node_at(6, 99, 100), neither), std::nullopt);
    EXPECT_EQ(trial.stats.probed, 5u);
}

TEST(MultiProbCutNullWindow, AnUpperBoundBelowTheLowBoundSavesTheSecondSearch) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    ScriptedProbe probe{-51};
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), 99);
    EXPECT_THAT(probe.calls(), SizeIs(1));
    EXPECT_EQ(trial.stats.cut_low, 1u);
}

TEST(MultiProbCutFullWindow, DecidesBothBoundsWithOneSearch) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.params.window = Window::Full;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    ScriptedProbe probe{250, 249, -51, -50};
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), 100);
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), std::nullopt);
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), 99);
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), SizeIs(4));
    EXPECT_THAT(probe.calls(), Each(search_call(2, -kInfinity, kInfinity)));
}

TEST(MultiProbCut, CountsCutsForEachPairAndSide) {
    Trial trial = trial_at_fourteen();
    trial.params.window = Window::Full;
    // Bounds at 99..100: pair 2: 250 / -51, pair 1: 400 / -201, pair 0: 700 / -501.
    ScriptedProbe probe{250, -51, 0, 400, 0, -201, 0, 0, 700, 0, 0, -501, -51};
    for (int i = 0; i < 7; ++i) trial(node_at(14, 99, 100), probe);
    EXPECT_THAT(trial.stats.pair_high, ElementsAre(1, 1, 1, 0, 0, 0, 0, 0));
    EXPECT_THAT(trial.stats.pair_low, ElementsAre(1, 1, 2, 0, 0, 0, 0, 0));
    EXPECT_EQ(trial.stats.cut_high, 3u);
    EXPECT_EQ(trial.stats.cut_low, 4u);
    EXPECT_EQ(trial.stats.succeeded, 7u);
    EXPECT_EQ(trial.stats.tried, 7u);
    EXPECT_EQ(trial.stats.probed, 13u);
}

TEST(MultiProbCut, CountsCutsForEachPairWithBothWindows) {
    for (const Window window : {Window::Full, Window::Null}) {
        for (std::size_t pair = 0; pair < 3; ++pair) {
            Trial trial = trial_at_fourteen();
            trial.params.window = window;
            const auto shallow = static_cast<Depth>(2 * pair + 2);
            TruthfulProbe high([&](Depth d) { return d == shallow ? 1000 : 0; });
            EXPECT_EQ(trial(node_at(14, 99, 100), high), 100);
            TruthfulProbe low([&](Depth d) { return d == shallow ? -1000 : 0; });
            EXPECT_EQ(trial(node_at(14, 99, 100), low), 99);
            for (std::size_t i = 0; i < MultiProbCut::kPairs; ++i) {
                EXPECT_EQ(trial.stats.pair_high[i], i == pair ? 1u : 0u) << i;
                EXPECT_EQ(trial.stats.pair_low[i], i == pair ? 1u : 0u) << i;
            }
        }
    }
    Trial trial = trial_at_fourteen();
    ScriptedProbe second_search{0, 0, 0, -201};  // the deepest pair fails, the next one cuts low
    EXPECT_EQ(trial(node_at(14, 99, 100), second_search), 99);
    EXPECT_EQ(trial.stats.pair_low[1], 1u);
}

/// First principles: the node is cut exactly when some pair's inequality holds, and the first such
/// pair decides which side.
TEST(MultiProbCut, AgreesWithTheInequalitiesOnRandomNodes) {
    std::mt19937 random(1997);
    const auto in = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    int cuts = 0;
    for (int i = 0; i < 20'000; ++i) {
        Trial trial;
        trial.params.t = static_cast<float>(in(0, 12)) * 0.25f;
        trial.params.window = in(0, 1) == 0 ? Window::Null : Window::Full;
        const bool deepest_first = in(0, 1) == 0;
        trial.params.pair_order = deepest_first ? Order::Backward : Order::Forward;
        std::array<Regression, 3> fits;
        std::array<Value, 7> truth{};
        std::vector<CalibrationCell> cells;
        for (int k = 0; k < 3; ++k) {
            const Depth shallow = 2 * k + 2;
            const auto at = static_cast<std::size_t>(k);
            fits[at] = {in(60, 140) / 100.0, in(-80, 80) / 1.0, in(10, 300) / 1.0};
            truth[static_cast<std::size_t>(shallow)] = in(-700, 700);
            cells.push_back(general_cell(shallow, 14, fits[at]));
        }
        trial.calibration = calibration_of(cells);
        const Value alpha = in(-500, 500);
        const Value beta = alpha + in(1, 40);
        std::optional<Value> expected;
        for (std::size_t turn = 0; turn < 3 && !expected; ++turn) {
            const std::size_t k = deepest_first ? 2 - turn : turn;
            const double v = truth[2 * k + 2];
            const double margin = static_cast<double>(trial.params.t) * fits[k].sigma;
            if (v >= (beta - fits[k].b + margin) / fits[k].a)
                expected = beta;
            else if (v <= (alpha - fits[k].b - margin) / fits[k].a)
                expected = alpha;
        }
        cuts += expected ? 1 : 0;
        TruthfulProbe probe([&](Depth d) { return truth[static_cast<std::size_t>(d)]; });
        ASSERT_EQ(trial(node_at(14, alpha, beta), probe), expected) << "case " << i;
    }
    EXPECT_GT(cuts, 5000);
    EXPECT_LT(cuts, 19'000);
}

// ---- model ----------------------------------------------------------------------------------

TEST(MultiProbCutModel, ShallowDepthIsHalfTheDeepOneWithTheSameParity) {
    const MultiProbCut::Params p;
    EXPECT_EQ(MultiProbCut::model_shallow(p, 3), 1);
    EXPECT_EQ(MultiProbCut::model_shallow(p, 4), 2);
    EXPECT_EQ(MultiProbCut::model_shallow(p, 5), 1);
    EXPECT_EQ(MultiProbCut::model_shallow(p, 6), 2);
    EXPECT_EQ(MultiProbCut::model_shallow(p, 8), 4);
    EXPECT_EQ(MultiProbCut::model_shallow(p, 11), 5);
    EXPECT_EQ(MultiProbCut::model_shallow(p, 14), 6);
}

TEST(MultiProbCutModel, ShallowDepthKeepsParityAndOrderForEveryShare) {
    MultiProbCut::Params p;
    for (int share = 1; share <= 9; ++share) {
        p.shallow_share = static_cast<float>(share) / 10.0f;
        for (Depth deep = 2; deep <= kMaxDepth; ++deep) {
            const Depth shallow = MultiProbCut::model_shallow(p, deep);
            EXPECT_EQ((deep - shallow) % 2, 0) << deep << " share " << p.shallow_share;
            EXPECT_GE(shallow, 0);
            EXPECT_LT(shallow, deep);
            EXPECT_LE(shallow, std::max(1.0f, static_cast<float>(deep) * p.shallow_share + 1e-3f));
        }
    }
}

TEST(MultiProbCutModel, TakesItsNumbersFromTheModel) {
    Trial trial = model_trial();
    CalibrationModel model;
    model.a = {0.5, 0, 0, 0, 0, 0, 0};
    model.b = {10, 0, 0, 0, 0, 0, 0};
    model.log_sigma = {std::log(60.0), 0, 0, 0, 0, 0, 0};
    trial.calibration = {1, {}, model, ""};
    ScriptedProbe probe{361};  // (100 - 10 + 90) / 0.5 = 360, exp(log(60)) may be a hair above 60
    EXPECT_EQ(trial(node_at(9, 99, 100), probe), 100);
    ASSERT_THAT(probe.calls(), SizeIs(1));
    EXPECT_EQ(probe.calls()[0].depth, 3);
    EXPECT_NEAR(probe.calls()[0].beta, 360, 1);
}

TEST(MultiProbCutModel, CountsItsCutsInTheFirstPlace) {
    Trial trial = model_trial(100.5);
    ScriptedProbe probe{1000, -1000};
    EXPECT_EQ(trial(node_at(10, 99, 100), probe), 100);
    EXPECT_EQ(trial(node_at(10, 99, 100), probe), 99);
    EXPECT_THAT(trial.stats.pair_high, ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(trial.stats.pair_low, ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

TEST(MultiProbCutModel, IsSilentWithoutAModel) {
    Trial trial = model_trial();
    trial.calibration = calibration_of({general_cell(4, 10, {1.0, 0.0, 100.0})});
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(10, 99, 100), silent), std::nullopt);
}

// ---- static gate ----------------------------------------------------------------------------

TEST(MultiProbCutStaticGate, ProbesOnlyTheSideTheStaticValueLeansTo) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.params.static_gate = true;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    NodeView n = node_at(6, 50, 100);
    n.static_value = 100;
    ScriptedProbe high{0};
    EXPECT_EQ(trial(n, high), std::nullopt);
    EXPECT_THAT(high.calls(), ElementsAre(at_least_call(2, 250)));
    ScriptedProbe wrong_side{-500};
    EXPECT_EQ(trial(n, wrong_side), std::nullopt) << "the gate is closed for low cuts";
    n.static_value = 50;
    ScriptedProbe low{-100};
    EXPECT_EQ(trial(n, low), 50);
    EXPECT_THAT(low.calls(), ElementsAre(at_most_call(2, -100)));
    for (const Value between : {51, 99}) {
        n.static_value = between;
        ScriptedProbe silent;
        EXPECT_EQ(trial(n, silent), std::nullopt);
    }
}

TEST(MultiProbCutStaticGate, CanBeMovedBySigmas) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.params.static_gate = true;
    trial.params.gate_sigma = 0.5f;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    NodeView n = node_at(6, 50, 100);
    for (const Value inside : {149, 1}) {
        n.static_value = inside;
        ScriptedProbe silent;
        EXPECT_EQ(trial(n, silent), std::nullopt);
    }
    n.static_value = 150;
    ScriptedProbe high{250};
    EXPECT_EQ(trial(n, high), 100);
    n.static_value = 0;
    ScriptedProbe low{-100};
    EXPECT_EQ(trial(n, low), 50);
}

TEST(MultiProbCutStaticGate, HoldsForTheFullWindowToo) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.params.static_gate = true;
    trial.params.window = Window::Full;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    NodeView n = node_at(6, 50, 100);
    n.static_value = 75;
    ScriptedProbe silent;
    EXPECT_EQ(trial(n, silent), std::nullopt);
    n.static_value = 100;
    ScriptedProbe wrong_side{-500};
    EXPECT_EQ(trial(n, wrong_side), std::nullopt);
    n.static_value = 50;
    ScriptedProbe other_side{500};
    EXPECT_EQ(trial(n, other_side), std::nullopt);
}

// ---- when it must not act -------------------------------------------------------------------

TEST(MultiProbCut, OffNeverProbes) {
    for (const Mode mode : {Mode::Pairs, Mode::Model}) {
        Trial trial = trial_at_fourteen();
        trial.params.mode = mode;
        trial.params.enabled = false;
        ScriptedProbe silent;
        EXPECT_EQ(trial(node_at(14, 99, 100), silent), std::nullopt);
        EXPECT_EQ(trial.stats.tried, 0u);
        EXPECT_EQ(MultiProbCut::lowest_depth(trial.params), kNever);
    }
}

TEST(MultiProbCut, IsNotTriedBelowItsMinimumDepth) {
    Trial trial = model_trial();
    trial.params.min_depth = 7;
    EXPECT_EQ(MultiProbCut::lowest_depth(trial.params), 7);
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(6, 99, 100), silent), std::nullopt);
    EXPECT_EQ(trial.stats.tried, 0u);
    ScriptedProbe probe{1000};
    EXPECT_EQ(trial(node_at(7, 99, 100), probe), 100);
}

TEST(MultiProbCut, IsNotTriedDirectlyAfterAPass) {
    for (const Mode mode : {Mode::Pairs, Mode::Model}) {
        Trial trial = mode == Mode::Pairs ? trial_at_fourteen() : model_trial();
        NodeView n = node_at(14, 99, 100);
        n.after_pass = true;
        ScriptedProbe silent;
        EXPECT_EQ(trial(n, silent), std::nullopt);
        EXPECT_EQ(trial.stats.tried, 0u);
    }
}

TEST(MultiProbCut, StaysOutOfPvNodesUnlessToldOtherwise) {
    Trial trial = trial_at_fourteen();
    ScriptedProbe silent;
    EXPECT_EQ(trial(node_at(14, 50, 100, NodeKind::Pv), silent), std::nullopt);
    EXPECT_EQ(trial.stats.tried, 0u);
    ScriptedProbe all{1000};
    EXPECT_EQ(trial(node_at(14, 99, 100, NodeKind::All), all), 100);
    trial.params.pv_nodes = true;
    ScriptedProbe pv{1000};
    EXPECT_EQ(trial(node_at(14, 50, 100, NodeKind::Pv), pv), 100);
}

TEST(MultiProbCut, NeverActsOnDecisiveWindows) {
    for (const Window window : {Window::Full, Window::Null}) {
        Trial trial = trial_at_fourteen();
        trial.params.window = window;
        for (const auto& [alpha, beta] : decisive_windows()) {
            ScriptedProbe silent;
            EXPECT_EQ(trial(node_at(14, alpha, beta), silent), std::nullopt);
        }
        EXPECT_EQ(trial.stats.tried, 0u);
    }
}

TEST(MultiProbCut, NeverActsOnDecisiveShallowValues) {
    for (const Window window : {Window::Full, Window::Null}) {
        for (const Value shallow : {win_in(5), kDecisive, -kDecisive, loss_in(6)}) {
            Trial trial = trial_at_fourteen();
            trial.params.window = window;
            TruthfulProbe probe([&](Depth) { return shallow; });
            EXPECT_EQ(trial(node_at(14, 99, 100), probe), std::nullopt);
            EXPECT_EQ(trial.stats.succeeded, 0u);
        }
    }
}

TEST(MultiProbCut, NeverActsOnADecisiveValueOfTheLowTest) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    ScriptedProbe probe{0, loss_in(6)};
    EXPECT_EQ(trial(node_at(6, 99, 100), probe), std::nullopt);
    EXPECT_THAT(probe.calls(), SizeIs(2));
}

TEST(MultiProbCut, TestsOneSideAloneWhenTheOthersBoundIsDecisive) {
    Trial trial;
    trial.params.t = 1.5f;
    trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 100.0})});
    ScriptedProbe low{29'750};
    EXPECT_EQ(trial(node_at(6, 29'900, 29'901), low), 29'900);
    EXPECT_THAT(low.calls(), ElementsAre(at_most_call(2, 29'750)));
    ScriptedProbe high{-29'750};
    EXPECT_EQ(trial(node_at(6, -29'901, -29'900), high), -29'900);
    EXPECT_THAT(high.calls(), ElementsAre(at_least_call(2, -29'750)));
    trial.params.window = Window::Full;
    ScriptedProbe no_high_cut{kMaxEval};
    EXPECT_EQ(trial(node_at(6, 29'900, 29'901), no_high_cut), std::nullopt);
    ScriptedProbe no_low_cut{-kMaxEval};
    EXPECT_EQ(trial(node_at(6, -29'901, -29'900), no_low_cut), std::nullopt);
}

TEST(MultiProbCut, IsSilentWhenBothBoundsAreDecisive) {
    for (const Window window : {Window::Full, Window::Null}) {
        Trial trial;
        trial.params.window = window;
        trial.calibration = calibration_of({general_cell(2, 6, {1.0, 0.0, 25'000.0})});
        ScriptedProbe silent;
        EXPECT_EQ(trial(node_at(6, 99, 100), silent), std::nullopt);
        EXPECT_EQ(trial.stats.probed, 0u);
    }
}

/// A flat line (slope at its lower clamp) puts a bound beyond every value a search can return: "any
/// shallow value will do" is no evidence.
TEST(MultiProbCut, ABoundBeyondEveryPossibleValueIsNoEvidence) {
    for (const Window window : {Window::Full, Window::Null}) {
        Trial trial;
        trial.params.window = window;
        trial.params.t = 1.5f;
        trial.calibration = calibration_of({general_cell(2, 6, {0.1, 0.0, 100.0})});
        TruthfulProbe hopeless([](Depth) { return -20'000; });  // high: (-5000 + 150) / 0.1
        EXPECT_EQ(trial(node_at(6, -5001, -5000), hopeless), std::nullopt);
        TruthfulProbe winning([](Depth) { return 20'000; });  // low: (5000 - 150) / 0.1
        EXPECT_EQ(trial(node_at(6, 5000, 5001), winning), std::nullopt);
        EXPECT_EQ(trial.stats.succeeded, 0u);
    }
}

}  // namespace
}  // namespace karikomi::test
