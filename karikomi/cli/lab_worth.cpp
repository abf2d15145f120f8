/// karikomi lab worth: what each technique is worth, by budget.
#include <filesystem>

#include <fmt/format.h>

#include "karikomi/cli/deadline.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/worth_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using evidence::Cell;
using evidence::Records;
using evidence::WorthTable;

struct WorthCommand {
    WorthSettings settings;
    std::string chart;
    bool show = false;
};

std::string interval_text(const Json& r) {
    return fmt::format("{:+.0f} [{:+.0f}, {:+.0f}]", r["value"].get<double>(),
                       r["low"].get<double>(), r["high"].get<double>());
}

std::string elo_text(const Json& record) {
    const Json& result = record["result"];
    if (!result.is_object()) return "does nothing";
    return interval_text(result) + (record.value("complete", false) ? "" : " so far");
}

/// How often it acts: of the first technique that the figure is about.
std::string acts_text(const Json& record) {
    const Json acts = record.value("acts", Json(nullptr));
    if (!acts.is_object() || acts["techniques"].size() != 1) return "";
    const Json& one = acts["techniques"].front();
    return fmt::format("{:.3g}", one["in_1000_nodes"].get<double>());
}

void print_table(const WorthTable& t) {
    std::vector<Table::Column> columns = {{"worth, Elo", false}};
    for (const std::string& b : t.budgets) {
        columns.push_back({b});
        columns.push_back({"games"});
        columns.push_back({"acts"});
    }
    Table table(columns);
    for (const evidence::WorthRow& row : t.rows) {
        std::vector<std::string> line = {row.subject + (row.shipped ? "" : " (off)")};
        for (const std::string& b : t.budgets) {
            const auto at = row.by_budget.find(b);
            const bool known = at != row.by_budget.end();
            const bool played = known && at->second.contains("counts");
            line.push_back(known ? elo_text(at->second) : "");
            line.push_back(played ? at->second["counts"]["games"].dump() : "");
            line.push_back(known ? acts_text(at->second) : "");
        }
        table.add(line);
    }
    fmt::print(
        "{}\nacts: how often in 1 000 nodes, on positions of these games; (off): what "
        "switching it on is worth\n",
        table.text());
}

void print_interactions(const std::vector<evidence::Interaction>& all) {
    if (all.empty()) return;
    Table table({{"pair", false}, {"budget"}, {"as shipped"}, {"other changed"}, {"interaction"}});
    const auto text = [](const match::Interval& i) { return interval_text(match::to_json(i)); };
    for (const auto& i : all) {
        table.add({i.subject, i.budget, text(i.as_shipped), text(i.flipped), text(i.difference)});
    }
    fmt::print("\n{}\ninteraction: what the first is worth with the second on, less with it off\n",
               table.text());
}

Json interactions_json(const std::vector<evidence::Interaction>& all) {
    Json out = Json::array();
    for (const auto& i : all) {
        out.push_back({{"subject", i.subject},
                       {"budget", i.budget},
                       {"as_shipped", match::to_json(i.as_shipped)},
                       {"flipped", match::to_json(i.flipped)},
                       {"interaction", match::to_json(i.difference)}});
    }
    return out;
}

/// Where the records of a run are kept besides its games.
std::string records_file(const std::string& folder) {
    return (std::filesystem::path(folder) / "worth.json").string();
}

bool is_done(const Records& records, const Cell& cell, const evidence::Shipped& now) {
    const auto at = records.find(cell.id);
    if (at == records.end() || !at->second.value("complete", false)) return false;
    const Json& worth = at->second["worth"];
    return evidence::age_of(at->second, now) == evidence::Age::Current &&
           worth["half_width"].get<double>() <= cell.at.half_width;
}

/// False: it was stopped.
bool measure(const WorthCommand& o, const std::vector<Cell>& plan, const std::string& folder,
             const std::string& file, Session& session) {
    const evidence::WorthOptions options = o.settings.read();
    const Deadline deadline(session.stop(), o.settings.time_limit());
    const evidence::Shipped now = take(evidence::shipped_of(o.settings.game));
    for (std::size_t i = 0; i < plan.size(); ++i) {
        if (is_done(take(evidence::read_records(file)), plan[i], now)) continue;
        if (deadline.stop().stop_requested()) return false;
        CellRun run = run_cell(o.settings, options, plan[i], folder, deadline.stop(), session);
        if (!run.record.is_null()) {
            require(evidence::save_record(file, run.record));
            session.log("cell", run.record);
        }
        session.stream({{"event", "cell"},
                        {"id", plan[i].id},
                        {"number", i + 1},
                        {"of", plan.size()},
                        {"complete", run.complete},
                        {"result", run.record.is_null() ? Json(nullptr) : run.record["result"]}});
        if (!run.complete) return false;
    }
    return true;
}

int run(const WorthCommand& o, const std::string& evidence_file, Session& session) {
    const auto engine = take(make_engine(o.settings.game));
    const auto plan = take(evidence::plan_of(*engine, o.settings.read()));
    const std::string mark = fingerprint(engine->params(), engine->info());
    const std::string folder = o.settings.folder(mark);
    const std::string file = evidence_file.empty() ? records_file(folder) : evidence_file;
    session.begin(mark);
    const bool complete = o.show || measure(o, plan, folder, file, session);
    const Records records = take(evidence::read_records(file));
    const WorthTable table = evidence::worth_table(o.settings.game, records);
    const auto interactions = evidence::interactions_of(o.settings.game, records);
    if (!o.chart.empty()) write_output("--chart", o.chart, evidence::worth_svg(table));
    Json result = {{"event", "result"}, {"game", o.settings.game}, {"rows", Json::array()}};
    for (const auto& row : table.rows) {
        for (const auto& [budget, record] : row.by_budget) result["rows"].push_back(record);
    }
    result["interactions"] = interactions_json(interactions);
    result["planned"] = plan.size();
    result["complete"] = complete;
    result["records"] = file;
    result["folder"] = folder;
    result["commit"] = kCommit;
    if (!session.json()) {
        print_table(table);
        print_interactions(interactions);
        fmt::print("records: {}; games: {}\n", file, folder);
        if (!complete) fmt::print("\nstopped; the same command goes on\n");
    }
    session.finish(result);
    return complete ? kDone : kNo;
}

}  // namespace

void add_lab_worth(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "worth", "What each technique is worth in games, by budget, with how often it acts",
        {"karikomi lab worth GAME --budgets 200,1600 --half-width 60 --only futility --hours "
         "0.05"});
    const auto o = std::make_shared<WorthCommand>();
    o->settings.add_to(command);
    command.remove_option("--allow-commands");  // all engines are our own
    add_name(command, "--chart", o->chart, "FILE", "Draw Elo by budget as SVG");
    add_switch(command, "--show", o->show, "Play nothing: the table as far as it is known");
    const auto file = std::make_shared<std::string>();
    add_name(command, "--evidence", *file, "FILE",
             "Results file (docs/evidence.md; default: worth.json beside the games)");
    command.does([o, file](Session& session) { return run(*o, *file, session); });
}

}  // namespace karikomi::cli
