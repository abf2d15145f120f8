/// The count of material that is kept along a line equals a count of the board.
#include "karikomi/games/shogi/material.hpp"

#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/game.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::shogi {
namespace {

TEST(ShogiMaterial, KeptAlongALineEqualsACount) {
    std::mt19937 random(5);
    int uneven = 0;
    for (int game = 0; game < test::rounds(100); ++game) {
        Position pos;
        Material kept;
        kept.reset(pos.board());
        std::vector<std::pair<Move, Position::Undo>> line;
        for (int ply = 0; ply < 150; ++ply) {
            MoveList<Move, kMaxMoves> list;
            pos.generate(list);
            if (list.empty()) break;
            const Move m = list[random() % list.size()].move;
            pos.make(m, line.emplace_back(m, Position::Undo{}).second);
            kept.after_make(pos, m);
            while (line.size() > 1 && random() % 4 == 0) {
                pos.unmake(line.back().first, line.back().second);
                kept.after_unmake();
                line.pop_back();
            }
            const Value count = Material::count(pos.board());
            ASSERT_EQ(kept.value(kBlack), count) << format_sfen(pos.board(), 1);
            ASSERT_EQ(kept.value(kWhite), -count);
            uneven += count != 0 ? 1 : 0;
        }
    }
    EXPECT_GT(uneven, 0);
}

TEST(ShogiMaterial, CountsHandsAndPromotedPieces) {
    const auto d = parse_sfen("4k4/9/9/9/6+R2/9/9/9/4K4 b G2p 1");
    ASSERT_TRUE(d);
    EXPECT_EQ(Material::count(d->board),
              kPieceValue[kDragon] + kHandValue[kGold] - 2 * kHandValue[kPawn]);
}

}  // namespace
}  // namespace karikomi::shogi
