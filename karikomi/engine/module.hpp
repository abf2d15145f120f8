/// Everything that a game brings. The rest of the program knows a game by its module alone: what a
/// module leaves empty is not offered for that game, and nobody guesses by its name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/engine/board.hpp"
#include "karikomi/engine/command.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/notation.hpp"
#include "karikomi/engine/opening.hpp"
#include "karikomi/engine/protocol.hpp"
#include "karikomi/engine/record.hpp"
#include "karikomi/engine/repair.hpp"
#include "karikomi/engine/solver.hpp"

namespace karikomi {

/// What an engine is made with.
struct EngineOptions {
    std::string weights;  ///< file of the evaluation's weights; empty: the built-in ones
};

struct GameModule {
    std::string name;   ///< as on the command line: "mygame"
    std::string title;  ///< for people: "My Game"
    /// One game by several rules, each with its own evaluation and parameters, is one module a
    /// rule: they share the family, and `rule` tells them apart. Empty: there is one rule.
    std::string family;
    std::string rule;
    bool listed = true;  ///< false: works by name, but no list of games shows it

    /// A new engine in the start position.
    std::function<Expected<std::unique_ptr<Engine>>(const EngineOptions&)> make;

    // What else it has; each may be missing.
    std::optional<RecordsFacet> records;
    std::optional<NotationFacet> notation;  ///< moves as its players write them
    std::optional<SolverFacet> solver;
    std::optional<OpeningsFacet> openings;  ///< opening rules
    std::optional<CommandFacet> train;
    std::optional<CommandFacet> book;
    std::vector<ProtocolFacet> protocols;
    std::optional<BoardFacet> board;  ///< for a page that has no picture of its own
    /// By how much the first player has won in a final position, where games are counted so.
    std::function<std::optional<int>(const std::string& position)> margin;
    /// Looks at a file of the game's own kinds (a book), whole or damaged; nothing: it is none.
    std::function<std::optional<Repair>(const std::string& file)> examine;

    /// Examples for the help of commands that all games share, by command: "lab verify".
    std::map<std::string, std::vector<std::string>> examples;

    /// What it has of a protocol, or null.
    const ProtocolFacet* protocol(std::string_view called) const {
        for (const ProtocolFacet& p : protocols) {
            if (p.name == called) return &p;
        }
        return nullptr;
    }
};

}  // namespace karikomi
