/// karikomi train: what its games share.
#pragma once

#include "karikomi/cli/common.hpp"
#include "karikomi/cli/interrupt.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/chunks.hpp"

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

struct RenjuTrainOptions {
    std::string game;  ///< renju, gomoku or standard_gomoku
    std::string folder;
    std::string from;  ///< weights to begin with; hand: those set by hand
    std::string out;   ///< where the last weights go too; may be empty
    std::int64_t rounds = 0;
    std::int64_t games = 0;         ///< a round
    std::int64_t nodes = 0;         ///< a move
    std::int64_t play_seconds = 0;  ///< a round; 0: no limit
    std::int64_t lambda = 0;        ///< per cent
    std::int64_t mix = 0;           ///< rounds to fit on
    std::int64_t ridge = 0;
    std::int64_t iterations = 0;
    std::int64_t threads = 1;
    std::int64_t seed = 1;
};

/// Rounds of playing and fitting.
int train_renju(const RenjuTrainOptions& options, Session& session);

/// What every run of self-play takes from the command line.
void set_run(ChunkOptions& run, std::int64_t threads, std::int64_t play_seconds,
             const Interrupt& interrupt, Progress& progress);

}  // namespace karikomi::cli
