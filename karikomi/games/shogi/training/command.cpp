/// karikomi train shogi: the training games, as chunks of samples; train/shogi/train.py makes a
/// network of them.
#include <algorithm>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/engine/training.hpp"
#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/training/self_play.hpp"
#include "karikomi/version.hpp"

namespace karikomi::shogi {
namespace {

int train(const CommandCall& call) {
    const OptionValues& given = call.options;
    Console& console = call.console;
    console.begin(nullptr);
    const std::string folder = training_folder(given, "shogi");
    SelfPlayOptions o;
    o.folder = folder;
    o.chunks = std::max(1, given.integer("--games") / o.games_per_chunk);
    o.weights = given.text("--weights");
    o.params = given.text("--params");
    o.nodes = static_cast<std::uint64_t>(given.number("--nodes"));
    o.seed = static_cast<std::uint64_t>(given.number("--seed"));
    o.leaves = given.integer("--leaves");
    o.side_every = given.integer("--side-every");
    o.most_value = given.integer("--most-value");
    set_run(o, call, "playing");
    const SelfPlayCount count = take(play_games(o));
    console.end_progress();
    const Json record = {{"folder", folder},
                         {"evaluation", count.evaluation},
                         {"params", o.params.empty() ? "shipped" : o.params},
                         {"commit", std::string(kCommit)},
                         {"chunks", count.chunks},
                         {"games", count.games},
                         {"positions", count.positions},
                         {"leaves", count.leaves},
                         {"black_wins", count.black_wins},
                         {"draws", count.draws},
                         {"nodes", o.nodes},
                         {"seed", o.seed}};
    console.finish(record);
    if (!console.json()) {
        console.print(
            fmt::format("{} games, {} positions, Black won {}, {} draws; {} of {} chunks in {}\n",
                        count.games, grouped(count.positions), count.black_wins, count.draws,
                        count.chunks, o.chunks, folder));
    }
    return console.stop().stop_requested() ? say_stopped(console) : kDone;
}

}  // namespace

CommandFacet train_facet() {
    CommandFacet facet;
    facet.options = self_play_options();
    facet.options.push_back(
        number_option("--nodes", 4000, 1, 1'000'000'000, "nodes a move of self-play"));
    facet.options.push_back(number_option(
        "--leaves", 0, 0, 1000, "positions a move from inside its search, without values"));
    facet.options.push_back(number_option(
        "--side-every", 0, 0, 1000, "moves, after which one of --leaves is searched as well"));
    facet.options.push_back(
        number_option("--most-value", 3000, 1, 20'000, "positions further from even are left out"));
    facet.options.push_back(text_option("--weights", "FILE", "the network that plays"));
    facet.options.push_back(text_option("--params", "FILE", "parameters of the search that plays"));
    facet.examples = {"karikomi train shogi --folder /tmp/shogi --games 16 --nodes 500"};
    facet.footer = fmt::format("shogi {}", SelfPlayOptions().games_per_chunk);
    facet.run = train;
    return facet;
}

}  // namespace karikomi::shogi
