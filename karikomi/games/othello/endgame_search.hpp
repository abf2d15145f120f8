/// One thread of an endgame solve.
#pragma once

#include <cstdint>

#include "karikomi/games/othello/endgame_moves.hpp"
#include "karikomi/games/othello/endgame_table.hpp"
#include "karikomi/games/othello/small_solver.hpp"
#include "karikomi/games/othello/split.hpp"
#include "karikomi/games/othello/stop_signal.hpp"

namespace karikomi::othello {

/// Empties from which null-window nodes try selective cuts.
inline constexpr int kSelectiveFrom = 64;  // never, until they are calibrated

/// What all threads of a step share. `pool` is null when there is one thread, `weights` when there
/// is no evaluation.
struct EndgameShared {
    EndgameTable& table;
    StopSignal& stop;
    SplitPool* pool = nullptr;
    const Weights* weights = nullptr;
    Selectivity selectivity = Selectivity::Exact;
};

/// The best of some moves so far.
struct BestMove {
    int score;
    Square square = kNoSquare;
};

class EndgameSearch {
public:
    explicit EndgameSearch(const EndgameShared& shared)
        : table_(shared.table),
          stop_(shared.stop),
          pool_(shared.pool),
          weights_(shared.weights),
          selectivity_(shared.selectivity) {}

    /// The best of some moves of a position against (alpha, beta), fail-soft; they are in the order
    /// in which to try them.
    BestMove best_of(EndgameMoves& moves, int alpha, int beta, int empties);
    /// The score against (alpha, beta), fail-soft.
    int full_window(const Board& board, int alpha, int beta, int empties);
    /// The score against (alpha, alpha + 1), fail-soft; `mask` are the legal moves.
    int null_window(const Board& board, Bits mask, int alpha, int empties);

    void help_until_shut_down();
    bool stopped() const { return stop_.raised(); }
    Selectivity selectivity() const { return selectivity_; }
    std::uint64_t nodes() const { return nodes_ + small_.nodes(); }

private:
    bool cancelled();
    bool settled_by_children(EndgameMoves& moves, int alpha, BestMove& best);
    int try_moves(EndgameMoves& moves, int from, int alpha, int empties, BestMove& best);
    int share_moves(EndgameMoves& moves, int from, int alpha, int empties, BestMove& best);
    void work_at(SplitPoint& split);
    int narrow(const Board& board, int alpha, int beta, int empties);

    EndgameTable& table_;
    StopSignal& stop_;
    SplitPool* pool_;
    const Weights* weights_;
    const Selectivity selectivity_;
    SmallSolver small_;
    SplitPoint* split_ = nullptr;  ///< the split point under which this thread works
    std::uint64_t nodes_ = 0;
    unsigned polls_ = 0;
};

}  // namespace karikomi::othello
