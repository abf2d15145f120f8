// ProbCut and Multi-ProbCut against their own theory, on trees where the theory is exact.
//
// Why the cuts' errors must come out as predicted: a probe to depth s sees nothing of the noise
// behind the s-th ply, so given the exact shallow value the chance of a wrong cut is the normal
// tail that the calibration states. That stays true for whatever the search did before, as long as
// no earlier probe looked further down the same line. Hence: no iterative deepening, null windows
// (a re-search would meet the table entries of the first one), and probes whose horizon only moves
// down. Cuts in one tree lie in disjoint subtrees, because nothing is tried below a cut.
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "karikomi/core/legacy.hpp"
#include "karikomi/core/worker.hpp"
#include "tests/synthetic/tree_game.hpp"

namespace karikomi::synthetic {
namespace {

/// Scores shrink towards zero and each move gains a little; some nodes refuse the techniques.
constexpr Config kDrifting{
    .rho = 0.95, .drift = 12.0, .tau = 40.0, .check_share = 0.05, .pass_share = 0.05};
/// A random walk, for which the smooth model is exact too.
constexpr Config kWalking{.rho = 1.0, .drift = 12.0, .tau = 40.0};

struct Level {
    double p = 0.0;
    double z = 0.0;
};
constexpr Level kLevels[] = {{0.73, 0.613}, {0.87, 1.126}, {0.95, 1.645}};
constexpr double kTwoSided99 = 2.576;

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// P(X >= k) for X ~ Binomial(n, q).
double binomial_tail(int n, double q, int k) {
    double sum = 0.0;
    for (int i = k; i <= n; ++i) {
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) +
                        i * std::log(q) + (n - i) * std::log1p(-q));
    }
    return sum;
}

Value exact_value(const Position& pos, Depth depth) {
    return Legacy<Tree>(pos).search(-kInfinity, kInfinity, depth, 0);
}

bool reaches(const Position& pos, Depth depth, Value bound) {
    return Legacy<Tree>(pos).search(bound - 1, bound, depth, 0) >= bound;
}

// ---- The closed form ------------------------------------------------------------------------

struct Fit {
    Regression r;
    double a_error = 0.0;  ///< standard errors
    double b_error = 0.0;
    double sigma_error = 0.0;
};

Fit fit(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
    double xx = 0.0;
    double xy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    Fit f;
    f.r.a = xy / xx;
    f.r.b = mean_y - f.r.a * mean_x;
    double squares = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double residual = y[i] - f.r.a * x[i] - f.r.b;
        squares += residual * residual;
    }
    f.r.sigma = std::sqrt(squares / (n - 2.0));
    f.a_error = f.r.sigma / std::sqrt(xx);
    f.b_error = f.r.sigma * std::sqrt(1.0 / n + mean_x * mean_x / xx);
    f.sigma_error = f.r.sigma / std::sqrt(2.0 * n);
    return f;
}

struct Family {
    const char* name = "";
    const Config* config = nullptr;
};
/// Without it GoogleTest names the test after an address, another one in each run.
void PrintTo(const Family& f, std::ostream* out) {
    *out << f.name;
}

class SyntheticClosedForm : public testing::TestWithParam<Family> {};

