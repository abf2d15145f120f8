#include "karikomi/lab/regression.hpp"

#include <cmath>
#include <ctime>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/sanitized.hpp"

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

// How often a, b and sigma lie within two of their own standard errors.
struct Hits {
    int a = 0, b = 0, sigma = 0;
    void add(const Regression& found, const Regression& error, const Regression& truth) {
        a += std::abs(found.a - truth.a) <= 2 * error.a ? 1 : 0;
        b += std::abs(found.b - truth.b) <= 2 * error.b ? 1 : 0;
        sigma += std::abs(found.sigma - truth.sigma) <= 2 * error.sigma ? 1 : 0;
    }
    // 95.4 % of 200 are 191, give or take 3.
    void expect_nominal() const {
        for (const int n : {a, b, sigma}) {
            EXPECT_GE(n, 178);
            EXPECT_LE(n, 199);
        }
    }
};
constexpr unsigned kRepetitions = 200;

TEST(Regression, StandardErrorsAreRightForNormalErrors) {
    Hits plain, robust;
    for (unsigned seed = 1; seed <= kRepetitions; ++seed) {
        const CellFit f = fit_cell(line(0.9, -25, 80, 1000, seed));
        plain.add(f.fit, f.error, {0.9, -25, 80});
        robust.add(f.robust, f.robust_error, {0.9, -25, 80});
        EXPECT_NEAR(f.coverage_sigma / 80, 1, 0.15);
    }
    plain.expect_nominal();
    EXPECT_GE(robust.a, 170);
    EXPECT_GE(robust.b, 170);
    EXPECT_GE(robust.sigma, 165);
}

TEST(Regression, StandardErrorsAreRightWhereSigmaGrowsWithTheValue) {
    Hits hits;
    // sigma(x) = 40 + 0.3 |x| with x ~ N(0, 200): the mean square over x is the sigma of all.
    const double truth =
        std::sqrt(40 * 40 + 2 * 40 * 0.3 * 200 * std::sqrt(2 / M_PI) + 0.09 * 200 * 200);
    for (unsigned seed = 1; seed <= kRepetitions; ++seed) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal(0, 1);
        std::vector<PairSample> samples;
        for (int i = 0; i < 1000; ++i) {
            const double x = 200 * normal(random);
            samples.push_back({x, 1.1 * x + 10 + (40 + 0.3 * std::abs(x)) * normal(random)});
        }
        const CellFit f = fit_cell(samples);
        hits.add(f.fit, f.error, {1.1, 10, truth});
    }
    hits.expect_nominal();
}

TEST(Regression, TheRobustFitRecoversWhatOutliersHide) {
    Hits robust;
    double plain_sigma = 0;
    std::int64_t outliers = 0;
    for (unsigned seed = 1; seed <= kRepetitions; ++seed) {
        auto samples = line(0.9, -25, 80, 1000, seed);
        for (std::size_t i = 0; i < samples.size(); i += 20) samples[i].deep += 3000;  // 5 %
        const CellFit f = fit_cell(samples);
        robust.add(f.robust, f.robust_error, {0.9, -25, 80});
        plain_sigma += f.fit.sigma / kRepetitions;
        outliers += f.outliers;
    }
    EXPECT_GT(plain_sigma, 500) << "least squares alone would not have done";
    EXPECT_GE(robust.a, 170);
    EXPECT_GE(robust.b, 170);
    EXPECT_GE(robust.sigma, 165);
    // The 50 of each repetition, and the 0.27 % of the others that lie beyond three sigmas.
    EXPECT_NEAR(static_cast<double>(outliers) / kRepetitions, 52.6, 2);
}

