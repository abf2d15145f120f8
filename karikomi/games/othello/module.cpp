#include "karikomi/games/othello/module.hpp"

#include "karikomi/games/othello/engine.hpp"

namespace karikomi::othello {

GameModule module() {
    GameModule m;
    m.name = "othello";
    m.make = make_engine;
    return m;
}

}  // namespace karikomi::othello
