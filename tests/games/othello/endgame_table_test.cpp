// The solver's table: what it may give to whom.
#include "karikomi/games/othello/endgame_table.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace karikomi::othello {
namespace {

constexpr HashKey kKey = 0x123456789abcdef1ULL;

struct Case {
    EndgameTable table{1};

    void lower(int score, Selectivity level, Square move = 3) {
        table.store(kKey, {20, level, score - 1, score, score, move});
    }
    void upper(int score, Selectivity level, Square move = 4) {
        table.store(kKey, {20, level, score, score + 1, score, move});
    }
    Bounds at(Selectivity wanted) const {
        Bounds b;
        EXPECT_TRUE(table.probe(kKey, wanted, b));
        return b;
    }
};

TEST(OthelloEndgameTable, KnowsNothingAtFirst) {
    const EndgameTable table(1);
    Bounds b;
    EXPECT_FALSE(table.probe(kKey, Selectivity::P73, b));
    EXPECT_FALSE(EndgameTable(0).probe(kKey, Selectivity::P73, b));
}

TEST(OthelloEndgameTable, ABoundIsHiddenFromWhoWantsItSurer) {
    Case c;
    c.lower(10, Selectivity::P95);
    EXPECT_EQ(c.at(Selectivity::P73).lower, 10);
    EXPECT_EQ(c.at(Selectivity::P95).lower, 10);
    EXPECT_EQ(c.at(Selectivity::P98).lower, -64);
    EXPECT_EQ(c.at(Selectivity::Exact).lower, -64);
    EXPECT_EQ(c.at(Selectivity::Exact).best, 3) << "a move is good advice all the same";
    EXPECT_EQ(c.at(Selectivity::P73).upper, 64);
}

TEST(OthelloEndgameTable, EachBoundHasItsOwnLevel) {
    Case c;
    c.lower(10, Selectivity::P73);
    c.upper(20, Selectivity::Exact);
    EXPECT_EQ(c.at(Selectivity::Exact).lower, -64);
    EXPECT_EQ(c.at(Selectivity::Exact).upper, 20);
    EXPECT_EQ(c.at(Selectivity::P73).lower, 10);
}

TEST(OthelloEndgameTable, ASurerBoundReplacesATighterOne) {
    Case c;
    c.lower(20, Selectivity::P73);
    c.lower(10, Selectivity::P99);
    EXPECT_EQ(c.at(Selectivity::P99).lower, 10);
    EXPECT_EQ(c.at(Selectivity::Exact).lower, -64);
    c.lower(6, Selectivity::P99);
    EXPECT_EQ(c.at(Selectivity::P99).lower, 10) << "of one level the tighter one stays";
}

TEST(OthelloEndgameTable, WhereBoundsContradictTheSurerOneIsRight) {
    Case c;
    c.upper(10, Selectivity::Exact);
    c.lower(20, Selectivity::P73);
    EXPECT_EQ(c.at(Selectivity::Exact).upper, 10);
    EXPECT_EQ(c.at(Selectivity::P73).lower, 10);
    Case d;
    d.upper(10, Selectivity::P73);
    d.lower(20, Selectivity::Exact);
    EXPECT_EQ(d.at(Selectivity::P73).lower, 20);
    EXPECT_EQ(d.at(Selectivity::P73).upper, 64);
}

TEST(OthelloEndgameTable, AProvenMoveOutlivesFailures) {
    Case c;
    c.lower(10, Selectivity::Exact, 7);
    c.upper(10, Selectivity::Exact, 8);
    EXPECT_EQ(c.at(Selectivity::Exact).best, 7);
}

/// Whatever is stored, an answer never claims more than a result that is sure enough has proved.
TEST(OthelloEndgameTable, NeverMixesLevels) {
    std::mt19937 random(31);
    for (int round = 0; round < 2000; ++round) {
        Case c;
        std::vector<std::pair<int, Selectivity>> lower;
        std::vector<std::pair<int, Selectivity>> upper;
        for (int i = 0; i < 6; ++i) {
            const int score = -20 + 2 * static_cast<int>(random() % 20);
            const Selectivity level = kSelectivities[random() % kSelectivities.size()];
            const bool is_lower = random() % 2 == 0;
            (is_lower ? lower : upper).emplace_back(score, level);
            if (is_lower) {
                c.lower(score, level);
            } else {
                c.upper(score, level);
            }
            for (const Selectivity wanted : kSelectivities) {
                const Bounds b = c.at(wanted);
                int most = -64;
                int least = 64;
                for (const auto& [s, l] : lower) most = l >= wanted ? std::max(most, s) : most;
                for (const auto& [s, l] : upper) least = l >= wanted ? std::min(least, s) : least;
                ASSERT_LE(b.lower, most);
                ASSERT_GE(b.upper, least);
                ASSERT_LE(b.lower, b.upper);
            }
        }
    }
}

}  // namespace
}  // namespace karikomi::othello
