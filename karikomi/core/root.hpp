/// The root: principal-variation search over the root moves. No technique acts here but the
/// reduction of late moves.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

template <Game G, class Built>
Value Worker<G, Built>::search_root(Value alpha, Value beta, Depth depth, std::size_t from,
                                    const Lineage& line) {
    root_depth_ = depth;
    const Value alpha_before = alpha;
    NodeView view;
    if (shared_->params.root.reduce) view = look(alpha, beta, depth, 0, NodeKind::Pv, kNoValue);
    view.table_pv = true;
    frames_[0].table_pv = true;
    frames_[1].cuts = frames_[2].cuts = 0;
    Value best = -kInfinity;
    std::size_t best_at = from;
    for (std::size_t i = from; i < root_moves_.size(); ++i) {
        RootMove<G>& rm = root_moves_[i];
        const std::uint64_t nodes_before = stats_.nodes;
        const int number = static_cast<int>(i - from) + 1;
        if (watch_) watch_({i, number, Bound::None, depth});
        MovePlan plan{static_cast<int>(i - from) + 1, depth - 1, 0, best};
        frames_[0].quiet = is_quiet(rm.move);
        frames_[0].number = plan.number;
        plan.reduction = root_reduction(view, rm.move, plan.number);
        plan.late = plan.number > 1 && shared_->params.root.reduce;
        make(rm.move, 0, true);
        bool opened = false;
        const Value v = search_move<NodeKind::Pv>(alpha, beta, plan, 0, line, opened);
        unmake(rm.move, 0);
        if (stopped_) break;
        rm.effort = stats_.nodes - nodes_before;
        best = std::max(best, v);
        // A later move that stays below alpha has proved nothing but that; it must not overtake.
        if (i == from || v > alpha) {
            best_at = i;
            rm.value = v;
            rm.depth = depth;
            // Exact only when all moves are done; until then a better one may follow.
            rm.bound = v <= alpha_before ? Bound::Upper : Bound::Lower;
            rm.pv.assign(1, rm.move);
            if (!opened) frames_[1].pv.clear();  // no line of its own
            for (int k = 0; k < frames_[1].pv.size(); ++k) rm.pv.push_back(frames_[1].pv[k]);
            const bool inside = v > alpha_before && v < beta;
            if (watch_) watch_({i, number, inside ? Bound::Exact : rm.bound, depth});
            if (v >= beta) break;
            alpha = std::max(alpha, v);
        }
    }
    RootMove<G>& chosen = root_moves_[best_at];
    if (!stopped_ && best > alpha_before && best < beta) chosen.bound = Bound::Exact;
    // The best move goes to the front, the others keep their order: it is the next iteration's.
    const auto at = root_moves_.begin() + static_cast<std::ptrdiff_t>(from);
    std::rotate(at, root_moves_.begin() + static_cast<std::ptrdiff_t>(best_at),
                root_moves_.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
    // What was hard to refute may turn out best: it comes earlier next time.
    if (shared_->params.root.order_by_effort && !stopped_ && best < beta) {
        std::sort(at + 1, root_moves_.end(), [](const RootMove<G>& a, const RootMove<G>& b) {
            return a.effort > b.effort || (a.effort == b.effort && a.move.raw() < b.move.raw());
        });
    }
    return best;
}

template <Game G, class Built>
Depth Worker<G, Built>::root_reduction(const NodeView& n, Move m, int number) {
    if constexpr (has(kTechnique<LateMoves>)) {
        if (!shared_->params.root.reduce || number == 1) return 0;
        const bool quiet = frames_[0].quiet;
        const LateMoves::MoveFacts facts{
            number, quiet, false, history_of(m, quiet, history_context(0)), false, frames_[1].cuts};
        return LateMoves::reduction(n, params<LateMoves>(), late_table_, facts,
                                    counters<LateMoves>());
    }
    return 0;
}

}  // namespace karikomi
