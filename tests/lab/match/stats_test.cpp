// Elo, likelihood ratios and intervals against known numbers, at the edges and by simulation.
#include "karikomi/lab/match/stats.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace karikomi::match {
namespace {

Sprt test_of(double elo0, double elo1, bool logistic = false) {
    Sprt t;
    t.elo0 = elo0, t.elo1 = elo1, t.logistic = logistic;
    return t;
}

// Published numbers of a public testing framework.
TEST(MatchStats, GoldenVectors) {
    const Pentanomial small{{13, 37, 50, 25, 3}};
    EXPECT_NEAR(log_likelihood_ratio(small, test_of(0, 4)), -0.5491, 5e-5);
    EXPECT_NEAR(estimate(small).nelo.value, -63.97, 5e-3);
    const Pentanomial large{{379, 10170, 21828, 10640, 343}};
    EXPECT_NEAR(log_likelihood_ratio(large, test_of(0, 2)), 2.945, 1e-3);
    EXPECT_NEAR(estimate(large).nelo.value, 3.05, 5e-3);
}

TEST(MatchStats, BoundsOfTheTest) {
    EXPECT_NEAR(test_of(0, 5).lower(), -2.9444, 1e-4);
    EXPECT_NEAR(test_of(0, 5).upper(), 2.9444, 1e-4);
    EXPECT_EQ(verdict(3.0, test_of(0, 5)), Verdict::H1);
    EXPECT_EQ(verdict(-3.0, test_of(0, 5)), Verdict::H0);
    EXPECT_EQ(verdict(0.0, test_of(0, 5)), Verdict::Continue);
}

// The likelihood ratio of a simple model can be worked out by hand: without draws, the likeliest
// distribution with a given mean is that mean.
TEST(MatchStats, LogisticRatioOfGamesWithoutDraws) {
    const Trinomial t{40, 0, 60};
    const double p0 = score_of_elo(0);
    const double p1 = score_of_elo(50);
    const double by_hand = 60 * std::log(p1 / p0) + 40 * std::log((1 - p1) / (1 - p0));
    EXPECT_NEAR(log_likelihood_ratio(t, test_of(0, 50, true)), by_hand, 0.01);
}

TEST(MatchStats, EloAndScoreAreInverse) {
    EXPECT_NEAR(elo_of_score(0.75), 190.85, 0.01);
    for (const double elo : {-300.0, -1.0, 0.0, 42.0, 800.0}) {
        EXPECT_NEAR(elo_of_score(score_of_elo(elo)), elo, 1e-6);
    }
}

TEST(MatchStats, MirroredResultsGiveMirroredAnswers) {
    const Estimate e = estimate(Pentanomial{{3, 25, 50, 37, 13}});
    const Estimate m = estimate(Pentanomial{{13, 37, 50, 25, 3}});
    EXPECT_NEAR(e.elo.value, -m.elo.value, 1e-9);
    EXPECT_NEAR(e.elo.low, -m.elo.high, 1e-9);
    EXPECT_NEAR(e.los, 1 - m.los, 1e-9);
}

// One-sided and empty results are finite, ordered, and do not claim too much.
TEST(MatchStats, NeverNan) {
    for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 20ULL, 1'000'000ULL}) {
        for (std::size_t cell = 0; cell < 5; ++cell) {
            Pentanomial p;
            p.n[cell] = n;
            const Estimate e = estimate(p);
            for (const Interval& i : {e.elo, e.nelo}) {
                ASSERT_TRUE(std::isfinite(i.value) && std::isfinite(i.low) &&
                            std::isfinite(i.high));
                EXPECT_LE(i.low, i.value);
                EXPECT_GE(i.high, i.value);
            }
            EXPECT_GE(e.los, 0.0);
            EXPECT_LE(e.los, 1.0);
            for (const bool logistic : {false, true}) {
                for (const double elo1 : {1.0, 5.0, 400.0, 2000.0}) {
                    const double llr = log_likelihood_ratio(p, test_of(-elo1, elo1, logistic));
                    EXPECT_TRUE(std::isfinite(llr)) << n << " in " << cell << ", " << elo1;
                }
            }
        }
    }
    EXPECT_LT(estimate(Pentanomial{{0, 0, 0, 0, 1}}).los, 0.95) << "one pair proves nothing";
}

TEST(MatchStats, OneSidedResultsDecideTheTest) {
    for (const bool logistic : {false, true}) {
        EXPECT_EQ(
            verdict(log_likelihood_ratio(Pentanomial{{0, 0, 0, 0, 400}}, test_of(0, 5, logistic)),
                    test_of(0, 5)),
            Verdict::H1);
        EXPECT_EQ(
            verdict(log_likelihood_ratio(Pentanomial{{400, 0, 0, 0, 0}}, test_of(0, 5, logistic)),
                    test_of(0, 5)),
            Verdict::H0);
    }
}

TEST(MatchStats, RatingsOfMany) {
    // Scores that fit ratings of 100, 0 and -100 exactly.
    const auto points = [](double elo) { return 1000 * score_of_elo(elo); };
    const Meeting meetings[] = {
        {0, 1, points(100), 1000}, {1, 2, points(100), 1000}, {0, 2, points(200), 1000}};
    const auto elo = ratings(3, meetings);
    EXPECT_NEAR(elo[0], 100, 0.2);
    EXPECT_NEAR(elo[1], 0, 0.2);
    EXPECT_NEAR(elo[2], -100, 0.2);
    const Meeting one_sided[] = {{0, 1, 5, 5}, {1, 2, 5, 5}};
    for (const double e : ratings(3, one_sided)) EXPECT_TRUE(std::isfinite(e));
}

