/// What one thread remembers of its internal iterative deepening: success rates and recent results.
#pragma once

#include <vector>

#include "karikomi/core/types.hpp"

namespace karikomi {

/// What one thread remembers between nodes.
class IidMemory {
public:
    void reset(float start_rate, bool cached) {
        rates_.fill(start_rate);
        cache_.assign(cached ? kCacheSize : 0, Entry{});
        search_ = 0;
    }
    void next_search() { ++search_; }
    float rate(NodeKind k) const { return rates_[static_cast<std::size_t>(k)]; }
    void learn(NodeKind k, bool success, float weight) {
        float& r = rates_[static_cast<std::size_t>(k)];
        r += weight * ((success ? 1.0f : 0.0f) - r);
    }
    /// Of a result at least as deep as `least`.
    MoveCode find(Key key, Depth least, int max_age) const {
        if (cache_.empty()) return kNoMove;
        const Entry& e = cache_[key & (kCacheSize - 1)];
        const bool fits = e.key == key && e.depth >= least && search_ - e.search < max_age;
        return fits ? e.move : kNoMove;
    }
    void keep(Key key, Depth depth, MoveCode move) {
        if (!cache_.empty()) cache_[key & (kCacheSize - 1)] = {key, move, depth, search_};
    }

private:
    static constexpr std::size_t kCacheSize = 1 << 12;
    struct Entry {
        Key key = 0;
        MoveCode move = kNoMove;
        Depth depth = -1;
        int search = 0;
    };
    std::array<float, 3> rates_{};
    std::vector<Entry> cache_;
    int search_ = 0;
};

}  // namespace karikomi
