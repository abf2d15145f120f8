/// karikomi review: every move of a recorded game, what it lost, and where the game turned.
#include "karikomi/lab/review.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/facets.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/report_page.hpp"
#include "karikomi/server/assets.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kDefaultNodes = 200'000;
constexpr std::int64_t kHourMs = 3'600'000;

struct ReviewOptions {
    std::string file;
    std::string text;
    std::string game;
    std::int64_t number = 1;
    std::int64_t depth = 0;
    std::int64_t nodes = 0;
    std::int64_t time_ms = 0;
    std::string style;
    std::string language = "en";
    std::string html;
    std::string to;
    std::string out;
    EngineOptions engine;
    TuningOptions tuning;
};

/// A record and the game that it is of.
struct Found {
    const GameModule* module = nullptr;
    std::unique_ptr<RecordFile> records;
};

/// All moves are moves of this game.
bool is_playable(const GameModule& module, const PlayedGame& game) {
    const auto engine = module.make({});
    if (!engine || !(*engine)->set_position(game.start)) return false;
    return std::all_of(game.moves.begin(), game.moves.end(),
                       [&](const PlayedMove& m) { return bool((*engine)->play(m.move)); });
}

Expected<std::unique_ptr<RecordFile>> read(const GameModule& module, const ReviewOptions& o) {
    return o.file.empty() ? module.records->read(o.text, {}) : module.records->load(o.file, {});
}

/// The game is the first one whose records look so and whose rules allow every move.
Found find_record(const ReviewOptions& o) {
    if (!o.game.empty()) {
        const GameModule& module =
            module_with(&GameModule::records, o.game, "review: there are no records of '{}'");
        return {&module, take(read(module, o))};
    }
    if (!o.file.empty()) take(read_bytes(o.file));
    for (const GameModule* module : games()) {
        if (!module->records || !module->listed) continue;
        auto records = read(*module, o);
        if (!records || (*records)->size() == 0) continue;
        if (!is_playable(*module, (*records)->game(0))) continue;
        return {module, std::move(*records)};
    }
    throw Failure({fmt::format("review: {} is a record of no game that is known here",
                               o.file.empty() ? "the text" : "'" + o.file + "'"),
                   "name the game with --game to learn what is wrong"});
}

void check(const ReviewOptions& o, const Session& session) {
    if (o.file.empty() == o.text.empty()) {
        throw Failure({"review: give a file or --text, one of the two",
                       "see `karikomi review "
                       "--help`"});
    }
    if (o.language != "en" && o.language != "ja") {
        throw Failure({fmt::format("--language: '{}' is unknown", o.language), "use en or ja"});
    }
    if (o.to.empty() && !o.out.empty()) throw Failure({"--out: in which format?", "add --to"});
    if (!o.to.empty() && o.out.empty() && session.json()) {
        throw Failure(
            {fmt::format("--to {}: stdout is not the place for it", o.to), "add --out FILE"});
    }
}

std::string style_for(const GameModule& module, const ReviewOptions& o) {
    if (!module.notation) return {};
    std::string known = "plain";
    std::string of_language;
    for (const MoveStyle& style : module.notation->styles) {
        if (style.name == o.style) return style.name;
        if (style.language == o.language) of_language = style.name;
        known += ", " + style.name;
    }
    if (o.style == "plain") return {};
    if (o.style.empty()) return of_language;
    throw Failure({fmt::format("--notation: '{}' is unknown", o.style), "use one of " + known});
}

lab::ReviewPlan plan_of(const ReviewOptions& o, const GameModule& module) {
    lab::ReviewPlan plan;
    plan.limits.depth = static_cast<Depth>(o.depth);
    plan.limits.nodes = static_cast<std::uint64_t>(o.nodes);
    plan.limits.move_time_ms = o.time_ms;
    if (o.depth == 0 && o.nodes == 0 && o.time_ms == 0) {
        plan.limits.nodes = static_cast<std::uint64_t>(kDefaultNodes);
    }
    plan.style = style_for(module, o);
    return plan;
}

void print_review(const lab::Review& review, lab::Tongue tongue) {
    const PlayedGame& game = review.played;
    const bool named = !game.names[0].empty() || !game.names[1].empty();
    fmt::print("{}{}\n\n", bold(review.title),
               named ? fmt::format(": {} - {}", game.names[0], game.names[1]) : "");
    Table table({{"#"}, {"move", false}, {"value"}, {"loss"}, {"better", false}});
    for (const lab::ReviewedMove& m : review.moves) {
        if (!m.after) continue;
        const bool lost = m.loss >= 0.05;
        table.add({std::to_string(m.number), m.name, lab::value_text(*m.after, tongue),
                   lost ? fmt::format("{:.1f}", m.loss) : "",
                   lost && !m.before.names.empty() ? m.before.names.front() : ""});
    }
    fmt::print("{}\nValues are the first player's, after the move.\n", table.text());
    for (std::size_t side = 0; side < 2; ++side) {
        if (!review.mean_loss.at(side)) continue;
        fmt::print("A move of the {} player lost {:.2f} on average.\n",
                   side == 0 ? "first" : "second", *review.mean_loss.at(side));
    }
    const auto turning = review.turning_points();
    fmt::print("\n{}\n", turning.empty() ? "No move lost as much as 1." : "Turning points:");
    for (const lab::ReviewedMove* m : turning) {
        fmt::print("  {}\n", lab::sentence_of(*m, tongue));
    }
    if (!review.complete) {
        fmt::print("\nStopped after {} of {} moves.\n",
                   review.moves.empty() ? 0 : review.moves.size() - 1, review.played.moves.size());
    }
}

