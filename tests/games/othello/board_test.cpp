#include "karikomi/games/othello/board.hpp"

#include <gtest/gtest.h>

#include "karikomi/games/othello/last_flip.hpp"
#include "karikomi/games/othello/perft.hpp"
#include "karikomi/games/othello/stability.hpp"
#include "tests/games/othello/plain_othello.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::othello {
namespace {

using test::PlainOthello;
using test::random_board;

Bits mask_of(const std::vector<int>& squares) {
    Bits mask = 0;
    for (const int s : squares) mask |= bit(s);
    return mask;
}

/// What every path says about a position; they must agree.
void expect_paths_agree(const Board& b) {
    const Bits moves = portable::legal_moves(b.own, b.other);
#if defined(__AVX2__)
    ASSERT_EQ(avx2::legal_moves(b.own, b.other), moves);
#endif
#if defined(KARIKOMI_OTHELLO_AVX512)
    ASSERT_EQ(avx512::legal_moves(b.own, b.other), moves);
#endif
    for (Bits empty = b.empty(); empty != 0; empty &= empty - 1) {
        const Square square = lowest(empty);
        const Bits turned = portable::flips(b.own, b.other, square);
        ASSERT_EQ(turned != 0, (moves & bit(square)) != 0);
#if defined(__AVX2__)
        ASSERT_EQ(avx2::flips(b.own, b.other, square), turned);
#endif
#if defined(KARIKOMI_OTHELLO_AVX512)
        ASSERT_EQ(avx512::flips(b.own, b.other, square), turned);
#endif
    }
}

/// One random game played by both implementations; returns the passes and early ends it saw.
struct Seen {
    int passes = 0;
    int early_ends = 0;
};
void play_both(std::mt19937& random, Seen& seen) {
    PlainOthello plain;
    Board b = start_position().board;
    while (!b.over()) {
        ASSERT_FALSE(plain.over());
        const std::vector<int> moves = plain.moves();
        ASSERT_EQ(b.moves(), mask_of(moves));
        if (moves.empty()) {
            ASSERT_TRUE(b.must_pass());
            ++seen.passes;
            b.pass();
            plain.pass();
            continue;
        }
        const int square = moves[random() % moves.size()];
        const Bits turned = b.flips(square);
        ASSERT_EQ(turned, mask_of(plain.turned(square)));
        const Board before = b;
        b.play(square, turned);
        ASSERT_EQ(b, before.after(square, turned));
        Board back = b;
        back.undo(square, turned);
        ASSERT_EQ(back, before);
        plain.play(square);
        ASSERT_EQ(b, plain.board());
    }
    ASSERT_TRUE(plain.over());
    ASSERT_EQ(final_score(b), plain.score());
    if (b.empties() > 0) ++seen.early_ends;
}

TEST(OthelloBoard, PlaysTenThousandGamesLikeThePlainImplementation) {
    std::mt19937 random(1);
    Seen seen;
    for (int game = 0; game < test::rounds(10000); ++game) {
        play_both(random, seen);
        if (HasFatalFailure()) FAIL() << "game " << game;
    }
    EXPECT_GT(seen.passes, test::rounds(1000));
    EXPECT_GT(seen.early_ends, test::rounds(10));
}

TEST(OthelloBoard, AllInstructionSetsAgree) {
    std::mt19937 random(2);
    std::mt19937_64 words(3);
    for (int i = 0; i < 3000; ++i) {
        expect_paths_agree(random_board(random, static_cast<int>(1 + random() % 58)));
        // No game reaches most of these, which is the point: every pattern of every ray.
        const Bits own = words();
        const Bits other = words() & ~own;
        const Bits holes = words() & words();
        expect_paths_agree(Board{own & ~holes, other});
        expect_paths_agree(Board{own & ~holes, ~own & ~holes});
        if (HasFatalFailure()) FAIL() << "round " << i;
    }
}

TEST(OthelloBoard, LastFlipCountsWhatTheMoveTurns) {
    std::mt19937_64 words(4);
    for (int i = 0; i < 20000; ++i) {
        const auto square = static_cast<Square>(words() % 64);
        const Bits own = words() & ~bit(square);
        const PlainOthello plain(Board{own, ~own & ~bit(square)});
        const auto expected = static_cast<int>(plain.turned(square).size());
        ASSERT_EQ(portable::last_flip(own, square), expected);
        ASSERT_EQ(last_flip(own, square), expected);
        ASSERT_EQ(last_flip(own | bit(square), square), expected) << "its own bit must not count";
    }
}

TEST(OthelloBoard, PerftMatchesTheKnownCounts) {
    const std::array<std::uint64_t, 9> expected = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216};
    for (int depth = 0; depth <= 8; ++depth) {
        EXPECT_EQ(perft(start_position().board, depth), expected[static_cast<std::size_t>(depth)]);
    }
}

