/// Games of the program against itself, for training.
///
/// A random opening that neither side has won already, then a small search for every move, now and
/// then a move at random among the candidates. A game ends when a search has proven a win.
#pragma once

#include "karikomi/engine/chunks.hpp"
#include "karikomi/games/renju/training/games.hpp"
#include "karikomi/games/renju/weights.hpp"

namespace karikomi::renju {

struct SelfPlayOptions : ChunkOptions {
    int games_per_chunk = 128;
    int random_min = 3;  ///< stones put at random before the first recorded position
    int random_max = 9;
    Value balanced = 500;        ///< openings that a search sees further from balance are dropped
    double random_share = 0.05;  ///< of later moves
    int longest = 140;           ///< plies; then nobody wins
    std::uint64_t nodes = 1000;  ///< a move
};

/// Plays with these weights, by their rule. Chunks that are there already are left alone, so that a
/// run can be resumed. Returns the number of chunks in the folder afterwards.
Expected<int> play_games(const std::shared_ptr<const Weights>& weights,
                         const SelfPlayOptions& options);

}  // namespace karikomi::renju
