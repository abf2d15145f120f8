#include "tests/reference/connect_four_solver.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace karikomi::test {

void PrintTo(const Solved& solved, std::ostream* out) {
    *out << "{result " << solved.result << ", plies " << solved.plies << "}";
}

namespace {

std::string mirrored(std::string columns) {
    for (char& digit : columns) {
        digit = static_cast<char>('1' + '7' - digit);
    }
    return columns;
}

// The value of one move, seen from the side that plays it.
std::optional<Solved> value_of_move(const std::string& columns, char move) {
    const std::string next = columns + move;
    switch (status(next)) {
        case GameStatus::kIllegal:
            return std::nullopt;
        case GameStatus::kWon:
            return Solved{1, 1};
        case GameStatus::kDrawn:
            return Solved{0, 1};
        case GameStatus::kOngoing:
            break;
    }
    const Solved reply = solve(next).value();
    return Solved{-reply.result, reply.plies + 1};
}

// Higher is better for the side that moves.
int preference(const Solved& solved) {
    return solved.result * (100 - solved.plies);
}

struct BestMove {
    char move = '0';
    Solved value{-1, 0};
};

BestMove best_move(const std::string& columns) {
    std::optional<BestMove> best;
    for (const char move : std::string("1234567")) {
        const std::optional<Solved> value = value_of_move(columns, move);
        if (value && (!best || preference(*value) > preference(best->value))) {
            best = BestMove{move, *value};
        }
    }
    return best.value();
}

std::uint64_t fnv1a(const std::vector<std::string>& lines) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const std::string& line : lines) {
        for (const char c : line + "\n") {
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
        }
    }
    return hash;
}

TEST(ConnectFourStatus, TellsLegalFromIllegal) {
    EXPECT_EQ(status(""), GameStatus::kOngoing);
    EXPECT_EQ(status("4453"), GameStatus::kOngoing);
    EXPECT_EQ(status("444444"), GameStatus::kOngoing);
    EXPECT_EQ(status("4444444"), GameStatus::kIllegal) << "seventh stone in a column";
    EXPECT_EQ(status("0"), GameStatus::kIllegal);
    EXPECT_EQ(status("8"), GameStatus::kIllegal);
    EXPECT_EQ(status("44 53"), GameStatus::kIllegal);
    EXPECT_EQ(status("12121213"), GameStatus::kIllegal) << "a move after the end";
}

TEST(ConnectFourStatus, SeesWinsInEveryDirection) {
    EXPECT_EQ(status("1212121"), GameStatus::kWon) << "vertical";
    EXPECT_EQ(status("1122334"), GameStatus::kWon) << "horizontal";
    EXPECT_EQ(status("12233434474"), GameStatus::kWon) << "rising diagonal";
    EXPECT_EQ(status(mirrored("12233434474")), GameStatus::kWon) << "falling diagonal";
    EXPECT_EQ(status("71727374"), GameStatus::kIllegal) << "column 7 is won at the seventh stone";
    EXPECT_EQ(status("1234"), GameStatus::kOngoing) << "mixed colours";
    // Three at the top of column 1 and one at the bottom of column 2 are no line.
    EXPECT_EQ(status("211113131"), GameStatus::kOngoing);
}

TEST(ConnectFourStatus, FinishedMeansALegalGameThatEnded) {
    EXPECT_TRUE(finished("1212121"));
    EXPECT_FALSE(finished(""));
    EXPECT_FALSE(finished("121212"));
    EXPECT_FALSE(finished("12121213"));
    EXPECT_FALSE(finished("x"));
}

TEST(ConnectFourSolver, HasNoAnswerForIllegalOrFinishedGames) {
    for (const char* columns : {"1212121", "12121213", "4444444", "8", "x"}) {
        EXPECT_FALSE(solve(columns).has_value()) << columns;
        EXPECT_FALSE(solve_plain(columns).has_value()) << columns;
    }
}

TEST(ConnectFourSolver, KnowsShortWinsAndLosses) {
    EXPECT_EQ(solve("121212"), (Solved{1, 1}));
    EXPECT_EQ(solve("4455"), (Solved{1, 3})) << "three in the open on the bottom row";
    EXPECT_EQ(solve("44553"), (Solved{-1, 2}));
}

TEST(ConnectFourSolver, AgreesWithPlainMinimax) {
    const auto positions = random_positions(400, 32, 41, 11);
    ASSERT_EQ(positions.size(), 400U);
    std::map<int, int> results;
    for (const std::string& columns : positions) {
        const std::optional<Solved> plain = solve_plain(columns);
        ASSERT_TRUE(plain.has_value()) << columns;
        EXPECT_EQ(solve(columns), plain) << columns;
        ++results[plain->result];
    }
    // The comparison means little unless all three results occur.
    EXPECT_GE(results[1], 30);
    EXPECT_GE(results[0], 30);
    EXPECT_GE(results[-1], 30);
}

