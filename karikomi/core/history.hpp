/// What earlier cut-offs taught about moves, for any game: a move's own history, continuation
/// history (after the last move and the one before it) and the counter move. Tables are indexed by
/// the game's own history_slot(move). Games that offer what they need may also have continuation
/// histories after moves further back, one for tactical moves by what they capture, one by a part
/// of the position (pawns), and one for the first plies of the present search.
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
    static constexpr int kNoSlot = kSlots;   ///< "no previous move" (root, null move)
    static constexpr std::size_t kPast = 6;  ///< moves back that a continuation may reach

    History() : butterfly_(2 * kSlots), counter_(2 * (kSlots + 1), kNoMove) {
        for (auto& table : continuation_) table.resize((kSlots + 1) * std::size_t{kSlots});
    }

    void clear() {
        const auto forget = [](auto& table, int start) {
            std::fill(table.begin(), table.end(), static_cast<std::int16_t>(start));
        };
        std::fill(counter_.begin(), counter_.end(), kNoMove);
        forget(butterfly_, 0);
        for (auto& table : continuation_) forget(table, p_.continuation_start);
        forget(tactical_, p_.tactical_start);
        forget(by_structure_, p_.structure_start);
    }
    /// Makes or drops the tables that are optional, and forgets what belongs to one search.
    void prepare(const NodeParams& node, const HistoryParams& h) {
        p_ = h;
        far_ = WantsFarHistory<G> && (h.shares[2] | h.shares[3] | h.shares[4] | h.shares[5]) != 0;
        const auto size = [](auto& table, std::size_t wanted, int start) {
            if (table.size() != wanted) table.assign(wanted, static_cast<std::int16_t>(start));
        };
        if (h.continuation_start != started_) {
            started_ = h.continuation_start;
            clear();
        }
        const auto early = static_cast<std::size_t>(h.early_plies) * 2 * kSlots;
        early_.assign(early, static_cast<std::int16_t>(h.early_start));
        if constexpr (HasCaptureKinds<G>) {
            size(tactical_, node.tactical_history ? 2 * std::size_t{kSlots} * G::kCaptureKinds : 0,
                 h.tactical_start);
        }
        if constexpr (HasStructures<G>) {
            size(by_structure_, h.structure_weight > 0 ? kStructures * 2 * std::size_t{kSlots} : 0,
                 h.structure_start);
        }
    }

    /// What a move is judged by beside itself. kNoSlot where there was no such move.
    struct Context {
        int side = 0;
        std::array<int, kPast> past = nothing();  ///< slots of the last moves, the latest first
        int ply = kMaxPly;
        bool in_check = false;      ///< what lies further back says nothing then
        std::size_t structure = 0;  ///< of the position
    };
    static constexpr std::array<int, kPast> nothing() {
        std::array<int, kPast> a{};
        for (int& slot : a) slot = kNoSlot;
        return a;
    }
    /// Where a position's structure is kept.
    static std::size_t structure_at(Key key) {
        return static_cast<std::size_t>(key) & (kStructures - 1);
    }

    /// The order of quiet moves.
    int score(const Context& c, int slot) const {
        int sum = p_.own_weight * own(c, slot) + after_last(c, slot);
        if constexpr (WantsFarHistory<G>) {
            if (far_) sum += continued(c, 2, slot) + continued(c, 3, slot) + continued(c, 5, slot);
        }
        if constexpr (HasStructures<G>) {
            if (!by_structure_.empty()) sum += p_.structure_weight * of_structure(c, slot);
        }
        if (c.ply < p_.early_plies) {
            sum += p_.early_weight * early_[early_at(c, slot)] / (1 + c.ply);
        }
        return sum;
    }
    /// What reductions go by.
    int judgement(const Context& c, int slot) const {
        if (p_.judge_near) return p_.judge_own * own(c, slot) + after_last(c, slot);
        return score(c, slot);
    }
    /// ... and what skips moves: after the last two moves, and by structure.
    int near(const Context& c, int slot) const {
        int sum = after_last(c, slot);
        if constexpr (HasStructures<G>) {
            if (!by_structure_.empty()) sum += of_structure(c, slot);
        }
        return sum;
    }
    int own(const Context& c, int slot) const { return butterfly_[at(c.side, slot)]; }
    int evasion_score(const Context& c, int slot) const {
        return own(c, slot) + continued(c, 0, slot);
    }
    int tactical_score(int side, int slot, int kind) const {
        return tactical_.empty() ? 0 : tactical_[tactical_at(side, slot, kind)];
    }
    MoveCode counter_move(const Context& c) const {
        return p_.counter_moves ? counter_[counter_at(c)] : kNoMove;
    }

    void reward(const Context& c, int slot, int bonus) {
        reward_plainly(c.side, slot, bonus);
        reward_continuation(c, slot, bonus);
        reward_structure(c, slot,
                         scaled(bonus, bonus > 0 ? p_.structure_reward : p_.structure_blame));
        if (c.ply < p_.early_plies) {
            adjust(early_[early_at(c, slot)], scaled(bonus, p_.early_share), p_.plain_most);
        }
    }
    /// Moves further back say less about this one.
    void reward_continuation(const Context& c, int slot, int bonus) {
        learn(c, 0, slot, bonus * p_.shares[0] / 1024 + p_.bias);
        learn(c, 1, slot, bonus * p_.shares[1] / 1024);
        if constexpr (WantsFarHistory<G>) {
            if (!far_ || c.in_check) return;
            for (std::size_t i = 2; i < kPast; ++i) learn(c, i, slot, bonus * p_.shares[i] / 1024);
        }
    }
    /// The move alone, whatever came before it.
    void reward_plainly(int side, int slot, int bonus) {
        adjust(butterfly_[at(side, slot)], bonus, p_.plain_most);
    }
    void reward_structure(const Context& c, int slot, int bonus) {
        if constexpr (HasStructures<G>) {
            if (by_structure_.empty()) return;
            adjust(by_structure_[structure_index(c, slot)], bonus, p_.structure_most);
        }
        (void)c, (void)slot, (void)bonus;
    }
    bool learns_tactics() const { return !tactical_.empty(); }
    const HistoryParams& params() const { return p_; }
    void reward_tactical(int side, int slot, int kind, int bonus) {
        adjust(tactical_[tactical_at(side, slot, kind)], bonus, p_.tactical_most);
    }
    void set_counter_move(const Context& c, MoveCode m) { counter_[counter_at(c)] = m; }

