/// What trainers of every game take from the command line.
#pragma once

#include <vector>

#include "karikomi/engine/chunks.hpp"
#include "karikomi/engine/command.hpp"

namespace karikomi {

/// --folder, --games, --play-seconds, --threads and --seed.
std::vector<OptionInfo> self_play_options();
/// --from, --out, --rounds, --lambda, --mix, --ridge and --iterations: rounds of playing and
/// fitting.
std::vector<OptionInfo> round_options();

/// The folder that was chosen, or training/GAME.
std::string training_folder(const OptionValues& options, const std::string& game);
/// Threads, time, the wish to stop and the progress of a run of self-play.
void set_run(ChunkOptions& run, const CommandCall& call, const std::string& work);
/// Says how to go on, and returns the exit code of work that is not done.
int say_stopped(Console& console);

}  // namespace karikomi
