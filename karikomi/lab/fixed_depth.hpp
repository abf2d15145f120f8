/// Searches that are measured: to a fixed depth, by the search alone.
#pragma once

#include "karikomi/engine/engine.hpp"

namespace karikomi::lab {

/// More nodes than any search gets to. A limit of nodes keeps a game's own solver out, which would
/// answer instead of the search that is to be measured.
inline constexpr std::uint64_t kEnoughNodes = 1'000'000'000'000'000;

inline SearchRequest fixed_depth(Depth depth, const StopToken& stop, int lines = 1) {
    SearchRequest request;
    request.stop = stop;  // a search without techniques may take minutes
    request.limits.depth = depth;
    request.limits.nodes = kEnoughNodes;
    request.limits.multi_pv = lines;
    return request;
}

}  // namespace karikomi::lab
