/// The order of shogi's many moves: sorted in parts, and the same as if sorted at once.
#include "karikomi/core/picker.hpp"

#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/game.hpp"

namespace karikomi::shogi {
namespace {

struct Desk {
    Position pos;
    Evaluator evaluator{};
    Frame<Game> frame{};
    History<Game> history{};
    History<Game>::Context context{};

    Desk(const std::string& sfen, unsigned seed) : pos(*Notation::parse(sfen)) {
        context.side = pos.side();
        std::mt19937 random(seed);
        for (int slot = 0; slot < Game::kHistorySlots; ++slot) {
            history.reward(context, slot, static_cast<int>(random() % 4001) - 2000);
        }
    }
    MovePicker<Game> picker(int sort_after) {
        HistoryParams p;
        p.sort_after = sort_after;
        history.prepare({}, p);
        return {pos, kNoMove, {frame, history, evaluator, context}, 5};
    }
    std::int32_t score(Move m) const {
        ScoredMove<Move> scored{m, 0};
        Ordering::score(pos, {&scored, 1}, 5);
        return scored.score + history.score(context, pos.history_slot(m));
    }
};

const std::vector<std::string> kPositions = {
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l1k2gs1l/1rsg3b1/2pppppP1/p3n2Rp/1p7/2PB5/P1NPPPP1P/2S2S3/L1KG1G1NL w N2p 30",
    "2s6/k1G1+S4/lp7/2Ppp1prp/5p3/1PSbP1PPP/5P1S1/2+l2G2L/+br3G2K b G2NLP2n4p 89",
};

TEST(ShogiPicker, QuietMovesComeByScoreHoweverTheyAreSorted) {
    std::size_t most = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        for (const std::string& sfen : kPositions) {
            for (const int sort_after : {0, 2, 8, 600}) {
                Desk desk(sfen, seed);
                MovePicker<Game> picker = desk.picker(sort_after);
                std::vector<std::int32_t> scores;
                Move move{};
                while (picker.next(move)) {
                    if (picker.last_is_quiet()) scores.push_back(desk.score(move));
                }
                EXPECT_TRUE(std::is_sorted(scores.rbegin(), scores.rend())) << sfen;
                most = std::max(most, scores.size());
            }
        }
    }
    EXPECT_GT(most, 60u) << "some lists must be longer than what is sorted first";
}

TEST(ShogiPicker, SkippingQuietMovesKeepsTheTacticalOnes) {
    for (const std::string& sfen : kPositions) {
        Desk desk(sfen, 7);
        MovesOf<Game> tactical;
        desk.pos.generate_tactical(tactical);
        for (const std::size_t after : {1u, 5u, 12u, 20u, 30u}) {
            MovePicker<Game> picker = desk.picker(2);
            std::size_t quiet = 0;
            std::size_t others = 0;
            Move move{};
            while (picker.next(move)) {
                if (!picker.last_is_quiet()) {
                    ++others;
                } else if (++quiet == after) {
                    picker.skip_quiet();
                }
            }
            EXPECT_EQ(quiet, after) << sfen;
            EXPECT_EQ(others, tactical.size()) << sfen;
        }
    }
}

/// What the picker hands out, with these numbers of the histories.
std::vector<Move> order_with(Desk& desk, const HistoryParams& p) {
    desk.history.prepare({}, p);
    MovePicker<Game> picker(desk.pos, kNoMove,
                            {desk.frame, desk.history, desk.evaluator, desk.context}, 5);
    std::vector<Move> out;
    Move move{};
    while (picker.next(move)) out.push_back(move);
    return out;
}

TEST(ShogiPicker, ACaptureMayLoseAShareOfItsPlaceInTheOrder) {
    int early = 0;
    for (const std::string& sfen : kPositions) {
        Desk desk(sfen, 3);
        const auto count = [&](float share) {
            HistoryParams p;
            p.losing_share = share;
            int before_quiet = 0;
            for (const Move m : order_with(desk, p)) {
                if (!desk.pos.is_tactical(m)) break;
                ScoredMove<Move> scored{m, 0};
                Ordering::score(desk.pos, {&scored, 1}, 5);
                const auto most = static_cast<Value>(share * static_cast<float>(scored.score));
                EXPECT_GE(desk.pos.exchange_value(m), -most) << sfen;
                ++before_quiet;
            }
            return before_quiet;
        };
        const int strict = count(0.0f);
        EXPECT_GE(count(1.0f), strict);
        early += count(1.0f) - strict;
    }
    EXPECT_GT(early, 0);
}

TEST(ShogiPicker, QuietMovesWithAVeryBadHistoryComeLast) {
    for (const std::string& sfen : kPositions) {
        Desk desk(sfen, 3);
        HistoryParams p;
        p.late_quiet = -1000;
        std::size_t late = 0;
        std::size_t all = 0;
        for (const Move m : order_with(desk, p)) {
            ++all;
            const bool is_late = !desk.pos.is_tactical(m) && desk.score(m) < -1000;
            EXPECT_TRUE(is_late || late == 0) << sfen << ": " << format_usi(m);
            late += is_late ? 1 : 0;
        }
        EXPECT_GT(late, 0u);
        EXPECT_EQ(all, order_with(desk, {}).size()) << "none is lost";
    }
}

}  // namespace
}  // namespace karikomi::shogi
