/// Games as jobs that any worker can do: what it needs to know, and what it hands back.
#pragma once

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/match/store.hpp"
#include "karikomi/lab/queue/queue.hpp"

namespace karikomi::match {

inline constexpr const char* kGamesJob = "games";

/// Who plays in a job.
struct JobPlayer {
    std::string engine;            ///< its text
    Identity identity;             ///< who it must be
    EngineSpec::Pairs settings{};  ///< on top of its own, for this job
};
struct JobGame {
    std::uint64_t number = 0;
    std::size_t first = 0;  ///< numbers of the job's players
    std::size_t second = 1;
    Opening opening;
};
struct GamesJob {
    std::vector<JobPlayer> players;
    std::vector<JobGame> games;
    Json tag;  ///< comes back with the result
};
Json payload_of(const MatchConfig& config, const GamesJob& job);

/// A game as a worker hands it back. Its slot has the number alone.
struct GamesResult {
    std::vector<GameRow> games;
    Json tag;
};
Expected<GamesResult> games_of(const Json& result);

struct WorkPlace {
    bool affinity = false;  ///< each slot on a processor of its own
    /// Engines that are commands for the shell: whoever can send jobs could run anything.
    bool commands = true;
    int most_hash_mb = 0;  ///< of one engine; 0: as it is wanted
    int most_threads = 0;  ///< the same
};
/// The processor of a slot, where each has its own.
int cpu_of_slot(int slot);
/// Plays the games of jobs.
queue::Makers game_makers(const WorkPlace& place);

/// What the match says where an engine says nothing.
void apply_defaults(EngineSpec& spec, const MatchConfig& config);
/// The same program with the same parameters. (A build of ours for another processor is the same
/// program; another hash of somebody else's is another.)
bool same_engine(const Identity& a, const Identity& b);
Expected<Identity> identity_of(const Json& json);

}  // namespace karikomi::match
