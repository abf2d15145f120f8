/// Games of the program against itself, for training: random openings, a shallow search, and the
/// exact solver at the end, so that every position is labelled with a result that is right from
/// there on.
#pragma once

#include <atomic>
#include <functional>

#include "karikomi/games/othello/training/sample.hpp"
#include "karikomi/games/othello/weights.hpp"

namespace karikomi::othello {

struct SelfPlayOptions {
    std::filesystem::path folder;  ///< where the chunks go
    int chunks = 16;
    int games_per_chunk = 256;
    int random_min = 4;  ///< plies played at random before the first recorded position
    int random_max = 24;
    float late_share = 0.1f;  ///< of games whose random part is longer, up to late_max
    int late_max = 44;
    int depth = 5;
    int solve_from = 16;  ///< empties from which play is exact
    int threads = 1;
    std::uint64_t seed = 1;
    double seconds = 0;  ///< no new chunk after this time; 0: no limit
    const std::atomic<bool>* stop = nullptr;
    std::function<void(int done, int chunks)> progress;
};

/// Chunks that are there already are left alone, so that a run can be resumed. Returns the number
/// of chunks in the folder afterwards.
Expected<int> play_games(const Weights& weights, const SelfPlayOptions& options);

}  // namespace karikomi::othello
