/// The root: principal-variation search over the root moves. No technique acts here but the
/// reduction of late moves. With `root.like_node` its moves are ordered, reduced and learned from
/// like those of any other node.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

template <Game G, class Built>
Value Worker<G, Built>::search_root(Value alpha, Value beta, Depth depth, std::size_t from,
                                    const Lineage& line) {
    root_depth_ = depth;
    root_window_ = static_cast<float>(beta - alpha);
    const Value alpha_before = alpha;
    NodeView view = look_at_root(alpha, beta, depth, from);
    order_root(depth, from);
    const bool like_node = shared_->params.root.like_node;
    Value best = -kInfinity;
    std::size_t best_at = from;
    int number = 0;
    FailedMoves<G> failed;
    for (const std::size_t i : root_order_) {
        RootMove<G>& rm = root_moves_[i];
        const std::uint64_t nodes_before = stats_.nodes;
        MovePlan plan;
        plan.number = plan.count = ++number;
        plan.next = view.depth - 1;
        plan.best = best;
        plan.move = rm.move;
        if (watch_) watch_({i, plan.number, Bound::None, depth});
        view.alpha = alpha;
        plan_root_move(view, rm.move, plan);
        make(rm.move, 0, true);
        bool opened = false;
        const Value v = search_move<NodeKind::Pv>(alpha, beta, plan, 0, line, opened);
        unmake(rm.move, 0);
        if (stopped_) break;
        rm.effort = stats_.nodes - nodes_before;
        rm.add_value(v);
        best = std::max(best, v);
        // A later move that stays below alpha has proved nothing but that; it must not overtake.
        if (plan.number == 1 || v > alpha) {
            best_at = i;
            rm.value = v;
            rm.depth = depth;
            // Exact only when all moves are done; until then a better one may follow.
            rm.bound = v <= alpha_before ? Bound::Upper : Bound::Lower;
            rm.pv.assign(1, rm.move);
            if (!opened) frames_[1].pv.clear();  // no line of its own
            for (int k = 0; k < frames_[1].pv.size(); ++k) rm.pv.push_back(frames_[1].pv[k]);
            const bool inside = v > alpha_before && v < beta;
            if (watch_) watch_({i, plan.number, inside ? Bound::Exact : rm.bound, depth});
            if (v >= beta) break;
            if (like_node && v > alpha) view.depth -= after_raise(view.depth, v);
            alpha = std::max(alpha, v);
        }
        failed.add(rm.move, plan.quiet);
    }
    RootMove<G>& chosen = root_moves_[best_at];
    if (!stopped_ && best > alpha_before && best < beta) chosen.bound = Bound::Exact;
    if (like_node && !stopped_ && from == 0 && line.store) {
        learn_at_root(view, best, alpha_before, beta, chosen.move, failed);
    }
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
NodeView Worker<G, Built>::look_at_root(Value alpha, Value beta, Depth depth, std::size_t from) {
    const RootParams& p = shared_->params.root;
    Frame<G>& f = frames_[0];
    f.table_pv = f.follows_pv = true;
    frames_[1].cuts = frames_[2].cuts = 0;
    NodeView view;
    if (p.like_node) {
        const TranspositionTable::Probe tt = shared_->tt.probe(pos_.key());
        const MoveCode first = root_moves_[from].move.raw();
        view = look(alpha, beta, depth, 0, NodeKind::Pv, tt.data.static_value);
        f.table_hit = view.table_known = tt.known;
        const Value value = tt.hit ? from_table(tt.data.value, 0) : kNoValue;
        view.tt = {value, tt.data.depth, tt.data.bound, first};
        view.table_move_is_tactical = !is_quiet(root_moves_[from].move);
        if (p.like_node && shared_->params.node.above_improves) {
            view.improving |= is_above_beta(view);
        }
    } else if (p.reduce) {
        view = look(alpha, beta, depth, 0, NodeKind::Pv, kNoValue);
    }
    view.depth = depth;
    view.table_pv = true;
    return view;
}

template <Game G, class Built> void Worker<G, Built>::order_root(Depth depth, std::size_t from) {
    root_order_.clear();
    if (shared_->params.root.like_node) {
        const MoveCode first = root_moves_[from].move.raw();
        const HistoryContext context = history_context(0);
        MovePicker<G> picker(pos_, first, {frames_[0], history_, evaluator_, context}, depth);
        Move move{};
        while (picker.next(move)) {
            for (std::size_t i = from; i < root_moves_.size(); ++i) {
                if (root_moves_[i].move == move) root_order_.push_back(i);
            }
        }
    }
    // Moves that were asked for by name need not be among those that a search looks at.
    for (std::size_t i = from; i < root_moves_.size(); ++i) {
        const bool there =
            shared_->params.root.like_node &&
            std::find(root_order_.begin(), root_order_.end(), i) != root_order_.end();
        if (!there) root_order_.push_back(i);
    }
}

template <Game G, class Built>
void Worker<G, Built>::plan_root_move(const NodeView& n, Move m, MovePlan& plan) {
    Frame<G>& f = frames_[0];
    f.quiet = plan.quiet = is_quiet(m);
    f.number = plan.number;
    f.judged = 0;
    if constexpr (HasCaptureKinds<G>) f.kind = plan.quiet ? 0 : pos_.capture_kind(m);
    if constexpr (has(kTechnique<LateMoves>)) {
        if (!shared_->params.root.reduce || !params<LateMoves>().enabled) return;
        LateMoves::MoveFacts facts{plan.number, plan.quiet, false, 0, false, frames_[1].cuts};
        const bool like_node = shared_->params.root.like_node;
        if (plan.number == 1 && !like_node) return;
        add_histories(facts, m, history_context(0));
        f.judged = like_node ? facts.history : 0;
        if (plan.number == 1) return;
        plan.late = true;
        plan.reduction =
            LateMoves::reduction(n, params<LateMoves>(), late_table_, facts, counters<LateMoves>());
    }
}

template <Game G, class Built>
void Worker<G, Built>::learn_at_root(const NodeView& view, Value best, Value alpha, Value beta,
                                     Move best_move, const FailedMoves<G>& failed) {
    const Bound bound = bound_of(best, alpha, beta);
    const bool quiet = is_quiet(best_move);
    if (bound != Bound::Upper) learn(best_move, quiet, failed, view.depth, 0, view.tt.move);
    if (correction_.is_on()) learn_correction(view, best, bound, quiet);
    if (bound == Bound::Lower) best = blended(best, beta, view.depth);
    const MoveCode code = bound == Bound::Upper ? kNoMove : best_move.raw();
    shared_->tt.probe(pos_.key())
        .writer.store({code, best, view.raw_static, view.depth, bound, true},
                      shared_->params.table.keep_margin);
}

}  // namespace karikomi
