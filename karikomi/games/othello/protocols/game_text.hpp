/// Othello games as protocols receive them: GGF (NBoard, GGS), read by games/othello/records, and
/// SGF (Quarry, GoGui), read here. Only what a protocol needs: start, main line, clocks.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"

namespace karikomi::protocols {

/// 0 = Black, who moves first; 1 = White: as Engine::side_to_move().
using Side = int;

struct RecordedMove {
    Side side = 0;
    std::string move;    ///< "f5", or "pa" for a pass
    double seconds = 0;  ///< that it took; 0 where the record does not say
};

/// A game's time, in seconds.
struct TimeControl {
    double main = 0;
    double increment = 0;  ///< after each move
    double extension = 0;  ///< once, when all else is used up
};

struct GameRecord {
    std::string start;  ///< as Engine::set_position reads it; empty: the usual start
    std::vector<RecordedMove> moves;
    std::array<std::optional<TimeControl>, 2> time;  ///< by side
};

/// "(;GM[Othello]...;)" or "(;GM[2]...)".
Expected<GameRecord> read_game(std::string_view text);
/// "15:00//02:00": main/increment/extension, each [[[days.]hours:]minutes:]seconds.
std::optional<TimeControl> read_time_control(std::string_view text);
/// "F5" as "f5"; "PA", "PS", "pass" as "pa". Nothing when it is neither square nor pass.
std::optional<std::string> read_move(std::string_view text);
/// "F5/1.25/0.5": a move, and perhaps its value and the seconds it took.
std::optional<RecordedMove> read_timed_move(std::string_view text, Side side);

}  // namespace karikomi::protocols
