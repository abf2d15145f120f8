// The rule that finds how careful a technique must be, and the gains behind futility margins.
#include "karikomi/lab/calibrate.hpp"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/futility.hpp"

namespace karikomi::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Figure = std::function<double(double scale)>;

CalibrateLoop run(const Figure& reduction, const Figure& loss, const CalibrateRules& rules = {}) {
    CalibrateLoop loop(rules);
    while (loop.end() == CalibrateEnd::Going) {
        loop.add({0, reduction(loop.scale()), loss(loop.scale()), ""});
    }
    return loop;
}

TEST(Calibrate, KeepsWhatIsGoodAlready) {
    const auto loop = run([](double) { return 0.6; }, [](double) { return -0.02; });
    EXPECT_EQ(loop.end(), CalibrateEnd::Converged);
    EXPECT_DOUBLE_EQ(loop.scale(), 1);
    EXPECT_EQ(loop.steps().size(), 1U);
}

TEST(Calibrate, FollowsTheSourcesFactors) {
    // Too few nodes saved until sigma is 0.6: x 0.8 three times.
    const auto bolder =
        run([](double s) { return s < 0.6 ? 0.4 : 0.2; }, [](double) { return 0.0; });
    EXPECT_EQ(bolder.end(), CalibrateEnd::Converged);
    EXPECT_NEAR(bolder.scale(), 0.512, 1e-9);
    EXPECT_EQ(bolder.steps().front().decision, "x 0.800");
    // Ten percent lost at 1: x 1.5. Six percent lost there: x 1.2.
    const auto careful = run([](double) { return 0.5; },
                             [](double s) { return s < 1.2   ? 0.10
                                                   : s < 1.6 ? 0.06
                                                             : 0.01; });
    EXPECT_NEAR(careful.scale(), 1.5 * 1.2, 1e-9);
    EXPECT_EQ(careful.end(), CalibrateEnd::Converged);
}

TEST(Calibrate, FindsANarrowPlaceBetweenTooBoldAndTooCareful) {
    // Good between 0.88 and 0.93 only: the factors alone would jump over it for ever.
    const auto loop = run([](double s) { return s < 0.93 ? 0.35 : 0.25; },
                          [](double s) { return s > 0.88 ? 0.02 : 0.07; });
    EXPECT_EQ(loop.end(), CalibrateEnd::Converged);
    EXPECT_GT(loop.scale(), 0.88);
    EXPECT_LT(loop.scale(), 0.93);
}

TEST(Calibrate, SaysWhenItCannotBeMet) {
    const auto at_once = run([](double) { return 0.1; }, [](double) { return 0.2; });
    EXPECT_EQ(at_once.end(), CalibrateEnd::Impossible);
    EXPECT_THAT(at_once.reason(), HasSubstr("saves too little"));
    const auto gap = run([](double s) { return s < 0.9 ? 0.35 : 0.25; },
                         [](double s) { return s >= 0.9 ? 0.02 : 0.07; });
    EXPECT_EQ(gap.end(), CalibrateEnd::Impossible);
    EXPECT_THAT(gap.reason(), HasSubstr("nothing lies between"));
    CalibrateRules few;
    few.most_steps = 4;
    const auto out = run([](double) { return 0.1; }, [](double) { return 0.0; }, few);
    EXPECT_EQ(out.end(), CalibrateEnd::OutOfSteps);
    EXPECT_EQ(out.steps().size(), 4U);
}

TEST(Calibrate, GoesOnFromTheStepsOfAnEarlierRun) {
    const Figure reduction = [](double s) { return s < 0.93 ? 0.35 : 0.25; };
    const Figure loss = [](double s) { return s > 0.88 ? 0.02 : 0.07; };
    const auto whole = run(reduction, loss);
    for (std::size_t kept = 0; kept < whole.steps().size(); ++kept) {
        CalibrateLoop loop{CalibrateRules{}};
        for (std::size_t i = 0; i < kept; ++i) {
            loop.add(step_of(to_json(whole.steps()[i])));
        }
        while (loop.end() == CalibrateEnd::Going) {
            loop.add({0, reduction(loop.scale()), loss(loop.scale()), ""});
        }
        EXPECT_DOUBLE_EQ(loop.scale(), whole.scale());
        EXPECT_EQ(loop.steps().size(), whole.steps().size());
    }
}

