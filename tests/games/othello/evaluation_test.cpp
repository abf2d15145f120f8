/// Patterns, weights and the evaluator: kept up to date, symmetric, and safe from broken files.
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/games/othello/game.hpp"
#include "karikomi/games/othello/shallow.hpp"
#include "tests/games/othello/plain_othello.hpp"

namespace karikomi::othello {
namespace {

using testing::HasSubstr;

Move random_move(const GamePosition& pos, std::mt19937& random) {
    MovesOf<Game> moves;
    pos.generate(moves);
    return moves[random() % moves.size()].move;
}

/// Weights without meaning, all different.
Weights noise() {
    std::mt19937 random(5);
    std::vector<std::int16_t> free(at(kPhases) * at(ties().count));
    for (std::int16_t& w : free)
        w = static_cast<std::int16_t>(static_cast<int>(random() % 401) - 200);
    return Weights::from_free(free);
}

TEST(OthelloPatterns, EveryPatternHasItsInstances) {
    std::array<int, kPatternCount> count{};
    Bits covered = 0;
    for (int i = 0; i < kInstances.count; ++i) {
        const Instance& instance = kInstances.list[at(i)];
        ++count[at(instance.pattern)];
        covered |= squares_mask(kPatterns[at(instance.pattern)], instance.squares);
    }
    EXPECT_EQ(covered, ~Bits{0}) << "a square that no pattern looks at";
    for (int p = 0; p < kPatternCount; ++p) {
        const bool ok = count[at(p)] == 2 || count[at(p)] == 4 || count[at(p)] == 8;
        EXPECT_TRUE(ok) << kPatterns[at(p)].name << ": " << count[at(p)];
    }
}

TEST(OthelloEvaluator, FollowsMovesAndPassesExactly) {
    std::mt19937 random(1);
    int passes = 0;
    for (int game = 0; game < 200; ++game) {
        GamePosition pos;
        Evaluator evaluator;
        evaluator.reset(pos);
        std::vector<std::pair<Move, GamePosition::Undo>> played;
        while (!pos.outcome(0)) {
            const Move m = random_move(pos, random);
            passes += m.is_pass() ? 1 : 0;
            GamePosition::Undo undo;
            pos.make(m, undo);
            evaluator.after_make(pos, m);
            played.emplace_back(m, undo);
            Evaluator fresh;
            fresh.reset(pos);
            ASSERT_EQ(evaluator.evaluate(pos), fresh.evaluate(pos));
        }
        while (!played.empty()) {
            pos.unmake(played.back().first, played.back().second);
            evaluator.after_unmake(pos, played.back().first);
            played.pop_back();
        }
        ASSERT_EQ(pos.plain(), start_position());
        Evaluator fresh;
        fresh.reset(pos);
        ASSERT_EQ(evaluator.evaluate(pos), fresh.evaluate(pos));
    }
    EXPECT_GT(passes, 20);
}

TEST(OthelloEvaluator, SymmetricPositionsAreWorthTheSame) {
    const Weights weights = noise();
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
        GamePosition pos;
        for (int ply = 0; ply < 5 + i % 50 && !pos.outcome(0); ++ply) {
            GamePosition::Undo undo;
            pos.make(random_move(pos, random), undo);
        }
        const int value = pattern_value(weights, pos.board());
        for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
            ASSERT_EQ(pattern_value(weights, transform(pos.board(), symmetry)), value) << symmetry;
        }
        // The same for white to move on the board with colours swapped.
        const Features f = features_of(pos.board().other, pos.board().own);
        ASSERT_EQ(pattern_value(weights, f, pos.board(), Colour::White, pos.moves()), value);
    }
}

TEST(OthelloEvaluator, TheValueAfterAMoveIsThatOfTheNextPosition) {
    std::mt19937 random(3);
    GamePosition pos;
    while (!pos.outcome(0)) {
        const Move m = random_move(pos, random);
        Evaluator evaluator;
        evaluator.reset(pos);
        GamePosition next = pos;
        GamePosition::Undo undo;
        next.make(m, undo);
        if (!m.is_pass()) {
            const Value foretold =
                evaluator.value_after(pos, m.square(), next.board(), next.moves());
            evaluator.after_make(next, m);
            ASSERT_EQ(foretold, -evaluator.evaluate(next));
        }
        pos = next;
    }
}

