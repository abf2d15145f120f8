#include "karikomi/core/tt.hpp"

#include <random>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "karikomi/core/params.hpp"

namespace karikomi::test {
namespace {

constexpr std::size_t kWays = 4;  ///< entries of a bucket: 64 bytes of 16 each

/// All that an entry holds, in a form that can be compared and printed.
auto fields(const TtData& d) {
    return std::tuple(d.move, d.value, d.static_value, d.depth, static_cast<int>(d.bound), d.pv);
}

TtData entry(Depth depth, Value value = 0, Bound bound = Bound::Exact) {
    return {7, value, 11, depth, bound, false};
}

/// The n-th key of one bucket of a table of one megabyte (2^14 buckets of 64 bytes): the bucket is
/// taken from the top of the key.
Key key_in_bucket(std::uint64_t bucket, std::uint64_t n) {
    return bucket << 50 | (n + 1);
}

void store(TranspositionTable& tt, Key key, const TtData& d) {
    tt.probe(key).writer.store(d);
}

bool has(TranspositionTable& tt, Key key) {
    return tt.probe(key).hit;
}

int count_hits(TranspositionTable& tt, std::uint64_t bucket, std::uint64_t from, std::uint64_t to) {
    int hits = 0;
    for (std::uint64_t n = from; n < to; ++n) hits += has(tt, key_in_bucket(bucket, n)) ? 1 : 0;
    return hits;
}

// ---- what goes in comes out ------------------------------------------------------------------

TEST(TranspositionTable, AnUnknownKeyIsAMiss) {
    TranspositionTable tt(1);
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(has(tt, random()));
    EXPECT_FALSE(has(tt, 0)) << "an empty entry must not look like key 0";
}

TEST(TranspositionTable, ReturnsWhatWasStoredForRandomData) {
    TranspositionTable tt(1);
    std::mt19937_64 random(2);
    const auto in = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    for (int i = 0; i < 50'000; ++i) {
        const Key key = random();
        TtData d;
        d.move = static_cast<MoveCode>(in(1, 65'535));
        d.value = in(-kInfinity, kInfinity);
        d.static_value = in(0, 9) == 0 ? kNoValue : in(-kMaxEval, kMaxEval);
        d.depth = in(0, kMaxDepth);
        d.bound = static_cast<Bound>(in(1, 3));
        d.pv = in(0, 1) == 1;
        store(tt, key, d);
        const auto p = tt.probe(key);
        ASSERT_TRUE(p.hit);
        ASSERT_EQ(fields(p.data), fields(d));
    }
}

TEST(TranspositionTable, KeepsEveryValueOfSixteenBits) {
    TranspositionTable tt(1);
    for (Value v = -32'768; v <= 32'767; v += 1) {
        const Key key = key_in_bucket(static_cast<std::uint64_t>(v + 32'768) % 16'384, 5);
        TtData d = entry(3, v);
        d.static_value = -v - 1;
        tt.probe(key).writer.store(d);
        const TtData back = tt.probe(key).data;
        ASSERT_EQ(back.value, v);
        ASSERT_EQ(back.static_value, -v - 1);
    }
}

TEST(TranspositionTable, TheExtremesOfAFieldDoNotLeakIntoTheNext) {
    TranspositionTable tt(1);
    const TtData cases[] = {
        {65'535, 0, 0, 0, Bound::Upper, 0}, {0, -1, 0, 0, Bound::Upper, 0},
        {0, 0, -1, 0, Bound::Upper, 0},     {0, 0, 0, 252, Bound::Upper, 0},
        {0, 0, 0, 0, Bound::Exact, false},  {0, 0, 0, 0, Bound::Upper, true},
    };
    for (std::uint64_t i = 0; i < std::size(cases); ++i) {
        store(tt, key_in_bucket(i, 0), cases[i]);
        EXPECT_EQ(fields(tt.probe(key_in_bucket(i, 0)).data), fields(cases[i]));
    }
}

TEST(TranspositionTable, AResultWithoutABoundIsNoHit) {
    TranspositionTable tt(1);
    store(tt, 1234, entry(5, 100, Bound::None));
    EXPECT_FALSE(has(tt, 1234));
}

TEST(TranspositionTable, AResultWithoutABoundDoesNotKeepOutARealOne) {
    TranspositionTable tt(1);
    store(tt, 1234, entry(9, 100, Bound::None));
    store(tt, 1234, entry(5, 60));
    ASSERT_TRUE(has(tt, 1234));
    EXPECT_EQ(fields(tt.probe(1234).data), fields(entry(5, 60)));
}

TEST(TranspositionTable, KeyZeroIsAKeyLikeAnyOther) {
    TranspositionTable tt(1);
    store(tt, 0, entry(5, 77));
    ASSERT_TRUE(has(tt, 0));
    EXPECT_EQ(tt.probe(0).data.value, 77);
}

TEST(TranspositionTable, AWriterWithoutAProbeWritesNowhere) {
    const TranspositionTable::Probe none;
    none.writer.store(entry(5));
    EXPECT_FALSE(none.hit);
}

// ---- the same position again -----------------------------------------------------------------

TEST(TranspositionTable, ADeeperResultOfTheSamePositionStays) {
    TranspositionTable tt(1);
    store(tt, 99, entry(8, 300));
    store(tt, 99, entry(7, -300));
    EXPECT_EQ(fields(tt.probe(99).data), fields(entry(8, 300)));
    store(tt, 99, entry(8, 40));
    EXPECT_EQ(fields(tt.probe(99).data), fields(entry(8, 40)))
        << "of equal depth the newer one counts";
    store(tt, 99, entry(9, 50));
    EXPECT_EQ(fields(tt.probe(99).data), fields(entry(9, 50)));
}

TEST(TranspositionTable, ADeeperResultStaysThroughLaterSearchesToo) {
    TranspositionTable tt(1);
    store(tt, 99, entry(8, 300));
    for (int i = 0; i < 5; ++i) {
        tt.new_search();
        store(tt, 99, entry(2, -300));
    }
    EXPECT_EQ(fields(tt.probe(99).data), fields(entry(8, 300)));
}

TEST(TranspositionTable, AnOlderResultStaysOnlyWhereItIsDeeperByTheMargin) {
    TranspositionTable tt(1);
    constexpr Depth kMargin = 4;
    store(tt, 99, entry(8, 300));
    const auto store_bound = [&](Depth depth, Value value, Bound bound, bool pv = false) {
        tt.probe(99).writer.store({7, value, 11, depth, bound, pv}, kMargin);
        return tt.probe(99).data.value;
    };
    EXPECT_EQ(store_bound(4, -300, Bound::Lower), 300);
    EXPECT_EQ(store_bound(5, -300, Bound::Lower), -300)
        << "a bound that did not help is no treasure";
    store(tt, 99, entry(8, 300));
    EXPECT_EQ(store_bound(3, 200, Bound::Exact), 200) << "exact is worth more than deep";
    store(tt, 99, entry(8, 300));
    EXPECT_EQ(store_bound(2, 100, Bound::Lower, true), 300);
    EXPECT_EQ(store_bound(3, 100, Bound::Lower, true), 100)
        << "a principal variation counts deeper";
    store(tt, 99, entry(8, 300));
    tt.new_search();
    EXPECT_EQ(store_bound(1, 50, Bound::Lower), 50) << "of an earlier search";
}

TEST(TranspositionTable, AStaticValueCanBeKeptBeforeThereIsAResult) {
    TranspositionTable tt(1);
    EXPECT_FALSE(tt.probe(99).known);
    store(tt, 99, {kNoMove, kNoValue, 123, kUnsearched, Bound::None, true});
    const auto before = tt.probe(99);
    EXPECT_FALSE(before.hit);
    EXPECT_TRUE(before.known);
    EXPECT_EQ(before.data.static_value, 123);
    EXPECT_EQ(before.data.depth, kUnsearched);
    EXPECT_TRUE(before.data.pv);
    tt.probe(99).writer.store({5, -40, 123, 0, Bound::Upper, true}, 4);
    const auto after = tt.probe(99);
    EXPECT_TRUE(after.hit && after.known);
    EXPECT_EQ(after.data.value, -40);
}

TEST(TranspositionTable, WithAMarginTheNewestMoveIsTakenEvenWhereTheResultStays) {
    TranspositionTable tt(1);
    store(tt, 99, entry(8, 300));
    TtData shallow = entry(3, -300);
    shallow.move = 12;
    store(tt, 99, shallow);
    EXPECT_EQ(tt.probe(99).data.move, 7);
    shallow.bound = Bound::Lower;
    tt.probe(99).writer.store(shallow, 4);
    EXPECT_EQ(tt.probe(99).data.move, 12);
    EXPECT_EQ(tt.probe(99).data.value, 300);
}

TEST(TranspositionTable, AResultWithoutAMoveKeepsTheOldMove) {
    TranspositionTable tt(1);
    store(tt, 99, entry(5, 10));
    TtData no_move = entry(6, 20);
    no_move.move = kNoMove;
    store(tt, 99, no_move);
    EXPECT_EQ(tt.probe(99).data.move, 7);
    EXPECT_EQ(tt.probe(99).data.value, 20);
}

TEST(TranspositionTable, ADeeperResultWithoutAMoveTakesTheMoveOfAShallowerOne) {
    TranspositionTable tt(1);
    TtData no_move = entry(8, 20);
    no_move.move = kNoMove;
    store(tt, 99, no_move);
    store(tt, 99, entry(3, -50));
    EXPECT_EQ(tt.probe(99).data.move, 7);
    EXPECT_EQ(tt.probe(99).data.value, 20);
    EXPECT_EQ(tt.probe(99).data.depth, 8);
}

TEST(TranspositionTable, TheSamePositionTakesOnePlaceOnly) {
    TranspositionTable tt(1);
    for (std::uint64_t n = 0; n < kWays - 1; ++n) store(tt, key_in_bucket(3, n), entry(5));
    for (Depth depth = 1; depth < 60; ++depth) store(tt, key_in_bucket(3, 3), entry(depth));
    EXPECT_EQ(count_hits(tt, 3, 0, kWays), 4);
}

// ---- who has to go ---------------------------------------------------------------------------

TEST(TranspositionTable, ABucketHoldsFourPositionsWithoutLoss) {
    TranspositionTable tt(1);
    for (std::uint64_t n = 0; n < kWays; ++n) {
        store(tt, key_in_bucket(5, n), entry(static_cast<Depth>(n), static_cast<Value>(n)));
    }
    for (std::uint64_t n = 0; n < kWays; ++n) {
        ASSERT_TRUE(has(tt, key_in_bucket(5, n)));
        EXPECT_EQ(tt.probe(key_in_bucket(5, n)).data.value, static_cast<Value>(n));
    }
}

TEST(TranspositionTable, OfOneSearchTheShallowestResultHasToGo) {
    TranspositionTable tt(1);
    const Depth depths[] = {6, 3, 9, 5};
    for (std::uint64_t n = 0; n < kWays; ++n) store(tt, key_in_bucket(5, n), entry(depths[n]));
    store(tt, key_in_bucket(5, 10), entry(1));
    EXPECT_TRUE(has(tt, key_in_bucket(5, 10))) << "the newest is always stored";
    EXPECT_FALSE(has(tt, key_in_bucket(5, 1)));
    EXPECT_EQ(count_hits(tt, 5, 0, kWays), 3);
}

TEST(TranspositionTable, ResultsOfAnOldSearchGoFirst) {
    TranspositionTable tt(1);
    for (std::uint64_t n = 0; n < kWays; ++n) store(tt, key_in_bucket(5, n), entry(7));
    tt.new_search();
    for (std::uint64_t n = 10; n < 14; ++n) {
        store(tt, key_in_bucket(5, n), entry(1));
        EXPECT_EQ(count_hits(tt, 5, 10, 14), static_cast<int>(n) - 9)
            << "a shallow new result must not push out another new one";
    }
    EXPECT_EQ(count_hits(tt, 5, 0, kWays), 0);
}

TEST(TranspositionTable, AMuchDeeperOldResultOutlivesAShallowNewOne) {
    TranspositionTable tt(1);
    store(tt, key_in_bucket(5, 0), entry(30));
    tt.new_search();
    for (std::uint64_t n = 10; n < 20; ++n) store(tt, key_in_bucket(5, n), entry(1));
    EXPECT_TRUE(has(tt, key_in_bucket(5, 0)));
    for (int i = 0; i < 4; ++i) tt.new_search();
    for (std::uint64_t n = 20; n < 24; ++n) store(tt, key_in_bucket(5, n), entry(1));
    EXPECT_FALSE(has(tt, key_in_bucket(5, 0))) << "but not for ever";
}

TEST(TranspositionTable, HowMuchAnOldResultCountsIsAParameter) {
    const auto outlives = [](Depth age_cost) {
        TranspositionTable tt(1);
        tt.set_age_cost(age_cost);
        store(tt, key_in_bucket(5, 0), entry(7));
        tt.new_search();
        for (std::uint64_t n = 10; n < 14; ++n) store(tt, key_in_bucket(5, n), entry(2));
        return has(tt, key_in_bucket(5, 0));
    };
    EXPECT_TRUE(outlives(0));
    EXPECT_TRUE(outlives(4));
    EXPECT_FALSE(outlives(6));
    EXPECT_FALSE(outlives(TableParams{}.age_cost));
}

TEST(TranspositionTable, AnOldResultThatIsOfUseAgainCountsAsNew) {
    TranspositionTable tt(1);
    for (std::uint64_t n = 0; n < kWays; ++n) store(tt, key_in_bucket(5, n), entry(6));
    tt.new_search();
    store(tt, key_in_bucket(5, 2), entry(4));  // confirmed by a shallower search
    for (std::uint64_t n = 10; n < 13; ++n) store(tt, key_in_bucket(5, n), entry(1));
    EXPECT_TRUE(has(tt, key_in_bucket(5, 2)));
    EXPECT_EQ(tt.probe(key_in_bucket(5, 2)).data.depth, 6);
}

TEST(TranspositionTable, AgesCountCorrectlyAcrossManySearches) {
    TranspositionTable tt(1);
    for (int search = 0; search < 40; ++search) {
        const auto old_key = key_in_bucket(5, 1000 + static_cast<std::uint64_t>(search));
        store(tt, old_key, entry(5));
        tt.new_search();
        for (std::uint64_t n = 0; n < kWays; ++n) {
            store(tt, key_in_bucket(5, 100 * static_cast<std::uint64_t>(search) + n), entry(1));
        }
        EXPECT_FALSE(has(tt, old_key)) << "search " << search;
    }
}

// ---- size, clearing, fullness ----------------------------------------------------------------

TEST(TranspositionTable, ClearForgetsEverything) {
    TranspositionTable tt(1);
    for (std::uint64_t b = 0; b < 16'384; ++b) store(tt, key_in_bucket(b, 0), entry(5));
    tt.clear();
    for (std::uint64_t b = 0; b < 16'384; ++b) ASSERT_FALSE(has(tt, key_in_bucket(b, 0)));
    EXPECT_EQ(tt.fullness(), 0);
}

TEST(TranspositionTable, ResizeChangesTheSizeAndForgets) {
    TranspositionTable tt(1);
    EXPECT_EQ(tt.megabytes(), 1u);
    store(tt, 99, entry(5));
    tt.resize(3);
    EXPECT_EQ(tt.megabytes(), 3u);
    EXPECT_FALSE(has(tt, 99));
    store(tt, 99, entry(6));
    store(tt, ~Key{0}, entry(7));
    EXPECT_TRUE(has(tt, 99));
    EXPECT_TRUE(has(tt, ~Key{0})) << "the last bucket exists";
    tt.resize(0);
    EXPECT_EQ(tt.megabytes(), 1u) << "never without a table";
    store(tt, 99, entry(6));
    EXPECT_TRUE(has(tt, 99));
}

TEST(TranspositionTable, UsesAllOfItsBuckets) {
    for (const std::size_t megabytes : {std::size_t{1}, std::size_t{3}}) {
        TranspositionTable tt(megabytes);
        const std::size_t entries = (megabytes << 20) / 16;
        std::mt19937_64 random(3);
        std::vector<Key> keys;
        for (std::size_t i = 0; i < entries / 4; ++i) keys.push_back(random());
        for (const Key key : keys) store(tt, key, entry(5));
        std::size_t kept = 0;
        for (const Key key : keys) kept += has(tt, key) ? 1 : 0;
        // A quarter full: a bucket of four overflows in about 2 of 1000 cases.
        EXPECT_GT(static_cast<double>(kept), 0.99 * static_cast<double>(keys.size()));
    }
}

TEST(TranspositionTable, FullnessCountsEntriesOfThisSearchInPermille) {
    TranspositionTable tt(1);
    EXPECT_EQ(tt.fullness(), 0);
    for (std::uint64_t b = 0; b < 16'384; ++b) store(tt, key_in_bucket(b, 0), entry(5));
    EXPECT_EQ(tt.fullness(), 250);
    for (std::uint64_t b = 0; b < 16'384; ++b) {
        for (std::uint64_t n = 1; n < kWays; ++n) store(tt, key_in_bucket(b, n), entry(5));
    }
    EXPECT_EQ(tt.fullness(), 1000);
    tt.new_search();
    EXPECT_EQ(tt.fullness(), 0) << "old entries are room for new ones";
    for (std::uint64_t b = 0; b < 16'384; ++b) store(tt, key_in_bucket(b, 10), entry(5));
    EXPECT_EQ(tt.fullness(), 250);
}

// ---- proven ends -----------------------------------------------------------------------------

TEST(TableValues, ProvenEndsAreDistancesFromTheNode) {
    EXPECT_EQ(to_table(win_in(9), 4), win_in(5));
    EXPECT_EQ(to_table(loss_in(9), 4), loss_in(5));
    EXPECT_EQ(from_table(win_in(5), 4), win_in(9));
    EXPECT_EQ(from_table(loss_in(5), 4), loss_in(9));
    EXPECT_EQ(from_table(to_table(win_in(9), 4), 6), win_in(11)) << "reached by a longer way";
}

TEST(TableValues, OrdinaryValuesStayAsTheyAre) {
    for (const Value v : {0, 1, -1, 500, -500, kMaxEval, -kMaxEval}) {
        for (const int ply : {0, 1, 60, kMaxPly}) {
            EXPECT_EQ(to_table(v, ply), v);
            EXPECT_EQ(from_table(v, ply), v);
        }
    }
}

TEST(TableValues, EveryValueSurvivesTheWayThroughTheTable) {
    TranspositionTable tt(1);
    for (int ply = 0; ply <= kMaxPly; ++ply) {
        for (int end = ply; end <= kMaxPly; ++end) {
            for (const Value v : {win_in(end), loss_in(end)}) {
                const Value stored = to_table(v, ply);
                ASSERT_GE(stored, -32'768);
                ASSERT_LE(stored, 32'767);
                ASSERT_EQ(from_table(stored, ply), v);
                const Key key = key_in_bucket(static_cast<std::uint64_t>(end), 1);
                TtData d = entry(1, stored);
                store(tt, key, d);
                ASSERT_EQ(from_table(tt.probe(key).data.value, ply), v);
            }
        }
    }
}

// ---- many threads ----------------------------------------------------------------------------

/// What this key's entry must hold: every field follows from the key.
TtData data_for(Key key) {
    const Key mixed = key * 0x9E3779B97F4A7C15ull;
    TtData d;
    d.move = static_cast<MoveCode>((mixed & 0xFFFF) | 1);
    d.value = static_cast<Value>(mixed >> 16 & 0x7FFF) - 16'000;
    d.static_value = static_cast<Value>(mixed >> 32 & 0x3FFF) - 8'000;
    d.depth = static_cast<Depth>(mixed >> 48 & 0x3F);
    d.bound = static_cast<Bound>(1 + (mixed >> 56) % 3);
    d.pv = (mixed >> 60 & 1) != 0;
    return d;
}

/// Several threads write to the same four buckets; what they write belongs to the key. A reader
/// that takes one half of an entry from one write and the other half from another would see data
/// that do not fit the key.
TEST(TranspositionTable, NoThreadEverSeesHalfOfAnotherThreadsEntry) {
    TranspositionTable tt(1);
    constexpr int kThreads = 4;
    constexpr int kRounds = 400'000;
    std::array<std::uint64_t, kThreads> wrong{};
    std::array<std::uint64_t, kThreads> hits{};
    const auto hammer = [&](int thread) {
        const auto me = static_cast<std::size_t>(thread);
        std::mt19937_64 random(static_cast<std::uint64_t>(thread) + 1);
        for (int i = 0; i < kRounds; ++i) {
            const std::uint64_t r = random();
            const Key key = key_in_bucket(r & 3, r >> 2 & 31);
            const auto p = tt.probe(key);
            if (p.hit) {
                ++hits[me];
                wrong[me] += fields(p.data) == fields(data_for(key)) ? 0 : 1;
            }
            if ((r >> 60) != 0) p.writer.store(data_for(key));
        }
    };
    std::vector<std::thread> crew;
    for (int t = 0; t < kThreads; ++t) crew.emplace_back(hammer, t);
    for (std::thread& t : crew) t.join();
    for (std::size_t t = 0; t < kThreads; ++t) {
        EXPECT_EQ(wrong[t], 0u);
        EXPECT_GT(hits[t], 1000u) << "the test must have read something";
    }
}

}  // namespace
}  // namespace karikomi::test
