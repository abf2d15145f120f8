/// Boards for games whose cells are written as one character each: little to write for whoever adds
/// a game. A game that needs more fills in a BoardFacet itself.
#pragma once

#include <string>
#include <string_view>

#include "karikomi/engine/board.hpp"

namespace karikomi {

/// Columns a, b, c, ..., rows numbered from the bottom.
BoardFacet grid_board(int columns, int rows);

/// One character a cell, from the top left: '.' is empty, 'X' and 'O' are stones of the first and
/// the second player, other letters are pieces, capitals of the first player.
std::vector<BoardCell> read_cells(std::string_view cells);

/// The squares that a move names, each as its column's label and its row's: "c3" or "b2b3".
MoveShape shape_by_labels(const BoardFacet& board, std::string_view move);

/// The board as text.
std::string draw_grid(const BoardFacet& board, std::string_view cells);

}  // namespace karikomi
