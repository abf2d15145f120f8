/// What a brain says when it may choose sides (swap2), and which moves leave both sides equal.
#pragma once

#include <array>
#include <span>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/games/renju/gomocup/gomocup_board.hpp"

namespace karikomi::protocols {

enum class SwapAnswer : std::uint8_t {
    Swap,    ///< take Black
    Stay,    ///< remain White and move
    PutTwo,  ///< two stones more, and the other side chooses
};
/// By the value for White, who is to move after 3 or 5 stones. Only after 3 stones may two more be
/// put: where the sides are so equal that the choice is worth nothing.
SwapAnswer choose_side(Value value, std::size_t stones);

/// Two first stones, Black's and White's, not far from each other: others each time, so that nobody
/// can prepare for them.
std::array<Pair, 2> random_start(Random& random, int size);

/// The line whose value comes nearest to this; null where no line has a move.
const Line* nearest_line(std::span<const Line> lines, Value value);

}  // namespace karikomi::protocols
