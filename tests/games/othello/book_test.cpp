// The opening book in memory, as text and on disk.
#include "karikomi/games/othello/book.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "karikomi/games/othello/book_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/games/othello/random_games.hpp"

namespace karikomi::othello {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::random_game;

BookLink link(const std::string& square, int value, int depth = 10, int confidence = 95,
              bool solved = false) {
    return {static_cast<std::uint8_t>(*parse_square(square)), static_cast<std::int16_t>(value),
            static_cast<std::uint8_t>(depth), static_cast<std::uint8_t>(confidence), solved};
}

// A position in which somebody can move, after about this many moves.
Position random_position(std::mt19937_64& random, int plies) {
    for (;;) {
        const Position p = end_position(random_game(random, plies));
        if (p.board.moves() != 0) return p;
    }
}

BookEntry random_entry(std::mt19937_64& random, const Board& board) {
    std::vector<BookLink> links;
    for (Bits m = board.moves(); m != 0; m &= m - 1) {
        if (random() % 4 == 0) continue;
        const bool solved = random() % 5 == 0;
        const auto value = solved ? static_cast<int>(random() % 9) - 4 : 0;
        links.push_back(
            {static_cast<std::uint8_t>(lowest(m)),
             static_cast<std::int16_t>(solved ? 200 * value
                                              : static_cast<int>(random() % 1001) - 500),
             static_cast<std::uint8_t>(1 + random() % 30),
             static_cast<std::uint8_t>(solved || random() % 2 == 0 ? 100 : 73), solved});
    }
    BookEntry entry = canonical_entry(board, links);
    entry.level = static_cast<int>(random() % 30) - 1;
    for (auto n = random() % 3; n > 0; --n) entry.results.add(static_cast<int>(random() % 41) - 20);
    return entry;
}

// All positions of random games from `from` discs on: lines that meet again, passes, ends of games.
Book random_book(unsigned seed, int games = 60, int first_ply = 0) {
    std::mt19937_64 random(seed);
    Book book;
    const Position start = first_ply == 0 ? start_position() : random_position(random, first_ply);
    for (int i = 0; i < games; ++i) {
        GameRecord game = random_game(random, first_ply == 0 ? 8 : 60, start);
        GameRecord played;
        played.start = start;
        Replay replay(played);
        for (const RecordMove& m : game.moves) {
            const Board& board = replay.position().board;
            const bool wanted = board.moves() != 0 && random() % 3 != 0;
            if (wanted && book.find(board) == nullptr) book.put(random_entry(random, board));
            if (!replay.play(m)) break;
        }
    }
    return book;
}

// ---- Pictures -----------------------------------------------------------------------------------

TEST(OthelloBook, EveryPictureIsTheSamePosition) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        const Position p = random_position(random, 1 + round % 30);
        Book book;
        book.put(random_entry(random, p.board));
        const BookValues values(book);
        const auto moves = book_moves(book, values, p);
        for (int s = 0; s < kSymmetries; ++s) {
            const Position turned{transform(p.board, s), p.to_move};
            ASSERT_NE(book.find(turned.board), nullptr);
            const auto there = book_moves(book, values, turned);
            ASSERT_EQ(there.size(), moves.size());
            for (const BookMove& m : moves) {  // the same move with the same value
                const Board next = p.board.after(m.square, p.board.flips(m.square));
                const auto same = [&](const BookMove& t) {
                    const Bits flips = turned.board.flips(t.square);
                    return t.value == m.value && t.depth == m.depth &&
                           canonical(turned.board.after(t.square, flips)).board ==
                               canonical(next).board;
                };
                EXPECT_TRUE(std::any_of(there.begin(), there.end(), same));
            }
        }
    }
}

TEST(OthelloBook, SymmetricMovesAreOne) {
    const BookEntry e =
        canonical_entry(start_position().board,
                        {link("d3", 0, 5), link("f5", 10, 8), link("e6", 0), link("c4", 0)});
    ASSERT_THAT(e.links, SizeIs(1));
    EXPECT_THAT(distinct_moves(start_position().board), SizeIs(1));
}

