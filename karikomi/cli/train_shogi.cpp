/// karikomi train shogi: the training games, as chunks of samples.
#include <fmt/format.h>

#include "karikomi/cli/interrupt.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/train.hpp"
#include "karikomi/games/shogi/evaluator.hpp"
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
    o.threads = static_cast<int>(options.threads);
    o.seed = static_cast<std::uint64_t>(options.seed);
    o.seconds = static_cast<double>(options.play_seconds);
    o.stop = &interrupt.flag();
    o.progress = [&](int done, int all) {
        progress.show(1000.0 * done / all, fmt::format("{} of {} chunks", done, all));
    };
    const shogi::SelfPlayCount count = take(shogi::play_games(o));
    progress.clear();
    const Json record = {
        {"folder", options.folder},       {"evaluation", std::string(shogi::Evaluator::id())},
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
