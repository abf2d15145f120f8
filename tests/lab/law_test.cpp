// The law of errors, fitted to errors whose law is known.
#include "karikomi/lab/law.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/fit.hpp"

namespace karikomi::lab {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Above the middle by one tail, below by another.
struct Truth {
    TailForm high = TailForm::Normal;
    double high_weight = 0.5;
    double high_scale = 1;
    TailForm low = TailForm::Normal;
    double low_weight = 0.5;
    double low_scale = 1;
    double middle = 0;
    double decided = 0;  ///< share of wins, on the high side
};

std::vector<LawCell> draw(const Truth& t, int cells, int errors, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0, 1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<LawCell> out;
    for (int c = 0; c < cells; ++c) {
        LawCell& cell = out.emplace_back();
        cell.terms = law_terms(0.1 * (c % 10), c % 4, 4 + c % 5);
        for (int i = 0; i < errors; ++i) {
            const double tau = normal(random);
            double z = tau > 0 ? t.high_scale * tail_of(t.high, t.high_weight, tau)
                               : -t.low_scale * tail_of(t.low, t.low_weight, -tau);
            if (tau > 0 && uniform(random) < 2 * t.decided) z = kFar;
            cell.errors.push_back(z + t.middle);
            cell.games.push_back(c * errors + i);
        }
    }
    return out;
}

struct Share {
    double high = 0;
    double low = 0;
};
/// How many of fresh errors lie beyond the margins at t.
Share beyond(const ErrorLaw& law, const std::vector<LawCell>& cells, double t) {
    Share out;
    double all = 0;
    for (const LawCell& c : cells) {
        const double high = value_of(law.middle, c.terms) + side_at(law.high, c.terms).quantile(t);
        const double low = value_of(law.middle, c.terms) - side_at(law.low, c.terms).quantile(t);
        for (const double e : c.errors) {
            out.high += e > high ? 1 : 0;
            out.low += e < low ? 1 : 0;
            ++all;
        }
    }
    return {out.high / all, out.low / all};
}

void expect_kept(const Truth& truth, unsigned seed) {
    const auto choice = choose_law(draw(truth, 40, 1000, seed), 2);
    ASSERT_TRUE(choice);
    const auto fresh = draw(truth, 40, 2500, seed + 1000);
    for (const ConfidenceLevel& level : kLevels) {
        const Share share = beyond(choice->law, fresh, level.z);
        EXPECT_NEAR(share.high / (1 - level.p), 1, 0.15) << level.percent;
        EXPECT_NEAR(share.low / (1 - level.p), 1, 0.15) << level.percent;
    }
}

TEST(Law, FindsTheFormOfEachSide) {
    const Truth truth{TailForm::Power, 0.25, 0.8, TailForm::Normal, 0.5, 1.1, 0.2, 0};
    const auto choice = choose_law(draw(truth, 40, 1500, 1), 2);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->high.best.form, TailForm::Power);
    EXPECT_EQ(choice->low.best.form, TailForm::Normal);
    EXPECT_GT(choice->high.best.likelihood - choice->high.normal, 0.02);
    const LawTerms x = law_terms(0.5, 2, 6);
    EXPECT_NEAR(side_at(choice->law.high, x).weight, 0.25, 0.06);
    EXPECT_NEAR(side_at(choice->law.high, x).scale, 0.8, 0.06);
    EXPECT_NEAR(side_at(choice->law.low, x).scale, 1.1, 0.06);
    EXPECT_NEAR(value_of(choice->law.middle, x), 0.2, 0.04);
}

TEST(Law, KeepsEveryLevelForEveryForm) {
    expect_kept({TailForm::Normal, 1, 1, TailForm::Sinh, 0.7, 1, 0, 0}, 10);
    expect_kept({TailForm::Stretched, 0.8, 0.7, TailForm::Power, 0.15, 1.2, 0.1, 0}, 20);
    expect_kept({TailForm::Sinh, 1.0, 0.6, TailForm::Stretched, 0.4, 1, -0.3, 0}, 30);
}

TEST(Law, CountsDecisiveValues) {
    expect_kept({TailForm::Sinh, 0.5, 1, TailForm::Normal, 1, 1, 0, 0.004}, 40);
    // More of them than a level allows: there is no bound, and so no error.
    const Truth many{TailForm::Normal, 1, 1, TailForm::Normal, 1, 1, 0, 0.03};
    const auto choice = choose_law(draw(many, 40, 1000, 50), 2);
    ASSERT_TRUE(choice);
    EXPECT_NEAR(static_cast<double>(choice->high.decided) / (40 * 1000), 0.03, 0.004);
    const LawTerms x = law_terms(0.5, 2, 6);
    EXPECT_EQ(side_at(choice->law.high, x).quantile(2.3263), SideAt::kNoMargin);
    EXPECT_LT(side_at(choice->law.high, x).quantile(1.645), 4);
    EXPECT_LT(side_at(choice->law.low, x).quantile(2.3263), 4);
}

TEST(Law, AHandfulOfErrorsIsNoLaw) {
    EXPECT_FALSE(choose_law(draw({}, 4, 100, 60)));
    EXPECT_FALSE(choose_law({}));
    EXPECT_FALSE(fit_laws(SampleTable(2, 3), Calibration{}));
}

TEST(Law, SurvivesWhatSamplesMayBe) {
    // All errors the same, none on one side, all of them decisive.
    for (const double error : {0.0, 1.0, kFar, -kFar}) {
        LawCell cell;
        cell.terms = law_terms(0, 2, 6);
        cell.errors.assign(1000, error);
        for (std::int32_t i = 0; i < 1000; ++i) cell.games.push_back(i);
        const auto choice = choose_law({cell});
        ASSERT_TRUE(choice);
        for (const double t : {0.0, 1.0, 5.0}) {
            EXPECT_FALSE(std::isnan(side_at(choice->law.high, cell.terms).quantile(t)));
            EXPECT_FALSE(std::isnan(side_at(choice->law.low, cell.terms).quantile(t)));
        }
    }
}

}  // namespace
}  // namespace karikomi::lab
