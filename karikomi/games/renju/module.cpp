#include "karikomi/games/renju/module.hpp"

#include "karikomi/games/renju/engine.hpp"
#include "karikomi/games/renju/types.hpp"

namespace karikomi::renju {
namespace {

using Make = Expected<std::unique_ptr<Engine>>(const EngineOptions&);

GameModule module_of(std::string name, Rule rule, Make* make) {
    GameModule m;
    m.name = std::move(name);
    m.family = "renju";
    m.rule = kRuleNames[static_cast<std::size_t>(rule)];
    m.make = make;
    return m;
}

}  // namespace

std::vector<GameModule> modules() {
    std::vector<GameModule> all = {
        module_of("renju", Rule::Renju, make_renju_engine),
        module_of("gomoku", Rule::Freestyle, make_gomoku_engine),
        module_of("standard_gomoku", Rule::Standard, make_standard_gomoku_engine),
    };
    all.back().listed = false;
    return all;
}

}  // namespace karikomi::renju
