#include "karikomi/games/othello/protocols/game_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/othello/protocols/othello_game.hpp"

namespace karikomi::protocols {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kStart = "---------------------------OX------XO---------------------------";

std::string ggf(const std::string& tags) {
    return "(;GM[Othello]BO[8 " + kStart + " *]" + tags + ";)";
}

GameRecord read(const std::string& text) {
    const auto game = read_game(text);
    EXPECT_TRUE(game) << text << "\n" << (game ? "" : game.error().what);
    return game ? *game : GameRecord{};
}
std::string refusal(const std::string& text) {
    const auto game = read_game(text);
    EXPECT_FALSE(game) << text;
    return game ? "" : game.error().what;
}

TEST(GameText, Ggf) {
    const GameRecord game =
        read("(;GM[Othello]PC[NBoard]PB[a (b) ; c]RE[?]TI[15:00/00:05/02:00]TY[8]BO[8 " + kStart +
             " *]B[F5]W[f6/-1.25]B[D3//2.5];)");
    EXPECT_EQ(game.start, kStart + " X");
    ASSERT_THAT(game.moves, SizeIs(3));
    EXPECT_EQ(game.moves[0].move, "f5");
    EXPECT_EQ(game.moves[0].side, 0);
    EXPECT_EQ(game.moves[1].move, "f6");
    EXPECT_EQ(game.moves[1].side, 1);
    EXPECT_EQ(game.moves[1].seconds, 0);
    EXPECT_EQ(game.moves[2].seconds, 2.5);
    ASSERT_TRUE(game.time[0]);
    EXPECT_EQ(game.time[0]->main, 900);
    EXPECT_EQ(game.time[0]->increment, 5);
    EXPECT_EQ(game.time[1]->extension, 120);
}

TEST(GameText, GgfIsReadInAnyCaseWithBlanksAndBothClocks) {
    const GameRecord game = read(
        " 1 (;gm[OTHELLO] tb[10] tw[1:00:00] bo[8 --------\n--------\n--------\n---o*---\n"
        "---*o---\n--------\n--------\n--------\no] w[f4] ;)\r\n");
    EXPECT_EQ(game.start, kStart + " O");
    EXPECT_EQ(game.time[0]->main, 10);
    EXPECT_EQ(game.time[1]->main, 3600);
}

TEST(GameText, Sgf) {
    const GameRecord game =
        read("(;GM[2]FF[4]SZ[8]C[a \\] and (;B[a1\\])];B[fe];W[d6];B[]\n(;W[tt];B[C3])(;W[a1]))");
    EXPECT_THAT(game.start, IsEmpty());
    std::string moves;
    for (const auto& m : game.moves) moves += m.move + (m.side == 0 ? "b " : "w ");
    EXPECT_EQ(moves, "f5b d6w pab paw c3b ");
}

TEST(GameText, SgfWithDiscsSetUp) {
    const GameRecord game = read("(;GM[2]AB[aa][h8]AW[b1]PL[W])");
    EXPECT_EQ(game.start, "XO" + std::string(61, '-') + "X O");
}

TEST(GameText, WhatCannotBeReadIsSaid) {
    EXPECT_THAT(refusal(""), HasSubstr("no end"));
    EXPECT_THAT(refusal("hello"), HasSubstr("begins with"));
    EXPECT_THAT(refusal("(;GM[Othello]B[F5]"), HasSubstr("no end"));
    EXPECT_THAT(refusal("(;GM[Othello"), HasSubstr("ends within"));
    EXPECT_THAT(refusal("(;GM)"), HasSubstr("ends within"));
    EXPECT_THAT(refusal("(;PB[x];)"), HasSubstr("GM"));
    EXPECT_THAT(refusal("(;GM[1];)"), HasSubstr("not of Othello"));
    EXPECT_THAT(refusal("(;GM[Othello]*;)"), HasSubstr("no property"));
    EXPECT_THAT(refusal("(;GM[Othello];)"), HasSubstr("no BO"));
    EXPECT_THAT(refusal(ggf("B[I9]")), HasSubstr("not a move"));
    EXPECT_THAT(refusal(ggf("B[F5]W[A1]")), HasSubstr("move 2"));
    EXPECT_THAT(refusal(ggf("W[F5]")), HasSubstr("turn"));
    EXPECT_THAT(refusal("(;GM[Othello]BO[10 - *];)"), HasSubstr("not 8"));
    EXPECT_THAT(refusal("(;GM[Othello]BO[8 --- *];)"), HasSubstr("not 65"));
    EXPECT_THAT(refusal("(;GM[2]SZ[10])"), HasSubstr("8 x 8"));
    EXPECT_THAT(refusal("(;GM[2];B[f5];AB[a1])"), HasSubstr("after a move"));
    EXPECT_THAT(refusal("(;GM[2]AB[])"), HasSubstr("not a square"));
    EXPECT_THAT(refusal("(;GM[2];W[xx])"), HasSubstr("W[]"));
}

TEST(GameText, TimeControls) {
    const auto seconds = [](const char* text) {
        const auto t = read_time_control(text);
        return t ? t->main : -1;
    };
    EXPECT_EQ(seconds("15:00"), 900);
    EXPECT_EQ(seconds("90"), 90);
    EXPECT_EQ(seconds("1:02:03"), 3723);
    EXPECT_EQ(seconds("1.00:00:01"), 86401);
    EXPECT_EQ(seconds("5:00,N:1//"), 300);
    EXPECT_EQ(read_time_control("/2/")->increment, 2);
    for (const char* none : {"", "0", "0:00//", "?", "x:y", "-5", "1:2:3:x"}) {
        EXPECT_FALSE(read_time_control(none)) << none;
    }
}

// ---- The game that is made of it ----------------------------------------------------------------

class Game : public testing::Test {
protected:
    std::unique_ptr<Engine> engine_ = std::move(*make_engine("othello"));
    OthelloGame game_{*engine_};
};

TEST_F(Game, PassesThatWereLeftOutAreMadeAndTakenBackWithTheirMove) {
    // a1 white, b1 black: Black, to move, cannot.
    ASSERT_TRUE(game_.set(read("(;GM[2]AW[a1]AB[b1])")));
    EXPECT_TRUE(game_.must_pass());
    EXPECT_THAT(game_.squares(), IsEmpty());
    ASSERT_TRUE(game_.play({0, "c1", 0}));
    EXPECT_THAT(game_.moves(), SizeIs(2));
    EXPECT_TRUE(game_.is_over());
    EXPECT_EQ(final_score(game_.position()), -64);
    ASSERT_TRUE(game_.undo());
    EXPECT_THAT(game_.moves(), IsEmpty());
    EXPECT_EQ(game_.to_move(), 0);
    EXPECT_FALSE(game_.undo());
    // An illegal move after the implicit pass takes that back too.
    EXPECT_FALSE(game_.play({0, "h8", 0}));
    EXPECT_THAT(game_.moves(), IsEmpty());
    EXPECT_EQ(game_.to_move(), 0);
    EXPECT_EQ(engine_->position_text(), game_.position());
}

TEST_F(Game, PassesThatWereSentAreTakenBackOneByOne) {
    ASSERT_TRUE(game_.set(read("(;GM[2]AW[a1]AB[b1];B[];W[c1];B[];W[])")));
    EXPECT_THAT(game_.moves(), SizeIs(4));
    EXPECT_FALSE(game_.undo(5));
    EXPECT_THAT(game_.moves(), SizeIs(4));
    ASSERT_TRUE(game_.undo(3));
    EXPECT_EQ(game_.to_move(), 1);
    EXPECT_EQ(game_.squares(), std::vector<std::string>{"c1"});
}

TEST_F(Game, AWrongRecordLeavesItAlone) {
    ASSERT_TRUE(game_.set(read(ggf("TI[5:00]B[F5]W[D6]"))));
    const std::string before = game_.position();
    EXPECT_FALSE(game_.set(read("(;GM[2];B[f5];W[d6];B[a1])")));
    EXPECT_FALSE(game_.set(read("(;GM[2];B[f5];B[d6])")));
    EXPECT_FALSE(game_.set(read("(;GM[2];W[f5])")));
    EXPECT_EQ(game_.position(), before);
    EXPECT_EQ(engine_->position_text(), before);
    EXPECT_THAT(game_.moves(), SizeIs(2));
    EXPECT_TRUE(game_.time()[0]);
}

TEST_F(Game, PositionsAfterEachMove) {
    const std::string start = game_.position();
    ASSERT_TRUE(game_.play({0, "f5", 0}));
    EXPECT_EQ(game_.position_after(0), start);
    EXPECT_EQ(game_.position_after(1), game_.position());
    EXPECT_EQ(game_.discs().black, 4);
    EXPECT_EQ(game_.discs().white, 1);
}

}  // namespace
}  // namespace karikomi::protocols
