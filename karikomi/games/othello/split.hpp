/// Sharing one node's moves between threads ("young brothers wait": the first move is searched
/// alone, and only when it has not refuted the node are its siblings offered to idle threads).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "karikomi/games/othello/endgame_moves.hpp"

namespace karikomi::othello {

/// A node whose remaining moves several threads search with the window (alpha, alpha + 1). It lives
/// on its owner's stack; the owner leaves only after all helpers have. Everything that changes is
/// guarded by the pool's mutex, but for `cut`, which searching threads poll.
struct SplitPoint {
    SplitPoint* parent = nullptr;  ///< the split point under which the owner itself works
    EndgameMoves* moves = nullptr;
    int alpha = 0;
    int empties = 0;
    int next = 0;  ///< first move that nobody has taken
    int helpers = 0;
    int best = 0;
    int best_index = -1;
    std::atomic<bool> cut{false};  ///< some move beat alpha: the others need no answer

    bool under(const SplitPoint* ancestor) const {
        for (const SplitPoint* s = this; s != nullptr; s = s->parent) {
            if (s == ancestor) return true;
        }
        return false;
    }
    bool cancelled() const {
        for (const SplitPoint* s = this; s != nullptr; s = s->parent) {
            if (s->cut.load(std::memory_order_relaxed)) return true;
        }
        return false;
    }
};

class SplitPool {
public:
    bool anyone_idle() const { return idle_.load(std::memory_order_relaxed) > 0; }

    void open(SplitPoint& split);
    /// The next move of a split point, or -1.
    int take(SplitPoint& split);
    /// The result of a move that was searched to its end.
    void report(SplitPoint& split, int index, int score);

    /// Waits for a split point to help at, joins it and returns it; null when there is nothing more
    /// to wait for: the pool was shut down, or (an owner waiting for its helpers) all have left.
    SplitPoint* join(SplitPoint* own);
    void leave(SplitPoint& split);
    /// No more helpers may join.
    void close(SplitPoint& split);
    void shut_down();

private:
    SplitPoint* joinable(const SplitPoint* own) const;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<SplitPoint*> open_;
    std::atomic<int> idle_{0};
    bool over_ = false;
};

}  // namespace karikomi::othello