TEST(ConnectFourSolver, MirroredPositionsHaveTheSameAnswer) {
    for (const std::string& columns : random_positions(200, 16, 40, 12)) {
        EXPECT_EQ(solve(columns), solve(mirrored(columns))) << columns;
    }
}

TEST(ConnectFourSolver, APositionIsWorthItsBestMove) {
    for (const std::string& columns : random_positions(120, 17, 40, 13)) {
        EXPECT_EQ(solve(columns), best_move(columns).value) << columns;
    }
}

TEST(ConnectFourSolver, BestPlayEndsWhenAndAsAnnounced) {
    std::map<int, int> results;
    for (std::string columns : random_positions(60, 20, 40, 14)) {
        const std::size_t start = columns.size();
        const Solved solved = solve(columns).value();
        ++results[solved.result];
        while (!finished(columns)) {
            columns += best_move(columns).move;
        }
        const std::size_t played = columns.size() - start;
        EXPECT_EQ(played, static_cast<std::size_t>(solved.plies)) << columns;
        if (solved.result == 0) {
            EXPECT_EQ(status(columns), GameStatus::kDrawn) << columns;
            EXPECT_EQ(columns.size(), 42U) << columns;
        } else {
            EXPECT_EQ(status(columns), GameStatus::kWon) << columns;
            EXPECT_EQ(played % 2 == 1, solved.result == 1) << columns;
        }
    }
    EXPECT_GE(results[1], 1);
    EXPECT_GE(results[0], 1);
    EXPECT_GE(results[-1], 1);
}

TEST(ConnectFourSolver, SolvesFiveHundredRandomPositions) {
    const auto positions = random_positions(500, 14, 36, 1);
    ASSERT_EQ(positions.size(), 500U);
    for (const std::string& columns : positions) {
        const std::optional<Solved> solved = solve(columns);
        ASSERT_TRUE(solved.has_value()) << columns;
        const int empty = 42 - static_cast<int>(columns.size());
        EXPECT_LE(solved->plies, empty) << columns;
        if (solved->result == 0) {
            EXPECT_EQ(solved->plies, empty) << columns;
        } else {
            EXPECT_EQ(solved->plies % 2 == 1, solved->result == 1) << columns;
        }
    }
}

TEST(ConnectFourRandomPositions, AreDistinctOngoingAndEvenlySpread) {
    const auto positions = random_positions(500, 14, 36, 5);
    ASSERT_EQ(positions.size(), 500U);
    EXPECT_EQ(std::set<std::string>(positions.begin(), positions.end()).size(), 500U);
    std::map<std::size_t, int> by_stones;
    for (const std::string& columns : positions) {
        EXPECT_EQ(status(columns), GameStatus::kOngoing) << columns;
        ++by_stones[columns.size()];
    }
    ASSERT_EQ(by_stones.size(), 23U);
    EXPECT_EQ(by_stones.begin()->first, 14U);
    EXPECT_EQ(by_stones.rbegin()->first, 36U);
    for (const auto& [stones, count] : by_stones) {
        EXPECT_GE(count, 500 / 23) << stones;
        EXPECT_LE(count, 500 / 23 + 1) << stones;
    }
}

TEST(ConnectFourRandomPositions, AreTheSameEverywhereForASeed) {
    EXPECT_EQ(random_positions(50, 10, 30, 3), random_positions(50, 10, 30, 3));
    EXPECT_NE(random_positions(50, 10, 30, 3), random_positions(50, 10, 30, 4));
    EXPECT_EQ(fnv1a(random_positions(100, 10, 41, 1)), 0x4F48EDFECBBE77BBU);
}

TEST(ConnectFourRandomPositions, StopWhenTheRangeIsExhausted) {
    EXPECT_EQ(random_positions(10, 0, 0, 1), std::vector<std::string>{""});
    EXPECT_EQ(random_positions(50, 0, 1, 1).size(), 8U);
    // Two stones can be placed in 49 ways, all different; three in 343 ways, of which only 238
    // are different positions (the first player's two stones can often be swapped).
    EXPECT_EQ(random_positions(400, 2, 2, 1).size(), 49U);
    EXPECT_EQ(random_positions(400, 3, 3, 1).size(), 238U);
    EXPECT_EQ(random_positions(10, 5, 4, 1).size(), 0U);
    EXPECT_EQ(random_positions(10, 42, 50, 1).size(), 0U);
    EXPECT_EQ(random_positions(0, 14, 36, 1).size(), 0U);
    EXPECT_EQ(random_positions(-1, 14, 36, 1).size(), 0U);
}

}  // namespace
}  // namespace karikomi::test
