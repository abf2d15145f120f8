/// The worker's small parts: getting ready, counting, making moves, learning.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

template <Game G, class Built> void Worker<G, Built>::new_game() {
    history_.clear();
    correction_.clear();
    usual_nodes_.fill(0.0);
    for (Frame<G>& f : frames_) f = Frame<G>{};
    if (shared_ != nullptr) iid_memory_.reset(params().iid.adaptive_start, params().iid.cached);
}

template <Game G, class Built> void Worker<G, Built>::prepare(Shared& shared, const Position& pos) {
    const bool first_time = shared_ == nullptr;
    shared_ = &shared;
    pos_ = pos;
    adopt<G>(evaluator_, pos_);
    root_side_ = pos_.side();
    stats_ = {};
    selective_stats_ = {};
    stopped_ = false;
    pressure_ = 0.0f;
    countdown_ = 0;
    for (Frame<G>& f : frames_) f.killers = {}, f.static_value = kNoValue;
    history_.prepare(shared.params.node);
    correction_.prepare(HasStructures<G> ? shared.params.node.correction : 0);
    if constexpr (HasCostlyEvaluation<G>) evaluated_.resize(std::size_t{1} << 14);
    frames_[0].slot = History<G>::kNoSlot;
    if (first_time) iid_memory_.reset(params().iid.adaptive_start, params().iid.cached);
    iid_memory_.next_search();
    late_table_.prepare(params().late_moves);
    level_ = selectivity_level(params());
    set_gate();
}

template <Game G, class Built> void Worker<G, Built>::set_gate() {
    const SelectiveParams& p = params();
    gate_ = {};
    const auto take = [this](Technique t, Depth lowest) {
        if (has(t)) gate_.from = std::min(gate_.from, lowest);
    };
    take(Technique::ProbCut, ProbCut::lowest_depth(p.probcut));
    take(Technique::MultiProbCut, MultiProbCut::lowest_depth(p.multi_probcut));
    take(Technique::Iid, Iid::lowest_depth(p.iid));
    take(Technique::Singular, Singular::lowest_depth(p.singular));
    take(Technique::NullMove, NullMove::lowest_depth(p.null_move));
    if (has(Technique::LateMoves)) {
        gate_.reduce_from = LateMoves::lowest_depth(p.late_moves);
        gate_.from = std::min(gate_.from, gate_.reduce_from);
        gate_.up_to = LateMoves::highest_depth(p.late_moves);
    }
    if (has(Technique::Futility)) {
        gate_.up_to = std::max(gate_.up_to, Futility::highest_node(p.futility));
        gate_.judges_nodes = Futility::judges_nodes(p.futility);
    }
    if (observer_ != nullptr && observer_->wants_gains) {
        gate_.up_to = std::max(gate_.up_to, Futility::kDepths);
    }
    gate_.static_in_check =
        has(Technique::MultiProbCut) && p.multi_probcut.enabled && p.multi_probcut.static_gate;
    gate_.needs_static = gate_.judges_nodes || (has(Technique::NullMove) && p.null_move.enabled) ||
                         gate_.static_in_check ||
                         (has(Technique::ProbCut) && p.probcut.enabled &&
                          p.probcut.variant == ProbCut::Variant::Captures);
    gate_.needs_mobility = has(Technique::Iid) && p.iid.enabled && p.iid.selective;
}

template <Game G, class Built> Lineage Worker<G, Built>::root_lineage() const {
    Lineage l;
    l.selectivity = static_cast<std::uint8_t>(level_);
    return l;
}

template <Game G, class Built>
Value Worker<G, Built>::search_window(Value alpha, Value beta, Depth depth) {
    root_depth_ = depth;
    if (beta - alpha > 1) return search<NodeKind::Pv>(alpha, beta, depth, 1, root_lineage());
    return search<NodeKind::Cut>(alpha, beta, depth, 1, root_lineage());
}

template <Game G, class Built> bool Worker<G, Built>::enter_node(int ply) {
    if (--countdown_ < 0) poll();
    // Read at every node: a node may be slow (a solver at the horizon), and stop must be quick.
    if (shared_->stop.load(std::memory_order_relaxed)) stopped_ = true;
    if (stopped_) return true;
    ++stats_.nodes;
    stats_.seldepth = std::max(stats_.seldepth, ply);
    return false;
}

template <Game G, class Built> void Worker<G, Built>::poll() {
    // Nodes are reserved before they are searched: all threads together keep the limit exactly.
    constexpr std::uint64_t kInterval = 256;
    const std::uint64_t reserved = shared_->nodes.fetch_add(kInterval);
    const std::uint64_t limit = shared_->node_limit;
    std::uint64_t batch = kInterval;
    if (limit > 0) {
        if (reserved >= limit) {
            shared_->stop = true;
            return;
        }
        batch = std::min(kInterval, limit - reserved);
    }
    countdown_ = static_cast<int>(batch) - 1;
    if (shared_->clock.is_over()) shared_->stop = true;
    pressure_ = shared_->clock.pressure();
}

