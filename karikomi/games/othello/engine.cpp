/// The only place that instantiates the search for Othello.
#include "karikomi/games/othello/engine.hpp"

#include "karikomi/engine/game_engine.hpp"
#include "karikomi/games/othello/game.hpp"
#include "karikomi/params/othello.hpp"

namespace karikomi::othello {

std::unique_ptr<Engine> make_engine() {
    GameInfo info;
    info.title = "Othello";
    info.rules = "8x8; enclosed discs turn; a player without a move passes; most discs win";
    info.position_help = "64 cells from a1 row by row (X black, O white, - empty), then the side";
    info.protocols = {"nboard", "gtp"};
    info.max_level = 60;
    info.unit = kDisc;
    info.samples = {{"", 8}};
    return std::make_unique<GameEngine<Game>>(std::move(info), params::kOthello);
}

}  // namespace karikomi::othello
