#pragma once

#include <memory>

#include "karikomi/engine/engine.hpp"

namespace karikomi::connect_four {

std::unique_ptr<Engine> make_engine();

}  // namespace karikomi::connect_four
