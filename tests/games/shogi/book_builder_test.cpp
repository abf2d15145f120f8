/// Books that grow: the file, the order of growth, games, what an analysis says.
#include "karikomi/games/shogi/book_builder.hpp"

#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::shogi {
namespace {

Diagram start() {
    return *parse_sfen(kStartSfen);
}
Board after(const Board& b, std::initializer_list<const char*> moves) {
    Board next = b;
    for (const char* text : moves) {
        BoardUndo undo;
        next.do_move(*parse_usi(text), undo);
    }
    return next;
}
BookMove valued(const char* move, Value value, int depth = 8) {
    BookMove m;
    m.move = *parse_usi(move);
    m.value = value;
    m.depth = depth;
    return m;
}

TEST(ShogiBookDraft, ComesBackFromItsText) {
    const tests::TemporaryFolder folder;
    BookDraft draft;
    draft.notes.insert("made here");
    draft.put(start().board, 1, {valued("2g2f", 20), valued("7g7f", 30)});
    draft.put(after(start().board, {"7g7f"}), 2, {valued("3c3d", -25)});
    const auto file = folder.write("a.db", draft.text());
    const auto again = BookDraft::load(file);
    ASSERT_TRUE(again) << again.error().what;
    EXPECT_EQ(again->text(), draft.text());
    EXPECT_EQ(format_usi(again->moves(start().board).front().move), "7g7f") << "the best first";
    EXPECT_TRUE(Book::open(file)) << "sorted";
    // A writer that was killed: the position it was at is gone, nothing else.
    const std::string text = draft.text();
    const auto torn = BookDraft::load(folder.write("b.db", text + "sfen 4k4/9/9/9/9/9/9/9/4K4 b"));
    ASSERT_TRUE(torn);
    EXPECT_EQ(torn->size(), 2U);
    EXPECT_EQ(BookDraft::load(folder.file("none.db"))->size(), 0U);
}

TEST(ShogiBookDraft, KeepsAPositionOnceForBothColours) {
    BookDraft draft;
    draft.put(start().board, 1, {valued("7g7f", 30)});
    draft.put(flipped(start().board), 2, {valued("3c3d", 40), valued("8c8d", 10)});
    EXPECT_EQ(draft.size(), 1U);
    const auto moves = draft.moves(start().board);
    ASSERT_EQ(moves.size(), 2U);
    EXPECT_EQ(format_usi(moves[0].move), "7g7f");
    EXPECT_EQ(moves[0].value, 40);
    EXPECT_EQ(format_usi(moves[1].move), "2g2f");
}

TEST(ShogiBookDraft, BacksValuesUp) {
    BookDraft draft;
    draft.put(start().board, 1, {valued("7g7f", 30), valued("2g2f", 20)});
    draft.put(after(start().board, {"7g7f"}), 2, {valued("3c3d", 10), valued("8c8d", 60)});
    draft.back_up();
    const auto moves = draft.moves(start().board);
    EXPECT_EQ(format_usi(moves[0].move), "2g2f");
    EXPECT_EQ(moves[1].value, -60);
    EXPECT_EQ(format_usi(moves[1].answer), "8c8d");
}

TEST(ShogiBookDraft, CountsMovesThatDidNotLose) {
    BookDraft draft;
    const std::vector<Move> game = {*parse_usi("7g7f"), *parse_usi("3c3d"), *parse_usi("2g2f")};
    draft.count_game(start(), game, Winner::First, 40);
    draft.count_game(start(), game, Winner::Nobody, 2);
    ASSERT_EQ(draft.moves(start().board).size(), 1U);
    EXPECT_EQ(draft.moves(start().board)[0].count, 2);
    EXPECT_EQ(draft.moves(after(start().board, {"7g7f"}))[0].count, 1) << "White lost once";
    EXPECT_EQ(draft.moves(after(start().board, {"7g7f", "3c3d"}))[0].count, 1);
    BookDraft other = draft;
    other.put(start().board, 1, {valued("2g2f", 12)});
    draft.merge(other);
    EXPECT_EQ(draft.moves(start().board).size(), 2U);
}

TEST(ShogiBookDraft, GrowsWhereLeastIsGivenAway) {
    BookDraft draft;
    Growth growth;
    growth.start = start();
    growth.max_loss = 100;
    ASSERT_EQ(frontier(draft, growth, 5).size(), 1U);
    draft.put(start().board, 1, {valued("7g7f", 30), valued("2g2f", 20), valued("9g9f", -90)});
    auto next = frontier(draft, growth, 5);
    ASSERT_EQ(next.size(), 2U) << "9g9f gives away too much";
    EXPECT_EQ(book_text(next[0].board), book_text(after(start().board, {"7g7f"})));
    EXPECT_EQ(next[0].move_number, 2);
    growth.plies = 1;
    EXPECT_TRUE(frontier(draft, growth, 5).empty());
    // What is known from games only is still to be analysed.
    growth.plies = 8;
    BookDraft counted;
    counted.count_game(start(), {*parse_usi("7g7f")}, Winner::First, 40);
    next = frontier(counted, growth, 5);
    ASSERT_EQ(next.size(), 1U);
    EXPECT_EQ(book_text(next[0].board), book_text(start().board));
}

TEST(ShogiBookDraft, AnalysisValuesWhatGamesPlayed) {
    const auto engine = std::move(*make_engine("shogi"));
    Analysis how;
    how.limits.depth = 3;
    how.width = 2;
    BookMove odd = valued("9i9h", 0, 0);
    odd.count = 7;
    const auto moves = analyse(*engine, start(), how, {odd}, {});
    ASSERT_TRUE(moves) << moves.error().what;
    ASSERT_EQ(moves->size(), 3U);
    EXPECT_EQ(format_usi(moves->back().move), "9i9h");
    EXPECT_EQ(moves->back().count, 7);
    for (const BookMove& m : *moves) EXPECT_GT(m.depth, 0);
    EXPECT_LT(moves->back().value, moves->front().value);
}

/// As a user meets it: games counted once, a build that goes on, a book that USI reads.
TEST(ShogiBookCommand, BuildsGoesOnAndCountsGamesOnce) {
    const tests::TemporaryFolder folder;
    const std::string book = folder.file("my.db");
    const std::string games =
        folder.write("games.txt", "startpos moves 9g9f 3c3d 7g7f\nstartpos moves 9g9f 8c8d 7g7f\n");
    const auto call = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {KARIKOMI_BINARY, "book", "shogi"});
        return tests::run(words);
    };
    const auto first = call({"build", book, games, "--depth", "2", "--positions", "8", "--width",
                             "2", "--games", "1", "--hash", "1"});
    ASSERT_EQ(first.exit_code, 0) << first.err;
    const auto half = BookDraft::load(book);
    ASSERT_TRUE(half);
    EXPECT_GE(half->size(), 8U);
    const auto again = call({"build", book, games, "--depth", "2", "--positions", "14", "--width",
                             "2", "--games", "1", "--hash", "1"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    const auto whole = BookDraft::load(book);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->size(), 14U);
    long played = 0;
    for (const BookMove& m : whole->moves(start().board)) {
        if (format_usi(m.move) == "9g9f") played = m.count;
    }
    EXPECT_GE(played, 2) << "both games, and once only";
    EXPECT_LE(played, 3);
    EXPECT_TRUE(Book::open(book)) << "sorted at the end";
    EXPECT_EQ(call({"check", book}).exit_code, 0);
    EXPECT_EQ(call({"show", book}).exit_code, 0);
    EXPECT_EQ(call({"show", book, "--position", "4k4/9/9/9/9/9/9/9/4K4 b - 1"}).exit_code, 1);
    EXPECT_EQ(call({"biuld", book}).exit_code, 2);
    EXPECT_EQ(call({"merge", book, folder.file("none.db")}).exit_code, 2);
}

}  // namespace
}  // namespace karikomi::shogi
