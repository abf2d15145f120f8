#include "karikomi/lab/fit.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

constexpr std::int64_t kLeastForModel = 30;  ///< a smooth model bears noisier cells

double rounded(double x) {
    return std::round(x * 1e4) / 1e4;
}

struct CellName {
    int stage;
    Depth shallow;
    Depth deep;
};

std::vector<CellName> cells_of(const SampleTable& table, const FitOptions& o) {
    std::vector<CellName> out;
    const Depth last = o.max_deep > 0 ? std::min(o.max_deep, table.depth()) : table.depth();
    for (int stage = 0; stage < table.stages(); ++stage) {
        for (Depth deep = o.known_up_to + 1; deep <= last; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                out.push_back({stage, shallow, deep});
            }
        }
    }
    return out;
}

std::vector<CellFit> fit_cells(const SampleTable& table, const FitOptions& o) {
    const std::vector<CellName> names = cells_of(table, o);
    std::vector<CellFit> fits(names.size());
    std::atomic<std::size_t> next{0};
    run_crew(o.threads, [&](int) {
        for (std::size_t i = next++; i < names.size(); i = next++) {
            const auto& [stage, shallow, deep] = names[i];
            const auto samples = table.cell(stage, shallow, deep);
            if (samples.size() >= 3) fits[i] = fit_cell(samples);
            fits[i].stage = stage, fits[i].shallow = shallow, fits[i].deep = deep;
            use_sigma(fits[i], o.sigma);
        }
    });
    std::erase_if(fits, [](const CellFit& f) { return f.samples < 3; });
    return fits;
}

CalibrationCell own_cell(const CellFit& f) {
    const Regression r{rounded(f.fit.a), rounded(f.fit.b), rounded(f.fit.sigma)};
    return {f.stage, f.shallow, f.deep, r, f.samples};
}

/// As a parameter file takes it: a slope near zero says nothing.
bool is_usable(const CellFit& f) {
    return f.fit.a >= 0.05 && f.fit.a <= 20 && std::abs(f.fit.b) < kDecisive;
}

bool has_cell(const std::vector<CalibrationCell>& cells, const CellName& name) {
    return std::any_of(cells.begin(), cells.end(), [&](const CalibrationCell& c) {
        return c.stage == name.stage && c.shallow == name.shallow && c.deep == name.deep;
    });
}

void count(CellCoverage& to, const std::vector<PairSample>& samples, const Regression& r) {
    to.samples += static_cast<std::int64_t>(samples.size());
    for (const PairSample& s : samples) {
        const double error = s.deep - r.a * s.shallow - r.b;
        for (std::size_t i = 0; i < kLevels.size(); ++i) {
            if (error > kLevels[i].z * r.sigma) ++to.tails[i].above;
            if (error < -kLevels[i].z * r.sigma) ++to.tails[i].below;
        }
    }
}

}  // namespace

SampleTable::SampleTable(int stages, Depth depth)
    : depth_(depth), columns_(static_cast<std::size_t>(stages)) {
    for (auto& stage : columns_) stage.resize(static_cast<std::size_t>(depth) + 1);
}

void SampleTable::add(const Sample& sample) {
    // One stage alone means that nobody tells them apart.
    const int stage = stages() == 1 ? 0 : sample.stage;
    if (stage < 0 || stage >= stages()) return;
    auto& columns = columns_[static_cast<std::size_t>(stage)];
    for (Depth d = 0; d <= depth_; ++d) {
        columns[static_cast<std::size_t>(d)].push_back(sample.value(d));
    }
    ++positions_;
}

std::size_t SampleTable::pairs() const {
    std::size_t n = 0;
    for (const auto& columns : columns_) {
        for (std::size_t i = 0; i < columns[0].size(); ++i) {
            std::size_t known = 0;
            for (const auto& column : columns) known += column[i] != kNoValue ? 1 : 0;
            n += known * (known > 0 ? known - 1 : 0) / 2;
        }
    }
    return n;
}

std::vector<PairSample> SampleTable::cell(int stage, Depth shallow, Depth deep) const {
    const auto& columns = columns_[static_cast<std::size_t>(stage)];
    const auto& x = columns[static_cast<std::size_t>(shallow)];
    const auto& y = columns[static_cast<std::size_t>(deep)];
    std::vector<PairSample> out;
    out.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] == kNoValue || y[i] == kNoValue) continue;
        out.push_back({static_cast<double>(x[i]), static_cast<double>(y[i])});
    }
    return out;
}

TableParts load_samples(const SampleStore& store, int stages, int held_out_percent) {
    const Depth depth = store.conditions().at("depth").get<Depth>();
    TableParts parts{SampleTable(stages, depth), SampleTable(stages, depth)};
    store.for_each(held_out_percent, [&](const Sample& s, bool held_out) {
        (held_out ? parts.held_out : parts.fitted).add(s);
    });
    return parts;
}

