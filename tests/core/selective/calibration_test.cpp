#include "karikomi/core/selective/calibration.hpp"

#include <cmath>

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

// ---- regression ------------------------------------------------------------------------------

TEST(CalibrationRegression, BoundsSolveTheModelForTheShallowValue) {
    const Regression r{0.8, -20.0, 50.0};
    EXPECT_DOUBLE_EQ(r.high_bound(100, 1.5), (100 + 20 + 75) / 0.8);
    EXPECT_DOUBLE_EQ(r.low_bound(40, 1.5), (40 + 20 - 75) / 0.8);
}

TEST(CalibrationRegression, AtTheBoundThePredictionIsTSigmasBeyondTheWindow) {
    const Regression r{1.25, 13.0, 70.0};
    const double high = r.high_bound(250, 1.645);
    EXPECT_NEAR(r.a * high + r.b - 1.645 * r.sigma, 250, 1e-9);
    const double low = r.low_bound(-120, 1.645);
    EXPECT_NEAR(r.a * low + r.b + 1.645 * r.sigma, -120, 1e-9);
}

// ---- cells -----------------------------------------------------------------------------------

TEST(Calibration, KnowsNothingWithoutData) {
    const Calibration c;
    for (const Depth deep : {0, 1, 6, 63, 64, 120}) {
        EXPECT_EQ(c.cell(0, 0, deep), nullptr);
        EXPECT_EQ(c.model(0, 0, deep), nullptr);
    }
    const Calibration empty(5, {}, std::nullopt, "");
    EXPECT_EQ(empty.cell(4, 2, 6), nullptr);
    EXPECT_EQ(empty.model(4, 2, 6), nullptr);
}

TEST(Calibration, AGeneralCellServesEveryStage) {
    const Calibration c = calibration_of({general_cell(2, 6, {0.9, 5.0, 80.0})}, 4);
    for (int stage = 0; stage < 4; ++stage) {
        const Regression* r = c.cell(stage, 2, 6);
        ASSERT_NE(r, nullptr) << stage;
        EXPECT_DOUBLE_EQ(r->a, 0.9);
        EXPECT_DOUBLE_EQ(r->b, 5.0);
        EXPECT_DOUBLE_EQ(r->sigma, 80.0);
    }
}

TEST(Calibration, ACellOfAStageGoesBeforeTheGeneralOneInAnyOrder) {
    const CalibrationCell general = general_cell(2, 6, {1.0, 0.0, 80.0});
    const CalibrationCell own = stage_cell(1, 2, 6, {1.0, 0.0, 30.0});
    for (const auto& cells : {std::vector{general, own}, std::vector{own, general}}) {
        const Calibration c = calibration_of(cells, 3);
        EXPECT_DOUBLE_EQ(c.cell(0, 2, 6)->sigma, 80.0);
        EXPECT_DOUBLE_EQ(c.cell(1, 2, 6)->sigma, 30.0);
        EXPECT_DOUBLE_EQ(c.cell(2, 2, 6)->sigma, 80.0);
    }
}

TEST(Calibration, ACellServesExactlyItsOwnPair) {
    const Calibration c = calibration_of({stage_cell(1, 2, 6, {1.0, 0.0, 30.0})}, 3);
    for (int stage = 0; stage < 3; ++stage) {
        for (Depth deep = 0; deep < 64; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const bool measured = stage == 1 && shallow == 2 && deep == 6;
                ASSERT_EQ(c.cell(stage, shallow, deep) != nullptr, measured)
                    << stage << " " << shallow << " " << deep;
            }
        }
    }
}