TEST_P(SyntheticClosedForm, RegressionOfMinimaxValuesAgrees) {
    const Config& config = *GetParam().config;
    constexpr Depth kDeepest = 7;
    constexpr int kRoots = 6000;
    std::vector<std::vector<double>> values(kDeepest + 1);
    for (std::uint64_t seed = 1; seed <= kRoots; ++seed) {
        const Position root(config, seed);
        for (Depth d = 0; d <= kDeepest; ++d) {
            values[static_cast<std::size_t>(d)].push_back(exact_value(root, d));
        }
    }
    // Both parities of either depth, so that a wrong sign of the drift cannot hide.
    for (const DepthPair pair : {DepthPair{0, 1}, {0, 4}, {1, 4}, {1, 5}, {2, 5}, {2, 6}, {3, 7}}) {
        const Fit f = fit(values[static_cast<std::size_t>(pair.shallow)],
                          values[static_cast<std::size_t>(pair.deep)]);
        const Regression truth = true_regression(config, pair.shallow, pair.deep);
        SCOPED_TRACE(std::to_string(pair.shallow) + " -> " + std::to_string(pair.deep));
        EXPECT_NEAR(f.r.a, truth.a, 3.5 * f.a_error);
        EXPECT_NEAR(f.r.b, truth.b, 3.5 * f.b_error);
        EXPECT_NEAR(f.r.sigma, truth.sigma, 3.5 * f.sigma_error);
        if (((pair.deep - pair.shallow) & 1) != 0) {
            // The drift of the other side to move would be noticed.
            EXPECT_GT(std::abs(f.r.b + truth.b), 7.0 * f.b_error);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Configs, SyntheticClosedForm,
                         testing::Values(Family{"drifting", &kDrifting},
                                         Family{"walking", &kWalking}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SyntheticTree, PrincipalPathIsAlwaysBest) {
    int different = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Position pos(kDrifting, seed);
        const Value value = exact_value(pos, 6);
        Undo undo;
        for (int i = 0; i < 6; ++i) pos.make(Move::from_index(pos.principal()), undo);
        different += value != Evaluator{}.evaluate(pos) ? 1 : 0;
    }
    EXPECT_EQ(different, 0);
}

TEST(SyntheticTree, NoiseIsStandardNormal) {
    constexpr int kDraws = 200'000;
    double sum = 0.0;
    double squares = 0.0;
    double below_minus_one = 0.0;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
        const double z = normal_of(splitmix64(i));
        sum += z, squares += z * z, below_minus_one += z < -1.0 ? 1.0 : 0.0;
    }
    EXPECT_NEAR(sum / kDraws, 0.0, 4.0 / std::sqrt(kDraws));
    EXPECT_NEAR(squares / kDraws, 1.0, 4.0 * std::sqrt(2.0 / kDraws));
    EXPECT_NEAR(below_minus_one / kDraws, normal_cdf(-1.0), 4.0 * 0.37 / std::sqrt(kDraws));
}

TEST(SyntheticTree, UndoRestoresAndStagesTogetherAreAllMoves) {
    constexpr Config kMixed{.branching = 12, .tactical_share = 0.4};
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Position pos(kMixed, seed);
        const Key key = pos.key();
        const double score = pos.score();
        MovesOf<Tree> all;
        MovesOf<Tree> staged;
        pos.generate(all);
        pos.generate_tactical(staged);
        pos.generate_quiet(staged);
        EXPECT_EQ(all.size(), 12u);
        EXPECT_EQ(staged.size(), 12u);
        for (const auto& m : all) {
            const Value promised = Evaluator{}.evaluate_move(pos, m.move);
            Undo undo;
            pos.make(m.move, undo);
            EXPECT_NE(pos.key(), key);
            EXPECT_EQ(pos.side(), 1);
            EXPECT_EQ(-Evaluator{}.evaluate(pos), promised);
            pos.unmake(m.move, undo);
            EXPECT_EQ(pos.key(), key);
            EXPECT_EQ(pos.score(), score);
        }
    }
}

TEST(SyntheticTree, EndsInADrawWhereTheConfigSaysSo) {
    constexpr Config kShort{.max_ply = 5};
    const Position root(kShort, 1);
    EXPECT_NE(exact_value(root, 4), 0);
    EXPECT_EQ(exact_value(root, 5), 0);
    EXPECT_EQ(exact_value(root, 9), 0);
}

// ---- The cuts -------------------------------------------------------------------------------

