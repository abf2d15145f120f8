#pragma once

#include <memory>

#include "karikomi/engine/engine.hpp"

namespace karikomi::shogi {

std::unique_ptr<Engine> make_engine();

}  // namespace karikomi::shogi
