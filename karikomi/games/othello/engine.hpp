#pragma once

#include <memory>

#include "karikomi/engine/engine.hpp"

namespace karikomi::othello {

std::unique_ptr<Engine> make_engine();

}  // namespace karikomi::othello
