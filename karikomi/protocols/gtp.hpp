/// GTP 2 for Othello: docs/gui/othello.md.
#pragma once

#include "karikomi/protocols/line_loop.hpp"
#include "karikomi/protocols/settings.hpp"

namespace karikomi::protocols {

/// Talks until `quit` or the end of the input.
Summary run_gtp(Engine& engine, const Settings& settings, const Streams& streams);

}  // namespace karikomi::protocols
