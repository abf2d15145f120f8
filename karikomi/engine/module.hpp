/// Everything that a game brings. The rest of the program knows a game by its module alone: what a
/// module leaves empty is not offered for that game, and nobody guesses by its name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "karikomi/core/expected.hpp"
#include "karikomi/engine/engine.hpp"

namespace karikomi {

/// What an engine is made with.
struct EngineOptions {
    std::string weights;  ///< file of the evaluation's weights; empty: the built-in ones
};

struct GameModule {
    std::string name;  ///< as on the command line: "connect_four"
    /// One game by several rules, each with its own evaluation and parameters, is one module a
    /// rule: they share the family, and `rule` tells them apart. Empty: there is one rule.
    std::string family;
    std::string rule;
    bool listed = true;  ///< false: works by name, but no list of games shows it

    /// A new engine in the start position.
    std::function<Expected<std::unique_ptr<Engine>>(const EngineOptions&)> make;
};

}  // namespace karikomi
