#include "karikomi/games/shogi/module.hpp"

#include "karikomi/games/shogi/engine.hpp"

namespace karikomi::shogi {

GameModule module() {
    GameModule m;
    m.name = "shogi";
    m.make = make_engine;
    return m;
}

}  // namespace karikomi::shogi
