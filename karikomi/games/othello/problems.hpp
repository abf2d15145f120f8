/// Files of positions to solve: OBF, one a line, with the scores of moves where they are known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

struct ScoredSquare {
    Square square = kNoSquare;
    int score = 0;  ///< final discs for the side to move
};

struct Problem {
    Position position;
    std::vector<ScoredSquare> scores;  ///< as the line has them
    int line = 0;                      ///< of the file, from 1

    /// The largest score; nothing where the line has none.
    std::optional<int> expected() const;
};

/// "64 cells, side; A2:+38; C7:+36;". Empty lines and those that begin with '%' or '#' are skipped.
Expected<std::vector<Problem>> parse_problems(std::string_view text, const std::string& name);
Expected<std::vector<Problem>> read_problems(const std::string& file);

}  // namespace karikomi::othello