TEST(Calibration, ManyCellsDoNotMixUp) {
    std::vector<CalibrationCell> cells;
    for (int stage = 0; stage < 15; ++stage) {
        for (Depth deep = 1; deep < 20; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                cells.push_back(stage_cell(stage, shallow, deep,
                                           {1.0, 0.0, stage * 10'000.0 + deep * 100.0 + shallow}));
            }
        }
    }
    const Calibration c = calibration_of(cells, 15);
    for (const CalibrationCell& cell : cells) {
        const Regression* r = c.cell(cell.stage, cell.shallow, cell.deep);
        ASSERT_NE(r, nullptr);
        ASSERT_DOUBLE_EQ(r->sigma, cell.fit.sigma);
    }
    EXPECT_EQ(c.cells().size(), cells.size());
}

TEST(Calibration, DepthsOutOfRangeHaveNoCell) {
    const Calibration c =
        calibration_of({general_cell(2, 6, {1.0, 0.0, 30.0}), general_cell(0, 1, {1.0, 0.0, 30.0}),
                        general_cell(62, 63, {1.0, 0.0, 30.0})});
    EXPECT_NE(c.cell(0, 62, 63), nullptr);
    EXPECT_EQ(c.cell(0, 62, 64), nullptr);
    EXPECT_EQ(c.cell(0, 2, 120), nullptr);
    EXPECT_EQ(c.cell(0, -1, 6), nullptr);
    EXPECT_EQ(c.cell(0, -58, 7), nullptr);
}

/// Such pairs must not run over into the row of another depth.
TEST(Calibration, AShallowDepthBeyondTheTableHasNoCell) {
    const Calibration c = calibration_of({general_cell(2, 6, {1.0, 0.0, 30.0})});
    EXPECT_EQ(c.cell(0, 64 + 2, 5), nullptr);
    EXPECT_EQ(c.cell(0, 2 * 64 + 2, 4), nullptr);
}

TEST(Calibration, ACellBeyondTheTableIsLeftOutAndSpoilsNoOther) {
    const Calibration deep = calibration_of({stage_cell(0, 2, 64, {1.0, 0.0, 30.0})}, 2);
    EXPECT_EQ(deep.cell(1, 2, 0), nullptr);
    const Calibration shallow = calibration_of({stage_cell(0, 64, 10, {1.0, 0.0, 30.0})}, 2);
    EXPECT_EQ(shallow.cell(0, 0, 11), nullptr);
}

TEST(Calibration, RemembersItsEvaluation) {
    const Calibration c(1, {}, std::nullopt, "threats-1");
    EXPECT_EQ(c.evaluation(), "threats-1");
    EXPECT_EQ(Calibration().evaluation(), "");
    EXPECT_FALSE(c.smooth_model().has_value());
}

// ---- the smooth model ------------------------------------------------------------------------

TEST(CalibrationModel, IsLinearInItsSevenTerms) {
    CalibrationModel m;
    m.a = {0.5, 0.1, 0.01, 0.02, 0.2, 0.001, 0.05};
    m.b = {1, 2, 3, 4, 5, 6, 7};
    m.log_sigma = {3.0, 0.5, -0.1, 0.05, 0.25, 0.002, 0.3};
    // Stage share 0.5, shallow 3, deep 8: x = (1, 0.5, 3, 8, 0.25, 24, 1).
    const Regression r = m.at(0.5, 3, 8);
    EXPECT_NEAR(r.a, 0.5 + 0.05 + 0.03 + 0.16 + 0.05 + 0.024 + 0.05, 1e-12);
    EXPECT_NEAR(r.b, 1 + 1 + 9 + 32 + 1.25 + 144 + 7, 1e-12);
    EXPECT_NEAR(std::log(r.sigma), 3.0 + 0.25 - 0.3 + 0.4 + 0.0625 + 0.048 + 0.3, 1e-12);
}

TEST(CalibrationModel, OddTermVanishesForEqualParity) {
    CalibrationModel m;
    m.b = {0, 0, 0, 0, 0, 0, 10};
    EXPECT_DOUBLE_EQ(m.at(0.0, 2, 6).b, 0.0);
    EXPECT_DOUBLE_EQ(m.at(0.0, 3, 6).b, 10.0);
    EXPECT_DOUBLE_EQ(m.at(0.0, 3, 7).b, 0.0);
}

TEST(CalibrationModel, TheDefaultPredictsTheShallowValueItself) {
    const Regression r = CalibrationModel().at(0.3, 4, 9);
    EXPECT_DOUBLE_EQ(r.a, 1.0);
    EXPECT_DOUBLE_EQ(r.b, 0.0);
}

TEST(CalibrationModel, SlopeStaysPositiveAndSigmaFinite) {
    CalibrationModel m;
    m.a = {1, 0, 0, -1, 0, 0, 0};
    m.log_sigma = {0, 0, 0, 100, 0, 0, 0};
    const Regression r = m.at(0.0, 2, 40);
    EXPECT_GT(r.a, 0.0);
    EXPECT_TRUE(std::isfinite(r.sigma));
    EXPECT_GT(r.sigma, 32'000.0) << "useless, not dangerous: no bound is within reach";
}

TEST(CalibrationModel, IsEvaluatedForEveryPairAndStage) {
    CalibrationModel m;
    m.b = {7, 100, 3, 5, 1000, 0.5, 11};
    const Calibration c(5, {}, m, "");
    for (int stage = 0; stage < 5; ++stage) {
        const double g = stage / 4.0;  // 0 in the first stage, 1 in the last
        for (Depth deep = 1; deep < 64; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const Regression* r = c.model(stage, shallow, deep);
                ASSERT_NE(r, nullptr);
                const int odd = (deep - shallow) % 2;
                const double b = 7 + 100 * g + 3 * shallow + 5 * deep + 1000 * g * g +
                                 0.5 * shallow * deep + 11 * odd;
                ASSERT_NEAR(r->b, b, 1e-9) << stage << " " << shallow << " " << deep;
            }
        }
    }
}

TEST(CalibrationModel, AGameWithOneStageIsAtShareZero) {
    CalibrationModel m;
    m.b = {7, 100, 0, 0, 1000, 0, 0};
    const Calibration c(1, {}, m, "");
    EXPECT_DOUBLE_EQ(c.model(0, 2, 6)->b, 7.0);
}

TEST(CalibrationModel, DepthsOutOfRangeHaveNoValue) {
    const Calibration c(2, {}, CalibrationModel{}, "");
    EXPECT_NE(c.model(0, 10, 63), nullptr);
    EXPECT_EQ(c.model(0, 10, 64), nullptr);
    EXPECT_EQ(c.model(0, 10, 120), nullptr);
    EXPECT_EQ(c.model(0, -1, 6), nullptr);
    EXPECT_EQ(c.model(0, 64, 6), nullptr);
}

/// "No error at all" is the most dangerous answer there is.
TEST(CalibrationModel, HasNoValueForAShallowSearchThatIsNotShallower) {
    CalibrationModel m;
    m.log_sigma = {std::log(90.0), 0, 0, 0, 0, 0, 0};
    const Calibration c(1, {}, m, "");
    for (const Depth shallow : {6, 7, 20}) {
        const Regression* r = c.model(0, shallow, 6);
        EXPECT_TRUE(r == nullptr || r->sigma > 0.0) << shallow;
    }
}

TEST(CalibrationModel, DoesNotFillInMeasuredCells) {
    const Calibration c(1, {general_cell(2, 6, {1.0, 0.0, 30.0})}, CalibrationModel{}, "");
    EXPECT_NE(c.cell(0, 2, 6), nullptr);
    EXPECT_EQ(c.cell(0, 3, 6), nullptr);
    EXPECT_TRUE(c.smooth_model().has_value());
}

}  // namespace
}  // namespace karikomi::test
