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

std::vector<Sample> samples_of(const fs::path& file) {
    std::vector<Sample> all(fs::file_size(file) / sizeof(Sample));
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(all.data()),
            static_cast<std::streamsize>(all.size() * sizeof(Sample)));
    return all;
}

/// Positions inside the searches: quiet, without values, and none of a game that judges.
TEST_F(ShogiTraining, KeepsPositionsOfTheTree) {
    SelfPlayOptions o = options("leaves");
    o.leaves = 5;
    o.games_per_chunk = 2;
    const auto done = play_games(o);
    ASSERT_TRUE(done);
    std::size_t count = 0;
    for (int chunk = 0; chunk < o.chunks; ++chunk) {
        for (const Sample& s : samples_of(leaves_path(o.folder, chunk))) {
            const auto board = unpack(s);
            ASSERT_TRUE(board);
            EXPECT_FALSE(board->in_check());
            EXPECT_EQ(s.score, 0);
            ++count;
        }
    }
    EXPECT_GT(count, 50U);
    EXPECT_EQ(done->leaves, count);
    SelfPlayOptions without = options("without");
    without.games_per_chunk = 2;
    play(without);
    EXPECT_FALSE(fs::exists(leaves_path(without.folder, 0)));
    SelfPlayOptions again = options("again");
    again.leaves = 5;
    again.games_per_chunk = 2;
    again.chunks = 1;
    play(again);
    EXPECT_TRUE(std::ranges::equal(
        samples_of(leaves_path(again.folder, 0)), samples_of(leaves_path(o.folder, 0)),
        [](const Sample& a, const Sample& b) { return std::memcmp(&a, &b, sizeof(Sample)) == 0; }));
}

/// Some of them are searched too: samples whose result says nothing, behind those of their game.
TEST_F(ShogiTraining, SearchesSomePositionsOfTheTree) {
    SelfPlayOptions o = options("side");
    o.leaves = 5;
    o.side_every = 2;
    o.games_per_chunk = 3;
    o.chunks = 1;
    ASSERT_TRUE(play_games(o));
    const std::vector<Sample> all = samples_of(first_chunk(o));
    std::size_t side = 0;
    for (const Sample& s : all) {
        if (s.ply != 1) continue;
        ++side;
        EXPECT_NE(s.flags & Sample::kStrayed, 0);
        EXPECT_EQ(s.result, 0);
    }
    EXPECT_GT(side, 5U);
    EXPECT_LT(side, all.size() / 2);
    o = options("no_leaves");
    o.side_every = 2;
    ASSERT_TRUE(play_games(o));
    EXPECT_TRUE(std::ranges::none_of(samples_of(first_chunk(o)),
                                     [](const Sample& s) { return s.ply == 1; }));
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
