/// karikomi lab verify: does the calibration keep what it promises, and what is each technique
/// worth?
#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/facets.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/store/binary_hash.hpp"
#include "karikomi/lab/subject.hpp"
#include "karikomi/lab/verify.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using lab::AblationRow;
using lab::AuditRow;
using lab::Bar;
using lab::Coverage;
using lab::ShippedAuditRow;

struct VerifyOptions {
    LabOptions lab;
    std::string params_file;
    std::int64_t held_out = 20;
    std::int64_t depth = 0;
    std::int64_t positions = 24;
    std::int64_t audit_depth = 0;
    std::int64_t cuts = 60;
    std::int64_t cuts_a_depth = 4;
    std::int64_t check_depth = 5;
    std::int64_t check_nodes = 200'000;
    std::string bound;
    std::int64_t move_time = 50;
    std::int64_t match_games = 0;
    std::int64_t match_nodes = 0;
    bool in_shipped = false;
    std::vector<std::string> only;
};

bool wants(const VerifyOptions& o, const std::string& part) {
    return o.only.empty() || std::find(o.only.begin(), o.only.end(), part) != o.only.end();
}

/// All that was measured.
struct Evidence {
    std::optional<Coverage> coverage;
    std::optional<Coverage> other;  ///< by the other form of bound, where there is a law
    std::vector<AuditRow> audit;
    std::vector<ShippedAuditRow> shipped_audit;
    std::vector<AblationRow> ablation;
    Json matches = Json::array();
    std::vector<Bar> bars;
};

void add_bars(Evidence& e, const std::vector<Bar>& more) {
    e.bars.insert(e.bars.end(), more.begin(), more.end());
}

// ---- Measuring ----------------------------------------------------------------------------------

lab::AblationOptions search_options(const VerifyOptions& o, const lab::SampleStore& store) {
    lab::AblationOptions s;
    s.game = o.lab.game;
    s.weights_file = o.lab.weights_file;
    s.depth = o.depth > 0 ? static_cast<Depth>(o.depth) : store.conditions().at("depth").get<int>();
    s.move_time_ms = o.move_time;
    s.threads = static_cast<int>(o.lab.threads);
    s.hash_mb = static_cast<int>(o.lab.hash_mb);
    s.positions =
        lab::positions_of(store, static_cast<std::size_t>(o.positions),
                          static_cast<int>(o.held_out), static_cast<std::uint64_t>(o.lab.seed));
    return s;
}

/// The shipped search against itself without a technique.
Json play_match(const VerifyOptions& o, Technique t, const StopToken& stop) {
    match::TimeControl time;
    if (o.match_nodes > 0) {
        time.nodes = static_cast<std::uint64_t>(o.match_nodes);
    } else {
        time.move_time_ms = std::max<std::int64_t>(o.move_time, 1);
    }
    const auto m = play_with_and_without(o.lab, t, o.params_file, o.match_games, time, stop);
    return {{"technique", name_of(t)},
            {"estimate", match::to_json(match::estimate(m->board().row(0).pairs))},
            {"result", m->result()}};
}

/// One for each technique that is on.
Json play_matches(const VerifyOptions& o, const SearchParams& shipped, const Engine& engine,
                  const StopToken& stop, const lab::Notebook& notebook) {
    Json out = Json::array();
    for (const Technique t : engine.info().techniques) {
        if (!shipped.selective.enabled(t)) continue;
        const auto number = static_cast<std::uint64_t>(t);
        if (const auto at = notebook.known.find(number); at != notebook.known.end()) {
            out.push_back(at->second);
            continue;
        }
        out.push_back(play_match(o, t, stop));
        if (stop.stop_requested()) {
            throw Failure({"stopped", "the same command goes on from here"});
        }
        notebook.write(number, out.back());
    }
    return out;
}

/// What is kept of a run until it has ended, part by part, in the file of the samples.
class Notes {
public:
    /// `identity`: what decides the results. A run goes on only with results of the same.
    Notes(const std::string& file, const std::string& identity)
        : identity_(lab::hash_of_text(identity)) {
        if (auto store = lab::SampleStore::open(file)) store_ = std::move(*store);
    }
    lab::Notebook notebook(const std::string& part) {
        if (!store_) return {{}, [](std::uint64_t, const Json&) {}};  // a read-only file
        const std::string name = fmt::format("verify {} {}", part, identity_);
        names_.emplace_back(part, name);
        return {store_->records(name), [this, name](std::uint64_t number, const Json& result) {
                    store_->save_record(name, number, result);
                }};
    }
    /// What every position gave, to be kept with the result.
    Json raw() const {
        Json out = Json::object();
        for (const auto& [part, name] : names_) {
            Json& rows = out[part] = Json::array();
            for (const auto& [number, result] : store_->records(name)) {
                rows.push_back({{"number", number}, {"result", result}});
            }
        }
        return out;
    }
    void clear() {
        for (const auto& [part, name] : names_) store_->clear_records(name);
    }

private:
    std::unique_ptr<lab::SampleStore> store_;
    std::string identity_;
    std::vector<std::pair<std::string, std::string>> names_;  ///< part, records
};

