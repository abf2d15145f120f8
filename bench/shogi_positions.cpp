/// Positions of our own games, one a game and one a line: to measure shogi on
/// (`karikomi lab collect shogi --positions FILE`).
///   build/bench/shogi_positions COUNT SEED [NODES] > bench/shogi_positions.sfen
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"

namespace {
using namespace karikomi;

/// A game from a random opening up to a random ply; empty when it ended before.
std::string position_of_game(Engine& engine, bench::Random& random, std::uint64_t nodes) {
    engine.new_game();
    if (!bench::play_randomly(engine, 4 + random.below(12), random)) return {};
    for (std::uint64_t left = 4 + random.below(110); left > 0; --left) {
        SearchRequest request;
        request.limits.nodes = nodes;
        const auto found = engine.search(request);
        if (!found || found->lines.empty() || std::abs(found->lines.front().value) > 1500)
            return {};
        if (!engine.play(found->best_move) || engine.winner()) return {};
    }
    return engine.position_text();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        fmt::print(stderr, "usage: shogi_positions COUNT SEED [NODES]\n");
        return 2;
    }
    (void)register_games(shipped_games());
    const auto made = make_engine("shogi");
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[2])));
    const auto nodes = static_cast<std::uint64_t>(argc > 3 ? std::atoll(argv[3]) : 3000);
    for (int left = std::atoi(argv[1]); left > 0;) {
        const std::string text = position_of_game(**made, random, nodes);
        if (text.empty()) continue;
        fmt::print("{}\n", text);
        --left;
    }
    return 0;
}