struct Experiment {
    const Config* config = nullptr;
    SearchParams params;
    Depth depth = 0;
    Depth shallow = 0;  ///< of the root's first probe: windows are laid around its value
    double z = 0.0;
    bool low_side = true;  ///< draw windows for cuts on the low side too
    int roots = 0;
};

struct Tally {
    int cuts = 0;
    int close = 0;  ///< cuts whose own error probability is not negligible
    int high = 0;   ///< close ones that claim value >= beta
    int inner = 0;  ///< close ones below the root
    int wrong = 0;
    double expected = 0.0;
    double variance = 0.0;
    int unfounded = 0;  ///< the exact shallow value does not reach the bound

    bool agrees() const { return std::abs(wrong - expected) <= kTwoSided99 * std::sqrt(variance); }
};

Regression used_regression(const Calibration& c, int stage, Depth shallow, Depth deep) {
    if (const Regression* r = c.cell(stage, shallow, deep)) return *r;
    return *c.model(stage, shallow, deep);
}

/// Chance that the claim is wrong, given a shallow value. Values are rounded scores, hence the
/// halves.
double error_probability(const CutRecord<Tree>& c, const Regression& r, Value shallow) {
    const double centre = r.a * shallow + r.b;
    if (c.high) return normal_cdf((c.beta - 0.5 - centre) / r.sigma);
    return normal_cdf((centre - c.alpha - 0.5) / r.sigma);
}

void audit(const CutRecord<Tree>& c, const Experiment& e, Tally& t) {
    const Regression r = used_regression(e.params.calibration, c.stage, c.shallow, c.depth);
    const Value shallow = exact_value(c.position, c.shallow);
    const bool founded = c.high ? shallow >= r.high_bound(c.beta, e.z) - 0.51
                                : shallow <= r.low_bound(c.alpha, e.z) + 0.51;
    const double p = error_probability(c, r, shallow);
    const bool right =
        c.high ? reaches(c.position, c.depth, c.beta) : !reaches(c.position, c.depth, c.alpha + 1);
    ++t.cuts;
    t.unfounded += founded ? 0 : 1;
    t.wrong += right ? 0 : 1;
    t.expected += p;
    t.variance += p * (1.0 - p);
    if (p < 0.1 * (1.0 - normal_cdf(e.z))) return;
    ++t.close;
    t.high += c.high ? 1 : 0;
    t.inner += c.depth < e.depth ? 1 : 0;
}

/// A null window that the root's first probe will find close: between half a sigma short of a cut
/// and one sigma beyond. It depends on the shallow value, which the probe is going to see anyway,
/// and on nothing behind it.
Value close_beta(const Position& root, std::uint64_t seed, const Experiment& e) {
    const Regression r = used_regression(e.params.calibration, root.stage(), e.shallow, e.depth);
    const double margin = e.z - 0.5 + 1.5 * uniform_of(splitmix64(~seed));
    const double centre = r.a * exact_value(root, e.shallow) + r.b;
    const bool high = !e.low_side || (splitmix64(seed ^ 0x5EEDull) & 1) != 0;
    const double edge = high ? centre - margin * r.sigma : centre + margin * r.sigma + 1.0;
    return static_cast<Value>(std::lround(edge));
}

/// Runs the searches and gives each recorded cut to `check`.
template <class Check>
void for_each_cut(const Experiment& e, std::uint64_t first_seed, Check&& check) {
    TranspositionTable table(1);
    Shared shared{table, e.params};
    Observer<Tree> observer;
    observer.wants_cuts = true;
    Worker<Tree> worker;
    worker.observe(&observer);
    worker.prepare(shared, Position(*e.config, first_seed));
    for (int i = 0; i < e.roots; ++i) {
        const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
        const Position root(*e.config, seed, i % 24);
        const Value beta = close_beta(root, seed, e);
        table.new_search();
        worker.position() = root;  // all that prepare() would change here, and much cheaper
        observer.cuts.clear();
        worker.search_window(beta - 1, beta, e.depth);
        for (const CutRecord<Tree>& c : observer.cuts) check(c);
    }
}

