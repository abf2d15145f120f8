#include "karikomi/core/history.hpp"

#include <random>

#include <gtest/gtest.h>

#include "examples/connect_four/connect_four.hpp"

namespace karikomi::test {
namespace {

using Table = History<connect_four::Game>;
using Context = Table::Context;
constexpr int kMax = HistoryParams{}.plain_most;

/// After these two moves, the last one first.
Context after(int side, int last, int before) {
    Context c;
    c.side = side;
    c.past[0] = last;
    c.past[1] = before;
    return c;
}

const Context kHere = after(0, 5, 9);
/// Shares only the side with kHere: sees the butterfly part alone.
const Context kElsewhere = after(0, 20, 21);
/// Shares only the last move with kHere (the other side moves).
const Context kAfterSameMove = after(1, 5, 21);
/// Shares only the move before the last.
const Context kAfterSameMoveBefore = after(1, 20, 9);

TEST(History, StartsEmpty) {
    const Table h;
    for (int slot = 0; slot < Table::kSlots; ++slot) EXPECT_EQ(h.score(kHere, slot), 0);
    EXPECT_EQ(h.counter_move(kHere), kNoMove);
}

TEST(History, ARewardRaisesAndAPunishmentLowersTheScore) {
    Table h;
    h.reward(kHere, 3, 500);
    EXPECT_GT(h.score(kHere, 3), 0);
    EXPECT_EQ(h.score(kHere, 4), 0) << "other moves are not touched";
    h.reward(kHere, 4, -500);
    EXPECT_LT(h.score(kHere, 4), 0);
    EXPECT_EQ(h.score(kHere, 3), -h.score(kHere, 4));
    const int before = h.score(kHere, 3);
    h.reward(kHere, 3, -100);
    EXPECT_LT(h.score(kHere, 3), before);
}

TEST(History, AFirstRewardCountsFullyInEachTable) {
    Table h;
    h.reward(kHere, 3, 500);
    EXPECT_EQ(h.score(kElsewhere, 3), 500);
    EXPECT_EQ(h.score(kAfterSameMove, 3), 500);
    EXPECT_EQ(h.score(kAfterSameMoveBefore, 3), 500);
    EXPECT_EQ(h.score(kHere, 3), 1500);
    EXPECT_EQ(h.score(after(1, 20, 21), 3), 0) << "nothing in common";
    EXPECT_EQ(h.score(after(1, 9, 5), 3), 0) << "the order of the last two moves matters";
}

TEST(History, SaturatesAtItsMaximum) {
    for (const int sign : {1, -1}) {
        Table h;
        int last = 0;
        for (int i = 0; i < 1000; ++i) {
            h.reward(kHere, 3, sign * 2048);
            const int now = sign * h.score(kElsewhere, 3);
            EXPECT_GE(now, last);
            EXPECT_LE(now, kMax);
            last = now;
        }
        EXPECT_GT(last, kMax * 9 / 10) << "and comes close to it";
        EXPECT_LE(std::abs(h.score(kHere, 3)), 3 * kMax);
    }
}

TEST(History, StaysWithinItsBoundsUnderRandomRewards) {
    Table h;
    std::mt19937 random(5);
    std::uniform_int_distribution<int> bonus(-2048, 2048);
    std::uniform_int_distribution<int> lean(0, 3);
    for (int i = 0; i < 200'000; ++i) {
        const int b = bonus(random);
        h.reward(kHere, 3, lean(random) == 0 ? b : std::abs(b));
        ASSERT_LE(std::abs(h.score(kElsewhere, 3)), kMax);
        ASSERT_LE(std::abs(h.score(kAfterSameMove, 3)), kMax);
    }
}

TEST(History, ASaturatedScoreRecovers) {
    Table h;
    for (int i = 0; i < 1000; ++i) h.reward(kHere, 3, 2048);
    for (int i = 0; i < 30; ++i) h.reward(kHere, 3, -2048);
    EXPECT_LT(h.score(kElsewhere, 3), 0);
}

TEST(History, NewsCountLessTheMoreIsKnown) {
    Table h;
    int gain = 100'000;
    int score = 0;
    for (int i = 0; i < 10; ++i) {
        h.reward(kHere, 3, 2048);
        const int now = h.score(kElsewhere, 3);
        EXPECT_LT(now - score, gain);
        gain = now - score;
        score = now;
    }
}

TEST(History, DeeperCutsCountMoreUpToALimit) {
    HistoryParams p;
    EXPECT_EQ(p.bonus(1), 32);
    EXPECT_EQ(p.bonus(2), 128);
    EXPECT_EQ(p.bonus(7), 1568);
    EXPECT_EQ(p.bonus(8), 2048);
    EXPECT_EQ(p.bonus(100), 2048);
    p.square = 0, p.slope = 200, p.offset = 100;
    EXPECT_EQ(p.bonus(1), 100);
    EXPECT_EQ(p.bonus(3), 500);
    EXPECT_EQ(p.bonus(0), 0) << "never a penalty for a good move";
    for (Depth depth = 1; depth < kMaxDepth; ++depth) {
        EXPECT_LE(p.bonus(depth), p.bonus(depth + 1));
    }
}

TEST(History, ThereIsAPlaceForNoPreviousMove) {
    Table h;
    const Context root{};
    const Context last_slot = after(1, Table::kSlots - 1, Table::kSlots - 1);
    h.reward(root, Table::kSlots - 1, 100);
    EXPECT_EQ(h.score(root, Table::kSlots - 1), 300);
    EXPECT_EQ(h.score(last_slot, Table::kSlots - 1), 0);
    h.set_counter_move(after(1, Table::kNoSlot, Table::kNoSlot), 4);
    EXPECT_EQ(h.counter_move(after(1, Table::kNoSlot, 0)), 4);
    EXPECT_EQ(h.counter_move(after(0, Table::kNoSlot, 0)), kNoMove);
}

TEST(History, TheCounterMoveBelongsToSideAndLastMove) {
    Table h;
    h.set_counter_move(kHere, 6);
    EXPECT_EQ(h.counter_move(kHere), 6);
    EXPECT_EQ(h.counter_move(after(0, 5, 33)), 6) << "the move before the last does not matter";
    EXPECT_EQ(h.counter_move(after(1, 5, 9)), kNoMove);
    EXPECT_EQ(h.counter_move(after(0, 6, 9)), kNoMove);
    h.set_counter_move(kHere, 2);
    EXPECT_EQ(h.counter_move(kHere), 2);
}

TEST(History, CounterMovesCanBeLeftOut) {
    Table h;
    HistoryParams p;
    p.counter_moves = false;
    h.set_counter_move(kHere, 6);
    h.prepare({}, p);
    EXPECT_EQ(h.counter_move(kHere), kNoMove);
    h.prepare({}, {});
    EXPECT_EQ(h.counter_move(kHere), 6);
}

TEST(History, ALargerLimitForgetsMoreSlowly) {
    HistoryParams p;
    p.plain_most = 8000;
    p.continuation_most = 32'000;
    Table h;
    h.prepare({}, p);
    for (int i = 0; i < 1000; ++i) h.reward(kHere, 3, 2000);
    EXPECT_NEAR(h.score(kElsewhere, 3), 8000, 10);
    EXPECT_NEAR(h.score(kAfterSameMove, 3), 32'000, 20);
    h.reward(kHere, 3, -2000);
    EXPECT_NEAR(h.score(kElsewhere, 3), 8000 - 4000, 20) << "a quarter of the limit, twice";
    EXPECT_NEAR(h.score(kAfterSameMove, 3), 32'000 - 4000, 20);
}

TEST(History, TheJudgementMayLeaveOutTheMovesFurtherBack) {
    Table h;
    h.reward(kHere, 3, 500);
    EXPECT_EQ(h.judgement(kHere, 3), h.score(kHere, 3));
    HistoryParams p;
    p.judge_near = true;
    h.prepare({}, p);
    EXPECT_EQ(h.judgement(kHere, 3), 2 * 500 + 500 + 500) << "its own history counts twice";
    EXPECT_EQ(h.score(kHere, 3), 1500) << "the order does not change";
}

TEST(History, WhatSkipsMovesGoesByTheLastTwoMovesAlone) {
    Table h;
    h.reward(kHere, 3, 500);
    EXPECT_EQ(h.near(kHere, 3), 500 + 500);
    EXPECT_EQ(h.own(kHere, 3), 500);
    EXPECT_EQ(h.evasion_score(kHere, 3), 500 + 500);
    EXPECT_EQ(h.near(kElsewhere, 3), 0);
}

TEST(History, AContinuationMayStartBelowZeroAndBeBiased) {
    HistoryParams p;
    p.continuation_start = -500;
    p.bias = 40;
    Table h;
    h.prepare({}, p);
    EXPECT_EQ(h.score(kHere, 3), 2 * -500);
    h.reward_continuation(kAfterSameMove, 3, 0);
    EXPECT_EQ(h.score(kAfterSameMove, 3), 2 * -500 + 40 + 500 * 40 / p.continuation_most)
        << "only the one after the last move";
}

TEST(History, MovesNearTheRootHaveAHistoryOfThisSearch) {
    HistoryParams p;
    p.early_plies = 2;
    p.early_weight = 8;
    p.early_share = 0.5f;
    Table h;
    h.prepare({}, p);
    Context early = kHere;
    early.ply = 1;
    h.reward(early, 3, 400);
    EXPECT_EQ(h.score(kHere, 3), 3 * 400) << "deeper nodes know nothing of it";
    EXPECT_EQ(h.score(early, 3), 3 * 400 + 8 * 200 / 2);
    h.prepare({}, p);
    EXPECT_EQ(h.score(early, 3), 3 * 400) << "the next search begins anew";
}

TEST(History, APenaltyMayGrowByDepthOnItsOwn) {
    HistoryParams p;
    EXPECT_EQ(p.blame(3), p.bonus(3));
    p.penalty_slope = 900, p.penalty_offset = 200, p.penalty_most = 2100;
    EXPECT_EQ(p.blame(1), 700);
    EXPECT_EQ(p.blame(2), 1600);
    EXPECT_EQ(p.blame(3), 2100);
}

TEST(History, AMoveCanLearnAlone) {
    Table h;
    h.reward_plainly(kHere.side, 3, 500);
    EXPECT_EQ(h.score(kHere, 3), 500);
    EXPECT_EQ(h.score(kElsewhere, 3), 500) << "whatever came before it";
    EXPECT_EQ(h.score(kAfterSameMove, 3), 0) << "the other side's move";
}

TEST(History, ClearForgetsEverything) {
    Table h;
    h.reward(kHere, 3, 500);
    h.set_counter_move(kHere, 6);
    h.clear();
    EXPECT_EQ(h.score(kHere, 3), 0);
    EXPECT_EQ(h.score(kAfterSameMove, 3), 0);
    EXPECT_EQ(h.score(kAfterSameMoveBefore, 3), 0);
    EXPECT_EQ(h.counter_move(kHere), kNoMove);
}

}  // namespace
}  // namespace karikomi::test
