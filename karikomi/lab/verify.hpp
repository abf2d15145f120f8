/// The evidence: what was promised, what was measured, and whether the one keeps the other.
#pragma once

#include "karikomi/lab/audit.hpp"

namespace karikomi::lab {

/// A promise and what became of it.
struct Bar {
    std::string name;
    std::string technique;  ///< "" = the calibration as a whole
    double value = 0;
    double limit = 0;  ///< value must not be above it
    double least = 0;  ///< ... nor below this
    bool met = true;
    std::string detail;
};
Json to_json(const Bar& bar);

/// A side's errors are as many as promised when they are so many times the promise, or when the
/// interval of their share contains it.
struct BarLimits {
    double least_ratio = 0.7;
    double most_ratio = 1.3;
    std::int64_t cell_samples = 200;  ///< of cells that are judged alone
    /// Share of them that may miss: by luck alone an interval of 95 % misses one time in twenty.
    double missing_cells = 0.10;
};
bool keeps_promise(const Share& share, double allowed, const BarLimits& limits);
/// Cells with enough samples, and those of them where a side does not keep the level's promise.
struct CellVerdict {
    int judged = 0;
    int missed = 0;
    const CellCoverage* worst = nullptr;  ///< by the larger ratio, among those that missed
};
CellVerdict judge_cells(const Coverage& coverage, std::size_t level, const BarLimits& limits);

/// Each side's errors as often as the levels say, over all cells and in most of them.
std::vector<Bar> coverage_bars(const Coverage& coverage, const BarLimits& limits);
/// The same of the pairs that the techniques probe, at the confidence that they use.
std::vector<Bar> probed_bars(const Coverage& coverage, const BarLimits& limits);
/// Cuts are wrong no more often than 1 - p.
std::vector<Bar> audit_bars(const std::vector<AuditRow>& rows);
/// ... in the shipped search, where a technique promises a p.
std::vector<Bar> audit_bars(const std::vector<ShippedAuditRow>& rows);
/// Techniques that the game ships with bring the nodes (or cost no more time) that the source
/// documents promise. `settings` are those measured.
std::vector<Bar> ablation_bars(const std::vector<AblationRow>& rows, const SearchParams& shipped);

}  // namespace karikomi::lab
