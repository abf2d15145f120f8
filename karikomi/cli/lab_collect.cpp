/// karikomi lab collect: positions searched at every depth.
#include <algorithm>

#include <fmt/format.h>

#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/nats_options.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/collect.hpp"

namespace karikomi::cli {
namespace {

using lab::Collector;

struct CollectOptions {
    LabOptions lab;
    RuleOptions rules;
    std::int64_t games = 0;  ///< not set
    std::int64_t per_game = 8;
    std::int64_t depth = 8;
    std::int64_t random_plies = 8;
    std::int64_t play_depth = 2;
    std::int64_t noise = 20;
    std::int64_t stray = 2;
    std::string engine;
    std::string pairs;
    std::string positions;
    std::vector<std::string> records;
    std::vector<std::string> with;
    std::string params_file;
    std::vector<std::string> assignments;
    bool balance = false;
    NatsSettings nats;
};

void add_sources(Command& command, CollectOptions& o) {
    const std::string group = "Where positions come from";
    add_number(command, "--games", o.games, {1, 1'000'000'000},
               "In all runs on the file together (default: 100; of a file: all)")
        .group(group);
    add_number(command, "--per-game", o.per_game, {1, 1000}, "Positions taken of each game")
        .group(group);
    add_switch(command, "--balance", o.balance, "As many positions of each stage as games allow")
        .group(group);
    add_name(command, "--positions", o.positions, "FILE", "Not games, but these: one a line")
        .group(group);
    add_list(command, "--records", o.records, "FILE",
             "Games that were played: CSA, KIF, transcripts, WTHOR, GGF, SGF, PSQ")
        .group(group);
    add_number(command, "--random-plies", o.random_plies, {0, 200},
               "Random moves at the start of a game, at most")
        .group(group);
    add_number(command, "--play-depth", o.play_depth, {1, 20}, "Depth of the moves after that")
        .group(group);
    add_number(command, "--noise", o.noise, {0, 100}, "Percent of them that are not the best")
        .group(group);
    add_number(command, "--stray", o.stray, {0, 20},
               "Random moves before a position is taken, at most")
        .group(group);
}

lab::CollectPlan plan_of(const CollectOptions& o) {
    lab::CollectPlan plan;
    plan.game = o.lab.game;
    plan.weights_file = o.lab.weights_file;
    if (!o.rules.rule.empty()) plan.rules.emplace_back("rule", o.rules.rule);
    if (!o.rules.size.empty()) plan.rules.emplace_back("size", o.rules.size);
    plan.game = match::name_by_rules(plan.game, plan.rules);
    const auto engine = take(match::make_referee(plan.game, plan.rules, plan.weights_file));
    SearchParams base = engine->params();
    if (!o.params_file.empty()) base = params_from(o.params_file, engine->info());
    plan.engine = o.engine;
    if (!o.engine.empty() && !(o.with.empty() && o.assignments.empty() && o.params_file.empty())) {
        throw Failure({"--engine: --with, --set and --params are of our own search",
                       "write its options as usi?option.NAME=VALUE:COMMAND"});
    }
    plan.params = take(lab::measuring_params(*engine, base, o.with));
    for (const std::string& a : o.assignments) {
        const Status s = set_param(plan.params, a);
        if (!s) throw Failure({"--set: " + s.error().what, s.error().remedy});
    }
    plan.depth = static_cast<Depth>(o.depth);
    if (!o.pairs.empty()) {
        plan.depth = 1;
        for (const auto& [shallow, deep] : parse_pairs(o.pairs)) {
            plan.depth = std::max(plan.depth, deep);
        }
    }
    plan.hash_mb = static_cast<int>(o.lab.hash_mb);
    plan.style.random_plies = static_cast<int>(o.random_plies);
    plan.style.depth = static_cast<Depth>(o.play_depth);
    plan.style.noise = static_cast<int>(o.noise);
    plan.style.stray = static_cast<int>(o.stray);
    plan.per_game = static_cast<int>(o.per_game);
    plan.balance = o.balance;
    plan.seed = static_cast<std::uint64_t>(o.lab.seed);
    if (!o.positions.empty() && !o.records.empty()) {
        throw Failure({"--positions and --records do not go together", "run it twice"});
    }
    if (!o.positions.empty()) {
        plan.given = take(lab::read_positions(*engine, o.positions));
        plan.given_name = "positions";
    } else if (!o.records.empty()) {
        plan.given = take(lab::read_games(plan.game, o.records));
        plan.given_name = "records";
    }
    plan.games = o.games > 0          ? static_cast<std::uint64_t>(o.games)
                 : plan.given.empty() ? 100
                                      : plan.given.size();
    return plan;
}

std::unique_ptr<queue::JobQueue> queue_of(const CollectOptions& o, const std::string& run) {
    if (o.nats.url.empty()) {
        return queue::make_local_queue(lab::sample_makers(), static_cast<int>(o.lab.threads));
    }
    const auto note = [](const std::string& text) { fmt::print(stderr, "karikomi: {}\n", text); };
    auto made = queue::make_nats_queue(o.nats.read(), run, note);
    if (!made) throw Failure(made.error(), kBroken);
    return std::move(*made);
}

void print_result(const Json& result, const std::string& file) {
    fmt::print("{} positions in {} ({} new); {} of {} games done\n", result["samples"].dump(), file,
               result["added"].dump(), result["units"].dump(), result["units_wanted"].dump());
    Table table({{"stage"}, {"positions"}});
    for (const auto& [stage, n] : result["stages"].items()) table.add({stage, n.dump()});
    fmt::print("{}", table.text());
    const Json faults = result.value("faults", Json::array());
    if (faults.empty()) return;
    fmt::print("left out: {} on which the engine failed, the first: {}\n",
               counted(static_cast<std::int64_t>(faults.size()), "position"),
               faults.front().get<std::string>());
}

int run(const CollectOptions& o, Session& session) {
    const std::string file = o.lab.database == "none" ? ":memory:" : o.lab.file();
    const StopToken stop = session.stop();
    const auto collector = take(Collector::make(plan_of(o), file));
    session.begin(collector->store().conditions());
    Progress progress("collect", collector->plan().games, collector->units_done());
    const auto queue = queue_of(o, collector->store().run_id());
    const auto watch = [&](const Collector::View& v) {
        progress.show(static_cast<double>(v.units), fmt::format("{} positions", v.samples));
    };
    auto complete = collector->run(*queue, watch, stop);
    progress.clear();
    if (!complete) throw Failure(complete.error(), kBroken);
    Json result = collector->result();
    result["database"] = file;
    if (!*complete) result["resume"] = command_text(session);
    session.finish(result);
    if (!session.json()) {
        print_result(result, file);
        if (!*complete) fmt::print("stopped; go on with: {}\n", command_text(session));
    }
    return *complete ? kDone : kNo;
}

}  // namespace

void add_lab_collect(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "collect", "Search positions at every depth and keep the values as samples",
        {"karikomi lab collect GAME --games 5 --depth 4",
         "karikomi lab collect GAME --games 3 --depth 4 --balance --threads 2"});
    const auto o = std::make_shared<CollectOptions>();
    o->lab.add_to(command);
    add_number(command, "--depth", o->depth, {1, Calibration::kDepths - 1},
               "Deepest search; every depth below comes with it");
    add_name(command, "--pairs", o->pairs, "S:D,...", "Or: as deep as these pairs need");
    add_name(command, "--engine", o->engine, "PROTOCOL:COMMAND",
             "Measure another program: usi?option.NAME=VALUE:COMMAND, nboard:, gomocup:");
    add_sources(command, *o);
    o->rules.add_to(command);
    const std::string group = "Parameters (every technique is off unless it is named)";
    add_list(command, "--with", o->with, "NAMES", "Techniques that stay on: NAME[,NAME...]")
        .once_each()
        .group(group);
    add_name(command, "--params", o->params_file, "FILE", "Instead of the shipped ones")
        .group(group);
    add_list(command, "--set", o->assignments, "PATH=VALUE", "Set one parameter; may be repeated")
        .once_each()
        .group(group);
    o->nats.add_to(command, "Let workers of this server search: nats://HOST:4222");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
