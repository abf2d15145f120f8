#include "karikomi/games/othello/endgame_search.hpp"

#include <algorithm>

#include "karikomi/games/othello/last_empties.hpp"
#include "karikomi/games/othello/stability.hpp"

namespace karikomi::othello {

namespace {

constexpr int kNone = -100;     ///< below every score: no move yet
constexpr int kPollFrom = 11;   ///< empties from which a node asks whether it is still wanted
constexpr int kEtcFrom = 11;    ///< empties from which children are looked up before searching
constexpr int kSplitFrom = 13;  ///< empties from which a node's moves are worth sharing
constexpr unsigned kPollsPerClock = 32;

}  // namespace

bool EndgameSearch::cancelled() {
    if (++polls_ % kPollsPerClock == 0) stop_.look_at_clock();
    if (stop_.counts_nodes()) {
        const std::uint64_t now = nodes();
        stop_.spend(now - counted_);
        counted_ = now;
    }
    return stop_.raised() || (split_ != nullptr && split_->cancelled());
}

void EndgameSearch::order(EndgameMoves& moves, const OrderedNode& node) {
    if (shallow_) {
        order_by_value(moves, node, *shallow_);
    } else {
        order_by_mobility(moves, node);
    }
}

/// Enhanced transposition cut-off: a child's known bound may refute this node without a search, or
/// show that the move fails, which takes it from the list. True when the node is settled.
bool EndgameSearch::settled_by_children(EndgameMoves& moves, int alpha, BestMove& best) {
    for (int i = 0; i < moves.size();) {
        const EndgameMove& m = moves[i];
        Bounds child;
        const bool known = table_.probe(m.key, selectivity_, child);
        if (known && -child.upper > alpha) {
            best = BestMove{-child.upper, m.square};
            return true;
        }
        if (known && -child.lower <= alpha) {
            if (-child.lower > best.score) best = BestMove{-child.lower, m.square};
            moves.remove(i);
        } else {
            ++i;
        }
    }
    return moves.size() == 0;
}

int EndgameSearch::null_window(const Board& board, Bits mask, int alpha, int empties) {
    if (empties <= kLastEmpties) return solve_last(board, mask, alpha, empties, small_.nodes());
    if (empties <= SmallSolver::kMostEmpties) return small_.solve(board, mask, alpha, empties);
    ++nodes_;
    if (empties >= kPollFrom && cancelled()) return alpha;
    if (mask == 0) {
        const Bits replies = board.replies();
        if (replies == 0) return final_score(board);
        return -null_window(board.passed(), replies, ~alpha, empties);
    }
    if (stability_may_cut(board, alpha, empties)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.other, board.own));
        if (bound <= alpha) return bound;
    }
    const HashKey key = hash_key(board);
    Bounds bounds;
    if (table_.probe(key, selectivity_, bounds)) {
        if (bounds.lower > alpha) return bounds.lower;
        if (bounds.upper <= alpha) return bounds.upper;
    }
    if (selective_ && empties >= EndgameProbCut::kLeastEmpties) {
        if (const auto above = probcut_.above(board, alpha, empties, *shallow_)) {
            const int score = *above ? alpha + 1 : alpha;
            table_.store(key, {empties, selectivity_, alpha, alpha + 1, score, kNoSquare});
            return score;
        }
    }
    EndgameMoves moves;
    if (!moves.generate(board, mask)) return 64;
    if (empties >= kEtcFrom) {
        for (EndgameMove& m : moves) {
            m.key = hash_key(m.next);
            table_.prefetch(m.key);
        }
    }
    BestMove best{kNone};
    if (empties < kEtcFrom || !settled_by_children(moves, alpha, best)) {
        int from = 0;
        if (bounds.best != kNoSquare && moves.bring_first(bounds.best)) {
            from = 1;
            EndgameMove& m = moves[0];
            m.done = true;
            const int score = -null_window(m.next, m.moves, ~alpha, empties - 1);
            if (score > best.score) best = BestMove{score, m.square};
        }
        if (best.score <= alpha && moves.size() > from) {
            order(moves, {board, empties, alpha, bounds, from});
            try_moves(moves, from, alpha, empties, best);
        }
    }
    if (empties >= kPollFrom && cancelled()) return alpha;
    table_.store(key, {empties, selectivity_, alpha, alpha + 1, best.score, best.square});
    return best.score;
}