private:
    static constexpr std::size_t kStructures = std::size_t{1} << 11;

    static int scaled(int bonus, float share) {
        return static_cast<int>(static_cast<float>(bonus) * share);
    }
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
    static std::size_t structure_index(const Context& c, int slot) {
        return c.structure * 2 * kSlots + at(c.side, slot);
    }
    static std::size_t early_at(const Context& c, int slot) {
        return static_cast<std::size_t>(c.ply) * 2 * kSlots + at(c.side, slot);
    }
    static std::size_t counter_at(const Context& c) {
        return static_cast<std::size_t>(c.side) * (kSlots + 1) +
               static_cast<std::size_t>(c.past[0]);
    }
    int of_structure(const Context& c, int slot) const {
        return by_structure_[structure_index(c, slot)];
    }
    int continued(const Context& c, std::size_t back, int slot) const {
        return continuation_[back % 2][pair(c.past[back], slot)];
    }
    int after_last(const Context& c, int slot) const {
        return continued(c, 0, slot) + continued(c, 1, slot);
    }
    /// Moves towards the bonus and saturates by itself, so no table ever needs rescaling.
    static void adjust(std::int16_t& h, int bonus, int most) {
        bonus = std::clamp(bonus, -most, most);
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / most);
    }
    void learn(const Context& c, std::size_t back, int slot, int bonus) {
        adjust(continuation_[back % 2][pair(c.past[back], slot)], bonus, p_.continuation_most);
    }

    HistoryParams p_;
    bool far_ = false;
    int started_ = 0;  ///< continuation_start that the tables were made with
    std::vector<std::int16_t> butterfly_;
    std::vector<MoveCode> counter_;
    /// After a move of the opponent (one, three, five plies ago) and of the mover (two, four, six).
    std::array<std::vector<std::int16_t>, 2> continuation_;
    std::vector<std::int16_t> tactical_;      ///< empty: not wanted
    std::vector<std::int16_t> by_structure_;  ///< [structure][side][slot]; empty: not wanted
    std::vector<std::int16_t> early_;         ///< [ply][side][slot], of this search
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
