/// karikomi analyze: searches one position and shows what the search found and did.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/notation.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kDefaultTimeMs = 5000;
constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t kMostNodes = 1'000'000'000'000'000;
constexpr std::int64_t kMostLevel = 1000;  // the game says how far its scale goes
constexpr std::int64_t kMostLines = 600;   // no position of our games has more legal moves

struct AnalyzeOptions {
    PositionOptions at;
    EngineOptions engine;
    TuningOptions tuning;
    std::int64_t depth = 0;  // 0: not given
    std::int64_t time_ms = 0;
    std::int64_t nodes = 0;
    std::int64_t multi_pv = 1;
    std::int64_t level = -1;  // not given
    bool stream = false;
    std::string notation;  ///< of the moves that are printed; empty: the engine's
};

SearchRequest request_of(const AnalyzeOptions& o) {
    SearchRequest request;
    request.limits.depth = static_cast<Depth>(o.depth);
    request.limits.nodes = static_cast<std::uint64_t>(o.nodes);
    request.limits.move_time_ms = o.time_ms;
    request.limits.level = static_cast<int>(o.level);
    const bool unlimited = o.depth == 0 && o.nodes == 0 && o.time_ms == 0 && o.level < 0;
    if (unlimited) request.limits.move_time_ms = kDefaultTimeMs;
    request.limits.multi_pv = static_cast<int>(o.multi_pv);
    request.legacy = o.tuning.legacy();
    return request;
}

void check(const AnalyzeOptions& o, const Session& session) {
    if (o.stream && !session.json()) {
        throw Failure({"--stream: text output is live anyway", "add --json"});
    }
    if (o.tuning.legacy() && o.multi_pv > 1) {
        throw Failure({"--multipv: --profile legacy finds one line only", "drop one of them"});
    }
}

void check_level(const AnalyzeOptions& o, const GameInfo& game) {
    if (o.level < 0) return;
    if (game.max_level == 0) {
        throw Failure({fmt::format("--level: {} has none", game.name), "give --depth or --nodes"});
    }
    if (o.level > game.max_level) {
        throw Failure({fmt::format("--level: {} is outside 0..{}", o.level, game.max_level),
                       "choose a level inside"});
    }
    if (o.tuning.legacy()) {
        throw Failure({"--level: --profile legacy has none", "drop one of them"});
    }
}

std::string describe_limits(const Limits& limits) {
    std::vector<std::string> parts;
    if (limits.level >= 0) parts.push_back(fmt::format("level {}", limits.level));
    if (limits.depth > 0) parts.push_back(fmt::format("depth {}", limits.depth));
    if (limits.nodes > 0) parts.push_back(grouped(limits.nodes) + " nodes");
    if (limits.move_time_ms > 0) parts.push_back(duration(limits.move_time_ms * 1000));
    return fmt::format("{}", fmt::join(parts, " or "));
}

/// A line of moves as the user wants to read it.
std::string line_text(const AnalyzeOptions& o, const std::string& start,
                      const std::vector<std::string>& line) {
    if (!o.notation.empty()) {
        const GameModule* const module = find_game(o.at.engine_name());
        const auto names = module->notation->names(start, line, o.notation);
        if (names) return fmt::format("{}", fmt::join(*names, " "));
    }
    return fmt::format("{}", fmt::join(line, " "));
}

void check_notation(const AnalyzeOptions& o) {
    if (o.notation.empty()) return;
    const GameModule* const module = find_game(o.at.engine_name());
    std::string known;
    if (module->notation) {
        for (const MoveStyle& style : module->notation->styles) {
            if (style.name == o.notation) return;
            known += (known.empty() ? "" : ", ") + style.name;
        }
    }
    throw Failure(
        {fmt::format("--notation: '{}' is unknown for {}", o.notation, module->title),
         known.empty() ? "drop it: its moves are written in one way only" : "use one of " + known});
}

// ---- Live output --------------------------------------------------------------------------------

/// Follows the search: a line of text or of JSON for each iteration, and the log.
class Watcher {
public:
    Watcher(Session& session, const AnalyzeOptions& options, const Limits& limits)
        : session_(session),
          options_(options),
          limits_(limits),
          progress_("analyze", limits.nodes > 0 ? limits.nodes : time_limit_us(limits)) {}

    /// The position that is searched.
    void set_start(const std::string& position) { start_ = position; }

