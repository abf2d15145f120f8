/// Othello as the rest of the program sees it.
#pragma once

#include "karikomi/engine/module.hpp"

namespace karikomi::othello {

GameModule module();

}  // namespace karikomi::othello