std::string identity_of(const VerifyOptions& o, const lab::AblationOptions& search,
                        const std::string& fingerprint) {
    std::string text = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", kCommit, fingerprint, search.depth,
        o.audit_depth, o.cuts, o.lab.seed, o.in_shipped, search.hash_mb, search.threads,
        o.move_time, o.match_games, o.match_nodes, o.cuts_a_depth, o.check_depth, o.check_nodes);
    for (const std::string& position : search.positions) text += '\n' + position;
    return text;
}

/// Shows how far one part has come.
lab::AblationWatch watch_of(const std::string& part, std::size_t before) {
    const auto progress = std::make_shared<std::optional<Progress>>();
    return [=](const lab::AblationView& v) {
        if (!*progress) progress->emplace("verify: " + part, v.of, before);
        (*progress)->show(static_cast<double>(v.done), v.name);
    };
}

BoundForm bound_of(const VerifyOptions& o, const SearchParams& shipped) {
    if (o.bound.empty()) return shipped.selective.of<MultiProbCut>().bound;
    const auto at = std::find(kBoundForms.begin(), kBoundForms.end(), o.bound);
    if (at == kBoundForms.end()) {
        throw Failure({fmt::format("--bound: '{}' is unknown", o.bound),
                       fmt::format("use one of {}", fmt::join(kBoundForms, ", "))});
    }
    const auto form = static_cast<BoundForm>(at - kBoundForms.begin());
    if (form == BoundForm::Quantile && !shipped.calibration.laws()) {
        throw Failure({"--bound quantile: the parameters have no law of errors",
                       "fit one: karikomi lab fit --law only"});
    }
    return form;
}

void measure_coverage(Evidence& e, const VerifyOptions& o, const lab::SampleStore& store,
                      const Engine& engine, const SearchParams& shipped) {
    const auto parts = lab::load_samples(store, engine.info().stages, static_cast<int>(o.held_out));
    lab::CoverageOptions options;
    options.seed = static_cast<std::uint64_t>(o.lab.seed);
    options.threads = static_cast<int>(o.lab.threads);
    options.bound = bound_of(o, shipped);
    options.shipped = &shipped;
    e.coverage = lab::measure_coverage(parts.held_out, shipped.calibration, options);
    add_bars(e, lab::coverage_bars(*e.coverage, {}));
    add_bars(e, lab::probed_bars(*e.coverage, {}));
    if (!shipped.calibration.laws()) return;
    const bool quantile = options.bound == BoundForm::Quantile;
    options.bound = quantile ? BoundForm::Normal : BoundForm::Quantile;
    options.shipped = nullptr;
    e.other = lab::measure_coverage(parts.held_out, shipped.calibration, options);
}

void measure_audit(Evidence& e, const VerifyOptions& o, const lab::AblationOptions& search,
                   const SearchParams& shipped, Notes& notes, const StopToken& stop) {
    const auto seed = static_cast<std::uint64_t>(o.lab.seed);
    const lab::Notebook alone = notes.notebook("audit");
    lab::AuditOptions audit{search, static_cast<std::size_t>(o.cuts), seed};
    audit.search.notebook = &alone;
    if (o.audit_depth > 0) audit.search.depth = static_cast<Depth>(o.audit_depth);
    e.audit = take(lab::run_audit(audit, shipped, stop, watch_of("audit", alone.known.size())));
    add_bars(e, lab::audit_bars(e.audit));
    const lab::Notebook inside = notes.notebook("shipped audit");
    lab::ShippedAuditOptions all{audit.search, static_cast<std::size_t>(o.cuts_a_depth),
                                 static_cast<Depth>(o.check_depth),
                                 static_cast<std::uint64_t>(o.check_nodes), seed};
    all.search.notebook = &inside;
    e.shipped_audit =
        take(lab::run_shipped_audit(all, shipped, stop, watch_of("audit", inside.known.size())));
    add_bars(e, lab::audit_bars(e.shipped_audit));
}