    void print_header(const Engine& engine, const std::string& params) const {
        if (session_.json()) return;
        fmt::print("{}, {} player to move; up to {}; {}, {} MB; parameters {}\n\n",
                   bold(engine.info().title), side_of(engine), describe_limits(limits_),
                   counted(options_.engine.threads, "thread"), options_.engine.hash_mb, params);
        if (!options_.tuning.legacy()) {  // which reports no iterations
            fmt::print("{}\n",
                       dim(columns("#", "depth", "value", "nodes", "nodes/s", "time") + "line"));
        }
        std::fflush(stdout);
    }

    void see(const Info& info) {
        Json record = to_json(info);
        add_names(record, options_.at.engine_name(), start_, {});
        session_.log("iteration", record);
        if (options_.stream) {
            session_.stream(record);
        } else if (session_.json()) {
            const auto done = limits_.nodes > 0 ? static_cast<double>(info.total_nodes)
                                                : static_cast<double>(info.time_us);
            progress_.show(done, fmt::format("depth {}, {}", info.line.depth,
                                             describe_value(info.line.value)));
        } else {
            print_line(info);
        }
    }
    void done() {
        progress_.clear();
        if (lines_printed_ > 0) fmt::print("\n");
    }

private:
    static std::uint64_t time_limit_us(const Limits& limits) {
        return static_cast<std::uint64_t>(limits.move_time_ms) * 1000;
    }

    /// The number of the line only where there are several.
    template <class... Cells> std::string columns(std::string_view number, Cells... cells) const {
        const std::string first = options_.multi_pv > 1 ? fmt::format("{:>3} ", number) : "";
        return first + fmt::format("{:>7} {:>10} {:>15} {:>12} {:>9}  ", cells...);
    }

    void print_line(const Info& info) {
        ++lines_printed_;
        const std::string start = columns(
            std::to_string(info.multi_pv), fmt::format("{}/{}", info.line.depth, info.seldepth),
            describe_value(info.line.value), grouped(info.total_nodes),
            grouped(nodes_per_second(info.total_nodes, info.time_us)), duration(info.time_us));
        std::string line = line_text(options_, start_, info.line.pv);
        const std::size_t width = terminal_width();
        if (width > start.size() + 10) line = shortened(line, width - start.size());
        fmt::print("{}{}\n", start, line);
        std::fflush(stdout);
    }

    Session& session_;
    const AnalyzeOptions& options_;
    const Limits& limits_;
    Progress progress_;
    std::string start_;
    int lines_printed_ = 0;
};

// ---- The result ---------------------------------------------------------------------------------

/// A search that was stopped before its first iteration was done knows a legal move, but no value.
bool has_value(const Line& line) {
    return line.bound != Bound::None;
}

void clear_value(Json& line) {
    line["value"] = nullptr;
    line["decisive"] = false;
    line.erase("plies_to_end");
}

Json to_document(const Result& result, const Engine& engine, const AnalyzeOptions& options,
                 bool interrupted) {
    Json out = to_json(result);
    add_names(out, engine.info().name, engine.position_text(), {});
    if (result.lines.empty()) {  // the game is over
        clear_value(out);
        out["depth"] = 0;
        out["pv"] = Json::array();
    } else if (!has_value(result.lines.front())) {
        clear_value(out);
    }
    if (out.contains("lines")) {
        for (std::size_t i = 0; i < result.lines.size(); ++i) {
            if (!has_value(result.lines[i])) clear_value(out["lines"][i]);
        }
    }
    if (options.stream) out["final"] = true;
    const GameInfo& info = engine.info();
    out["game"] = info.name;
    out["side"] = side_of(engine);
    out["result"] = result_of(engine);
    out["interrupted"] = interrupted;
    out["profile"] = options.tuning.profile;
    if (options.level >= 0) out["level"] = options.level;
    out["threads"] = options.engine.threads;
    out["hash_mb"] = options.engine.hash_mb;
    out["evaluation"] = info.evaluation;
    out["fingerprint"] = fingerprint(engine.params(), info);
    return out;
}

