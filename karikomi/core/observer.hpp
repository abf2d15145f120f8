/// What a measuring run may ask a worker to write down. Absent in normal play.
#pragma once

#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/selective/futility.hpp"

namespace karikomi {

/// A cut by statistics, with all that is needed to check it by a full search later.
template <Game G> struct CutRecord {
    Technique technique{};
    typename G::Position position;
    Value alpha = 0;
    Value beta = 0;
    Depth depth = 0;
    Depth shallow = 0;  ///< depth of the probe that decided
    int stage = 0;
    bool high = false;  ///< claims value >= beta; otherwise value <= alpha
};

template <Game G> struct Observer {
    bool wants_cuts = false;
    bool wants_gains = false;
    std::size_t capacity = 1'000'000;  ///< of each list; then nothing more is written
    std::vector<CutRecord<G>> cuts;
    std::vector<GainSample> gains;

    void add(const CutRecord<G>& c) {
        if (wants_cuts && cuts.size() < capacity) cuts.push_back(c);
    }
    void add(const GainSample& g) {
        if (wants_gains && gains.size() < capacity) gains.push_back(g);
    }
};

}  // namespace karikomi
