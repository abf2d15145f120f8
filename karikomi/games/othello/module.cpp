#include "karikomi/games/othello/module.hpp"

#include "karikomi/games/othello/engine.hpp"

namespace karikomi::othello {

GameModule module() {
    GameModule m;
    m.name = "othello";
    m.make = [](const EngineOptions& options) -> Expected<std::unique_ptr<Engine>> {
        if (!options.weights.empty()) {
            return Error{"othello: there are no weights to choose", "leave them out"};
        }
        return make_engine();
    };
    return m;
}

}  // namespace karikomi::othello
