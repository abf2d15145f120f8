/// Every game of this build, by name. To add one: docs/adding-a-game.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "karikomi/engine/engine.hpp"

namespace karikomi {

/// Those that are complete, in the order in which they are listed.
std::vector<std::string> game_names();
/// The name under which a game played by a rule has its own evaluation and parameters: gomoku by
/// the standard rule is "standard_gomoku". Other games and rules: the name as it is.
std::string name_by_rule(const std::string& game, std::string_view rule);
/// A new engine for this game, or an error that lists the games there are.
Expected<std::unique_ptr<Engine>> make_engine(const std::string& game);

}  // namespace karikomi