template <Game G, class Built> void Worker<G, Built>::make(Move m, int ply) {
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    f.slot = pos_.history_slot(m);
    pos_.make(m, f.undo);
    if constexpr (HasIncrementalEvaluator<G>) evaluator_.after_make(pos_, m);
}

template <Game G, class Built> void Worker<G, Built>::unmake(Move m, int ply) {
    pos_.unmake(m, frames_[static_cast<std::size_t>(ply)].undo);
    if constexpr (HasIncrementalEvaluator<G>) evaluator_.after_unmake(pos_, m);
}

template <Game G, class Built>
NodeView Worker<G, Built>::look(Value alpha, Value beta, Depth depth, int ply, NodeKind kind,
                                Value known_static) {
    NodeView n;
    n.alpha = alpha;
    n.beta = beta;
    n.depth = depth;
    n.ply = ply;
    n.kind = kind;
    n.stage = pos_.stage();
    n.colour = pos_.side();
    n.opponent_to_move = pos_.side() != root_side_;
    n.time_pressure = pressure_;
    if constexpr (HasPhase<G>) n.phase = pos_.phase();
    if constexpr (HasCheck<G>) n.in_check = pos_.in_check();
    if constexpr (HasPass<G>) n.after_pass = pos_.after_pass();
    if constexpr (HasPieceCount<G>) n.piece_count = pos_.piece_count();
    if constexpr (HasMobility<G>) {
        if (gate_.needs_mobility) n.mobility = pos_.mobility();
    }
    n.raw_static = known_static;
    if (gate_.needs_static && known_static == kNoValue && (!n.in_check || gate_.static_in_check)) {
        n.raw_static = evaluate();
    }
    n.static_value = n.raw_static;
    if (correction_.is_on() && n.raw_static != kNoValue && !n.in_check) {
        n.static_value = clamp_eval(n.raw_static + correction_.of(pos_));
    }
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    f.static_value = n.in_check ? kNoValue : n.static_value;
    if (ply >= 2 && f.static_value != kNoValue) {
        const Value before = frames_[static_cast<std::size_t>(ply) - 2].static_value;
        n.improving = before == kNoValue || f.static_value > before;
    }
    return n;
}

template <Game G, class Built> Value Worker<G, Built>::evaluate_once() {
    const Key key = pos_.key();
    Evaluated& e = evaluated_[key & (evaluated_.size() - 1)];
    if (e.key != key || e.value == kNoValue) {
        e = {key, clamp_eval(evaluator_.evaluate(pos_))};
    }
    return e.value;
}

template <Game G, class Built>
Value Worker<G, Built>::horizon(Value alpha, Value beta, int ply, const Lineage& line) {
    static_assert(HorizonFor<typename G::Horizon, Worker>);
    if (!shared_->params.node.horizon_table) return G::Horizon::search(*this, alpha, beta, ply);
    TranspositionTable::Probe tt = shared_->tt.probe(pos_.key());
    if (tt.hit && tt.data.selectivity <= line.selectivity) {
        const Value v = from_table(tt.data.value, ply);
        const Bound b = tt.data.bound;
        if (b == Bound::Exact || (b == Bound::Lower && v >= beta) ||
            (b == Bound::Upper && v <= alpha)) {
            ++stats_.tt_hits;
            return v;
        }
    }
    const Value v = G::Horizon::search(*this, alpha, beta, ply);
    if (line.store && !stopped_) {
        const Bound bound = v >= beta ? Bound::Lower : v > alpha ? Bound::Exact : Bound::Upper;
        tt.writer.store({kNoMove, to_table(v, ply), kNoValue, 0, bound, level_});
    }
    return v;
}

template <Game G, class Built>
typename Worker<G, Built>::Judgement Worker<G, Built>::judge(Move m, NodeView& n,
                                                             LateMoves::MoveFacts facts,
                                                             const HistoryContext& context) {
    Judgement j;
    const bool checks = facts.quiet && n.depth <= gate_.up_to && gives_check(m);
    const bool prunable = facts.quiet && n.depth <= gate_.up_to && !checks;
    facts.check = checks;
    if (prunable) {
        j.move_value = static_value_of_move(m, n);
        if constexpr (has(Technique::Futility)) {
            auto& s = selective_stats_.futility;
            if (const auto most = Futility::try_prune(n, params().futility, j.move_value, s)) {
                book_saving(s, usual_nodes_[static_cast<std::size_t>(n.depth - 1)], 0);
                j.skip = true;
                j.most = *most;
                return j;
            }
        }
    }
    if constexpr (has(Technique::LateMoves)) {
        auto& s = selective_stats_.late_moves;
        if (prunable && LateMoves::prune(n, params().late_moves, facts, s)) {
            j.skip = true;
            j.most = n.alpha;  // at most that, as far as anybody knows
            return j;
        }
        if (n.depth >= gate_.reduce_from) {
            facts.history = history_.score(context, pos_.history_slot(m));
            j.reduction = LateMoves::reduction(n, params().late_moves, late_table_, facts, s);
        }
    }
    if (n.depth <= gate_.up_to) j.skip = judge_late(m, n, facts, prunable, j);
    return j;
}