Tally run(const Experiment& e, std::uint64_t first_seed) {
    Tally t;
    for_each_cut(e, first_seed, [&](const CutRecord<Tree>& c) { audit(c, e, t); });
    return t;
}

enum class Form { Basic, Staged, PairsNull, PairsFull, ModelNull, ModelFull };
constexpr Form kForms[] = {Form::Basic,     Form::Staged,    Form::PairsNull,
                           Form::PairsFull, Form::ModelNull, Form::ModelFull};

std::string name_of(Form f) {
    constexpr const char* kNames[] = {"probcut_basic",  "probcut_staged", "mpc_pairs_null",
                                      "mpc_pairs_full", "mpc_model_null", "mpc_model_full"};
    return kNames[static_cast<int>(f)];
}

Experiment probcut_experiment(Form form, double z, double sigma_factor) {
    Experiment e;
    e.config = &kDrifting;
    e.depth = 8;
    e.shallow = 4;
    e.z = z;
    ProbCut::Params& p = e.params.selective.of<ProbCut>();
    e.params.selective.disable_all();
    p.enabled = true;
    p.by_phase = false;
    p.depth_reduction = 4;
    p.t = static_cast<float>(z);
    p.min_depth = 5;
    p.alpha_skip = 20.0f;  // both sides are always tested, whatever the first probe returned
    if (form == Form::Staged) {
        // In the root only: a child's first stage would look less far than its parent's last one.
        p.variant = ProbCut::Variant::Staged;
        p.min_depth = e.depth;
        p.stage_reductions = {4, 3, 2};
        p.stage_t.fill(static_cast<float>(z));
        e.low_side = false;  // this variant has no cut on the low side
    }
    e.params.calibration = true_calibration(*e.config, kStages, 8, sigma_factor);
    return e;
}

/// sigma = tau*sqrt(d-s) is not log-linear, but with a random walk (a = 1, b = 0 for even d-s) two
/// differences can be met exactly, and remaining depths 5..9 need only 4 and 6.
CalibrationModel walking_model(double sigma_factor) {
    CalibrationModel m;
    const double at_4 = std::log(sigma_factor * true_regression(kWalking, 4, 8).sigma);
    const double at_6 = std::log(sigma_factor * true_regression(kWalking, 3, 9).sigma);
    const double slope = (at_6 - at_4) / 2.0;
    m.log_sigma = {at_4 - 4.0 * slope, 0.0, -slope, slope, 0.0, 0.0, 0.0};
    return m;
}

Experiment mpc_experiment(Form form, double z, double sigma_factor) {
    const bool model = form == Form::ModelNull || form == Form::ModelFull;
    const bool null = form == Form::PairsNull || form == Form::ModelNull;
    Experiment e;
    e.z = z;
    MultiProbCut::Params& p = e.params.selective.of<MultiProbCut>();
    e.params.selective.disable_all();
    p.enabled = true;
    p.window = null ? MultiProbCut::Window::Null : MultiProbCut::Window::Full;
    p.t = static_cast<float>(z);
    p.min_depth = 5;
    if (model) {
        e.config = &kWalking;
        e.depth = 9;
        e.shallow = 3;
        p.mode = MultiProbCut::Mode::Model;
        e.params.calibration = Calibration(kStages, {}, walking_model(sigma_factor), "");
        return e;
    }
    // One pair for each depth: after a deeper pair has failed, a shallower one's regression no
    // longer tells the truth (SyntheticMultiProbCut below shows it).
    constexpr DepthPair kPairs[] = {{2, 5}, {4, 8}};
    e.config = &kDrifting;
    e.depth = 8;
    e.shallow = 4;
    p.mode = MultiProbCut::Mode::Pairs;
    p.pair_shallow = {2, 4};
    p.pair_deep = {5, 8};
    e.params.calibration = true_calibration(*e.config, kStages, kPairs, sigma_factor);
    return e;
}

