/// The games that this program comes with: the one list that names them.
#pragma once

#include <vector>

#include "karikomi/engine/module.hpp"

namespace karikomi {

/// In the order in which they are listed.
std::vector<GameModule> shipped_games();

}  // namespace karikomi
