/// karikomi lab calibrate: how careful a technique must be, by its nodes and by games.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/ablation.hpp"
#include "karikomi/lab/calibrate.hpp"
#include "karikomi/lab/store/binary_hash.hpp"
#include "karikomi/lab/tune/effect.hpp"

namespace karikomi::cli {
namespace {

using lab::CalibrateEnd;
using lab::CalibrateLoop;
using lab::CalibrateStep;

struct CalibrateOptions {
    LabOptions lab;
    std::string technique = "multi_probcut";
    std::string params_file;
    std::string write;
    std::int64_t depth = 0;
    std::int64_t positions = 24;
    std::int64_t games = 100;
    std::int64_t move_time = 30;
    std::int64_t match_depth = 0;
    std::int64_t steps = 12;
    std::string reduction = "0.30";
    std::string loss = "0.05";
    std::string bad_loss = "0.10";
    std::string bold = "0.8";
    std::string careful = "1.2";
    std::string very_careful = "1.5";
};

Technique technique_named(const std::string& name, const Engine& engine) {
    for (const Technique t : engine.info().techniques) {
        if (name == name_of(t)) return t;
    }
    throw Failure({fmt::format("--technique: {} has no '{}'", engine.info().name, name),
                   "use multi_probcut, probcut or futility"});
}

lab::CalibrateRules rules_of(const CalibrateOptions& o) {
    lab::CalibrateRules r;
    r.enough_reduction = number_of("--reduction", o.reduction);
    r.loss = number_of("--loss", o.loss);
    r.bad_loss = number_of("--bad-loss", o.bad_loss);
    r.bold_factor = number_of("--bold", o.bold);
    r.careful_factor = number_of("--careful", o.careful);
    r.very_careful_factor = number_of("--very-careful", o.very_careful);
    r.most_steps = static_cast<int>(o.steps);
    if (r.bold_factor <= 0 || r.bold_factor >= 1 || r.careful_factor <= 1 ||
        r.very_careful_factor <= 1) {
        throw Failure(
            {"--bold must be below 1, --careful and --very-careful above", "use 0.8, 1.2 and 1.5"});
    }
    return r;
}

/// Points lost against the same search without the technique.
double loss_of(const CalibrateOptions& o, Technique technique, const std::string& params_file,
               const StopToken& stop) {
    match::TimeControl time;
    if (o.match_depth > 0) {
        time.depth = static_cast<Depth>(o.match_depth);
    } else {
        time.move_time_ms = o.move_time;
    }
    const auto m = play_with_and_without(o.lab, technique, params_file, o.games, time, stop);
    return 0.5 - match::estimate(m->board().row(0).pairs).score;
}

void show(const CalibrateStep& s, std::size_t number, Session& session) {
    Json line = lab::to_json(s);
    line["event"] = "step";
    line["number"] = number;
    session.log("step", line);
    session.stream(line);
    if (session.json()) return;
    fmt::print("step {}: scale {:.3f}, nodes saved {:.1f} %, points lost {:+.1f} %: {}\n", number,
               s.scale, 100 * s.reduction, 100 * s.loss, s.decision);
    std::fflush(stdout);
}

/// What decides the steps: a run goes on only with the steps of the same.
std::string name_of_run(const CalibrateOptions& o, const std::string& fingerprint) {
    return "calibrate " + lab::hash_of_text(fmt::format(
                              "{} {} {} {} {} {} {} {} {} {} {} {} {} {}", o.technique, fingerprint,
                              o.depth, o.positions, o.games, o.move_time, o.match_depth, o.lab.seed,
                              o.reduction, o.loss, o.bad_loss, o.bold, o.careful, o.very_careful));
}

/// One more measurement. Nothing: interrupted.
std::optional<CalibrateStep> measure(const CalibrateOptions& o, const SearchParams& params,
                                     const lab::AblationOptions& search, const Engine& engine,
                                     const StopToken& stop) {
    SearchParams without = params;
    const Technique technique = technique_named(o.technique, engine);
    without.selective.enabled(technique) = false;
    const auto ratio = lab::node_ratio(search, without, params, stop);
    if (stop.stop_requested()) return std::nullopt;
    if (!ratio) throw Failure(ratio.error(), kBroken);
    const std::string file = o.lab.file() + ".step.json";
    write_output("--db", file,
                 pretty(write_params(params, engine.info(), "a step of lab calibrate")) + "\n");
    CalibrateStep step;
    step.reduction = 1 - *ratio;
    step.loss = loss_of(o, technique, file, stop);
    if (stop.stop_requested()) return std::nullopt;
    return step;
}

int finish(const CalibrateOptions& o, const CalibrateLoop& loop, const SearchParams& base,
           const Engine& engine, Session& session) {
    Json steps = Json::array();
    for (const CalibrateStep& s : loop.steps()) steps.push_back(lab::to_json(s));
    const bool converged = loop.end() == CalibrateEnd::Converged;
    const SearchParams found = take(lab::scaled(base, technique_named(o.technique, engine),
                                                loop.scale(), engine.info().stages));
    Json result = {{"event", "result"},        {"game", o.lab.game},
                   {"technique", o.technique}, {"end", lab::name_of(loop.end())},
                   {"reason", loop.reason()},  {"scale", loop.scale()},
                   {"steps", std::move(steps)}};
    result["conditions"] = lab_conditions(session, engine.info(), found);
    result["conditions"]["start"] = fingerprint(base, engine.info());
    if (loop.end() == CalibrateEnd::Going) result["resume"] = command_text(session);
    if (converged && !o.write.empty()) {
        write_output("--write", o.write, pretty(write_params(found, engine.info(), result)) + "\n");
    }
    if (!session.json()) {
        if (loop.end() == CalibrateEnd::Going) {
            fmt::print("stopped; go on with: {}\n", command_text(session));
        } else {
            fmt::print("{} at scale {:.3f}: {}\n", lab::name_of(loop.end()), loop.scale(),
                       loop.reason());
        }
    }
    session.finish(result);
    return converged ? kDone : kNo;
}

/// Of the samples where there are some, else the game's own for `karikomi bench`.
lab::AblationOptions positions_for(const CalibrateOptions& o, const Engine& engine) {
    lab::AblationOptions search;
    if (std::filesystem::exists(o.lab.file())) {
        const auto store = read_samples(o.lab, engine);
        search.positions = lab::positions_of(*store, static_cast<std::size_t>(o.positions), 20,
                                             static_cast<std::uint64_t>(o.lab.seed));
        search.depth = store->conditions().at("depth").get<int>();
    }
    if (search.positions.empty()) {
        for (const SamplePosition& p : engine.info().samples) {
            search.positions.push_back(p.text);
            search.depth = p.depth;
        }
    }
    if (o.depth > 0) search.depth = static_cast<Depth>(o.depth);
    return search;
}

/// The technique itself, and of futility the margins that are to be scaled: with none of them in
/// use every scale plays the same. Returns what had to be set.
std::vector<std::string> switch_on(SearchParams& params, Technique technique) {
    std::vector<std::string> settings;
    if (!params.selective.enabled(technique)) {
        settings.push_back(fmt::format("{}.enabled=true", name_of(technique)));
    }
    if (technique == kTechnique<Futility> && params.selective.of<Futility>().max_depth == 0) {
        settings.emplace_back("futility.max_depth=3");  // as deep as margins are measured
    }
    for (const std::string& s : settings) require(set_param(params, s));
    return settings;
}

/// A loop over a number that the search does not read would converge on luck.
void check_effect(const CalibrateOptions& o, Engine& engine, const SearchParams& base,
                  const lab::AblationOptions& search) {
    constexpr double kBold = 0.5;
    constexpr double kCareful = 2.0;
    const Technique technique = technique_named(o.technique, engine);
    std::vector<SearchParams> others;
    for (const double scale : {kBold, kCareful}) {
        others.push_back(take(lab::scaled(base, technique, scale, engine.info().stages)));
    }
    std::vector<SamplePosition> positions;
    for (const std::string& p : search.positions) positions.push_back({p, search.depth});
    if (take(tune::changes_tree(engine, positions, base, others))) return;
    throw Failure(
        {fmt::format("lab calibrate: half and twice the {} give the same trees as they "
                     "are, on all {} at depth {}: there is nothing to calibrate",
                     o.technique, counted(static_cast<std::int64_t>(positions.size()), "position"),
                     search.depth),
         "give a greater --depth, or switch its forms on in a file for --params"});
}

int run(const CalibrateOptions& o, Session& session) {
    const StopToken stop = session.stop();
    const auto engine = o.lab.engine();
    SearchParams base = engine->params();
    if (!o.params_file.empty()) base = params_from(o.params_file, engine->info());
    const Technique technique = technique_named(o.technique, *engine);
    const std::vector<std::string> switched = switch_on(base, technique);
    require(engine->set_params(base));
    session.begin(fingerprint(base, engine->info()));
    lab::AblationOptions search = positions_for(o, *engine);
    check_effect(o, *engine, base, search);
    if (!switched.empty() && !session.json()) {
        fmt::print("switched on for this: {}\n", fmt::join(switched, ", "));
    }
    search.game = o.lab.game;
    search.weights_file = o.lab.weights_file;
    search.threads = static_cast<int>(o.lab.threads);
    search.hash_mb = static_cast<int>(o.lab.hash_mb);
    const auto store = take(lab::SampleStore::open(o.lab.file()));
    const std::string name = name_of_run(o, fingerprint(base, engine->info()));
    CalibrateLoop loop(rules_of(o));
    for (const auto& [number, record] : store->records(name)) loop.add(lab::step_of(record));
    while (loop.end() == CalibrateEnd::Going && !stop.stop_requested()) {
        const SearchParams params =
            take(lab::scaled(base, technique, loop.scale(), engine->info().stages));
        const auto step = measure(o, params, search, *engine, stop);
        if (!step) break;
        loop.add(*step);
        const std::size_t number = loop.steps().size();
        store->save_record(name, number, lab::to_json(loop.steps().back()));
        show(loop.steps().back(), number, session);
    }
    Json kept = Json::array();
    for (const CalibrateStep& s : loop.steps()) kept.push_back(lab::to_json(s));
    store->set_fact("calibrate " + o.technique,
                    {{"steps", kept}, {"end", lab::name_of(loop.end())}});
    return finish(o, loop, base, *engine, session);
}

}  // namespace

void add_lab_calibrate(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "calibrate", "Scale sigma (or T, or margins) until nodes are saved and no games lost",
        {"karikomi lab calibrate GAME --depth 9 --games 4 --match-depth 3 --loss 0.6 "
         "--bad-loss 1"});
    const auto o = std::make_shared<CalibrateOptions>();
    o->lab.add_to(command);
    add_text(command, "--technique", o->technique, "NAME", "multi_probcut, probcut or futility");
    add_name(command, "--params", o->params_file, "FILE",
             "Where it starts (default: the shipped parameters)");
    add_number(command, "--depth", o->depth, {1, 60},
               "Of the searches whose nodes count (default: as deep as the samples)");
    add_number(command, "--positions", o->positions, {1, 100'000}, "For the nodes");
    add_number(command, "--games", o->games, {2, 10'000'000}, "Of each match");
    add_number(command, "--move-time", o->move_time, {1, 1'000'000}, "Of its moves, ms");
    add_number(command, "--match-depth", o->match_depth, {1, 60}, "Or: a fixed depth");
    add_number(command, "--steps", o->steps, {1, 1000}, "At most");
    const std::string group = "When the scale changes";
    const auto number = [&](const char* flag, std::string& to, const char* help) {
        add_text(command, flag, to, "X", help).group(group);
    };
    number("--reduction", o->reduction, "Share of the nodes that must be saved ...");
    number("--bold", o->bold, "... or the scale is multiplied by this");
    number("--loss", o->loss, "Share of the points lost that is too much: ...");
    number("--careful", o->careful, "... then the scale is multiplied by this");
    number("--bad-loss", o->bad_loss, "Share that is far too much: ...");
    number("--very-careful", o->very_careful, "... then by this");
    add_name(command, "--write", o->write, "FILE", "Write the parameter file when it converged");
    command.takes_evidence();
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
