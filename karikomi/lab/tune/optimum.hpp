/// Where the best values may be, by all the games of an SPSA run.
#pragma once

#include <span>
#include <vector>

#include "karikomi/lab/tune/spsa.hpp"

namespace karikomi::tune {

struct Range {
    double low = 0;
    double high = 0;
};

/// For each parameter the 90 % interval of its optimum. The path alone cannot give it: a path that
/// has not moved yet looks as steady as one that has arrived. So strength in Elo is fitted as a
/// parabola of each parameter to all outcomes, and the interval holds the values at which the
/// fitted slope cannot be told from level (Fieller 1954). What the games do not tell reaches to the
/// end of the parameter's range. `centre` is a point well inside the data.
std::vector<Range> optimum_ranges(const SpsaOptions& options,
                                  std::span<const Spsa::Outcome> outcomes,
                                  std::span<const double> centre);

}  // namespace karikomi::tune
