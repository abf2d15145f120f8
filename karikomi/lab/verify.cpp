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
    return {std::move(name), std::move(technique), value, limit, 0,
            value <= limit,  std::move(detail)};
}

}  // namespace

Json to_json(const Bar& b) {
    return {
        {"bar", b.name},     {"technique", b.technique.empty() ? Json(nullptr) : Json(b.technique)},
        {"value", b.value},  {"limit", b.limit},
        {"least", b.least},  {"met", b.met},
        {"detail", b.detail}};
}

bool keeps_promise(const Share& share, double allowed, const BarLimits& limits) {
    const double ratio = share.value / allowed;
    return (ratio >= limits.least_ratio && ratio <= limits.most_ratio) ||
           (share.low <= allowed && allowed <= share.high);
}

CellVerdict judge_cells(const Coverage& coverage, std::size_t level, const BarLimits& limits) {
    CellVerdict out;
    double worst = 0;
    const double allowed = 1 - kLevels[level].p;
    for (const CellCoverage& c : coverage.cells) {
        if (c.samples < limits.cell_samples) continue;
        ++out.judged;
        const auto& [above, below] = c.shares[level];
        if (keeps_promise(above, allowed, limits) && keeps_promise(below, allowed, limits)) {
            continue;
        }
        ++out.missed;
        const double ratio = std::max(above.value, below.value) / allowed;
        if (out.worst == nullptr || ratio > worst) out.worst = &c, worst = ratio;
    }
    return out;
}

std::vector<Bar> coverage_bars(const Coverage& coverage, const BarLimits& limits) {
    std::vector<Bar> bars;
    if (coverage.all.samples == 0) return bars;
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const double allowed = 1 - kLevels[i].p;
        for (const bool high : {true, false}) {
            const Share& share = high ? coverage.all.shares[i].above : coverage.all.shares[i].below;
            Bar bar;
            bar.name = fmt::format("errors at {} %, {} side, times the promise", kLevels[i].percent,
                                   high ? "high" : "low");
            bar.value = share.value / allowed;
            bar.least = limits.least_ratio;
            bar.limit = limits.most_ratio;
            bar.met = keeps_promise(share, allowed, limits);
            bar.detail = fmt::format("{:.2f} % [{:.2f}, {:.2f}] of {} samples, {} games",
                                     100 * share.value, 100 * share.low, 100 * share.high,
                                     coverage.all.samples, coverage.all.games);
            bars.push_back(std::move(bar));
        }
    }
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const CellVerdict v = judge_cells(coverage, i, limits);
        if (v.judged == 0) continue;
        std::string detail = fmt::format("{} of {} cells", v.missed, v.judged);
        if (v.worst != nullptr) {
            const auto& [above, below] = v.worst->shares[i];
            detail += fmt::format(", worst: stage {} ({}, {}), {:.1f} % high, {:.1f} % low",
                                  v.worst->stage, v.worst->shallow, v.worst->deep,
                                  100 * above.value, 100 * below.value);
        }
        bars.push_back(
            make_bar(fmt::format("errors at {} %, share of cells that miss", kLevels[i].percent),
                     "", static_cast<double>(v.missed) / v.judged, limits.missing_cells, detail));
    }
    return bars;
}

std::vector<Bar> probed_bars(const Coverage& coverage, const BarLimits& limits) {
    std::vector<Bar> bars;
    for (const ProbedCoverage& p : coverage.probed) {
        if (!p.enabled) continue;
        const double allowed = 0.5 * std::erfc(p.t / std::sqrt(2.0));
        for (const bool high_cut : {true, false}) {
            if (p.high_cuts_only && !high_cut) continue;
            // A high cut errs where the deep value is lower than promised.
            const Share& share = high_cut ? p.all.used.below : p.all.used.above;
            const Tail& tail = p.all.used_tail;
            Bar bar;
            bar.name = fmt::format("errors of {}'s pairs at its t = {:.3f}, {} cuts", p.name, p.t,
                                   high_cut ? "high" : "low");
            bar.technique = name_of(p.technique);
            bar.value = share.value / allowed;
            bar.least = limits.least_ratio;
            bar.limit = limits.most_ratio;
            bar.met = keeps_promise(share, allowed, limits);
            bar.detail = fmt::format("{:.2f} % [{:.2f}, {:.2f}] of {} samples, {:.2f} % promised",
                                     100 * share.value, 100 * share.low, 100 * share.high,
                                     high_cut ? tail.of_below : tail.of_above, 100 * allowed);
            bars.push_back(std::move(bar));
        }
    }
    return bars;
}

std::vector<Bar> audit_bars(const std::vector<ShippedAuditRow>& rows) {
    std::vector<Bar> bars;
    for (const ShippedAuditRow& row : rows) {
        if (!row.allowed || row.checked == 0) continue;
        bars.push_back(make_bar("wrong cuts in the shipped search", row.technique, row.share.value,
                                *row.allowed, fmt::format("{} cuts checked", row.checked)));
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
        const auto add = [&](const char* what, const Ratio& r, double limit) {
            const auto turned = [](double x) { return 1 / std::max(x, 1e-9); };
            bars.push_back(make_bar(fmt::format("{} with / without {}", what, name), name,
                                    turned(r.mean), limit,
                                    fmt::format("[{:.3f}, {:.3f}], fixed depth, everything else as "
                                                "shipped",
                                                turned(r.high), turned(r.low))));
        };
        if (p.node_ratio < kNoPromise) add("nodes", row->nodes, p.node_ratio);
        if (p.time_ratio < kNoPromise) add("time", row->time, p.time_ratio);
    }
    return bars;
}

}  // namespace karikomi::lab