TEST(OthelloBook, AMoveThatForcesAPassLeadsBeyondIt) {
    std::mt19937_64 random(3);
    int passes = 0;
    int ends = 0;
    for (int round = 0; round < 400; ++round) {
        const Position p = random_position(random, 40 + round % 20);
        for (Bits m = p.board.moves(); m != 0; m &= m - 1) {
            const BookStep step = book_step(p.board, lowest(m));
            EXPECT_EQ(step.over, step.board.over());
            if (step.over) {
                EXPECT_EQ(step.score, -final_score(step.board));
                ++ends;
                continue;
            }
            EXPECT_NE(step.board.moves(), 0U);
            passes += step.same_mover ? 1 : 0;
        }
    }
    EXPECT_GT(passes, 20);
    EXPECT_GT(ends, 5);
}

// ---- Minimax ------------------------------------------------------------------------------------

// By definition, without the book's own helpers: plain recursion on boards as they are played.
class PlainMinimax {
public:
    PlainMinimax(const Book& book, int draw) : book_(book), draw_(draw) {}

    // For the mover; nothing when the book knows nothing.
    std::optional<int> value(const Position& p) const {
        if (p.board.over()) return final(p);
        if (p.board.moves() == 0) {
            const auto v = value({p.board.passed(), opposite(p.to_move)});
            return v ? std::optional(-*v) : std::nullopt;
        }
        const auto entry = find(p.board);
        if (!entry || entry->second.links.empty()) return std::nullopt;
        std::optional<int> best;
        for (Bits m = p.board.moves(); m != 0; m &= m - 1) {
            const auto v = move_value(p, lowest(m));
            if (v) best = std::max(best.value_or(-10000), *v);
        }
        return best;
    }
    std::optional<int> move_value(const Position& p, Square square) const {
        const Board next = p.board.after(square, p.board.flips(square));
        if (const auto v = value({next, opposite(p.to_move)})) return -*v;
        const auto [symmetry, entry] = *find(p.board);
        for (const BookLink& l : entry.links) {  // any link that makes the same picture
            const Board linked = entry.board.after(l.square, entry.board.flips(l.square));
            if (canonical(linked).board != canonical(next).board) continue;
            if (l.value == 0 && l.solved && l.confidence == 100) return draw(p.to_move);
            return l.value;
        }
        return std::nullopt;
    }

private:
    int draw(Colour mover) const { return mover == Colour::Black ? draw_ : -draw_; }
    int final(const Position& p) const {
        const int score = final_score(p.board);
        return score == 0 ? draw(p.to_move) : 100 * score;
    }
    std::optional<std::pair<int, BookEntry>> find(const Board& board) const {
        for (int s = 0; s < kSymmetries; ++s) {
            for (const BookEntry& e : book_.entries()) {
                if (e.board == transform(board, s)) return std::pair(s, e);
            }
        }
        return std::nullopt;
    }
    const Book& book_;
    int draw_;
};

TEST(OthelloBook, ValuesAreThoseOfPlainMinimax) {
    std::size_t compared = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const Book book = random_book(seed, 25, seed % 2 == 0 ? 0 : 50);
        ASSERT_GT(book.size(), 10U);
        for (const int draw : {0, 100, -250}) {
            const BookValues values(book, draw);
            const PlainMinimax plain(book, draw);
            for (std::size_t i = 0; i < book.size(); ++i) {
                if (!book.entry(i).analysed()) continue;
                for (const Colour c : {Colour::Black, Colour::White}) {
                    const auto want = plain.value({book.entry(i).board, c});
                    ASSERT_TRUE(want);
                    EXPECT_EQ(values.value(i, c == Colour::Black), *want);
                    ++compared;
                }
            }
        }
    }
    EXPECT_GT(compared, 2000U);
}

