/// The positions of a game so far, for repetitions. Lives inside Position: make pushes, unmake
/// pops, so a position that was reached by playing moves knows them all.
///
/// Almost every position is new, and a node must not pay for a walk through the game to learn that.
/// So the history counts its positions by a few bits of their keys: a count of one means that the
/// present position is the only one, and only otherwise is there anything to compare.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "karikomi/games/shogi/types.hpp"

namespace karikomi::shogi {

class GameHistory {
public:
    struct Entry {
        Key board_key = 0;           ///< board and side to move, without hands
        Hand black;                  ///< White's is what is left
        std::uint16_t checking = 0;  ///< plies for which the last mover has been giving check
        Piece captured = kNoPiece;   ///< by the move that led here
        bool operator==(const Entry&) const = default;
    };
    /// How the present position relates to the nearest earlier one with the same board.
    enum class Kind : std::uint8_t {
        None,
        Same,
        Superior,  ///< the side to move has the same board and more in hand
        Inferior,
    };
    struct Repetition {
        Kind kind = Kind::None;
        int distance = 0;       ///< plies back to that position
        bool we_check = false;  ///< the side to move has given check all the time
        bool they_check = false;
        int times = 1;  ///< occurrences of the same position, this one included
    };

    GameHistory() { entries_.reserve(kRoom); }
    GameHistory(const GameHistory& other) : first_(other.first_), seen_(other.seen_) {
        // A copy is made to search or to play on: room now, so that no node has to ask for it.
        entries_.reserve(other.entries_.size() + kRoom);
        entries_ = other.entries_;
    }
    GameHistory& operator=(const GameHistory& other) {
        if (this == &other) return *this;
        entries_.reserve(other.entries_.size() + kRoom);
        entries_ = other.entries_;
        first_ = other.first_;
        seen_ = other.seen_;
        return *this;
    }
    GameHistory(GameHistory&&) = default;
    GameHistory& operator=(GameHistory&&) = default;
    ~GameHistory() = default;

    void push(Key board_key, Hand black, bool in_check, Piece captured) {
        const std::size_t n = entries_.size();
        const int before = n >= 2 && in_check ? entries_[n - 2].checking : 0;
        const int now = in_check ? std::min(before + 2, 0xffff) : 0;
        entries_.push_back({board_key, black, static_cast<std::uint16_t>(now), captured});
        ++seen_[slot(board_key)];
    }
    void pop() {
        --seen_[slot(entries_.back().board_key)];
        entries_.pop_back();
    }
    /// Nothing before the present position counts from here on (null move). Returns what pop_wall
    /// needs.
    std::size_t push_wall() { return std::exchange(first_, entries_.size() - 1); }
    void pop_wall(std::size_t before) { first_ = before; }

    /// Is there possibly an earlier position with this board? Seldom wrong when it says yes, never
    /// when it says no.
    bool may_repeat() const { return seen_[slot(entries_.back().board_key)] > 1; }
    /// Against the nearest earlier position with the same board and comparable hands.
    Repetition nearest(Colour to_move) const;
    /// Counts only exact repetitions, the distance being that to the first of them.
    Repetition all() const;
    std::size_t size() const { return entries_.size(); }
    const Entry& last() const { return entries_.back(); }
    bool operator==(const GameHistory&) const = default;

private:
    static constexpr std::size_t kRoom = 320;    ///< a search line beyond the game
    static constexpr std::size_t kSlots = 2048;  ///< in a game of 200 plies every tenth is shared
    static std::size_t slot(Key key) { return key >> 53; }
    static_assert(kSlots == 1U << (64 - 53));
    Repetition at(std::size_t earlier) const;

    std::vector<Entry> entries_;  ///< the last is the present position
    std::size_t first_ = 0;       ///< earlier ones are beyond a null move
    std::array<std::uint8_t, kSlots> seen_{};
};

}  // namespace karikomi::shogi
