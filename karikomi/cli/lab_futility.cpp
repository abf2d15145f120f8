/// karikomi lab futility: what quiet moves gain, and the margins that follow.
#include <algorithm>

#include <fmt/format.h>

#include "karikomi/cli/facets.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/ablation.hpp"
#include "karikomi/lab/futility.hpp"

namespace karikomi::cli {
namespace {

struct FutilityOptions {
    LabOptions lab;
    std::int64_t depth = 5;
    std::int64_t positions = 60;
    std::string quantile = "0.97";
    std::string params_file;
    std::string write;
    bool stages = false;
};

Json row_json(const lab::GainCell& c, const lab::Gains& g) {
    return {{"to_move", c.opponent ? "opponent" : "self"},
            {"colour", c.colour == 0 ? "first" : "second"},
            {"depth", c.depth},
            {"stage", c.stage < 0 ? Json(nullptr) : Json(c.stage)},
            {"samples", g.count()},
            {"nonzero", g.nonzero()},
            {"p90", g.quantile(0.90)},
            {"p95", g.quantile(0.95)},
            {"p99", g.quantile(0.99)},
            {"p95_with_outliers", g.quantile(0.95, kInfinity * 4)},
            {"p99_with_outliers", g.quantile(0.99, kInfinity * 4)},
            {"max", g.most()},
            {"outliers", g.outliers()}};
}

void print_rows(const Json& rows, bool stages) {
    std::vector<Table::Column> columns = {{"to move", false}, {"colour", false}, {"depth"}};
    if (stages) columns.push_back({"stage"});
    for (const char* title : {"moves", "gain", "P90", "P95", "P99", "max"}) {
        columns.push_back({title});
    }
    Table table(columns);
    for (const Json& r : rows) {
        std::vector<std::string> row = {r["to_move"], r["colour"], r["depth"].dump()};
        if (stages) row.push_back(r["stage"].dump());
        row.push_back(grouped(r["samples"].get<std::uint64_t>()));
        row.push_back(fmt::format("{:.0f} %", 100 * r["nonzero"].get<double>()));
        for (const char* key : {"p90", "p95", "p99", "max"}) row.push_back(r[key].dump());
        table.add(std::move(row));
    }
    fmt::print("{}\n", table.text());
}

void write_margins(const FutilityOptions& o, const Engine& engine, SearchParams params,
                   const lab::Margins& margins, Json provenance) {
    for (const std::string& m : margins.settings) require(set_param(params, m));
    provenance["margins"] = margins.settings;
    provenance["borrowed"] = margins.borrowed;
    write_output("--write", o.write,
                 pretty(write_params(params, engine.info(), provenance)) + "\n");
}

int run(const FutilityOptions& o, Session& session) {
    const double quantile = number_of("--quantile", o.quantile);
    if (quantile < 0.5 || quantile >= 1) {
        throw Failure({"--quantile: outside 0.5..1", "choose a value between 0.95 and 0.99"});
    }
    const StopToken stop = session.stop();
    const auto engine = o.lab.engine();
    SearchParams base = engine->params();
    if (!o.params_file.empty()) base = params_from(o.params_file, engine->info());
    session.begin(fingerprint(base, engine->info()));
    lab::GainOptions gains;
    gains.game = o.lab.game;
    gains.weights_file = o.lab.weights_file;
    gains.depth = static_cast<Depth>(o.depth);
    gains.threads = static_cast<int>(o.lab.threads);
    gains.hash_mb = static_cast<int>(o.lab.hash_mb);
    gains.positions =
        lab::positions_of(*read_samples(o.lab, *engine), static_cast<std::size_t>(o.positions), 0,
                          static_cast<std::uint64_t>(o.lab.seed));
    const auto store = take(lab::SampleStore::open(o.lab.file()));
    Progress progress("futility", gains.positions.size());
    const bool complete = take(lab::measure_gains(gains, *store, stop, [&](std::size_t done) {
        progress.show(static_cast<double>(done), "positions");
    }));
    progress.clear();
    const lab::GainTable table = lab::stored_gains(gains, *store);
    const lab::GainTable flat = lab::over_stages(table);
    Json rows = Json::array();
    for (const auto& [cell, g] : o.stages ? table : flat) rows.push_back(row_json(cell, g));
    Json result = {{"game", o.lab.game}, {"complete", complete}, {"rows", rows}};
    const lab::Margins margins = lab::margins_at(flat, quantile);
    result["quantile"] = quantile;
    result["margins"] = margins.settings;
    result["borrowed"] = margins.borrowed;
    result["conditions"] = lab_conditions(session, engine->info(), base);
    result["conditions"]["depth"] = gains.depth;
    result["conditions"]["positions"] = gains.positions.size();
    Json kept = result;
    kept["gains"] = lab::to_json(flat);
    store->set_fact("futility", kept);  // for the report
    if (!session.json()) {
        print_rows(rows, o.stages);
        fmt::print("Margins at the {} quantile:\n", o.quantile);
        for (const std::string& m : margins.settings) fmt::print("  --set '{}'\n", m);
        for (const std::string& b : margins.borrowed) fmt::print("  {}\n", b);
        if (!complete) fmt::print("stopped; go on with: {}\n", command_text(session));
    } else if (!complete) {
        result["resume"] = command_text(session);
    }
    if (complete && !o.write.empty()) {
        write_margins(o, *engine, base, margins, result["conditions"]);
    }
    session.finish(result);
    return complete ? kDone : kNo;
}

}  // namespace

void add_lab_futility(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "futility", "What quiet moves gain in search, and the futility margins that follow",
        examples_for("lab futility", "karikomi lab futility GAME --depth 3"));
    const auto o = std::make_shared<FutilityOptions>();
    o->lab.add_to(command);
    add_number(command, "--depth", o->depth, {2, 60}, "Of the searches");
    add_number(command, "--positions", o->positions, {1, 1'000'000},
               "Of the samples, spread over the stages");
    add_text(command, "--quantile", o->quantile, "Q", "Where the margins are read");
    add_switch(command, "--stages", o->stages, "Show each stage of the game");
    add_name(command, "--params", o->params_file, "FILE",
             "Take everything else from here (default: the shipped parameters)");
    add_name(command, "--write", o->write, "FILE", "Write a parameter file with the margins");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
