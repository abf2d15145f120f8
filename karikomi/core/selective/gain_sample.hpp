/// What quiet moves gain, measured: the laboratory turns such samples into futility's margins.
#pragma once

#include "karikomi/core/types.hpp"

namespace karikomi {

/// What a measuring run writes down for each quiet move at depth 1..3 (techniques.md section 3):
/// gain = max(0, value - static_value). The laboratory turns these into margins.
struct GainSample {
    Depth depth = 0;
    Depth root_depth = 0;
    bool opponent = false;
    int colour = 0;
    int stage = 0;
    Value static_value = 0;  ///< after the move, for the mover
    Value value = 0;         ///< after the search, for the mover
    Bound bound = Bound::None;
    Value gain() const { return std::max(0, value - static_value); }
};

}  // namespace karikomi
