#include "karikomi/games/othello/endgame_order.hpp"

#include <algorithm>

#include "karikomi/games/othello/stability.hpp"

namespace karikomi::othello {

namespace {

constexpr int kTableBest = 1 << 28;
constexpr int kTableSecond = 1 << 27;
constexpr int kInfinite = 1000000;

// Fitted and then tuned on our own positions: random openings, greedy play, exact scores within 20
// discs, 18 to 22 empties; by the geometric mean of the nodes. Sixteenths of a disc.

/// The plain order, for many small nodes: what the move leaves the opponent.
struct PlainWeights {
    int mobility = 32;
    int corner_mobility = 32;  ///< a move to a corner counts this much more
    int frontier = 16;
    int stable = 24;
    int odd_quadrant = 20;
    int corner = 24;
};
constexpr PlainWeights kPlain;
constexpr int kFrontierFrom = 10;  ///< empties from which frontier and edges are worth their time

/// The evaluation at the end of a look ahead, one side minus the other.
struct StandWeights {
    int mobility = 29;
    int own_corner = 36;
    int other_corner = 12;  ///< less: the side to move may still do something about it
    int frontier = 12;
    int stable = 40;
    int x_square = -39;  ///< beside an empty corner, on the diagonal
    int c_square = -47;  ///< beside an empty corner, on the edge
};
constexpr StandWeights kStand;
/// A move this much worse than the best needs no exact value.
constexpr int kLookMargin = 200;

/// Plies of the look ahead.
int look_depth(int empties) {
    if (empties >= 17) return 3;
    if (empties >= 15) return 2;
    return empties >= 13 ? 1 : 0;
}

constexpr Bits kNotLeft = 0xfefefefefefefefeULL;
constexpr Bits kNotRight = 0x7f7f7f7f7f7f7f7fULL;

Bits around(Bits b) {
    const Bits row = b | ((b << 1) & kNotLeft) | ((b >> 1) & kNotRight);
    return row | row << 8 | row >> 8;
}

int difference(Bits own, Bits other) {
    return std::popcount(own) - std::popcount(other);
}

int stand(const Board& b) {
    const StandWeights& w = kStand;
    const Bits empty = b.empty();
    const Bits own = b.moves();
    const Bits other = b.replies();
    const Bits beside = around(empty & kCorners);
    const Bits x = beside & kXSquares;
    const Bits c = beside & kCSquares;
    return w.mobility * difference(own, other) + w.own_corner * std::popcount(own & kCorners) -
           w.other_corner * std::popcount(other & kCorners) +
           w.frontier * difference(around(b.other) & empty, around(b.own) & empty) +
           w.stable *
               difference(stable_edge_discs(b.own, b.other), stable_edge_discs(b.other, b.own)) +
           w.x_square * difference(b.own & x, b.other & x) +
           w.c_square * difference(b.own & c, b.other & c);
}

int look(const Board& b, int depth, int alpha, int beta) {
    if (depth == 0) {
        return stand(b);
    }
    Bits moves = b.moves();
    if (moves == 0) {
        if (b.replies() == 0) return 1000 * final_score(b);
        return -look(b.passed(), depth, -beta, -alpha);
    }
    int best = -kInfinite;
    for (; moves != 0 && best < beta; moves &= moves - 1) {
        const Square square = lowest(moves);
        const Board next = b.after(square, b.flips(square));
        best = std::max(best, -look(next, depth - 1, -beta, -std::max(alpha, best)));
    }
    return best;
}

/// What a move is worth by the position it leaves to the opponent.
int plain_value(const Board& left, Bits moves, int empties) {
    const PlainWeights& w = kPlain;
    int value =
        -w.mobility * std::popcount(moves) - w.corner_mobility * std::popcount(moves & kCorners);
    if (empties >= kFrontierFrom) {
        value += w.stable * std::popcount(stable_edge_discs(left.other, left.own)) -
                 w.frontier * std::popcount(around(left.other) & left.empty());
    }
    return value;
}

/// The table's moves need no other value. True when the move is one of them.
bool order_by_table(EndgameMove& m, const Bounds& bounds) {
    if (m.square == bounds.best) {
        m.order = kTableBest;
    } else if (m.square == bounds.second) {
        m.order = kTableSecond;
    } else {
        return false;
    }
    return true;
}

// ---- With an evaluation -------------------------------------------------------------------------

/// In 1/100 disc, tuned like the above with the weights othello-patterns-WEIGHTS.
struct ValueWeights {
    int mobility = 300;         ///< small trees first: a move left to the opponent costs this much
    int corner_mobility = 300;  ///< a move to a corner so much more
};
constexpr ValueWeights kValue;
constexpr int kValueFrom = 13;      ///< empties from which values are worth their time
constexpr int kValueMargin = 1250;  ///< a move this much worse than the best needs no exact value

/// Plies of the shallow search below each move.
int value_depth(int empties) {
    if (empties >= 21) return 3;
    if (empties >= 18) return 2;
    return empties >= 15 ? 1 : 0;
}

}  // namespace

void order_by_mobility(EndgameMoves& moves, const OrderedNode& node) {
    const Bits odd = odd_quadrants(node.board.empty());
    const int depth = look_depth(node.empties);
    int best_look = -kInfinite;
    for (int i = node.from; i < moves.size(); ++i) {
        EndgameMove& m = moves[i];
        if (order_by_table(m, node.bounds)) continue;
        const Bits placed = bit(m.square);
        m.order = ((placed & odd) != 0 ? kPlain.odd_quadrant : 0) +
                  ((placed & kCorners) != 0 ? kPlain.corner : 0);
        if (depth == 0) {
            m.order += plain_value(m.next, m.moves, node.empties);
        } else {
            const int enough = kLookMargin - best_look;
            const int value = -look(m.next, depth, -kInfinite, enough);
            best_look = std::max(best_look, value);
            m.order += value;
        }
    }
}

void order_by_value(EndgameMoves& moves, const OrderedNode& node, ShallowSearch& shallow) {
    // Where every move is likely to fail their order matters less.
    const bool hopeless = node.bounds.upper_guess <= node.alpha;
    const int depth = value_depth(node.empties) - (hopeless ? 1 : 0);
    if (node.empties < kValueFrom || depth < 0) return order_by_mobility(moves, node);
    const ShallowSearch::Node root = ShallowSearch::node_of(node.board);
    int best_value = -kInfinite;
    for (int i = node.from; i < moves.size(); ++i) {
        EndgameMove& m = moves[i];
        if (order_by_table(m, node.bounds)) continue;
        const int enough = kValueMargin - best_value;
        const ShallowSearch::Node child = ShallowSearch::child(root, m.square);
        const int value = -shallow.value(child, depth, -kInfinite, enough);
        best_value = std::max(best_value, value);
        m.order = value - kValue.mobility * std::popcount(m.moves) -
                  kValue.corner_mobility * std::popcount(m.moves & kCorners);
    }
}

}  // namespace karikomi::othello
