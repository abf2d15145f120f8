/// USI, the protocol of shogi programs: docs/gui/shogi.md.
#pragma once

#include "karikomi/games/shogi/usi/usi_options.hpp"
#include "karikomi/protocols/line_loop.hpp"
#include "karikomi/protocols/settings.hpp"

namespace karikomi::protocols {

/// Talks until `quit` or the end of the input. `options` are what the command line has set.
Summary run_usi(Engine& engine, const UsiOptions& options, const Transcript& transcript,
                const Streams& streams);

}  // namespace karikomi::protocols
