/// Renju and gomoku as the rest of the program sees them: one game, three rules, a module each.
#pragma once

#include <vector>

#include "karikomi/engine/module.hpp"

namespace karikomi::renju {

std::vector<GameModule> modules();

}  // namespace karikomi::renju