TEST(OthelloBook, TheMoveListSaysWhatIsKnown) {
    Book book;
    const Position p = start_position();
    const auto after = parse_transcript("f5");
    book.put(canonical_entry(p.board, {link("f5", 30, 12, 95)}));
    BookEntry next = canonical_entry(end_position(*after).board, {link("d6", -80, 14, 98)});
    next.results.add(-4);
    next.results.add(6);
    next.results.add(-10);
    book.put(next);
    const auto moves = book_moves(book, BookValues(book), p);
    ASSERT_THAT(moves, SizeIs(1));
    EXPECT_EQ(moves[0].value, 80) << "the position after the move knows better";
    EXPECT_EQ(moves[0].searched, 30);
    EXPECT_EQ(moves[0].depth, 12);
    EXPECT_TRUE(moves[0].in_book);
    EXPECT_EQ(moves[0].results, (BookResults{2, 0, 1, 8}));
}

// ---- Choosing -----------------------------------------------------------------------------------

// A position with three different moves: +1.00, +0.50 and -2.00.
struct Choice {
    Position position;
    std::shared_ptr<Book> book = std::make_shared<Book>();
    std::vector<Square> moves;
    Choice() {
        std::mt19937_64 random(8);
        do {
            position = random_position(random, 20);
            moves = distinct_moves(position.board);
        } while (moves.size() < 3);
        position.to_move = Colour::Black;
        put({100, 50, -200}, false);
    }
    void put(const std::vector<int>& values, bool first_is_solved) {
        std::vector<BookLink> links;
        for (std::size_t i = 0; i < values.size(); ++i) {
            links.push_back(
                link(format_square(moves[i]), values[i], 10, 100, i == 0 && first_is_solved));
        }
        book->put(canonical_entry(position.board, links));
    }
};

TEST(OthelloBook, ChoosesTheBestWithoutRandomness) {
    const Choice c;
    const BookPlayer player(c.book);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        EXPECT_EQ(player.choose(c.position, 0, seed)->square, c.moves[0]);
    }
    EXPECT_FALSE(player.choose(start_position()));
}

TEST(OthelloBook, RandomnessIsBoundedAndRepeatable) {
    const Choice c;
    const BookPlayer player(c.book);
    std::map<Square, int> count;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Square s = player.choose(c.position, 1.0, seed)->square;
        EXPECT_EQ(player.choose(c.position, 1.0, seed)->square, s);
        ++count[s];
    }
    EXPECT_EQ(count[c.moves[2]], 0) << "loses three discs";
    EXPECT_GT(count[c.moves[1]], 300);
    EXPECT_GT(count[c.moves[0]], count[c.moves[1]]);
    count.clear();
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        ++count[player.choose(c.position, 5.0, seed)->square];
    }
    EXPECT_GT(count[c.moves[2]], 100);
}

TEST(OthelloBook, RandomnessAlsoTurnsTheBoard) {
    auto book = std::make_shared<Book>();
    book->put(canonical_entry(start_position().board, {link("f5", 0)}));
    const BookPlayer player(book);
    std::map<Square, int> count;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        ++count[player.choose(start_position(), 0.5, seed)->square];
    }
    EXPECT_THAT(count, SizeIs(4));
}

TEST(OthelloBook, ContemptSaysWhatADrawIsWorthToBlack) {
    Choice c;
    c.put({0, 50}, true);  // a proven draw, or perhaps half a disc
    const Position white{c.position.board, Colour::White};
    BookPlayer player(c.book);
    EXPECT_EQ(player.choose(c.position)->square, c.moves[1]);
    player.set_contempt(100);
    EXPECT_EQ(player.choose(c.position)->square, c.moves[0]);
    EXPECT_EQ(player.choose(c.position)->value, 100);
    EXPECT_EQ(player.choose(white)->square, c.moves[1]);
    c.put({0, -50}, true);
    BookPlayer again(c.book, 100);
    EXPECT_EQ(again.choose(white)->square, c.moves[1]) << "a draw is Black's gain";
    again.set_contempt(-100);
    EXPECT_EQ(again.choose(white)->square, c.moves[0]);
    EXPECT_EQ(again.choose(c.position)->square, c.moves[1]);
    EXPECT_EQ(again.contempt(), -100);
}

