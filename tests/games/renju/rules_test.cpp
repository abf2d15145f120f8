/// The rules of renju and gomoku, against diagrams and against the plain reference.
#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/renju/game.hpp"
#include "tests/games/renju/plain_renju.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::renju {
namespace {

using test::PlainRenju;

Position read(const std::string& text, Rule rule = Rule::Renju) {
    auto pos = Notation::parse(text);
    EXPECT_TRUE(pos) << pos.error().what;
    Rules rules;
    rules.rule = rule;
    pos->set_rules(rules);
    return *pos;
}

// ---- Forbidden points ---------------------------------------------------------------------------

/// Rows from the top. X Black, O White, '*' empty and forbidden for Black, '+' empty and allowed;
/// of '.' nothing is said.
struct Diagram {
    const char* name;
    std::vector<std::string> rows;
};

const std::vector<Diagram> kDiagrams = {
    {"double_three",
     {"...........", "...........", ".....X.....", ".....X.....", "...+.......", "...XX*+....",
      "...........", "...........", "...........", "...........", "..........."}},
    {"double_four",
     {"...........", ".....X.....", ".....X.....", ".....X.....", "...........", "OXXX.*.....",
      "...........", "...........", "...........", "...........", "..........."}},
    {"overline",
     {"...........", "...........", "XXX*XX.....", "...........", "...........", "XX*XXX.....",
      "...........", "...........", "...........", "...........", "..........."}},
    {"five_goes_before_everything",
     {".....X.....", ".....X.....", ".....X.....", ".XXXX+.....", "....X......", "...X.X.....",
      "..X........", "...........", "...........", "...........", "..........."}},
    {"two_fours_on_one_line",
     {"...........", "..X.X*X.X..", "...........", "...........", "XX.X*.XX...", "...........",
      "...........", "XXX.*.XXX..", "...........", "...........", "..........."}},
    {"four_and_three_is_allowed",
     {"...........", "...........", ".....X.....", ".....X.....", "...........", "OXXX.+.....",
      "...........", "...........", "...........", "...........", "..........."}},
    {"three_blocked_by_the_edge_and_a_stone_is_none",
     {"...........", "...........", ".....X.....", ".....X.....", "...........", "OXX..+.....",
      "...........", "...........", "...........", "...........", "..........."}},
    // The column's three could become straight only on cells that make six with the stones beyond.
    {"three_that_can_only_become_an_overline_is_false",
     {".....X.....", "...........", "...........", ".....X.....", ".....X.....", "..XX.+.....",
      "...........", "...........", ".....X.....", "...........", "..........."}},
};

TEST(RenjuFouls, Diagrams) {
    for (const Diagram& d : kDiagrams) {
        PlainRenju plain(PlainRenju::Kind::Renju, static_cast<int>(d.rows.size()));
        for (int y = 0; y < plain.size(); ++y) {
            const std::string& row = d.rows[d.rows.size() - 1 - static_cast<std::size_t>(y)];
            ASSERT_EQ(static_cast<int>(row.size()), plain.size()) << d.name;
            for (int x = 0; x < plain.size(); ++x) {
                const char c = row[static_cast<std::size_t>(x)];
                if (c == 'X' || c == 'O') plain.set({x, y}, c);
            }
        }
        const Position pos = read(plain.text('X'));
        for (int y = 0; y < plain.size(); ++y) {
            const std::string& row = d.rows[d.rows.size() - 1 - static_cast<std::size_t>(y)];
            for (int x = 0; x < plain.size(); ++x) {
                const char c = row[static_cast<std::size_t>(x)];
                if (c != '*' && c != '+') continue;
                const std::string where = std::string(d.name) + " " + PlainRenju::name({x, y});
                EXPECT_EQ(pos.is_forbidden(cell_at(x, y)), c == '*') << where;
                EXPECT_EQ(plain.foul({x, y}).has_value(), c == '*') << where << " (reference)";
            }
        }
    }
}

/// Black's stones are crowded into a part of the board, White's thrown in between: threes, fours
/// and overlines everywhere, nested in each other.
PlainRenju crowded(std::mt19937& random, PlainRenju::Kind kind) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int sizes[] = {9, 11, 15, 15, 20};
    PlainRenju plain(kind, sizes[below(5)]);
    const int width = 6 + below(4);
    const int left = below(plain.size() - width + 1);
    const int bottom = below(plain.size() - width + 1);
    const int black = 8 + below(34);
    const int white = below(10);
    for (int i = 0; i < black + white; ++i) {
        plain.set({left + below(width), bottom + below(width)}, i < black ? 'X' : 'O');
    }
    return plain;
}

