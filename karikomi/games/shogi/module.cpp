#include "karikomi/games/shogi/module.hpp"

#include "karikomi/games/shogi/engine.hpp"

namespace karikomi::shogi {

GameModule module() {
    GameModule m;
    m.name = "shogi";
    m.make = [](const EngineOptions& options) -> Expected<std::unique_ptr<Engine>> {
        if (!options.weights.empty()) {
            return Error{"shogi: there are no weights to choose", "leave them out"};
        }
        return make_engine();
    };
    return m;
}

}  // namespace karikomi::shogi
