/// All that decides what the games of a match are.
#pragma once

#include "karikomi/lab/match/game.hpp"
#include "karikomi/lab/match/stats.hpp"

namespace karikomi::match {

struct MatchConfig {
    std::string game;
    Rules rules;  ///< that the game leaves open
    std::vector<EngineSpec> engines;
    TimeControl time;  ///< of engines that have none of their own
    std::int64_t margin_ms = 200;
    std::int64_t hang_ms = 60'000;
    Adjudication adjudication;
    OpeningOptions openings;
    std::uint64_t games = 100;  ///< for each pairing; 0: until the test decides
    bool gauntlet = false;      ///< the first engine against each other one
    int threads = 1;            ///< of engines that say nothing of it
    int hash_mb = 64;
    std::optional<Sprt> sprt;
    double half_width = 0;  ///< play until Elo is known so well (is_precise); 0: off

    // What follows changes no game and is not recorded.
    int concurrency = 1;
    bool affinity = false;  ///< each game on a processor of its own
    int batch = 1;          ///< games in one job
};
/// A match goes on only under the same.
Json to_json(const MatchConfig& config);
Expected<MatchConfig> config_of(const Json& json);
Json to_json(const Sprt& test);

}  // namespace karikomi::match
