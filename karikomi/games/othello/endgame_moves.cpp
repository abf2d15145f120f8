#include "karikomi/games/othello/endgame_moves.hpp"

#include <algorithm>
#include <memory>

namespace karikomi::othello {

bool EndgameMoves::generate(const Board& board, Bits mask) {
    size_ = 0;
    for (; mask != 0; mask &= mask - 1) {
        const Square square = lowest(mask);
        const Board next = board.after(square, board.flips(square));
        std::construct_at(&moves_[at(size_++)],
                          EndgameMove{.next = next, .moves = next.moves(), .square = square});
        if (next.own == 0) return false;
    }
    return true;
}

EndgameMove& EndgameMoves::pick(int i) {
    EndgameMove* best = std::max_element(
        &moves_[at(i)], moves_.data() + size_,
        [](const EndgameMove& a, const EndgameMove& b) { return a.order < b.order; });
    std::swap(moves_[at(i)], *best);
    return moves_[at(i)];
}

bool EndgameMoves::bring_first(Square square) {
    for (int i = 0; i < size_; ++i) {
        if (moves_[at(i)].square != square) continue;
        std::swap(moves_[0], moves_[at(i)]);
        return true;
    }
    return false;
}

int EndgameMoves::keep_undone(int from) {
    const auto undone = std::partition(moves_.begin() + from, moves_.begin() + size_,
                                       [](const EndgameMove& m) { return m.done; });
    return static_cast<int>(undone - moves_.begin());
}

}  // namespace karikomi::othello
