/// The opening book in YaneuraOu's text form.
#include "karikomi/games/shogi/book.hpp"

#include <map>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "karikomi/base/files.hpp"
#include "karikomi/games/shogi/movegen.hpp"
#include "karikomi/games/shogi/notation.hpp"
#include "tests/cli/process.hpp"

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
        const auto m = book->choose(start(), {.margin = 30}, random);
        ASSERT_TRUE(m);
        EXPECT_NE(format_usi(m->move), "5i5h") << "240 worse than the best";
        if (format_usi(m->move) == "7g7f") ++first;
    }
    EXPECT_EQ(first, 300) << "three of four";
    EXPECT_EQ(format_usi(book->choose(start(), {}, 17)->move), "7g7f");
    bool seen = false;
    for (std::uint64_t random = 0; random < 400; ++random) {
        seen |= format_usi(book->choose(start(), {.margin = 1000}, random)->move) == "5i5h";
    }
    EXPECT_TRUE(seen);
}

TEST(ShogiBook, APositionServesForItsFlippedOne) {
    const auto book = book_of(kSmall);
    ASSERT_TRUE(book);
    const Board b = start();
    EXPECT_EQ(flipped(flipped(b)), b);
    const Board white = flipped(b);
    EXPECT_EQ(white.side(), kWhite);
    EXPECT_TRUE(book->moves(white).empty());
    const auto moves = book->moves_either_way(white);
    ASSERT_EQ(moves.size(), 3U);
    EXPECT_EQ(format_usi(moves[0].move), "3c3d");
    EXPECT_EQ(format_usi(moves[0].answer), "7g7f");
    EXPECT_TRUE(book->choose(white, {}, 1));
    EXPECT_FALSE(book->choose(white, {.flipped = false}, 1));
    EXPECT_EQ(flipped(*parse_usi("P*5e")).raw(), parse_usi("P*5e")->raw());
    EXPECT_EQ(flipped(*parse_usi("8h2b+")).raw(), parse_usi("2b8h+")->raw());
}

TEST(ShogiBook, LeavesOutShallowMoves) {
    const auto book = book_of(kSmall);
    ASSERT_TRUE(book);
    for (std::uint64_t random = 0; random < 8; ++random) {
        const auto m = book->choose(start(), {.margin = 30, .least_depth = 31}, random);
        ASSERT_TRUE(m);
        EXPECT_EQ(format_usi(m->move), "7g7f");
    }
    EXPECT_FALSE(book->choose(start(), {.least_depth = 33}, 1));
}

std::vector<Move> legal_moves(const Board& b) {
    struct List {
        std::vector<Move> out;
        void push(Move m) { out.push_back(m); }
    } list;
    generate_moves<Stage::All, Promotions::Every>(b, list);
    return list.out;
}

/// A thousand positions of random games, as a sorted file and in memory.
TEST(ShogiBook, ReadsALargeFileOnTheFly) {
    std::mt19937 random(3);
    std::map<std::string, Board> positions;
    while (positions.size() < 1000) {
        Board b = start();
        for (int ply = 0; ply < 30; ++ply) {
            positions.emplace(book_text(b), b);
            const std::vector<Move> moves = legal_moves(b);
            if (moves.empty()) break;
            BoardUndo undo;
            b.do_move(moves[random() % moves.size()], undo);
        }
    }
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "large.db";
    std::string text = std::string(kBookHead) + "\n# a note\n";
    std::vector<Board> absent;
    int number = 0;
    for (const auto& [sfen, b] : positions) {
        if (++number % 10 == 0) {
            absent.push_back(b);
            continue;
        }
        const std::vector<Move> moves = legal_moves(b);
        text += fmt::format("sfen {} {}\n", sfen, number % 40 + 1);
        for (std::size_t i = 0; i < moves.size() && i < 3; ++i) {
            text += fmt::format("{} none {} 12 {}\n", format_usi(moves[i]), number, i + 1);
        }
    }
    ASSERT_TRUE(write_file(file, text));
    const auto whole = Book::load(file);
    const auto flying = Book::open(file);
    ASSERT_TRUE(whole && flying) << flying.error().what;
    EXPECT_EQ(flying->size(), 0U);
    for (const auto& [sfen, b] : positions) {
        const auto a = whole->moves(b);
        const auto c = flying->moves(b);
        ASSERT_EQ(a.size(), c.size()) << sfen;
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_EQ(format_book_move(a[i]), format_book_move(c[i])) << sfen;
        }
    }
    for (const Board& b : absent) EXPECT_TRUE(flying->moves(b).empty());
}

TEST(ShogiBook, RefusesToFlyOverAnUnsortedFile) {
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "unsorted.db";
    const std::string remarks = std::string(4000, '#') + "\n";
    ASSERT_TRUE(write_file(file, "sfen k8/9/9/9/9/9/9/9/4K4 b - 1\n5i5h\n" + remarks +
                                     "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h\n" + remarks));
    const auto book = Book::open(file);
    ASSERT_FALSE(book);
    EXPECT_NE(book.error().what.find("not sorted"), std::string::npos);
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
