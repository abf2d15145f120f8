#include "karikomi/games/shogi/move_names.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/movegen.hpp"

namespace karikomi::shogi {
namespace {

struct Moves {
    std::vector<Move> all;
    void push(Move m) { all.push_back(m); }
};

Square square(int two) {
    return square_at(two / 10, two % 10 - 1);
}

/// Black's pieces of one type on these squares, written as 28 for file 2, rank 8.
Board board_with(PieceType t, const std::vector<int>& squares, Colour side = kBlack) {
    Board b;
    for (const int s : squares) b.put(make_piece(side, t), square(s));
    b.put(make_piece(side, kKing), square(66));
    EXPECT_TRUE(b.finish(side));
    return b;
}

std::string named(PieceType t, const std::vector<int>& squares, int from, int to) {
    const Board b = board_with(t, squares);
    const Move m = Move::board(square(from), square(to));
    const std::string name = japanese_name(b, m, kNowhere);
    std::string_view rest = name;
    const auto read = take_japanese(b, rest, kNowhere);
    EXPECT_TRUE(read) << name << ": " << read.error().what;
    if (read) {
        EXPECT_EQ(*read, m) << name;
    }
    EXPECT_TRUE(rest.empty()) << name;
    return name;
}

// The figures of the Japan Shogi Association's page on notation.
TEST(ShogiNames, TheAssociationsOwnExamples) {
    EXPECT_EQ(named(kGold, {93, 72}, 93, 82), "８二金上");
    EXPECT_EQ(named(kGold, {93, 72}, 72, 82), "８二金寄");
    EXPECT_EQ(named(kGold, {43, 31}, 43, 32), "３二金上");
    EXPECT_EQ(named(kGold, {43, 31}, 31, 32), "３二金引");
    EXPECT_EQ(named(kGold, {55, 46}, 55, 45), "４五金寄");
    EXPECT_EQ(named(kGold, {55, 46}, 46, 45), "４五金上");
    EXPECT_EQ(named(kGold, {92, 72}, 92, 81), "８一金左");
    EXPECT_EQ(named(kGold, {92, 72}, 72, 81), "８一金右");
    EXPECT_EQ(named(kGold, {32, 12}, 32, 22), "２二金左");
    EXPECT_EQ(named(kGold, {69, 59, 49}, 69, 58), "５八金左");
    EXPECT_EQ(named(kGold, {69, 59, 49}, 59, 58), "５八金直");
    EXPECT_EQ(named(kGold, {69, 59, 49}, 49, 58), "５八金右");
    EXPECT_EQ(named(kSilver, {89, 79}, 89, 78), "７八銀左");
    EXPECT_EQ(named(kSilver, {89, 79}, 79, 78), "７八銀直");
    EXPECT_EQ(named(kSilver, {49, 39}, 39, 38), "３八銀直");
    EXPECT_EQ(named(kSilver, {49, 29}, 29, 38), "３八銀右");
    const std::vector<int> tokins = {99, 98, 89, 79, 87};
    EXPECT_EQ(named(kProPawn, tokins, 79, 88), "８八と右");
    EXPECT_EQ(named(kProPawn, tokins, 89, 88), "８八と直");
    EXPECT_EQ(named(kProPawn, tokins, 99, 88), "８八と左上");
    EXPECT_EQ(named(kProPawn, tokins, 98, 88), "８八と寄");
    EXPECT_EQ(named(kProPawn, tokins, 87, 88), "８八と引");
    const std::vector<int> silvers = {29, 17, 39, 37};
    EXPECT_EQ(named(kSilver, silvers, 29, 28), "２八銀直");
    EXPECT_EQ(named(kSilver, silvers, 17, 28), "２八銀右");
    EXPECT_EQ(named(kSilver, silvers, 39, 28), "２八銀左上");
    EXPECT_EQ(named(kSilver, silvers, 37, 28), "２八銀左引");
}

TEST(ShogiNames, DragonsAndHorsesAreNeverStraight) {
    EXPECT_EQ(named(kDragon, {91, 84}, 91, 82), "８二龍引");
    EXPECT_EQ(named(kDragon, {91, 84}, 84, 82), "８二龍上");
    EXPECT_EQ(named(kDragon, {52, 23}, 23, 43), "４三龍寄");
    EXPECT_EQ(named(kDragon, {52, 23}, 52, 43), "４三龍引");
    EXPECT_EQ(named(kDragon, {55, 15}, 55, 35), "３五龍左");
    EXPECT_EQ(named(kDragon, {55, 15}, 15, 35), "３五龍右");
    EXPECT_EQ(named(kDragon, {99, 89}, 99, 88), "８八龍左");
    EXPECT_EQ(named(kDragon, {99, 89}, 89, 88), "８八龍右");
    EXPECT_EQ(named(kHorse, {91, 81}, 91, 82), "８二馬左");
    EXPECT_EQ(named(kHorse, {91, 81}, 81, 82), "８二馬右");
    EXPECT_EQ(named(kHorse, {95, 63}, 95, 85), "８五馬寄");
    EXPECT_EQ(named(kHorse, {95, 63}, 63, 85), "８五馬引");
    EXPECT_EQ(named(kHorse, {47, 18}, 47, 29), "２九馬左");
}

TEST(ShogiNames, WhiteSeesTheBoardTurned) {
    const Board b = board_with(kGold, {41, 61}, kWhite);
    EXPECT_EQ(japanese_name(b, Move::board(square(41), square(52)), kNowhere), "５二金左");
    EXPECT_EQ(japanese_name(b, Move::board(square(61), square(52)), kNowhere), "５二金右");
}

TEST(ShogiNames, DropsPromotionsAndTheSameSquare) {
    Board b = parse_sfen("4k4/9/4P4/9/4G4/9/9/9/4K4 b GP 1")->board;
    EXPECT_EQ(japanese_name(b, Move::drop(kGold, square(54)), kNowhere), "５四金打");
    EXPECT_EQ(japanese_name(b, Move::drop(kGold, square(58)), kNowhere), "５八金");
    EXPECT_EQ(japanese_name(b, Move::drop(kGold, square(58)), square(58)), "同金");
    EXPECT_EQ(japanese_name(b, Move::board(square(53), square(52), true), kNowhere), "５二歩成");
    EXPECT_EQ(japanese_name(b, Move::board(square(53), square(52)), kNowhere), "５二歩不成");
    EXPECT_EQ(japanese_name(b, Move::declare(), kNowhere), "宣言勝ち");
    EXPECT_EQ(western_name(b, Move::drop(kGold, square(54))), "G*5d");
    EXPECT_EQ(western_name(b, Move::board(square(53), square(52), true)), "P-5b+");
    EXPECT_EQ(western_name(b, Move::board(square(53), square(52))), "P-5b=");
    b = parse_sfen("4k4/9/9/9/4p4/4S1S2/9/9/4K4 b - 1")->board;
    EXPECT_EQ(western_name(b, Move::board(square(56), square(55))), "Sx5e");
    EXPECT_EQ(western_name(b, Move::board(square(56), square(47))), "S5f-4g");
}

TEST(ShogiNames, EveryLegalMoveIsReadBackFromItsName) {
    std::mt19937 random(7);
    for (int game = 0; game < 60; ++game) {
        Board b = parse_sfen(kStartSfen)->board;
        Square last_to = kNowhere;
        for (int ply = 0; ply < 160; ++ply) {
            Moves list;
            generate_moves<Stage::All, Promotions::Every>(b, list);
            if (list.all.empty()) break;
            std::set<std::string> japanese;
            std::set<std::string> western;
            for (const Move m : list.all) {
                const std::string name = japanese_name(b, m, last_to);
                EXPECT_TRUE(japanese.insert(name).second) << name << "\n" << draw_board(b);
                EXPECT_TRUE(western.insert(western_name(b, m)).second) << western_name(b, m);
                std::string_view rest = name;
                const auto read = take_japanese(b, rest, last_to);
                ASSERT_TRUE(read) << name << ": " << read.error().what << "\n" << draw_board(b);
                ASSERT_EQ(*read, m) << name << "\n" << draw_board(b);
            }
            const Move m = list.all[random() % list.all.size()];
            BoardUndo undo;
            b.do_move(m, undo);
            last_to = m.to();
        }
    }
}

TEST(ShogiNames, UnclearMovesAreRefused) {
    const Board b = board_with(kGold, {69, 49});
    for (const char* const text :
         {"５八金", "５八金直", "５八銀", "６八", "１", "同金", "５八金打"}) {
        std::string_view rest = text;
        EXPECT_FALSE(take_japanese(b, rest, kNowhere)) << text;
    }
    EXPECT_TRUE(looks_japanese("７六歩"));
    EXPECT_TRUE(looks_japanese("76歩(77)"));
    EXPECT_FALSE(looks_japanese("1 ７六歩(77)"));
    EXPECT_FALSE(looks_japanese("12 ７六歩(77)"));
    EXPECT_FALSE(looks_japanese("77 同　歩(67)"));
    EXPECT_FALSE(looks_japanese("手合割：平手"));
}

}  // namespace
}  // namespace karikomi::shogi
