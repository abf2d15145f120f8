/// karikomi train: an evaluation from self-play, as each game's own trainer does it.
#include <fmt/format.h>

#include "karikomi/base/folder_lock.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/facets.hpp"
#include "karikomi/engine/training.hpp"

namespace karikomi::cli {
namespace {

struct TrainOptions {
    std::string game;
    FacetOptions own;
};

std::vector<OptionInfo> options_of(const GameModule& m) {
    return m.train ? m.train->options : std::vector<OptionInfo>();
}

int run(const TrainOptions& o, Session& session) {
    const GameModule& module =
        module_with(&GameModule::train, o.game, "there is nothing to train for '{}'");
    const auto engine = [&] { return take(make_engine(module.name)); };
    const OptionValues values = o.own.values_for(module, options_of);
    // Two trainers in one folder would mix their games.
    auto lock = FolderLock::take(training_folder(values, module.name));
    if (!lock) throw Failure({"--folder: " + lock.error().what, lock.error().remedy}, kBroken);
    return module.train->run({values, {}, session, engine});
}

}  // namespace

void add_train(Program& program) {
    Command command = program.add(
        "train", "Train a game's evaluation from self-play, in rounds that can be resumed",
        examples_of([](const GameModule& m) {
            return m.train ? m.train->examples : std::vector<std::string>();
        }));
    const auto o = std::make_shared<TrainOptions>();
    add_game(command, o->game, names_with(&GameModule::train));
    o->own.add_to(command, options_of);
    std::vector<std::string> batches;
    for (const GameModule* m : games()) {
        if (m->train && !m->train->footer.empty()) batches.push_back(m->train->footer);
    }
    command.add_footer(fmt::format("\n\nGames in a batch: {}; at least one batch is played.",
                                   fmt::join(batches, ", ")));
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
