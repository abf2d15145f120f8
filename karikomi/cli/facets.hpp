/// What commands ask of the modules: who has a facet, and what its options are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/common.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {

/// Names of the modules that have this facet, also of those that no list of games shows.
template <class F> std::vector<std::string> names_with(std::optional<F> GameModule::*facet) {
    std::vector<std::string> names;
    for (const GameModule* m : games()) {
        if (m->*facet) names.push_back(m->name);
    }
    return names;
}

/// The game's module. Without the facet a failure: `missing` is what it says, with the game for {}.
template <class F>
const GameModule& module_with(std::optional<F> GameModule::*facet, const std::string& game,
                              std::string_view missing) {
    const GameModule& module = *take(game_called(game));
    if (module.*facet) return module;
    const auto names = names_with(facet);
    throw Failure(
        {fmt::format(fmt::runtime(missing), game),
         names.empty() ? "no game has any" : fmt::format("use one of {}", fmt::join(names, ", "))});
}

/// A text of each listed game with the titles of those that share it, in the order of the games;
/// games with an empty text are left out.
std::vector<std::pair<std::string, std::string>> grouped_titles(
    const std::function<std::string(const GameModule&)>& text_of);

/// The examples of all games.
std::vector<std::string> examples_of(
    const std::function<std::vector<std::string>(const GameModule&)>& of);

/// The examples that games bring for a command of all games; else the `usual` one.
std::vector<std::string> examples_for(const std::string& command, const std::string& usual);

/// The options that the games' facets declare, on one command: an option that several games have is
/// one option.
class FacetOptions {
public:
    using OptionsOf = std::function<std::vector<OptionInfo>(const GameModule&)>;

    void add_to(Command& command, const OptionsOf& of);
    /// Those of this game. One that was given and that only other games have is refused: it would
    /// do nothing, in silence.
    OptionValues values_for(const GameModule& module, const OptionsOf& of) const;

private:
    struct Known {
        OptionInfo info;
        std::vector<const GameModule*> owners;  ///< listed ones
    };
    std::string help_of(const Known& known, std::size_t games) const;

    std::vector<Known> known_;
    std::shared_ptr<std::vector<std::pair<std::string, std::string>>> given_ =
        std::make_shared<std::vector<std::pair<std::string, std::string>>>();
};

}  // namespace karikomi::cli
