// Building the book, with a search whose answers are known: every value is that of a full minimax
// over pseudo-random leaves, so what the book must hold can be worked out without it.
#include "karikomi/games/othello/book_builder.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/records.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::othello {
namespace {

using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

using Key = std::pair<std::uint64_t, std::uint64_t>;
Key key_of(const Board& board) {
    const Board c = canonical(board).board;
    return {c.own, c.other};
}

// Knows the value of every position up to a number of discs; beyond, any number will do.
class Oracle {
public:
    explicit Oracle(int horizon) : horizon_(horizon) {}

    int value(const Board& board) {  // for the mover, who can move
        if (64 - board.empties() >= horizon_) return static_cast<int>(hash(board) % 801) - 400;
        const auto [at, fresh] = known_.try_emplace(key_of(board), 0);
        if (!fresh) return at->second;
        int best = -10000;
        for (const Square s : distinct_moves(board)) best = std::max(best, move_value(board, s));
        return known_[key_of(board)] = best;
    }
    int move_value(const Board& board, Square square) {
        const BookStep step = book_step(board, square);
        if (step.over) return step.score * kDisc;
        const int v = value(step.board);
        return step.same_mover ? v : -v;
    }
    Expected<Result> search(const Engine& engine, const SearchRequest& request) {
        ++searches;
        const Board board = parse_obf(engine.position_text())->board;
        Result result;
        auto moves = request.only_moves;
        if (moves.empty()) moves = engine.legal_moves();
        for (const std::string& text : moves) {
            Line line;
            line.value = move_value(board, *parse_square(text));
            line.bound = Bound::Exact;
            line.depth = depth;
            line.pv = {text};
            result.lines.push_back(line);
        }
        std::sort(result.lines.begin(), result.lines.end(),
                  [](const Line& a, const Line& b) { return a.value > b.value; });
        const auto most = static_cast<std::size_t>(one_line_only ? 1 : request.limits.multi_pv);
        if (result.lines.size() > most) result.lines.resize(most);
        result.best_move = result.lines.front().pv.front();
        result.nodes = 1;
        return result;
    }

    int searches = 0;
    int depth = 7;
    bool one_line_only = false;

private:
    static std::uint64_t hash(const Board& board) {
        const Board c = canonical(board).board;
        return hash_key(c) >> 7U;
    }
    int horizon_;
    std::map<Key, int> known_;
};

// The least that both sides together give away on any way from the start, by plain search.
void least_loss(Oracle& oracle, const Board& board, int loss, int plies, std::map<Key, int>& out) {
    const auto [at, fresh] = out.try_emplace(key_of(board), loss);
    if (!fresh && at->second <= loss) return;
    at->second = loss;
    if (plies <= 1) return;
    const int best = oracle.value(board);
    for (const Square s : distinct_moves(board)) {
        const BookStep step = book_step(board, s);
        const int lost = loss + best - oracle.move_value(board, s);
        if (!step.over) least_loss(oracle, step.board, lost, plies - 1, out);
    }
}

struct Workshop {
    tests::TemporaryFolder folder;
    std::unique_ptr<Engine> engine = std::move(*make_engine());
    Oracle oracle{10};
    BookBuildOptions options;
    std::function<void(StopSource&)> before_search;
    std::vector<BookProgress> reports;

    Workshop() {
        engine->set_hash(1);
        options.plies = 5;
        options.max_loss = 2;
        options.width = 30;
    }
    std::string path() const { return folder.file("a.book"); }
    BookOutcome build() {
        auto file = BookFile::open(path(), BookFile::Missing::Create);
        EXPECT_TRUE(file) << file.error().what;
        BookBuilder builder(*file, *engine, options);
        StopSource stop;
        builder.search_with([&](Engine& e, const SearchRequest& r) {
            if (before_search) before_search(stop);
            return oracle.search(e, r);
        });
        builder.stop_on(stop.get_token());
        builder.report_to([&](const BookProgress& p) { reports.push_back(p); });
        const auto outcome = builder.run();
        EXPECT_TRUE(outcome) << outcome.error().what;
        return *outcome;
    }
    Book book() const { return *load_book(path()); }
};

TEST(BookBuilder, HoldsWhatBothSidesMayPlayAndNothingElse) {
    for (const double max_loss : {0.0, 1.5, 4.0}) {
        Workshop w;
        w.options.max_loss = max_loss;
        const BookOutcome outcome = w.build();
        EXPECT_EQ(outcome.waiting, 0U);
        std::map<Key, int> losses;
        least_loss(w.oracle, start_position().board, 0, w.options.plies, losses);
        std::size_t wanted = 0;
        for (const auto& [key, loss] : losses) {
            const bool in_book =
                w.book().index_of_canonical({key.first, key.second}) != Book::kNone;
            EXPECT_EQ(in_book, loss <= max_loss * kDisc) << loss;
            wanted += loss <= max_loss * kDisc ? 1 : 0;
        }
        EXPECT_EQ(w.book().size(), wanted);
        EXPECT_EQ(outcome.analysed, wanted);
        const Book book = w.book();
        const BookValues values(book);
        const std::size_t root = book.index_of(start_position().board);
        EXPECT_EQ(values.value(root), w.oracle.value(start_position().board));
    }
}

TEST(BookBuilder, TakesTheMostPromisingFirst) {
    Workshop w;
    w.options.max_loss = 20;
    w.options.positions = 40;
    const BookOutcome outcome = w.build();
    EXPECT_EQ(outcome.analysed, 40U);
    EXPECT_GT(outcome.waiting, 0U);
    std::map<Key, int> losses;
    least_loss(w.oracle, start_position().board, 0, w.options.plies, losses);
    const auto priority = [&](const Board& b) {
        return losses.at(key_of(b)) / 100.0 + w.options.ply_cost * (60 - b.empties());
    };
    const Book book = w.book();
    double worst_inside = 0;
    for (const BookEntry& e : book.entries())
        worst_inside = std::max(worst_inside, priority(e.board));
    const auto candidates = book_candidates(book, w.options);
    ASSERT_FALSE(candidates.empty());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const BookCandidate& c = candidates[i];
        EXPECT_EQ(c.deviation, losses.at(key_of(c.board)));
        EXPECT_EQ(c.ply, 60 - c.board.empties());
        EXPECT_GE(priority(c.board), worst_inside - 1e-9) << "it should have come before";
        const std::size_t previous = i > 0 ? i - 1 : 0;
        EXPECT_GE(priority(c.board), priority(candidates[previous].board));
    }
}

