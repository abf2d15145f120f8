#include "karikomi/lab/error_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

/// What the reader of the code must know, one sentence a line.
std::vector<std::string> remarks(const ErrorTable& t) {
    const bool any = !t.cells.empty() && t.cells.front().stage == CalibrationCell::kAnyStage;
    return {fmt::format("Errors of shallow searches of {}, game {}.", t.evaluation, t.game),
            "value(deep) = a * value(shallow) + b + error; sigma is the error's width.",
            fmt::format("Values are in units of: {}. {} positions; samples 0: by the smooth model.",
                        t.unit, t.positions),
            any ? "Stage -1: for all stages of the game."
                : fmt::format("Stages 0..{} are the game's, as `karikomi analyze` shows them.",
                              t.stages - 1),
            fmt::format("Made by: {}", t.command)};
}

std::string header(const ErrorTable& t, std::string_view comment) {
    std::string out;
    for (std::string line : remarks(t)) {
        // A file's name may hold anything; a comment must not end early, nor late.
        for (char& c : line) {
            if (static_cast<unsigned char>(c) < ' ' || c == '\\') c = ' ';
        }
        out += fmt::format("{} {}\n", comment, line);
    }
    return out;
}

/// Always with a point, which Rust insists on.
std::string number(double x) {
    std::string out = fmt::format("{:.6g}", x);
    if (out.find_first_of(".en") == std::string::npos) out += ".0";
    return out;
}

/// One line a cell; `form` has seven places.
std::string lines(const ErrorTable& t, fmt::string_view form) {
    std::string out;
    for (const CalibrationCell& c : t.cells) {
        out += fmt::format(fmt::runtime(form), c.stage, c.shallow, c.deep, number(c.fit.a),
                           number(c.fit.b), number(c.fit.sigma), c.samples);
    }
    return out;
}

std::string as_hpp(const ErrorTable& t) {
    return header(t, "//") +
           "#pragma once\n\nnamespace search_error {\n\n"
           "struct Cell {\n    int stage, shallow, deep;\n    double a, b, sigma;\n"
           "    long samples;\n};\n\n"
           "inline constexpr Cell kCells[] = {\n" +
           lines(t, "    {{{}, {}, {}, {}, {}, {}, {}}},\n") +
           "};\n\n}  // namespace search_error\n";
}

std::string as_rust(const ErrorTable& t) {
    return header(t, "//") +
           "\n#[derive(Clone, Copy, Debug)]\npub struct Cell {\n    pub stage: i32,\n"
           "    pub shallow: i32,\n    pub deep: i32,\n    pub a: f64,\n    pub b: f64,\n"
           "    pub sigma: f64,\n    pub samples: u64,\n}\n\n" +
           fmt::format("pub const CELLS: [Cell; {}] = [\n", t.cells.size()) +
           lines(t,
                 "    Cell {{ stage: {}, shallow: {}, deep: {}, a: {}, b: {}, sigma: {}, samples: "
                 "{} }},\n") +
           "];\n";
}

std::string as_csharp(const ErrorTable& t) {
    return header(t, "//") +
           "public static class SearchError\n{\n"
           "    public readonly record struct Cell(\n"
           "        int Stage, int Shallow, int Deep, double A, double B, double Sigma, long "
           "Samples);\n\n"
           "    public static readonly Cell[] Cells =\n    {\n" +
           lines(t, "        new({}, {}, {}, {}, {}, {}, {}),\n") + "    };\n}\n";
}

std::string as_typescript(const ErrorTable& t) {
    return header(t, "//") +
           "export interface Cell {\n  stage: number; shallow: number; deep: number;\n"
           "  a: number; b: number; sigma: number; samples: number;\n}\n\n"
           "export const cells: readonly Cell[] = [\n" +
           lines(t,
                 "  {{ stage: {}, shallow: {}, deep: {}, a: {}, b: {}, sigma: {}, samples: {} "
                 "}},\n") +
           "];\n";
}

std::string as_csv(const ErrorTable& t) {
    return header(t, "#") + "stage,shallow,deep,a,b,sigma,samples\n" +
           lines(t, "{},{},{},{},{},{},{}\n");
}

std::string as_json(const ErrorTable& t) {
    Json cells = Json::array();
    for (const CalibrationCell& c : t.cells) {
        cells.push_back({{"stage", c.stage},
                         {"shallow", c.shallow},
                         {"deep", c.deep},
                         {"a", c.fit.a},
                         {"b", c.fit.b},
                         {"sigma", c.fit.sigma},
                         {"samples", c.samples}});
    }
    const Json out = {
        {"evaluation", t.evaluation}, {"game", t.game},           {"unit", t.unit},
        {"stages", t.stages},         {"positions", t.positions}, {"command", t.command},
        {"cells", std::move(cells)}};
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct Form {
    const char* name;
    std::string (*write)(const ErrorTable&);
};
constexpr Form kForms[] = {{"hpp", as_hpp},   {"json", as_json},     {"csv", as_csv},
                           {"rust", as_rust}, {"csharp", as_csharp}, {"typescript", as_typescript}};

}  // namespace

std::vector<CalibrationCell> all_cells(const Calibration& c, int stages, Depth deepest) {
    std::vector<CalibrationCell> out;
    const auto general = [](const CalibrationCell& cell) {
        return cell.stage == CalibrationCell::kAnyStage;
    };
    const bool any = !c.cells().empty() && std::all_of(c.cells().begin(), c.cells().end(), general);
    for (int stage = 0; stage < (any ? 1 : stages); ++stage) {
        for (Depth deep = 1; deep <= deepest; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                CalibrationCell cell{
                    any ? CalibrationCell::kAnyStage : stage, shallow, deep, {}, 0};
                const auto known =
                    std::find_if(c.cells().begin(), c.cells().end(), [&](const CalibrationCell& k) {
                        return k.stage == cell.stage && k.shallow == shallow && k.deep == deep;
                    });
                if (known != c.cells().end()) {
                    cell = *known;
                } else if (const Regression* r = c.model(stage, shallow, deep)) {
                    cell.fit = *r;
                } else {
                    continue;
                }
                out.push_back(cell);
            }
        }
    }
    return out;
}

const std::vector<std::string>& table_forms() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const Form& f : kForms) names.emplace_back(f.name);
        return names;
    }();
    return kNames;
}

Expected<std::string> table_text(const ErrorTable& table, const std::string& form) {
    for (const Form& f : kForms) {
        if (form == f.name) return f.write(table);
    }
    return Error{fmt::format("--as: '{}' is unknown", form),
                 fmt::format("use one of {}", fmt::join(table_forms(), ", "))};
}

}  // namespace karikomi::lab
