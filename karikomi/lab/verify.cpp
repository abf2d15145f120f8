#include "karikomi/lab/verify.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

/// What the design pages promise of each technique (techniques.md, "to beat").
struct Promise {
    Technique technique;
    double node_ratio;  ///< at most; against the shipped search without it
    double time_ratio;  ///< at most
};
constexpr double kNoPromise = 1e9;
constexpr Promise kPromises[] = {
    {kTechnique<MultiProbCut>, 0.50, kNoPromise}, {kTechnique<ProbCut>, 0.90, kNoPromise},
    {kTechnique<Futility>, 1.00, kNoPromise},     {kTechnique<Iid>, 0.95, kNoPromise},
    {kTechnique<Singular>, kNoPromise, 1.15},     {kTechnique<NullMove>, 1.00, kNoPromise},
    {kTechnique<LateMoves>, 1.00, kNoPromise},
};

Bar make_bar(std::string name, std::string technique, double value, double limit,
             std::string detail) {
    return {std::move(name), std::move(technique), value, limit, value <= limit, std::move(detail)};
}

}  // namespace

Json to_json(const Bar& b) {
    return {
        {"bar", b.name},    {"technique", b.technique.empty() ? Json(nullptr) : Json(b.technique)},
        {"value", b.value}, {"limit", b.limit},
        {"met", b.met},     {"detail", b.detail}};
}

std::vector<Bar> coverage_bars(const Coverage& coverage, const BarLimits& limits) {
    std::vector<Bar> bars;
    if (coverage.all.samples == 0) return bars;
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        bars.push_back(
            make_bar(fmt::format("coverage at {} %, overall, points", kLevels[i].percent), "",
                     std::abs(excess_points(coverage.all, i)), limits.overall_points,
                     fmt::format("{} samples", coverage.all.samples)));
    }
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const CellCoverage* worst = nullptr;
        int judged = 0, missed = 0;
        for (const CellCoverage& c : coverage.cells) {
            if (c.samples < limits.cell_samples) continue;
            ++judged;
            const double miss = std::abs(excess_points(c, i));
            missed += miss > limits.cell_points ? 1 : 0;
            if (worst == nullptr || miss > std::abs(excess_points(*worst, i))) worst = &c;
        }
        if (worst == nullptr) continue;
        bars.push_back(
            make_bar(fmt::format("coverage at {} %, worst cell, points", kLevels[i].percent), "",
                     std::abs(excess_points(*worst, i)), limits.cell_points,
                     fmt::format("stage {} ({}, {}), {} samples; {} of {} cells miss", worst->stage,
                                 worst->shallow, worst->deep, worst->samples, missed, judged)));
    }
    return bars;
}

std::vector<Bar> audit_bars(const std::vector<AuditRow>& rows) {
    std::vector<Bar> bars;
    for (const AuditRow& row : rows) {
        const Share share = share_of(row.all.wrong, row.all.cuts);
        bars.push_back(make_bar("wrong cuts, " + row.name, row.technique, share.value, row.allowed,
                                fmt::format("{} of {} cuts checked", row.all.wrong, row.all.cuts)));
    }
    return bars;
}

std::vector<Bar> ablation_bars(const std::vector<AblationRow>& rows, const SearchParams& shipped) {
    std::vector<Bar> bars;
    for (const Promise& p : kPromises) {
        if (!shipped.selective.enabled(p.technique)) continue;
        const std::string name(name_of(p.technique));
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const AblationRow& r) {
            return r.name == "shipped without " + name;
        });
        if (row == rows.end()) continue;
        // The row is the search without it, so its ratios are turned round.
        if (p.node_ratio < kNoPromise) {
            bars.push_back(make_bar("nodes with / without " + name, name,
                                    1 / std::max(row->node_ratio, 1e-9), p.node_ratio,
                                    "fixed depth, everything else as shipped"));
        }
        if (p.time_ratio < kNoPromise) {
            bars.push_back(make_bar("time with / without " + name, name,
                                    1 / std::max(row->time_ratio, 1e-9), p.time_ratio,
                                    "fixed depth, everything else as shipped"));
        }
    }
    return bars;
}

}  // namespace karikomi::lab