TEST(OthelloBook, TheBestLineIsLegal) {
    const auto book = std::make_shared<Book>(random_book(5, 200));
    const auto line = BookPlayer(book).line(start_position());
    GameRecord game;
    Replay replay(game);
    for (const Square s : line) ASSERT_TRUE(replay.play({s}));
    EXPECT_FALSE(line.empty());
}

// ---- Merging ------------------------------------------------------------------------------------

TEST(OthelloBook, DeeperAnalysisWinsAndGamesAddUp) {
    EXPECT_TRUE(is_stronger(link("a1", 0, 12), link("a1", 0, 10)));
    EXPECT_TRUE(is_stronger(link("a1", 0, 10, 99), link("a1", 0, 10, 73)));
    EXPECT_TRUE(is_stronger(link("a1", 0, 20, 73, true), link("a1", 0, 30, 100)));
    EXPECT_TRUE(is_stronger(link("a1", 0, 20, 100, true), link("a1", 0, 30, 99, true)));
    const Board board = end_position(*parse_transcript("f5")).board;
    BookEntry a = canonical_entry(board, {link("d6", 10, 8), link("f6", -30, 12)});
    BookEntry b = canonical_entry(board, {link("d6", 20, 10), link("f6", 5, 11), link("f4", 1)});
    a.level = 5;
    a.results = {1, 2, 3, -7};
    b.results = {10, 0, 1, 60};
    const BookEntry m = merged(a, b);
    EXPECT_THAT(m.links, SizeIs(3));
    EXPECT_EQ(m.links[0].value, 20);
    EXPECT_EQ(m.links[2].value, -30);
    EXPECT_EQ(m.level, 5);
    EXPECT_EQ(m.results, (BookResults{11, 2, 4, 53}));
    EXPECT_EQ(merged(b, a), m);
    EXPECT_EQ(merged(m, canonical_entry(board, {})), m);
}

// ---- Text ---------------------------------------------------------------------------------------

TEST(OthelloBook, TextComesBack) {
    const Book book = random_book(9, 100, 30);
    for (const BookEntry& e : book.entries()) {
        const std::string line = format_book_line(e);
        const auto back = parse_book_line(line);
        ASSERT_TRUE(back) << line << "\n" << back.error().what;
        BookEntry want = e;
        for (BookLink& l : want.links) {  // "end" says how deep that is
            if (l.solved) l.depth = static_cast<std::uint8_t>(e.board.empties());
        }
        EXPECT_EQ(*back, want) << line;
        EXPECT_EQ(format_book_line(*back), line);
    }
}

TEST(OthelloBook, PlainObfIsUnderstoodInAnyPicture) {
    const std::string start = format_obf(start_position());
    const auto a = parse_book_line(start + "; F5:+2; \r");
    const auto b = parse_book_line(start + ";D3:2.00;");
    ASSERT_TRUE(a);
    ASSERT_TRUE(b);
    EXPECT_EQ(*a, *b);
    EXPECT_EQ(a->links[0].value, 200);
    EXPECT_EQ(a->links[0].depth, 0);
}

TEST(OthelloBook, TextErrorsAreOneClearLine) {
    const std::string start = format_obf(start_position());
    for (const auto& [item, what] :
         std::vector<std::pair<std::string, std::string>>{{"a1:+1", "not legal"},
                                                          {"f5:x", "no value"},
                                                          {"f5:+99", "no value"},
                                                          {"f5:+1/x", "no depth"},
                                                          {"f5:+1/8@120", "no percentage"},
                                                          {"f5:+1/8@90 y", "more than"},
                                                          {"level -3", "no level"},
                                                          {"games 1 2", "not four"},
                                                          {"hello", "neither"}}) {
        const auto e = parse_book_line(start + "; " + item + ";");
        ASSERT_FALSE(e) << item;
        EXPECT_THAT(e.error().what, HasSubstr(what)) << item;
    }
}

// ---- The file -----------------------------------------------------------------------------------

