/// Random positions for measurements: the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <string>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/engine.hpp"

namespace karikomi::bench {

using karikomi::Random;

/// Plays random legal moves from the start; false when the game ended on the way. `played` gets the
/// moves.
inline bool play_randomly(Engine& engine, std::uint64_t plies, Random& random,
                          std::string* played = nullptr) {
    (void)engine.set_position({});
    for (std::uint64_t i = 0; i < plies; ++i) {
        const auto moves = engine.legal_moves();
        if (moves.empty()) return false;
        const std::string& move = moves[random.below(moves.size())];
        if (played != nullptr) *played += move + " ";
        (void)engine.play(move);
    }
    return !engine.winner();
}

/// Plays one of the best few moves of a shallow search each time: for games in which most legal
/// moves are nonsense.
inline bool play_sensibly(Engine& engine, std::uint64_t plies, Random& random) {
    (void)engine.set_position({});
    for (std::uint64_t i = 0; i < plies && !engine.winner(); ++i) {
        SearchRequest request;
        request.limits.depth = 2;
        request.limits.multi_pv = 6;
        const auto found = engine.search(request);
        if (!found || found->lines.empty()) return false;
        (void)engine.play(found->lines[random.below(found->lines.size())].pv.front());
    }
    return !engine.winner();
}

}  // namespace karikomi::bench
