#include "karikomi/games/registry.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "examples/connect_four/engine.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/renju/engine.hpp"
#include "karikomi/games/shogi/engine.hpp"

namespace karikomi {
namespace {

struct Entry {
    const char* name;
    std::unique_ptr<Engine> (*make)();
    bool listed = true;  ///< false: works by name, but no command lists it
};
constexpr Entry kGames[] = {
    {"connect_four", connect_four::make_engine},
    {"othello", othello::make_engine},
    {"renju", renju::make_renju_engine},
    {"gomoku", renju::make_gomoku_engine},
    {"standard_gomoku", renju::make_standard_gomoku_engine, false},
    {"shogi", shogi::make_engine},
};

}  // namespace

std::vector<std::string> game_names() {
    std::vector<std::string> names;
    for (const Entry& e : kGames) {
        if (e.listed) names.emplace_back(e.name);
    }
    return names;
}

std::string name_by_rule(const std::string& game, std::string_view rule) {
    static constexpr std::pair<std::string_view, const char*> kNames[] = {
        {"renju", "renju"}, {"freestyle", "gomoku"}, {"standard", "standard_gomoku"}};
    const auto is_of_game = [&](const auto& n) { return game == n.second; };
    if (std::none_of(std::begin(kNames), std::end(kNames), is_of_game)) return game;
    for (const auto& [of, name] : kNames) {
        if (rule == of) return name;
    }
    return game;
}

Expected<std::unique_ptr<Engine>> make_engine(const std::string& game) {
    for (const Entry& e : kGames) {
        if (game != e.name) continue;
        try {
            return e.make();
        } catch (const std::runtime_error& trouble) {  // a file that the user chose
            return Error{trouble.what(), "correct KARIKOMI_..._WEIGHTS in the environment"};
        }
    }
    const std::string near = nearest_name(game, game_names());
    return Error{fmt::format("unknown game '{}'", game),
                 near.empty() ? fmt::format("use one of {}", fmt::join(game_names(), ", "))
                              : fmt::format("did you mean '{}'?", near)};
}

}  // namespace karikomi