Experiment experiment(Form form, double z, double sigma_factor = 1.0) {
    if (form == Form::Basic || form == Form::Staged) {
        return probcut_experiment(form, z, sigma_factor);
    }
    return mpc_experiment(form, z, sigma_factor);
}

void report(const std::string& name, const Level& level, const Tally& t) {
    std::printf(
        "[ %-22s p=%.2f ] cuts %d, close %d (high %d, inner %d), wrong %d, expected %.1f +- %.1f, "
        "wrong/close %.4f\n",
        name.c_str(), level.p, t.cuts, t.close, t.high, t.inner, t.wrong, t.expected,
        std::sqrt(t.variance), t.close > 0 ? static_cast<double>(t.wrong) / t.close : 0.0);
}

struct Case {
    Form form = Form::Basic;
    Level level;
};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Form form : kForms) {
        for (const Level& level : kLevels) cases.push_back({form, level});
    }
    return cases;
}

std::string name_of(const Case& c) {
    const auto percent = static_cast<int>(std::lround(100.0 * c.level.p));
    return name_of(c.form) + "_" + std::to_string(percent);
}
void PrintTo(const Case& c, std::ostream* out) {
    *out << name_of(c);
}

class SyntheticTheory : public testing::TestWithParam<Case> {
protected:
    /// Roots of its own for each case: the noise is in the hashes, so that equal roots would make
    /// all cases one single sample.
    std::uint64_t first_seed(int test) const {
        const auto form = static_cast<std::uint64_t>(GetParam().form);
        const auto percent = static_cast<std::uint64_t>(std::lround(100.0 * GetParam().level.p));
        return (static_cast<std::uint64_t>(test) * 10 + form) * 100'000'000 + percent * 1'000'000;
    }
};

TEST_P(SyntheticTheory, WrongCutsAreAsManyAsTheModelSays) {
    const auto& [form, level] = GetParam();
    Experiment e = experiment(form, level.z);
    e.roots = 8000;
    const Tally t = run(e, first_seed(1));
    report(name_of(form), level, t);
    ASSERT_GE(t.expected, 30.0) << "not enough cuts to tell anything";
    EXPECT_GT(t.high, t.close / 4);
    if (e.low_side) {
        EXPECT_LT(t.high, t.close * 3 / 4);
    }
    EXPECT_EQ(t.unfounded, 0) << "cuts that the exact shallow value does not support";
    // The promise: at most 1 - p, and this over close calls alone, where it is hardest to keep.
    EXPECT_GE(binomial_tail(t.close, 1.0 - normal_cdf(level.z), t.wrong), 0.01);
    // The theory: exactly as many as the single cuts' own probabilities add up to.
    EXPECT_TRUE(t.agrees()) << t.wrong << " wrong cuts, " << t.expected << " expected";
}

TEST_P(SyntheticTheory, HalvedSigmaIsFoundOut) {
    const auto& [form, level] = GetParam();
    Experiment e = experiment(form, level.z, 0.5);
    e.roots = 4000;
    const Tally t = run(e, first_seed(2));
    report(name_of(form) + " sigma/2", level, t);
    EXPECT_FALSE(t.agrees()) << t.wrong << " wrong cuts, " << t.expected << " expected";
    // At 73 % the promise itself is so weak that half the sigma hardly breaks it.
    if (level.p > 0.8) {
        EXPECT_LT(binomial_tail(t.close, 1.0 - normal_cdf(level.z), t.wrong), 0.01);
    }
}
INSTANTIATE_TEST_SUITE_P(Forms, SyntheticTheory, testing::ValuesIn(all_cases()),
                         [](const auto& test) { return name_of(test.param); });

