#include "karikomi/games/renju/module.hpp"

#include "karikomi/games/renju/engine.hpp"
#include "karikomi/games/renju/facets.hpp"

namespace karikomi::renju {
namespace {

using Make = Expected<std::unique_ptr<Engine>>(const EngineOptions&);

GameModule module_of(std::string name, std::string title, Rule rule, Make* make) {
    GameModule m;
    m.name = std::move(name);
    m.title = std::move(title);
    m.family = "renju";
    m.rule = kRuleNames[static_cast<std::size_t>(rule)];
    m.make = make;
    m.records = records_facet(rule);
    m.solver = solver_facet(rule);
    m.openings = openings_facet(rule);
#if !defined(KARIKOMI_BROWSER)  // which has no command line
    m.train = train_facet(m.name, rule);
    m.protocols = protocol_facets(rule);
#endif
    return m;
}

}  // namespace

std::vector<GameModule> modules() {
    std::vector<GameModule> all = {
        module_of("renju", "Renju", Rule::Renju, make_renju_engine),
        module_of("gomoku", "Gomoku", Rule::Freestyle, make_gomoku_engine),
        module_of("standard_gomoku", "Gomoku, standard rule", Rule::Standard,
                  make_standard_gomoku_engine),
    };
    all.back().listed = false;
    return all;
}

}  // namespace karikomi::renju
