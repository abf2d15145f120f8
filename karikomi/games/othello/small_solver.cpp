#include "karikomi/games/othello/small_solver.hpp"

#include <algorithm>
#include <array>

#include "karikomi/games/othello/last_empties.hpp"
#include "karikomi/games/othello/stability.hpp"
#include "karikomi/games/othello/tables.hpp"

namespace karikomi::othello {

namespace {

constexpr int kNone = -100;  ///< below every score: no move yet

/// What a move is worth for ordering, in sixteenths of a disc (see endgame_moves.cpp).
struct OrderWeights {
    int mobility = 32;
    int corner_mobility = 32;
    int odd_quadrant = 20;
    int corner = 24;
    int table_best = 1 << 14;
};
constexpr OrderWeights kOrder;
constexpr int kOrderBias = 1 << 15;  ///< keeps orders positive

}  // namespace

/// The children of a node, in no order, and the order: value above, index below.
struct SmallSolver::Children {
    std::array<Board, kMostEmpties> next;
    std::array<Bits, kMostEmpties> moves;
    std::array<std::uint8_t, kMostEmpties> square;
    std::array<std::uint32_t, kMostEmpties> order;
    int count = 0;

    Children() {}  // NOLINT: filled by add()

    void add(const Board& board, Square s, int value) {
        const std::size_t i = at(count);
        next[i] = board;
        moves[i] = board.moves();
        square[i] = static_cast<std::uint8_t>(s);
        value -= kOrder.mobility * std::popcount(moves[i]) +
                 kOrder.corner_mobility * std::popcount(moves[i] & kCorners);
        const auto packed =
            static_cast<std::uint32_t>(value + kOrderBias) << 8 | static_cast<std::uint32_t>(count);
        std::size_t place = i;
        for (; place > 0 && order[place - 1] < packed; --place) order[place] = order[place - 1];
        order[place] = packed;
        ++count;
    }
};

int SmallSolver::solve(const Board& board, Bits moves, int alpha, int empties) {
    ++nodes_;
    if (moves == 0) {
        const Bits replies = board.replies();
        if (replies == 0) return final_score(board);
        return -solve(board.passed(), replies, ~alpha, empties);
    }
    if (stability_may_cut(board, alpha, empties)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.other, board.own));
        if (bound <= alpha) return bound;
    }
    const HashKey key = hash_key(board);
    const Bounds bounds = table_.probe(key);
    if (bounds.lower > alpha) return bounds.lower;
    if (bounds.upper <= alpha) return bounds.upper;

    const Bits odd = odd_quadrants(board.empty());
    Children children;
    for (; moves != 0; moves &= moves - 1) {
        const Square square = lowest(moves);
        const Bits turned = board.flips(square);
        if (turned == board.other) return 64;
        const Bits placed = bit(square);
        const int value = ((placed & odd) != 0 ? kOrder.odd_quadrant : 0) +
                          ((placed & kCorners) != 0 ? kOrder.corner : 0) +
                          (square == bounds.best ? kOrder.table_best : 0);
        children.add(board.after(square, turned), square, value);
    }
    Square best_square = kNoSquare;
    const int best = search_children(children, alpha, empties, best_square);
    table_.store(key, alpha, best, best_square);
    return best;
}

int SmallSolver::search_children(const Children& children, int alpha, int empties,
                                 Square& best_square) {
    int best = kNone;
    for (int k = 0; k < children.count; ++k) {
        const std::size_t i = children.order[at(k)] & 255U;
        const int score =
            empties - 1 <= kLastEmpties
                ? -solve_last(children.next[i], children.moves[i], ~alpha, empties - 1, nodes_)
                : -solve(children.next[i], children.moves[i], ~alpha, empties - 1);
        if (score > best) {
            best = score;
            best_square = children.square[i];
            if (score > alpha) break;
        }
    }
    return best;
}

}  // namespace karikomi::othello
