/// shogi as the rest of the program sees it.
#pragma once

#include "karikomi/engine/module.hpp"

namespace karikomi::shogi {

GameModule module();

}  // namespace karikomi::shogi
