/// The solver's hash table: bounds on scores, how sure they are, and the moves that proved them.
///
/// Shared by all threads without locks, in the way of karikomi/core/tt.hpp: an entry is two relaxed
/// atomic words, the data and the key XOR the data, so a torn entry matches no position. It is a
/// table of its own because an exact score has no depth: two bounds hold for ever, and what is
/// worth keeping is the entry with more empties.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "karikomi/games/othello/board.hpp"
#include "karikomi/games/othello/selectivity.hpp"

namespace karikomi::othello {

using HashKey = std::uint64_t;

inline HashKey hash_key(const Board& board) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(board.own ^ 0x9e3779b97f4a7c15ULL) *
                         (board.other ^ 0xd1b54a32d192ed03ULL);
    const auto mixed = static_cast<HashKey>(product >> 64) ^ static_cast<HashKey>(product);
    return (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9ULL;
}

struct Bounds {
    int lower = -64;
    int upper = 64;
    Square best = kNoSquare;    ///< the move that raised or held the last bound
    Square second = kNoSquare;  ///< the one before it
    int upper_guess = 64;       ///< the upper bound however unsure it is
};

/// What a search found out: `score` with the window (alpha, beta).
struct SearchedNode {
    int empties = 0;
    Selectivity selectivity = Selectivity::Exact;
    int alpha = 0;
    int beta = 0;
    int score = 0;
    Square move = kNoSquare;  ///< kNoSquare keeps the old moves
};

class EndgameTable {
    /// Plain words, so that memory fresh from the system, which is zero, is a table as it stands.
    /// They are only ever touched by atomic built-ins: libc++ has no std::atomic_ref before 19.
    struct Entry {
        std::uint64_t check;
        std::uint64_t data;
    };
    static constexpr std::size_t kWays = 4;
    struct alignas(64) Bucket {
        Entry entry[kWays];
    };

public:
    explicit EndgameTable(std::size_t megabytes) { resize(megabytes); }

    void resize(std::size_t megabytes);  ///< also clears; 0 leaves a table that remembers nothing
    void clear();
    void new_search() { generation_ = (generation_ + 1) & 255; }

    bool enabled() const { return count_ != 0; }
    void prefetch(HashKey key) const {
        if (count_ != 0) __builtin_prefetch(&buckets_[index(key)]);
    }
    /// False when the position is not known. Bounds less sure than `wanted` are left out; moves
    /// are good advice whatever they rest on.
    bool probe(HashKey key, Selectivity wanted, Bounds& bounds) const;
    void store(HashKey key, const SearchedNode& node);

private:
    static constexpr int kBias = 64;  // scores are kept as 0..128

    /// An entry: each bound with its own selectivity.
    struct Record {
        Bounds bounds;
        Selectivity lower_level = Selectivity::Exact;
        Selectivity upper_level = Selectivity::Exact;

        void raise_lower(int score, Selectivity level);
        void reduce_upper(int score, Selectivity level);
        void learn(const SearchedNode& node);
    };

    std::size_t index(HashKey key) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(key) * count_) >> 64);
    }
    static std::uint64_t load(const std::uint64_t& word) {
        // const_cast: a reference to a const atomic comes with C++26 only.
        return __atomic_load_n(&word, __ATOMIC_RELAXED);
    }
    static std::uint64_t pack(const Record& r, int empties, unsigned generation);
    static Record unpack(std::uint64_t word);
    static int empties_of(std::uint64_t word) { return static_cast<int>(word >> 32 & 255); }
    static unsigned generation_of(std::uint64_t word) {
        return static_cast<unsigned>(word >> 40 & 255);
    }
    Entry& victim(Bucket& bucket) const;

    struct Unmap {
        std::size_t bytes;
        void operator()(Bucket* buckets) const;
    };
    std::size_t count_ = 0;
    std::unique_ptr<Bucket[], Unmap> buckets_;
    unsigned generation_ = 0;
};

}  // namespace karikomi::othello
