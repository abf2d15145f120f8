/// The Gomocup protocol, as the program starts it.
#include <fmt/format.h>

#include "karikomi/games/renju/engine.hpp"
#include "karikomi/games/renju/facets.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/gomocup/gomocup.hpp"

namespace karikomi::renju {
namespace {

Expected<Summary> run(const ProtocolCall& call) {
    protocols::GomocupSettings settings;
    // Which rule is played is said later; each has its own parameters. A file is for one of them.
    const auto makers = {make_gomoku_engine, make_standard_gomoku_engine, make_renju_engine};
    std::size_t rule = 0;
    for (const auto make : makers) {
        const auto engine = make({});
        if (!engine) return engine.error();
        settings.params.at(rule++) = call.tuned(**engine);
    }
    if (call.options.number("--level") >= 0) settings.level = call.options.integer("--level");
    settings.threads = call.threads;
    settings.hash_mb = call.hash_mb;
    settings.transcript = call.transcript;
    return protocols::run_gomocup(call.engine, settings, call.streams);
}

}  // namespace

std::vector<ProtocolFacet> protocol_facets(Rule rule) {
    ProtocolFacet gomocup;
    gomocup.name = "gomocup";
    // Gomocup's bits: exactly five, and renju's rules.
    gomocup.rule_code = rule == Rule::Renju ? "4" : rule == Rule::Standard ? "1" : "0";
    if (rule != Rule::Renju) return {gomocup};
    gomocup.summary = "Play renju and gomoku by the Gomocup protocol (docs/gui/renju.md)";
    gomocup.options = {
        number_option("--level", -1, 0, Game::kMaxLevel,
                      fmt::format("Strength, 0..{} (default: the time decides)", Game::kMaxLevel))};
    gomocup.examples = {R"(printf 'START 15\nINFO rule 4\nINFO timeout_turn 500\nTURN 7,7\nEND\n')"
                        " | karikomi gomocup"};
    gomocup.links = {"pbrain-karikomi"};
    gomocup.sets_params = true;
    gomocup.run = run;
    return {gomocup};
}

}  // namespace karikomi::renju