void expect_same(const Book& a, const Book& b) {
    EXPECT_EQ(a.size(), b.size());
    for (const BookEntry& e : a.entries()) {
        const BookEntry* other = b.find(e.board);
        ASSERT_NE(other, nullptr);
        EXPECT_EQ(*other, e);
    }
    EXPECT_EQ(a.notes(), b.notes());
}

// A journal: one record an entry, and the size of the file after each.
struct Journal {
    std::vector<BookEntry> entries;
    std::vector<std::size_t> ends;
    std::string bytes;
};
Journal make_journal(const tests::TemporaryFolder& folder, int games) {
    Journal j;
    const std::string path = folder.file("journal.book");
    auto file = BookFile::open(path, BookFile::Missing::Create);
    EXPECT_TRUE(file) << file.error().what;
    const Book book = random_book(4, games);
    for (const BookEntry& e : book.entries()) {
        EXPECT_TRUE(file->put(std::span(&e, 1)));
        j.entries.push_back(e);
        j.ends.push_back(std::filesystem::file_size(path));
    }
    j.bytes = tests::read_file(path);
    return j;
}

TEST(OthelloBookFile, KeepsWhatIsPut) {
    const tests::TemporaryFolder folder;
    const std::string path = folder.file("a.book");
    const Book book = random_book(2);
    {
        auto file = BookFile::open(path, BookFile::Missing::Create);
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->put_note("by a test"));
        ASSERT_TRUE(file->put(book.entries()));
        ASSERT_TRUE(file->sync());
    }
    auto back = load_book(path);
    ASSERT_TRUE(back) << back.error().what;
    EXPECT_THAT(back->notes(), ElementsAre("by a test"));
    auto file = BookFile::open(path, BookFile::Missing::Refuse);
    ASSERT_TRUE(file);
    expect_same(file->book(), *back);
    EXPECT_EQ(back->size(), book.size());
    BookEntry changed = book.entry(0);
    changed.results.add(4);
    ASSERT_TRUE(file->put(std::span(&changed, 1)));
    EXPECT_EQ(scan_book_file(path)->superseded, 1U);
    const auto before = std::filesystem::file_size(path);
    ASSERT_TRUE(file->compact());
    EXPECT_LT(std::filesystem::file_size(path), before * 2 / 3);
    expect_same(*load_book(path), file->book());
    EXPECT_EQ(*load_book(path)->find(changed.board), changed);
    EXPECT_EQ(tests::read_file(path), book_bytes(*load_book(path))) << "the same bytes each time";
    BookEntry more = random_entry(*std::make_unique<std::mt19937_64>(1),
                                  end_position(*parse_transcript("f5d6c3d3c4")).board);
    ASSERT_TRUE(file->put(std::span(&more, 1))) << "the writer goes on after it";
    EXPECT_EQ(*load_book(path)->find(more.board), more);
}

TEST(OthelloBookFile, CutAnywhereItKeepsEveryWholeRecord) {
    const tests::TemporaryFolder folder;
    const Journal j = make_journal(folder, 4);
    ASSERT_GT(j.entries.size(), 8U);
    for (std::size_t cut = 16; cut <= j.bytes.size(); ++cut) {
        const auto whole = static_cast<std::size_t>(
            std::upper_bound(j.ends.begin(), j.ends.end(), cut) - j.ends.begin());
        const auto scan = scan_book(std::string_view(j.bytes).substr(0, cut), "x");
        ASSERT_TRUE(scan);
        ASSERT_EQ(scan->book.size(), whole) << "cut at " << cut;
        EXPECT_THAT(scan->damage, IsEmpty()) << "cut at " << cut;
        EXPECT_EQ(scan->torn_bytes, cut - scan->good_end);
    }
    // The next writer goes on behind the last whole record.
    const std::string path = folder.write("cut.book", j.bytes.substr(0, j.ends[5] + 20));
    {
        auto file = BookFile::open(path, BookFile::Missing::Refuse);
        ASSERT_TRUE(file) << file.error().what;
        EXPECT_EQ(file->book().size(), 6U);
        ASSERT_TRUE(file->put(std::span(&j.entries[7], 1)));
    }
    EXPECT_EQ(load_book(path)->size(), 7U);
    // Killed while the file was born.
    for (std::size_t n = 0; n < 16; ++n) {
        const std::string born = folder.write("born.book", j.bytes.substr(0, n));
        EXPECT_TRUE(BookFile::open(born, BookFile::Missing::Refuse)) << n;
        EXPECT_TRUE(load_book(born));
    }
}

