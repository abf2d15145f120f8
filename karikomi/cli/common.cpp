#include "karikomi/cli/common.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include "karikomi/base/system.hpp"
#include "karikomi/cli/evidence_file.hpp"
#include "karikomi/cli/interrupt.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kMaxThreads = 512;

/// Megabytes that this process could use: the machine's, or less inside a container.
std::int64_t memory_mb() {
    std::int64_t mb = os::memory_mb();
    for (const char* file :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream in(file);
        if (std::int64_t bytes = 0; in >> bytes) mb = std::min(mb, bytes >> 20);  // or "max"
    }
    return std::max<std::int64_t>(mb, 1);
}

std::vector<std::string> split_names(const std::string& names) {
    std::vector<std::string> out;
    std::stringstream stream(names);
    for (std::string name; std::getline(stream, name, ',');) out.push_back(name);
    return out;
}

std::vector<std::string_view> usable_techniques(const GameInfo& game) {
    std::vector<std::string_view> usable;
    usable.reserve(game.techniques.size());
    for (const Technique t : game.techniques) usable.push_back(name_of(t));
    return usable;
}

/// Techniques as --only wants them. To run one alone that the game cannot use would be to run
/// nothing, and nobody would notice; "all" means all that it can use.
std::string usable_only(const std::string& names, const GameInfo& game) {
    const std::vector<std::string> wanted = split_names(names);
    if (std::find(wanted.begin(), wanted.end(), "all") != wanted.end()) {
        return fmt::format("{}", fmt::join(usable_techniques(game), ","));
    }
    for (const std::string& name : wanted) require_usable("--only " + name, name, game);
    return names;
}

std::string known_profile(const std::string& name) {
    const std::vector<std::string> known = {"default", "legacy"};
    if (std::find(known.begin(), known.end(), name) != known.end()) return name;
    throw Failure({fmt::format("--profile: '{}' is unknown", name),
                   fmt::format("use one of {}", fmt::join(known, ", "))});
}

std::string joined(const std::vector<std::string>& lists) {
    return fmt::format("{}", fmt::join(lists, ","));
}

/// Says which option an error of the parameter functions comes from.
void require_from(const char* option, const Status& status) {
    if (status) return;
    throw Failure({fmt::format("{}: {}", option, status.error().what), status.error().remedy});
}

}  // namespace

std::string error_line(const Error& error) {
    constexpr std::size_t kLongest = 500;
    std::string line = "karikomi: " + error.what;
    if (line.size() > kLongest) line = line.substr(0, kLongest) + "...";
    if (!error.remedy.empty()) line += "; " + error.remedy;
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return line;
}

std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shell_text(const std::vector<std::string>& arguments) {
    std::string text = "karikomi";
    for (const std::string& argument : arguments) {
        const auto is_plain = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   std::string_view("_-./:=,+@%").find(c) != std::string_view::npos;
        };
        const bool plain =
            !argument.empty() && std::all_of(argument.begin(), argument.end(), is_plain);
        text += ' ';
        if (plain) {
            text += argument;
            continue;
        }
        text += '\'';
        for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

// ---- The log ------------------------------------------------------------------------------------

Log::Log(const std::string& file) {
    if (file.empty()) return;
    try {
        auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
        logger_ = std::make_shared<spdlog::logger>("karikomi", std::move(sink));
    } catch (const spdlog::spdlog_ex& e) {
        throw Failure({fmt::format("--log: cannot write '{}': {}", file, e.what()),
                       "name a file that can be written"});
    }
    // The pattern opens the object with the time; the message is the rest of the object.
    logger_->set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ",%v)", spdlog::pattern_time_type::utc);
    logger_->flush_on(spdlog::level::info);
    logger_->set_error_handler([this](const std::string& what) { trouble_ = what; });
}

void Log::write(const char* event, const Json& facts) {
    if (!logger_) return;
    Json record = {{"event", event}};
    record.update(facts);
    logger_->log(spdlog::level::info, spdlog::string_view_t(to_text(record).substr(1)));
}

Session::Session(std::string command, std::vector<std::string> arguments, bool json,
                 const std::string& log_file, std::string evidence_file)
    : command_(std::move(command)),
      arguments_(std::move(arguments)),
      json_(json),
      evidence_file_(std::move(evidence_file)),
      log_(log_file) {}

Session::~Session() = default;

void Session::print(std::string_view text) {
    fmt::print("{}", text);
    std::fflush(stdout);
}

void Session::remark(std::string_view text) {
    fmt::print(stderr, "{}", text);
}

void Session::progress(std::string_view work, double done, double total, std::string_view now) {
    constexpr double kWhole = 1000;
    if (!progress_ || work_ != work) {
        progress_.reset();  // the old line goes before the new one comes
        work_ = work;
        progress_ = std::make_unique<Progress>(work_, static_cast<std::uint64_t>(kWhole));
    }
    progress_->show(kWhole * done / std::max(total, 1e-9), now);
}

