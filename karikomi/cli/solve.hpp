/// karikomi solve: what its games share.
#pragma once

#include "karikomi/cli/common.hpp"

namespace karikomi::cli {

/// Options of `solve`. Those that a game's solver has no use for are refused.
struct SolveOptions {
    std::string game;
    std::string position;
    std::string file;
    std::int64_t threads = 1;
    std::int64_t hash_mb = 512;
    std::int64_t time_ms = 0;        ///< for each position; 0: no limit
    std::int64_t selectivity = 100;  ///< percent
    std::int64_t multi_pv = 1;
    bool by_result = false;  ///< --wld
    std::string weights;
    bool shortest = false;  ///< shogi
    std::string rule;       ///< renju, gomoku
    std::string threats = "threes";
    std::int64_t nodes = 0;  ///< for each position; 0: the solver's own limit
};

int solve_othello(const SolveOptions& options, Session& session);
int solve_shogi(const SolveOptions& options, Session& session);
int solve_renju(const SolveOptions& options, Session& session);

}  // namespace karikomi::cli