TEST(OthelloBookFile, DamageIsNamedAndTheRestCanBeSaved) {
    const tests::TemporaryFolder folder;
    const Journal j = make_journal(folder, 4);
    for (std::size_t at = j.ends[1]; at < j.ends[2]; ++at) {
        std::string bytes = j.bytes;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        const std::string path = folder.write("bad.book", bytes);
        const auto book = load_book(path);
        ASSERT_FALSE(book) << "byte " << at;
        EXPECT_THAT(book.error().what, HasSubstr("damaged at byte " + std::to_string(j.ends[1])));
        EXPECT_THAT(book.error().remedy, HasSubstr("karikomi repair"));
        EXPECT_FALSE(BookFile::open(path, BookFile::Missing::Refuse));
        EXPECT_EQ(tests::read_file(path), bytes) << "a damaged file is left alone";
        const auto scan = scan_book_file(path);
        EXPECT_EQ(scan->book.size(), j.entries.size() - 1);
    }
    // A bad last record is no torn one: it was saved once.
    std::string bytes = j.bytes;
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    EXPECT_FALSE(load_book(folder.write("bad.book", bytes)));
    EXPECT_FALSE(load_book(folder.write("bad.book", "KARIBOK1 but no book")));
    EXPECT_FALSE(load_book(folder.write("bad.book", "")));
    EXPECT_FALSE(
        BookFile::open(folder.write("b", "some text of a user"), BookFile::Missing::Create));
    // Room that a power failure left without its bytes.
    bytes = j.bytes + std::string(100, '\0');
    EXPECT_TRUE(load_book(folder.write("zeros.book", bytes)));
}

// A packed book is sealed: it is the whole one or damaged, never a smaller one.
TEST(OthelloBookFile, APackedBookThatIsCutOrChangedIsNeverCalledWhole) {
    const tests::TemporaryFolder folder;
    const Book book = random_book(4, 4);
    const std::string whole = book_bytes(book);
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
        const std::string bytes = whole.substr(0, cut);
        const auto scan = scan_book(bytes, "x");
        ASSERT_TRUE(!scan || !scan->damage.empty()) << "cut at " << cut;
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
        const auto scan = scan_book(bytes, "x");
        ASSERT_TRUE(scan) << "still a book, byte " << at;
        ASSERT_FALSE(scan->damage.empty()) << "byte " << at;
    }
    // The one that was found: one byte less, and the next writer began anew.
    const std::string bytes = whole.substr(0, whole.size() - 1);
    const std::string path = folder.write("cut.book", bytes);
    const auto file = BookFile::open(path, BookFile::Missing::Create);
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().what, HasSubstr("cut.book is damaged at byte"));
    EXPECT_EQ(tests::read_file(path), bytes);
    // Without its head everything is still there to be saved.
    std::string headless = whole;
    headless[0] = 'X';
    expect_same(scan_book(headless, "x")->book, book);
}

TEST(OthelloBookFile, APackedBookOfTheFirstFormatThatIsCutIsDamaged) {
    const Book book = random_book(4, 4);
    const std::string old_head = make_journal(tests::TemporaryFolder(), 1).bytes.substr(0, 16);
    const std::string old = old_head + book_bytes(book).substr(32);
    expect_same(scan_book(old, "x")->book, book);
    EXPECT_FALSE(scan_book(std::string_view(old).substr(0, old.size() - 1), "x")->damage.empty());
}