TEST(BookBuilder, GoesOnWhereItWasStopped) {
    Workshop whole;
    whole.build();
    Workshop w;
    int asked = 0;
    w.before_search = [&](StopSource& stop) {
        if (++asked > 4) stop.request_stop();
    };
    int runs = 0;
    for (; runs < 100; ++runs) {
        const std::size_t before = runs == 0 ? 0 : w.book().size();
        asked = 0;
        const BookOutcome outcome = w.build();
        EXPECT_EQ(w.book().size(), before + outcome.analysed) << "nothing is done twice";
        if (!outcome.stopped) break;
    }
    EXPECT_GT(runs, 3);
    EXPECT_EQ(book_bytes(w.book()), book_bytes(whole.book()));
}

TEST(BookBuilder, ReportsAsSavedOnlyWhatIsOnDisk) {
    Workshop w;
    std::size_t saved = 0;
    w.before_search = [&](StopSource&) {
        if (!w.reports.empty()) saved = w.reports.back().positions;
        EXPECT_LE(saved, load_book(w.path())->size());
    };
    w.options.max_loss = 1;
    w.build();
    EXPECT_TRUE(w.reports.back().saved);
    EXPECT_EQ(w.reports.back().positions, w.book().size());
}

TEST(BookBuilder, WidthAndOneLineSolvers) {
    Workshop w;
    w.options.width = 3;
    w.build();
    Workshop solver;
    solver.options.width = 3;
    solver.oracle.one_line_only = true;
    solver.build();
    const Book book = w.book();
    for (const BookEntry& e : book.entries()) EXPECT_THAT(e.links.size(), Le(3U));
    EXPECT_EQ(book_bytes(w.book()), book_bytes(solver.book()));
}

TEST(BookBuilder, DeepensWhatIsShallow) {
    Workshop w;
    w.options.limits.depth = 7;
    w.build();
    const std::size_t size = w.book().size();
    w.options.limits.depth = 9;
    EXPECT_EQ(w.build().analysed, 0U) << "only when asked";
    w.options.deepen = true;
    w.oracle.depth = 9;
    EXPECT_EQ(w.build().analysed, size);
    const Book book = w.book();
    for (const BookEntry& e : book.entries()) EXPECT_EQ(e.links.front().depth, 9);
    EXPECT_EQ(w.build().analysed, 0U);
    w.options.limits.depth = 20;  // which this search never reaches
    EXPECT_EQ(w.build().analysed, size) << "once, not for ever";
}

TEST(BookBuilder, GamesAreCountedWhereTheyWentThrough) {
    Workshop w;
    w.options.games = 6;
    w.options.randomness = 2;
    BookOutcome outcome = w.build();
    EXPECT_EQ(outcome.games, 6U);
    const Book book = w.book();
    const BookEntry& root = *book.find(start_position().board);
    EXPECT_EQ(root.results.games(), 6U);
    // The four first moves are one, so all games go on through one position, the other way round.
    const BookEntry& next = *book.find(end_position(*parse_transcript("f5")).board);
    EXPECT_EQ(next.results, root.results.turned());
    std::uint64_t second = 0;
    for (const BookEntry& e : book.entries())
        second += e.board.empties() == 58 ? e.results.games() : 0;
    EXPECT_EQ(second, 6U);
    EXPECT_EQ(w.build().games, 0U) << "they have been played";
    w.options.games = 8;
    w.options.positions = 1;  // of analyses; games go on without
    EXPECT_EQ(w.build().games, 2U);
}

TEST(BookBuilder, BeginsAnywhere) {
    Workshop w;
    w.options.root = end_position(*parse_transcript("f5d6c3"));
    w.oracle = Oracle(11);
    w.options.plies = 3;
    w.build();
    const Book book = w.book();
    EXPECT_NE(book.find(w.options.root.board), nullptr);
    EXPECT_EQ(book.find(start_position().board), nullptr);
    for (const BookEntry& e : book.entries()) {
        EXPECT_GE(e.board.empties(), 57 - 2);
        EXPECT_LE(e.board.empties(), 57);
    }
}

TEST(BookBuilder, WorksWithTheRealSearch) {
    tests::TemporaryFolder folder;
    auto engine = std::move(*make_engine());
    engine->set_hash(1);
    auto file = BookFile::open(folder.file("a.book"), BookFile::Missing::Create);
    BookBuildOptions options;
    options.limits.depth = 3;
    options.plies = 3;
    options.games = 1;
    const auto outcome = BookBuilder(*file, *engine, options).run();
    ASSERT_TRUE(outcome) << outcome.error().what;
    EXPECT_EQ(outcome->games, 1U);
    EXPECT_GT(outcome->nodes, 100U);
    EXPECT_EQ(file->book().find(start_position().board)->links.front().depth, 3);
}

}  // namespace
}  // namespace karikomi::othello
