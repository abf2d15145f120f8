/// The transposition table, shared by all threads without locks.
///
/// An entry is two relaxed atomic words: the data, and the key XOR the data. A reader that catches
/// half of a write sees a key that does not match and takes it for a miss (Hyatt's idea). Probing
/// returns a copy of the entry and a writer for the same bucket, so nobody holds a pointer into the
/// table.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "karikomi/core/huge_pages.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

struct TtData {
    MoveCode move = kNoMove;
    Value value = 0;
    Value static_value = kNoValue;
    Depth depth = 0;
    Bound bound = Bound::None;
    bool pv = false;  ///< the position was on a principal variation once
};

class TranspositionTable {
    struct Entry {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> data{0};
    };
    static constexpr std::size_t kWays = 4;
    struct alignas(64) Bucket {
        Entry entry[kWays];
    };

public:
    class Writer {
    public:
        /// Stores a result. A result for the same position that is deeper by `keep_margin` plies
        /// or more stays where it is. With a margin above 1 its move gives way to a new one, an
        /// exact result replaces it, and so does any of a later search.
        void store(const TtData& d, Depth keep_margin = 1) const {
            if (bucket_ != nullptr) table_->write(*bucket_, key_, d, keep_margin);
        }

    private:
        friend class TranspositionTable;
        TranspositionTable* table_ = nullptr;
        Bucket* bucket_ = nullptr;
        Key key_ = 0;
    };
    struct Probe {
        bool hit = false;    ///< there is a result
        bool known = false;  ///< ... or at least a static value
        TtData data{};
        Writer writer{};
    };

    explicit TranspositionTable(std::size_t megabytes = 16) { resize(megabytes); }

    void resize(std::size_t megabytes);  ///< also clears
    void clear();
    /// When an entry has to go, one that is a search older counts as so many plies less deep.
    void set_age_cost(Depth plies) { age_cost_ = plies; }
    void new_search() { generation_ = (generation_ + 1) & kGenerationMask; }
    Probe probe(Key key);
    std::optional<TtData> find(Key key) const;  ///< to look at only
    void prefetch(Key key) const { __builtin_prefetch(&buckets_[index(key)]); }
    /// Share of entries written in this search, in permille (from a sample).
    int fullness() const;
    std::size_t megabytes() const { return count_ * sizeof(Bucket) >> 20; }

private:
    static constexpr unsigned kGenerationMask = 31;

    static std::uint64_t pack(const TtData& d, unsigned generation);
    static TtData unpack(std::uint64_t word);
    static unsigned generation_of(std::uint64_t word) { return static_cast<unsigned>(word >> 59); }
    std::size_t index(Key key) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(key) * count_) >> 64);
    }
    void write(Bucket& bucket, Key key, const TtData& d, Depth keep_margin);
    Entry& victim(Bucket& bucket) const;

    std::size_t count_ = 0;
    std::vector<Bucket, HugePages<Bucket>> buckets_;
    unsigned generation_ = 0;
    Depth age_cost_ = 8;
};

/// Proven ends are stored as distances from the node, not from the root.
constexpr Value to_table(Value v, int ply) {
    return v >= kDecisive ? v + ply : v <= -kDecisive ? v - ply : v;
}
constexpr Value from_table(Value v, int ply) {
    return v >= kDecisive ? v - ply : v <= -kDecisive ? v + ply : v;
}

}  // namespace karikomi
