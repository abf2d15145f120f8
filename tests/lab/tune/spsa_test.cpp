// SPSA against opponents whose strength is a known function of the parameters.
#include "karikomi/lab/tune/spsa.hpp"

#include <array>
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

// Games between the two points, without draws: wins minus losses of plus.
template <class Loss>
double play(const Spsa::Trial& t, std::uint64_t games, const Loss& lost, std::mt19937_64& random) {
    const double elo = lost(t.minus) - lost(t.plus);
    std::bernoulli_distribution wins(1 / (1 + std::pow(10.0, -elo / 400)));
    double result = 0;
    for (std::uint64_t i = 0; i < games; ++i) result += wins(random) ? 1 : -1;
    return result;
}

template <class Loss>
void climb(Spsa& spsa, std::uint64_t to, const Loss& lost, std::mt19937_64& random) {
    while (spsa.finished() < to) {
        const Spsa::Trial t = spsa.start(spsa.finished());
        spsa.finish(t, play(t, 2 * spsa.options().pairs, lost, random));
    }
}

TEST(Spsa, FindsTheOptimum) {
    for (const bool integer : {false, true}) {
        Spsa spsa(options(integer));
        std::mt19937_64 random(5);
        climb(spsa, 8000, loss, random);
        const auto e = spsa.estimates();
        EXPECT_NEAR(e[0].value, 3, 0.5);
        EXPECT_NEAR(e[1].value, 20, 6);
        EXPECT_GT(e[0].high, e[0].low);
        EXPECT_LT(e[0].high - e[0].low, 0.5);
    }
}

// A landscape to climb: each parameter begins some steps off its optimum, to either side, and all
// of them together lose a given Elo there. Steps are a twentieth of the range, rates the usual.
struct Landscape {
    SpsaOptions options;
    std::vector<double> best;
    std::vector<double> curvature;

    Landscape(std::size_t parameters, std::uint64_t pairs, double steps_off, double deficit,
              std::uint64_t seed) {
        std::mt19937_64 random(seed);
        options.trials = pairs;
        options.seed = seed;
        const std::array<double, 4> sizes = {20, 1, 4000, 60};
        for (std::size_t i = 0; i < parameters; ++i) {
            const double range = sizes[i % sizes.size()];
            const double c = range / 20;
            const double off = ((random() & 1U) != 0 ? steps_off : -steps_off) * c;
            options.params.push_back({"p", range / 2, 0, range, i % sizes.size() == 3, c,
                                      usual_rate(pairs, parameters)});
            best.push_back(range / 2 + off);
            curvature.push_back(deficit / static_cast<double>(parameters) / (off * off));
        }
    }
    double lost(const std::vector<double>& p) const {
        double sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            sum += curvature[i] * (p[i] - best[i]) * (p[i] - best[i]);
        }
        return sum;
    }
    Spsa climbed() const {
        Spsa spsa(options);
        std::mt19937_64 random(options.seed + 1000);
        climb(
            spsa, options.trials, [&](const auto& p) { return lost(p); }, random);
        return spsa;
    }
};

struct Sweep {
    double left = 0;     ///< mean Elo that is still lost
    double covered = 0;  ///< share of intervals that hold the optimum
    double arrived = 0;
    double width = 0;  ///< mean, in steps
};
Sweep sweep(int runs, std::size_t parameters, std::uint64_t pairs, double steps_off, double deficit,
            double rate = 0) {
    Sweep out;
    for (int run = 0; run < runs; ++run) {
        Landscape land(parameters, pairs, steps_off, deficit, static_cast<std::uint64_t>(run) + 1);
        for (SpsaParam& p : land.options.params) p.r_end = rate > 0 ? rate : p.r_end;
        const auto estimates = land.climbed().estimates();
        std::vector<double> values;
        for (std::size_t i = 0; i < parameters; ++i) {
            const Spsa::Estimate& e = estimates[i];
            values.push_back(e.value);
            const double share = 1.0 / static_cast<double>(parameters) / runs;
            out.covered += e.low <= land.best[i] && land.best[i] <= e.high ? share : 0;
            out.arrived += e.arrived() ? share : 0;
            out.width += share * (e.high - e.low) / land.options.params[i].c_end;
        }
        out.left += land.lost(values) / runs;
    }
    return out;
}

TEST(Spsa, ARunOfUsualLengthArrivesAndItsIntervalsHold) {
    // Four parameters, 40 Elo lost at the start, 2000 games.
    const Sweep near = sweep(200, 4, 1000, 1, 40);
    EXPECT_LT(near.left, 5);
    EXPECT_GT(near.covered, 0.80);
    EXPECT_LT(near.covered, 0.97);
    EXPECT_LT(near.width, 1.5) << "and they say something";
    const Sweep far = sweep(200, 4, 1000, 2, 40);
    EXPECT_LT(far.left, 10);
    EXPECT_GT(far.covered, 0.80);
    EXPECT_LT(far.covered, 0.97);
}

TEST(Spsa, SaysWhenItHasNotArrived) {
    const Sweep slow = sweep(50, 4, 1000, 1, 40, 0.002);
    EXPECT_GT(slow.left, 8);
    EXPECT_LT(slow.arrived, 0.2);
    EXPECT_GT(slow.covered, 0.75) << "the interval is where the path does not reach";
}

TEST(Spsa, ClimbsWithManyParameters) {
    const Sweep many = sweep(4, 32, 6000, 2, 80);
    EXPECT_LT(many.left, 45);
    EXPECT_GT(many.covered, 0.80);
}

TEST(Spsa, ManyPairsInATrialAreAsGoodAsManyTrials) {
    Landscape land(4, 1000, 2, 40, 3);
    land.options.trials = 125;
    land.options.pairs = 8;
    EXPECT_EQ(land.options.all_pairs(), 1000U);
    double left = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        land.options.seed = seed;
        std::vector<double> values;
        for (const auto& e : land.climbed().estimates()) values.push_back(e.value);
        left += land.lost(values) / 20;
    }
    EXPECT_LT(left, 12);
}

TEST(Spsa, TheUsualRateFallsWithTheRunAndTheParameters) {
    EXPECT_EQ(usual_rate(1'000'000, 4), 0.002);
    EXPECT_GT(usual_rate(1000, 4), 0.02);
    EXPECT_GT(usual_rate(1000, 4), usual_rate(1000, 40));
    EXPECT_GT(usual_rate(1000, 4), usual_rate(8000, 4));
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

TEST(Spsa, RoundsWholeNumbersSoThatTheirMeanIsThePoint) {
    SpsaOptions o = options(true);
    o.params[1].start = 20.3;
    const Spsa spsa(o);
    double sum = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Spsa::Trial t = spsa.start(i);
        sum += (t.plus[1] + t.minus[1]) / 2;
    }
    EXPECT_NEAR(sum / 4000, 20.3, 0.4);
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
    Spsa resumed(options(false));
    for (std::uint64_t k = 0; k < 100; ++k) {
        const Spsa::Trial t = whole.start(k);
        const double result = play(t, 2, loss, random);
        whole.finish(t, result);
        resumed.restore({t.plus, t.minus, t.shifts, result}, whole.theta());
    }
    EXPECT_EQ(resumed.finished(), 100U);
    EXPECT_EQ(resumed.theta(), whole.theta());
    EXPECT_EQ(resumed.estimates()[1].low, whole.estimates()[1].low);
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
