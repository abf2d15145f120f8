// Samples in their file, and collecting them: nothing twice, nothing lost, whoever does the work.
#include "karikomi/lab/samples.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/collect.hpp"
#include "tests/cli/process.hpp"
#include "tests/lab/sample_files.hpp"

namespace karikomi::lab {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using tests::samples_of;
using tests::TemporaryFolder;

const Json kConditions = {{"game", "connect_four"}, {"depth", 3}};

Sample sample(const std::string& key, int stage = 0) {
    Sample s;
    s.key = key, s.position = "44" + key, s.stage = stage;
    s.static_value = 7;
    s.values = {10, kNoValue, -31'990};
    s.nodes = {7, 0, 99};
    return s;
}

std::vector<Sample> all_of(const SampleStore& store) {
    std::vector<Sample> out;
    store.for_each(0, [&](const Sample& s, bool) { out.push_back(s); });
    return out;
}

TEST(Samples, AreReadBackAsTheyWereWritten) {
    const TemporaryFolder folder;
    {
        const auto store = SampleStore::open(folder.file("db"), kConditions);
        ASSERT_TRUE(store);
        EXPECT_EQ((*store)->save("source", 3, {sample("a"), sample("b", 2)}), 2U);
    }
    const auto store = SampleStore::read(folder.file("db"));
    ASSERT_TRUE(store);
    EXPECT_EQ((*store)->conditions(), kConditions);
    const auto found = all_of(**store);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(to_json(found[0]), to_json(sample("a")));
    EXPECT_EQ(to_json(found[1]), to_json(sample("b", 2)));
    EXPECT_EQ(found[0].value(0), 7);
    EXPECT_EQ(found[0].value(1), 10);
    EXPECT_EQ(found[0].value(2), kNoValue) << "not reached";
    EXPECT_EQ(found[0].value(3), kNoValue) << "decisive";
    EXPECT_EQ(found[0].values[2], -31'990) << "... but kept";
    EXPECT_EQ((*store)->by_stage(), (std::map<int, std::size_t>{{0, 1}, {2, 1}}));
}

TEST(Samples, NoPositionAndNoGameIsThereTwice) {
    const TemporaryFolder folder;
    const auto store = SampleStore::open(folder.file("db"), kConditions);
    ASSERT_TRUE(store);
    EXPECT_EQ((*store)->save("source", 1, {sample("a"), sample("a")}), 1U);
    EXPECT_EQ((*store)->save("source", 1, {sample("z")}), 0U) << "the game is known";
    EXPECT_EQ((*store)->save("source", 2, {sample("a"), sample("c")}), 1U);
    EXPECT_EQ((*store)->save("other", 1, {sample("a")}), 0U);
    EXPECT_EQ((*store)->size(), 2U);
    EXPECT_EQ((*store)->done("source"), (std::set<std::uint64_t>{1, 2}));
}

TEST(Samples, OfOtherConditionsAreRefused) {
    const TemporaryFolder folder;
    (void)SampleStore::open(folder.file("db"), kConditions);
    const auto other =
        SampleStore::open(folder.file("db"), Json{{"game", "connect_four"}, {"depth", 4}});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().what, HasSubstr("depth 3, not 4"));
}

TEST(Samples, HoldingOutTakesWholeGamesInAboutTheShareAskedFor) {
    const TemporaryFolder folder;
    const auto store = SampleStore::open(folder.file("db"), kConditions);
    ASSERT_TRUE(store);
    for (std::uint64_t game = 0; game < 300; ++game) {
        (void)(*store)->save(
            "s", game, {sample(std::to_string(game) + "a"), sample(std::to_string(game) + "b")});
    }
    int held = 0;
    std::map<std::string, bool> by_game;
    (*store)->for_each(20, [&](const Sample& s, bool held_out) {
        held += held_out ? 1 : 0;
        const std::string game = s.key.substr(0, s.key.size() - 1);
        const auto [known, fresh] = by_game.emplace(game, held_out);
        EXPECT_TRUE(fresh || known->second == held_out) << "game " << game << " is torn";
    });
    EXPECT_NEAR(held, 120, 50);
}

// ---- Collecting ---------------------------------------------------------------------------------

CollectPlan small_plan() {
    CollectPlan plan;
    plan.game = "connect_four";
    const auto engine = make_engine(plan.game);
    plan.params = *measuring_params(**engine, (*engine)->params(), {});
    plan.depth = 3;
    plan.games = 12;
    plan.per_game = 4;
    plan.hash_mb = 1;
    return plan;
}

bool collect(const CollectPlan& plan, const std::string& file, int threads) {
    auto collector = Collector::make(plan, file);
    EXPECT_TRUE(collector) << collector.error().what;
    const auto queue = queue::make_local_queue(sample_makers(), threads);
    auto complete = (*collector)->run(*queue, {}, {});
    EXPECT_TRUE(complete) << complete.error().what;
    return *complete;
}

TEST(Collect, GivesTheSameSamplesOnAnyNumberOfThreadsAndAfterAnInterruption) {
    const TemporaryFolder folder;
    EXPECT_TRUE(collect(small_plan(), folder.file("one"), 1));
    EXPECT_TRUE(collect(small_plan(), folder.file("three"), 3));
    CollectPlan half = small_plan();
    half.games = 5;
    EXPECT_TRUE(collect(half, folder.file("halves"), 2));
    EXPECT_TRUE(collect(small_plan(), folder.file("halves"), 1));
    const auto whole = samples_of(folder.file("one"));
    EXPECT_GT(whole.size(), 30U);
    EXPECT_EQ(samples_of(folder.file("three")), whole);
    EXPECT_EQ(samples_of(folder.file("halves")), whole);
}

TEST(Collect, ValuesAreThoseOfAPlainSearch) {
    const TemporaryFolder folder;
    ASSERT_TRUE(collect(small_plan(), folder.file("db"), 1));
    const auto engine = make_engine("connect_four");
    int checked = 0;
    for (const Sample& s : all_of(**SampleStore::read(folder.file("db")))) {
        ASSERT_TRUE((*engine)->set_position(s.position));
        EXPECT_EQ((*engine)->stage(), s.stage);
        EXPECT_EQ((*engine)->static_value(), s.static_value);
        EXPECT_EQ(key_of(**engine), s.key);
        for (Depth d = 1; d <= 3; ++d) {
            if (s.value(d) == kNoValue) continue;
            SearchRequest request;
            request.limits.depth = d;
            request.legacy = true;
            EXPECT_EQ((*engine)->search(request)->lines.front().value, s.value(d)) << s.position;
            ++checked;
        }
    }
    EXPECT_GT(checked, 50);
}

TEST(Collect, BalanceLevelsTheStages) {
    const TemporaryFolder folder;
    CollectPlan plan = small_plan();
    plan.depth = 1, plan.games = 60, plan.style.stray = 0, plan.style.noise = 60;
    ASSERT_TRUE(collect(plan, folder.file("any"), 2));
    plan.balance = true;
    ASSERT_TRUE(collect(plan, folder.file("even"), 2));
    const auto spread = [](const std::string& file) {
        std::size_t least = 1'000'000, most = 0;
        for (const auto& [stage, n] : (*SampleStore::read(file))->by_stage()) {
            if (stage > 4) continue;  // games hardly ever get so far
            least = std::min(least, n), most = std::max(most, n);
        }
        return static_cast<double>(most) / static_cast<double>(least);
    };
    EXPECT_LT(spread(folder.file("even")), 0.8 * spread(folder.file("any")));
}

TEST(Collect, TakesGamesAndPositionsOfFiles) {
    const TemporaryFolder folder;
    const std::string games = folder.write("games.txt", "f5d6c3d3c4f4f6\nf5f6e6f4g6\n");
    const auto read = read_games("othello", {games});
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_THAT(*read, SizeIs(2));
    const auto engine = make_engine("othello");
    CollectPlan plan;
    plan.game = "othello";
    plan.params = *measuring_params(**engine, (*engine)->params(), {});
    plan.depth = 2, plan.per_game = 3, plan.given = *read, plan.given_name = "records";
    plan.games = 2;
    ASSERT_TRUE(collect(plan, folder.file("records"), 1));
    for (const Sample& s : all_of(**SampleStore::read(folder.file("records")))) {
        EXPECT_GE(s.ply, 0);
        EXPECT_LE(s.ply, 7);
    }
    EXPECT_GE(samples_of(folder.file("records")).size(), 5U);

    const std::string list = folder.write("positions.txt", "# two of them\nf5d6c3\nf5f6e6\n");
    const auto positions = read_positions(**engine, list);
    ASSERT_TRUE(positions) << positions.error().what;
    plan.given = *positions, plan.given_name = "positions";
    ASSERT_TRUE(collect(plan, folder.file("positions"), 1));
    EXPECT_THAT(samples_of(folder.file("positions")), SizeIs(2));
}

TEST(Collect, DoesNotLetTheEndgameSolverAnswer) {
    const TemporaryFolder folder;
    const auto engine = make_engine("othello");
    // Eleven empties: the solver would take over at once.
    const std::string late = folder.write(
        "late.txt", "XXXXXXX-XXOOOOX-XOXXOOX-XXOXXOO-XXXOXXO-XXXXOX-OXXXXXXO--X-XXX-- X\n");
    CollectPlan plan;
    plan.game = "othello";
    plan.params = *measuring_params(**engine, (*engine)->params(), {});
    plan.depth = 14, plan.given_name = "positions", plan.games = 1;
    const auto positions = read_positions(**engine, late);
    ASSERT_TRUE(positions) << positions.error().what;
    plan.given = *positions;
    ASSERT_TRUE(collect(plan, folder.file("db"), 1));
    const auto found = all_of(**SampleStore::read(folder.file("db")));
    ASSERT_THAT(found, SizeIs(1));
    for (std::size_t d = 0; d < 10; ++d) EXPECT_NE(found[0].values[d], kNoValue) << d + 1;
    for (std::size_t d = 10; d < 14; ++d) {
        EXPECT_EQ(found[0].values[d], kNoValue) << "sees the end: nothing to predict, " << d + 1;
    }
}

}  // namespace
}  // namespace karikomi::lab
