#include "karikomi/engine/grid.hpp"

#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"

namespace karikomi {
namespace {

TEST(Grid, HasLettersForColumnsAndNumbersFromTheBottom) {
    const BoardFacet board = grid_board(3, 2);
    EXPECT_EQ(board.column_labels, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(board.row_labels, (std::vector<std::string>{"2", "1"}));
    EXPECT_EQ(draw_grid(board, "X..kO."), "2 X . .\n1 k O .\n  a b c\n");
}

TEST(Grid, LabelsOfTwoDigitsLineUp) {
    const std::string text = draw_grid(grid_board(2, 10), std::string(20, '.'));
    EXPECT_TRUE(text.starts_with("10 . .\n 9 . .\n")) << text;
    EXPECT_TRUE(text.ends_with("\n   a b\n")) << text;
}

TEST(Grid, CellsAreReadFromOneCharacterEach) {
    const auto cells = read_cells("X.Ok");
    ASSERT_EQ(cells.size(), 4u);
    EXPECT_EQ(cells[0].side, 0);
    EXPECT_EQ(cells[0].kind, "");
    EXPECT_EQ(cells[1].side, -1);
    EXPECT_EQ(cells[2].side, 1);
    EXPECT_EQ(cells[3].side, 1);
    EXPECT_EQ(cells[3].kind, "K");
}

TEST(Grid, AMoveMeansTheSquaresThatItNames) {
    const BoardFacet board = grid_board(3, 12);
    const auto shape = [&](const char* move) { return shape_by_labels(board, move); };
    EXPECT_EQ(shape("a12").to, 0) << "and not a1";
    EXPECT_EQ(shape("a12").from, -1);
    EXPECT_EQ(shape("a1").to, 33);
    EXPECT_EQ(shape("b12c11").from, 1);
    EXPECT_EQ(shape("b12-c11").to, 5);
    EXPECT_EQ(shape("pass").to, -1);
}

/// What a page would draw has as many cells as squares, and they change with the moves.
TEST(Grid, EveryDescribedGameTellsItsCells) {
    int described = 0;
    for (const GameModule* module : games()) {
        if (!module->board) continue;
        ++described;
        const BoardFacet& board = *module->board;
        const auto engine = std::move(*make_engine(module->name));
        const auto before = board.cells(engine->position_text());
        ASSERT_TRUE(before) << module->name;
        EXPECT_EQ(before->size(), static_cast<std::size_t>(board.columns * board.rows));
        const std::string move = engine->legal_moves().front();
        const int to = board.shape(engine->position_text(), move).to;
        ASSERT_GE(to, 0) << module->name;
        ASSERT_TRUE(engine->play(move));
        const auto after = board.cells(engine->position_text());
        ASSERT_TRUE(after) << module->name;
        EXPECT_EQ((*after)[static_cast<std::size_t>(to)].side, 0) << module->name;
    }
    EXPECT_GT(described, 0);
}

}  // namespace
}  // namespace karikomi