void write_html(const ReviewOptions& o, const Json& document) {
    std::string_view script;
    for (const server::Asset& asset : server::page_assets()) {
        if (asset.path == "/report/report.js") script = asset.bytes;
    }
    if (script.empty()) {
        throw Failure({"--html: this program was built without its page, which draws the graph",
                       "build it again where npm is, or use --json"});
    }
    const Json data = {{"review", document}};
    const std::string title = fmt::format("Karikomi: {}", document["title"].get<std::string>());
    write_output("--html", o.html, lab::report_html(data, script, title));
}

void write_record(const ReviewOptions& o, const GameModule& module, const lab::Review& review,
                  lab::Tongue tongue) {
    const auto text = take(module.records->write(lab::annotated(review, tongue), o.to));
    if (o.out.empty()) {
        fmt::print("{}", text);
    } else {
        write_output("--out", o.out, text);
    }
}

int run(const ReviewOptions& o, Session& session) {
    check(o, session);
    const Found found = find_record(o);
    const GameModule& module = *found.module;
    if (!o.to.empty()) {
        const FormatInfo* const format = module.records->find(o.to);
        if (format == nullptr || !format->write) {
            throw Failure({fmt::format("--to: '{}' is not written for {}", o.to, module.title),
                           "see `karikomi records --help`"});
        }
    }
    const std::size_t games = found.records->size();
    if (games == 0) {
        const auto& errors = found.records->errors();
        throw Failure({errors.empty() ? "review: there is no game" : describe(errors.front()),
                       "correct the record"});
    }
    if (static_cast<std::size_t>(o.number) > games) {
        throw Failure({fmt::format("--number: there are {} games", games), "choose one of them"});
    }
    const PlayedGame game = found.records->game(static_cast<std::size_t>(o.number) - 1);
    const auto engine = ready_engine(module.name, o.engine, o.tuning);
    for (const auto& [name, value] : game.rules) {
        if (const Status s = engine->set_rule(name, value); !s) throw Failure(s.error());
    }
    const std::string params = fingerprint(engine->params(), engine->info());
    session.begin(params);
    lab::ReviewPlan plan = plan_of(o, module);
    plan.stop = session.stop();
    Progress progress("review", game.moves.size());
    plan.progress = [&](std::size_t done, std::size_t all) {
        progress.show(static_cast<double>(done), fmt::format("move {} of {}", done, all));
    };
    const lab::Review review = take(lab::review_game(*engine, module, game, plan));
    progress.clear();
    const auto tongue = o.language == "ja" ? lab::Tongue::Japanese : lab::Tongue::English;
    Json document = lab::to_json(review);
    document["language"] = o.language;
    document["fingerprint"] = params;
    document["evaluation"] = engine->info().evaluation;
    document["limits"] = {{"depth", plan.limits.depth},
                          {"nodes", plan.limits.nodes},
                          {"time_ms", plan.limits.move_time_ms}};
    if (!o.html.empty()) write_html(o, document);
    if (!o.to.empty()) write_record(o, module, review, tongue);
    const bool record_on_stdout = !o.to.empty() && o.out.empty();
    if (!session.json() && !record_on_stdout) print_review(review, tongue);
    session.finish(document);
    return kDone;
}

}  // namespace

void add_review(Program& program) {
    Command command = program.add(
        "review", "Review a recorded game: what every move lost, and the turning points",
        {"karikomi review game.kif",
         "karikomi review game.kif --language ja --to kif --out "
         "reviewed.kif",
         "karikomi review game.ggf --nodes 1000000 --html review.html",
         "karikomi review --text '7g7f 3c3d' --game GAME --json"});
    const auto o = std::make_shared<ReviewOptions>();
    add_name(command, "FILE", o->file, "", "A record of any game that has records");
    add_name(command, "--text", o->text, "TEXT", "Read this text instead of a file");
    add_name(command, "--game", o->game, "GAME", "Whose record it is (default: by the contents)");
    add_number(command, "--number", o->number, {1, 1'000'000}, "Which game of the file");
    add_number(command, "--depth", o->depth, {1, kMaxDepth}, "Search each position to this depth");
    add_number(
        command, "--nodes", o->nodes, {1, 1'000'000'000'000},
        fmt::format("... with so many nodes (default, when no limit is given: {})", kDefaultNodes));
    add_number(command, "--time-ms", o->time_ms, {1, kHourMs}, "... for so long");
    add_name(command, "--notation", o->style, "STYLE",
             "How moves are written: plain, or a style of the game, such as japanese or western "
             "(default: that of the language)");
    add_name(command, "--language", o->language, "en|ja", "Of the sentences and comments");
    add_name(command, "--html", o->html, "FILE", "Also write a page with a graph, for any browser");
    add_name(command, "--to", o->to, "FORMAT",
             "Also write the record with comments and the better lines as variations");
    add_name(command, "--out", o->out, "FILE", "Where --to writes (default: stdout)");
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::With);
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
