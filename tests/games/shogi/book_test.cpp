/// The opening book in YaneuraOu's text form.
#include "karikomi/games/shogi/book.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/notation.hpp"

namespace karikomi::shogi {
namespace {

Expected<Book> book_of(const std::string& text) {
    std::istringstream in(text);
    return Book::read(in, "small");
}
Board start() {
    return parse_sfen(kStartSfen)->board;
}

const std::string kSmall =
    "#YANEURAOU-DB2016 1.00\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\r\n"
    "7g7f 3c3d 40 32 3\r\n"
    "2g2f 8c8d 35 30 1\r\n"
    "5i5h none -200 30 1\n"
    "2h9b none 900 30 1\n"
    "// a remark\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
    "3c3d\n"
    "resign none 0 0\n";

TEST(ShogiBook, ReadsPositionsAndMoves) {
    const auto book = book_of(kSmall);
    ASSERT_TRUE(book) << book.error().what;
    EXPECT_EQ(book->size(), 2U);
    const auto moves = book->moves(start());
    ASSERT_EQ(moves.size(), 3U) << "2h9b is not legal";
    EXPECT_EQ(format_usi(moves[0].move), "7g7f");
    EXPECT_EQ(format_usi(moves[0].answer), "3c3d");
    EXPECT_EQ(moves[0].value, 40);
    EXPECT_EQ(moves[0].depth, 32);
    EXPECT_EQ(moves[0].count, 3);
    EXPECT_EQ(moves[2].answer.raw(), kNoMove);
    // The move number does not matter.
    const auto other =
        parse_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 14");
    ASSERT_EQ(book->moves(other->board).size(), 1U);
    EXPECT_TRUE(book->moves(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1")->board).empty());
}

TEST(ShogiBook, ChoosesAmongTheBestByTheirCounts) {
    const auto book = book_of(kSmall);
    ASSERT_TRUE(book);
    int first = 0;
    for (std::uint64_t random = 0; random < 400; ++random) {
        const auto m = book->choose(start(), 30, random);
        ASSERT_TRUE(m);
        EXPECT_NE(format_usi(m->move), "5i5h") << "240 worse than the best";
        if (format_usi(m->move) == "7g7f") ++first;
    }
    EXPECT_EQ(first, 300) << "three of four";
    EXPECT_EQ(format_usi(book->choose(start(), 0, 17)->move), "7g7f");
    bool seen = false;
    for (std::uint64_t random = 0; random < 400; ++random) {
        seen |= format_usi(book->choose(start(), 1000, random)->move) == "5i5h";
    }
    EXPECT_TRUE(seen);
}

TEST(ShogiBook, SaysWhatIsWrongAndWhere) {
    const auto early = book_of("7g7f none 0 0\n");
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().what, "small, line 1: a move before any position");
    const auto bad = book_of("#x\nsfen 4k4/9 b - 1\n");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().what.find("small, line 2"), std::string::npos) << bad.error().what;
    for (const char* bare : {"sfen", "sfen ", " sfen\t", "sfen\r\n7g7f none 0 0"}) {
        const auto none = book_of(std::string(bare) + "\n");  // ended the engine once
        ASSERT_FALSE(none) << bare;
        EXPECT_NE(none.error().what.find("small, line 1"), std::string::npos) << none.error().what;
    }
    EXPECT_FALSE(Book::load("/does/not/exist"));
}

}  // namespace
}  // namespace karikomi::shogi
