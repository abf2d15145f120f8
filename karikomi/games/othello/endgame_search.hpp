/// One thread of an endgame solve.
#pragma once

#include <cstdint>
#include <optional>

#include "karikomi/games/othello/endgame_order.hpp"
#include "karikomi/games/othello/endgame_probcut.hpp"
#include "karikomi/games/othello/endgame_table.hpp"
#include "karikomi/games/othello/small_solver.hpp"
#include "karikomi/games/othello/split.hpp"
#include "karikomi/games/othello/stop_signal.hpp"

namespace karikomi::othello {

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
          selectivity_(shared.selectivity),
          probcut_(shared.selectivity),
          selective_(shared.weights != nullptr && shared.selectivity != Selectivity::Exact) {
        if (shared.weights != nullptr) shallow_.emplace(*shared.weights);
    }

    /// The best of some moves of a position against (alpha, beta), fail-soft; they are in the order
    /// in which to try them.
    BestMove best_of(EndgameMoves& moves, int alpha, int beta, int empties);
    /// The score against (alpha, beta), fail-soft.
    int full_window(const Board& board, int alpha, int beta, int empties);
    /// The score against (alpha, alpha + 1), fail-soft; `mask` are the legal moves.
    int null_window(const Board& board, Bits mask, int alpha, int empties);

    void order(EndgameMoves& moves, const OrderedNode& node);

    void help_until_shut_down();
    bool stopped() const { return stop_.raised(); }
    Selectivity selectivity() const { return selectivity_; }
    std::uint64_t nodes() const {
        return nodes_ + small_.nodes() + (shallow_ ? shallow_->nodes() : 0);
    }

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
    std::optional<ShallowSearch> shallow_;  ///< where there is an evaluation
    const Selectivity selectivity_;
    EndgameProbCut probcut_;
    const bool selective_;
    SmallSolver small_;
    SplitPoint* split_ = nullptr;  ///< the split point under which this thread works
    std::uint64_t nodes_ = 0;
    unsigned polls_ = 0;
    std::uint64_t counted_ = 0;  ///< nodes that the stop signal knows of
};

}  // namespace karikomi::othello