/// The forms that look at the depth left after the reduction.
template <Game G, class Built>
bool Worker<G, Built>::judge_late(Move m, const NodeView& n, const LateMoves::MoveFacts& facts,
                                  bool prunable, Judgement& j) {
    const Depth left = n.depth - 1 - j.reduction;
    if constexpr (has(Technique::Futility)) {
        auto& s = selective_stats_.futility;
        if (prunable && !facts.special && left <= params().futility.late_max_depth &&
            params().futility.late_max_depth > 0) {
            if (const auto most =
                    Futility::try_prune_late(n, params().futility, left, j.move_value, s)) {
                j.most = *most;
                return true;
            }
        }
    }
    if constexpr (has(Technique::LateMoves)) {
        const LateMoves::Params& p = params().late_moves;
        auto& s = selective_stats_.late_moves;
        j.most = n.alpha;
        if (prunable && LateMoves::prune_by_history(n, p, facts, left, s)) return true;
        if constexpr (HasExchange<G>) {
            const auto exchange = [&]() -> Value {
                const Value v = pos_.exchange_value(m);
                return v < 0 && !facts.quiet && gives_check(m) ? 0 : v;
            };
            if ((prunable || !facts.quiet) &&
                LateMoves::prune_by_exchange(n, p, facts, left, s, exchange)) {
                return true;
            }
        }
    }
    return false;
}

template <Game G, class Built>
typename Worker<G, Built>::HistoryContext Worker<G, Built>::history_context(int ply) const {
    HistoryContext c;
    c.side = pos_.side();
    if (ply >= 1) c.previous = frames_[static_cast<std::size_t>(ply) - 1].slot;
    if (ply >= 2) c.before_previous = frames_[static_cast<std::size_t>(ply) - 2].slot;
    if constexpr (WantsFarHistory<G>) {
        if (ply >= 4) c.far = frames_[static_cast<std::size_t>(ply) - 4].slot;
    }
    return c;
}

template <Game G, class Built> Value Worker<G, Built>::static_value_of_move(Move m, NodeView& n) {
    if constexpr (HasMoveEvaluation<G>) return evaluator_.evaluate_move(pos_, m);
    (void)m;
    if (n.in_check) return kNoValue;  // no technique trusts it there
    // Only now is it needed: most nodes of the last plies end with their first move.
    if (n.static_value == kNoValue) n.raw_static = n.static_value = evaluate();
    return n.static_value;
}

template <Game G, class Built>
void Worker<G, Built>::record_cut(Technique t, const NodeView& n, Depth shallow, Value result) {
    if (observer_ == nullptr) return;
    observer_->add(
        CutRecord<G>{t, pos_, n.alpha, n.beta, n.depth, shallow, n.stage, result >= n.beta});
}

template <Game G, class Built>
void Worker<G, Built>::record_gain(const NodeView& n, Value static_value, Value value,
                                   Bound bound) {
    if (is_decisive(value) || is_decisive(static_value) || n.in_check) return;
    observer_->add(GainSample{n.depth, root_depth_, n.opponent_to_move, n.colour, n.stage,
                              static_value, value, bound});
}

template <Game G, class Built>
void Worker<G, Built>::learn(Move best, bool quiet, const FailedMoves<G>& failed, Depth depth,
                             int ply) {
    const HistoryContext context = history_context(ply);
    const int bonus = History<G>::bonus(depth);
    if (quiet) {
        Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
        const MoveCode code = best.raw();
        if (f.killers[0] != code) f.killers = {code, f.killers[0]};
        history_.set_counter_move(context, code);
        history_.reward(context, pos_.history_slot(best), bonus);
    }
    for (const Move m : failed.quiet()) history_.reward(context, pos_.history_slot(m), -bonus);
    if constexpr (HasCaptureKinds<G>) {
        if (!history_.learns_tactics()) return;
        const auto reward = [&](Move m, int points) {
            history_.reward_tactical(context.side, pos_.history_slot(m), pos_.capture_kind(m),
                                     points);
        };
        if (!quiet) reward(best, bonus);
        for (const Move m : failed.tactical()) reward(m, -bonus);
    }
}

template <Game G, class Built>
void Worker<G, Built>::learn_correction(const NodeView& n, Value best, Bound bound, bool quiet) {
    if (n.in_check || n.raw_static == kNoValue || is_decisive(best) || !quiet) return;
    // A bound on the wrong side of the static value says nothing about it.
    if (bound == Bound::Lower && best <= n.static_value) return;
    if (bound == Bound::Upper && best >= n.static_value) return;
    correction_.learn(pos_, best - n.static_value, n.depth);
}

}  // namespace karikomi