/// Both windows must decide alike: the null window is only the cheaper way to ask. (At the root;
/// further down they may visit other nodes, because they leave other moves in the table.)
TEST(SyntheticMultiProbCut, NullAndFullWindowCutTheSameRoots) {
    for (const auto& [null, full] : {std::pair{Form::PairsNull, Form::PairsFull},
                                     std::pair{Form::ModelNull, Form::ModelFull}}) {
        std::vector<std::pair<Key, bool>> cuts[2];
        for (std::size_t i = 0; i < 2; ++i) {
            Experiment e = experiment(i == 0 ? null : full, 1.126);
            e.roots = 500;
            for_each_cut(e, 3'000'000'000, [&](const CutRecord<Tree>& c) {
                if (c.depth == e.depth) cuts[i].emplace_back(c.position.key(), c.high);
            });
        }
        EXPECT_GT(cuts[0].size(), 200u);
        EXPECT_EQ(cuts[0], cuts[1]);
    }
}

/// Two pairs that both serve the root's depth, in the order in which they are tried.
Experiment two_pairs(const Level& level, const DepthPair& first, const DepthPair& second) {
    const DepthPair cells[] = {first, second};
    Experiment e = experiment(Form::PairsNull, level.z);
    MultiProbCut::Params& p = e.params.selective.of<MultiProbCut>();
    p.min_depth = e.depth;
    p.pair_shallow = {first.shallow, second.shallow};
    p.pair_deep = {first.deep, second.deep};
    e.params.calibration = true_calibration(*e.config, kStages, cells);
    e.shallow = 2;  // windows must not know what only the deeper probe can see
    e.roots = 20'000;
    return e;
}

/// The limit of the promise. When pairs are tried deepest first, as the source does, a shallower
/// pair that cuts after a deeper one declined bets against better knowledge, and errs more often
/// than 1 - p. What the deeper value says of the same cuts is right again.
TEST(SyntheticMultiProbCut, AShallowerPairAfterADeeperOneErrsMoreThanItSays) {
    constexpr Level kLevel = kLevels[1];
    const Experiment e = two_pairs(kLevel, {4, 8}, {2, 8});
    Tally nominal;
    Tally informed;
    for_each_cut(e, 3'100'000'000, [&](const CutRecord<Tree>& c) {
        if (c.shallow != 2) return;
        audit(c, e, nominal);
        const Regression deeper = used_regression(e.params.calibration, c.stage, 4, c.depth);
        const double p = error_probability(c, deeper, exact_value(c.position, 4));
        informed.expected += p;
        informed.variance += p * (1.0 - p);
    });
    informed.wrong = nominal.wrong;
    informed.cuts = nominal.cuts;
    report("(2,8) after (4,8)", kLevel, nominal);
    report("... given value at 4", kLevel, informed);
    ASSERT_GE(nominal.cuts, 200);
    EXPECT_FALSE(nominal.agrees());
    EXPECT_LT(binomial_tail(nominal.cuts, 1.0 - kLevel.p, nominal.wrong), 0.01);
    EXPECT_TRUE(informed.agrees());
}

/// Shallowest first, each later pair knows all that the earlier ones knew: both keep the promise.
TEST(SyntheticMultiProbCut, ADeeperPairAfterAShallowerOneKeepsThePromise) {
    constexpr Level kLevel = kLevels[1];
    const Experiment e = two_pairs(kLevel, {2, 8}, {4, 8});
    Tally tallies[2];
    for_each_cut(e, 3'200'000'000,
                 [&](const CutRecord<Tree>& c) { audit(c, e, tallies[c.shallow == 4 ? 1 : 0]); });
    report("(2,8) first", kLevel, tallies[0]);
    report("(4,8) after (2,8)", kLevel, tallies[1]);
    for (const Tally& t : tallies) {
        ASSERT_GE(t.expected, 30.0);
        EXPECT_TRUE(t.agrees());
        EXPECT_GE(binomial_tail(t.close, 1.0 - normal_cdf(kLevel.z), t.wrong), 0.01);
    }
}

}  // namespace
}  // namespace karikomi::synthetic
