/// Every game of this build, by name. To add one: docs/adding-a-game.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "karikomi/engine/engine.hpp"

namespace karikomi {

/// Those that are complete, in the order in which they are listed.
std::vector<std::string> game_names();
/// A new engine for this game, or an error that lists the games there are.
Expected<std::unique_ptr<Engine>> make_engine(const std::string& game);

}  // namespace karikomi
