/// Self-play and fitting: the same games whoever plays them, resumable, and fits that learn.
#include <filesystem>

#include <gtest/gtest.h>

#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/solver.hpp"
#include "karikomi/games/othello/training/fit.hpp"
#include "karikomi/games/othello/training/self_play.hpp"
#include "tests/cli/process.hpp"
#include "tests/games/self_play_cases.hpp"

namespace karikomi::othello {
namespace {

namespace fs = std::filesystem;

class OthelloTraining : public testing::Test {
public:
    SelfPlayOptions options(const std::string& name) const {
        SelfPlayOptions o;
        o.folder = folder_ / name;
        o.chunks = 3;
        o.games_per_chunk = 20;
        o.depth = 1;
        o.solve_from = 8;
        o.seed = 9;
        return o;
    }
    std::vector<Sample> play(const SelfPlayOptions& o) const {
        const auto done = play_games(std::make_shared<const Weights>(), o);
        EXPECT_TRUE(done);
        return *read_chunks({o.folder});
    }

    static bool same(const std::vector<Sample>& a, const std::vector<Sample>& b) {
        return a.size() == b.size() &&
               std::equal(a.begin(), a.end(), b.begin(), [](const Sample& x, const Sample& y) {
                   return x.own == y.own && x.other == y.other && x.value == y.value;
               });
    }
    static fs::path first_chunk(const SelfPlayOptions& o) { return chunk_path(o.folder, 0); }

    const tests::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

TEST_F(OthelloTraining, TheWholeSearchPlaysTooAndTheSameOnAnyThreads) {
    SelfPlayOptions o = options("whole");
    o.games_per_chunk = 2;
    o.nodes = 200;
    const auto play_with = [&](const SelfPlayOptions& with) {
        EXPECT_TRUE(play_games(built_in_weights(), with));
        return *read_chunks({with.folder});
    };
    const std::vector<Sample> one = play_with(o);
    EXPECT_GT(one.size(), 200u);
    SelfPlayOptions two = o;
    two.folder = folder_ / "whole_two";
    two.threads = 2;
    EXPECT_TRUE(same(play_with(two), one));
    SelfPlayOptions plain = o;
    plain.folder = folder_ / "plain";
    plain.nodes = 0;
    EXPECT_FALSE(same(play_with(plain), one));
}

TEST_F(OthelloTraining, GamesDependOnTheSeedAndNotOnTheThreads) {
    tests::expect_games_of_the_seed(*this);
}

TEST_F(OthelloTraining, AnInterruptedRunGoesOnWithWhatIsMissing) {
    tests::expect_resumed_games(*this);
}

TEST_F(OthelloTraining, LateLabelsAreExact) {
    Solver solver(SolverOptions{.hash_megabytes = 4});
    int checked = 0;
    for (const Sample& s : play(options("labels"))) {
        const Board board{s.own, s.other};
        if (board.empties() > 8) continue;
        ASSERT_EQ(s.exact, 1);
        ASSERT_EQ(solver.solve(board).score * kDisc, s.value);
        ++checked;
    }
    EXPECT_GT(checked, 200);
}

TEST_F(OthelloTraining, AFitLearnsARuleThatItIsShown) {
    // Made-up truth: the score is what the corners say. Patterns can express that exactly.
    SelfPlayOptions varied = options("rule");
    varied.random_share = 0.5f;
    varied.games_per_chunk = 300;
    auto samples = play(varied);
    constexpr Bits kCornerSquares = 0x8100000000000081ULL;
    for (Sample& s : samples) {
        const int corners =
            std::popcount(s.own & kCornerSquares) - std::popcount(s.other & kCornerSquares);
        s.value = static_cast<std::int16_t>(10 * kDisc * corners);
    }
    const auto untrained = judge(samples, Weights());
    const Fit fit = fit_weights(samples, {});
    double before = 0;
    double after = 0;
    for (int p = 15; p < kPhases; ++p) {
        before += untrained[static_cast<std::size_t>(p)].held_out_mae;
        after += fit.errors[static_cast<std::size_t>(p)].held_out_mae;
    }
    EXPECT_GT(before, 20.0);
    EXPECT_LT(after, before / 2);
}

TEST_F(OthelloTraining, ARefinedFitKeepsWhatItsSamplesSayNothingAbout) {
    const auto samples = play(options("few"));
    const Weights& before = *built_in_weights();
    FitOptions held;
    held.refine = &before;
    held.ridge = 1e9f;
    EXPECT_EQ(fit_weights(samples, held).weights.id(), before.id());
    held.ridge = 20;
    const Weights refined = fit_weights(samples, held).weights;
    int same_weights = 0;
    int all = 0;
    for (int p = 0; p < kPhases; ++p) {
        for (int i = 0; i < kWeightLayout.size; ++i, ++all) {
            same_weights += static_cast<int>(refined.phase(p)[i] == before.phase(p)[i]);
        }
    }
    EXPECT_LT(same_weights, all) << "the samples changed nothing";
    EXPECT_GT(same_weights, all / 2) << "60 games cannot know most contents";
}

TEST_F(OthelloTraining, ADamagedChunkIsNamed) {
    const SelfPlayOptions o = options("damaged");
    (void)play(o);
    fs::resize_file(chunk_path(o.folder, 1), 5 * sizeof(Sample) + 1);
    const auto read = read_chunks({o.folder});
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().what.find("chunk_000001"), std::string::npos);
}

}  // namespace
}  // namespace karikomi::othello
