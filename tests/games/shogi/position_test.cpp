#include "karikomi/games/shogi/position.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/games/shogi/game.hpp"

namespace karikomi::shogi {
namespace {

using testing::Contains;
using testing::Not;

Position position_of(const std::string& sfen, const Rules& rules = {}) {
    const auto d = parse_sfen(sfen);
    EXPECT_TRUE(d) << sfen << ": " << d.error().what;
    return Position(*d, rules);
}

void play(Position& pos, const std::string& moves) {
    for (const std::string& text : Notation::split_moves(moves)) {
        const auto m = Notation::parse_move(pos, text);
        ASSERT_TRUE(m) << m.error().what;
        Position::Undo undo;
        pos.make(*m, undo);
    }
}

std::vector<std::string> legal(const Position& pos) {
    MoveList<Move, kMaxMoves> list;
    pos.generate(list);
    std::vector<std::string> texts;
    for (const auto& m : list) texts.push_back(format_usi(m.move));
    return texts;
}

// ---- Repetition ---------------------------------------------------------------------------------
TEST(ShogiRepetition, TheFourthTimeIsADraw) {
    Position pos;
    const std::string cycle = "2h3h 8b7b 3h2h 7b8b ";
    play(pos, cycle + cycle);
    EXPECT_FALSE(pos.outcome(0)) << "three times only";
    EXPECT_EQ(pos.outcome(1), 0) << "the search need not wait for the fourth";
    play(pos, cycle);
    EXPECT_EQ(pos.outcome(0), 0);
}

TEST(ShogiRepetition, TransposedOrderAndOtherHandsDoNotCount) {
    Position pos;
    play(pos, "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h4h 7b8b 4h2h");
    EXPECT_FALSE(pos.outcome(0));
    EXPECT_FALSE(pos.outcome(1)) << "the other side is to move";
}

TEST(ShogiRepetition, PerpetualCheckLoses) {
    Position pos = position_of("4k4/9/9/9/9/9/9/9/R3K4 b - 1");
    play(pos, "9i9a 5a5b 9a9b 5b5a 9b9a");
    EXPECT_EQ(pos.outcome(3), kAlmostWon) << "White, to move, need not fear this";
    EXPECT_FALSE(pos.outcome(0));
    play(pos, "5a5b");
    EXPECT_EQ(pos.outcome(3), -kAlmostWon) << "Black, to move, must deviate";
    play(pos, "9a9b 5b5a 9b9a 5a5b 9a9b 5b5a");
    EXPECT_FALSE(pos.outcome(0));
    play(pos, "9b9a");
    EXPECT_EQ(pos.outcome(0), win_in(0)) << "fourth time: White wins";
}

TEST(ShogiRepetition, OneQuietMoveInTheCycleMakesItADraw) {
    Position pos = position_of("4k4/9/9/9/9/9/9/9/R3K4 b - 1");
    const std::string cycle = "9a9b 5b5a 9b9c 5a5b 9c9b 5b5a 9b9a 5a5b ";
    play(pos, "9i9a 5a5b " + cycle + cycle);
    EXPECT_EQ(pos.outcome(1), 0);
    play(pos, "9a9b 5b5a 9b9c 5a5b 9c9b 5b5a 9b9a");
    EXPECT_EQ(pos.outcome(0), 0);
}

TEST(ShogiRepetition, MoreInHandIsSuperiorLessIsInferior) {
    Position pos = position_of("5k3/9/9/9/9/9/9/4R4/4K4 b p 1");
    play(pos, "5h5g P*5f 5g5f 4a3a 5f5h 3a4a");
    EXPECT_EQ(pos.outcome(7), kAlmostWon) << "the earlier position is one of the search";
    EXPECT_FALSE(pos.outcome(6)) << "... the root itself";
    EXPECT_FALSE(pos.outcome(1)) << "... before the root, which proves nothing";
    EXPECT_FALSE(pos.outcome(0));
    pos = position_of("5k3/9/9/9/9/9/4R4/9/4K4 w p 1");
    play(pos, "P*5f 5g5f 4a3a 5f5h 3a4a 5h5g");
    EXPECT_EQ(pos.outcome(7), -kAlmostWon);
}

TEST(ShogiRepetition, NothingRepeatsAcrossANullMove) {
    Position pos;
    const Position before = pos;
    Position::Undo undo;
    Position::Undo second;
    pos.make_null(undo);
    pos.make_null(second);
    EXPECT_FALSE(pos.outcome(2)) << "the same board, but not by playing";
    EXPECT_EQ(pos.key(), before.key());
    pos.unmake_null(second);
    EXPECT_NE(pos.key(), before.key());
    pos.unmake_null(undo);
    EXPECT_EQ(pos, before);
}

TEST(ShogiRepetition, ALongGameIsKnownToItsBeginning) {
    Position pos;
    // Kings walk about for hundreds of plies and come back to the start.
    play(pos, "5i5h 5a5b");
    for (int i = 0; i < 60; ++i) {
        for (const char* m : {"5h4h 5b6b", "4h5h 6b5b"}) play(pos, m);
        if (i == 2) break;  // the fourth time would end the game
    }
    play(pos, "5h5i 5b5a");
    EXPECT_EQ(pos.outcome(1), 0) << "the start position, 16 plies ago";
    EXPECT_FALSE(pos.outcome(0));
}

// ---- Declarations, try, limit -------------------------------------------------------------------
const std::string kEntered = "+P+P+P+P+P+P+P+P+P/4K4/1R7/9/9/9/9/9/4k4 b ";

TEST(ShogiDeclaration, BlackNeedsTwentyEightPoints) {
    EXPECT_TRUE(position_of(kEntered + "RBGSNL 1").can_declare());
    EXPECT_FALSE(position_of(kEntered + "RBGSN 1").can_declare()) << "27 points";
    const Position pos = position_of(kEntered + "RBGSNL 1");
    EXPECT_THAT(legal(pos), Contains("win"));
    EXPECT_TRUE(pos.is_legal(Move::declare()));
    EXPECT_TRUE(pos.is_tactical(Move::declare()));
    const EnteredForce f = entered_force(pos.board(), kBlack);
    EXPECT_EQ(f.pieces, 10);
    EXPECT_EQ(f.points, 28);
}

TEST(ShogiDeclaration, WhiteNeedsTwentySevenPoints) {
    const std::string entered = "4K4/9/9/9/9/9/7r1/4k4/+p+p+p+p+p+p+p+p+p w ";
    EXPECT_TRUE(position_of(entered + "rbgsn 1").can_declare());
    EXPECT_FALSE(position_of(entered + "rbgs 1").can_declare());
}

TEST(ShogiDeclaration, ConditionsBesidePoints) {
    EXPECT_FALSE(position_of("1+P+P+P+P+P+P+P+P/4K4/1R7/9/9/9/9/9/4k4 b RB2G2S2N 1").can_declare())
        << "nine pieces are not enough";
    EXPECT_FALSE(position_of("+P+P+P+P+P+P+P+P+P/9/1R7/4K4/9/9/9/9/4k4 b R2B2G2S 1").can_declare())
        << "the king is outside";
    EXPECT_FALSE(
        position_of("+P+P+P+P+P+P+P+P+P/4K3r/1R7/9/9/9/9/9/4k4 b 2B2G2S2N2L 1").can_declare())
        << "in check";
    EXPECT_FALSE(position_of(kEntered + "RBGSNL 1", {Declaration::None}).can_declare());
}

TEST(ShogiDeclaration, OtherRules) {
    EXPECT_FALSE(position_of(kEntered + "RBGSNL 1", {Declaration::Points24}).can_declare());
    EXPECT_TRUE(position_of(kEntered + "RB2G2S2NL 1", {Declaration::Points24}).can_declare());
    // Two pieces missing from the set: their ten points count for White, and for nobody else.
    const std::string entered = "4K4/9/9/9/9/9/7r1/4k4/+p+p+p+p+p+p+p+p+p w 4G4S4N4L9Pb 1";
    EXPECT_FALSE(position_of(entered).can_declare());
    EXPECT_TRUE(position_of(entered, {Declaration::Points27Handicap}).can_declare());
}

TEST(ShogiDeclaration, DeclaringEndsTheGameAndCanBeTakenBack) {
    Position pos = position_of(kEntered + "RBGSNL 1");
    const Position before = pos;
    Position::Undo undo;
    pos.make(Move::declare(), undo);
    EXPECT_EQ(pos.outcome(0), loss_in(0)) << "White, to move, has lost";
    EXPECT_EQ(pos.outcome(5), loss_in(5));
    pos.unmake(Move::declare(), undo);
    EXPECT_EQ(pos, before);
    EXPECT_FALSE(pos.outcome(0));
}

TEST(ShogiDeclaration, TryRuleWinsByArriving) {
    Rules rules;
    rules.declaration = Declaration::Try;
    Position pos = position_of("9/4K4/9/9/9/9/9/9/k8 b - 1", rules);
    play(pos, "5b5a");
    EXPECT_EQ(pos.outcome(0), loss_in(0));
    EXPECT_FALSE(position_of("9/4K4/9/9/9/9/9/9/k8 b - 1").outcome(0));
    pos = position_of("9/9/9/9/9/9/4k4/9/K8 w - 1", rules);
    play(pos, "5g5h 9i9h 5h5i");
    EXPECT_EQ(pos.outcome(0), loss_in(0));
}

TEST(ShogiLimit, TheGameIsDrawnAfterTheLastMove) {
    Rules rules;
    rules.max_moves = 2;
    Position pos = position_of(std::string(kStartSfen), rules);
    play(pos, "7g7f");
    EXPECT_FALSE(pos.outcome(0));
    play(pos, "3c3d");
    EXPECT_EQ(pos.outcome(0), 0);
    // Mate by the last move counts, check does not.
    rules.max_moves = 1;
    pos = position_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", rules);
    play(pos, "G*5b");
    EXPECT_FALSE(pos.outcome(0));
    EXPECT_TRUE(legal(pos).empty());
    EXPECT_EQ(pos.no_moves_value(0), loss_in(0));
    pos = position_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", rules);
    play(pos, "G*4b");
    EXPECT_EQ(pos.outcome(0), 0);
}

// ---- As a game of the search --------------------------------------------------------------------
TEST(ShogiPosition, MakeAndUnmakeRestoreEverything) {
    std::mt19937 random(1);
    for (int game = 0; game < 60; ++game) {
        Position pos;
        Evaluator evaluator;
        evaluator.reset(pos);
        std::vector<Position> before;
        std::vector<std::pair<Move, Position::Undo>> line;
        for (int ply = 0; ply < 120; ++ply) {
            MoveList<Move, kMaxMoves> list;
            pos.generate(list);
            if (list.empty()) break;
            const Move m = list[random() % list.size()].move;
            before.push_back(pos);
            pos.make(m, line.emplace_back(m, Position::Undo{}).second);
            evaluator.after_make(pos, m);
            Evaluator fresh;
            fresh.reset(pos);
            ASSERT_EQ(evaluator.evaluate(pos), fresh.evaluate(pos));
        }
        for (; !line.empty(); line.pop_back(), before.pop_back()) {
            pos.unmake(line.back().first, line.back().second);
            evaluator.after_unmake(pos, line.back().first);
            ASSERT_EQ(pos, before.back());
        }
    }
}

TEST(ShogiPosition, HistorySlotsAndStagesStayInRange) {
    std::mt19937 random(2);
    for (int game = 0; game < 40; ++game) {
        Position pos;
        for (int ply = 0; ply < 150; ++ply) {
            MoveList<Move, kMaxMoves> list;
            pos.generate(list);
            if (list.empty()) break;
            for (const auto& m : list) {
                ASSERT_GE(pos.history_slot(m.move), 0);
                ASSERT_LT(pos.history_slot(m.move), Game::kHistorySlots);
            }
            ASSERT_GE(pos.stage(), 0);
            ASSERT_LT(pos.stage(), Game::kStages);
            Position::Undo undo;
            pos.make(list[random() % list.size()].move, undo);
        }
    }
}

TEST(ShogiPosition, EvaluationIsTheSameForBothSides) {
    // The board turned by half with the other side to move is the same position.
    const Position black = position_of("4k4/9/4P4/9/9/9/9/1B7/4K4 b G2p 1");
    const Position white = position_of("4k4/7b1/9/9/9/9/4p4/9/4K4 w g2P 1");
    Evaluator e;
    e.reset(black);
    const Value v = e.evaluate(black);
    e.reset(white);
    EXPECT_EQ(e.evaluate(white), v);
    Position start;
    e.reset(start);
    const Value first = e.evaluate(start);
    Position::Undo undo;
    start.make_null(undo);
    EXPECT_EQ(e.evaluate(start), first) << "whoever is to move";
}

TEST(ShogiPosition, UselessNonPromotionsAreLegalButNotSearched) {
    const std::string sfen = "4k4/9/9/1P7/9/9/9/1R7/4K4 b - 1";
    Position pos = position_of(sfen);
    const auto searched = [](const Position& p) {
        MoveList<Move, kMaxMoves> list;
        p.generate_tactical(list);
        p.generate_quiet(list);
        std::vector<std::string> texts;
        for (const auto& m : list) texts.push_back(format_usi(m.move));
        return texts;
    };
    EXPECT_THAT(legal(pos), Contains("8d8c"));
    EXPECT_TRUE(pos.is_legal(*parse_usi("8d8c")));
    EXPECT_THAT(searched(pos), Not(Contains("8d8c")));
    EXPECT_THAT(searched(pos), Contains("8d8c+"));
    Rules rules;
    rules.promotions = Promotions::Every;
    EXPECT_THAT(searched(position_of(sfen, rules)), Contains("8d8c"));
}

}  // namespace
}  // namespace karikomi::shogi
