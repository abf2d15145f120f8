#include "karikomi/games/othello/endgame_table.hpp"

#include <algorithm>
#include <new>

#include "karikomi/base/system.hpp"

namespace karikomi::othello {

void EndgameTable::Unmap::operator()(Bucket* buckets) const {
    os::give_back_zeros(buckets, bytes);
}

void EndgameTable::resize(std::size_t megabytes) {
    buckets_.reset();
    count_ = (megabytes << 20) / sizeof(Bucket);
    generation_ = 0;
    if (count_ == 0) return;
    // Zero pages come when they are first touched, so a small solve does not pay for a big table.
    const std::size_t bytes = count_ * sizeof(Bucket);
    void* const memory = os::take_zeros(bytes);
    if (memory == nullptr) {
        count_ = 0;
        throw std::bad_alloc();
    }
    buckets_ = std::unique_ptr<Bucket[], Unmap>(static_cast<Bucket*>(memory), Unmap{bytes});
}

void EndgameTable::clear() {
    resize((count_ * sizeof(Bucket)) >> 20);
}

std::uint64_t EndgameTable::pack(const Record& r, int empties, unsigned generation) {
    const Bounds& b = r.bounds;
    return static_cast<std::uint64_t>(b.lower + kBias) |
           static_cast<std::uint64_t>(b.upper + kBias) << 8 |
           static_cast<std::uint64_t>(b.best) << 16 | static_cast<std::uint64_t>(b.second) << 24 |
           static_cast<std::uint64_t>(empties) << 32 |
           static_cast<std::uint64_t>(generation) << 40 |
           static_cast<std::uint64_t>(r.lower_level) << 48 |
           static_cast<std::uint64_t>(r.upper_level) << 52;
}

EndgameTable::Record EndgameTable::unpack(std::uint64_t word) {
    return Record{
        Bounds{static_cast<int>(word & 255) - kBias, static_cast<int>(word >> 8 & 255) - kBias,
               static_cast<Square>(word >> 16 & 255), static_cast<Square>(word >> 24 & 255)},
        static_cast<Selectivity>(word >> 48 & 15), static_cast<Selectivity>(word >> 52 & 15)};
}

bool EndgameTable::probe(HashKey key, Selectivity wanted, Bounds& bounds) const {
    if (count_ == 0) return false;
    for (const Entry& e : buckets_[index(key)].entry) {
        const std::uint64_t data = load(e.data);
        if ((load(e.check) ^ data) != key || data == 0) continue;
        const Record record = unpack(data);
        bounds = record.bounds;
        bounds.upper_guess = bounds.upper;
        if (record.lower_level < wanted) bounds.lower = -kBias;
        if (record.upper_level < wanted) bounds.upper = kBias;
        return true;
    }
    return false;
}

// A bound gives way to a surer one, to a tighter one of its own level, and to a tighter one that is
// less sure: the search that stores it works at that level and needs it now.

void EndgameTable::Record::raise_lower(int score, Selectivity level) {
    // Where the two bounds contradict each other the surer one is right, else the newer one.
    if (score > bounds.upper) {
        if (upper_level > level) {
            score = bounds.upper;
        } else {
            bounds.upper = kBias;
            upper_level = Selectivity::Exact;
        }
    }
    if (level <= lower_level && score <= bounds.lower) return;
    bounds.lower = score;
    lower_level = level;
}

void EndgameTable::Record::reduce_upper(int score, Selectivity level) {
    if (score < bounds.lower) {
        if (lower_level > level) {
            score = bounds.lower;
        } else {
            bounds.lower = -kBias;
            lower_level = Selectivity::Exact;
        }
    }
    if (level <= upper_level && score >= bounds.upper) return;
    bounds.upper = score;
    upper_level = level;
}

void EndgameTable::Record::learn(const SearchedNode& node) {
    // A move that proved a lower bound outlives failures: with both bounds equal it is a best move.
    const bool raises =
        node.score > node.alpha && (node.score > bounds.lower || node.selectivity > lower_level);
    const bool proven = bounds.lower > -kBias && lower_level >= node.selectivity;
    if (node.score > node.alpha) raise_lower(node.score, node.selectivity);
    if (node.score < node.beta) reduce_upper(node.score, node.selectivity);
    if (node.move != kNoSquare && node.move != bounds.best && (raises || !proven)) {
        bounds.second = bounds.best;
        bounds.best = node.move;
    }
}

EndgameTable::Entry& EndgameTable::victim(Bucket& bucket) const {
    Entry* worst = &bucket.entry[0];
    int worst_worth = 1 << 20;
    for (Entry& e : bucket.entry) {
        const std::uint64_t data = load(e.data);
        // Entries of earlier searches go first, then those with the smallest subtree below.
        const int worth =
            data == 0 ? -1 : empties_of(data) + (generation_of(data) == generation_ ? 64 : 0);
        if (worth < worst_worth) {
            worst_worth = worth;
            worst = &e;
        }
    }
    return *worst;
}

void EndgameTable::store(HashKey key, const SearchedNode& node) {
    if (count_ == 0) return;
    Bucket& bucket = buckets_[index(key)];
    Entry* entry = nullptr;
    Record record;
    for (Entry& e : bucket.entry) {
        const std::uint64_t data = load(e.data);
        if ((load(e.check) ^ data) != key || data == 0) continue;
        entry = &e;
        record = unpack(data);
        break;
    }
    if (entry == nullptr) entry = &victim(bucket);
    record.learn(node);
    const std::uint64_t data = pack(record, node.empties, generation_);
    __atomic_store_n(&entry->data, data, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->check, key ^ data, __ATOMIC_RELAXED);
}

}  // namespace karikomi::othello
