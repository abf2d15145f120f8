#include "karikomi/engine/registry.hpp"

#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/params.hpp"

namespace karikomi {
namespace {

/// A deque: modules stay where they are when others come.
std::deque<GameModule>& registered() {
    static std::deque<GameModule> modules;
    return modules;
}

}  // namespace

Status register_game(GameModule module) {
    if (module.name.empty()) return Error{"a game without a name cannot be registered"};
    if (!module.make) return Error{fmt::format("game '{}' makes no engine", module.name)};
    if (find_game(module.name) != nullptr) {
        return Error{fmt::format("there is already a game '{}'", module.name), "rename one"};
    }
    registered().push_back(std::move(module));
    return {};
}

Status register_games(std::vector<GameModule> modules) {
    for (GameModule& m : modules) {
        if (const Status s = register_game(std::move(m)); !s) return s;
    }
    return {};
}

std::vector<const GameModule*> games() {
    std::vector<const GameModule*> all;
    for (const GameModule& m : registered()) all.push_back(&m);
    return all;
}

const GameModule* find_game(std::string_view name) {
    for (const GameModule& m : registered()) {
        if (m.name == name) return &m;
    }
    return nullptr;
}

Expected<const GameModule*> game_called(const std::string& name) {
    if (const GameModule* const found = find_game(name)) return found;
    const std::string near = nearest_name(name, game_names());
    return Error{fmt::format("unknown game '{}'", name),
                 near.empty() ? fmt::format("use one of {}", fmt::join(game_names(), ", "))
                              : fmt::format("did you mean '{}'?", near)};
}

std::vector<std::string> game_names() {
    std::vector<std::string> names;
    for (const GameModule& m : registered()) {
        if (m.listed) names.push_back(m.name);
    }
    return names;
}

std::string name_by_rule(const std::string& game, std::string_view rule) {
    const GameModule* const found = find_game(game);
    if (found == nullptr || found->family.empty()) return game;
    for (const GameModule& m : registered()) {
        if (m.family == found->family && m.rule == rule) return m.name;
    }
    return game;
}

Expected<std::unique_ptr<Engine>> make_engine(const std::string& game,
                                              const EngineOptions& options) {
    const auto module = game_called(game);
    if (!module) return module.error();
    return (*module)->make(options);
}

}  // namespace karikomi
