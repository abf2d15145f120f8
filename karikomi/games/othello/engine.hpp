#pragma once

#include <memory>

#include "karikomi/engine/module.hpp"

namespace karikomi::othello {

class Weights;

Expected<std::unique_ptr<Engine>> make_engine(const EngineOptions& options = {});
/// For self-play with weights in training: the shipped calibration serves as if it had been fitted
/// for them.
std::unique_ptr<Engine> make_training_engine(std::shared_ptr<const Weights> weights);

}  // namespace karikomi::othello
