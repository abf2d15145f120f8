#pragma once

#include <memory>

#include "karikomi/engine/module.hpp"

namespace karikomi::renju {

class Weights;

/// The name "hand" instead of a file of weights: the numbers set by hand.
Expected<std::unique_ptr<Engine>> make_renju_engine(const EngineOptions& options = {});
/// Freestyle.
Expected<std::unique_ptr<Engine>> make_gomoku_engine(const EngineOptions& options = {});
/// Exactly five.
Expected<std::unique_ptr<Engine>> make_standard_gomoku_engine(const EngineOptions& options = {});
/// With given weights and by their rule.
std::unique_ptr<Engine> make_training_engine(std::shared_ptr<const Weights> weights);

}  // namespace karikomi::renju