/// `raw` gets what every position gave.
Evidence measure(const VerifyOptions& o, const lab::SampleStore& store, const Engine& engine,
                 const SearchParams& shipped, const StopToken& stop, Json& raw) {
    Evidence e;
    if (wants(o, "coverage")) measure_coverage(e, o, store, engine, shipped);
    lab::AblationOptions search = search_options(o, store);
    Notes notes(o.lab.file(), identity_of(o, search, fingerprint(shipped, engine.info())));
    if (wants(o, "audit")) measure_audit(e, o, search, shipped, notes, stop);
    Json settings = Json::array();
    if (wants(o, "ablation")) {
        const lab::Notebook notebook = notes.notebook("ablation");
        search.notebook = &notebook;
        const auto around = o.in_shipped ? lab::Around::Shipped : lab::Around::Nothing;
        const auto all = lab::settings_for(engine, shipped, around, o.lab.weights_file);
        for (const lab::Setting& s : all) settings.push_back(s.name);
        e.ablation =
            take(lab::run_ablation(search, all, stop, watch_of("ablation", notebook.known.size())));
        add_bars(e, lab::ablation_bars(e.ablation, shipped));
    }
    if (o.match_games > 0) {
        e.matches = play_matches(o, shipped, engine, stop, notes.notebook("matches"));
    }
    raw = notes.raw();
    raw["positions"] = search.positions;
    raw["settings"] = settings;
    notes.clear();
    return e;
}

// ---- Showing ------------------------------------------------------------------------------------

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

void print_coverage(const Coverage& c) {
    fmt::print(
        "Coverage of {} held-out samples of {} games, {} of them decisive: share beyond the bound\n"
        "on each side [95 % interval, by games], and how many times that is what the level "
        "promises\n\n",
        c.all.samples, c.all.games, c.all.decided);
    Table table({{"level"},
                 {"promised"},
                 {"high side"},
                 {"times"},
                 {"low side"},
                 {"times"},
                 {"by the model"},
                 {"cells that miss"}});
    for (std::size_t i = 0; i < lab::kLevels.size(); ++i) {
        const double allowed = 1 - lab::kLevels[i].p;
        const auto interval = [](const lab::Share& s) {
            return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * s.value, 100 * s.low,
                               100 * s.high);
        };
        const auto times = [&](const lab::Share& s) {
            return fmt::format("{:.2f}", s.value / allowed);
        };
        const lab::CellVerdict v = lab::judge_cells(c, i, {});
        const lab::TailShares& all = c.all.shares[i];
        const lab::TailShares& model = c.model.shares[i];
        table.add({fmt::format("{} %", lab::kLevels[i].percent), percent(allowed),
                   interval(all.above), times(all.above), interval(all.below), times(all.below),
                   c.model.samples > 0 ? fmt::format("{:.1f} / {:.1f} %", 100 * model.above.value,
                                                     100 * model.below.value)
                                       : "-",
                   fmt::format("{} of {}", v.missed, v.judged)});
    }
    fmt::print("{}\n", table.text());
}

std::string interval(const lab::Share& s) {
    return fmt::format("{:.2f} % [{:.2f}, {:.2f}]", 100 * s.value, 100 * s.low, 100 * s.high);
}

/// Both forms of bound side by side.
void print_forms(const Coverage& one, const Coverage& other) {
    const bool first_is_normal = one.bound == BoundForm::Normal;
    const Coverage& normal = first_is_normal ? one : other;
    const Coverage& quantile = first_is_normal ? other : one;
    Table table({{"level"},
                 {"side", false},
                 {"promised"},
                 {"normal: t sigmas"},
                 {"times"},
                 {"quantile of the law"},
                 {"times"},
                 {"cells that miss"}});
    for (std::size_t i = 0; i < lab::kLevels.size(); ++i) {
        const double allowed = 1 - lab::kLevels[i].p;
        const auto times = [&](const lab::Share& s) {
            return fmt::format("{:.2f}{}", s.value / allowed,
                               lab::keeps_promise(s, allowed, {}) ? "" : " !");
        };
        for (const bool high : {true, false}) {
            const auto side = [&](const Coverage& c) {
                return high ? c.all.shares[i].above : c.all.shares[i].below;
            };
            const lab::Share sigma = side(normal), law = side(quantile);
            const auto missed = [&](const Coverage& c) { return lab::judge_cells(c, i, {}); };
            table.add({fmt::format("{} %", lab::kLevels[i].percent), high ? "high" : "low",
                       percent(allowed), interval(sigma), times(sigma), interval(law), times(law),
                       high ? fmt::format("{}, {} of {}", missed(normal).missed,
                                          missed(quantile).missed, missed(quantile).judged)
                            : ""});
        }
    }
    fmt::print("The same by both forms of bound; '!' misses the bar\n\n{}\n", table.text());
}

