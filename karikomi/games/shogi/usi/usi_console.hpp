/// What people type at the prompt of a USI engine: the board, the evaluation, perft, bench.
#pragma once

#include <string>
#include <vector>

#include "karikomi/base/stop.hpp"
#include "karikomi/engine/engine.hpp"

namespace karikomi::protocols {

using Lines = std::vector<std::string>;

/// `d`: the board, the hands, the SFEN.
Lines show_board(const Engine& engine);
/// `eval`: the static value, from both sides.
Lines show_value(const Engine& engine);
/// `go perft N`: lines of N legal moves, by the first one.
Lines count_perft(const Engine& engine, Depth depth);
/// `bench [DEPTH]`: the fixed positions of `karikomi bench`, with the options as they are set.
Lines run_bench(Engine& engine, Depth depth_limit, const StopToken& stop);

}  // namespace karikomi::protocols
