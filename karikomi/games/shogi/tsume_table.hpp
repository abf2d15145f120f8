/// The proof numbers of positions, for the tsume search: a table that forgets the cheapest.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

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

    /// A quick mate must not wait for a large table: the system gives pages of zeros, which are
    /// free entries, and only when they are touched. Where it has no room the table is smaller.
    explicit TsumeTable(std::size_t megabytes) {
        while (2 * count_ * sizeof(Bucket) <= megabytes << 20) count_ *= 2;
        while (!allocate()) {
            if (count_ == kFewest) throw std::bad_alloc();
            count_ /= 2;
        }
    }

    const Entry* find(Key key) const {
        for (const Entry& e : bucket(key)) {
            if (e.work != 0 && e.key == key) return &e;
        }
        return nullptr;
    }
    void store(const Entry& fresh) {
        Bucket& b = buckets_[index(fresh.key)];
        Entry* place = b.data();
        for (Entry& e : b) {
            if (e.work != 0 && e.key == fresh.key) {
                place = &e;
                break;
            }
            if (e.work < place->work) place = &e;
        }
        if (place->work == 0) ++used_;
        *place = fresh;
    }
    /// Entries that are not free, in permille.
    int fullness() const {
        return static_cast<int>(1000 * used_ / (count_ * std::tuple_size_v<Bucket>));
    }

private:
    using Bucket = std::array<Entry, 4>;
    static_assert(std::is_trivially_copyable_v<Bucket> && std::is_trivially_destructible_v<Bucket>);
    struct Free {
        void operator()(Bucket* b) const { std::free(b); }  // NOLINT: from calloc
    };
    static constexpr std::size_t kFewest = 1024;

    bool allocate() {
        void* const zeros = std::calloc(count_, sizeof(Bucket));  // NOLINT: lazily zeroed
        buckets_.reset(static_cast<Bucket*>(zeros));
        return zeros != nullptr;
    }
    std::size_t index(Key key) const { return (key >> 7) & (count_ - 1); }
    const Bucket& bucket(Key key) const { return buckets_[index(key)]; }

    std::size_t count_ = kFewest;
    std::size_t used_ = 0;
    std::unique_ptr<Bucket[], Free> buckets_;
};

}  // namespace karikomi::shogi
