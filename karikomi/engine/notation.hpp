/// Moves as the players of a game write them, beside the notation of its engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/engine/json_fwd.hpp"

namespace karikomi {

struct GameModule;

struct MoveStyle {
    std::string name;      ///< "japanese"
    std::string language;  ///< of those who expect it: "ja"
    std::string help;      ///< with an example
};

struct NotationFacet {
    std::vector<MoveStyle> styles;
    /// The name of each of these moves, which are played one after the other from `start`.
    std::function<Expected<std::vector<std::string>>(
        const std::string& start, const std::vector<std::string>& moves, const std::string& style)>
        names;
};

/// The names of the moves of `line` after `before`, by style: {"japanese": [...], ...}. An empty
/// object where the game writes moves in one way only, or where a move is none.
Json names_of_line(const GameModule& module, const std::string& start,
                   const std::vector<std::string>& before, const std::vector<std::string>& line);

/// Adds "names" to what a search or a proof says, beside its "pv" or "line", and to each of its
/// "lines". `before`: the moves from `start` to where it begins. Nothing where there are no names.
void add_names(Json& found, const std::string& game, const std::string& start,
               const std::vector<std::string>& before);

}  // namespace karikomi
