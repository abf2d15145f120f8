/// One game, judged by a referee with a board of its own: what a player says counts only as far as
/// the rules allow it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/lab/match/openings.hpp"
#include "karikomi/lab/match/player.hpp"

namespace karikomi::match {

/// How a game ended. From Crash on, the player to move lost by a fault of its own.
enum class End : std::uint8_t {
    ByRules,  ///< the game's own end
    Resigned,
    ByScore,    ///< adjudicated: both sides agreed on the score for long enough
    MoveLimit,  ///< adjudicated as a draw
    Crash,
    Hang,
    Illegal,
    Time,
    Stopped,  ///< no game at all: the run was stopped
};
std::string_view name_of(End end);
bool is_fault(End end);

struct Adjudication {
    double win_score = 0;    ///< both players see one side this far ahead ...; 0: off
    int win_moves = 4;       ///< ... for this many moves of each
    double draw_score = -1;  ///< both see at most this much; negative: off
    int draw_moves = 8;
    int draw_from_ply = 0;
    int max_plies = 0;  ///< a draw after so many; 0: off
};
Json to_json(const Adjudication& a);

struct GameRules {
    std::array<TimeControl, 2> time;  ///< by side
    std::int64_t margin_ms = 200;     ///< a move may come this much too late
    std::int64_t hang_ms = 60'000;    ///< without a time limit, no answer for so long is a hang
    Adjudication adjudication;
};

struct MoveNote {
    std::string move;
    std::optional<double> score;  ///< of the mover, in the game's unit
    int depth = 0;
    std::uint64_t nodes = 0;
    std::int64_t time_ms = 0;
    bool asked = true;  ///< not of the opening, not a forced pass
};

struct GameResult {
    Winner winner = Winner::Nobody;
    End end = End::ByRules;
    std::string detail;  ///< of a fault
    std::vector<std::string> last_lines;
    std::vector<MoveNote> moves;
    std::string final_position;
    std::array<std::int64_t, 2> slowest_ms{};  ///< by side
    double seconds = 0;
};

/// `players` by side. The referee's position is changed.
GameResult play_game(Engine& referee, const std::array<Player*, 2>& players, const Opening& opening,
                     const GameRules& rules, const StopToken& stop);

}  // namespace karikomi::match
