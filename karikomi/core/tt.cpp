#include "karikomi/core/tt.hpp"

#include <limits>
#include <new>

namespace karikomi {
namespace {
constexpr auto kRelaxed = std::memory_order_relaxed;

// Layout of the data word: move 16, value 16, static value 16, depth 8, bound 2, pv 1,
// generation 5.
std::uint64_t word16(Value v) {
    return static_cast<std::uint16_t>(static_cast<std::int16_t>(v));
}
constexpr Depth kDepthOffset = 3;  ///< below the horizon's 0: what was never searched
Value value16(std::uint64_t w) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(w));
}
}  // namespace

std::uint64_t TranspositionTable::pack(const TtData& d, unsigned generation) {
    const auto depth = static_cast<std::uint64_t>(std::clamp(d.depth + kDepthOffset, 0, 255));
    return static_cast<std::uint64_t>(d.move) | word16(d.value) << 16 |
           word16(d.static_value) << 32 | depth << 48 | static_cast<std::uint64_t>(d.bound) << 56 |
           static_cast<std::uint64_t>(d.pv) << 58 | static_cast<std::uint64_t>(generation) << 59;
}

TtData TranspositionTable::unpack(std::uint64_t w) {
    TtData d;
    d.move = static_cast<MoveCode>(w);
    d.value = value16(w >> 16);
    d.static_value = value16(w >> 32);
    d.depth = static_cast<Depth>((w >> 48) & 255) - kDepthOffset;
    d.bound = static_cast<Bound>((w >> 56) & 3);
    d.pv = ((w >> 58) & 1) != 0;
    return d;
}

void TranspositionTable::resize(std::size_t megabytes) {
    constexpr std::size_t kMost = std::size_t{1} << 24;  // 16 TB: nobody means more
    const std::size_t wanted =
        (std::clamp<std::size_t>(megabytes, 1, kMost) << 20) / sizeof(Bucket);
    const std::size_t least = (std::size_t{1} << 20) / sizeof(Bucket);
    using Buckets = decltype(buckets_);
    buckets_ = Buckets();  // first: two tables at once may not fit
    generation_ = 0;
    try {
        buckets_ = Buckets(wanted);
        count_ = wanted;
    } catch (const std::bad_alloc&) {
        // The caller hears of it, but the table must stay usable.
        buckets_ = Buckets(least);
        count_ = least;
        throw;
    }
}

void TranspositionTable::clear() {
    for (std::size_t i = 0; i < count_; ++i) {
        for (Entry& e : buckets_[i].entry) {
            e.check.store(0, kRelaxed);
            e.data.store(0, kRelaxed);
        }
    }
    generation_ = 0;
}

TranspositionTable::Probe TranspositionTable::probe(Key key) {
    Bucket& bucket = buckets_[index(key)];
    Probe p;
    p.writer.table_ = this;
    p.writer.bucket_ = &bucket;
    p.writer.key_ = key;
    for (const Entry& e : bucket.entry) {
        const std::uint64_t data = e.data.load(kRelaxed);
        if ((e.check.load(kRelaxed) ^ data) != key) continue;
        p.data = unpack(data);
        p.hit = p.data.bound != Bound::None;
        p.known = p.hit || (data != 0 && p.data.static_value != kNoValue);
        return p;
    }
    return p;
}

std::optional<TtData> TranspositionTable::find(Key key) const {
    for (const Entry& e : buckets_[index(key)].entry) {
        const std::uint64_t data = e.data.load(kRelaxed);
        if ((e.check.load(kRelaxed) ^ data) != key) continue;
        const TtData d = unpack(data);
        if (d.bound != Bound::None) return d;
    }
    return std::nullopt;
}

TranspositionTable::Entry& TranspositionTable::victim(Bucket& bucket) const {
    // Old entries lose first, then shallow ones.
    Entry* worst = &bucket.entry[0];
    int worst_worth = std::numeric_limits<int>::max();
    for (Entry& e : bucket.entry) {
        const std::uint64_t data = e.data.load(kRelaxed);
        const TtData d = unpack(data);
        const int age = static_cast<int>((generation_ - generation_of(data)) & kGenerationMask);
        const int worth = data == 0 ? -1000 : d.depth - age_cost_ * age;
        if (worth < worst_worth) {
            worst_worth = worth;
            worst = &e;
        }
    }
    return *worst;
}

void TranspositionTable::write(Bucket& bucket, Key key, const TtData& d, Depth keep_margin) {
    Entry* slot = nullptr;
    TtData entry = d;
    for (Entry& e : bucket.entry) {
        const std::uint64_t data = e.data.load(kRelaxed);
        if ((e.check.load(kRelaxed) ^ data) != key) continue;
        if (data == 0) continue;
        const TtData old = unpack(data);
        const bool modern = keep_margin > 1;
        const Depth needed = d.depth + keep_margin + (modern && d.pv ? 2 : 0);
        const bool stale =
            modern && (d.bound == Bound::Exact || generation_of(data) != generation_);
        const bool keeps = old.bound != Bound::None && old.depth >= needed && !stale;
        if (keeps) {
            // The result stays, but it is of use in this search, and may lack a move.
            entry = old;
            if (entry.move == kNoMove || (d.move != kNoMove && keep_margin > 1))
                entry.move = d.move;
        } else if (d.move == kNoMove) {
            entry.move = old.move;
        }
        slot = &e;
        break;
    }
    if (slot == nullptr) slot = &victim(bucket);
    const std::uint64_t word = pack(entry, generation_);
    slot->check.store(key ^ word, kRelaxed);
    slot->data.store(word, kRelaxed);
}

int TranspositionTable::fullness() const {
    const std::size_t sample = std::min<std::size_t>(count_, 250);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i) {
        for (const Entry& e : buckets_[i].entry) {
            const std::uint64_t data = e.data.load(kRelaxed);
            const bool set = unpack(data).bound != Bound::None;
            used += set && generation_of(data) == generation_ ? 1 : 0;
        }
    }
    return used * 1000 / static_cast<int>(sample * kWays);
}

}  // namespace karikomi
