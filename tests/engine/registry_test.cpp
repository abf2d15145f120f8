// The list of games: open to new ones, closed to mistakes.
#include "karikomi/engine/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace karikomi {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

GameModule outside_game(std::string name) {
    GameModule m;
    m.name = std::move(name);
    m.make = [](const EngineOptions& options) -> Expected<std::unique_ptr<Engine>> {
        if (!options.weights.empty()) return Error{"weights: " + options.weights};
        return make_engine("connect_four");
    };
    m.listed = false;
    return m;
}

TEST(Registry, TakesAGameFromOutside) {
    ASSERT_TRUE(register_game(outside_game("outside")));
    ASSERT_NE(find_game("outside"), nullptr);
    EXPECT_TRUE(make_engine("outside"));
    EXPECT_EQ(games().back()->name, "outside");
    EXPECT_THAT(game_names(), Not(Contains("outside"))) << "it asked not to be listed";
    EXPECT_EQ(make_engine("outside", {"file.bin"}).error().what, "weights: file.bin");
}

TEST(Registry, RefusesWhatCannotWork) {
    EXPECT_THAT(register_game(outside_game("othello")).error().what, HasSubstr("already"));
    EXPECT_FALSE(register_game(outside_game("")));
    GameModule no_engine;
    no_engine.name = "no_engine";
    EXPECT_FALSE(register_game(no_engine));
    EXPECT_EQ(find_game("no_engine"), nullptr);
}

TEST(Registry, ModulesAndEnginesCallAGameTheSame) {
    for (const GameModule* m : games()) {
        const auto engine = make_engine(m->name);
        ASSERT_TRUE(engine) << engine.error().what;
        if (m->name.starts_with("outside")) continue;
        EXPECT_EQ((*engine)->info().name, m->name);
        EXPECT_EQ((*engine)->info().title, m->title);
    }
}

TEST(Registry, FindsTheModuleOfARule) {
    EXPECT_EQ(name_by_rule("renju", "standard"), "standard_gomoku");
    EXPECT_EQ(name_by_rule("gomoku", "renju"), "renju");
    EXPECT_EQ(name_by_rule("gomoku", "no such rule"), "gomoku");
    EXPECT_EQ(name_by_rule("othello", "renju"), "othello") << "a rule of another family";
    EXPECT_EQ(name_by_rule("unknown", "renju"), "unknown");
}

}  // namespace
}  // namespace karikomi