TEST(Regression, SigmaByCoverageServesAllLevelsWhereTailsAreHeavy) {
    std::mt19937_64 random(3);
    std::student_t_distribution<double> heavy(4);
    std::vector<PairSample> samples;
    for (int i = 0; i < 40'000; ++i) samples.push_back({0.01 * i, 0.01 * i + 50 * heavy(random)});
    const CellFit f = fit_cell(samples);
    EXPECT_LT(f.normality, 1e-6);
    EXPECT_LT(f.coverage_sigma, 0.95 * f.fit.sigma);
    const auto worst = [&](double sigma) {
        double most = 0;
        for (const ConfidenceLevel& level : kLevels) {
            double beyond = 0;
            for (const PairSample& s : samples) {
                const double r = s.deep - f.fit.a * s.shallow - f.fit.b;
                beyond += std::abs(r) > level.z * sigma ? 0.5 : 0.0;
            }
            const double share = beyond / static_cast<double>(samples.size());
            most = std::max(most, std::abs(share - (1 - level.p)));
        }
        return most;
    };
    EXPECT_LT(worst(f.coverage_sigma), 0.02);
    EXPECT_GT(worst(f.fit.sigma), 0.03);
}

// Samples of one game share an error: its standard errors are those of a bootstrap over games.
TEST(Regression, StandardErrorsAreThoseOfGames) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> value(0, 300), error(0, 1);
    constexpr int kGames = 150, kPerGame = 10;
    std::vector<PairSample> samples;
    for (int game = 0; game < kGames; ++game) {
        const double common = error(random);
        for (int i = 0; i < kPerGame; ++i) {
            const double x = value(random);
            samples.push_back({x, x + 80 * common + 40 * error(random), game});
        }
    }
    const CellFit fit = fit_cell(samples);
    double sum_b = 0, square_b = 0, sum_s = 0, square_s = 0;
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<PairSample> drawn;
        for (int i = 0; i < kGames; ++i) {
            const auto game = static_cast<std::size_t>(random() % kGames) * kPerGame;
            for (std::size_t k = 0; k < kPerGame; ++k) drawn.push_back(samples[game + k]);
        }
        const Regression r = fit_cell(drawn).fit;
        sum_b += r.b, square_b += r.b * r.b, sum_s += r.sigma, square_s += r.sigma * r.sigma;
    }
    const auto deviation = [](double sum, double square) {
        return std::sqrt(square / kRounds - sum * sum / kRounds / kRounds);
    };
    EXPECT_NEAR(fit.error.b / deviation(sum_b, square_b), 1, 0.15);
    EXPECT_NEAR(fit.error.sigma / deviation(sum_s, square_s), 1, 0.2);
    for (PairSample& s : samples) s.game = -1;
    EXPECT_GT(fit.error.b, 2 * fit_cell(samples).error.b) << "as if they were independent";
}

TEST(Regression, DecisiveValuesWidenTheSigmaOfCoverageAlone) {
    std::mt19937_64 random(6);
    std::normal_distribution<double> value(0, 300), error(0, 50);
    std::vector<PairSample> samples;
    for (int i = 0; i < 2000; ++i) {
        const double x = value(random);
        samples.push_back({x, x + error(random)});
    }
    const CellFit before = fit_cell(samples);
    for (int i = 0; i < 100; ++i) {
        samples.push_back({0, std::numeric_limits<double>::infinity()});
    }
    const CellFit after = fit_cell(samples);
    EXPECT_EQ(after.decided, 100);
    EXPECT_EQ(after.samples, 2000);
    EXPECT_DOUBLE_EQ(after.fit.sigma, before.fit.sigma);
    EXPECT_GT(after.coverage_sigma, 1.03 * before.coverage_sigma);
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

// Cells as games have them: b swings with the side that moves last, sigma grows with the gap.
std::vector<CellFit> swinging_cells(int stages, Depth deepest, int samples) {
    std::vector<CellFit> cells;
    unsigned seed = 1;
    for (int stage = 0; stage < stages; ++stage) {
        for (Depth deep = 1; deep <= deepest; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const bool odd = ((deep - shallow) & 1) != 0;
                const double b = odd ? ((deep & 1) != 0 ? 300.0 : -300.0) + 10 * stage : 5.0;
                const double sigma = 100 * std::exp(0.05 * stage + 0.07 * (deep - shallow));
                CellFit c = fit_cell(line(1 + 0.01 * deep, b, sigma, samples, ++seed));
                c.stage = stage, c.shallow = shallow, c.deep = deep;
                cells.push_back(c);
            }
        }
    }
    return cells;
}

TEST(Regression, TheChosenModelPredictsCellsThatItHasNotSeen) {
    const ModelChoice choice = choose_model(swinging_cells(5, 8, 400), 5);
    EXPECT_LE(choice.best.error_ratio, 1.15);
    EXPECT_LT(choice.best.log_sigma_error, 0.1);
    // The plain terms know nothing of the swing: without the others there is nothing to choose.
    EXPECT_GT(choice.tried.front().error_ratio, 1.3);
    EXPECT_GT(choice.best.terms, CalibrationModel::kFewestTerms);
    EXPECT_EQ(choice.model.max_deep, 8);
}

TEST(Regression, AMillionSamplesFitInTime) {
    const std::clock_t start = std::clock();  // of this process: the machine may be busy
    std::vector<CellFit> cells;
    for (unsigned i = 0; i < 100; ++i) {
        CellFit c = fit_cell(line(1, 0, 100, 10'000, i));
        c.stage = static_cast<int>(i / 10), c.shallow = 1, c.deep = 2 + static_cast<Depth>(i % 10);
        cells.push_back(c);
    }
    (void)choose_model(cells, 10);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, test::kSanitized ? 200.0 : 10.0);
}

}  // namespace
}  // namespace karikomi::lab
