/// What a user chooses for a protocol on the command line.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "karikomi/engine/engine.hpp"
#include "karikomi/games/othello/book.hpp"
#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {

inline constexpr int kDefaultLevel = 16;

struct Settings {
    std::optional<int> level;  ///< strength; nothing: kDefaultLevel where no clock limits a search
    bool ponder = false;       ///< think while the other side is to move
    std::shared_ptr<const othello::Book> book;  ///< openings; may be empty
    double randomness = 0;  ///< discs that a move of the book may lose, for the sake of variety
    Transcript transcript;
};

/// A conversation in figures, for the log.
struct Summary {
    std::uint64_t lines_read = 0;
    std::uint64_t searches = 0;
};

/// Limits of a search at this level.
inline void limit_level(int level, const GameInfo& info, Limits& limits) {
    limits.level = std::clamp(level, 0, info.max_level);
}

}  // namespace karikomi::protocols
