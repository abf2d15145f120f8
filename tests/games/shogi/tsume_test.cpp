/// Mate by checks: answers are replayed, denials are checked by a plain search.
#include "karikomi/games/shogi/tsume.hpp"

#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/movegen.hpp"
#include "karikomi/games/shogi/notation.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::shogi {
namespace {

Board board_of(const std::string& sfen) {
    const auto diagram = parse_sfen(sfen);
    EXPECT_TRUE(diagram) << sfen;
    return diagram->board;
}

std::string text_of(const std::vector<Move>& line) {
    std::string text;
    for (const Move m : line) text += format_usi(m) + " ";
    return text;
}

struct Moves {
    std::vector<Move> list;
    void push(Move m) { list.push_back(m); }
};
std::vector<Move> moves_of(const Board& b) {
    Moves moves;
    generate_moves<Stage::All, Promotions::Every>(b, moves);
    return moves.list;
}

/// The obvious search: is there a mate in so many plies?
bool mates_within(Board& b, int plies) {
    for (const Move m : moves_of(b)) {
        if (!b.gives_check(m)) continue;
        BoardUndo undo;
        b.do_move(m, undo);
        bool all = true;
        for (const Move answer : moves_of(b)) {
            BoardUndo second;
            b.do_move(answer, second);
            all = plies > 2 && mates_within(b, plies - 2);
            b.undo_move(answer, second);
            if (!all) break;
        }
        b.undo_move(m, undo);
        if (all) return true;
    }
    return false;
}

TEST(Tsume, FindsMatesOfOurOwnMaking) {
    struct Problem {
        const char* sfen;
        int plies;  // of the shortest mate
    };
    // Black's king is missing in most, as in problem books.
    const Problem problems[] = {
        {"4k4/9/4P4/9/9/9/9/9/9 b G 1", 1},      {"7nl/7k1/7p1/7R1/9/9/9/9/9 b G 1", 0},
        {"8k/7g1/8P/9/9/9/9/9/9 b GS 1", 0},     {"7kl/9/6G2/9/9/9/9/9/9 b RG 1", 0},
        {"9/9/9/9/9/9/6+p2/9/4k3K w 2G2r 1", 0},
    };
    for (const Problem& p : problems) {
        const Board b = board_of(p.sfen);
        TsumeOptions o;
        o.shortest = true;
        o.time_ms = 10'000;
        const TsumeResult r = solve_tsume(b, o);
        Board copy = b;
        if (r.verdict == TsumeVerdict::Mate) {
            EXPECT_TRUE(is_mating_line(b, r.line)) << p.sfen << ": " << text_of(r.line);
            EXPECT_TRUE(r.is_shortest) << p.sfen;
            const int n = static_cast<int>(r.line.size());
            const bool is_checked = n > 1 && n <= 7;
            EXPECT_FALSE(is_checked && mates_within(copy, n - 2)) << p.sfen;
            const int expected = p.plies > 0 ? p.plies : n;
            EXPECT_EQ(n, expected) << p.sfen << ": " << text_of(r.line);
        } else {
            EXPECT_EQ(r.verdict, TsumeVerdict::NoMate) << p.sfen;
            EXPECT_EQ(p.plies, 0) << p.sfen;
            EXPECT_FALSE(mates_within(copy, 5)) << p.sfen;
        }
    }
}

/// A king in a corner of the board with a few of its own pieces; the attacker has some more.
std::optional<Board> random_problem(std::mt19937& random) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    Board b;
    const auto put = [&](Colour c, PieceType t, int files, int ranks) {
        const Square s = square_at(1 + below(files), below(ranks));
        if (b.on(s) == kNoPiece) b.put(make_piece(c, t), s);
    };
    put(kWhite, kKing, 3, 3);
    constexpr PieceType kSome[] = {kLance, kKnight, kSilver, kGold, kPawn, kBishop, kProPawn};
    for (int i = below(5); i > 0; --i) put(kWhite, kSome[below(7)], 4, 4);
    for (int i = below(4); i > 0; --i) put(kBlack, kSome[below(7)], 5, 5);
    constexpr PieceType kHand[] = {kPawn, kLance, kKnight, kSilver, kGold, kBishop, kRook};
    for (int i = 1 + below(4); i > 0; --i) b.give(kBlack, kHand[below(7)]);
    for (int i = below(3); i > 0; --i) b.give(kWhite, kHand[below(7)]);
    if (!b.finish(kBlack)) return std::nullopt;
    return b;
}

