/// Wins by threats: every claim is played out against every defence, by the plain rules.
#include "karikomi/games/renju/solver.hpp"

#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/renju/game.hpp"
#include "tests/games/renju/plain_renju.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::renju {
namespace {

using test::PlainRenju;

Position position_of(const PlainRenju& plain, char side, Rule rule) {
    auto pos = Notation::parse(plain.text(side));
    Rules rules;
    rules.rule = rule;
    pos->set_rules(rules);
    return *pos;
}

PlainRenju::Kind kind_of(Rule rule) {
    return rule == Rule::Freestyle  ? PlainRenju::Kind::Freestyle
           : rule == Rule::Standard ? PlainRenju::Kind::Standard
                                    : PlainRenju::Kind::Renju;
}

/// Plays the solver's first move and answers with everything the rules allow; the solver must go on
/// to win each time. Knows no threats itself: only fives end a game.
class Replay {
public:
    Replay(Solver& solver, Rule rule, Threats threats, PlainRenju plain)
        : solver_(solver), rule_(rule), threats_(threats), plain_(std::move(plain)) {}

    bool wins(char side, int depth) {
        if (depth > 60) return false;
        SolveLimits limits;
        limits.threats = threats_;
        limits.nodes = 400'000;
        const Solution s = solver_.solve(position_of(plain_, side, rule_), limits);
        if (!s.solved || s.line.empty()) return complain("no win any more", side);
        const PlainRenju::Spot at{column_of(s.line[0]), row_of(s.line[0])};
        if (plain_.at(at) != '.') return complain("not empty", side);
        if (plain_.wins(at, side)) return true;
        if (side == 'X' && plain_.foul(at)) return complain("forbidden", side);
        plain_.set(at, side);
        const bool won = beats_all(side == 'X' ? 'O' : 'X', side, depth);
        plain_.set(at, '.');
        return won;
    }

private:
    bool beats_all(char defender, char attacker, int depth) {
        const auto cells = plain_.empty_cells();
        std::vector<PlainRenju::Spot> fives;
        for (const auto& c : cells) {
            if (plain_.wins(c, defender)) return complain("the defender makes five", attacker);
            if (plain_.wins(c, attacker)) fives.push_back(c);
        }
        for (const auto& c : cells) {
            // Whoever leaves a five open has lost.
            const bool stops = fives.empty() || (fives.size() == 1 && fives[0] == c);
            if (!stops) continue;
            if (defender == 'X' && plain_.foul(c)) continue;
            if (fives.empty() && has_open_four_elsewhere(c, defender, attacker)) continue;
            plain_.set(c, defender);
            const bool won = wins(attacker, depth + 1);
            plain_.set(c, '.');
            if (!won) return false;
        }
        return true;
    }
    /// Only to save time: after this answer, which makes no four, one stone makes two fives.
    bool has_open_four_elsewhere(PlainRenju::Spot answer, char defender, char attacker) {
        plain_.set(answer, defender);
        bool found = false;
        bool threat = false;
        const auto cells = plain_.empty_cells();
        for (const auto& c : cells) threat = threat || plain_.wins(c, defender);
        for (std::size_t i = 0; i < cells.size() && !found && !threat; ++i) {
            if (attacker == 'X' && plain_.foul(cells[i])) continue;
            plain_.set(cells[i], attacker);
            int fives = 0;
            for (const auto& c : cells) {
                if (c != cells[i] && plain_.wins(c, attacker)) ++fives;
            }
            found = fives > 1;
            plain_.set(cells[i], '.');
        }
        plain_.set(answer, '.');
        return found;
    }
    bool complain(const char* what, char side) {
        ADD_FAILURE() << what << ": " << plain_.text(side);
        return false;
    }