/// The techniques that did anything.
std::string technique_table(const SelectiveStats& stats) {
    Table table({{"technique", false},
                 {"tried"},
                 {"succeeded"},
                 {"rate"},
                 {"probe nodes"},
                 {"saved nodes (estimate)"}});
    SelectiveStats copy = stats;
    copy.describe([&](std::string_view name, auto& s) {
        if (s.tried == 0 && s.succeeded == 0) return;
        const double rate = 100.0 * static_cast<double>(s.succeeded) /
                            static_cast<double>(std::max<std::uint64_t>(s.tried, 1));
        table.add({std::string(name), grouped(s.tried), grouped(s.succeeded),
                   fmt::format("{:.1f} %", rate), grouped(s.probe_nodes), grouped(s.saved_nodes)});
    });
    return table.empty() ? "No selective technique did anything.\n" : table.text();
}

void print_lines(const AnalyzeOptions& o, const std::string& start,
                 const std::vector<Line>& lines) {
    Table table({{"#"}, {"value"}, {"line", false}});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        table.add({std::to_string(i + 1),
                   has_value(lines[i]) ? describe_value(lines[i].value) : "unknown",
                   line_text(o, start, lines[i].pv)});
    }
    fmt::print("{}\n", table.text());
}

void print_result(const AnalyzeOptions& o, const std::string& start, const Result& result,
                  bool interrupted) {
    const Line& best = result.lines.front();
    const std::string value = has_value(best) ? describe_value(best.value) : "value unknown";
    fmt::print("best move {}  ({}, depth {}{})\n", bold(line_text(o, start, {result.best_move})),
               value, best.depth, interrupted ? ", stopped early" : "");
    fmt::print("{} nodes in {}, {} nodes/s", grouped(result.nodes), duration(result.time_us),
               grouped(nodes_per_second(result.nodes, result.time_us)));
    if (result.first_move_cut_rate > 0) {
        fmt::print("; {:.1f} % of the cuts by the first move", 100.0 * result.first_move_cut_rate);
    }
    fmt::print("\n\n");
    if (result.lines.size() > 1) print_lines(o, start, result.lines);
    fmt::print("{}", technique_table(result.techniques));
}

int run(const AnalyzeOptions& options, Session& session) {
    check(options, session);
    const auto engine = ready_engine(options.at.engine_name(), options.engine, options.tuning);
    check_level(options, engine->info());
    options.at.apply(*engine);
    check_notation(options);
    const std::string start = engine->position_text();
    const std::string params = fingerprint(engine->params(), engine->info());
    session.begin(params);

    if (const Json over = result_of(*engine); !over.is_null()) {
        const std::string how = over == "draw" ? "a draw" : over.get<std::string>() + " player won";
        if (!session.json()) fmt::print("The game is over: {}. There is no move.\n", how);
        session.finish(to_document({}, *engine, options, false));
        return kDone;
    }

    SearchRequest request = request_of(options);
    request.stop = session.stop();
    Watcher watcher(session, options, request.limits);
    watcher.set_start(start);
    watcher.print_header(*engine, params);
    const Result result =
        take(engine->search(request, [&](const Info& info) { watcher.see(info); }));
    const bool interrupted = request.stop.stop_requested();
    watcher.done();
    if (!session.json()) print_result(options, start, result, interrupted);
    session.finish(to_document(result, *engine, options, interrupted));
    return kDone;
}

}  // namespace

void add_analyze(Program& program) {
    Command command = program.add(
        "analyze",
        fmt::format("Search one position (for {} s when no limit is given; Ctrl-C ends it earlier)",
                    kDefaultTimeMs / 1000),
        {"karikomi analyze GAME --depth 12", "karikomi analyze GAME --time-ms 500 --off all",
         "karikomi analyze GAME --nodes 20000 --multipv 3 --json",
         "karikomi analyze GAME --depth 10 --only multi_probcut --set "
         "multi_probcut.t=1.5"});
    const auto o = std::make_shared<AnalyzeOptions>();
    o->at.add_to(command);
    add_number(command, "--depth", o->depth, {1, kMaxDepth}, "Stop after this depth, in plies");
    add_number(command, "--time-ms", o->time_ms, {1, kWeekMs}, "Stop after this time");
    add_number(command, "--nodes", o->nodes, {1, kMostNodes}, "Stop after this many nodes");
    add_number(command, "--level", o->level, {0, kMostLevel},
               "As strong as a player of this level on the game's scale");
    add_number(command, "--multipv", o->multi_pv, {1, kMostLines}, "Find this many best moves");
    add_name(command, "--notation", o->notation, "STYLE",
             "Moves as players write them: japanese or western (--json has all)");
    add_switch(command, "--stream", o->stream, "With --json: also one object an iteration");
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::With);
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
