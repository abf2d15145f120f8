/// The simplest horizon: a leaf is worth its static value.
#pragma once

#include "karikomi/core/types.hpp"

namespace karikomi {

struct StaticHorizon {
    template <class W>
    static Value search(W& worker, Value /*alpha*/, Value /*beta*/, int /*ply*/) {
        return worker.evaluate();
    }
};

}  // namespace karikomi