    Solver& solver_;
    Rule rule_;
    Threats threats_;
    PlainRenju plain_;
};

/// Stones of both colours thrown together: fours, threes and counter-fours on both sides.
PlainRenju melee(std::mt19937& random, Rule rule, int size, int pairs) {
    PlainRenju plain(kind_of(rule), size);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int width = 7;
    const int left = below(size - width + 1);
    const int bottom = below(size - width + 1);
    for (int placed = 0; placed < 2 * pairs;) {
        const PlainRenju::Spot s{left + below(width), bottom + below(width)};
        const char stone = placed % 2 == 0 ? 'X' : 'O';
        if (plain.at(s) != '.' || plain.wins(s, stone)) continue;
        if (stone == 'X' && plain.foul(s)) continue;
        plain.set(s, stone);
        ++placed;
    }
    return plain;
}

TEST(RenjuSolver, KnownWinsByFours) {
    Solver solver;
    const auto solve = [&](const char* text, Rule rule) {
        auto pos = Notation::parse(text);
        EXPECT_TRUE(pos);
        Rules rules;
        rules.rule = rule;
        pos->set_rules(rules);
        return solver.solve(*pos, {});
    };
    // Five at once; a straight four; a four and an open three.
    EXPECT_EQ(solve("11/11/11/11/11/1OXXXX5/11/11/11/11/11 b", Rule::Renju).line.size(), 1u);
    EXPECT_EQ(solve("11/11/11/11/11/3XXX5/11/11/11/11/11 b", Rule::Renju).line.size(), 3u);
    const Solution four_three = solve("11/11/11/4X6/4X6/OXXX7/11/11/11/11/11 b", Rule::Renju);
    EXPECT_TRUE(four_three.solved);
    EXPECT_EQ(four_three.line.size(), 5u);
    EXPECT_EQ(Notation::format_cell(four_three.line[0]), "e6");
    // Nothing there.
    const Solution none = solve("11/11/11/11/11/5X5/11/11/11/11/11 b", Rule::Renju);
    EXPECT_FALSE(none.solved);
    EXPECT_TRUE(none.complete);
}

TEST(RenjuSolver, AnAnswerThatIsForbiddenIsNone) {
    // White's four on row 7 can be stopped only on f7, where Black would make a double three.
    PlainRenju plain(PlainRenju::Kind::Renju, 11);
    for (const char* black : {"f8", "f9", "g6", "h5", "a5"})
        plain.set(PlainRenju::spot(black), 'X');
    plain.set(PlainRenju::spot("a7"), 'X');
    for (const char* white : {"b7", "c7", "d7"}) plain.set(PlainRenju::spot(white), 'O');
    ASSERT_TRUE(plain.foul(PlainRenju::spot("f7")));
    Solver solver;
    const Solution s = solver.solve(position_of(plain, 'O', Rule::Renju), {});
    ASSERT_TRUE(s.solved);
    EXPECT_EQ(Notation::format_cell(s.line[0]), "e7");
    const Solution free = solver.solve(position_of(plain, 'O', Rule::Freestyle), {});
    EXPECT_FALSE(free.solved);
}

void check_claims(Threats threats, int positions, int least_wins) {
    std::mt19937 random(threats == Threats::Fours ? 1 : 2);
    Solver solver;
    int wins = 0;
    for (int i = 0; i < positions; ++i) {
        const Rule rule = Rule(i % 3);
        const char side = i % 2 == 0 ? 'X' : 'O';
        const bool fours = threats == Threats::Fours;
        const PlainRenju plain = melee(random, rule, fours ? 11 : 9, fours ? 13 : 7);
        SolveLimits limits;
        limits.threats = threats;
        limits.nodes = fours ? 100'000 : 20'000;
        const Solution s = solver.solve(position_of(plain, side, rule), limits);
        if (!s.solved) continue;
        ++wins;
        ASSERT_TRUE(Replay(solver, rule, threats, plain).wins(side, 0)) << plain.text(side);
        // The line itself is legal and ends with five.
        Position pos = position_of(plain, side, rule);
        for (const Cell c : s.line) {
            ASSERT_FALSE(pos.outcome(0));
            ASSERT_TRUE(pos.is_legal(Move::from_cell(c))) << plain.text(side);
            Undo undo;
            pos.make(Move::from_cell(c), undo);
        }
        EXPECT_EQ(pos.winner(), side == 'X' ? kBlack : kWhite) << plain.text(side);
    }
    EXPECT_GT(wins, least_wins);
}

TEST(RenjuSolver, EveryWinByFoursStandsAgainstEveryDefence) {
    check_claims(Threats::Fours, test::rounds(1000), test::rounds(150));
}

TEST(RenjuSolver, EveryWinByThreatsStandsAgainstEveryDefence) {
    check_claims(Threats::FoursThrees, test::rounds(60), test::rounds(10));
}

TEST(RenjuSolver, EveryWinByQuietThreatsStandsAgainstEveryDefence) {
    check_claims(Threats::Quiet, test::rounds(60), test::rounds(10));
}

}  // namespace
}  // namespace karikomi::renju