TEST(RenjuFouls, AgreeWithTheRuleTextOnCrowdedPositions) {
    std::mt19937 random(20261115);
    std::map<std::string, int> seen;
    int false_double_threes = 0;
    for (int round = 0; round < test::rounds(5000); ++round) {
        PlainRenju plain = crowded(random, PlainRenju::Kind::Renju);
        const Position pos = read(plain.text('X'));
        for (const auto& spot : plain.empty_cells()) {
            const Cell c = cell_at(spot.first, spot.second);
            const auto expected = plain.foul(spot);
            ASSERT_EQ(pos.is_foul_for_black(c), expected.has_value())
                << plain.text('X') << " " << PlainRenju::name(spot) << " "
                << expected.value_or("allowed");
            ++seen[expected.value_or("allowed")];
            if (!expected && pos.point(c, kBlack) >= Point::MaybeFoul) ++false_double_threes;
        }
    }
    EXPECT_GT(seen["overline"], test::rounds(2000));
    EXPECT_GT(seen["double four"], test::rounds(4000));
    EXPECT_GT(seen["double three"], test::rounds(5000));
    EXPECT_GT(false_double_threes, test::rounds(500));  // the recursion has work to do
}

TEST(RenjuRules, FivesAgreeWithTheReferenceUnderEveryRule) {
    std::mt19937 random(7);
    const std::pair<Rule, PlainRenju::Kind> rules[] = {
        {Rule::Freestyle, PlainRenju::Kind::Freestyle},
        {Rule::Standard, PlainRenju::Kind::Standard},
        {Rule::Renju, PlainRenju::Kind::Renju}};
    int fives = 0;
    for (int round = 0; round < test::rounds(1500); ++round) {
        const auto& [rule, kind] = rules[round % 3];
        PlainRenju plain = crowded(random, kind);
        const Position pos = read(plain.text('X'), rule);
        for (const auto& spot : plain.empty_cells()) {
            for (const int colour : {kBlack, kWhite}) {
                const bool five = plain.wins(spot, colour == kBlack ? 'X' : 'O');
                fives += five ? 1 : 0;
                const Cell c = cell_at(spot.first, spot.second);
                ASSERT_EQ(pos.point(c, colour) == Point::Five, five) << plain.text('X');
            }
        }
    }
    EXPECT_GT(fives, test::rounds(1000));
}

// ---- Moves --------------------------------------------------------------------------------------

void expect_same(const Position& a, const Position& b) {
    ASSERT_EQ(Notation::format(a), Notation::format(b));
    EXPECT_EQ(a.key(), b.key());
    EXPECT_EQ(a.winner(), b.winner());
    for (const int colour : {kBlack, kWhite}) {
        EXPECT_EQ(a.cell_sum(colour).moving, b.cell_sum(colour).moving);
        EXPECT_EQ(a.cell_sum(colour).waiting, b.cell_sum(colour).waiting);
        for (int p = 0; p < kPoints; ++p) {
            EXPECT_EQ(a.count(colour, Point(p)), b.count(colour, Point(p)));
        }
        for (int y = 0; y < a.size(); ++y) {
            for (int x = 0; x < a.size(); ++x) {
                const Cell c = cell_at(x, y);
                if (!a.lines().is_empty(c)) continue;
                EXPECT_EQ(a.code(c, colour), b.code(c, colour));
            }
        }
        std::vector<Cell> cells[2];
        a.each_four(colour, [&](Cell c) { cells[0].push_back(c); });
        b.each_four(colour, [&](Cell c) { cells[1].push_back(c); });
        EXPECT_EQ(cells[0], cells[1]);
    }
}

