/// The moves of an endgame node.
#pragma once

#include <array>

#include "karikomi/games/othello/endgame_table.hpp"
#include "karikomi/games/othello/tables.hpp"

namespace karikomi::othello {

struct EndgameMove {
    Board next;
    Bits moves = 0;  ///< of the opponent after it
    HashKey key = 0;
    int order = 0;  ///< larger is tried earlier
    Square square = kNoSquare;
    bool done = false;  ///< searched to its end at this node
};

class EndgameMoves {
public:
    EndgameMoves() {}  // NOLINT: the places are filled by generate(), clearing all would cost
    int size() const { return size_; }
    EndgameMove& operator[](int i) { return moves_[at(i)]; }
    const EndgameMove& operator[](int i) const { return moves_[at(i)]; }
    EndgameMove* begin() { return moves_.data(); }
    EndgameMove* end() { return moves_.data() + size_; }

    /// All moves of `mask`. False when one of them takes every disc: nothing can beat that, so it
    /// becomes the last of the list.
    bool generate(const Board& board, Bits mask);
    /// Brings the best of the moves from i on to place i.
    EndgameMove& pick(int i);
    /// False when there is no such move.
    bool bring_first(Square square);
    /// Moves that are done go to the front; returns where the others begin.
    int keep_undone(int from);
    void keep_only(int i) {
        moves_[0] = moves_[at(i)];
        size_ = 1;
    }
    void remove(int i) { moves_[at(i)] = moves_[at(--size_)]; }

private:
    union {
        std::array<EndgameMove, 34> moves_;  // NOLINT: private; no position has more than 33 moves
    };
    int size_ = 0;
};

}  // namespace karikomi::othello
