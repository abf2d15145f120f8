/// The evidence: what was promised, what was measured, and whether the one keeps the other.
#pragma once

#include "karikomi/lab/ablation.hpp"

namespace karikomi::lab {

/// A promise and what became of it.
struct Bar {
    std::string name;
    std::string technique;  ///< "" = the calibration as a whole
    double value = 0;
    double limit = 0;  ///< value must not be above it
    bool met = true;
    std::string detail;
};
Json to_json(const Bar& bar);

struct BarLimits {
    double overall_points = 2;  ///< coverage of all cells together
    double cell_points = 5;     ///< of every cell with so many samples
    std::int64_t cell_samples = 200;
};

/// Coverage near what the levels say, overall and in each cell that has enough samples.
std::vector<Bar> coverage_bars(const Coverage& coverage, const BarLimits& limits);
/// Cuts are wrong no more often than 1 - p.
std::vector<Bar> audit_bars(const std::vector<AuditRow>& rows);
/// Techniques that the game ships with bring the nodes (or cost no more time) that the source
/// documents promise. `settings` are those measured.
std::vector<Bar> ablation_bars(const std::vector<AblationRow>& rows, const SearchParams& shipped);

}  // namespace karikomi::lab
