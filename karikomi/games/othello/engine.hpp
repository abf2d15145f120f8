#pragma once

#include <memory>

#include "karikomi/engine/engine.hpp"

namespace karikomi::othello {

std::unique_ptr<Engine> make_engine();
/// For self-play with weights in training, which must be the active ones: the shipped calibration
/// serves as if it had been fitted for them.
std::unique_ptr<Engine> make_training_engine();

}  // namespace karikomi::othello
