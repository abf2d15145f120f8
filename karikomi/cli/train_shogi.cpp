/// karikomi train shogi: the training games, as chunks of samples.
#include <fmt/format.h>

#include "karikomi/cli/train.hpp"
#include "karikomi/games/shogi/training/self_play.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {

int train_shogi(const ShogiTrainOptions& options, Session& session) {
    session.begin(nullptr);
    Interrupt interrupt;
    Progress progress("playing", 1000);
    shogi::SelfPlayOptions o;
    o.folder = options.folder;
    o.chunks = std::max(1, static_cast<int>(options.games) / o.games_per_chunk);
    o.nodes = static_cast<std::uint64_t>(options.nodes);
    o.seed = static_cast<std::uint64_t>(options.seed);
    set_run(o, options.threads, options.play_seconds, interrupt, progress);
    const shogi::SelfPlayCount count = take(shogi::play_games(o));
    progress.clear();
    const Json record = {{"folder", options.folder},       {"evaluation", count.evaluation},
                         {"commit", std::string(kCommit)}, {"chunks", count.chunks},
                         {"games", count.games},           {"positions", count.positions},
                         {"black_wins", count.black_wins}, {"draws", count.draws},
                         {"nodes", options.nodes},         {"seed", options.seed}};
    session.finish(record);
    if (!session.json()) {
        fmt::print("{} games, {} positions, Black won {}, {} draws; {} of {} chunks in {}\n",
                   count.games, grouped(count.positions), count.black_wins, count.draws,
                   count.chunks, o.chunks, options.folder);
    }
    if (!interrupt.requested()) return kDone;
    fmt::print(stderr, "stopped; the same command goes on from here\n");
    return kNo;
}

}  // namespace karikomi::cli
