/// What earlier cut-offs taught about moves, for any game: butterfly history, continuation history
/// (after the last move and the one before it) and the counter move. Tables are indexed by the
/// game's own history_slot(move).
#pragma once

#include <cstdlib>
#include <vector>

#include "karikomi/core/concepts.hpp"

namespace karikomi {

template <Game G> class History {
public:
    static constexpr int kSlots = G::kHistorySlots;
    static constexpr int kNoSlot = kSlots;  ///< "no previous move" (root, null move)
    static constexpr int kMax = 16'384;     ///< each table stays within +-kMax

    History() : butterfly_(2 * kSlots), counter_(2 * (kSlots + 1), kNoMove) {
        for (auto& table : continuation_) table.resize((kSlots + 1) * std::size_t{kSlots});
    }

    void clear() {
        std::fill(butterfly_.begin(), butterfly_.end(), std::int16_t{0});
        std::fill(counter_.begin(), counter_.end(), kNoMove);
        for (auto& table : continuation_) std::fill(table.begin(), table.end(), std::int16_t{0});
    }

    /// The slots of the last two moves played; kNoSlot where there is none.
    struct Context {
        int side = 0;
        int previous = kNoSlot;
        int before_previous = kNoSlot;
    };

    int score(const Context& c, int slot) const {
        return butterfly_[at(c.side, slot)] + continuation_[0][pair(c.previous, slot)] +
               continuation_[1][pair(c.before_previous, slot)];
    }
    MoveCode counter_move(const Context& c) const { return counter_[counter_at(c)]; }

    void reward(const Context& c, int slot, int bonus) {
        adjust(butterfly_[at(c.side, slot)], bonus);
        adjust(continuation_[0][pair(c.previous, slot)], bonus);
        adjust(continuation_[1][pair(c.before_previous, slot)], bonus);
    }
    void set_counter_move(const Context& c, MoveCode m) { counter_[counter_at(c)] = m; }

    static int bonus(Depth depth) { return std::min(32 * depth * depth, 2048); }

private:
    static std::size_t at(int side, int slot) {
        return static_cast<std::size_t>(side) * kSlots + static_cast<std::size_t>(slot);
    }
    static std::size_t pair(int previous, int slot) {
        return static_cast<std::size_t>(previous) * kSlots + static_cast<std::size_t>(slot);
    }
    static std::size_t counter_at(const Context& c) {
        return static_cast<std::size_t>(c.side) * (kSlots + 1) +
               static_cast<std::size_t>(c.previous);
    }
    /// Moves towards the bonus and saturates by itself, so no table ever needs rescaling.
    static void adjust(std::int16_t& h, int bonus) {
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / kMax);
    }

    std::vector<std::int16_t> butterfly_;
    std::vector<MoveCode> counter_;
    std::array<std::vector<std::int16_t>, 2> continuation_;
};

}  // namespace karikomi
