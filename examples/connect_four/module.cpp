#include "examples/connect_four/module.hpp"

#include "examples/connect_four/engine.hpp"

namespace karikomi::connect_four {

GameModule module() {
    GameModule m;
    m.name = "connect_four";
    m.title = "Connect Four";
    m.make = [](const EngineOptions& options) -> Expected<std::unique_ptr<Engine>> {
        if (!options.weights.empty()) {
            return Error{"connect_four: there are no weights to choose", "leave them out"};
        }
        return make_engine();
    };
    return m;
}

}  // namespace karikomi::connect_four
