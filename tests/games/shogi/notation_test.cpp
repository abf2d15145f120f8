#include "karikomi/games/shogi/notation.hpp"

#include <gtest/gtest.h>

#include "karikomi/games/shogi/game.hpp"

namespace karikomi::shogi {
namespace {

/// An error is one line that says what is wrong.
void expect_one_line(const Error& error, const std::string& part) {
    EXPECT_NE(error.what.find(part), std::string::npos) << error.what;
    EXPECT_EQ((error.what + error.remedy).find('\n'), std::string::npos);
    EXPECT_LT(error.what.size() + error.remedy.size(), 160U);
}

TEST(ShogiSfen, RoundTrip) {
    for (const std::string_view text :
         {kStartSfen,
          std::string_view("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
          std::string_view("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 40"),
          std::string_view("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")}) {
        const auto d = parse_sfen(text);
        ASSERT_TRUE(d) << d.error().what;
        EXPECT_EQ(format_sfen(d->board, d->move_number), text);
    }
}

TEST(ShogiSfen, ForgivesWhatIsNotAmbiguous) {
    const auto d = parse_sfen("  4k4/9/9/9/9/9/9/9/4K4   w   p2gGR \r\n");
    ASSERT_TRUE(d);
    EXPECT_EQ(format_sfen(d->board, d->move_number), "4k4/9/9/9/9/9/9/9/4K4 w RG2gp 1");
    EXPECT_EQ(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 0")->move_number, 1);
}

TEST(ShogiSfen, ErrorsAreOneClearLine) {
    const auto fails = [](const std::string& text, const std::string& part) {
        const auto d = parse_sfen(text);
        ASSERT_FALSE(d) << text;
        expect_one_line(d.error(), part);
    };
    const std::string start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    fails("", "0 of board, side and hands");
    fails(start + " b", "2 of board, side and hands");
    fails(start + " x -", "side 'x'");
    fails(start + " b - 1 moves", "more text: 'moves'");
    fails(start + " b - one", "move number 'one'");
    fails(start + " b - -3", "move number '-3'");
    fails(start + "/9 b - 1", "more than 9 ranks");
    fails("4k4/9/9/9/9/9/9/4K4 b - 1", "8 of 9 ranks");
    fails("4k5/9/9/9/9/9/9/9/4K4 b - 1", "rank a has more than 9 files");
    fails("4k3/9/9/9/9/9/9/9/4K4 b - 1", "rank a has 8 of 9 files");
    fails("4k4/9/9/9/4X4/9/9/9/4K4 b - 1", "rank e: 'X' is no piece");
    fails("4k4/9/9/9/4+G4/9/9/9/4K4 b - 1", "'G' cannot promote");
    fails("4k4/9/9/9/9/9/9/9/4K3+ b - 1", "is no piece");
    fails("4k4/9/9/9/9/9/9/9/4K4 b K 1", "'K' cannot be in hand");
    fails("4k4/9/9/9/9/9/9/9/4K4 b 1P 1", "number 1 before 'P'");
    fails("4k4/9/9/9/9/9/9/9/4K4 b PP 1", "'P' twice");
    fails("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "19 of P, a set has 18");
    fails("4k4/9/9/9/9/9/9/9/4K4 b 99999999999P 1", "hands:");
    fails("4k4/9/9/9/9/9/P8/9/4K4 b 18P 1", "19 of P, a set has 18");
    fails("4k4/9/9/9/4+R4/9/9/9/4K4 b 2R 1", "3 of R, a set has 2");
    fails("4k4/9/9/9/P8/9/P8/9/4K4 b - 1", "Black has two pawns in file 9");
    fails("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "Black's P on 1a could never move");
    fails("4k4/9/9/9/9/9/9/n8/4K4 b - 1", "White's N on 9h could never move");
    fails("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "Black to move could take the king");
    fails("9/9/9/9/9/9/9/9/9 b P 1", "no king");
    fails("4k4/9/9/9/9/9/9/9/3KK4 b P 1", "Black has two kings");
    fails("\x01\xff\n", "1 of board");
    fails("4k4/9/9/9/9/9/9/9/4K4 b 2 1", "hands end with a number");
    fails("\x1b[2J9/9/9/9/9/9/9/9/4K4 b - 1", "character code 27");
}

TEST(ShogiUsi, Moves) {
    for (const char* text : {"7g7f", "8h2b+", "P*5e", "9a9i", "win"}) {
        const auto m = parse_usi(text);
        ASSERT_TRUE(m) << text;
        EXPECT_EQ(format_usi(*m), text);
    }
    for (const char* wrong : {"", "7g", "7g7", "7g7f++", "7g7f=", "0a1b", "7g7j", "p*5e", "K*5e",
                              "P*5e+", "X*5e", "P5e", "WIN", "resign", "7g7f\n"}) {
        ASSERT_FALSE(parse_usi(wrong)) << wrong;
        expect_one_line(parse_usi(wrong).error(), "is not a move");
    }
    expect_one_line(parse_usi(std::string(5000, 'z')).error(), "...' is not a move");
}

TEST(ShogiUsi, IllegalMovesAreNamed) {
    const Position pos;
    expect_one_line(Notation::parse_move(pos, "7g7e").error(), "7g7e is not a legal move");
    expect_one_line(Notation::parse_move(pos, "win").error(), "cannot be declared");
    EXPECT_EQ(Notation::split_moves(" 7g7f  3c3d,P*5e\n"),
              (std::vector<std::string>{"7g7f", "3c3d", "P*5e"}));
}

TEST(ShogiDiagram, ShowsBoardHandsAndSide) {
    const std::string text = draw_board(parse_sfen("4k4/9/9/9/4+p4/9/9/1B7/4K4 w R2P4g 1")->board);
    EXPECT_NE(text.find("White's hand: G4\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  .  .  .  . +p  .  .  .  .  e\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  .  B  .  .  .  .  .  .  .  h\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Black's hand: R P2\n"), std::string::npos) << text;
    EXPECT_NE(text.find("White to move\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace karikomi::shogi
