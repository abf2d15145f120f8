/// A thread's own small table for positions with few empties.
///
/// Their subtrees cost about as much as a miss in the big table, so they go into one that stays in
/// the processor's second-level cache: always replaced, never shared, so without atomics.
#pragma once

#include <cstdint>
#include <vector>

#include "karikomi/games/othello/endgame_table.hpp"

namespace karikomi::othello {

class LocalTable {
public:
    LocalTable() : entries_(std::size_t{1} << kBits) {}

    /// The bounds, without limits where the position is not known.
    Bounds probe(HashKey key) const {
        const Entry& e = entries_[key >> (64 - kBits)];
        if (e.key != key) return {};
        return Bounds{e.lower, e.upper, e.best, kNoSquare};
    }
    void store(HashKey key, int alpha, int score, Square move) {
        Entry& e = entries_[key >> (64 - kBits)];
        if (e.key != key) e = Entry{key, -64, 64, kNoSquare};
        (score > alpha ? e.lower : e.upper) = static_cast<std::int8_t>(score);
        e.best = static_cast<std::uint8_t>(move);
    }

private:
    static constexpr int kBits = 14;
    struct Entry {
        HashKey key = 0;
        std::int8_t lower = -64;
        std::int8_t upper = 64;
        std::uint8_t best = kNoSquare;
    };
    std::vector<Entry> entries_;
};

}  // namespace karikomi::othello
