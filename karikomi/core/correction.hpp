/// Correction histories: by how much the search found the static value wrong in positions that have
/// a part in common (pawns, castles), or after the same moves. The sum of what was learned corrects
/// the next static value.
#pragma once

#include <algorithm>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/params.hpp"

namespace karikomi {

template <Game G> class Correction {
public:
    /// The numbers of `correction*` in NodeParams; `correction` 0 switches everything off.
    void prepare(const NodeParams& p) {
        most_ = HasStructures<G> ? p.correction : 0;
        line_most_ = most_ > 0 ? p.correction_line : 0;
        deepest_ = p.correction_depth;
        rate_ = p.correction_rate;
        step_ = p.correction_step;
        low_ = p.correction_low;
        const auto size = [](auto& table, std::size_t wanted) {
            if (table.size() != wanted) table.assign(wanted, std::int16_t{0});
        };
        size(table_, most_ > 0 ? kTables * 2 * kSize : 0);
        size(line_, line_most_ > 0 ? (kSlots + 1) * (kSlots + 1) : 0);
    }
    void clear() {
        std::fill(table_.begin(), table_.end(), std::int16_t{0});
        std::fill(line_.begin(), line_.end(), std::int16_t{0});
    }
    bool is_on() const { return most_ > 0; }

    /// The last moves, as their history slots: one, two and four plies ago.
    struct Line {
        std::size_t last = kSlots, second = kSlots, fourth = kSlots;
    };

    Value of(const typename G::Position& pos, const Line& line) const {
        int sum = 0;
        for (int i = 0; i < kTables; ++i) sum += table_[at(pos, i)];
        Value v = sum * most_ / kLimit;
        if (line_most_ > 0) {
            v +=
                (line_[at(line.second, line)] + line_[at(line.fourth, line)]) * line_most_ / kLimit;
        }
        return v;
    }
    /// The search has found `difference` more than the (corrected) static value; `low`: at most.
    void learn(const typename G::Position& pos, const Line& line, Value difference, Depth depth,
               bool low) {
        int points = difference * std::min(depth, deepest_) / rate_;
        if (low && low_ != 1.0f) points = static_cast<int>(static_cast<float>(points) * low_);
        const int bonus = std::clamp(points, -step_, step_);
        for (int i = 0; i < kTables; ++i) adjust(table_[at(pos, i)], bonus);
        if (line_most_ > 0) {
            adjust(line_[at(line.second, line)], bonus);
            adjust(line_[at(line.fourth, line)], bonus / 2);
        }
    }

private:
    static constexpr int kTables = [] {
        if constexpr (HasStructures<G>) return G::kStructures;
        return 0;
    }();
    static constexpr std::size_t kSize = std::size_t{1} << 14;
    static constexpr int kLimit = 1024;  ///< each entry stays within +-kLimit
    static constexpr std::size_t kSlots = static_cast<std::size_t>(G::kHistorySlots);

    static void adjust(std::int16_t& h, int bonus) {
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / kLimit);
    }
    static std::size_t at(std::size_t earlier, const Line& line) {
        return earlier * (kSlots + 1) + line.last;
    }

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
    Value line_most_ = 0;
    float low_ = 1.0f;
    Depth deepest_ = 16;
    int rate_ = 8;
    int step_ = kLimit / 4;
    std::vector<std::int16_t> table_;  ///< [structure][side][hash]
    std::vector<std::int16_t> line_;   ///< [earlier move][last move]
};

}  // namespace karikomi
