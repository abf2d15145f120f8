/// The only place that instantiates the search for Othello.
#include "karikomi/games/othello/engine.hpp"

#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "karikomi/engine/game_engine.hpp"
#include "karikomi/games/othello/takeover.hpp"
#include "karikomi/params/othello.hpp"

namespace karikomi::othello {
namespace {

/// Other weights than the built-in ones, for whoever trains: a file named in the environment.
/// Fitted parameters belong to one evaluation, so then Multi-ProbCut stays off until a parameter
/// file for these weights is given.
std::string read_parameters() {
    static constexpr const char* kVariable = "KARIKOMI_OTHELLO_WEIGHTS";
    const char* const file = std::getenv(kVariable);
    if (file == nullptr) return std::string(params::kOthello);
    auto weights = Weights::load(file);
    if (!weights) {
        throw std::runtime_error(fmt::format("{}: {}", kVariable, weights.error().what));
    }
    Json json = Json::parse(params::kOthello);
    json["evaluation"] = weights->id();
    if (json["multi_probcut"].contains("enabled")) json["multi_probcut"]["enabled"] = false;
    json.erase("calibration");
    use_weights(std::make_shared<const Weights>(std::move(*weights)));
    return json.dump();
}

/// Read once: engines of other threads hold on to the weights.
const std::string& parameters_for_weights() {
    static const std::string kText = read_parameters();
    return kText;
}

GameInfo game_info() {
    GameInfo info;
    info.title = "Othello";
    info.rules = "8x8; enclosed discs turn; a player without a move passes; most discs win";
    info.position_help = "64 cells from a1 row by row (X black, O white, - empty), then the side";
    info.protocols = {"nboard", "gtp"};
    info.max_level = 60;
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

std::unique_ptr<Engine> make_engine() {
    return std::make_unique<GameEngine<Game>>(game_info(), parameters_for_weights());
}

std::unique_ptr<Engine> make_training_engine() {
    Json json = Json::parse(params::kOthello);
    json["evaluation"] = active_weights().id();
    return std::make_unique<GameEngine<Game>>(game_info(), json.dump());
}

}  // namespace karikomi::othello
