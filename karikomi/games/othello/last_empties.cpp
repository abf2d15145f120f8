#include "karikomi/games/othello/last_empties.hpp"

#include <algorithm>
#include <array>

#include "karikomi/games/othello/last_flip.hpp"
#include "karikomi/games/othello/stability.hpp"
#include "karikomi/games/othello/tables.hpp"

namespace karikomi::othello {

namespace {

constexpr int kNone = -100;  ///< below every score: no move yet

bool touches(Square square, Bits other) {
    return (neighbours(square) & other) != 0;
}

/// The look at the neighbours is cheaper than the turned discs, and often enough.
Bits turned_by(Square square, Bits own, Bits other) {
    return touches(square, other) ? bits::flips(own, other, square) : 0;
}

/// One empty: the score needs only the number of discs turned.
int solve_1(Bits own, Square x) {
    const int discs = std::popcount(own);
    const int turned = last_flip(own, x);
    if (turned != 0) return 2 * (discs + turned) - 62;
    const int lost = last_flip(~own, x);
    if (lost != 0) return 2 * (discs - lost) - 64;
    return 2 * discs - (discs >= 32 ? 62 : 64);
}

int solve_2(Bits own, Bits other, Square x, Square y, int alpha, std::uint64_t& nodes) {
    ++nodes;
    int best = kNone;
    if (const Bits turned = turned_by(x, own, other); turned != 0) {
        ++nodes;
        best = -solve_1(other ^ turned, y);
        if (best > alpha) return best;
    }
    if (const Bits turned = turned_by(y, own, other); turned != 0) {
        ++nodes;
        return std::max(best, -solve_1(other ^ turned, x));
    }
    if (best != kNone) return best;
    // A pass: the other side picks the smaller score.
    int worst = -kNone;
    if (const Bits turned = turned_by(x, other, own); turned != 0) {
        ++nodes;
        worst = solve_1(own ^ turned, y);
        if (worst <= alpha) return worst;
    }
    if (const Bits turned = turned_by(y, other, own); turned != 0) {
        ++nodes;
        return std::min(worst, solve_1(own ^ turned, x));
    }
    return worst != -kNone ? worst : final_score(Board{own, other});
}

using Three = std::array<Square, 3>;

/// A square alone in its quadrant comes first: whoever plays there has the last move of a region.
Three lone_first(Square x, Square y, Square z) {
    const Bits odd = quadrant(x) ^ quadrant(y) ^ quadrant(z);
    if (odd == quadrant(z)) return {z, y, x};
    if (odd == quadrant(y)) return {y, x, z};
    return {x, y, z};
}

int solve_3(Bits own, Bits other, const Three& squares, int alpha, bool passed,
            std::uint64_t& nodes) {
    ++nodes;
    const auto [x, y, z] = squares;
    int best = kNone;
    if (const Bits turned = turned_by(x, own, other); turned != 0) {
        best = -solve_2(other ^ turned, own ^ turned ^ bit(x), y, z, ~alpha, nodes);
        if (best > alpha) return best;
    }
    if (const Bits turned = turned_by(y, own, other); turned != 0) {
        best = std::max(best, -solve_2(other ^ turned, own ^ turned ^ bit(y), x, z, ~alpha, nodes));
        if (best > alpha) return best;
    }
    if (const Bits turned = turned_by(z, own, other); turned != 0) {
        return std::max(best, -solve_2(other ^ turned, own ^ turned ^ bit(z), x, y, ~alpha, nodes));
    }
    if (best != kNone) return best;
    if (passed) return final_score(Board{own, other});
    return -solve_3(other, own, squares, ~alpha, true, nodes);
}

using Four = std::array<Square, 4>;

int solve_4(Bits own, Bits other, const Four& squares, int alpha, bool passed,
            std::uint64_t& nodes) {
    ++nodes;
    if (stability_may_cut(Board{own, other}, alpha, 4)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(other, own));
        if (bound <= alpha) return bound;
    }
    int best = kNone;
    for (std::size_t i = 0; i < 4; ++i) {
        const Square square = squares[i];
        const Bits turned = turned_by(square, own, other);
        if (turned == 0) continue;
        const Three rest =
            lone_first(squares[i == 0 ? 1 : 0], squares[i <= 1 ? 2 : 1], squares[i <= 2 ? 3 : 2]);
        const int score =
            -solve_3(other ^ turned, own ^ turned ^ bit(square), rest, ~alpha, false, nodes);
        if (score > alpha) return score;
        best = std::max(best, score);
    }
    if (best != kNone) return best;
    if (passed) return final_score(Board{own, other});
    return -solve_4(other, own, squares, ~alpha, true, nodes);
}

/// The empties, those of odd quadrants first.
Four by_parity(Bits empty, Bits odd) {
    Four squares{};
    std::size_t n = 0;
    for (Bits first = empty & odd; first != 0; first &= first - 1) squares[n++] = lowest(first);
    for (Bits rest = empty & ~odd; rest != 0; rest &= rest - 1) squares[n++] = lowest(rest);
    return squares;
}

/// Moves in groups: odd quadrants first, in each half corners first and squares beside them last.
using MoveGroups = std::array<Bits, 6>;
MoveGroups in_groups(Bits moves, Bits odd) {
    const Bits corners = moves & kCorners;
    const Bits beside = moves & kXSquares;
    const Bits rest = moves & ~(kCorners | kXSquares);
    return {corners & odd, rest & odd, beside & odd, corners & ~odd, rest & ~odd, beside & ~odd};
}

/// Five empties and more.
int solve_more(const Board& board, Bits moves, int alpha, int empties, Bits odd,
               std::uint64_t& nodes) {
    ++nodes;
    if (stability_may_cut(board, alpha, empties)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.other, board.own));
        if (bound <= alpha) return bound;
    }
    if (moves == 0) {
        const Bits replies = board.replies();
        if (replies == 0) return final_score(board);
        return -solve_more(board.passed(), replies, ~alpha, empties, odd, nodes);
    }
    int best = kNone;
    for (const Bits group : in_groups(moves, odd)) {
        for (Bits rest = group; rest != 0; rest &= rest - 1) {
            const Square square = lowest(rest);
            const Board next = board.after(square, board.flips(square));
            const Bits next_odd = odd ^ quadrant(square);
            const int score =
                empties == 5
                    ? -solve_4(next.own, next.other, by_parity(next.empty(), next_odd), ~alpha,
                               false, nodes)
                    : -solve_more(next, next.moves(), ~alpha, empties - 1, next_odd, nodes);
            if (score > alpha) return score;
            best = std::max(best, score);
        }
    }
    return best;
}

}  // namespace

int solve_last(const Board& board, Bits moves, int alpha, int empties, std::uint64_t& nodes) {
    const Bits empty = board.empty();
    if (empties > 4) return solve_more(board, moves, alpha, empties, odd_quadrants(empty), nodes);
    if (empties == 4) {
        const Four squares = by_parity(empty, odd_quadrants(empty));
        return solve_4(board.own, board.other, squares, alpha, false, nodes);
    }
    if (empties == 0) {
        ++nodes;
        return final_score(board);
    }
    const Four s = by_parity(empty, 0);
    if (empties == 3) {
        return solve_3(board.own, board.other, {s[0], s[1], s[2]}, alpha, false, nodes);
    }
    if (empties == 2) return solve_2(board.own, board.other, s[0], s[1], alpha, nodes);
    ++nodes;
    return solve_1(board.own, s[0]);
}

}  // namespace karikomi::othello
