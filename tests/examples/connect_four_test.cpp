/// Connect Four is solved, so it is the search's ground truth.
#include "examples/connect_four/connect_four.hpp"

#include <gtest/gtest.h>

#include "karikomi/core/searcher.hpp"
#include "karikomi/engine/registry.hpp"
#include "tests/reference/connect_four_solver.hpp"
#include "tests/sanitized.hpp"

namespace karikomi {
namespace {

using Four = connect_four::Game;

Value expected_value(const test::Solved& s) {
    if (s.result == 0) return 0;
    return s.result > 0 ? win_in(s.plies) : loss_in(s.plies);
}

int sign(Value v) {
    return is_decisive(v) ? (v > 0 ? 1 : -1) : 0;
}

Value search_to_the_end(Searcher<Four>& searcher, const std::string& columns) {
    Limits limits;
    limits.depth = 42 - static_cast<Depth>(columns.size());
    searcher.new_game();
    return searcher.search(*connect_four::Notation::parse(columns), limits).lines.front().value;
}

/// Random positions of 14 to 36 stones; the second half needs at least three plies to decide,
/// because most random positions are won on the spot.
std::vector<std::string> truth_positions() {
    auto positions = test::random_positions(test::rounds(250), 14, 36, 7);
    for (const std::string& p : test::random_positions(2000, 14, 36, 8)) {
        if (static_cast<int>(positions.size()) >= test::rounds(550)) break;
        if (test::solve(p)->plies >= 3) positions.push_back(p);
    }
    return positions;
}

TEST(ConnectFourTruth, WithoutTechniquesTheSearchEqualsTheSolver) {
    Searcher<Four> searcher(8);
    SearchParams params;
    params.selective.disable_all();
    searcher.set_params(params);
    const auto positions = truth_positions();
    ASSERT_GE(static_cast<int>(positions.size()), test::rounds(500));
    for (const std::string& p : positions) {
        ASSERT_GE(p.size(), 14u);
        EXPECT_EQ(search_to_the_end(searcher, p), expected_value(*test::solve(p))) << p;
    }
}

TEST(ConnectFourTruth, WithTechniquesTheShareOfChangedValuesIsReported) {
    auto engine = make_engine("connect_four");
    ASSERT_TRUE(engine);
    Searcher<Four> searcher(8);
    searcher.set_params((*engine)->params());
    int changed = 0;
    int reversed = 0;
    const auto positions = truth_positions();
    for (const std::string& p : positions) {
        const Value found = search_to_the_end(searcher, p);
        const Value truth = expected_value(*test::solve(p));
        changed += found != truth ? 1 : 0;
        reversed += sign(found) != sign(truth) ? 1 : 0;
    }
    const double total = static_cast<double>(positions.size());
    RecordProperty("changed_percent", std::to_string(100.0 * changed / total));
    RecordProperty("reversed_percent", std::to_string(100.0 * reversed / total));
    std::printf(
        "techniques on: value changed in %.1f %%, result (win, draw, loss) in %.1f %% of %d\n",
        100.0 * changed / total, 100.0 * reversed / total, static_cast<int>(total));
    // Selective search may miss the shortest win and misjudge a few quiet endgames, no more.
    EXPECT_LT(reversed / total, 0.05);
}

TEST(ConnectFour, TheEvaluationIsTheSameFromBothSides) {
    // Mirroring the columns changes nothing, and a mirrored search must give the same value.
    for (const std::string& text : test::random_positions(50, 4, 30, 5)) {
        std::string mirrored = text;
        for (char& c : mirrored) c = static_cast<char>('8' - (c - '0'));
        connect_four::Evaluator e;
        EXPECT_EQ(e.evaluate(*connect_four::Notation::parse(text)),
                  e.evaluate(*connect_four::Notation::parse(mirrored)));
    }
}

TEST(ConnectFour, CompletingCellsAreThoseThatMakeAFour) {
    for (const std::string& text : test::random_positions(200, 6, 38, 11)) {
        const auto pos = *connect_four::Notation::parse(text);
        const auto cells = connect_four::completing_cells(pos.own());
        for (int column = 0; column < 7; ++column) {
            for (int row = 0; row < 6; ++row) {
                const auto at = connect_four::cell(column, row);
                if ((pos.all() & at) != 0) continue;
                EXPECT_EQ((cells & at) != 0, connect_four::has_four(pos.own() | at)) << text;
            }
        }
    }
}

TEST(ConnectFour, BadTextIsRefusedWithTheMoveNumber) {
    EXPECT_EQ(connect_four::Notation::parse("4a").error().what,
              "connect_four position, move 2: 'a' is not a column");
    EXPECT_EQ(connect_four::Notation::parse("1111111").error().what,
              "connect_four position, move 7: column 1 is full");
    EXPECT_EQ(connect_four::Notation::parse("12121211").error().what,
              "connect_four position, move 8: the game is already over");
}

}  // namespace
}  // namespace karikomi
