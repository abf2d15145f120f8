/// Which databases were begun here. A database says which commands are run when its match goes on;
/// one that somebody else has made must not.
#pragma once

#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/store/database.hpp"

namespace karikomi::cli {

/// Engines that are commands for the shell.
std::vector<std::string> commands_of(const match::MatchConfig& config);
/// By which we know again that these commands were given here; empty where nothing can be kept.
std::string seal_of(const std::string& run_id, const match::MatchConfig& config);
/// Ends the command where the file has commands that were not given here, unless `allowed`.
void require_own_commands(const std::string& file, const match::MatchConfig& config,
                          const std::string& run_id, const std::string& seal, bool allowed);

inline constexpr const char* kSealFact = "commands_seal";  ///< where a database keeps it

}  // namespace karikomi::cli
