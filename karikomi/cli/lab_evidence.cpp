/// karikomi lab evidence: which figures are older than what ships, and measuring them again.
#include <filesystem>

#include <fmt/format.h>

#include "karikomi/cli/deadline.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/trust.hpp"
#include "karikomi/cli/worth_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

using evidence::Records;
using evidence::Todo;

struct EvidenceCommand {
    WorthSettings settings;
    std::string results = "results";
    bool list = false;
};

/// A match of the past, as it was, with what ships now.
CellRun repeat_match(const EvidenceCommand& o, const Todo& todo, const std::string& folder,
                     const StopToken& stop, Session& session) {
    match::MatchConfig config = take(match::config_of(todo.record.at("config")));
    if (const auto commands = commands_of(config); !commands.empty()) {
        if (!o.settings.play.allow_commands) {
            throw Failure({fmt::format("'{}': is a match against another program: {}", todo.id,
                                       commands.front()),
                           "give --allow-commands where you trust the results file"});
        }
    }
    o.settings.play.set_how(config);
    const std::string file = (std::filesystem::path(folder) / (todo.id + ".db")).string();
    const auto m = take(match::Match::make(config, file));
    CellRun run;
    run.complete = play_on(o.settings, todo.id, *m, stop, session);
    if (!run.complete) return run;  // half a match is no figure
    // What people have written about the figure stays: what it is, conditions in words.
    Json record = todo.record;
    record.erase("file");
    record.erase("older");
    record.update(take(evidence::record_of_match(m->store(), command_text(session))));
    record["config"] = todo.record.at("config");
    run.record = std::move(record);
    return run;
}

/// False: it was stopped.
bool renew(const EvidenceCommand& o, const std::vector<Todo>& todos, const evidence::Shipped& now,
           Session& session) {
    const Deadline deadline(session.stop(), o.settings.time_limit());
    const std::string folder = o.settings.folder(now.parameters);
    const evidence::WorthOptions options = o.settings.read();
    for (const Todo& todo : todos) {
        if (!todo.can) continue;
        if (deadline.stop().stop_requested()) return false;
        const CellRun run =
            todo.cell ? run_cell(o.settings, options, *todo.cell, folder, deadline.stop(), session)
                      : repeat_match(o, todo, folder, deadline.stop(), session);
        if (!run.record.is_null()) require(evidence::save_record(todo.file, run.record));
        session.stream({{"event", "figure"}, {"id", todo.id}, {"complete", run.complete}});
        if (!run.complete) return false;
    }
    return true;
}

Json to_json(const std::vector<Todo>& todos) {
    Json out = Json::array();
    for (const Todo& t : todos) {
        out.push_back({{"id", t.id}, {"why", t.why}, {"file", t.file}, {"can_repeat", t.can}});
    }
    return out;
}

void print_todos(const std::vector<Todo>& todos) {
    Table table({{"figure", false}, {"why", false}, {"file", false}, {"", false}});
    std::size_t shown = 0;
    for (const Todo& t : todos) {
        if (!t.can) continue;
        table.add({t.id, t.why, t.file, ""});
        ++shown;
    }
    if (shown > 0) fmt::print("{}\n", table.text());
    fmt::print(
        "{} to measure, most valuable first; {} older figures have no configuration on "
        "record: measure them by their command\n",
        shown, todos.size() - shown);
}

std::vector<Todo> todos_now(const EvidenceCommand& o, const std::vector<evidence::Cell>& plan,
                            const evidence::Shipped& now) {
    const Records records = take(evidence::read_folder(o.results));
    const std::string file =
        (std::filesystem::path(o.results) / fmt::format("worth-{}.json", o.settings.game)).string();
    return evidence::todo_of(plan, o.settings.game, records, now, file);
}

int run(const EvidenceCommand& o, Session& session) {
    const auto engine = take(make_engine(o.settings.game));
    const auto plan = take(evidence::plan_of(*engine, o.settings.read()));
    const evidence::Shipped now = take(evidence::shipped_of(o.settings.game));
    session.begin(now.parameters);
    std::vector<Todo> todos = todos_now(o, plan, now);
    const bool complete = o.list || renew(o, todos, now, session);
    if (!o.list) todos = todos_now(o, plan, now);
    if (!session.json()) {
        print_todos(todos);
        if (!complete) fmt::print("stopped; the same command goes on\n");
        if (!o.list) fmt::print("now write the pages anew: tools/evidence.py render\n");
    }
    session.finish({{"game", o.settings.game},
                    {"parameters", now.parameters},
                    {"evaluation", now.evaluation},
                    {"results", o.results},
                    {"to_do", to_json(todos)},
                    {"complete", complete}});
    return complete ? kDone : kNo;
}

}  // namespace

void add_lab_evidence(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "evidence", "Which published figures are older than what ships; measures them again",
        {"karikomi lab evidence GAME --results results --list",
         "karikomi lab evidence GAME --results results --hours 2"});
    const auto o = std::make_shared<EvidenceCommand>();
    o->settings.add_to(command);
    add_name(command, "--results", o->results, "FOLDER", "The results files (docs/evidence.md)");
    add_switch(command, "--list", o->list, "Measure nothing: only say what is to be done");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
