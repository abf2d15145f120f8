/// Games of the engine against itself, for training: random openings, then a search of so many
/// nodes a move. Quiet positions are written down with the search's value and the game's result.
#pragma once

#include "karikomi/engine/chunks.hpp"
#include "karikomi/games/shogi/training/sample.hpp"

namespace karikomi::shogi {

struct SelfPlayOptions : ChunkOptions {
    std::string weights;  ///< of the engine: a file, or empty
    std::string params;   ///< of its search: a file, or empty for the shipped ones
    int games_per_chunk = 16;
    int random_min = 4;  ///< plies played at random before the first recorded position
    int random_max = 20;
    Value balanced = 600;        ///< an opening further from even is not played
    std::uint64_t nodes = 4000;  ///< a move
    Value resign_value = 3000;   ///< both sides see this for six plies: the game is over
    Value most_value = 3000;     ///< positions further from even are not written down
    int longest = 360;           ///< plies; then it is a draw
    /// Positions inside the search of a move, by chance, for another judge to label: so many a
    /// move, into files of their own (leaves_path).
    int leaves = 0;
    /// Every so many moves one of them is searched like a move of the game, and is a sample without
    /// a result; 0: never.
    int side_every = 0;
};

struct SelfPlayCount {
    int chunks = 0;  ///< in the folder, earlier ones included
    int games = 0;   ///< played now
    std::uint64_t positions = 0;
    std::uint64_t leaves = 0;
    int black_wins = 0;
    int draws = 0;
    std::string evaluation;  ///< that played
};

/// Chunks that are there already are left alone, so that a run can be resumed.
Expected<SelfPlayCount> play_games(const SelfPlayOptions& options);

}  // namespace karikomi::shogi