TEST(OthelloBookFile, OnlyAKilledWritersEndIsCutOffAndItIsKept) {
    const tests::TemporaryFolder folder;
    const Journal j = make_journal(folder, 4);
    // The size in the last record's head: damaged it looks longer than the file.
    for (std::size_t at = j.ends.end()[-2]; at < j.bytes.size(); ++at) {
        std::string bytes = j.bytes;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        EXPECT_FALSE(load_book(folder.write("bad.book", bytes))) << "byte " << at;
    }
    const std::string torn = j.bytes.substr(0, j.ends[5] + 20);
    const std::string path = folder.write("torn.book", torn);
    ASSERT_TRUE(BookFile::open(path, BookFile::Missing::Refuse));
    EXPECT_EQ(tests::read_file(path + ".torn"), torn.substr(j.ends[5]));
}

TEST(OthelloBookFile, ContentsThatBreakTheRulesAreFound) {
    const tests::TemporaryFolder folder;
    const std::string path = folder.file("a.book");
    BookEntry e = canonical_entry(start_position().board, {link("f5", 0)});
    e.links[0].square = 0;
    {
        auto file = BookFile::open(path, BookFile::Missing::Create);
        ASSERT_TRUE(file->put(std::span(&e, 1)));
    }
    ASSERT_THAT(scan_book_file(path)->invalid, SizeIs(1));
    EXPECT_THAT(load_book(path).error().what, HasSubstr("illegal move"));
}

TEST(OthelloBookFile, ASecondWriterIsRefusedAReaderIsNot) {
    const tests::TemporaryFolder folder;
    const std::string path = folder.file("a.book");
    {
        auto first = BookFile::open(path, BookFile::Missing::Create);
        ASSERT_TRUE(first);
        for (int i = 0; i < 2; ++i) {
            const auto second = BookFile::open(path, BookFile::Missing::Create);
            ASSERT_FALSE(second);
            EXPECT_THAT(second.error().what, HasSubstr("being written by another program"));
            EXPECT_TRUE(load_book(path));
            ASSERT_TRUE(first->compact()) << "the lock goes on to the new file";
        }
    }
    EXPECT_TRUE(BookFile::open(path, BookFile::Missing::Refuse));
    EXPECT_THAT(BookFile::open(folder.file("none"), BookFile::Missing::Refuse).error().what,
                HasSubstr("no such file"));
}

TEST(OthelloBookFile, AFullDiskIsAnErrorAndLosesNothing) {
    const tests::TemporaryFolder folder;
    const std::string path = folder.file("a.book");
    const Book book = random_book(6);
    auto file = BookFile::open(path, BookFile::Missing::Create);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->put(book.entries().first(10)));
    const auto size = std::filesystem::file_size(path);
    signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = size + 30;
    setrlimit(RLIMIT_FSIZE, &small);
    const Status put = file->put(book.entries().subspan(10, 5));
    const Status packed = file->replace(random_book(7, 400));
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_FALSE(put);
    EXPECT_FALSE(packed);
    EXPECT_EQ(std::filesystem::file_size(path), size);
    EXPECT_EQ(file->book().size(), 10U);
    ASSERT_TRUE(file->put(book.entries().subspan(10, 5))) << "room again";
    EXPECT_EQ(load_book(path)->size(), 15U);
    EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(OthelloBook, TheShippedBookIsInOrder) {
    const auto book = shipped_book();
    ASSERT_NE(book->find(start_position().board), nullptr);
    const auto move = BookPlayer(book).choose(start_position());
    ASSERT_TRUE(move);
    EXPECT_NE(start_position().board.moves() & bit(move->square), 0U);
    const auto scan = scan_book_file(KARIKOMI_SOURCE_DIR "/weights/othello.book");
    ASSERT_TRUE(scan);
    EXPECT_THAT(scan->damage, IsEmpty());
    EXPECT_THAT(scan->invalid, IsEmpty());
    EXPECT_EQ(scan->torn_bytes, 0U);
    expect_same(scan->book, *book);
    EXPECT_FALSE(book->notes().empty()) << "a shipped book says where it comes from";
}

}  // namespace
}  // namespace karikomi::othello
