/// Options of commands that play games: match and tune.
#pragma once

#include <map>
#include <string>

#include "karikomi/cli/common.hpp"
#include "karikomi/cli/nats_options.hpp"
#include "karikomi/lab/match/match.hpp"

namespace karikomi::cli {

struct PlayOptions {
    std::string database;
    std::string resume;
    std::map<std::string, std::string> limits;  ///< by TimeControl's keys
    std::vector<std::string> rules;             ///< NAME=VALUE
    std::string balance;
    std::string win_score;
    std::string draw_score;
    match::MatchConfig config;  ///< what is read straight into it
    EngineOptions engine;
    std::int64_t concurrency = 1;
    std::int64_t max_plies = 0;
    std::int64_t seed = 1;
    std::int64_t opening_depth = 6;
    std::int64_t batch = 0;  ///< 0: as it fits
    NatsSettings nats;
    bool allow_commands = false;  ///< of a database that was begun elsewhere

    /// A command that has budgets instead of limits refuses them, and its help does not list them.
    enum class Limits : bool { Refused, Taken };
    void add_to(Command& command, Limits wanted = Limits::Taken);
    /// The configuration without engines and number of games.
    match::MatchConfig read() const;
    /// With these engines. `game` may be empty where an engine or its protocol tells it.
    match::MatchConfig read_with(const std::vector<std::string>& engines,
                                 const std::string& game) const;
    /// How it is played, also where the rest is on record: concurrency, affinity, batches.
    void set_how(match::MatchConfig& config) const;
    /// Threads of this program, or workers by --nats.
    std::unique_ptr<queue::JobQueue> queue_for(const match::MatchConfig& config,
                                               const std::string& run) const;
    /// The command that goes on with it.
    std::string resume_text(const std::string& command, const std::string& database) const;
    /// --db, --resume, or a new file where records are never lost and never in the way.
    std::string database_for(const std::string& command) const;
};

/// A file of this name where the user's programs keep their state, or "" where there is no such
/// place.
std::string state_file(const std::string& name);

double number_of(const std::string& option, const std::string& text);

}  // namespace karikomi::cli
