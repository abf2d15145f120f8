#include "karikomi/lab/regression.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace karikomi::lab {
namespace {

std::vector<PairSample> line(double a, double b, double sigma, int n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> x(0, 200), e(0, sigma);
    std::vector<PairSample> out;
    for (int i = 0; i < n; ++i) {
        const double s = x(random);
        out.push_back({s, a * s + b + (sigma > 0 ? e(random) : 0.0)});
    }
    return out;
}

TEST(Regression, RecoversAKnownLineWithinItsStandardErrors) {
    constexpr int kSamples = 2000;
    int outside = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const CellFit f = fit_cell(line(0.9, -25, 80, kSamples, seed));
        const double se_a = 80.0 / (200.0 * std::sqrt(kSamples));
        const double se_b = 80.0 / std::sqrt(kSamples);
        const double se_sigma = 80.0 / std::sqrt(2.0 * kSamples);
        if (std::abs(f.fit.a - 0.9) > 2 * se_a || std::abs(f.fit.b + 25) > 2 * se_b ||
            std::abs(f.fit.sigma - 80) > 2 * se_sigma) {
            ++outside;
        }
        EXPECT_NEAR(f.fit.a, 0.9, 4.5 * se_a);
        EXPECT_NEAR(f.fit.sigma, 80, 4.5 * se_sigma);
    }
    // Three figures, each outside two standard errors 4.6 % of the time: about 26 of 200.
    EXPECT_GT(outside, 8);
    EXPECT_LT(outside, 50);
}

TEST(Regression, AnExactLineHasNoError) {
    const CellFit f = fit_cell(line(1.1, 7, 0, 500, 1));
    EXPECT_NEAR(f.fit.a, 1.1, 1e-9);
    EXPECT_NEAR(f.fit.sigma, 0, 1e-6);
    EXPECT_NEAR(f.r2, 1, 1e-9);
}

TEST(Regression, NormalityTellsNormalErrorsFromOthers) {
    EXPECT_GT(fit_cell(line(1, 0, 50, 3000, 5)).normality, 0.001);
    auto skewed = line(1, 0, 50, 3000, 5);
    for (auto& s : skewed) s.deep += (s.deep > s.shallow) ? 3 * (s.deep - s.shallow) : 0;
    EXPECT_LT(fit_cell(skewed).normality, 1e-6);
}

TEST(Regression, HardlyAnySamplesAndConstantInputAreHarmless) {
    EXPECT_EQ(fit_cell({}).samples, 0);
    const std::vector<PairSample> same(50, PairSample{10, 12});
    const CellFit f = fit_cell(same);
    EXPECT_DOUBLE_EQ(f.fit.a, 1.0);
    EXPECT_NEAR(f.fit.b, 2.0, 1e-12);
}

TEST(Regression, TheModelRecoversSmoothCells) {
    // Cells made from known coefficients must come back, also between the cells.
    CalibrationModel truth;
    truth.a = {1.0, -0.1, 0.01, -0.005, 0.02, 0.0, 0.01};
    truth.b = {2, 1, 0, 0.5, 0, 0, -3};
    truth.log_sigma = {3.0, 0.4, -0.05, 0.06, -0.1, 0.001, 0.05};
    std::vector<CellFit> cells;
    for (int stage = 0; stage < 6; ++stage) {
        for (Depth deep = 3; deep <= 12; ++deep) {
            for (Depth shallow = 1; shallow < deep; shallow += 2) {
                CellFit c;
                c.stage = stage, c.shallow = shallow, c.deep = deep, c.samples = 1000;
                c.fit = truth.at(stage / 5.0, shallow, deep);
                cells.push_back(c);
            }
        }
    }
    const CalibrationModel found = fit_model(cells, 6);
    for (Depth deep = 4; deep <= 12; ++deep) {
        const Regression want = truth.at(0.5, 2, deep);
        const Regression got = found.at(0.5, 2, deep);
        EXPECT_NEAR(got.sigma / want.sigma, 1.0, 0.01);
        EXPECT_NEAR(got.a, want.a, 0.01);
        EXPECT_NEAR(got.b, want.b, 0.1);
    }
}

}  // namespace
}  // namespace karikomi::lab