TEST(RenjuRules, MakeAndUnmakeKeepEverythingUpToDate) {
    std::mt19937 random(11);
    for (int game = 0; game < test::rounds(60); ++game) {
        Rules rules;
        rules.rule = Rule(game % 3);
        rules.size = game % 2 == 0 ? 15 : 9;
        Position pos(rules);
        std::vector<std::pair<Move, Undo>> line;
        for (int n = 0; n < 60 && !pos.outcome(0); ++n) {
            MoveList<Move, Game::kMaxMoves> moves;
            pos.generate_candidates(moves);
            if (moves.empty()) break;
            const Move m = moves[random() % moves.size()].move;
            ASSERT_TRUE(pos.is_legal(m));
            line.emplace_back(m, Undo());
            pos.make(m, line.back().second);
        }
        while (!line.empty()) {
            Position fresh = *Notation::parse(Notation::format(pos));
            fresh.set_rules(rules);
            expect_same(pos, fresh);
            for (std::size_t back = 1 + random() % 6; back > 0 && !line.empty(); --back) {
                pos.unmake(line.back().first, line.back().second);
                line.pop_back();
            }
        }
        EXPECT_EQ(pos.key(), Position(rules).key());
    }
}

TEST(RenjuRules, PerftAgreesWithTheReference) {
    std::mt19937 random(3);
    for (int round = 0; round < 12; ++round) {
        PlainRenju plain = crowded(random, PlainRenju::Kind::Renju);
        const Position before = read(plain.text('X'));
        if (before.winner() >= 0 || plain.size() > 11) continue;
        for (const char side : {'X', 'O'}) {
            auto engine = std::move(*make_engine("renju"));
            ASSERT_TRUE(engine->set_position(plain.text(side)));
            std::uint64_t nodes = 0;
            for (const PerftRow& row : engine->perft(2)) nodes += row.nodes;
            EXPECT_EQ(nodes, static_cast<std::uint64_t>(plain.perft(side, 2))) << plain.text(side);
        }
    }
}

TEST(RenjuRules, GamesEndWithFiveOrAFullBoard) {
    auto engine = std::move(*make_engine("gomoku"));
    ASSERT_TRUE(engine->set_position("", "h8 a1 h9 a2 h10 a3 h11 a4 h12"));
    EXPECT_EQ(engine->winner(), Winner::First);
    EXPECT_TRUE(engine->legal_moves().empty());
    EXPECT_FALSE(engine->play("a5"));
    // Five in a row for White on the last cell but one: no, full without five.
    ASSERT_TRUE(engine->set_position("XXOOX/OOXXO/XXOOX/OOXXO/XXOO1 b", "e1"));
    EXPECT_EQ(engine->winner(), Winner::Nobody);
}

TEST(RenjuRules, OverlinesByRule) {
    const std::string six = "15/15/15/15/15/15/15/3XXX1XX6/15/15/15/3OOO1OO6/15/15/15 ";
    const std::pair<const char*, bool> cases[] = {
        {"freestyle", true}, {"standard", false}, {"renju", true}};
    for (const auto& [rule, white_wins] : cases) {
        auto engine = std::move(*make_engine("gomoku"));
        ASSERT_TRUE(engine->set_rule("rule", rule));
        ASSERT_TRUE(engine->set_position(six + "w", "g4"));
        EXPECT_EQ(engine->winner() == Winner::Second, white_wins) << rule;
        ASSERT_TRUE(engine->set_position(six + "b"));
        const bool allowed = static_cast<bool>(engine->play("g8"));
        EXPECT_EQ(allowed, std::string(rule) != "renju");
        EXPECT_EQ(engine->winner() == Winner::First, std::string(rule) == "freestyle");
    }
    // As stones on the board they are judged all the same, whatever the order of reading.
    EXPECT_EQ(read("6/6/XXXXXX/6/6/6 w", Rule::Standard).winner(), -1);
    EXPECT_EQ(read("6/6/XXXXX1/6/6/6 w", Rule::Standard).winner(), kBlack);
    EXPECT_EQ(read("6/6/OOOOOO/6/6/6 b", Rule::Renju).winner(), kWhite);
    EXPECT_EQ(read("6/6/XXXXXX/6/6/6 w", Rule::Renju).winner(), -1);
}

