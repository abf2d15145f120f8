#include "karikomi/lab/fit.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

constexpr std::int64_t kLeastForModel = 30;  ///< a smooth model bears noisier cells

/// Neither missing nor decisive.
bool is_known(Value v) {
    return v != kNoValue && !is_decisive(v);
}

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
            const auto samples = table.cell(stage, shallow, deep, SampleTable::Decided::Kept);
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

}  // namespace

SampleTable::SampleTable(int stages, Depth depth)
    : depth_(depth),
      game_of_(static_cast<std::size_t>(stages)),
      columns_(static_cast<std::size_t>(stages)) {
    for (auto& stage : columns_) stage.resize(static_cast<std::size_t>(depth) + 1);
}

void SampleTable::add(const Sample& sample) {
    // One stage alone means that nobody tells them apart.
    const int stage = stages() == 1 ? 0 : sample.stage;
    if (stage < 0 || stage >= stages()) return;
    auto& columns = columns_[static_cast<std::size_t>(stage)];
    for (Depth d = 0; d <= depth_; ++d) {
        columns[static_cast<std::size_t>(d)].push_back(sample.any_value(d));
    }
    const auto fresh = static_cast<std::int32_t>(games_);
    const std::int32_t game =
        sample.game == 0 ? fresh : game_numbers_.emplace(sample.game, fresh).first->second;
    if (game == fresh) ++games_;
    game_of_[static_cast<std::size_t>(stage)].push_back(game);
    ++positions_;
}

std::size_t SampleTable::pairs() const {
    std::size_t n = 0;
    for (const auto& columns : columns_) {
        for (std::size_t i = 0; i < columns[0].size(); ++i) {
            std::size_t known = 0;
            for (const auto& column : columns) known += is_known(column[i]) ? 1 : 0;
            n += known * (known > 0 ? known - 1 : 0) / 2;
        }
    }
    return n;
}

std::vector<PairSample> SampleTable::cell(int stage, Depth shallow, Depth deep,
                                          Decided decided) const {
    const auto& columns = columns_[static_cast<std::size_t>(stage)];
    const auto& games = game_of_[static_cast<std::size_t>(stage)];
    const auto& x = columns[static_cast<std::size_t>(shallow)];
    const auto& y = columns[static_cast<std::size_t>(deep)];
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<PairSample> out;
    out.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!is_known(x[i]) || y[i] == kNoValue) continue;
        double deep_value = y[i];
        if (is_decisive(y[i])) {
            if (decided == Decided::LeftOut) continue;
            deep_value = y[i] > 0 ? kFar : -kFar;
        }
        out.push_back({static_cast<double>(x[i]), deep_value, games[i]});
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
    if (o.law) fit.law = fit_laws(table, fit.calibration, o.threads);
    if (fit.law) {
        fit.calibration = Calibration(table.stages(), cells, model, evaluation, fit.law->laws);
    }
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
            {"decided", c.decided},
            {"coverage_sigma", c.coverage_sigma},
            {"skewness", c.skewness},
            {"kurtosis", c.kurtosis},
            {"normality", c.normality}};
}

Json to_json(const Fit& fit) {
    Json out = {
        {"cells", Json::array()}, {"own_cells", fit.own_cells}, {"model_cells", fit.model_cells}};
    for (const CellFit& c : fit.cells) out["cells"].push_back(to_json(c));
    out["law"] = fit.law ? to_json(*fit.law) : Json(nullptr);
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

}  // namespace karikomi::lab
