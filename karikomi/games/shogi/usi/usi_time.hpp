/// A game clock as the search should see it: what networks and servers need is taken off first.
#pragma once

#include "karikomi/core/clock.hpp"

namespace karikomi::protocols {

struct UsiTime {
    std::int64_t delay_ms = 30;      ///< kept back for every move (time.overhead_ms does it)
    std::int64_t last_delay_ms = 0;  ///< kept back where the time would run out; the larger counts
    std::int64_t least_ms = 0;       ///< to think for a move, as far as there is time
    bool operator==(const UsiTime&) const = default;
};

/// The limits of a search with a clock; others stay as they are.
Limits shape_clock(Limits limits, const UsiTime& time, const TimeParams& params);

}  // namespace karikomi::protocols