void print_probed(const std::vector<lab::ProbedCoverage>& rows) {
    Table table({{"pairs of", false},
                 {"bound", false},
                 {"t"},
                 {"promised"},
                 {"high cuts err"},
                 {"times"},
                 {"low cuts err"},
                 {"times"},
                 {"samples"}});
    for (const lab::ProbedCoverage& p : rows) {
        const double allowed = 0.5 * std::erfc(p.t / std::sqrt(2.0));
        const auto times = [&](const lab::Share& s) {
            return fmt::format("{:.2f}", s.value / allowed);
        };
        const lab::TailShares& used = p.all.used;
        table.add({p.name + (p.enabled ? "" : " (off)"),
                   std::string(kBoundForms[static_cast<std::size_t>(p.bound)]),
                   fmt::format("{:.3f}", p.t), percent(allowed), interval(used.below),
                   times(used.below), p.high_cuts_only ? "-" : interval(used.above),
                   p.high_cuts_only ? "-" : times(used.above),
                   grouped(static_cast<std::uint64_t>(p.all.samples))});
    }
    if (table.empty()) return;
    fmt::print(
        "Pairs that the techniques probe, by the numbers that they read there, at their own t\n\n"
        "{}\n",
        table.text());
}

void print_shipped_audit(const std::vector<ShippedAuditRow>& rows) {
    Table table({{"in the shipped search", false},
                 {"left out", false},
                 {"depth"},
                 {"made"},
                 {"checked"},
                 {"not finished"},
                 {"wrong"},
                 {"95 % interval"},
                 {"allowed"}});
    const auto range = [](const lab::Share& s) {
        return fmt::format("{:.1f}..{:.1f}", 100 * s.low, 100 * s.high);
    };
    for (const ShippedAuditRow& r : rows) {
        const bool any = r.checked > 0;  // else all of its cuts are deeper than --check-depth
        table.add({r.technique, r.of_moves ? "moves" : "nodes", "all", grouped(r.made),
                   fmt::format("{}", r.checked), "", any ? percent(r.share.value) : "-",
                   any ? range(r.share) : "-", r.allowed ? percent(*r.allowed) : "-"});
        for (const lab::DepthAudit& d : r.depths) {
            table.add({"", "", fmt::format("{}", d.depth), grouped(d.made),
                       fmt::format("{}", d.checked), fmt::format("{}", d.unfinished),
                       d.checked > 0 ? percent(d.share.value) : "-",
                       d.checked > 0 ? range(d.share) : "-", ""});
        }
    }
    if (!table.empty()) fmt::print("{}\n", table.text());
}

void print_audit(const std::vector<AuditRow>& rows) {
    Table table(
        {{"cuts of", false}, {"made"}, {"checked"}, {"wrong"}, {"95 % interval"}, {"allowed"}});
    for (const AuditRow& r : rows) {
        const lab::Share s = lab::share_of(r.all.wrong, r.all.cuts);
        table.add({r.name, grouped(r.made), fmt::format("{}", r.all.cuts), percent(s.value),
                   fmt::format("{:.1f}..{:.1f}", 100 * s.low, 100 * s.high), percent(r.allowed)});
    }
    if (!table.empty()) fmt::print("{}\n", table.text());
}

void print_ablation(const std::vector<AblationRow>& rows) {
    Table table({{"setting", false},
                 {"against", false},
                 {"nodes, mean"},
                 {"in all"},
                 {"time, mean"},
                 {"value"},
                 {"same move"},
                 {"first cut"},
                 {"depth at time"}});
    const auto ratio = [](const lab::Ratio& r) {
        return fmt::format("{:.3f} [{:.2f}, {:.2f}]", r.mean, r.low, r.high);
    };
    for (const AblationRow& r : rows) {
        table.add(
            {r.name, std::string(name_of(r.against)), ratio(r.nodes),
             fmt::format("{:.3f}", r.node_ratio), ratio(r.time),
             fmt::format("{:.1f}", r.value_difference), fmt::format("{:.0f} %", 100 * r.same_move),
             fmt::format("{:.3f}", r.first_move_cut_rate),
             r.depth_at_time > 0 ? fmt::format("{:.1f} ({:+.1f})", r.depth_at_time, r.depth_gained)
                                 : "-"});
    }
    if (!table.empty()) fmt::print("{}\n", table.text());
}

