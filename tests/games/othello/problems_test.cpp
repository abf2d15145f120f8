#include "karikomi/games/othello/problems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace karikomi::othello {
namespace {

using testing::HasSubstr;

const std::string kCells = "---------------------------OX------XO---------------------------";

TEST(OthelloProblems, ReadsScoresCommentsAndEmptyLines) {
    const auto problems = parse_problems(
        "% a comment\n\n" + kCells + " X; D3:+4; f5 : -2 ;\r\n# another\n" + kCells + " O", "here");
    ASSERT_TRUE(problems);
    ASSERT_EQ(problems->size(), 2U);
    const Problem& first = problems->front();
    EXPECT_EQ(first.line, 3);
    ASSERT_EQ(first.scores.size(), 2U);
    EXPECT_EQ(first.scores[0].square, 19);
    EXPECT_EQ(first.scores[1].score, -2);
    EXPECT_EQ(first.expected(), 4);
    EXPECT_EQ(problems->back().line, 5);
    EXPECT_EQ(problems->back().expected(), std::nullopt);
    EXPECT_EQ(problems->back().position.to_move, Colour::White);
}

TEST(OthelloProblems, SaysWhichLineIsWrong) {
    const auto check = [](const std::string& line, const std::string& what) {
        const auto problems = parse_problems(kCells + " X;\n" + line + "\n", "f.obf");
        ASSERT_FALSE(problems);
        EXPECT_THAT(problems.error().what, HasSubstr("f.obf:2: "));
        EXPECT_THAT(problems.error().what, HasSubstr(what));
    };
    check("XO", "2 of 64 cells");
    check(kCells + " X; D3", "'D3' is not a move with its score");
    check(kCells + " X; D3:", "not a move with its score");
    check(kCells + " X; D3:99", "not a move with its score");
    check(kCells + " X; D3:4x", "not a move with its score");
    check(kCells + " X; Z9:4", "'z9' is not a move");
}

TEST(OthelloProblems, AFileThatIsNotThereOrHoldsNothing) {
    EXPECT_THAT(read_problems("/no/such/file").error().what, HasSubstr("cannot be opened"));
    EXPECT_THAT(read_problems("/tmp").error().what, HasSubstr("cannot be opened"));
    EXPECT_THAT(read_problems("/dev/null").error().what, HasSubstr("holds no position"));
}

}  // namespace
}  // namespace karikomi::othello
