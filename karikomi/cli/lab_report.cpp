/// karikomi lab report: one HTML file that shows what was measured.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/report.hpp"
#include "karikomi/lab/report_page.hpp"
#include "karikomi/lab/store/machine.hpp"
#include "karikomi/server/assets.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

struct ReportOptions {
    std::vector<std::string> samples;
    std::vector<std::string> matches;
    std::vector<std::string> tunings;
    std::int64_t held_out = 20;
    std::string out = "report.html";
};

/// The bundle of web/src/report, which is a part of the program where npm was there to make it.
std::string_view drawing_script() {
    for (const server::Asset& a : server::page_assets()) {
        if (a.path == "/report/report.js") return a.bytes;
    }
    throw Failure({"lab report: this program was built without the page, which draws the charts",
                   "install nodejs and npm, then build again"},
                  kBroken);
}

/// Samples where `lab collect` puts them when nobody says.
std::vector<std::string> usual_samples() {
    std::vector<std::string> out;
    for (const GameModule* m : games()) {
        const std::string file = state_file(fmt::format("lab-{}.db", m->name));
        if (!file.empty() && std::filesystem::exists(file)) out.push_back(file);
    }
    return out;
}

int run(const ReportOptions& o, Session& session) {
    lab::ReportSources sources{o.samples, o.matches, o.tunings, static_cast<int>(o.held_out)};
    if (o.samples.empty() && o.matches.empty() && o.tunings.empty()) {
        sources.samples = usual_samples();
    }
    if (sources.samples.empty() && o.matches.empty() && o.tunings.empty()) {
        throw Failure({"lab report: there is nothing to show",
                       "collect samples first: karikomi lab collect GAME"});
    }
    session.begin(nullptr);
    const std::string_view script = drawing_script();
    Json data = take(lab::report_data(sources));
    data["made"] = {{"version", kVersion},
                    {"commit", kCommit},
                    {"date", lab::utc_now()},
                    {"machine", lab::machine_json()},
                    {"command", command_text(session)}};
    const std::string html = lab::report_html(data, script);
    write_output("--out", o.out, html);
    session.finish({{"out", o.out},
                    {"bytes", html.size()},
                    {"games", data["games"].size()},
                    {"matches", data["matches"].size()},
                    {"tunings", data["tunings"].size()}});
    if (!session.json()) fmt::print("written to {}\n", o.out);
    return kDone;
}

}  // namespace

void add_lab_report(Program& program, Command& lab) {
    Command command = program.add_to(
        lab, "report", "One HTML file with plots of all that was measured; opens offline",
        {"karikomi lab collect GAME --depth 3 && karikomi lab report --out "
         "/tmp/report.html"});
    const auto o = std::make_shared<ReportOptions>();
    const auto files = [&](const char* name, std::vector<std::string>& to, const char* help) {
        add_list(command, name, to, "FILE", help).once_each();
    };
    files("--db", o->samples, "Samples; may be repeated (default: all in the user's state folder)");
    files("--match", o->matches, "A database of `karikomi match`; may be repeated");
    files("--tune", o->tunings, "A database of `karikomi tune --method spsa`; may be repeated");
    add_number(command, "--holdout", o->held_out, {0, 90}, "As `lab fit` had it");
    add_text(command, "--out", o->out, "FILE", "Where to write it");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