Fit fit_samples(const SampleTable& table, const FitOptions& o, const std::string& evaluation) {
    Fit fit;
    fit.cells = fit_cells(table, o);
    std::vector<CellFit> for_model;
    for (const CalibrationCell& c : o.known) {
        CellFit f;
        f.stage = c.stage, f.shallow = c.shallow, f.deep = c.deep;
        f.fit = c.fit, f.samples = c.samples;
        for_model.push_back(f);
    }
    for (const CellFit& f : fit.cells) {
        // Where both searches see the end there is no error, and nothing for a model to learn.
        const bool solved = f.fit.sigma < 1;
        if (f.samples >= kLeastForModel && is_usable(f) && !solved) for_model.push_back(f);
    }
    std::vector<CalibrationCell> cells = o.known;
    for (const CellFit& f : fit.cells) {
        if (f.samples < o.least || !is_usable(f)) continue;
        cells.push_back(own_cell(f));
        ++fit.own_cells;
    }
    std::optional<CalibrationModel> model;
    if (!for_model.empty()) {
        fit.choice = choose_model(for_model, table.stages());
        model = fit.choice->model;
    }
    for (int stage = 0; model && stage < table.stages(); ++stage) {
        const double share =
            table.stages() > 1 ? static_cast<double>(stage) / (table.stages() - 1) : 0.0;
        for (const auto& [shallow, deep] : o.wanted) {
            if (deep > model->max_deep || has_cell(cells, {stage, shallow, deep})) continue;
            const auto samples = table.cell(stage, shallow, deep).size();
            if (samples == 0) continue;  // nobody gets there, or no basis at all
            CellFit f;
            f.stage = stage, f.shallow = shallow, f.deep = deep;
            f.fit = model->at(share, shallow, deep);
            f.samples = static_cast<std::int64_t>(samples);
            cells.push_back(own_cell(f));
            ++fit.model_cells;
        }
    }
    fit.calibration = Calibration(table.stages(), cells, model, evaluation);
    return fit;
}

Json to_json(const CellFit& c) {
    const auto line = [](const Regression& r) {
        return Json{{"a", r.a}, {"b", r.b}, {"sigma", r.sigma}};
    };
    return {{"stage", c.stage},
            {"shallow", c.shallow},
            {"deep", c.deep},
            {"samples", c.samples},
            {"fit", line(c.fit)},
            {"error", line(c.error)},
            {"r2", c.r2},
            {"robust", line(c.robust)},
            {"outliers", c.outliers},
            {"coverage_sigma", c.coverage_sigma},
            {"skewness", c.skewness},
            {"kurtosis", c.kurtosis},
            {"normality", c.normality}};
}

Json to_json(const Fit& fit) {
    Json out = {
        {"cells", Json::array()}, {"own_cells", fit.own_cells}, {"model_cells", fit.model_cells}};
    for (const CellFit& c : fit.cells) out["cells"].push_back(to_json(c));
    if (!fit.choice) return out;
    const auto tried = [](const CrossValidation& c) {
        return Json{{"terms", c.terms},
                    {"cells", c.cells},
                    {"error_ratio", c.error_ratio},
                    {"log_sigma_error", c.log_sigma_error}};
    };
    out["cross_validation"] = tried(fit.choice->best);
    out["models_tried"] = Json::array();
    for (const CrossValidation& c : fit.choice->tried) out["models_tried"].push_back(tried(c));
    return out;
}

// ---- Coverage -----------------------------------------------------------------------------------

Coverage measure_coverage(const SampleTable& held_out, const Calibration& calibration) {
    Coverage out;
    for (int stage = 0; stage < held_out.stages(); ++stage) {
        for (Depth deep = 1; deep <= held_out.depth(); ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const Regression* own = calibration.cell(stage, shallow, deep);
                const Regression* model = calibration.model(stage, shallow, deep);
                if (own == nullptr && model == nullptr) continue;
                const auto samples = held_out.cell(stage, shallow, deep);
                if (samples.empty()) continue;
                CellCoverage cell{stage, shallow, deep, 0, own == nullptr, {}};
                count(cell, samples, own != nullptr ? *own : *model);
                count(out.all, samples, own != nullptr ? *own : *model);
                if (own != nullptr) count(out.cell_fits, samples, *own);
                if (model != nullptr) count(out.model, samples, *model);
                out.cells.push_back(cell);
            }
        }
    }
    return out;
}

Share share_of(std::int64_t count, std::int64_t of) {
    if (of <= 0) return {};
    constexpr double kZ = 1.96;
    const auto n = static_cast<double>(of);
    const double p = static_cast<double>(count) / n;
    const double middle = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
    const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n)) / (1 + kZ * kZ / n);
    return {p, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

double excess_points(const CellCoverage& c, std::size_t level) {
    if (c.samples == 0) return 0;
    const auto beyond = static_cast<double>(c.tails[level].above + c.tails[level].below) / 2;
    return 100 * (beyond / static_cast<double>(c.samples) - (1 - kLevels[level].p));
}

Json to_json(const CellCoverage& c) {
    Json levels = Json::array();
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const Share above = share_of(c.tails[i].above, c.samples);
        const Share below = share_of(c.tails[i].below, c.samples);
        levels.push_back({{"level", kLevels[i].percent},
                          {"allowed", 1 - kLevels[i].p},
                          {"above", above.value},
                          {"above_low", above.low},
                          {"above_high", above.high},
                          {"below", below.value},
                          {"below_low", below.low},
                          {"below_high", below.high},
                          {"excess_points", excess_points(c, i)}});
    }
    return {{"stage", c.stage},     {"shallow", c.shallow},       {"deep", c.deep},
            {"samples", c.samples}, {"from_model", c.from_model}, {"levels", levels}};
}

Json to_json(const Coverage& coverage) {
    Json cells = Json::array();
    for (const CellCoverage& c : coverage.cells) cells.push_back(to_json(c));
    return {{"all", to_json(coverage.all)},
            {"own_cells", to_json(coverage.cell_fits)},
            {"model", to_json(coverage.model)},
            {"cells", cells}};
}

}  // namespace karikomi::lab