TEST(OthelloBoard, PerftCountsAPassAsAPly) {
    // White has no move, Black then takes the last white disc.
    const Position p =
        *parse_obf("XO-------------------------------------------------------------- O");
    EXPECT_EQ(perft(p.board, 1), 1U);
    EXPECT_EQ(perft(p.board, 2), 1U);
    EXPECT_TRUE(p.board.must_pass());
}

TEST(OthelloBoard, SymmetriesAreEightPicturesOfTheSamePosition) {
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i) {
        const Board b = random_board(random, static_cast<int>(4 + random() % 50));
        const Canonical smallest = canonical(b);
        EXPECT_EQ(transform(b, smallest.symmetry), smallest.board);
        for (int s = 0; s < kSymmetries; ++s) {
            const Board picture = transform(b, s);
            EXPECT_EQ(picture.moves(), transform(b.moves(), s));
            EXPECT_EQ(transform(picture, inverse_symmetry(s)), b);
            EXPECT_EQ(canonical(picture).board, smallest.board);
            const Square move = lowest(b.moves());
            const Square moved = transform_square(move, s);
            EXPECT_EQ(picture.after(moved, picture.flips(moved)),
                      transform(b.after(move, b.flips(move)), s));
        }
    }
    // Eight different maps: a1 goes to a corner, b1 tells the two at each corner apart.
    std::vector<Square> images;
    for (int s = 0; s < kSymmetries; ++s) images.push_back(transform_square(1, s));
    std::sort(images.begin(), images.end());
    EXPECT_EQ(std::unique(images.begin(), images.end()) - images.begin(), 8);
    EXPECT_EQ(transform_square(kPass, 3), kPass);
}

TEST(OthelloBoard, WipeOutEndsTheGameAndCountsTheEmpties) {
    Position p = *parse_obf("-OX------------------------------------------------------------- X");
    p.board.play(0, p.board.flips(0));
    EXPECT_TRUE(p.board.over());
    EXPECT_EQ(final_score(p.board), -64);
    EXPECT_EQ(final_score(Board{bit(0), bit(63)}), 0) << "empties belong to nobody in a draw";
}

TEST(OthelloStability, StableDiscsSurviveAllRandomContinuations) {
    std::mt19937 random(6);
    int found = 0;
    for (int i = 0; i < 400; ++i) {
        const Board root = random_board(random, static_cast<int>(4 + random() % 20));
        const Bits own = stable_discs(root.own, root.other);
        const Bits other = stable_discs(root.other, root.own);
        ASSERT_EQ(own & ~root.own, 0U);
        found += std::popcount(own);
        for (int playout = 0; playout < 20; ++playout) {
            Board b = root;
            bool swapped = false;
            for (; !b.over(); swapped = !swapped) {
                Bits moves = b.moves();
                if (moves == 0) {
                    b.pass();
                    continue;
                }
                for (auto skip = random() % 8; skip > 0 && (moves & (moves - 1)) != 0; --skip) {
                    moves &= moves - 1;
                }
                b.play(lowest(moves), b.flips(lowest(moves)));
            }
            const Bits end_own = swapped ? b.other : b.own;
            const Bits end_other = swapped ? b.own : b.other;
            ASSERT_EQ(own & ~end_own, 0U);
            ASSERT_EQ(other & ~end_other, 0U);
        }
    }
    EXPECT_GT(found, 400);
    EXPECT_EQ(std::popcount(stable_discs(~Bits{0}, 0)), 64);
    EXPECT_EQ(stable_edge_discs(bit(0) | bit(1), 0), bit(0) | bit(1));
    EXPECT_EQ(stable_edge_discs(bit(1), 0), 0U);
}

}  // namespace
}  // namespace karikomi::othello
