#include "karikomi/games/renju/gomocup/gomocup_swap.hpp"

#include <algorithm>
#include <cstdlib>

namespace karikomi::protocols {
namespace {

constexpr Value kEven = 20;  ///< 400 are odds of e : 1, so this is 51 to 49

}  // namespace

SwapAnswer choose_side(Value value, std::size_t stones) {
    if (stones == 3 && std::abs(value) <= kEven) return SwapAnswer::PutTwo;
    return value < 0 ? SwapAnswer::Swap : SwapAnswer::Stay;
}

std::array<Pair, 2> random_start(Random& random, int size) {
    const auto below = [&](int n) {
        return static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(n, 1))));
    };
    const Pair first{below(size), below(size)};
    const auto near = [&](int at) { return std::clamp(at - 3 + below(7), 0, size - 1); };
    Pair second = first;
    while (second == first) second = {near(first.x), near(first.y)};
    return {first, second};
}

const Line* nearest_line(std::span<const Line> lines, Value value) {
    const Line* best = nullptr;
    for (const Line& line : lines) {
        if (line.pv.empty()) continue;
        if (best == nullptr || std::abs(line.value - value) < std::abs(best->value - value)) {
            best = &line;
        }
    }
    return best;
}

}  // namespace karikomi::protocols
