#include "karikomi/lab/review.hpp"

#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::lab {
namespace {

/// Mate in one is there, and is missed; the answer loses nothing.
PlayedGame missed_mate() {
    PlayedGame game;
    game.start = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    for (const char* const move : {"G*1e", "5a4a"}) game.moves.push_back({move});
    game.moves[0].comment = "of the record";
    game.names = {"A", "B"};
    return game;
}

ReviewPlan plan() {
    ReviewPlan plan;
    plan.limits.depth = 3;
    plan.style = "japanese";
    return plan;
}

TEST(Review, SaysWhatAMoveLostAndWhatWasBetter) {
    const GameModule& module = *find_game("shogi");
    const auto made = module.make({});
    Engine& engine = **made;
    const auto review = review_game(engine, module, missed_mate(), plan());
    ASSERT_TRUE(review) << review.error().what;
    EXPECT_TRUE(review->complete);
    ASSERT_EQ(review->moves.size(), 2U);
    const ReviewedMove& first = review->moves[0];
    EXPECT_EQ(first.name, "▲１五金");
    EXPECT_EQ(first.before.plies_to_win, 1);
    EXPECT_EQ(value_text(first.before, Tongue::English), "win in 1");
    EXPECT_EQ(value_text(first.before, Tongue::Japanese), "1手で勝ち");
    EXPECT_GT(first.loss, 10);
    EXPECT_TRUE(first.turning);
    EXPECT_EQ(sentence_of(first, Tongue::English),
              "1. ▲１五金 let a win slip; better ▲５二金 (▲５二金)");
    EXPECT_EQ(sentence_of(first, Tongue::Japanese),
              "1手目 ▲１五金 勝ちを逃す。最善は▲５二金（▲５二金）");
    ASSERT_FALSE(review->turning_points().empty());
    EXPECT_EQ(review->turning_points().front()->number, 1);
    EXPECT_NEAR(*review->mean_loss[0], first.loss, 1e-9);
    const Json json = to_json(*review);
    EXPECT_EQ(json["turning_points"][0], 1);
    EXPECT_EQ(json["moves"][0]["before"]["names"][0], "▲５二金");
}

TEST(Review, WritesCommentsAndTheBetterLineIntoTheRecord) {
    const GameModule& module = *find_game("shogi");
    const auto made = module.make({});
    Engine& engine = **made;
    const auto review = review_game(engine, module, missed_mate(), plan());
    ASSERT_TRUE(review);
    const auto kif = module.records->write(annotated(*review, Tongue::Japanese), "kif");
    ASSERT_TRUE(kif) << kif.error().what;
    for (const char* const part : {"*of the record", "*先手の評価値", "*1手目 ▲１五金 勝ちを逃す",
                                   "変化：1手", "５二金打"}) {
        EXPECT_NE(kif->find(part), std::string::npos) << part << "\n" << *kif;
    }
}

TEST(Review, AStoppedReviewKeepsWhatItHas) {
    const GameModule& module = *find_game("shogi");
    const auto made = module.make({});
    Engine& engine = **made;
    StopSource source;
    ReviewPlan stopped = plan();
    stopped.stop = source.get_token();
    stopped.progress = [&](std::size_t done, std::size_t) {
        if (done == 2) source.request_stop();
    };
    const auto review = review_game(engine, module, missed_mate(), stopped);
    ASSERT_TRUE(review);
    EXPECT_FALSE(review->complete);
    ASSERT_EQ(review->moves.size(), 2U);
    EXPECT_TRUE(review->moves[0].after);
    EXPECT_FALSE(review->moves[1].after);
    EXPECT_TRUE(review->moves[0].turning);
}

TEST(Review, AWrongMoveIsNamed) {
    const GameModule& module = *find_game("shogi");
    const auto made = module.make({});
    Engine& engine = **made;
    PlayedGame game = missed_mate();
    game.moves[1].move = "9a9b";
    const auto review = review_game(engine, module, game, plan());
    ASSERT_FALSE(review);
    EXPECT_NE(review.error().what.find("move 2"), std::string::npos) << review.error().what;
}

}  // namespace
}  // namespace karikomi::lab
