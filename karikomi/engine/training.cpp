#include "karikomi/engine/training.hpp"

#include <fmt/format.h>

namespace karikomi {

std::vector<OptionInfo> self_play_options() {
    return {text_option("--folder", "DIR",
                        "games, weights and records of every round (default: training/GAME)"),
            number_option("--games", 20'000, 1, 100'000'000, "games a round, in whole batches"),
            number_option("--play-seconds", 0, 0, 1'000'000,
                          "most time to play in a round; 0: no limit"),
            number_option("--threads", 1, 1, 1024, "threads"),
            number_option("--seed", 1, 0, 1'000'000'000, "seed of the games")};
}

std::vector<OptionInfo> round_options() {
    return {text_option("--from", "FILE", "first weights; none: zero or by hand", "none"),
            text_option("--out", "FILE", "where the last round's weights go too"),
            number_option("--rounds", 3, 1, 1000, "rounds; finished ones are skipped"),
            number_option("--lambda", 80, 0, 100, "per cent of a label from later positions"),
            number_option("--mix", 2, 1, 100, "last rounds whose games are fitted"),
            number_option("--ridge", 20, 0, 100'000, "pull towards the coarser fit, samples"),
            number_option("--iterations", 40, 1, 1000, "steps of the fit")};
}

std::string training_folder(const OptionValues& options, const std::string& game) {
    const std::string& chosen = options.text("--folder");
    return chosen.empty() ? "training/" + game : chosen;
}

void set_run(ChunkOptions& run, const CommandCall& call, const std::string& work) {
    run.threads = call.options.integer("--threads");
    run.seconds = static_cast<double>(call.options.number("--play-seconds"));
    run.stop = call.console.stop();
    run.progress = [&call, work](int done, int all) {
        call.console.progress(work, done, all, fmt::format("{} of {} chunks", done, all));
    };
}

int say_stopped(Console& console) {
    console.remark("stopped; the same command goes on from here\n");
    return kNo;
}

}  // namespace karikomi
