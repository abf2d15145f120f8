/// What the subcommands share: errors, options, the log, and the engine that the options describe.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <spdlog/fwd.h>

#include "karikomi/cli/command_line.hpp"
#include "karikomi/engine/console.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::cli {

/// `karikomi: <what>; <remedy>` in one line, whatever the texts contain.
std::string error_line(const Error& error);
/// The command line as a shell takes it again.
std::string shell_text(const std::vector<std::string>& arguments);
/// JSON in one line. Bytes that are no UTF-8 (a position typed wrong) are replaced, not thrown at.
std::string to_text(const Json& json);

/// JSON lines in a file, for whoever wants to know later what a command did.
class Log {
public:
    explicit Log(const std::string& file);  ///< empty: no log
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    void write(const char* event, const Json& facts);
    /// What went wrong while writing; empty when all is well.
    const std::string& trouble() const { return trouble_; }

private:
    std::shared_ptr<spdlog::logger> logger_;
    std::string trouble_;
};

class Interrupt;
class Progress;

/// One run of one subcommand: where its results go.
class Session final : public Console {
public:
    Session(std::string command, std::vector<std::string> arguments, bool json,
            const std::string& log_file, std::string evidence_file = {});

    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    bool json() const override { return json_; }
    const std::vector<std::string>& arguments() const override { return arguments_; }
    void begin(const Json& fingerprint) override;
    void log(const char* event, const Json& facts) override { log_.write(event, facts); }
    void stream(const Json& document) const override;
    void finish(const Json& document) override;
    void print(std::string_view text) override;
    void remark(std::string_view text) override;
    void progress(std::string_view work, double done, double total, std::string_view now) override;
    void end_progress() override;
    /// Signals are looked out for from the first call on, which must come before threads are made.
    StopToken stop() const override;
    /// What --evidence keeps, where a command has more to say than its last document.
    void keep_as_evidence(const Json& record);
    bool wants_evidence() const { return !evidence_file_.empty(); }
    void log_error(const Error& error, int code);
    const std::string& log_trouble() const { return log_.trouble(); }

private:
    std::string command_;
    std::vector<std::string> arguments_;
    bool json_;
    bool begun_ = false;
    std::string evidence_file_;
    bool evidence_kept_ = false;
    std::string fingerprint_ = "null";  ///< as JSON: the header does not need the library
    Log log_;
    std::string work_;  ///< that progress_ is of
    std::unique_ptr<Progress> progress_;
    mutable std::unique_ptr<Interrupt> interrupt_;
};

/// Rules that a game lets players choose, by the names that they have in engine.hpp.
struct RuleOptions {
    std::string rule;
    std::string size;
    void add_to(Command& command);
    void apply(Engine& engine) const;
};
/// The listed games whose players may choose this rule.
std::vector<std::string> games_with_rule(const std::string& name);

struct PositionOptions {
    std::string game;
    std::string position;
    std::string moves;
    RuleOptions rules;
    void add_to(Command& command);
    std::string engine_name() const;  ///< a rule may have an engine of its own
    void apply(Engine& engine) const;
};

struct EngineOptions {
    std::int64_t threads = 1;
    std::int64_t hash_mb = 64;
    void add_to(Command& command);
};

/// A parameter file that the user names. Sections that it leaves out are told on stderr, once.
SearchParams params_from(const std::string& file, const GameInfo& game);

/// Everything that changes the parameters, applied in this order.
struct TuningOptions {
    std::string weights_file;
    std::string params_file;
    std::string profile = "default";
    std::vector<std::string> only;
    std::vector<std::string> off;
    std::vector<std::string> assignments;

    enum class Profile : bool { Without, With };
    void add_to(Command& command, Profile wanted);
    bool legacy() const { return profile == "legacy"; }
    SearchParams apply(const SearchParams& shipped, const GameInfo& game) const;
};

/// GAME. `games` are those that the command is for; none named: every game.
void add_game(Command& command, std::string& game, std::vector<std::string> games = {});
/// --game, for commands that go through all games when it is not given.
void add_game_choice(Command& command, std::string& game);
/// Refuses a technique that the game cannot use. `where` is what the user wrote.
void require_usable(const std::string& where, std::string_view technique, const GameInfo& game);
/// All games, or the one that was asked for.
std::vector<std::string> chosen_games(const std::string& game, const TuningOptions& tuning);

/// An engine of this game with all settings applied.
std::unique_ptr<Engine> ready_engine(const std::string& game, const EngineOptions& options,
                                     const TuningOptions& tuning);

/// "first", "second", "draw", or null while the game goes on.
Json result_of(const Engine& engine);
/// "first" or "second".
const char* side_of(const Engine& engine);

}  // namespace karikomi::cli
