/// karikomi train: what its games share.
#pragma once

#include "karikomi/cli/common.hpp"

namespace karikomi::cli {

struct ShogiTrainOptions {
    std::string folder;
    std::int64_t games = 0;
    std::int64_t nodes = 0;         ///< a move
    std::int64_t play_seconds = 0;  ///< 0: no limit
    std::int64_t threads = 1;
    std::int64_t seed = 1;
};

/// Plays the games; train/shogi/train.py makes a network of them.
int train_shogi(const ShogiTrainOptions& options, Session& session);

}  // namespace karikomi::cli
