#include "karikomi/core/selective/error_law.hpp"

#include <cmath>

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

double upper_tail(double t) {
    return 0.5 * std::erfc(t / std::sqrt(2.0));
}

ErrorLaw law_of(TailForm form, double weight, double decided = 0) {
    ErrorLaw law;
    for (SideLaw* side : {&law.high, &law.low}) {
        side->form = form;
        side->log_weight[0] = std::log(weight);
        if (decided > 0) side->decided[0] = std::log(decided / (1 - decided));
    }
    return law;
}

TEST(ErrorLaw, TheNormalFormIsTSigmasItself) {
    const Margins m(ErrorLaw{}, 0.5, 2, 6);
    for (const double t : {0.0, 0.6, 1.645, 2.3, 4.9, 5.0}) {
        EXPECT_NEAR(m.for_high_cut(t), t, 1e-6);
        EXPECT_NEAR(m.for_low_cut(t), t, 1e-6);
    }
}

TEST(ErrorLaw, EveryFormIsNormalWhereItsWeightGoesToZeroAndHeavierOtherwise) {
    for (const TailForm form : {TailForm::Stretched, TailForm::Sinh, TailForm::Power}) {
        EXPECT_NEAR(tail_of(form, 1e-4, 2.0), 2.0, 1e-3);
        double last = 0;
        for (double t = 0; t < 5; t += 0.1) {
            const double h = tail_of(form, 0.4, t);
            EXPECT_GE(h, t - 1e-12);
            EXPECT_GE(h, last);
            last = h;
        }
    }
    // The heavier the form is said to be, the further out its last per mille lies.
    EXPECT_LT(tail_of(TailForm::Stretched, 0.3, 6), tail_of(TailForm::Sinh, 0.5, 6));
    EXPECT_LT(tail_of(TailForm::Sinh, 0.5, 9), tail_of(TailForm::Power, 0.2, 9));
}

TEST(ErrorLaw, ReadingBetweenTheStepsIsCloseAndOnTheCarefulSide) {
    for (const TailForm form : {TailForm::Stretched, TailForm::Sinh, TailForm::Power}) {
        const Margins m(law_of(form, 0.2), 0, 2, 6);
        for (double t = 0; t <= 2.4; t += 0.01) {
            const double exact = tail_of(form, 0.2, t);
            EXPECT_GE(m.for_high_cut(t), exact - 1e-5);
            EXPECT_LE(m.for_high_cut(t), exact + 0.03);
        }
    }
}

TEST(ErrorLaw, EachSideHasItsOwnAndTheMiddleMovesBoth) {
    ErrorLaw law = law_of(TailForm::Normal, 1);
    law.middle[0] = 0.5;
    law.high.log_scale[0] = std::log(2.0);
    const Margins m(law, 0, 2, 6);
    // A low cut errs where the deep value is higher than promised.
    EXPECT_NEAR(m.for_low_cut(1), 2 * 1 + 0.5, 1e-6);
    EXPECT_NEAR(m.for_high_cut(1), 1 - 0.5, 1e-6);
}

TEST(ErrorLaw, DecisiveValuesTakeTheirShareAndBeyondItThereIsNoBound) {
    const SideAt side{TailForm::Normal, 1, 0, 0.02};
    // Of all errors 5 % may lie beyond: 2 % are decisive, so 3 % of the others.
    const double margin = side.quantile(1.644854);
    EXPECT_NEAR(0.02 + 0.96 * upper_tail(margin), 0.05, 1e-4);
    EXPECT_GT(margin, 1.644854);
    EXPECT_EQ(side.quantile(2.3263), SideAt::kNoMargin);
    const Margins m(law_of(TailForm::Normal, 1, 0.02), 0, 2, 6);
    EXPECT_GT(m.for_high_cut(2.3), 1000.0);
    EXPECT_LT(m.for_high_cut(1.6), 3.0);
}

TEST(ErrorLaw, AShareBeyondIsWhatTheQuantileSays) {
    // By the definition: P(z > m + s*h(tau)) for the half above the middle is upper_tail(tau).
    const SideAt side{TailForm::Sinh, 1.5, 0.6, 0};
    for (const double t : {0.613, 1.126, 1.645, 2.326}) {
        EXPECT_NEAR(side.quantile(t), 1.5 * std::sinh(0.6 * t) / 0.6, 1e-9);
    }
}

TEST(ErrorLaw, StaysTameAtDepthsThatNobodyMeasured) {
    SideLaw law;
    law.form = TailForm::Power;
    law.log_weight = {-1, 1, 1, 0.5, 1, 0.2, 0.2, 0.2};
    law.log_scale = {0, 0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1};
    for (Depth deep = 1; deep < 64; ++deep) {
        for (Depth shallow = 0; shallow < deep; ++shallow) {
            const SideAt at = side_at(law, law_terms(1, shallow, deep));
            EXPECT_TRUE(std::isfinite(at.quantile(5)));
            EXPECT_LE(at.quantile(2), SideAt::kNoMargin);
        }
    }
}

TEST(ErrorLaw, TheCalibrationKeepsOneForCellsAndOneForTheModel) {
    ErrorLaws laws;
    laws.cells.low.log_scale[0] = std::log(2.0);
    laws.model.low.log_scale[0] = std::log(3.0);
    CalibrationModel model;
    model.log_sigma[0] = std::log(10.0);
    model.max_deep = 8;
    const Calibration c(2, {general_cell(2, 6, {1.0, 0.0, 100.0})}, model, "", laws);
    for (int stage = 0; stage < 2; ++stage) {
        const Prediction cell = c.cell_prediction(stage, 2, 6);
        ASSERT_TRUE(cell);
        EXPECT_NEAR(cell.high_bound(50, 1, BoundForm::Quantile), 50 + 200, 1e-3);
        EXPECT_NEAR(cell.high_bound(50, 1, BoundForm::Normal), 50 + 100, 1e-9);
        const Prediction smooth = c.model_prediction(stage, 2, 6);
        ASSERT_TRUE(smooth);
        EXPECT_NEAR(smooth.high_bound(50, 1, BoundForm::Quantile), 50 + 30, 1e-3);
    }
    EXPECT_FALSE(c.cell_prediction(0, 3, 6));
    EXPECT_FALSE(c.model_prediction(0, 2, 9)) << "beyond what the model was fitted on";
    // Without a law both forms are the same.
    const Calibration plain(1, {general_cell(2, 6, {1.0, 0.0, 100.0})}, {}, "");
    const Prediction p = plain.cell_prediction(0, 2, 6);
    EXPECT_EQ(p.high_bound(50, 1.5, BoundForm::Quantile), p.high_bound(50, 1.5, BoundForm::Normal));
}

}  // namespace
}  // namespace karikomi::test
