/// What earlier cut-offs taught about moves, for any game: butterfly history, continuation history
/// (after the last move and the one before it) and the counter move. Tables are indexed by the
/// game's own history_slot(move). Games that offer what they need may also have continuation
/// histories after moves further back, and one for tactical moves by what they capture.
#pragma once

#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/params.hpp"

namespace karikomi {

template <Game G> class History {
public:
    static constexpr int kSlots = G::kHistorySlots;
    static constexpr int kNoSlot = kSlots;  ///< "no previous move" (root, null move)

    History() : butterfly_(2 * kSlots), counter_(2 * (kSlots + 1), kNoMove) {
        for (auto& table : continuation_) table.resize((kSlots + 1) * std::size_t{kSlots});
    }

    void clear() {
        const auto forget = [](auto& table) { std::fill(table.begin(), table.end(), 0); };
        std::fill(counter_.begin(), counter_.end(), kNoMove);
        forget(butterfly_), forget(continuation_[0]), forget(continuation_[1]);
        forget(tactical_);
    }
    /// Makes or drops the tables that are optional.
    void prepare(const NodeParams& p, const HistoryParams& h) {
        sort_after_ = h.sort_after;
        far_shares_ = h.far_shares;
        const auto size = [](auto& table, std::size_t wanted) {
            if (table.size() != wanted) table.assign(wanted, std::int16_t{0});
        };
        far_ = WantsFarHistory<G> && p.far_continuation;
        counters_ = h.counter_moves;
        plain_most_ = h.plain_most;
        continuation_most_ = h.continuation_most;
        tactical_most_ = h.tactical_most;
        near_ = h.judge_near;
        own_ = h.judge_own;
        if constexpr (HasCaptureKinds<G>) {
            size(tactical_, p.tactical_history ? 2 * std::size_t{kSlots} * G::kCaptureKinds : 0);
        }
    }

    /// What a move is judged by beside itself. kNoSlot where there was no such move.
    struct Context {
        int side = 0;
        int previous = kNoSlot;
        int before_previous = kNoSlot;
        int third = kNoSlot;  ///< of the move three plies ago
        int far = kNoSlot;    ///< ... four
        int sixth = kNoSlot;  ///< ... six
    };

    int score(const Context& c, int slot) const {
        int sum = butterfly_[at(c.side, slot)] + continuation_[0][pair(c.previous, slot)] +
                  continuation_[1][pair(c.before_previous, slot)];
        if constexpr (WantsFarHistory<G>) {
            if (far_) {
                sum += continuation_[0][pair(c.third, slot)] + continuation_[1][pair(c.far, slot)] +
                       continuation_[1][pair(c.sixth, slot)];
            }
        }
        return sum;
    }
    /// What reductions and pruning go by.
    int judgement(const Context& c, int slot) const {
        return near_ ? near_score(c, slot) : score(c, slot);
    }
    /// Without the moves further back.
    int near_score(const Context& c, int slot) const {
        return own_ * butterfly_[at(c.side, slot)] + continuation_[0][pair(c.previous, slot)] +
               continuation_[1][pair(c.before_previous, slot)];
    }
    int tactical_score(int side, int slot, int kind) const {
        return tactical_.empty() ? 0 : tactical_[tactical_at(side, slot, kind)];
    }
    MoveCode counter_move(const Context& c) const {
        return counters_ ? counter_[counter_at(c)] : kNoMove;
    }

    void reward(const Context& c, int slot, int bonus) {
        reward_plainly(c.side, slot, bonus);
        reward_continuation(c, slot, bonus);
    }
    /// Moves further back say less about this one.
    void reward_continuation(const Context& c, int slot, int bonus) {
        const auto share = [&](std::size_t i) { return bonus * far_shares_[i] / 8; };
        learn(continuation_[0][pair(c.previous, slot)], bonus);
        learn(continuation_[1][pair(c.before_previous, slot)], far_ ? share(0) : bonus);
        if constexpr (WantsFarHistory<G>) {
            if (!far_) return;
            learn(continuation_[0][pair(c.third, slot)], share(1));
            learn(continuation_[1][pair(c.far, slot)], share(2));
            learn(continuation_[1][pair(c.sixth, slot)], share(3));
        }
    }
    /// The move alone, whatever came before it.
    void reward_plainly(int side, int slot, int bonus) {
        adjust(butterfly_[at(side, slot)], bonus, plain_most_);
    }
    bool learns_tactics() const { return !tactical_.empty(); }
    /// After so many moves a picker sorts what is left.
    int sort_after() const { return sort_after_; }
    void reward_tactical(int side, int slot, int kind, int bonus) {
        adjust(tactical_[tactical_at(side, slot, kind)], bonus, tactical_most_);
    }
    void set_counter_move(const Context& c, MoveCode m) { counter_[counter_at(c)] = m; }

private:
    static std::size_t at(int side, int slot) {
        return static_cast<std::size_t>(side) * kSlots + static_cast<std::size_t>(slot);
    }
    static std::size_t pair(int previous, int slot) {
        return static_cast<std::size_t>(previous) * kSlots + static_cast<std::size_t>(slot);
    }
    static std::size_t tactical_at(int side, int slot, int kind) {
        if constexpr (HasCaptureKinds<G>) {
            return at(side, slot) * G::kCaptureKinds + static_cast<std::size_t>(kind);
        }
        return 0;
    }
    static std::size_t counter_at(const Context& c) {
        return static_cast<std::size_t>(c.side) * (kSlots + 1) +
               static_cast<std::size_t>(c.previous);
    }
    /// Moves towards the bonus and saturates by itself, so no table ever needs rescaling.
    static void adjust(std::int16_t& h, int bonus, int most) {
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / most);
    }
    void learn(std::int16_t& h, int bonus) { adjust(h, bonus, continuation_most_); }

    std::vector<std::int16_t> butterfly_;
    std::vector<MoveCode> counter_;
    /// After a move of the opponent (one or three plies ago) and of the mover (two, four, six).
    std::array<std::vector<std::int16_t>, 2> continuation_;
    std::vector<std::int16_t> tactical_;  ///< empty: not wanted
    int plain_most_ = HistoryParams{}.plain_most;
    int continuation_most_ = HistoryParams{}.continuation_most;
    int tactical_most_ = HistoryParams{}.tactical_most;
    bool far_ = false;
    bool counters_ = true;
    bool near_ = false;
    int own_ = HistoryParams{}.judge_own;
    std::array<int, 4> far_shares_ = HistoryParams{}.far_shares;
    int sort_after_ = HistoryParams{}.sort_after;
};

/// The moves of a node that were searched and did not cut.
template <Game G> class FailedMoves {
public:
    void add(typename G::Move m, bool quiet) {
        if (quiet && quiets_ < moves_.size()) moves_[quiets_++] = m;
        if constexpr (HasCaptureKinds<G>) {
            if (!quiet && tactics_ < tactical_.size()) tactical_[tactics_++] = m;
        }
    }
    std::span<const typename G::Move> quiet() const { return {moves_.data(), quiets_}; }
    std::span<const typename G::Move> tactical() const { return {tactical_.data(), tactics_}; }

private:
    std::size_t quiets_ = 0;
    std::size_t tactics_ = 0;
    std::array<typename G::Move, 32> moves_;
    std::array<typename G::Move, HasCaptureKinds<G> ? 16 : 1> tactical_;
};

}  // namespace karikomi
