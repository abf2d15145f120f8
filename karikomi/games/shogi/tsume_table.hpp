/// The proof numbers of positions, for the tsume search: a table that forgets the cheapest.
#pragma once

#include <array>
#include <vector>

#include "karikomi/games/shogi/types.hpp"

namespace karikomi::shogi {

using Proof = std::uint32_t;
inline constexpr Proof kProofMax = 1U << 28;

/// How far from proof and disproof, for the attacker; 0 is proven or disproven.
struct ProofNumbers {
    Proof proof = 1;
    Proof disproof = 1;
    bool is_proven() const { return proof == 0; }
    bool is_disproven() const { return disproof == 0; }
};

class TsumeTable {
public:
    struct Entry {
        Key key = 0;
        ProofNumbers numbers;
        std::uint32_t work = 0;   ///< nodes spent on it; 0: the entry is free
        std::uint16_t plies = 0;  ///< proven: to the mate. Disproven by repetition: ply it rests on
    };

    explicit TsumeTable(std::size_t megabytes) {
        std::size_t n = 1024;
        while (2 * n * sizeof(Bucket) <= megabytes << 20) n *= 2;
        buckets_.resize(n);
    }

    const Entry* find(Key key) const {
        for (const Entry& e : bucket(key)) {
            if (e.work != 0 && e.key == key) return &e;
        }
        return nullptr;
    }
    void store(const Entry& fresh) {
        Bucket& b = buckets_[index(fresh.key)];
        Entry* place = &b[0];
        for (Entry& e : b) {
            if (e.work != 0 && e.key == fresh.key) {
                place = &e;
                break;
            }
            if (e.work < place->work) place = &e;
        }
        *place = fresh;
    }

private:
    using Bucket = std::array<Entry, 4>;
    std::size_t index(Key key) const { return (key >> 7) & (buckets_.size() - 1); }
    const Bucket& bucket(Key key) const { return buckets_[index(key)]; }

    std::vector<Bucket> buckets_;
};

}  // namespace karikomi::shogi