TEST(OthelloWeights, ComeBackFromAFileAsTheyWere) {
    const Weights weights = noise();
    const auto file = std::filesystem::path(testing::TempDir()) / "othello_weights_test.bin";
    ASSERT_TRUE(weights.save(file));
    const auto read = Weights::load(file);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->id(), weights.id());
    for (int p = 0; p < kPhases; ++p) {
        ASSERT_TRUE(
            std::equal(weights.phase(p), weights.phase(p) + kWeightLayout.size, read->phase(p)));
    }
    EXPECT_NE(weights.id(), built_in_weights()->id());
    std::filesystem::remove(file);
}

TEST(OthelloWeights, ABrokenFileIsRefusedWithAReason) {
    const std::vector<std::byte> good = noise().to_bytes();
    const auto complaint = [](std::vector<std::byte> bytes) {
        const auto read = Weights::from_bytes(bytes, "test");
        return read ? std::string("accepted") : read.error().what;
    };
    auto bytes = good;
    bytes.resize(10);
    EXPECT_THAT(complaint(bytes), HasSubstr("shorter"));
    bytes = good;
    bytes[0] = std::byte{'x'};
    EXPECT_THAT(complaint(bytes), HasSubstr("not a weights file"));
    bytes = good;
    bytes[8] = std::byte{99};
    EXPECT_THAT(complaint(bytes), HasSubstr("other patterns"));
    bytes = good;
    bytes.resize(good.size() / 2);
    EXPECT_THAT(complaint(bytes), HasSubstr("damaged"));
    bytes = good;
    bytes[24] ^= std::byte{1};  // the checksum itself
    EXPECT_THAT(complaint(bytes), HasSubstr("checksum"));
    EXPECT_THAT(Weights::load("/nonexistent/w.bin").error().what, HasSubstr("cannot be opened"));
}

TEST(OthelloWeights, TheShippedOnesKnowWhoIsAhead) {
    // A corner and the edges beside it against scattered discs: any trained evaluation knows.
    const auto good =
        parse_obf("XXXXX---XXXX----XXXOOO--XXOOO----XOOOO---OOOO-------O----------- X");
    ASSERT_TRUE(good);
    EXPECT_GT(pattern_value(*built_in_weights(), good->board), 1000);
}

TEST(OthelloWeights, TheFirstMovesAreWorthLittle) {
    // Nobody is far ahead so early. (Four and five discs have no weights of their own.)
    std::mt19937 random(4);
    for (int i = 0; i < 20; ++i) {
        GamePosition pos;
        for (int ply = 0; ply < 3; ++ply) {
            EXPECT_LT(std::abs(pattern_value(*built_in_weights(), pos.board())), 8 * kDisc) << ply;
            GamePosition::Undo undo;
            pos.make(random_move(pos, random), undo);
        }
    }
}

/// Plain negamax with the same evaluation.
int plain_value(const Board& board, int depth) {
    if (board.over()) return final_score(board) * kDisc;
    if (board.moves() == 0) return -plain_value(board.passed(), depth);
    if (depth == 0) return pattern_value(*built_in_weights(), board);
    int best = -1'000'000;
    for (Bits moves = board.moves(); moves != 0; moves &= moves - 1) {
        const Board next = board.after(lowest(moves), board.flips(lowest(moves)));
        best = std::max(best, -plain_value(next, depth - 1));
    }
    return best;
}

TEST(OthelloShallowSearch, EqualsPlainNegamax) {
    std::mt19937 random(4);
    ShallowSearch search(*built_in_weights());
    for (int i = 0; i < 60; ++i) {
        GamePosition pos;
        for (int ply = 0; ply < i && !pos.outcome(0); ++ply) {
            GamePosition::Undo undo;
            pos.make(random_move(pos, random), undo);
        }
        const int depth = i % 4;
        const int truth = plain_value(pos.board(), depth);
        ASSERT_EQ(search.value(pos.board(), depth, -kMostDiscs - 1, kMostDiscs + 1), truth) << i;
        if (depth > 0 && !pos.outcome(0) && pos.moves() != 0) {
            ASSERT_EQ(search.best(pos.board(), depth).value, truth) << i;
        }
    }
}

}  // namespace
}  // namespace karikomi::othello
