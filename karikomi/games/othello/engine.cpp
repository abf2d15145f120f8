/// The only place that instantiates the search for Othello.
#include "karikomi/games/othello/engine.hpp"

#include "karikomi/engine/game_engine.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/weights.hpp"
#include "karikomi/games/othello/takeover.hpp"
#include "karikomi/params/othello.hpp"

namespace karikomi::othello {
namespace {

/// Fitted parameters belong to one evaluation: with other weights Multi-ProbCut stays off until a
/// parameter file for them is given.
std::string parameters_for(const Weights& weights) {
    Json json = Json::parse(params::kOthello);
    if (json["evaluation"] == weights.id()) return std::string(params::kOthello);
    json["evaluation"] = weights.id();
    if (json["multi_probcut"].contains("enabled")) json["multi_probcut"]["enabled"] = false;
    json.erase("calibration");
    return json.dump();
}

Expected<std::shared_ptr<const Weights>> read_weights(const std::string& file) {
    auto weights = Weights::load(file);
    if (!weights) return weights.error();
    return std::make_shared<const Weights>(std::move(*weights));
}

GameInfo game_info() {
    GameInfo info;
    info.title = "Othello";
    info.rules = "8x8; enclosed discs turn; a player without a move passes; most discs win";
    info.position_help = "64 cells from a1 row by row (X black, O white, - empty), then the side";
    info.max_level = Game::kMaxLevel;
    info.unit = kDisc;
    // Self-play of ours, half of the moves at random; within six discs at depth 9.
    info.samples = {{"", 11},
                    {"-----------O-------O-------OX----OOOX----XXOX------------------- X", 11},
                    {"---X--------X------XOX-----OOO---XOXXX---O--O--------O---------- X", 11},
                    {"-----------OX-----XXXOO----XOOX--OOOOOX--X--O--------O---------- X", 11},
                    {"--OOOO-----OOO---XXXOO----XXOX----OOXX----OOOX------------------ X", 11},
                    {"--X-X-----XXOX---OOXXOX--OOXOX----XOOXX---OOOXX--O-------------- X", 11},
                    {"----------O--------O----OXXXOX--OOOOXOX-OOXXOXXO--OOOOX---OXXO-- X", 11},
                    {"X--X-O---XXXXO-O-XXXXOOOOOOOOOO-X-XXOXOX--XOOOX--------X-------- X", 11},
                    {"--OXXXXO--OXXXXOXXXXXXXO-XXXOOOO--XXOXX--OOOXXXO--O------------- X", 11},
                    {"-----OOX-----OOX--OOXXOX--XXXOOX-X-XXOOOOOXXOOOO--XXO-OO-OOOOOOO X", 11}};
    return info;
}

}  // namespace

Expected<std::unique_ptr<Engine>> make_engine(const EngineOptions& options) {
    static SharedFiles<Weights> files;
    const auto weights =
        choose_weights(options, "KARIKOMI_OTHELLO_WEIGHTS", built_in_weights,
                       [](const std::string& f) { return files.get(f, read_weights); });
    if (!weights) return weights.error();
    return std::unique_ptr<Engine>(std::make_unique<GameEngine<Game>>(
        game_info(), parameters_for(**weights), Evaluator(*weights)));
}

std::unique_ptr<Engine> make_training_engine(std::shared_ptr<const Weights> weights) {
    Json json = Json::parse(params::kOthello);
    json["evaluation"] = weights->id();
    return std::make_unique<GameEngine<Game>>(game_info(), json.dump(),
                                              Evaluator(std::move(weights)));
}

}  // namespace karikomi::othello
