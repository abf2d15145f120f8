#pragma once

#include <memory>

#include "karikomi/engine/engine.hpp"

namespace karikomi::renju {

std::unique_ptr<Engine> make_renju_engine();
std::unique_ptr<Engine> make_gomoku_engine();           ///< freestyle
std::unique_ptr<Engine> make_standard_gomoku_engine();  ///< exactly five

}  // namespace karikomi::renju