TEST(Calibrate, ScalesTheNumberOfEachTechnique) {
    const auto engine = make_engine("connect_four");
    const SearchParams params = (*engine)->params();
    const int stages = (*engine)->info().stages;
    const auto wider = scaled(params, kTechnique<MultiProbCut>, 1.5, stages);
    const Regression* before = params.calibration.model(3, 2, 6);
    const Regression* after = wider->calibration.model(3, 2, 6);
    EXPECT_NEAR(after->sigma / before->sigma, 1.5, 1e-9);
    EXPECT_DOUBLE_EQ(after->a, before->a);
    EXPECT_FLOAT_EQ(scaled(params, kTechnique<ProbCut>, 0.5, stages)->selective.of<ProbCut>().t,
                    0.5F * params.selective.of<ProbCut>().t);
    EXPECT_EQ(
        scaled(params, kTechnique<Futility>, 2, stages)->selective.of<Futility>().self_first[1],
        2 * params.selective.of<Futility>().self_first[1]);
    EXPECT_FALSE(scaled(params, kTechnique<Iid>, 2, stages));
}

TEST(Gains, QuantilesAreThoseOfTheMoves) {
    Gains gains;
    for (Value v = 1; v <= 100; ++v) gains.add(v);
    gains.add(0, 100);
    EXPECT_EQ(gains.count(), 200U);
    EXPECT_DOUBLE_EQ(gains.nonzero(), 0.5);
    EXPECT_EQ(gains.quantile(0.5), 0);
    EXPECT_EQ(gains.quantile(0.9), 80);
    EXPECT_EQ(gains.quantile(1.0), 100);
    gains.add(60'000);
    EXPECT_EQ(gains.outliers(), 1U);
    EXPECT_EQ(gains.quantile(1.0), 100) << "outliers are left out";
    EXPECT_EQ(gains.most(), 60'000);
}

TEST(Gains, SurviveTheWayThroughTheStoreAndBecomeMargins) {
    GainTable table;
    for (const bool opponent : {false, true}) {
        for (const int stage : {0, 1}) {
            Gains& g = table[{opponent, 0, 1, stage}];
            for (Value v = 0; v < 1000; ++v) g.add(opponent ? 3 * v : v);
        }
    }
    const GainTable back = gains_of(to_json(table));
    EXPECT_EQ(to_json(back), to_json(table));
    const GainTable flat = over_stages(back);
    ASSERT_EQ(flat.size(), 2U);
    EXPECT_EQ(flat.at({false, 0, 1, -1}).count(), 2000U);
    // Cells without samples take their neighbour's margin: never 0, which would prune everything.
    const Margins margins = margins_at(flat, 0.95);
    EXPECT_THAT(margins.settings, ElementsAre("futility.self_first=[0,949,949,949]",
                                              "futility.self_second=[0,949,949,949]",
                                              "futility.opponent_first=[0,2850,2850,2850]",
                                              "futility.opponent_second=[0,2850,2850,2850]"));
    EXPECT_EQ(margins.borrowed.size(), 10U);
    EXPECT_EQ(margins.borrowed.front(), "self_first depth 2: no samples, as self_first depth 1");
    EXPECT_THAT(margins.borrowed,
                testing::Contains("self_second depth 1: no samples, as self_first depth 1"));
    GainTable outliers;
    outliers[{false, 0, 1, -1}].add(Gains::kOutlier);
    EXPECT_TRUE(margins_at(outliers, 0.95).settings.empty()) << "outliers alone are no samples";
}

TEST(Gains, TheNearestDepthLendsItsMargin) {
    GainTable flat;
    flat[{false, 0, 1, -1}].add(100);
    flat[{false, 0, 3, -1}].add(300);
    flat[{false, 1, 2, -1}].add(250);
    const Margins margins = margins_at(flat, 0.95);
    EXPECT_EQ(margins.settings[0], "futility.self_first=[0,100,100,300]");
    EXPECT_EQ(margins.settings[1], "futility.self_second=[0,250,250,250]");
    EXPECT_EQ(margins.settings[2], "futility.opponent_first=[0,100,100,300]");
}

}  // namespace
}  // namespace karikomi::lab
