/// Correction histories: by how much the search found the static value wrong in positions that have
/// a part in common (pawns, castles). The sum of what was learned corrects the next static value.
#pragma once

#include <algorithm>
#include <vector>

#include "karikomi/core/concepts.hpp"

namespace karikomi {

template <Game G> class Correction {
public:
    /// `most` is what one table may add; 0 switches everything off. Results teach by their depth,
    /// up to `deepest`; one of depth `rate` teaches the whole difference, at most `step` of kLimit.
    void prepare(Value most, Depth deepest, int rate, int step) {
        most_ = most;
        deepest_ = deepest;
        rate_ = rate;
        step_ = step;
        const std::size_t wanted = most > 0 ? kTables * 2 * kSize : 0;
        if (table_.size() != wanted) table_.assign(wanted, std::int16_t{0});
    }
    void clear() { std::fill(table_.begin(), table_.end(), std::int16_t{0}); }
    bool is_on() const { return most_ > 0; }

    Value of(const typename G::Position& pos) const {
        int sum = 0;
        for (int i = 0; i < kTables; ++i) sum += table_[at(pos, i)];
        return sum * most_ / kLimit;
    }
    /// The search has found `difference` more than the (corrected) static value.
    void learn(const typename G::Position& pos, Value difference, Depth depth) {
        const int bonus = std::clamp(difference * std::min(depth, deepest_) / rate_, -step_, step_);
        for (int i = 0; i < kTables; ++i) {
            std::int16_t& h = table_[at(pos, i)];
            h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / kLimit);
        }
    }

private:
    static constexpr int kTables = [] {
        if constexpr (HasStructures<G>) return G::kStructures;
        return 0;
    }();
    static constexpr std::size_t kSize = std::size_t{1} << 14;
    static constexpr int kLimit = 1024;  ///< each entry stays within +-kLimit

    static std::size_t at(const typename G::Position& pos, int which) {
        if constexpr (HasStructures<G>) {
            const auto place = static_cast<std::size_t>(pos.structure_key(which)) & (kSize - 1);
            return (static_cast<std::size_t>(which) * 2 + static_cast<std::size_t>(pos.side())) *
                       kSize +
                   place;
        }
        return 0;
    }

    Value most_ = 0;
    Depth deepest_ = 16;
    int rate_ = 8;
    int step_ = kLimit / 4;
    std::vector<std::int16_t> table_;  ///< [structure][side][hash]
};

}  // namespace karikomi
