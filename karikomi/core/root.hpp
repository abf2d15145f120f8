/// The root: principal-variation search over the root moves. No technique acts here.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

template <Game G, class Built>
Value Worker<G, Built>::search_root(Value alpha, Value beta, Depth depth, std::size_t from,
                                    const Lineage& line) {
    root_depth_ = depth;
    const Value alpha_before = alpha;
    Value best = -kInfinity;
    std::size_t best_at = from;
    for (std::size_t i = from; i < root_moves_.size(); ++i) {
        RootMove<G>& rm = root_moves_[i];
        make(rm.move, 0);
        Value v = 0;
        const bool first = i == from;
        if (!first) v = -search<NodeKind::Cut>(-alpha - 1, -alpha, depth - 1, 1, line);
        const bool opened = first || (v > alpha && v < beta && !stopped_);
        if (opened) {
            v = -search<NodeKind::Pv>(-beta, -alpha, depth - 1, 1, line);
        }
        unmake(rm.move, 0);
        if (stopped_) break;
        best = std::max(best, v);
        // A later move that stays below alpha has proved nothing but that; it must not overtake.
        if (first || v > alpha) {
            best_at = i;
            rm.value = v;
            rm.depth = depth;
            // Exact only when all moves are done; until then a better one may follow.
            rm.bound = v <= alpha_before ? Bound::Upper : Bound::Lower;
            rm.pv.assign(1, rm.move);
            if (!opened) frames_[1].pv.clear();  // no line of its own
            for (int k = 0; k < frames_[1].pv.size(); ++k) rm.pv.push_back(frames_[1].pv[k]);
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
    return best;
}

}  // namespace karikomi
