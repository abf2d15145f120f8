#pragma once

#include <memory>

#include "karikomi/engine/module.hpp"

namespace karikomi::shogi {

/// The name "none" instead of a file of weights: the hand-written evaluation.
Expected<std::unique_ptr<Engine>> make_engine(const EngineOptions& options = {});

}  // namespace karikomi::shogi