void print_bars(const Evidence& e) {
    Table table({{"bar", false}, {"value"}, {"limit"}, {"", false}, {"", false}});
    for (const Bar& b : e.bars) {
        const std::string limit = b.least > 0 ? fmt::format("{:.1f}..{:.1f}", b.least, b.limit)
                                              : fmt::format("{:.3f}", b.limit);
        table.add(
            {b.name, fmt::format("{:.3f}", b.value), limit, b.met ? "met" : "MISSED", b.detail});
    }
    if (!table.empty()) fmt::print("{}", table.text());
    for (const Json& m : e.matches) {
        const Json& elo = m["estimate"]["elo"];
        fmt::print("with against without {}: {:+.1f} Elo [{:+.1f}, {:+.1f}]\n",
                   m["technique"].get<std::string>(), elo["value"].get<double>(),
                   elo["low"].get<double>(), elo["high"].get<double>());
    }
}

Json to_json(const Evidence& e) {
    Json out = {{"coverage", e.coverage ? lab::to_json(*e.coverage) : Json(nullptr)},
                {"other_bound", e.other ? lab::to_json(*e.other) : Json(nullptr)},
                {"audit", Json::array()},
                {"shipped_audit", Json::array()},
                {"ablation", Json::array()},
                {"matches", e.matches},
                {"bars", Json::array()}};
    for (const AuditRow& r : e.audit) out["audit"].push_back(lab::to_json(r));
    for (const ShippedAuditRow& r : e.shipped_audit) {
        out["shipped_audit"].push_back(lab::to_json(r));
    }
    for (const AblationRow& r : e.ablation) out["ablation"].push_back(lab::to_json(r));
    for (const Bar& b : e.bars) out["bars"].push_back(lab::to_json(b));
    return out;
}

/// What can be judged of another program's samples: the fitted numbers, no search.
void check_foreign(VerifyOptions& o, const lab::SampleStore& store) {
    const auto evaluation = lab::foreign_evaluation(store);
    if (!evaluation) return;
    if (o.only.empty() && o.match_games == 0) o.only = {"coverage"};
    if (o.only != std::vector<std::string>{"coverage"} || o.match_games > 0) {
        throw Failure({fmt::format("lab verify: the samples are of {}: only their coverage can be "
                                   "judged",
                                   *evaluation),
                       "use --only coverage"});
    }
    if (o.params_file.empty()) {
        throw Failure(
            {fmt::format("lab verify: there are no shipped parameters of {}", *evaluation),
             "name those of `lab fit --write FILE` with --params FILE"});
    }
}

/// What the parameters' own provenance says against judging them by these samples.
std::vector<std::string> warnings_of(const VerifyOptions& o, const lab::SampleStore& store) {
    std::vector<std::string> out;
    if (o.params_file.empty() || !wants(o, "coverage")) return out;
    std::ifstream in(o.params_file);
    const Json document = Json::parse(in, nullptr, false);
    if (!document.is_object() || !document.contains("provenance")) return out;
    const Json& p = document.at("provenance");
    if (!p.is_object() || !p.contains("held_out_percent")) return out;
    if (p.value("sources", Json(nullptr)) != store.sources()) return out;  // other samples
    const Json& percent = p.at("held_out_percent");
    if (percent == 0) {
        out.push_back(
            "`lab fit --holdout 0` held nothing out: these samples were fitted, and their "
            "coverage proves nothing");
    } else if (percent != o.held_out) {
        out.push_back(
            fmt::format("`lab fit` held {} % of the games out, not {}: some of these "
                        "samples were fitted; use --holdout {}",
                        percent.dump(), o.held_out, percent.dump()));
    }
    return out;
}

/// No run erases another: `lab export` lists them. The report shows the last one.
void keep_run(lab::SampleStore& store, const Json& result, const Json& raw) {
    const auto runs = store.records(kVerifyRuns);
    const std::uint64_t number = runs.empty() ? 1 : runs.rbegin()->first + 1;
    store.save_record(kVerifyRuns, number, {{"result", result}, {"raw", raw}});
    store.set_fact("verify", result);
}

void check_parts(const VerifyOptions& o) {
    for (const std::string& part : o.only) {
        if (part == "coverage" || part == "audit" || part == "ablation") continue;
        throw Failure(
            {fmt::format("--only: '{}' is unknown", part), "use one of coverage, audit, ablation"});
    }
}

