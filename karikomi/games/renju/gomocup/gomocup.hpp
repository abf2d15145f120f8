/// The Gomocup protocol for renju and gomoku "brains", with the extensions of Yixin-Board:
/// docs/gui/renju.md.
#pragma once

#include <array>

#include "karikomi/protocols/line_loop.hpp"
#include "karikomi/protocols/settings.hpp"

namespace karikomi::protocols {

/// What a user chooses, and the parameters of each rule: 0 freestyle, 1 standard, 2 renju.
struct GomocupSettings : Settings {
    std::array<std::optional<SearchParams>, 3> params;  ///< nothing: those of the engine
    int threads = 1;
    int hash_mb = 64;
};

/// Talks until `END` or the end of the input. The engine must know the rules "rule" and "size".
Summary run_gomocup(Engine& engine, const GomocupSettings& settings, const Streams& streams);

}  // namespace karikomi::protocols