// ---- Text ---------------------------------------------------------------------------------------

TEST(RenjuNotation, PositionsAreWrittenAsTheyAreRead) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        PlainRenju plain = crowded(random, PlainRenju::Kind::Renju);
        const std::string text = plain.text(round % 2 == 0 ? 'X' : 'O');
        EXPECT_EQ(Notation::format(read(text)), text);
    }
}

TEST(RenjuNotation, BadTextsAreRefusedWithARemedy) {
    for (const char* text :
         {"x", "15/15 b", "5/5/5/5/5", "5/5/5/5/5 x", "5/5/5/5/6 b", "5/5/5/5/4 b", "5/5/5/5/Z4 b",
          "5/5/5/5/0X4 b", "5/5/5/5/-5 b", "5/5/5/5/5 b ", "5/5/5/5/99999999999 b", "/////// b"}) {
        const auto pos = Notation::parse(text);
        ASSERT_FALSE(pos) << text;
        EXPECT_FALSE(pos.error().remedy.empty()) << text;
    }
    const Position pos;
    for (const char* move : {"", "h", "8", "p1", "h16", "h0", "h-1", "h08", "hh8", "h8h", "i 9"}) {
        EXPECT_FALSE(Notation::parse_move(pos, move)) << move;
    }
    EXPECT_TRUE(Notation::parse_move(pos, "O15"));
    EXPECT_EQ(Notation::split_moves("h8i9,  H10 a1"),
              (std::vector<std::string>{"h8", "i9", "H10", "a1"}));
}

TEST(RenjuThreats, AreAsGraveAsWhatTheOtherSideCanMake) {
    const auto threat = [](const char* board) {
        auto pos = Notation::parse(board);
        EXPECT_TRUE(pos) << board;
        return pos->threat();
    };
    EXPECT_EQ(threat("15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 w"), Threat::None);
    EXPECT_EQ(threat("15/15/15/15/15/15/15/6XX7/15/15/15/15/15/15/15 w"), Threat::None);
    // An open three: the next move makes a straight four.
    EXPECT_EQ(threat("15/15/15/15/15/15/15/6XXX6/15/15/15/15/15/15/15 w"), Threat::Grave);
    // A closed three and an open two that cross: a four and three.
    EXPECT_EQ(threat("15/15/15/15/15/15/15/3OXXX8/15/7X7/7X7/15/15/15/15 w"), Threat::Slow);
    EXPECT_EQ(threat("15/15/15/15/15/15/15/4OXXXX6/15/15/15/15/15/15/15 w"), Threat::Now);
    // One's own threats are none of the other side.
    EXPECT_EQ(threat("15/15/15/15/15/15/15/6XXX6/15/15/15/15/15/15/15 b"), Threat::None);
}

TEST(RenjuNotation, SizesFromFiveToTwentyTwo) {
    auto engine = std::move(*make_engine("renju"));
    EXPECT_FALSE(engine->set_rule("size", "4"));
    EXPECT_FALSE(engine->set_rule("size", "23"));
    for (const int size : {5, 15, 20, 22}) {
        ASSERT_TRUE(engine->set_rule("size", std::to_string(size)));
        ASSERT_TRUE(engine->set_position(""));
        EXPECT_EQ(engine->legal_moves().size(), static_cast<std::size_t>(size * size));
        ASSERT_TRUE(engine->set_position("5/5/2X2/5/5 w")) << "a text has its own size";
        EXPECT_EQ(engine->legal_moves().size(), 24u);
    }
}

}  // namespace
}  // namespace karikomi::renju
