// Engines, time controls and openings as a command line or a job writes them.
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/openings.hpp"
#include "karikomi/lab/match/spec.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    const std::string text(bytes);
    (void)match::parse_engine(text);
    match::TimeControl time;
    for (const char* key : {"depth", "nodes", "clock", "byoyomi", "move-time", "level"}) {
        (void)time.set(key, text);
    }
    for (const GameModule* m : games()) {
        static std::map<std::string, std::unique_ptr<Engine>> referees;
        auto& referee = referees[m->name];
        if (!referee) {
            auto made = make_engine(m->name);
            if (!made) continue;
            referee = std::move(*made);
        }
        (void)match::parse_opening(*referee, text);
    }
}

const Registration kTarget("engine_text", run);

}  // namespace
}  // namespace karikomi::fuzz
