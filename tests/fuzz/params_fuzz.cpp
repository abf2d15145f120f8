// Parameter files, for every game.
#include <map>

#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/strict.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    const auto json = strict::parse(bytes);
    for (const GameModule* m : games()) {
        static std::map<std::string, std::unique_ptr<Engine>> engines;
        auto& engine = engines[m->name];
        if (!engine) {
            auto made = make_engine(m->name);
            if (!made) continue;
            engine = std::move(*made);
        }
        SearchParams params = engine->params();
        (void)set_param(params, std::string(bytes.substr(0, 200)));
        if (json) (void)read_params(*json, engine->info());
    }
}

const Registration kTarget("params", run);

}  // namespace
}  // namespace karikomi::fuzz
