/// NBoard's protocol for Othello engines, version 2, tolerant of version 1: docs/gui/othello.md.
#pragma once

#include "karikomi/games/othello/protocols/settings.hpp"
#include "karikomi/protocols/line_loop.hpp"

namespace karikomi::protocols {

/// Talks until `quit` or the end of the input.
Summary run_nboard(Engine& engine, const OthelloSettings& settings, const Streams& streams);

}  // namespace karikomi::protocols