/// Searches the moves from `from` on until one beats alpha: returns its index, else -1.
int EndgameSearch::try_moves(EndgameMoves& moves, int from, int alpha, int empties,
                             BestMove& best) {
    for (int i = from; i < moves.size(); ++i) {
        if (i > 0 && empties >= kSplitFrom && pool_ != nullptr && pool_->anyone_idle() &&
            moves.size() - i >= 2) {
            return share_moves(moves, i, alpha, empties, best);
        }
        EndgameMove& m = moves.pick(i);
        const int score = -null_window(m.next, m.moves, ~alpha, empties - 1);
        m.done = true;
        if (score > best.score) best = BestMove{score, m.square};
        if (score > alpha) return i;
    }
    return -1;
}

/// The same by several threads. The caller searches too, and then helps below until all are done.
int EndgameSearch::share_moves(EndgameMoves& moves, int from, int alpha, int empties,
                               BestMove& best) {
    for (int i = from; i < moves.size(); ++i) moves.pick(i).done = false;
    SplitPoint split;
    split.parent = split_;
    split.moves = &moves;
    split.alpha = alpha;
    split.empties = empties;
    split.next = from;
    split.best = best.score;
    pool_->open(split);
    work_at(split);
    pool_->close(split);
    while (SplitPoint* below = pool_->join(&split)) {
        work_at(*below);
        pool_->leave(*below);
    }
    if (split.best_index >= 0) best = BestMove{split.best, moves[split.best_index].square};
    return split.cut.load(std::memory_order_relaxed) ? split.best_index : -1;
}

void EndgameSearch::work_at(SplitPoint& split) {
    SplitPoint* const before = split_;
    split_ = &split;
    for (int i = pool_->take(split); i >= 0; i = pool_->take(split)) {
        const EndgameMove& m = (*split.moves)[i];
        const int score = -null_window(m.next, m.moves, ~split.alpha, split.empties - 1);
        if (cancelled()) break;
        pool_->report(split, i, score);
    }
    split_ = before;
}

void EndgameSearch::help_until_shut_down() {
    while (SplitPoint* split = pool_->join(nullptr)) {
        work_at(*split);
        pool_->leave(*split);
    }
}

/// The score of a small position inside a window: null windows upwards until one fails.
int EndgameSearch::narrow(const Board& board, int alpha, int beta, int empties) {
    int proven = kNone;
    for (int low = alpha; low < beta; low = proven) {
        const int score = null_window(board, board.moves(), low, empties);
        if (score <= low) return proven == kNone ? score : proven;
        proven = score;
    }
    return proven;
}

BestMove EndgameSearch::best_of(EndgameMoves& moves, int alpha, int beta, int empties) {
    EndgameMove& first = moves.pick(0);
    first.done = true;
    BestMove best{-full_window(first.next, -beta, -alpha, empties - 1), first.square};
    // Each round finds one more sibling that beats the best so far, or shows that none does.
    for (int from = 1; from < moves.size() && best.score < beta && !cancelled();) {
        const int low = std::max(alpha, best.score);
        const BestMove before = best;
        const int better = try_moves(moves, from, low, empties, best);
        if (better < 0) break;
        EndgameMove& m = moves[better];
        if (best.score < beta) {
            const int score = -full_window(m.next, -beta, -(best.score - 1), empties - 1);
            // Selective searches may take back what they promised.
            best = score > before.score ? BestMove{score, m.square} : before;
        }
        // Those still to be searched go to the end, whoever left them.
        from = moves.keep_undone(from);
    }
    return best;
}

int EndgameSearch::full_window(const Board& board, int alpha, int beta, int empties) {
    if (empties <= kLastEmpties + 2) return narrow(board, alpha, beta, empties);
    ++nodes_;
    if (cancelled()) return alpha;
    const HashKey key = hash_key(board);
    Bounds bounds;
    if (table_.probe(key, selectivity_, bounds)) {
        if (bounds.lower >= beta || bounds.lower == bounds.upper) return bounds.lower;
        if (bounds.upper <= alpha) return bounds.upper;
    }
    const Bits mask = board.moves();
    if (mask == 0) {
        if (board.replies() == 0) return final_score(board);
        return -full_window(board.passed(), -beta, -alpha, empties);
    }
    EndgameMoves moves;
    if (!moves.generate(board, mask)) return 64;
    order(moves, {board, empties, alpha, bounds});
    const BestMove best = best_of(moves, alpha, beta, empties);
    if (cancelled()) return alpha;
    table_.store(key, {empties, selectivity_, alpha, beta, best.score, best.square});
    return best.score;
}

}  // namespace karikomi::othello
