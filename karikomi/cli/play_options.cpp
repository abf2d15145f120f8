#include "karikomi/cli/play_options.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

namespace karikomi::cli {
namespace {

/// Where records go when nobody says: never lost, and never in the way.
std::string new_database(const std::string& command) {
    std::string time = lab::utc_now();
    std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
    const std::string file = state_file(fmt::format("{}-{}-{}.db", command, time, getpid()));
    return file.empty() ? ":memory:" : file;
}

void add_limits(Command& command, std::map<std::string, std::string>& limits, bool listed) {
    const std::string group =
        listed ? "Limits (an engine's own, such as internal:GAME?depth=8, come first)" : "";
    const auto limit = [&](const char* key, const char* type, const char* help) {
        const auto read = [&limits, key](const std::string& text) { limits[key] = text; };
        add_read(command, std::string("--") + key, read, help).type_name(type).group(group);
    };
    limit("move-time", "MS", "Time for each move");
    limit("clock", "S[+S]", "Main time and increment, in seconds: 10+0.1");
    limit("byoyomi", "MS", "Time for each move once the main time is gone");
    limit("nodes", "N", "Nodes for each move");
    limit("depth", "N", "Depth of each search");
    limit("level", "N", "Strength on the game's scale");
}

}  // namespace

std::string state_file(const std::string& name) {
    namespace fs = std::filesystem;
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    fs::path folder = state != nullptr && *state != '\0' ? fs::path(state)
                      : home != nullptr                  ? fs::path(home) / ".local/state"
                                                         : fs::path();
    if (folder.empty()) return {};
    folder /= "karikomi";
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || access(folder.c_str(), W_OK) != 0) return {};
    return (folder / name).string();
}

double number_of(const std::string& option, const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value > -1e6 && value < 1e6)) {
        throw Failure({fmt::format("{}: '{}' is not a number", option, text), "give one"});
    }
    return value;
}

void PlayOptions::add_to(Command& command, Limits wanted) {
    add_limits(command, limits, wanted == Limits::Taken);
    engine.add_to(command);
    add_list(command, "--rule", rules, "NAME=VALUE",
             "A rule that the game leaves open; may be repeated")
        .once_each();
    add_number(command, "--margin", config.margin_ms, {0, 60'000},
               "A move may come so many ms late");
    add_number(command, "--hang", config.hang_ms, {100, 86'400'000},
               "No time limit: ms without an answer that are a hang");
    add_number(command, "--concurrency", concurrency, {1, 512}, "Games at once");
    add_switch(command, "--affinity", config.affinity, "Tie programs to processors");
    add_text(command, "--openings", config.openings.source, "WHAT",
             "random:PLIES, start, or a file with one opening a line");
    add_text(command, "--opening-balance", balance, "X",
             "Random openings: greatest value for either side (default: 3)");
    add_number(command, "--opening-depth", opening_depth, {1, 60},
               "Random openings: depth of the search that finds them balanced");
    add_switch(command, "--shuffle", config.openings.shuffle, "A list: in random order");
    add_number(command, "--seed", seed, {0, 1'000'000'000'000}, "Of everything random");
    add_text(command, "--win-score", win_score, "X",
             "Won when both see one side so far ahead for 4 moves each");
    add_text(command, "--draw-score", draw_score, "X",
             "Drawn when both see at most so much for 8 moves each");
    add_number(command, "--max-plies", max_plies, {1, 100'000}, "Drawn after so many plies");
    add_name(command, "--db", database, "FILE",
             "Keep the games here, or none (default: a new file in ~/.local/state)");
    add_name(command, "--resume", resume, "FILE", "Go on with the run of this database");
    add_switch(command, "--allow-commands", allow_commands,
               "--resume: run the engines of a file that was begun elsewhere");
    nats.add_to(command, "Let workers of this server play: nats://HOST:4222");
    add_number(command, "--batch", batch, {1, 10'000},
               "Games in one job (default: 1; with --nats: 2)")
        .group("Other machines (docs/cluster.md)");
}

match::MatchConfig PlayOptions::read() const {
    match::MatchConfig c = config;
    for (const auto& [key, value] : limits) {
        const Status s = c.time.set(key, value);
        if (!s) throw Failure({"--" + s.error().what, s.error().remedy});
    }
    for (const std::string& rule : rules) {
        const std::size_t equals = rule.find('=');
        if (equals == std::string::npos) {
            throw Failure({fmt::format("--rule: '{}' sets nothing", rule), "write NAME=VALUE"});
        }
        c.rules.emplace_back(rule.substr(0, equals), rule.substr(equals + 1));
    }
    set_how(c);
    c.threads = static_cast<int>(engine.threads);
    c.hash_mb = static_cast<int>(engine.hash_mb);
    c.adjudication.max_plies = static_cast<int>(max_plies);
    if (!win_score.empty()) c.adjudication.win_score = number_of("--win-score", win_score);
    if (!draw_score.empty()) c.adjudication.draw_score = number_of("--draw-score", draw_score);
    if (!balance.empty()) c.openings.balance = number_of("--opening-balance", balance);
    c.openings.seed = static_cast<std::uint64_t>(seed);
    c.openings.depth = static_cast<Depth>(opening_depth);
    return c;
}

match::MatchConfig PlayOptions::read_with(const std::vector<std::string>& engines,
                                          const std::string& game) const {
    match::MatchConfig c = read();
    for (const std::string& text : engines) c.engines.push_back(take(match::parse_engine(text)));
    c.game = game;
    for (const match::EngineSpec& e : c.engines) {
        if (c.game.empty()) c.game = e.game;
    }
    if (c.game.empty() && !c.engines.empty()) c.game = usual_game(c.engines[0].protocol);
    return c;
}

void PlayOptions::set_how(match::MatchConfig& c) const {
    c.concurrency = static_cast<int>(concurrency);
    c.affinity = config.affinity;
    c.batch = batch > 0 ? static_cast<int>(batch) : nats.url.empty() ? 1 : 2;
}

std::unique_ptr<queue::JobQueue> PlayOptions::queue_for(const match::MatchConfig& c,
                                                        const std::string& run) const {
    if (nats.url.empty()) {
        return queue::make_local_queue(match::game_makers({c.affinity, true}), c.concurrency);
    }
    const auto note = [](const std::string& text) {
        fmt::print(stderr, "karikomi: {}\n", text);
        std::fflush(stderr);
    };
    auto made = queue::make_nats_queue(nats.read(), run, note);
    if (!made) throw Failure(made.error(), kBroken);
    return std::move(*made);
}

std::string PlayOptions::resume_text(const std::string& command,
                                     const std::string& database_file) const {
    const std::string how = nats.url.empty()
                                ? fmt::format("--concurrency {}", concurrency)
                                : fmt::format("--nats {}", queue::public_url(nats.url));
    return fmt::format("karikomi {} --resume '{}' {}", command, database_file, how);
}

std::string PlayOptions::database_for(const std::string& command) const {
    if (database == "none") return ":memory:";
    if (!database.empty()) return database;
    return resume.empty() ? new_database(command) : resume;
}

}  // namespace karikomi::cli
