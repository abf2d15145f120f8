#include <gtest/gtest.h>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {
namespace {

const std::string kStartText = "---------------------------OX------XO--------------------------- X";

/// An error is one line that says what is wrong.
void expect_one_line(const Error& error, const std::string& part) {
    EXPECT_NE(error.what.find(part), std::string::npos) << error.what;
    EXPECT_EQ((error.what + error.remedy).find('\n'), std::string::npos);
    EXPECT_LT(error.what.size() + error.remedy.size(), 160U);
}

TEST(OthelloNotation, ObfRoundTrip) {
    EXPECT_EQ(format_obf(start_position()), kStartText);
    EXPECT_EQ(*parse_obf(kStartText), start_position());
    std::string white = kStartText;
    white.back() = 'O';
    EXPECT_EQ(format_obf(*parse_obf(white)), white);
    EXPECT_EQ(parse_obf(white)->board, start_position().board.passed());
}

TEST(OthelloNotation, ObfLineKeepsWhatFollows) {
    const Expected<ObfLine> line = parse_obf_line(kStartText + "; F5:+0; D6:+0;\r");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->position, start_position());
    EXPECT_EQ(line->rest, "F5:+0; D6:+0;");
    EXPECT_TRUE(parse_obf_line("  " + kStartText + " ;")->rest.empty());
}

TEST(OthelloNotation, ObfErrorsAreOneClearLine) {
    expect_one_line(parse_obf("").error(), "0 of 64");
    expect_one_line(parse_obf("XO-").error(), "3 of 64");
    expect_one_line(parse_obf(kStartText.substr(0, 64)).error(), "side to move is missing");
    expect_one_line(parse_obf(kStartText.substr(0, 65) + "?").error(), "'?'");
    expect_one_line(parse_obf(kStartText + "X").error(), "more text");
    std::string bad = kStartText;
    bad[9] = '7';
    expect_one_line(parse_obf(bad).error(), "b2 is '7'");
    bad[9] = '\n';
    expect_one_line(parse_obf(bad).error(), "b2 is character code 10");
    expect_one_line(parse_obf_line("nonsense; A1:+3").error(), "8 of 64");
}

TEST(OthelloNotation, Squares) {
    EXPECT_EQ(*parse_square("a1"), 0);
    EXPECT_EQ(*parse_square("F5"), 37);
    EXPECT_EQ(*parse_square(" h8\n"), 63);
    EXPECT_EQ(*parse_square("pa"), kPass);
    EXPECT_EQ(*parse_square("PASS"), kPass);
    for (Square s = 0; s <= kPass; ++s) EXPECT_EQ(*parse_square(format_square(s)), s);
    for (const char* wrong : {"", "a", "a9", "i1", "a0", "f55", "5f", "a\n1"}) {
        ASSERT_FALSE(parse_square(wrong)) << wrong;
        expect_one_line(parse_square(wrong).error(), "not a move");
    }
    expect_one_line(parse_square(std::string(5000, 'z')).error(), "not a move");
}

TEST(OthelloNotation, DiagramShowsMoves) {
    const std::string text = format_diagram(start_position());
    EXPECT_NE(text.find("3 - - - . - - - -\n"), std::string::npos) << text;
    EXPECT_NE(text.find("4 - - . O X - - -\n"), std::string::npos) << text;
    EXPECT_NE(text.find("X to move"), std::string::npos);
}

}  // namespace
}  // namespace karikomi::othello