/// Every defence loses, and the solver says so each time.
void expect_proof(const Board& board, int plies) {
    const TsumeResult r = solve_tsume(board, {.max_nodes = 100'000, .hash_mb = 1});
    ASSERT_EQ(r.verdict, TsumeVerdict::Mate);
    ASSERT_TRUE(is_mating_line(board, r.line)) << text_of(r.line);
    if (plies <= 0) return;
    Board b = board;
    BoardUndo undo;
    b.do_move(r.line.front(), undo);
    for (const Move answer : moves_of(b)) {
        BoardUndo second;
        b.do_move(answer, second);
        expect_proof(b, plies - 2);
        b.undo_move(answer, second);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(Tsume, AgreesWithThePlainSearch) {
    std::mt19937 random(20261115);
    int mates = 0;
    int denials = 0;
    int longest = 0;
    const int rounds = test::rounds(300);
    for (int i = 0; i < rounds; ++i) {
        auto b = random_problem(random);
        if (!b) continue;
        const std::string sfen = format_sfen(*b, 1);
        const TsumeResult r = solve_tsume(*b, {.max_nodes = 20'000, .hash_mb = 1});
        if (r.verdict == TsumeVerdict::Unknown) continue;
        if (r.verdict == TsumeVerdict::Mate) {
            ++mates;
            ASSERT_TRUE(is_mating_line(*b, r.line)) << sfen << ": " << text_of(r.line);
            longest = std::max(longest, static_cast<int>(r.line.size()));
            expect_proof(*b, 3);
        } else {
            ++denials;
            ASSERT_FALSE(mates_within(*b, 3)) << sfen;
        }
        if (testing::Test::HasFailure()) FAIL() << sfen;
    }
    EXPECT_GT(mates, rounds / 20);
    EXPECT_GT(denials, rounds / 20);
    RecordProperty("longest", longest);
    EXPECT_GE(longest, 5);
}

TEST(Tsume, ASmallTableAndALargeOneAgree) {
    std::mt19937 random(7);
    for (int i = 0; i < test::rounds(200); ++i) {
        const auto b = random_problem(random);
        if (!b) continue;
        const TsumeResult small = solve_tsume(*b, {.max_nodes = 10'000, .hash_mb = 1});
        const TsumeResult large = solve_tsume(*b, {.max_nodes = 10'000, .hash_mb = 16});
        if (small.verdict == TsumeVerdict::Unknown || large.verdict == TsumeVerdict::Unknown)
            continue;
        ASSERT_EQ(small.verdict, large.verdict) << format_sfen(*b, 1);
    }
}

/// tsume_problems.txt: from our own games, by bench/tsume_problems.
struct Known {
    std::string sfen;
    std::vector<Move> line;  // empty: there is no mate
};
std::vector<Known> known_problems() {
    std::vector<Known> out;
    std::ifstream in(std::string(KARIKOMI_SOURCE_DIR) + "/tests/games/shogi/tsume_problems.txt");
    for (std::string text; std::getline(in, text);) {
        if (text.empty() || text[0] == '#') continue;
        Known k;
        k.sfen = text.substr(0, text.find(" ;"));
        if (const auto at = text.rfind("; "); text.find("nomate") == std::string::npos) {
            std::istringstream words(text.substr(at + 1));
            for (std::string word; words >> word;) k.line.push_back(*parse_usi(word));
        }
        out.push_back(std::move(k));
    }
    return out;
}

TEST(Tsume, SolvesTheProblemsOfOurOwnGames) {
    const auto problems = known_problems();
    std::set<std::size_t> lengths;
    int denied = 0;
    std::uint64_t nodes = 0;
    for (const Known& k : problems) {
        const Board b = board_of(k.sfen);
        const TsumeResult r = solve_tsume(b, {.max_nodes = 4'000'000, .hash_mb = 16});
        nodes += r.nodes;
        if (k.line.empty()) {
            ++denied;
            EXPECT_EQ(r.verdict, TsumeVerdict::NoMate) << k.sfen;
            continue;
        }
        EXPECT_TRUE(is_mating_line(b, k.line)) << k.sfen;
        lengths.insert(k.line.size());
        ASSERT_EQ(r.verdict, TsumeVerdict::Mate) << k.sfen;
        EXPECT_TRUE(is_mating_line(b, r.line)) << k.sfen << ": " << text_of(r.line);
        if (k.line.size() > 5) continue;  // the plain search is slow
        Board plain = b;
        EXPECT_FALSE(mates_within(plain, static_cast<int>(k.line.size()) - 2)) << k.sfen;
    }
    EXPECT_GE(denied, 5);
    EXPECT_LT(nodes, 150'000U) << "119 567 when this was written";
    for (std::size_t plies = 3; plies <= 21; plies += 2) EXPECT_TRUE(lengths.count(plies)) << plies;
    EXPECT_TRUE(lengths.count(25));
}

TEST(Tsume, EndsInTimeAndWhenAsked) {
    const Board b = board_of("3k5/9/9/9/9/9/9/9/9 b 2P2L2N 1");
    TsumeOptions o;
    StopSource stop;
    stop.request_stop();
    o.stop = stop.get_token();
    EXPECT_EQ(solve_tsume(board_of("lnsgkgsnl/9/9/9/9/9/9/9/9 b 2R2B 1"), o).verdict,
              TsumeVerdict::Unknown);
    o.stop = {};
    o.max_nodes = 1000;
    EXPECT_LE(solve_tsume(b, o).nodes, 1000U);
}

TEST(Tsume, KnowsLinesThatAreNoMate) {
    const Board b = board_of("4k4/9/4P4/9/9/9/9/9/9 b G 1");
    EXPECT_TRUE(is_mating_line(b, {*parse_usi("G*5b")}));
    EXPECT_FALSE(is_mating_line(b, {*parse_usi("G*4b")}));
    EXPECT_FALSE(is_mating_line(b, {}));
    EXPECT_FALSE(is_mating_line(b, {*parse_usi("5c5b")}));
}

}  // namespace
}  // namespace karikomi::shogi
