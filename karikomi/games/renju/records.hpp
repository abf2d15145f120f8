/// Game records of renju and gomoku: SGF, PSQ (Piskvork) and RenLib's .lib, read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/renju/types.hpp"

namespace karikomi::renju {

/// One game, or one line of a library, from the empty board. Cells are on the board and not taken
/// twice; whether Black was allowed to play them is for the rules to say.
struct GameRecord {
    int size = kUsualSize;
    std::vector<Cell> moves;
    std::string black;
    std::string white;
    std::string result;  ///< as the file has it: "B+", "W+", "0", ...
};

/// Main lines of every game in the file. Points "hh" from the top left, or "h8" as some programs
/// write them.
Expected<std::vector<GameRecord>> read_sgf(std::string_view text);
/// "Piskvorky 15x15, ..." and a move a line, X,Y,ms from 1; what follows the moves is passed over.
Expected<GameRecord> read_psq(std::string_view text);
/// Every line from the root to a position without a continuation.
Expected<std::vector<GameRecord>> read_renlib(std::string_view bytes);

/// By the contents.
Expected<std::vector<GameRecord>> read_records(std::string_view bytes);

}  // namespace karikomi::renju
