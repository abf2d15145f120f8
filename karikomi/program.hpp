/// The whole program for any set of games: every command, the laboratory, matches, the page.
///
///   int main(int argc, char** argv) { return karikomi::run(argc, argv, {my::module()}); }
#pragma once

#include <vector>

#include "karikomi/engine/module.hpp"

namespace karikomi {

/// Reads the command line, does what it says and returns the exit code.
int run(int argc, char** argv, std::vector<GameModule> games);

}  // namespace karikomi
