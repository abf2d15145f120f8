/// Self-play for training: the same games whoever plays them, and by the parameters asked for.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/shogi/engine.hpp"
#include "karikomi/games/shogi/training/self_play.hpp"
#include "tests/cli/process.hpp"
#include "tests/games/self_play_cases.hpp"

namespace karikomi::shogi {
namespace {

namespace fs = std::filesystem;

class ShogiTraining : public testing::Test {
public:
    SelfPlayOptions options(const std::string& name) const {
        SelfPlayOptions o;
        o.folder = folder_ / name;
        o.chunks = 2;
        o.games_per_chunk = 1;
        o.nodes = 100;
        o.longest = 60;
        o.seed = 9;
        return o;
    }
    std::string play(const SelfPlayOptions& o) const {
        const auto done = play_games(o);
        EXPECT_TRUE(done);
        std::string all;
        for (int chunk = 0; chunk < o.chunks; ++chunk) {
            std::ifstream in(chunk_path(o.folder, chunk), std::ios::binary);
            all.append(std::istreambuf_iterator<char>(in), {});
        }
        return all;
    }
    /// The shipped parameters, all techniques off.
    std::string other_params() const {
        const auto engine = make_engine();
        SearchParams params = (*engine)->params();
        params.selective.disable_all();
        const std::string file = (folder_ / "params.json").string();
        std::ofstream(file) << write_params(params, (*engine)->info(), Json::object()).dump();
        return file;
    }

    static bool same(const std::string& a, const std::string& b) { return a == b; }
    static fs::path first_chunk(const SelfPlayOptions& o) { return chunk_path(o.folder, 0); }

    const tests::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

TEST_F(ShogiTraining, GamesDependOnTheSeedAndNotOnTheThreads) {
    tests::expect_games_of_the_seed(*this);
    EXPECT_GT(fs::file_size(first_chunk(options("one"))), 10 * sizeof(Sample));
}

TEST_F(ShogiTraining, AnInterruptedRunGoesOnWithWhatIsMissing) {
    tests::expect_resumed_games(*this);
}

/// Exactly the positions before the last random move are marked, so marked ones come first.
TEST_F(ShogiTraining, MarksPositionsBeforeARandomMove) {
    int strayed = 0;
    int straight = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        SelfPlayOptions o = options(std::to_string(seed));
        o.chunks = 1;
        o.nodes = 20;
        o.seed = seed;
        const std::string all = play(o);
        std::vector<Sample> game(all.size() / sizeof(Sample));
        std::memcpy(game.data(), all.data(), game.size() * sizeof(Sample));
        const auto marked = [](const Sample& s) { return (s.flags & Sample::kStrayed) != 0; };
        EXPECT_TRUE(std::ranges::is_partitioned(game, marked)) << seed;
        ++(std::ranges::any_of(game, marked) ? strayed : straight);
    }
    EXPECT_GT(strayed, 0);
    EXPECT_GT(straight, 0);
}

TEST_F(ShogiTraining, PlaysByTheParametersAskedFor) {
    SelfPlayOptions other = options("other");
    other.params = other_params();
    EXPECT_NE(play(other), play(options("shipped")));
}

TEST_F(ShogiTraining, SaysWhichFileCannotBeUsed) {
    SelfPlayOptions o = options("none");
    o.params = (folder_ / "missing.json").string();
    EXPECT_FALSE(play_games(o));
    o.params = other_params();
    o.weights = "none";  // the parameters are for another evaluation
    EXPECT_FALSE(play_games(o));
}

/// The trainer's targets are Python, with examples in their text. They need Debian's python3-numpy.
TEST(ShogiTrainer, TargetsLookAheadWithinTheirGame) {
    const std::string python = "/usr/bin/python3";
    if (tests::run({python, "-c", "import numpy"}).exit_code != 0) {
        GTEST_SKIP() << "no python3-numpy";
    }
    const std::string file = std::string(KARIKOMI_SOURCE_DIR) + "/train/shogi/samples.py";
    const tests::Output checked = tests::run({python, "-B", "-m", "doctest", "-v", file});
    EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
    EXPECT_NE(checked.out.find(" tests in samples.looking_ahead"), std::string::npos)
        << checked.out;
}

}  // namespace
}  // namespace karikomi::shogi
