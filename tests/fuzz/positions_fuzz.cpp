// Positions and moves of every game: the first line is a position, the others are moves.
#include <map>

#include "karikomi/base/text.hpp"
#include "karikomi/engine/registry.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

constexpr std::size_t kMostMoves = 50;

void run(std::string_view bytes) {
    static std::map<std::string, std::unique_ptr<Engine>> engines;
    const auto lines = split(bytes, '\n');
    for (const GameModule* m : games()) {
        auto& engine = engines[m->name];
        if (!engine) {
            auto made = make_engine(m->name);
            if (!made) continue;
            engine = std::move(*made);
        }
        if (!engine->set_position(std::string(lines[0]))) continue;
        for (std::size_t i = 1; i < std::min(lines.size(), kMostMoves); ++i) {
            (void)engine->play(std::string(lines[i]));
        }
        (void)engine->legal_moves();
        (void)engine->winner();
        (void)engine->position_text();
        (void)engine->draw_board();
    }
}

const Registration kTarget("positions", run);

}  // namespace
}  // namespace karikomi::fuzz
