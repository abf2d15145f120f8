/// The nodes between the upper search and the last empties: most of a solve's time is spent here.
///
/// Null windows only; moves in the order of what they leave the opponent; a small table of the
/// thread's own. A node gets its legal moves from its parent, which counted them to order itself.
#pragma once

#include <cstdint>

#include "karikomi/games/othello/board.hpp"
#include "karikomi/games/othello/local_table.hpp"

namespace karikomi::othello {

class SmallSolver {
public:
    /// Above this many empties the upper search, with its big table, is the better way.
    static constexpr int kMostEmpties = 9;

    /// Exact, against (alpha, alpha + 1), fail-soft. `moves` are the legal moves of `board`.
    int solve(const Board& board, Bits moves, int alpha, int empties);

    std::uint64_t& nodes() { return nodes_; }
    std::uint64_t nodes() const { return nodes_; }

private:
    struct Children;
    int search_children(const Children& children, int alpha, int empties, Square& best);

    LocalTable table_;
    std::uint64_t nodes_ = 0;
};

}  // namespace karikomi::othello
