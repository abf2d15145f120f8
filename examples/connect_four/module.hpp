/// Connect Four as the rest of the program sees it.
#pragma once

#include <karikomi/engine/module.hpp>

namespace karikomi::connect_four {

GameModule module();

}  // namespace karikomi::connect_four
