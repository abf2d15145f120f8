/// Shogi through the interface that protocols use.
#include "karikomi/games/shogi/engine.hpp"

#include <set>

#include <gtest/gtest.h>

namespace karikomi::shogi {
namespace {

/// Black may declare with 28 points; hands follow.
const std::string kEntered = "+P+P+P+P+P+P+P+P+P/4K4/1R7/9/9/9/9/9/4k4 b ";

TEST(ShogiEngine, KnowsTheGameBeforeThePosition) {
    auto engine = std::move(*make_engine());
    const std::string cycle = "2h3h 8b7b 3h2h 7b8b ";
    ASSERT_TRUE(engine->set_position("", cycle + cycle));
    EXPECT_FALSE(engine->winner());
    ASSERT_TRUE(engine->set_position("", cycle + cycle + cycle));
    EXPECT_EQ(engine->winner(), Winner::Nobody);
    EXPECT_TRUE(engine->legal_moves().empty());
    EXPECT_FALSE(engine->play("7g7f")) << "the game is over";
    // The side that checks for ever loses, and a search one move earlier sees it coming.
    const std::string checks = "9a9b 5b5a 9b9a 5a5b ";
    ASSERT_TRUE(engine->set_position("4k4/9/9/9/9/9/9/9/R3K4 b - 1",
                                     "9i9a 5a5b " + checks + checks + "9a9b 5b5a 9b9a"));
    EXPECT_EQ(engine->winner(), Winner::Second);
}

TEST(ShogiEngine, SearchAvoidsTheRepetitionThatItNeedNotAccept) {
    // Black is a rook up. 5i5h would make a repetition, worth nothing; all else keeps the rook.
    auto engine = std::move(*make_engine());
    ASSERT_TRUE(engine->set_position("5k3/9/9/9/9/9/9/R8/4K4 b - 1",
                                     "5i5h 4a3a 5h5i 3a4a 5i5h 4a3a 5h5i 3a4a 5i5h 4a3a"));
    SearchRequest request;
    request.limits.depth = 3;
    const auto r = engine->search(request);
    ASSERT_TRUE(r);
    EXPECT_NE(r->best_move, "5h5i");
    EXPECT_GT(r->lines.front().value, 500);
}

TEST(ShogiEngine, DeclaresAWin) {
    auto engine = std::move(*make_engine());
    ASSERT_TRUE(engine->set_position(kEntered + "RBGSNL 1"));
    SearchRequest request;
    request.limits.depth = 2;
    EXPECT_EQ(engine->search(request)->best_move, "win");
    ASSERT_TRUE(engine->play("win"));
    EXPECT_EQ(engine->winner(), Winner::First);
}

TEST(ShogiEngine, RulesCanBeSet) {
    auto engine = std::move(*make_engine());
    ASSERT_TRUE(engine->set_position(kEntered + "RBGSNL 1"));
    ASSERT_TRUE(engine->set_rule("declaration", "none"));
    EXPECT_FALSE(engine->play("win"));
    ASSERT_TRUE(engine->set_position(kEntered + "RBGSNL 1"));
    EXPECT_FALSE(engine->play("win")) << "the rule holds for later positions";
    ASSERT_TRUE(engine->set_rule("declaration", "points27"));
    ASSERT_TRUE(engine->set_rule("max_moves", "1"));
    ASSERT_TRUE(engine->set_position("", "7g7f"));
    EXPECT_EQ(engine->winner(), Winner::Nobody);
    EXPECT_FALSE(engine->set_rule("max_moves", "-1"));
    EXPECT_FALSE(engine->set_rule("max_moves", "many"));
    EXPECT_FALSE(engine->set_rule("declaration", "points28"));
    EXPECT_FALSE(engine->set_rule("colour", "red"));
    for (const RuleInfo& r : engine->info().rule_options) {
        EXPECT_TRUE(engine->set_rule(r.name, r.value)) << r.name;
        for (const std::string& c : r.choices) EXPECT_TRUE(engine->set_rule(r.name, c)) << c;
    }
}

TEST(ShogiEngine, MatesAndTsume) {
    auto engine = std::move(*make_engine());
    // Three plies: gold, the king steps aside, gold again. Black has no king of its own.
    ASSERT_TRUE(engine->set_position("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"));
    SearchRequest request;
    request.limits.depth = 4;
    const auto r = engine->search(request);
    ASSERT_TRUE(r);
    EXPECT_EQ(r->lines.front().value, win_in(1)) << "G*5b mates at once";
    EXPECT_EQ(r->best_move, "G*5b");
}

TEST(ShogiEngine, LevelsAreOneScaleForEveryone) {
    auto engine = std::move(*make_engine());
    ASSERT_GE(engine->info().max_level, 9);
    SearchRequest request;
    std::set<std::string> first_moves;
    for (int i = 0; i < 20; ++i) {
        engine->new_game();
        request.limits.level = 0;
        const auto weak = engine->search(request);
        ASSERT_TRUE(weak);
        EXPECT_LE(weak->lines.front().depth, 1);
        EXPECT_EQ(weak->lines.front().pv.front(), weak->best_move);
        first_moves.insert(weak->best_move);
    }
    EXPECT_GT(first_moves.size(), 1U) << "a weak player misjudges, each time otherwise";
    request.limits.level = 8;
    const auto better = engine->search(request);
    ASSERT_TRUE(better);
    EXPECT_EQ(better->lines.size(), 1U);
    EXPECT_EQ(better->lines.front().depth, 6);
}

}  // namespace
}  // namespace karikomi::shogi
