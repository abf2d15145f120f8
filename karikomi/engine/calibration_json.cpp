#include "karikomi/engine/calibration_json.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"

namespace karikomi {
namespace {

std::string shown(const Json& j) {
    const std::string text = j.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

Error in_calibration(const std::string& where, const std::string& what) {
    return Error{fmt::format("calibration{}: {}", where, what), "refit, or correct the file"};
}

bool is_depth(const Json& j) {
    return j.is_number_integer() && j.get<double>() >= 0 && j.get<double>() < Calibration::kDepths;
}

/// A cell is [stage or -1, shallow, deep, a, b, sigma, samples].
Expected<CalibrationCell> read_cell(const Json& j, const std::string& where, int stages) {
    if (!j.is_array() || j.size() != 7) return in_calibration(where, "not a list of 7 numbers");
    for (const Json& x : j) {
        if (!x.is_number()) return in_calibration(where, shown(x) + " is not a number");
    }
    CalibrationCell c;
    if (!j[0].is_number_integer() || j[0].get<double>() < -1 || j[0].get<double>() >= stages) {
        return in_calibration(where,
                              fmt::format("stage {} outside -1..{}", shown(j[0]), stages - 1));
    }
    if (!is_depth(j[1]) || !is_depth(j[2]) || j[1].get<int>() >= j[2].get<int>()) {
        return in_calibration(where, "depths must be whole, shallow < deep < 64");
    }
    c.stage = j[0].get<int>();
    c.shallow = j[1].get<int>();
    c.deep = j[2].get<int>();
    c.fit = {j[3].get<double>(), j[4].get<double>(), j[5].get<double>()};
    c.samples = j[6].get<std::int64_t>();
    if (!(c.fit.a >= 0.05 && c.fit.a <= 20)) return in_calibration(where, "slope outside 0.05..20");
    if (!(c.fit.sigma >= 0 && std::abs(c.fit.b) < kDecisive)) {
        return in_calibration(where, "sigma below 0, or b beyond all values");
    }
    return c;
}

Expected<CalibrationModel> read_model(const Json& j) {
    CalibrationModel m;
    const auto read = [&](const char* name, auto& to) {
        const auto it = j.find(name);
        if (it == j.end() || !it->is_array() || it->size() < CalibrationModel::kFewestTerms ||
            it->size() > to.size()) {
            return false;
        }
        to.fill(0);
        for (std::size_t i = 0; i < it->size(); ++i) {
            if (!(*it)[i].is_number() || std::abs((*it)[i].template get<double>()) > 1e6)
                return false;
            to[i] = (*it)[i].template get<double>();
        }
        return true;
    };
    const bool good =
        j.is_object() && read("a", m.a) && read("b", m.b) && read("log_sigma", m.log_sigma);
    if (!good)
        return in_calibration(".model", "needs a, b and log_sigma with 7 to 13 numbers each");
    const auto deep = j.find("max_deep");
    if (deep == j.end() || !is_depth(*deep)) {
        return in_calibration(".model.max_deep", "needs the deepest depth fitted, below 64");
    }
    m.max_deep = deep->get<int>();
    return m;
}

bool read_law_terms(const Json& j, const char* name, LawTerms& to) {
    const auto it = j.find(name);
    if (it == j.end() || !it->is_array() || it->size() > to.size()) return false;
    to.fill(0);
    for (std::size_t i = 0; i < it->size(); ++i) {
        if (!(*it)[i].is_number() || !(std::abs((*it)[i].get<double>()) <= 1e6)) return false;
        to[i] = (*it)[i].get<double>();
    }
    return true;
}

Expected<ErrorLaw> read_law(const Json& document, const std::string& name) {
    const std::string where = ".law." + name;
    const auto it = document.find(name);
    if (it == document.end() || !it->is_object()) return in_calibration(where, "not an object");
    ErrorLaw law;
    if (!read_law_terms(*it, "middle", law.middle)) {
        return in_calibration(where, "needs middle, a list of at most 8 numbers");
    }
    for (const char* side : {"high", "low"}) {
        const auto j = it->find(side);
        SideLaw& to = std::string_view(side) == "high" ? law.high : law.low;
        const bool good = j != it->end() && j->is_object() &&
                          read_law_terms(*j, "scale", to.log_scale) &&
                          read_law_terms(*j, "weight", to.log_weight) &&
                          read_law_terms(*j, "decided", to.decided) && j->contains("tail");
        if (!good) {
            return in_calibration(fmt::format("{}.{}", where, side),
                                  "needs tail, and scale, weight and decided with at most 8 "
                                  "numbers each");
        }
        const Json& tail = j->at("tail");
        const auto form = std::find(kTailForms.begin(), kTailForms.end(),
                                    tail.is_string() ? tail.get<std::string>() : std::string());
        if (form == kTailForms.end()) {
            return in_calibration(
                fmt::format("{}.{}.tail", where, side),
                fmt::format("{} is none of {}", shown(tail), fmt::join(kTailForms, ", ")));
        }
        to.form = static_cast<TailForm>(form - kTailForms.begin());
    }
    return law;
}

Expected<ErrorLaws> read_laws(const Json& j) {
    if (!j.is_object()) return in_calibration(".law", "not an object");
    auto cells = read_law(j, "cells");
    if (!cells) return cells.error();
    auto model = read_law(j, "model");
    if (!model) return model.error();
    return ErrorLaws{*cells, *model};
}

}  // namespace

Expected<Calibration> read_calibration(const Json& j, const GameInfo& game) {
    if (j == "probcut")
        return Calibration(game.stages, probcut_starting_cells(), {}, game.evaluation);
    if (j == "multi_probcut") {
        return Calibration(game.stages, multi_probcut_starting_cells(game.stages), {},
                           game.evaluation);
    }
    if (!j.is_object()) {
        return in_calibration("", shown(j) +
                                      " is not an object, nor \"probcut\" or \"multi_probcut\" "
                                      "for the source's starting values");
    }
    for (const auto& [key, value] : j.items()) {
        if (key != "cells" && key != "model" && key != "law")
            return in_calibration("." + key, "unknown key");
    }
    std::vector<CalibrationCell> cells;
    if (const auto it = j.find("cells"); it != j.end()) {
        if (!it->is_array()) return in_calibration(".cells", "not a list");
        for (std::size_t i = 0; i < it->size(); ++i) {
            auto cell = read_cell((*it)[i], fmt::format(".cells[{}]", i), game.stages);
            if (!cell) return cell.error();
            cells.push_back(*cell);
        }
    }
    std::optional<CalibrationModel> model;
    if (const auto it = j.find("model"); it != j.end()) {
        auto m = read_model(*it);
        if (!m) return m.error();
        model = *m;
    }
    std::optional<ErrorLaws> laws;
    if (const auto it = j.find("law"); it != j.end()) {
        auto read = read_laws(*it);
        if (!read) return read.error();
        laws = *read;
    }
    return Calibration(game.stages, std::move(cells), model, game.evaluation, laws);
}

namespace {

/// Terms that a model does not use are left out at the end of the list.
Json write_terms(const std::array<double, CalibrationModel::kTerms>& terms) {
    std::size_t size = terms.size();
    while (size > CalibrationModel::kFewestTerms && terms[size - 1] == 0) --size;
    return Json(std::vector<double>(terms.begin(), terms.begin() + static_cast<long>(size)));
}

Json write_law(const ErrorLaw& law) {
    const auto terms = [](const LawTerms& all) {
        std::size_t size = all.size();
        while (size > 1 && all[size - 1] == 0) --size;
        return Json(std::vector<double>(all.begin(), all.begin() + static_cast<long>(size)));
    };
    const auto side = [&](const SideLaw& s) {
        return Json{{"tail", kTailForms[static_cast<std::size_t>(s.form)]},
                    {"scale", terms(s.log_scale)},
                    {"weight", terms(s.log_weight)},
                    {"decided", terms(s.decided)}};
    };
    return {{"middle", terms(law.middle)}, {"high", side(law.high)}, {"low", side(law.low)}};
}

}  // namespace

Json write_calibration(const Calibration& c) {
    Json out = Json::object();
    out["cells"] = Json::array();
    for (const CalibrationCell& cell : c.cells()) {
        out["cells"].push_back({cell.stage, cell.shallow, cell.deep, cell.fit.a, cell.fit.b,
                                cell.fit.sigma, cell.samples});
    }
    if (const auto& m = c.smooth_model()) {
        out["model"] = {{"a", write_terms(m->a)},
                        {"b", write_terms(m->b)},
                        {"log_sigma", write_terms(m->log_sigma)},
                        {"max_deep", m->max_deep}};
    }
    if (const auto& laws = c.laws()) {
        out["law"] = {{"cells", write_law(laws->cells)}, {"model", write_law(laws->model)}};
    }
    return out;
}

}  // namespace karikomi
