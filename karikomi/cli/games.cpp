/// karikomi games: what can be played and searched.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

Json describe(const GameModule& module, const Engine& engine) {
    const GameInfo& info = engine.info();
    Json protocols = Json::array();
    for (const ProtocolFacet& p : module.protocols) protocols.push_back(p.name);
    Json techniques = Json::array();
    for (const Technique t : info.techniques) techniques.push_back(name_of(t));
    return {{"game", info.name},
            {"title", info.title},
            {"rules", info.rules},
            {"position", info.position_help},
            {"protocols", protocols},
            {"evaluation", info.evaluation},
            {"fingerprint", fingerprint(engine.params(), info)},
            {"techniques", techniques}};
}

void print_game(const Json& game) {
    const auto list = [](const Json& names) {
        std::vector<std::string> words = names;
        return words.empty() ? std::string("none") : fmt::format("{}", fmt::join(words, ", "));
    };
    const auto field = [](const char* name, const std::string& text) {
        fmt::print("  {:<12} {}\n", name, text);
    };
    fmt::print("{}  {}\n", bold(game["game"].get<std::string>()), game["title"].get<std::string>());
    field("rules", game["rules"]);
    field("position", game["position"]);
    field("protocols", list(game["protocols"]));
    field("techniques", list(game["techniques"]));
    field("evaluation", game["evaluation"]);
    field("parameters", game["fingerprint"]);
}

int run(Session& session) {
    Json games = Json::array();
    for (const std::string& name : game_names()) {
        games.push_back(describe(*find_game(name), *take(make_engine(name))));
    }
    session.begin(nullptr);
    if (!session.json()) {
        for (std::size_t i = 0; i < games.size(); ++i) {
            if (i > 0) fmt::print("\n");
            print_game(games[i]);
        }
    }
    session.finish(games);
    return kDone;
}

}  // namespace

void add_games(Program& program) {
    Command command = program.add("games", "List the games, how they are written, their evaluation",
                                  {"karikomi games"});
    command.does(run);
}

}  // namespace karikomi::cli
