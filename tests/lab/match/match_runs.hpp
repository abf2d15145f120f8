// Runs `karikomi match` as a user does, for tests.
#pragma once

#include <string>
#include <vector>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::match {

using Words = std::vector<std::string>;

struct Played {
    std::vector<Json> games;
    Json result;
};

// One line of JSON a game, and the result.
Played parse_played(const std::string& out);
// A match that must end with this code and say nothing on stderr.
Played play(Words words, int exit_code = 0);
// The one line of a refused match.
std::string refusal(Words words, int exit_code = 2);
Words with(Words words, const Words& more);
// PROTOCOL?SETTINGS:mock_engine PROTOCOL GAME ARGUMENTS
std::string mock(const std::string& protocol, const std::string& arguments,
                 const std::string& settings = "");

}  // namespace karikomi::match
