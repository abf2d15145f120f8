/// The games of this program, by name. The list is open: whoever writes a `main` fills it, before
/// the first thread starts. To add a game: docs/adding-a-game.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/engine/module.hpp"

namespace karikomi {

/// Refuses a module without a name or an engine, and a name that is taken.
Status register_game(GameModule module);
Status register_games(std::vector<GameModule> modules);

/// All modules in the order of their registration. Pointers stay good for good.
std::vector<const GameModule*> games();
/// The module of this name, or null.
const GameModule* find_game(std::string_view name);
/// The same, or an error that says which games there are.
Expected<const GameModule*> game_called(const std::string& name);

/// Those that lists show, in the order of their registration.
std::vector<std::string> game_names();
/// The module that plays this game by this rule, such as gomoku by the standard rule; the game's
/// own name where no module is made for the rule.
std::string name_by_rule(const std::string& game, std::string_view rule);

/// A new engine for this game, or an error that lists the games there are.
Expected<std::unique_ptr<Engine>> make_engine(const std::string& game,
                                              const EngineOptions& options = {});

}  // namespace karikomi
