// SPSA against opponents whose strength is a known function of the parameters.
#include "karikomi/lab/tune/spsa.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace karikomi::tune {
namespace {

// Elo lost by a point: nothing at the optimum (3, 20).
double loss(const std::vector<double>& p) {
    return 60 * (p[0] - 3) * (p[0] - 3) + 0.6 * (p[1] - 20) * (p[1] - 20);
}

SpsaOptions options(bool integer) {
    SpsaOptions o;
    o.params = {{"a", 1.5, 0, 6, false, 0.3, 0.02}, {"b", 40, 1, 60, integer, 4, 0.02}};
    o.trials = 8000;
    return o;
}

// A pair of games between the two points: wins minus losses of plus.
double play_pair(const Spsa::Trial& t, std::mt19937_64& random) {
    const double elo = loss(t.minus) - loss(t.plus);
    const double p = 1 / (1 + std::pow(10.0, -elo / 400));
    std::bernoulli_distribution wins(p);
    return (wins(random) ? 1 : -1) + (wins(random) ? 1 : -1);
}

void climb(Spsa& spsa, std::uint64_t to, std::mt19937_64& random) {
    while (spsa.finished() < to) {
        const Spsa::Trial t = spsa.start(spsa.finished());
        spsa.finish(t, play_pair(t, random));
    }
}

TEST(Spsa, FindsTheOptimum) {
    for (const bool integer : {false, true}) {
        Spsa spsa(options(integer));
        std::mt19937_64 random(5);
        climb(spsa, 8000, random);
        const auto e = spsa.estimates();
        EXPECT_NEAR(e[0].value, 3, 0.5);
        EXPECT_NEAR(e[1].value, 20, 6);
        EXPECT_GT(e[0].error, 0);
        EXPECT_LT(e[0].error, 0.5);
        // Its error bars say roughly how far off it is.
        EXPECT_LT(std::abs(e[0].value - 3), 6 * e[0].error + 0.1);
    }
}

TEST(Spsa, PlaysInsideTheRangesAndWholeNumbersWhole) {
    SpsaOptions o = options(true);
    o.params[1].start = 1;
    const Spsa spsa(o);
    double sum = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Spsa::Trial t = spsa.start(i);
        for (const auto& point : {t.plus, t.minus}) {
            EXPECT_EQ(point[1], std::floor(point[1]));
            EXPECT_GE(point[1], 1);
            EXPECT_LE(point[1], 60);
        }
        sum += t.flips[0];
    }
    EXPECT_LT(std::abs(sum), 100) << "both directions";
}

TEST(Spsa, ATrialDependsOnItsNumberAndTheSeedAlone) {
    const Spsa one(options(false));
    const Spsa two(options(false));
    EXPECT_EQ(one.start(17).plus, two.start(17).plus);
    EXPECT_NE(one.start(17).plus, one.start(18).plus);
    SpsaOptions other = options(false);
    other.seed = 2;
    bool differs = false;
    for (std::uint64_t i = 0; i < 10; ++i) {
        differs |= Spsa(other).start(i).flips != one.start(i).flips;
    }
    EXPECT_TRUE(differs);
}

TEST(Spsa, GoesOnWhereItWas) {
    std::mt19937_64 random(1);
    Spsa whole(options(false));
    climb(whole, 100, random);
    Spsa resumed(options(false));
    for (const auto& point : whole.history()) {
        resumed.restore({static_cast<double>(point[0]), static_cast<double>(point[1])});
    }
    EXPECT_EQ(resumed.finished(), 100U);
    EXPECT_NEAR(resumed.theta()[0], whole.theta()[0], 1e-5);
    EXPECT_EQ(resumed.start(100).flips, whole.start(100).flips);
}

TEST(Spsa, StepsShrink) {
    const Spsa spsa(options(false));
    const auto step = [&](std::uint64_t n) {
        const auto t = spsa.start(n);
        return std::abs(t.plus[0] - t.minus[0]) / 2;
    };
    EXPECT_GT(step(0), step(100));
    EXPECT_NEAR(step(7999), 0.3, 1e-9) << "c_end at the end of the run";
}

}  // namespace
}  // namespace karikomi::tune