void Session::end_progress() {
    progress_.reset();
}

StopToken Session::stop() const {
    if (!interrupt_) interrupt_ = std::make_unique<Interrupt>();
    return interrupt_->stop();
}

void Session::begin(const Json& fingerprint) {
    begun_ = true;
    fingerprint_ = to_text(fingerprint);
    log_.write("start", {{"command", command_},
                         {"arguments", arguments_},
                         {"version", kVersion},
                         {"commit", kCommit},
                         {"compiler", kCompiler},
                         {"fingerprint", fingerprint}});
}

void Session::stream(const Json& document) const {
    if (!json_) return;
    fmt::print("{}\n", to_text(document));
    std::fflush(stdout);
}

void Session::finish(const Json& document) {
    // A list cannot carry an event's name, so it becomes a member.
    log_.write("result", document.is_object() ? document : Json{{"rows", document}});
    stream(document);
    if (!wants_evidence() || evidence_kept_) return;
    keep_as_evidence(
        evidence_of(command_, shell_text(arguments_), document, Json::parse(fingerprint_)));
}

void Session::keep_as_evidence(const Json& record) {
    Json named = {{"id", std::filesystem::path(evidence_file_).stem().string()}};
    named.update(record);
    const Status s = save_evidence(evidence_file_, named);
    if (!s) throw Failure({"--evidence: " + s.error().what, s.error().remedy});
    evidence_kept_ = true;
}

void Session::log_error(const Error& error, int code) {
    if (!begun_) begin(nullptr);
    log_.write("error", {{"what", error.what}, {"remedy", error.remedy}, {"exit_code", code}});
}

// ---- Options ------------------------------------------------------------------------------------

void PositionOptions::add_to(Command& command) {
    add_game(command, game);
    add_text(command, "--position", position, "P",
             "Position in the game's notation (default: the start; see `karikomi games`)");
    add_text(command, "--moves", moves, "M", "Moves to play from there");
    rules.add_to(command);
}

void RuleOptions::add_to(Command& command) {
    std::vector<std::string> rules;
    for (const GameModule* m : games()) {
        if (!m->family.empty()) rules.push_back(m->rule);
    }
    add_name(command, "--rule", rule, "RULE",
             fmt::format("Of a game that has several: {}", fmt::join(rules, ", ")));
    add_name(command, "--size", size, "N", "Of an empty board, where a game has several sizes");
}

/// Names of the listed games that have this rule to set.
std::vector<std::string> games_with_rule(const std::string& name) {
    std::vector<std::string> names;
    for (const std::string& game : game_names()) {
        const auto engine = make_engine(game);
        if (!engine) continue;
        for (const RuleInfo& r : (*engine)->info().rule_options) {
            if (r.name == name) names.push_back(game);
        }
    }
    return names;
}

void RuleOptions::apply(Engine& engine) const {
    const auto set = [&](const char* name, const std::string& value) {
        if (value.empty()) return;
        const GameInfo& info = engine.info();
        const auto is_it = [name](const RuleInfo& r) { return r.name == name; };
        if (std::none_of(info.rule_options.begin(), info.rule_options.end(), is_it)) {
            throw Failure(
                {fmt::format("--{} is for {}", name, fmt::join(games_with_rule(name), " and ")),
                 fmt::format("drop it for {}", info.name)});
        }
        const Status s = engine.set_rule(name, value);
        if (!s) throw Failure({fmt::format("--{}: {}", name, s.error().what), s.error().remedy});
    };
    set("rule", rule);
    set("size", size);
}

std::string PositionOptions::engine_name() const {
    return name_by_rule(game, rules.rule);
}
void PositionOptions::apply(Engine& engine) const {
    rules.apply(engine);
    require(engine.set_position(position, moves));
}

void EngineOptions::add_to(Command& command) {
    add_number(command, "--threads", threads, {1, kMaxThreads}, "Threads that search");
    add_number(command, "--hash", hash_mb, {1, memory_mb()}, "Size of the table of positions, MB")
        .type_name("MB");
}

