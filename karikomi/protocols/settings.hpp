/// What a user chooses for a protocol on the command line.
#pragma once

#include <algorithm>
#include <optional>

#include "karikomi/engine/engine.hpp"
#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {

/// Strength of a conversation in which neither the user nor a clock sets a limit.
inline constexpr int kDefaultLevel = 16;

struct Settings {
    std::optional<int> level;  ///< strength; nothing: kDefaultLevel where no clock limits a search
    bool ponder = false;       ///< think while the other side is to move
    Transcript transcript;
};

/// Limits of a search at this level.
inline void limit_level(int level, const GameInfo& info, Limits& limits) {
    limits.level = std::clamp(level, 0, info.max_level);
}

}  // namespace karikomi::protocols
