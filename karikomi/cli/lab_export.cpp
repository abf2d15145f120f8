/// karikomi lab export: what a file of the laboratory holds, as CSV for other programs.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/facets.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/subject.hpp"

namespace karikomi::cli {
namespace {

struct ExportOptions {
    LabOptions lab;
    std::string what = "samples";
    std::int64_t number = 0;
    std::int64_t held_out = 20;
    std::string out;
};

/// As RFC 4180 has it.
std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}
std::string field(const Json& j) {
    if (j.is_null()) return "";
    if (j.is_string()) return field(j.get<std::string>());
    if (j.is_boolean()) return j.get<bool>() ? "1" : "0";
    return j.dump();
}

class Csv {
public:
    explicit Csv(const std::vector<std::string>& head) { line(head); }
    void line(const std::vector<std::string>& fields) {
        text_ += fmt::format("{}\n", fmt::join(fields, ","));
        ++lines_;
    }
    const std::string& text() const { return text_; }
    std::size_t rows() const { return lines_ - 1; }

private:
    std::string text_;
    std::size_t lines_ = 0;
};

std::string whole(std::int64_t x) {
    return fmt::format("{}", x);
}

Csv samples_csv(const lab::SampleStore& store, int held_out) {
    const auto depth = store.conditions().at("depth").get<Depth>();
    std::vector<std::string> head = {"position", "game", "held_out", "stage",
                                     "side",     "ply",  "value_0"};
    for (Depth d = 1; d <= depth; ++d) head.push_back(fmt::format("value_{}", d));
    for (Depth d = 1; d <= depth; ++d) head.push_back(fmt::format("nodes_{}", d));
    Csv csv(head);
    store.for_each(held_out, [&](const lab::Sample& s, bool out) {
        std::vector<std::string> row = {field(s.position), fmt::format("{:016x}", s.game),
                                        out ? "1" : "0",   whole(s.stage),
                                        whole(s.side),     s.ply < 0 ? "" : whole(s.ply)};
        for (Depth d = 0; d <= depth; ++d) {
            const Value v = s.any_value(d);
            row.push_back(v == kNoValue ? "" : whole(v));
        }
        for (Depth d = 1; d <= depth; ++d) {
            const auto at = static_cast<std::size_t>(d) - 1;
            row.push_back(at < s.nodes.size() ? fmt::format("{}", s.nodes[at]) : "");
        }
        csv.line(row);
    });
    return csv;
}

using Runs = std::map<std::uint64_t, Json>;

Csv runs_csv(const Runs& runs) {
    Csv csv({"run", "date", "met", "fingerprint", "commit", "command"});
    for (const auto& [number, run] : runs) {
        const Json& result = run.at("result");
        const Json& c = result.at("conditions");
        csv.line({fmt::format("{}", number), field(c.at("date")), field(result.at("met")),
                  field(c.at("fingerprint")), field(c.at("commit")), field(c.at("command"))});
    }
    return csv;
}

void coverage_rows(Csv& csv, std::uint64_t run, const Json& coverage) {
    if (coverage.is_null()) return;
    const std::string bound = field(coverage.value("bound", Json("normal")));
    const auto add = [&](const std::string& scope, const Json& c, bool cell) {
        for (const Json& level : c.at("levels")) {
            for (const char* side : {"above", "below"}) {
                const auto of = [&](const char* suffix) {
                    return field(level.at(fmt::format("{}{}", side, suffix)));
                };
                csv.line({fmt::format("{}", run), bound, scope, cell ? field(c.at("stage")) : "",
                          cell ? field(c.at("shallow")) : "", cell ? field(c.at("deep")) : "",
                          field(c.at("samples")), field(c.at("games")), field(level.at("level")),
                          field(level.at("allowed")), side, of(""), of("_low"), of("_high")});
            }
        }
    };
    add("all", coverage.at("all"), false);
    add("own_cells", coverage.at("own_cells"), false);
    add("model", coverage.at("model"), false);
    for (const Json& p : coverage.value("probed", Json::array())) {
        add(field(p.at("pairs_of")), p.at("by_level"), false);
    }
    for (const Json& cell : coverage.at("cells")) add("cell", cell, true);
}

Csv coverage_csv(const Runs& runs) {
    Csv csv({"run", "bound", "scope", "stage", "shallow", "deep", "samples", "games", "level",
             "allowed", "side", "share", "low", "high"});
    for (const auto& [number, run] : runs) {
        coverage_rows(csv, number, run.at("result").at("coverage"));
        coverage_rows(csv, number, run.at("result").value("other_bound", Json(nullptr)));
    }
    return csv;
}

/// One line for each search.
Csv ablation_csv(const Runs& runs) {
    Csv csv({"run", "position", "setting", "nodes", "cpu_us", "value", "first_move_cut_rate",
             "move", "depth_at_time"});
    for (const auto& [number, run] : runs) {
        const Json& raw = run.at("raw");
        if (!raw.contains("ablation")) continue;
        for (const Json& row : raw.at("ablation")) {
            const Json& position = raw.at("positions").at(row.at("number").get<std::size_t>());
            for (std::size_t i = 0; i < row.at("result").size(); ++i) {
                const Json& found = row.at("result").at(i);
                std::vector<std::string> line = {fmt::format("{}", number), field(position),
                                                 field(raw.at("settings").at(i))};
                for (const Json& x : found) line.push_back(field(x));
                csv.line(line);
            }
        }
    }
    return csv;
}

/// One line for each search, technique, depth and probe.
Csv audit_csv(const Runs& runs) {
    Csv csv({"run", "position", "technique", "left_out", "depth", "made", "not_finished", "shallow",
             "checked", "wrong"});
    for (const auto& [number, run] : runs) {
        const Json& raw = run.at("raw");
        if (!raw.contains("shipped audit")) continue;
        for (const Json& row : raw.at("shipped audit")) {
            const Json& position = raw.at("positions").at(row.at("number").get<std::size_t>());
            for (const Json& s : row.at("result")) {
                const std::vector<std::string> head = {fmt::format("{}", number),
                                                       field(position),
                                                       field(s.at(0)),
                                                       s.at(1).get<bool>() ? "moves" : "nodes",
                                                       field(s.at(2)),
                                                       field(s.at(3)),
                                                       field(s.at(4))};
                Json pairs = s.at(5);
                if (pairs.empty()) pairs.push_back({nullptr, 0, 0});
                for (const Json& pair : pairs) {
                    std::vector<std::string> line = head;
                    for (const Json& x : pair) line.push_back(field(x));
                    csv.line(line);
                }
            }
        }
    }
    return csv;
}

Runs runs_of(const ExportOptions& o, const lab::SampleStore& store) {
    Runs runs = store.records(kVerifyRuns);
    if (runs.empty()) {
        throw Failure({fmt::format("lab export: '{}' holds no run of `lab verify`", o.lab.file()),
                       fmt::format("make one: karikomi lab verify {}", o.lab.game)});
    }
    if (o.number == 0) return runs;
    const auto number = static_cast<std::uint64_t>(o.number);
    if (!runs.contains(number)) {
        throw Failure({fmt::format("--run: there is no run {}; the last one is {}", o.number,
                                   runs.rbegin()->first),
                       "see `karikomi lab export GAME --what runs`"});
    }
    return {{number, runs.at(number)}};
}

Csv csv_of(const ExportOptions& o, const lab::SampleStore& store) {
    if (o.what == "samples") return samples_csv(store, static_cast<int>(o.held_out));
    const std::pair<const char*, Csv (*)(const Runs&)> parts[] = {{"runs", runs_csv},
                                                                  {"coverage", coverage_csv},
                                                                  {"ablation", ablation_csv},
                                                                  {"audit", audit_csv}};
    for (const auto& [name, make] : parts) {
        if (o.what == name) return make(runs_of(o, store));
    }
    throw Failure({fmt::format("--what: '{}' is unknown", o.what),
                   "use one of samples, runs, coverage, ablation, audit"});
}

int run(const ExportOptions& o, Session& session) {
    const auto engine = o.lab.engine();
    const auto store = read_samples(o.lab, *engine, Whose::Any);
    session.begin(nullptr);
    const Csv csv = csv_of(o, *store);
    if (!o.out.empty()) write_output("--out", o.out, csv.text());
    const Json result = {{"game", o.lab.game},
                         {"what", o.what},
                         {"rows", csv.rows()},
                         {"out", o.out.empty() ? Json(nullptr) : Json(o.out)},
                         {"csv", o.out.empty() ? Json(csv.text()) : Json(nullptr)}};
    if (!session.json()) {
        if (o.out.empty()) {
            fmt::print("{}", csv.text());
        } else {
            fmt::print("{} rows written to {}\n", csv.rows(), o.out);
        }
    }
    session.finish(result);
    return csv.rows() > 0 ? kDone : kNo;
}

}  // namespace

void add_lab_export(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "export", "Samples, or every run of `lab verify` with its raw rows, as CSV",
        {"karikomi lab collect GAME --games 5 --depth 3 && karikomi lab export GAME"});
    const auto o = std::make_shared<ExportOptions>();
    o->lab.add_to(command);
    add_text(command, "--what", o->what, "PART", "samples, runs, coverage, ablation or audit");
    add_number(command, "--run", o->number, {1, 1'000'000}, "Only this run (default: all)");
    add_number(command, "--holdout", o->held_out, {0, 100},
               "samples: percent of the games that `lab fit` held out");
    add_name(command, "--out", o->out, "FILE", "Write it there (default: print it)");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