void TuningOptions::add_to(Command& command, Profile wanted) {
    const std::string group = "Parameters (applied in this order)";
    const auto list = [&](const char* name, std::vector<std::string>& to, const char* type,
                          const char* help) {
        // One value each time, or a list would swallow the arguments that follow.
        add_list(command, name, to, type, help).once_each().group(group);
    };
    add_name(command, "--weights", weights_file, "FILE",
             "Weights of the evaluation instead of the built-in ones")
        .group(group);
    add_name(command, "--params", params_file, "FILE", "Use this file instead of the shipped one")
        .group(group);
    if (wanted == Profile::With) {
        const auto read = [this](const std::string& name) { profile = known_profile(name); };
        add_read(command, "--profile", read, "'legacy' is plain reference alpha-beta")
            .type_name("NAME")
            .default_text(profile)
            .group(group);
    }
    list("--only", only, "NAMES", "Use only these techniques: NAME[,NAME...] or all");
    list("--off", off, "NAMES", "Switch techniques off: NAME[,NAME...] or all");
    list("--set", assignments, "PATH=VALUE", "Set one parameter; may be repeated");
    command.add_footer(fmt::format("\n\nTechniques: {}\nParameters: see `karikomi params`",
                                   fmt::join(kTechniqueNames, ", ")));
}

SearchParams params_from(const std::string& file, const GameInfo& game) {
    if (std::filesystem::is_directory(file)) {  // opens like a file, then fails to read
        throw Failure({fmt::format("--params: '{}' is a directory", file), "name a file"});
    }
    std::vector<std::string> left_out;
    SearchParams params = take(load_params(file, game, &left_out));
    if (!left_out.empty()) {
        fmt::print(stderr, "karikomi: {} leaves out {}: the library's defaults are used\n", file,
                   fmt::join(left_out, ", "));
    }
    return params;
}

SearchParams TuningOptions::apply(const SearchParams& shipped, const GameInfo& game) const {
    SearchParams params = shipped;
    if (!params_file.empty()) {
        params = params_from(params_file, game);
    }
    if (legacy()) {
        if (!only.empty()) {
            throw Failure({"--only: --profile legacy has no techniques", "drop one of the two"});
        }
        params.selective.disable_all();
    }
    if (!only.empty()) {
        const std::string names = joined(only);
        SearchParams checked = params;
        require_from("--only", switch_only(checked, names));  // unknown names first
        require_from("--only", switch_only(params, usable_only(names, game)));
    }
    if (!off.empty()) require_from("--off", switch_off(params, joined(off)));
    for (const std::string& a : assignments) require_from("--set", set_param(params, a));
    return params;
}

void require_usable(const std::string& where, std::string_view technique, const GameInfo& game) {
    const std::vector<std::string_view> usable = usable_techniques(game);
    if (std::find(usable.begin(), usable.end(), technique) != usable.end()) return;
    throw Failure({fmt::format("{}: {} cannot use this technique", where, game.name),
                   fmt::format("use {}", fmt::join(usable, ", "))});
}

void add_game(Command& command, std::string& game, std::vector<std::string> games) {
    if (games.empty()) games = game_names();
    add_text(command, "GAME", game, "", fmt::format("One of: {}", fmt::join(games, ", ")))
        .required();
}

void add_game_choice(Command& command, std::string& game) {
    add_name(command, "--game", game, "GAME",
             fmt::format("Only this game: {} (default: all)", fmt::join(game_names(), ", ")));
}

std::vector<std::string> chosen_games(const std::string& game, const TuningOptions& tuning) {
    if (!game.empty()) return {game};
    std::vector<std::string> all = game_names();
    const bool is_for_one = !tuning.params_file.empty() || !tuning.weights_file.empty();
    if (is_for_one && all.size() > 1) {
        throw Failure({fmt::format("{}: a file is for one game, and no game is chosen",
                                   tuning.params_file.empty() ? "--weights" : "--params"),
                       fmt::format("add --game {}", fmt::join(all, "|"))});
    }
    return all;
}

// ---- The engine ---------------------------------------------------------------------------------

std::unique_ptr<Engine> ready_engine(const std::string& game, const EngineOptions& options,
                                     const TuningOptions& tuning) {
    std::unique_ptr<Engine> engine = take(make_engine(game, {tuning.weights_file}));
    if (tuning.legacy() && options.threads > 1) {
        throw Failure({"--threads: --profile legacy searches with one thread", "drop one of them"});
    }
    // Parameters first: they are cheap to refuse.
    const SearchParams params = tuning.apply(engine->params(), engine->info());
    engine->set_threads(static_cast<int>(options.threads));
    try {
        engine->set_hash(static_cast<std::size_t>(options.hash_mb));
    } catch (const std::bad_alloc&) {
        throw Failure({fmt::format("--hash: no room for a table of {} MB", options.hash_mb),
                       "choose a smaller one"},
                      kBroken);
    }
    require(engine->set_params(params));
    return engine;
}

Json result_of(const Engine& engine) {
    const auto winner = engine.winner();
    if (!winner) return nullptr;
    if (*winner == Winner::Nobody) return "draw";
    return *winner == Winner::First ? "first" : "second";
}

const char* side_of(const Engine& engine) {
    return engine.side_to_move() == 0 ? "first" : "second";
}

}  // namespace karikomi::cli
