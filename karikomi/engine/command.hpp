/// Commands that a game brings itself (`train`, `book`): what they take, as data, and how they run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "karikomi/engine/console.hpp"
#include "karikomi/engine/options.hpp"

namespace karikomi {

struct CommandCall {
    OptionValues options;
    std::vector<std::string> words;  ///< what else was written: an action, files
    Console& console;
    /// An engine of the game, as the common options (threads, table, parameters) ask for it.
    std::function<std::unique_ptr<Engine>()> make_engine;
};

struct CommandFacet {
    std::string summary;  ///< one line
    std::vector<OptionInfo> options;
    std::vector<std::string> examples;
    std::string footer;  ///< more help; may be empty
    /// The exit code. Throws Failure.
    std::function<int(const CommandCall&)> run;
};

}  // namespace karikomi
