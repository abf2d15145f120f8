/// A board of cells in rows, as data: enough for a page to draw a game that it has never heard of
/// and to take moves by hand.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "karikomi/base/expected.hpp"

namespace karikomi {

struct BoardCell {
    int side = -1;       ///< whose piece stands there, 0 or 1; -1: none
    std::string kind{};  ///< what it is, where pieces differ: a letter or two
};

/// A move as cells; counted row by row from the top left, from 0. -1: none.
struct MoveShape {
    int to = -1;    ///< where a click means this move
    int from = -1;  ///< of a piece that travels
};

struct BoardFacet {
    int columns = 0;
    int rows = 0;
    std::array<std::string, 2> sides = {"First", "Second"};  ///< names of the players
    std::vector<std::string> column_labels{};
    std::vector<std::string> row_labels{};
    /// columns * rows cells of a position in the game's notation.
    std::function<Expected<std::vector<BoardCell>>(const std::string& position)> cells;
    /// `move` is legal there.
    std::function<MoveShape(const std::string& position, const std::string& move)> shape;
};

}  // namespace karikomi
