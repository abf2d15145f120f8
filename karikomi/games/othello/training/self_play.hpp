/// Games of the program against itself, for training.
///
/// A random opening that is not lost already, then a shallow search with a random move now and
/// then, and exact play at the end. There the label of a position is its exact value. Before that
/// it is a mean of what the searches of this and of the following positions said, later ones
/// counting less and less: label(t) = (1 - lambda) search(t) + lambda label(t + 1), which has far
/// less noise than the result of the game. A random move breaks that chain, so that it spoils no
/// label of a position before it.
#pragma once

#include "karikomi/engine/chunks.hpp"
#include "karikomi/games/othello/training/sample.hpp"
#include "karikomi/games/othello/weights.hpp"

namespace karikomi::othello {

struct SelfPlayOptions : ChunkOptions {
    int games_per_chunk = 256;
    int random_min = 2;  ///< plies played at random before the first recorded position
    int random_max = 14;
    int most_lead = 20;          ///< discs; openings further from balance are thrown away
    float random_share = 0.05f;  ///< of moves chosen at random later
    float lambda = 0.8f;         ///< how much of a label comes from the positions that follow
    int depth = 5;               ///< of a plain search
    std::uint64_t nodes = 0;     ///< a move by the whole search instead; 0: by the plain one
    int solve_from = 16;         ///< empties from which play is exact
};

/// Chunks that are there already are left alone, so that a run can be resumed. Returns the number
/// of chunks in the folder afterwards.
Expected<int> play_games(const std::shared_ptr<const Weights>& weights,
                         const SelfPlayOptions& options);

}  // namespace karikomi::othello
