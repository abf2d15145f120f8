/// karikomi lab fit: samples become a calibration and a parameter file.
#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/error_table.hpp"
#include "karikomi/lab/fit.hpp"
#include "karikomi/lab/subject.hpp"

namespace karikomi::cli {
namespace {

using lab::CellFit;
using lab::Fit;

struct FitSettings {
    LabOptions lab;
    std::string sigma = "coverage";
    std::int64_t held_out = 20;
    std::int64_t least = lab::kLeastSamples;
    std::int64_t max_deep = 0;
    std::int64_t reach = 0;
    std::string pairs;
    std::string params_file;
    std::string write;
    std::string as;
    std::string law = "with";
    bool extend = false;
    bool cells = false;
    bool one_stage = false;
};

lab::SigmaKind sigma_named(const std::string& name) {
    if (name == "rms") return lab::SigmaKind::Rms;
    if (name == "coverage") return lab::SigmaKind::Coverage;
    if (name == "robust") return lab::SigmaKind::Robust;
    throw Failure(
        {fmt::format("--sigma: '{}' is unknown", name), "use one of rms, coverage, robust"});
}

enum class LawPart { With, None, Only };
LawPart law_named(const std::string& name) {
    if (name == "with") return LawPart::With;
    if (name == "none") return LawPart::None;
    if (name == "only") return LawPart::Only;
    throw Failure({fmt::format("--law: '{}' is unknown", name), "use one of with, none, only"});
}

/// Cells that the parameters look up by name, so that no gap in the samples switches a cut off.
std::vector<std::pair<Depth, Depth>> pairs_of(const SearchParams& params, Depth deepest) {
    std::vector<std::pair<Depth, Depth>> out;
    const auto& mpc = params.selective.of<MultiProbCut>();
    for (std::size_t i = 0; i < mpc.pair_deep.size(); ++i) {
        if (mpc.pair_deep[i] == 0) continue;
        for (Depth deep = mpc.pair_deep[i]; deep <= deepest; ++deep) {
            if (mpc.pair_shallow[i] < deep) out.emplace_back(mpc.pair_shallow[i], deep);
        }
    }
    return out;
}

lab::FitOptions options_of(const FitSettings& s, const SearchParams& base, Depth deepest) {
    lab::FitOptions o;
    o.sigma = sigma_named(s.sigma);
    o.least = s.least;
    o.threads = static_cast<int>(s.lab.threads);
    o.max_deep = static_cast<Depth>(s.max_deep);
    o.law = law_named(s.law) == LawPart::With;
    o.wanted = s.pairs.empty() ? pairs_of(base, deepest) : parse_pairs(s.pairs);
    if (!s.extend) return o;
    if (!base.calibration.smooth_model()) {
        throw Failure({"--extend: the parameters have no calibration", "fit one without it first"});
    }
    o.known = base.calibration.cells();
    o.known_up_to = base.calibration.smooth_model()->max_deep;
    return o;
}

/// The cells of one pair of depths, over all stages.
std::vector<std::string> pair_row(const std::vector<CellFit>& cells, Depth shallow, Depth deep) {
    double n = 0, a = 0, b = 0, sigma = 0, robust = 0, r2 = 0, outliers = 0, kurtosis = 0;
    int odd = 0, stages = 0;
    for (const CellFit& c : cells) {
        if (c.shallow != shallow || c.deep != deep || c.samples < lab::kLeastSamples) continue;
        const auto w = static_cast<double>(c.samples);
        n += w, a += w * c.fit.a, b += w * c.fit.b, sigma += w * c.fit.sigma, r2 += w * c.r2;
        robust += w * c.robust.sigma, outliers += static_cast<double>(c.outliers);
        kurtosis += w * c.kurtosis;
        odd += c.normality < 0.01 ? 1 : 0, ++stages;
    }
    if (stages == 0) return {};
    return {fmt::format("{}", shallow),          fmt::format("{}", deep),
            fmt::format("{}", stages),           grouped(static_cast<std::uint64_t>(n)),
            fmt::format("{:.3f}", a / n),        fmt::format("{:+.0f}", b / n),
            fmt::format("{:.0f}", sigma / n),    fmt::format("{:.0f}", robust / n),
            fmt::format("{:.3f}", r2 / n),       fmt::format("{:.1f} %", 100 * outliers / n),
            fmt::format("{:.1f}", kurtosis / n), fmt::format("{}", stages - odd)};
}

void print_pairs(const Fit& fit, Depth deepest) {
    Table table({{"shallow"},
                 {"deep"},
                 {"stages"},
                 {"samples"},
                 {"a"},
                 {"b"},
                 {"sigma"},
                 {"robust"},
                 {"r2"},
                 {"outliers"},
                 {"kurtosis"},
                 {"normal"}});
    for (Depth deep = 2; deep <= deepest; ++deep) {
        // Half the depth, of the same parity: what Multi-ProbCut takes.
        Depth shallow = deep / 2;
        if (((deep - shallow) & 1) != 0) --shallow;
        auto row = pair_row(fit.cells, std::max(shallow, deep & 1), deep);
        if (!row.empty()) table.add(std::move(row));
    }
    fmt::print("Means over the stages; normal: stages whose errors may be so\n\n{}", table.text());
}

void print_cells(const Fit& fit) {
    Table table({{"stage"},
                 {"shallow"},
                 {"deep"},
                 {"samples"},
                 {"a"},
                 {"b"},
                 {"sigma"},
                 {"robust"},
                 {"r2"},
                 {"outliers"},
                 {"skew"},
                 {"kurtosis"},
                 {"normality"}});
    for (const CellFit& c : fit.cells) {
        table.add({fmt::format("{}", c.stage), fmt::format("{}", c.shallow),
                   fmt::format("{}", c.deep), fmt::format("{}", c.samples),
                   fmt::format("{:.3f}", c.fit.a), fmt::format("{:+.1f}", c.fit.b),
                   fmt::format("{:.1f}", c.fit.sigma), fmt::format("{:.1f}", c.robust.sigma),
                   fmt::format("{:.3f}", c.r2), fmt::format("{}", c.outliers),
                   fmt::format("{:+.2f}", c.skewness), fmt::format("{:.1f}", c.kurtosis),
                   fmt::format("{:.3f}", c.normality)});
    }
    fmt::print("{}\n", table.text());
}

void print_summary(const Fit& fit, const lab::TableParts& parts, double seconds) {
    fmt::print("\n{} positions fitted, {} held out; {} cells of their own, {} by the model\n",
               parts.fitted.positions(), parts.held_out.positions(), fit.own_cells,
               fit.model_cells);
    if (fit.choice) {
        const lab::CrossValidation& c = fit.choice->best;
        fmt::print(
            "model of {} terms: error in unseen cells {:.3f} x that of their own regression, log "
            "sigma off by {:.3f}\n",
            c.terms, c.error_ratio, c.log_sigma_error);
    }
    fmt::print("fitted in {:.2f} s\n", seconds);
}

/// The fitted calibration as a file that --params reads: with all parameters, or for another
/// program, whose parameters we do not know, alone.
void write_fitted(const FitSettings& s, const SearchParams& fitted, const GameInfo& info,
                  const Json& provenance, bool foreign) {
    Json document = write_params(fitted, info, provenance);
    if (foreign) {
        Json own = Json::object();
        for (const char* key : {"game", "evaluation", "provenance", "calibration"}) {
            own[key] = document[key];
        }
        document = std::move(own);
    }
    write_output("--write", s.write, pretty(document) + "\n");
}

/// Where the numbers of a parameter file come from.
Json provenance_of(const std::string& file) {
    std::ifstream in(file);
    const Json document = Json::parse(in, nullptr, false);
    return document.is_object() ? document.value("provenance", Json(nullptr)) : Json(nullptr);
}

lab::ErrorTable table_of(const Calibration& calibration, const lab::SampleStore& store,
                         const GameInfo& info, const Json& provenance) {
    const Json conditions = store.conditions();
    lab::ErrorTable t;
    t.evaluation = info.evaluation;
    t.game = info.name;
    t.unit = fmt::format("1/{} of the game's unit", info.unit);
    if (conditions.contains("engine")) t.unit = conditions.at("engine").at("unit");
    t.command = provenance.at("command");
    t.stages = info.stages;
    t.positions = provenance.at("positions");
    t.cells = lab::all_cells(calibration, info.stages, conditions.at("depth"));
    return t;
}

/// One line of the game for all its stages.
Calibration spread(const Calibration& fitted, int stages, const std::string& evaluation) {
    std::vector<CalibrationCell> cells = fitted.cells();
    for (CalibrationCell& c : cells) c.stage = CalibrationCell::kAnyStage;
    return Calibration(stages, std::move(cells), fitted.smooth_model(), evaluation, fitted.laws());
}

Calibration calibration_of(const FitSettings& s, const Fit& fit, const GameInfo& info) {
    Calibration out = fit.calibration;
    if (s.one_stage) out = spread(out, info.stages, info.evaluation);
    if (s.reach == 0 || !out.smooth_model()) return out;
    auto model = out.smooth_model();
    model->max_deep = static_cast<Depth>(s.reach);
    return Calibration(info.stages, out.cells(), model, info.evaluation, out.laws());
}

/// All numbers as they are, and the law of the errors that they make on the samples.
Fit fit_law_alone(const lab::SampleTable& table, const FitSettings& s, const Calibration& known,
                  const GameInfo& info) {
    if (s.extend || s.one_stage || s.reach != 0) {
        throw Failure(
            {"--law only: keeps all other numbers, so it goes with none of --extend, "
             "--one-stage and --reach",
             "leave them out"});
    }
    if (known.cells().empty() && !known.smooth_model()) {
        throw Failure({"--law only: the parameters have no calibration", "fit one without it"});
    }
    Fit fit;
    fit.law = lab::fit_laws(table, known, static_cast<int>(s.lab.threads));
    if (!fit.law) {
        throw Failure({fmt::format("--law only: fewer than {} errors", lab::kLeastErrors),
                       "collect more samples"});
    }
    fit.own_cells = known.cells().size();
    fit.calibration = Calibration(info.stages, known.cells(), known.smooth_model(), info.evaluation,
                                  fit.law->laws);
    return fit;
}

void print_law(const lab::LawFit& law) {
    Table table({{"errors about", false},
                 {"side", false},
                 {"errors"},
                 {"decisive"},
                 {"tail", false},
                 {"terms"},
                 {"gain"}});
    const auto add = [&](const char* about, const std::optional<lab::LawChoice>& c) {
        if (!c) return;
        for (const bool high : {true, false}) {
            const lab::SideChoice& s = high ? c->high : c->low;
            table.add({about, high ? "high" : "low", grouped(static_cast<std::uint64_t>(s.errors)),
                       fmt::format("{}", s.decided),
                       std::string(kTailForms[static_cast<std::size_t>(s.best.form)]),
                       fmt::format("{}", s.best.terms),
                       fmt::format("{:+.4f}", s.best.likelihood - s.normal)});
        }
    };
    add("cells", law.cells);
    add("model", law.model);
    fmt::print(
        "\nLaw of the errors, chosen on games it was not fitted to; gain: log likelihood of an "
        "error\nthere over the best normal law\n\n{}",
        table.text());
}

void print_fit(const FitSettings& s, const Fit& fit, const lab::TableParts& parts, double seconds) {
    if (s.cells) print_cells(fit);
    if (!fit.cells.empty()) print_pairs(fit, parts.fitted.depth());
    if (fit.law) print_law(*fit.law);
    print_summary(fit, parts, seconds);
    if (!s.write.empty()) fmt::print("written to {}\n", s.write);
    if (fit.own_cells == 0) {
        fmt::print("no cell has {} samples (--least): collect more\n", s.least);
    }
}

int run(const FitSettings& s, Session& session) {
    const auto engine = s.lab.engine();
    const auto store = read_samples(s.lab, *engine, Whose::Any);
    const GameInfo info = info_of(*store, *engine);
    const bool foreign = lab::foreign_evaluation(*store).has_value();
    if (foreign && s.extend) {
        throw Failure({"--extend: is for our own parameters", "collect deeper and fit anew"});
    }
    if (!s.as.empty()) (void)take(lab::table_text({}, s.as));  // a wrong name is told at once
    SearchParams base = engine->params();
    if (!s.params_file.empty()) base = params_from(s.params_file, info);
    session.begin(fingerprint(base, info));
    const int stages = s.one_stage ? 1 : info.stages;
    const auto parts = lab::load_samples(*store, stages, static_cast<int>(s.held_out));
    const auto start = std::chrono::steady_clock::now();
    const bool law_alone = law_named(s.law) == LawPart::Only;
    const Fit fit = law_alone
                        ? fit_law_alone(parts.fitted, s, base.calibration, info)
                        : lab::fit_samples(parts.fitted, options_of(s, base, parts.fitted.depth()),
                                           info.evaluation);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    SearchParams fitted = base;
    fitted.calibration = law_alone ? fit.calibration : calibration_of(s, fit, info);
    Json provenance = lab_conditions(session, info, fitted);
    provenance["positions"] = parts.fitted.positions();
    provenance["held_out"] = parts.held_out.positions();
    provenance["held_out_percent"] = s.held_out;
    provenance["samples"] = store->conditions();
    provenance["sources"] = store->sources();
    if (law_alone) {
        provenance["law_for"] = s.params_file.empty() ? "shipped" : s.params_file;
        provenance["numbers_of"] =
            s.params_file.empty() ? Json(nullptr) : provenance_of(s.params_file);
    } else {
        provenance["sigma"] = s.sigma;
    }
    provenance["law"] = fit.law ? lab::to_json(*fit.law) : Json(nullptr);
    if (s.extend && !s.params_file.empty()) {
        provenance["extends"] = provenance_of(s.params_file);
    }
    Json result = {{"game", s.lab.game}, {"seconds", seconds}, {"pairs", parts.fitted.pairs()}};
    result.update(lab::to_json(fit));
    if (result.contains("cross_validation")) {
        provenance["cross_validation"] = result["cross_validation"];
    }
    if (!s.write.empty()) {
        write_fitted(s, fitted, info, provenance, foreign);
        session.log("written", {{"file", s.write}});
    }
    result["written"] = s.write.empty() ? Json(nullptr) : Json(s.write);
    if (!s.as.empty()) {
        result["table"] =
            take(lab::table_text(table_of(fitted.calibration, *store, info, provenance), s.as));
    }
    result["conditions"] = provenance;
    if (!session.json() && s.as.empty()) print_fit(s, fit, parts, seconds);
    if (!session.json() && !s.as.empty()) fmt::print("{}", result["table"].get<std::string>());
    session.finish(result);
    return fit.own_cells > 0 ? kDone : kNo;
}

}  // namespace

void add_lab_fit(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "fit", "Fit a, b and sigma for every stage and pair of depths, and the smooth model",
        {"karikomi lab collect GAME --depth 3 && karikomi lab fit GAME --cells"});
    const auto o = std::make_shared<FitSettings>();
    o->lab.add_to(command);
    add_text(command, "--sigma", o->sigma, "KIND",
             "rms, robust, or coverage: nearest to all levels");
    add_text(command, "--law", o->law, "WHICH", "The law of the errors: with, none, or only it");
    add_number(command, "--holdout", o->held_out, {0, 90},
               "Percent of the games kept back for `lab verify`");
    add_number(command, "--least", o->least, {3, 1'000'000},
               "Samples that a cell needs; else it gets the model's values");
    add_number(command, "--max-deep", o->max_deep, {1, Calibration::kDepths - 1},
               "Leave deeper searches out (default: all)");
    add_number(command, "--reach", o->reach, {1, Calibration::kDepths - 1},
               "Use the model up to this depth (default: as deep as it was fitted)");
    add_name(command, "--pairs", o->pairs, "S:D,...",
             "Pairs that every stage needs (default: those of Multi-ProbCut)");
    add_switch(command, "--extend", o->extend,
               "Keep the known cells, add deeper ones (collected --with multi_probcut)");
    add_switch(command, "--one-stage", o->one_stage,
               "One line for all stages: for few samples, and for engines without stages");
    add_switch(command, "--cells", o->cells, "Show every cell");
    add_name(command, "--as", o->as, "FORM",
             fmt::format("Print the table in a form: {}", fmt::join(lab::table_forms(), ", ")));
    add_name(command, "--params", o->params_file, "FILE",
             "Take everything else from here (default: the shipped parameters)");
    add_name(command, "--write", o->write, "FILE", "Write the parameter file");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
