/// One thread of an endgame solve.
#pragma once

#include <atomic>
#include <cstdint>

#include "karikomi/games/othello/endgame_moves.hpp"
#include "karikomi/games/othello/endgame_table.hpp"
#include "karikomi/games/othello/local_table.hpp"
#include "karikomi/games/othello/split.hpp"

namespace karikomi::othello {

/// What all threads of a solve share. `pool` is null when there is one thread.
struct EndgameShared {
    EndgameTable& table;
    const std::atomic<bool>* stop = nullptr;
    SplitPool* pool = nullptr;
    OrderEvaluator evaluator{};
};

class EndgameSearch {
public:
    explicit EndgameSearch(const EndgameShared& shared)
        : table_(shared.table),
          stop_(shared.stop),
          pool_(shared.pool),
          evaluator_(shared.evaluator) {}

    /// The score against (alpha, beta), fail-soft. `best`, if given, receives the move played at
    /// this node, where the search came to look at moves.
    int full_window(const Board& board, int alpha, int beta, int empties, Square* best = nullptr);
    /// The score against (alpha, alpha + 1), fail-soft.
    int null_window(const Board& board, int alpha, int empties);

    void help_until_shut_down();
    bool stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
    std::uint64_t nodes() const { return nodes_; }

private:
    /// The best of some moves so far.
    struct Best {
        int score;
        Square square = kNoSquare;
    };

    bool cancelled() const { return stopped() || (split_ != nullptr && split_->cancelled()); }
    bool settled_by_children(EndgameMoves& moves, int alpha, Best& best);
    int try_moves(EndgameMoves& moves, int from, int alpha, int empties, Best& best);
    int share_moves(EndgameMoves& moves, int from, int alpha, int empties, Best& best);
    void work_at(SplitPoint& split);
    int narrow(const Board& board, int alpha, int beta, int empties);

    EndgameTable& table_;
    const std::atomic<bool>* stop_;
    SplitPool* pool_;
    OrderEvaluator evaluator_;
    LocalTable local_;
    SplitPoint* split_ = nullptr;  ///< the split point under which this thread works
    std::uint64_t nodes_ = 0;
};

}  // namespace karikomi::othello
