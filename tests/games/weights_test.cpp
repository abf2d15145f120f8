/// Weights belong to an engine: different ones of one game meet in one process, on threads, and
/// each plays as it does alone. A program of its own, so that a build with AddressSanitizer is
/// quick.
#include "karikomi/games/othello/weights.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/renju/weights.hpp"
#include "karikomi/games/shogi/network/network.hpp"

namespace karikomi {
namespace {

namespace fs = std::filesystem;

Status write_othello(const fs::path& file) {
    auto free = othello::built_in_weights()->free();
    // Nonsense that is quick to compress.
    for (std::size_t i = 0; i < free.size(); ++i) free[i] = static_cast<std::int16_t>(i % 32);
    return othello::Weights::from_free(free).save(file);
}
Status write_shogi(const fs::path& file) {
    return shogi::Network::random(7)->save(file);
}
Status write_renju(renju::Rule rule, const fs::path& file) {
    auto tables = renju::Weights::by_hand(rule).tables();
    for (auto& colour : tables) std::reverse(colour.cells.begin(), colour.cells.end());
    return renju::Weights(rule, tables).save(file);
}

struct Case {
    const char* game;
    std::function<Status(const fs::path&)> write_others;
};
void PrintTo(const Case& c, std::ostream* out) {
    *out << c.game;
}

/// Some moves against itself, with all that the search said.
struct Play {
    std::vector<std::string> moves;
    std::vector<Value> values;
    bool operator==(const Play&) const = default;
};

class TwoWeights : public testing::TestWithParam<Case> {
protected:
    TwoWeights() {
        fs::create_directories(folder_);
        const Status written = GetParam().write_others(others_);
        EXPECT_TRUE(written) << (written ? "" : written.error().what);
    }
    ~TwoWeights() override { fs::remove_all(folder_); }

    std::unique_ptr<Engine> make(const std::string& weights) const {
        auto engine = make_engine(GetParam().game, {weights});
        if (!engine) throw std::runtime_error(engine.error().what);
        (*engine)->set_hash(2);
        return std::move(*engine);
    }
    Play play(const std::string& weights) const {
        const auto engine = make(weights);
        SearchRequest request;
        request.limits.nodes = 1500;
        Play out;
        for (int ply = 0; ply < 6; ++ply) {
            const auto found = engine->search(request);
            out.moves.push_back(found->best_move);
            out.values.push_back(found->lines.front().value);
            EXPECT_TRUE(engine->play(found->best_move));
        }
        out.values.push_back(engine->static_value());
        return out;
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) / fmt::format("two_weights_{}_{}", GetParam().game, getpid());
    std::string others_ = (folder_ / "others.bin").string();
};

TEST_P(TwoWeights, PlayOnThreadsAsTheyDoAlone) {
    const Play own = play("");
    const Play other = play(others_);
    EXPECT_NE(own, other);
    std::vector<Play> own_again(2);
    std::vector<Play> other_again(2);
    std::vector<std::thread> threads;
    for (Play& p : own_again) threads.emplace_back([this, &p] { p = play(""); });
    for (Play& p : other_again) threads.emplace_back([this, &p] { p = play(others_); });
    for (std::thread& t : threads) t.join();
    for (const Play& p : own_again) EXPECT_EQ(p, own);
    for (const Play& p : other_again) EXPECT_EQ(p, other);
}

TEST_P(TwoWeights, LiveAsLongAsTheirEngine) {
    auto own = make("");
    auto first = make(others_);
    const auto second = make(others_);
    EXPECT_NE(first->info().evaluation, own->info().evaluation);
    EXPECT_EQ(first->info().evaluation, second->info().evaluation);
    const Value before = second->static_value();
    first.reset();
    own.reset();
    fs::remove(others_);
    EXPECT_EQ(second->static_value(), before);
    SearchRequest request;
    request.limits.depth = 3;
    EXPECT_TRUE(second->search(request));
    second->set_threads(3);  // new threads get the weights too
    EXPECT_TRUE(second->search(request));
}

TEST_P(TwoWeights, EveryKindOfSearchUsesThoseOfTheEngine) {
    const auto own = make("");
    const auto other = make(others_);
    const auto plainly = [](Engine& engine) {
        SearchRequest request;
        request.limits.depth = 2;
        request.legacy = true;
        return engine.search(request)->lines.front().value;
    };
    int different = 0;
    for (const SamplePosition& sample : own->info().samples) {
        ASSERT_TRUE(own->set_position(sample.text));
        ASSERT_TRUE(other->set_position(sample.text));
        different += plainly(*own) != plainly(*other) ? 1 : 0;
    }
    EXPECT_GT(different, 0);
}

TEST_P(TwoWeights, AFileThatChangesIsReadAgain) {
    const std::string before = make(others_)->info().evaluation;
    const auto held = make(others_);
    fs::copy_file(
        fs::path(KARIKOMI_SOURCE_DIR) / "weights" / (std::string(GetParam().game) + ".bin"),
        others_, fs::copy_options::overwrite_existing);
    fs::last_write_time(others_, fs::last_write_time(others_) + std::chrono::seconds(1));
    EXPECT_EQ(make(others_)->info().evaluation, make("")->info().evaluation);
    EXPECT_EQ(held->info().evaluation, before);
}

TEST_P(TwoWeights, ABrokenFileIsAnErrorThatNamesIt) {
    std::ofstream(others_) << "not weights";
    for (const std::string& file : {others_, others_ + ".absent", folder_.string()}) {
        const auto engine = make_engine(GetParam().game, {file});
        ASSERT_FALSE(engine) << file;
        EXPECT_THAT(engine.error().what, testing::HasSubstr(file));
        EXPECT_FALSE(engine.error().remedy.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Games, TwoWeights,
    testing::Values(
        Case{"othello", write_othello}, Case{"shogi", write_shogi},
        Case{"renju", [](const fs::path& f) { return write_renju(renju::Rule::Renju, f); }},
        Case{"gomoku", [](const fs::path& f) { return write_renju(renju::Rule::Freestyle, f); }},
        Case{"standard_gomoku",
             [](const fs::path& f) { return write_renju(renju::Rule::Standard, f); }}),
    [](const auto& info) { return std::string(info.param.game); });

TEST(Weights, AreRefusedWhereAGameHasNone) {
    const auto engine = make_engine("connect_four", {"some.bin"});
    ASSERT_FALSE(engine);
    EXPECT_THAT(engine.error().what, testing::HasSubstr("no weights"));
}

TEST(Weights, OfAnotherRuleAreRefused) {
    const fs::path file = fs::path(KARIKOMI_SOURCE_DIR) / "weights" / "gomoku.bin";
    const auto engine = make_engine("renju", {file.string()});
    ASSERT_FALSE(engine);
    EXPECT_THAT(engine.error().what, testing::HasSubstr("freestyle"));
}

TEST(Weights, HaveNamesWhereThereIsNoFile) {
    EXPECT_EQ((*make_engine("shogi", {"none"}))->info().evaluation, "shogi-starter-2");
    EXPECT_EQ((*make_engine("renju", {"hand"}))->info().evaluation, "renju-tables-1");
}

}  // namespace
}  // namespace karikomi
