/// Game records: SGF, PSQ, RenLib.
#include "karikomi/games/renju/records.hpp"

#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/renju/game.hpp"

namespace karikomi::renju {
namespace {

std::string moves_of(const GameRecord& game) {
    std::string text;
    for (const Cell c : game.moves) text += Notation::format_cell(c) + " ";
    return text;
}

TEST(RenjuRecords, SgfMainLinesOfEveryGame) {
    const auto games = read_sgf(
        "(;FF[4]GM[4]SZ[15]PB[Black \\] A]PW[B]RE[B+];B[hh]C[a [comment\\]];W[ig](;B[ii];W[aa])"
        "(;B[gg](;W[bb])))\n(;SZ[20];B[k10];W[k11])");
    ASSERT_TRUE(games) << games.error().what;
    ASSERT_EQ(games->size(), 2u);
    EXPECT_EQ((*games)[0].black, "Black ] A");
    EXPECT_EQ((*games)[0].result, "B+");
    EXPECT_EQ(moves_of((*games)[0]), "h8 i9 i7 a15 ");
    EXPECT_EQ((*games)[1].size, 20);
    EXPECT_EQ(moves_of((*games)[1]), "k10 k11 ");
}

TEST(RenjuRecords, Psq) {
    const auto game = read_psq(
        "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,120\r\n1,15,3\r\nbrain1\r\nbrain2\r\n0\r\n");
    ASSERT_TRUE(game) << game.error().what;
    EXPECT_EQ(game->size, 15);
    EXPECT_EQ(moves_of(*game), "h8 i9 a1 ");
}

TEST(RenjuRecords, RenlibLinesFromTheRoot) {
    std::string lib = "\xFFRenLib\xFF\x03\x00";
    lib.resize(20, '\0');
    const auto node = [&](int row_from_top, int column, int flags) {
        lib += static_cast<char>(row_from_top << 4 | (column + 1));
        lib += static_cast<char>(flags);
    };
    lib += std::string("\0\0", 2);  // the root
    node(7, 7, 0x08);               // h8, with a comment
    lib += std::string("good\0\0", 6);
    node(6, 8, 0x80);  // i9, a sibling follows its children
    node(8, 8, 0x40);  // i7, the end of this line
    node(6, 7, 0x41);  // h9 instead of i9, with an extended text
    lib += std::string("\0\1", 2) + std::string("x\0", 2);
    const auto lines = read_renlib(lib);
    ASSERT_TRUE(lines) << lines.error().what;
    ASSERT_EQ(lines->size(), 2u);
    EXPECT_EQ(moves_of((*lines)[0]), "h8 i9 i7 ");
    EXPECT_EQ(moves_of((*lines)[1]), "h8 h9 ");
    EXPECT_EQ(read_records(lib)->size(), 2u);
}

TEST(RenjuRecords, WrongFilesAreRefused) {
    for (const char* text :
         {"", "hello", "(", "(;B[hh]", "(;B[hh];W[hh])", "(;B[hh];B[gg])", "(;B[zz])", "(;SZ[99])",
          "(;B)", "(;B[h)", "Piskvorky", "Piskvorky 4x4, 11:11, 0\n", "Piskvorky 15x15\n16,1,0\n",
          "Piskvorky 15x15\n1,1,0\n1,1,0\n", "\xFFRenLib\xFF", "\xFFRenLib\xFF too short"}) {
        EXPECT_FALSE(read_records(text)) << text;
    }
}

TEST(RenjuRecords, JunkNeverCrashes) {
    std::mt19937 random(1);
    const std::string pieces[] = {"(",       ")",
                                  ";",       "B[",
                                  "W[",      "hh]",
                                  "]",       "\\",
                                  "SZ[15]",  "Piskvorky 15x15",
                                  "\n1,2,3", "\xFFRenLib\xFF",
                                  "\x80",    "\x40",
                                  "x"};
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        if (i % 3 == 0) text = std::string("\xFFRenLib\xFF") + std::string(12, '\0');
        for (auto n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
        for (auto n = random() % 4; n > 0; --n) text += static_cast<char>(random());
        (void)read_records(text);
    }
}

}  // namespace
}  // namespace karikomi::renju
