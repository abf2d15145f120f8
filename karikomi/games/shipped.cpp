#include "karikomi/games/shipped.hpp"

#include "examples/connect_four/module.hpp"
#include "karikomi/games/othello/module.hpp"
#include "karikomi/games/renju/module.hpp"
#include "karikomi/games/shogi/module.hpp"

namespace karikomi {

std::vector<GameModule> shipped_games() {
    std::vector<GameModule> all = {connect_four::module(), othello::module()};
    for (GameModule& m : renju::modules()) all.push_back(std::move(m));
    all.push_back(shogi::module());
    return all;
}

}  // namespace karikomi