// ---- By simulation ------------------------------------------------------------------------------

// Pairs with correlated games: what the pentanomial is for.
constexpr double kPairs[5] = {0.05, 0.20, 0.42, 0.25, 0.08};

Pentanomial simulate(std::mt19937_64& random, int pairs, const double (&p)[5]) {
    std::discrete_distribution<int> draw(std::begin(p), std::end(p));
    Pentanomial out;
    for (int i = 0; i < pairs; ++i) ++out.n[static_cast<std::size_t>(draw(random))];
    return out;
}

TEST(MatchStats, IntervalsCoverTheTruth) {
    double mean = 0;
    double square = 0;
    for (int i = 0; i < 5; ++i) {
        mean += kPairs[i] * i / 4.0;
        square += kPairs[i] * i * i / 16.0;
    }
    const double elo = elo_of_score(mean);
    const double nelo = (mean - 0.5) / std::sqrt(2 * (square - mean * mean)) * kNormalised;
    for (const int pairs : {30, 200}) {
        std::mt19937_64 random(static_cast<std::uint64_t>(pairs));
        int elo_covered = 0;
        int nelo_covered = 0;
        constexpr int kMatches = 2000;
        for (int i = 0; i < kMatches; ++i) {
            const Estimate e = estimate(simulate(random, pairs, kPairs));
            elo_covered += e.elo.low <= elo && elo <= e.elo.high;
            nelo_covered += e.nelo.low <= nelo && nelo <= e.nelo.high;
        }
        for (const int covered : {elo_covered, nelo_covered}) {
            EXPECT_GE(covered, 0.93 * kMatches) << pairs;
            EXPECT_LE(covered, 0.97 * kMatches) << pairs;
        }
    }
}

// To stop when the interval is narrow enough must neither bend the figure nor break its interval.
TEST(MatchStats, PlayingToAHalfWidthIsHonest) {
    constexpr double kHalfWidth = 25;
    constexpr int kMatches = 500;
    double p[5];
    std::copy(std::begin(kPairs), std::end(kPairs), std::begin(p));
    double mean = 0;
    for (int i = 0; i < 5; ++i) mean += p[i] * i / 4.0;
    const double truth = elo_of_score(mean);
    std::discrete_distribution<int> draw(std::begin(p), std::end(p));
    std::mt19937_64 random(11);
    int covered = 0;
    double error = 0;
    for (int m = 0; m < kMatches; ++m) {
        Pentanomial seen;
        while (!is_precise(seen, kHalfWidth)) ++seen.n[static_cast<std::size_t>(draw(random))];
        const Interval elo = estimate(seen).elo;
        EXPECT_LE((elo.high - elo.low) / 2, kHalfWidth);
        EXPECT_GE(seen.pairs(), kLeastPairs);
        covered += elo.low <= truth && truth <= elo.high;
        error += (elo.value - truth) / kMatches;
    }
    EXPECT_GE(covered, 0.93 * kMatches);
    EXPECT_LE(covered, 0.98 * kMatches);
    EXPECT_NEAR(error, 0, 2) << "a single figure has a standard error of 13";
}

TEST(MatchStats, AFigureIsPreciseToAFifthOfItself) {
    const Pentanomial even{{20, 20, 20, 20, 20}};
    EXPECT_FALSE(is_precise(even, 20));
    EXPECT_TRUE(is_precise(even, 60));
    const Pentanomial strong{{0, 2, 10, 30, 58}};  // about +300, known to +- 50
    EXPECT_TRUE(is_precise(strong, 20));
    EXPECT_FALSE(is_precise(Pentanomial{{0, 0, 49, 0, 0}}, 1000)) << "too few pairs";
}

// A distribution of pairs with the given normalised Elo, by moving mass from low to high.
void shift_to(double nelo, double (&p)[5]) {
    double low = -0.04;
    double high = 0.04;
    for (int step = 0; step < 60; ++step) {
        const double x = 0.5 * (low + high);
        const double q[5] = {0.05 - x, 0.20 - x, 0.50, 0.20 + x, 0.05 + x};
        double mean = 0;
        double square = 0;
        for (int i = 0; i < 5; ++i) mean += q[i] * i / 4.0, square += q[i] * i * i / 16.0;
        const double here = (mean - 0.5) / std::sqrt(2 * (square - mean * mean)) * kNormalised;
        (here < nelo ? low : high) = x;
        std::copy(std::begin(q), std::end(q), std::begin(p));
    }
}

// How often the test accepts H1 when the truth is `nelo`.
double accepted(double nelo, const Sprt& test, int tests) {
    double p[5];
    shift_to(nelo, p);
    std::mt19937_64 random(7);
    std::discrete_distribution<int> draw(std::begin(p), std::end(p));
    int h1 = 0;
    for (int i = 0; i < tests; ++i) {
        Pentanomial seen;
        for (;;) {
            // Looked at after every 8 pairs: quicker to simulate, and no less strict.
            for (int k = 0; k < 8; ++k) ++seen.n[static_cast<std::size_t>(draw(random))];
            const Verdict v = verdict(log_likelihood_ratio(seen, test), test);
            if (v == Verdict::Continue) continue;
            h1 += v == Verdict::H1;
            break;
        }
    }
    return h1 / static_cast<double>(tests);
}

TEST(MatchStats, TestsErrAsRarelyAsTheySay) {
    const Sprt test = test_of(0, 60);
    EXPECT_LE(accepted(0, test, 2000), 0.05 + 0.01);
    EXPECT_GE(accepted(60, test, 2000), 0.95 - 0.01);
}

}  // namespace
}  // namespace karikomi::match