int run(VerifyOptions o, Session& session) {
    check_parts(o);
    const StopToken stop = session.stop();
    const auto engine = o.lab.engine();
    auto store = read_samples(o.lab, *engine, Whose::Any);
    check_foreign(o, *store);
    const GameInfo info = info_of(*store, *engine);
    const bool foreign = lab::foreign_evaluation(*store).has_value();
    SearchParams shipped = engine->params();
    if (foreign) {
        shipped = take(load_params(o.params_file, info));  // a calibration and nothing else
    } else if (!o.params_file.empty()) {
        shipped = params_from(o.params_file, info);
    }
    session.begin(fingerprint(shipped, info));
    const std::vector<std::string> warnings = warnings_of(o, *store);
    Json raw;
    const Evidence e = measure(o, *store, *engine, shipped, stop, raw);
    const bool nothing = e.bars.empty() && e.matches.empty();
    const bool met = std::all_of(e.bars.begin(), e.bars.end(), [](const Bar& b) { return b.met; });
    Json result = {{"game", o.lab.game}, {"met", nothing ? Json(nullptr) : Json(met)}};
    result.update(to_json(e));
    result["warnings"] = warnings;
    result["conditions"] = lab_conditions(session, info, shipped);
    result["conditions"]["samples"] = store->conditions();
    result["conditions"]["depth"] = search_options(o, *store).depth;
    result["conditions"]["positions"] = o.positions;
    store.reset();
    if (const auto keep = lab::SampleStore::open(o.lab.file())) {
        keep_run(**keep, result, raw);
    }
    for (const std::string& warning : warnings)
        session.remark(fmt::format("karikomi: warning: {}\n", warning));
    if (!session.json()) {
        if (e.coverage) print_coverage(*e.coverage);
        if (e.other) print_forms(*e.coverage, *e.other);
        if (e.coverage) print_probed(e.coverage->probed);
        print_audit(e.audit);
        print_shipped_audit(e.shipped_audit);
        print_ablation(e.ablation);
        print_bars(e);
        if (nothing) fmt::print("nothing could be checked: are the searches deep enough to cut?\n");
    }
    session.finish(result);
    return met && !nothing ? kDone : kNo;
}

}  // namespace

void add_lab_verify(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "verify",
        "Coverage, wrong cuts, each technique's worth (exit code 1: a bar is missed)",
        examples_for("lab verify", "karikomi lab verify GAME --only audit"));
    const auto o = std::make_shared<VerifyOptions>();
    o->lab.add_to(command);
    add_name(command, "--params", o->params_file, "FILE",
             "The parameters to judge (default: the shipped ones)");
    add_list(command, "--only", o->only, "PARTS", "Only these parts: coverage, audit, ablation")
        .separated_by(',')
        .once_each();
    add_number(command, "--holdout", o->held_out, {0, 100},
               "Percent of the games, as `lab fit` had it");
    add_number(command, "--depth", o->depth, {1, 60},
               "Of the searches that are compared (default: as deep as the samples)");
    add_number(command, "--positions", o->positions, {1, 100'000}, "To search on");
    add_number(command, "--audit-depth", o->audit_depth, {1, 60},
               "Of the searches whose cuts are checked (default: --depth)");
    add_number(command, "--cuts", o->cuts, {1, 100'000}, "Checked in each of these searches");
    add_number(command, "--cuts-a-depth", o->cuts_a_depth, {1, 100'000},
               "... in the shipped search, of each technique and depth");
    add_number(command, "--check-depth", o->check_depth, {1, 60},
               "... deeper ones are counted, not checked");
    add_number(command, "--check-nodes", o->check_nodes, {1'000, 1'000'000'000'000},
               "... and most nodes of one check");
    add_name(command, "--bound", o->bound, "FORM",
             "Judge by this form: normal or quantile (default: the parameters' own)");
    add_number(command, "--move-time", o->move_time, {0, 1'000'000},
               "For depth at fixed time and matches, ms; 0: no such depth");
    add_switch(command, "--in-shipped", o->in_shipped,
               "Ablation: each form inside the shipped search, which gets deeper, not alone");
    add_number(command, "--match-games", o->match_games, {2, 1'000'000},
               "Also play so many games with against without each technique");
    add_number(command, "--match-nodes", o->match_nodes, {1, 1'000'000'000},
               "In them so many nodes a move, not --move-time");
    command.takes_evidence();
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
