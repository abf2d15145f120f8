/// The worker's small parts: getting ready, counting, making moves, learning.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

template <Game G, class Built> void Worker<G, Built>::new_game() {
    history_.clear();
    correction_.clear();
    table_moves_ = 0;
    usual_nodes_.fill(0.0);
    for (Frame<G>& f : frames_) f = Frame<G>{};
    if (shared_ != nullptr) iid_memory_.reset(params<Iid>().adaptive_start, params<Iid>().cached);
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
    for (Frame<G>& f : frames_) {
        f.killers = {};
        f.static_value = f.known_value = kNoValue;
        f.judged = 0;
        f.follows_pv = f.in_check = false;
    }
    history_.prepare(shared.params.node, shared.params.history);
    correction_.prepare(shared.params.node);
    last_line_.clear();
    if constexpr (HasCostlyEvaluation<G>) evaluated_.resize(std::size_t{1} << 14);
    frames_[0].slot = History<G>::kNoSlot;
    if (first_time) iid_memory_.reset(params<Iid>().adaptive_start, params<Iid>().cached);
    iid_memory_.next_search();
    late_table_.prepare(params<LateMoves>());
    set_gate();
}

template <Game G, class Built> void Worker<G, Built>::set_gate() {
    gate_ = {};
    for_each_technique([&]<class T>() {
        if constexpr (has(kTechnique<T>)) {
            if constexpr (requires { T::lowest_depth(params<T>()); }) {
                gate_.from = std::min(gate_.from, T::lowest_depth(params<T>()));
            }
            if constexpr (requires { T::highest_node(params<T>()); }) {
                gate_.up_to = std::max(gate_.up_to, T::highest_node(params<T>()));
            }
            if constexpr (requires { T::needs_static(params<T>()); }) {
                gate_.needs_static |= T::needs_static(params<T>());
            }
        }
    });
    if (has(kTechnique<LateMoves>))
        gate_.reduce_from = LateMoves::lowest_depth(params<LateMoves>());
    gate_.judges_nodes = has(kTechnique<Futility>) && Futility::judges_nodes(params<Futility>());
    const NodeParams& node = shared_->params.node;
    gate_.judges_children = has(kTechnique<Futility>) && observer_ == nullptr &&
                            ChildFutility::is_plain(params<Futility>()) && !node.refine_static &&
                            !correction_.is_on() && !node.quick_win;
    if (observer_ != nullptr && observer_->wants_gains) {
        gate_.up_to = std::max(gate_.up_to, Futility::kDepths);
    }
    gate_.static_in_check =
        has(kTechnique<MultiProbCut>) && MultiProbCut::needs_static(params<MultiProbCut>());
    gate_.horizon_asks_table = node.horizon_table || shared_->params.quiescence.table;
    const FutilityParams& f = params<Futility>();
    const LateMovesParams& late = params<LateMoves>();
    const bool futility = has(kTechnique<Futility>) && f.enabled;
    const bool late_moves = has(kTechnique<LateMoves>) && late.enabled;
    gate_.last_ply_is_plain =
        HasLastPly<G> && !gate_.horizon_asks_table && observer_ == nullptr &&
        (!futility || (Futility::highest_depth(f) < 1 && f.late_max_depth < 1)) &&
        (!late_moves || (LateMoves::highest_node(late) < 1 && LateMoves::lowest_depth(late) > 1));
    gate_.needs_mobility = has(kTechnique<Iid>) && params<Iid>().enabled && params<Iid>().selective;
}

template <Game G, class Built>
Value Worker<G, Built>::search_window(Value alpha, Value beta, Depth depth) {
    root_depth_ = depth;
    if (beta - alpha > 1) return search<NodeKind::Pv>(alpha, beta, depth, 1, {});
    return search<NodeKind::Cut>(alpha, beta, depth, 1, {});
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

template <Game G, class Built> void Worker<G, Built>::make(Move m, int ply, bool prefetch) {
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    f.slot = pos_.history_slot(m);
    f.move = m.raw();
    pos_.make(m, f.undo);
    // The entry is on its way while the evaluator works.
    if (prefetch) shared_->tt.prefetch(pos_.key());
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
    if constexpr (HasThreats<G>) n.threat = pos_.threat();
    if constexpr (HasPass<G>) n.after_pass = pos_.after_pass();
    if constexpr (HasPieceCount<G>) n.piece_count = pos_.piece_count();
    if constexpr (HasMobility<G>) {
        if (gate_.needs_mobility) n.mobility = pos_.mobility();
    }
    n.raw_static = known_static;
    if (gate_.needs_static && known_static == kNoValue && (!n.in_check || gate_.static_in_check)) {
        n.raw_static = evaluate_here(frames_[static_cast<std::size_t>(ply)], pos_.key());
    }
    n.static_value = n.raw_static;
    if (correction_.is_on()) {
        const Value correction = correction_.of(pos_, line_of(ply));
        n.correction = std::abs(correction);
        if (n.raw_static != kNoValue && !n.in_check) {
            n.static_value = clamp_eval(n.raw_static + correction);
        }
    }
    n.window = static_cast<float>(beta - alpha) / root_window_;
    n.beyond_depth = ply > root_depth_;
    n.table_moves = table_moves_;
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    f.in_check = n.in_check;
    n.follows_pv = f.follows_pv;
    f.static_value = n.in_check ? kNoValue : n.static_value;
    if (ply >= 1) n.prior_reduction = frames_[static_cast<std::size_t>(ply) - 1].reduction;
    if (ply >= 2) {
        const Value before = frames_[static_cast<std::size_t>(ply) - 2].static_value;
        if (f.static_value != kNoValue) n.improving = before == kNoValue || f.static_value > before;
        if (n.in_check && shared_->params.node.carry_static) f.static_value = before;
    }
    if (ply >= 1 && f.static_value != kNoValue && !n.in_check) {
        const Value theirs = frames_[static_cast<std::size_t>(ply) - 1].static_value;
        n.worsening = theirs != kNoValue && f.static_value > -theirs;
    }
    return n;
}

/// The static value, or what the table knows better.
template <Game G, class Built> Value Worker<G, Built>::refine(const NodeView& n) const {
    if (!shared_->params.node.refine_static || n.static_value == kNoValue) return n.static_value;
    return refined(n.static_value, n.tt.value, n.tt.bound);
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
    if (tt.hit) {
        const Value v = from_table(tt.data.value, ply);
        if (decides(tt.data.bound, v, alpha, beta)) {
            ++stats_.tt_hits;
            return v;
        }
    }
    const Value v = G::Horizon::search(*this, alpha, beta, ply);
    if (line.store && !stopped_) {
        const Bound bound = bound_of(v, alpha, beta);
        tt.writer.store({kNoMove, to_table(v, ply), kNoValue, 0, bound, false});
    }
    return v;
}

template <Game G, class Built>
Value Worker<G, Built>::remember_win(const TranspositionTable::Writer& writer, Depth depth, int ply,
                                     const Lineage& line) const {
    const Value v = win_in(ply + 1);
    const Depth deeper = shared_->params.node.win_deeper;
    if (deeper > 0 && line.store) {
        writer.store({kNoMove, to_table(v, ply), kNoValue, std::min(depth + deeper, kMaxDepth),
                      Bound::Exact, frames_[static_cast<std::size_t>(ply)].table_pv},
                     shared_->params.table.keep_margin);
    }
    return v;
}

/// The node's static value is known from here on, whatever becomes of its search.
template <Game G, class Built>
void Worker<G, Built>::remember_static(const NodeView& n, const TranspositionTable::Probe& tt,
                                       const Lineage& line) const {
    if (!shared_->params.node.keep_static || tt.known || !line.store) return;
    if (n.raw_static == kNoValue || n.in_check) return;
    tt.writer.store({kNoMove, kNoValue, n.raw_static, kUnsearched, Bound::None, n.table_pv});
}

template <Game G, class Built> HorizonView Worker<G, Built>::view_horizon(int ply) {
    HorizonView view{shared_->tt.probe(pos_.key())};
    if (view.tt.hit) {
        ++stats_.tt_hits;
        view.value = from_table(view.tt.data.value, ply);
    }
    return view;
}

template <Game G, class Built>
void Worker<G, Built>::store_horizon(const HorizonView& view, TtData data, int ply) {
    if (stopped_) return;
    data.value = to_table(data.value, ply);
    data.pv = view.tt.data.pv;
    view.tt.writer.store(data, shared_->params.table.keep_margin);
}

template <Game G, class Built> bool Worker<G, Built>::retakes(Move m, int ply) const {
    if constexpr (HasRetakes<G>) {
        const MoveCode last = frames_[static_cast<std::size_t>(ply) - 1].move;
        return last != kNoMove && pos_.retakes(m, Move::from_raw(last));
    }
    (void)m, (void)ply;
    return false;
}

template <Game G, class Built>
std::optional<Value> Worker<G, Built>::search_last_ply(Value beta, int ply, MoveCode first,
                                                       const TranspositionTable::Writer& writer,
                                                       Value raw_static) {
    if constexpr (HasLastPly<G>) {
        if (countdown_ < static_cast<int>(G::kMaxMoves)) return std::nullopt;  // limits come first
        Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
        const LastPlyResult<Move> r =
            G::LastPly::search(pos_, evaluator_, beta, Move::from_raw(first));
        if (r.looked_at == 0) return std::nullopt;
        countdown_ -= r.looked_at;
        stats_.nodes += static_cast<std::uint64_t>(r.looked_at);
        stats_.seldepth = std::max(stats_.seldepth, ply + 1);
        const bool cut = r.best >= beta;
        if (cut) {
            ++stats_.cuts;
            ++f.cuts;
            if (r.looked_at == 1) ++stats_.first_cuts;
        }
        f.best = r.cut.raw();
        writer.store({f.best, to_table(r.best, ply), raw_static, 1,
                      cut ? Bound::Lower : Bound::Upper, f.table_pv},
                     shared_->params.table.keep_margin);
        return r.best;
    }
    return std::nullopt;
}

template <Game G, class Built>
typename Worker<G, Built>::Judgement Worker<G, Built>::judge(Move m, NodeView& n,
                                                             LateMoves::MoveFacts facts,
                                                             const HistoryContext& context) {
    Judgement j;
    const bool near = n.depth <= gate_.up_to && !(facts.doomed && params<LateMoves>().spare_lost);
    facts.check = near && (facts.quiet || params<LateMoves>().prune_checks) && gives_check(m);
    const bool prunable = facts.quiet && near && !facts.check;
    if (prunable) {
        j.move_value = static_value_of_move(m, n);
        if constexpr (has(kTechnique<Futility>)) {
            auto& s = counters<Futility>();
            if (const auto most = Futility::try_prune(n, params<Futility>(), j.move_value, s)) {
                book_saving(s, usual_nodes_[static_cast<std::size_t>(n.depth - 1)], 0);
                j.skip = true;
                j.by = kTechnique<Futility>;
                j.most = *most;
                return j;
            }
        }
    }
    if constexpr (has(kTechnique<LateMoves>)) {
        auto& s = counters<LateMoves>();
        if (prunable && LateMoves::prune(n, params<LateMoves>(), late_table_, facts, s)) {
            j.skip = true;
            j.skip_rest = params<LateMoves>().skip_rest;
            // At most that, as far as anybody knows.
            j.most = params<LateMoves>().skip_silently ? -kInfinity : n.alpha;
            return j;
        }
        if (params<LateMoves>().enabled && (near || n.depth >= gate_.reduce_from)) {
            add_histories(facts, m, context);
            j.history = facts.history;
            j.reduction = LateMoves::reduction(n, params<LateMoves>(), late_table_, facts, s);
            j.late = n.depth >= gate_.reduce_from;
        }
    }
    // Futility, too, may judge by history, whether late moves are reduced or not.
    if (near && j.history == 0 && params<LateMoves>().judge_plainly) {
        add_histories(facts, m, context);
    }
    if (near) j.skip = judge_late(m, n, facts, prunable, j);
    return j;
}

template <Game G, class Built>
Depth Worker<G, Built>::reduce_first(LateMoves::MoveFacts facts, Move m, const NodeView& n,
                                     const HistoryContext& context, int& history) {
    if constexpr (has(kTechnique<LateMoves>)) {
        const LateMoves::Params& p = params<LateMoves>();
        if (!p.enabled || p.first_less <= 0.0f) return 0;
        add_histories(facts, m, context);
        history = facts.history;
        if (n.kind == NodeKind::Pv) return 0;
        facts.child_cuts = frames_[static_cast<std::size_t>(n.ply) + 1].cuts;
        return LateMoves::first_less(n, p, late_table_, facts, counters<LateMoves>());
    }
    return 0;
}

template <Game G, class Built> Depth Worker<G, Built>::after_raise(Depth depth, Value value) const {
    const NodeParams& p = shared_->params.node;
    if (is_decisive(value)) return 0;
    return depth > p.after_raise_above && depth < p.after_raise_below ? p.after_raise : 0;
}

template <Game G, class Built>
int Worker<G, Built>::history_of(Move m, bool quiet, const HistoryContext& context) const {
    if constexpr (HasCaptureKinds<G>) {
        if (!quiet && history_.learns_tactics()) {
            return history_.tactical_score(context.side, pos_.history_slot(m),
                                           pos_.capture_kind(m));
        }
    }
    return history_.judgement(context, pos_.history_slot(m));
}

template <Game G, class Built>
void Worker<G, Built>::add_histories(LateMoves::MoveFacts& facts, Move m,
                                     const HistoryContext& context) const {
    facts.history = history_of(m, facts.quiet, context);
    if (facts.quiet) {
        if (!params<LateMoves>().judge_plainly) return;
        facts.near = history_.near(context, pos_.history_slot(m));
        facts.own = history_.own(context, pos_.history_slot(m));
        return;
    }
    facts.own = facts.history;
    if constexpr (HasCaptureGain<G>) {
        const float worth = params<LateMoves>().tactical_worth;
        if (worth > 0.0f) {
            facts.history += static_cast<int>(worth * static_cast<float>(pos_.capture_gain(m)));
        }
    }
}

/// The forms that look at the depth left after the reduction.
template <Game G, class Built>
bool Worker<G, Built>::judge_late(Move m, const NodeView& n, const LateMoves::MoveFacts& facts,
                                  bool prunable, Judgement& j) {
    const Depth left =
        LateMoves::depth_left(n, params<LateMoves>(), late_table_, facts, j.reduction);
    if constexpr (has(kTechnique<Futility>)) {
        auto& s = counters<Futility>();
        if (prunable && !facts.special && left <= params<Futility>().late_max_depth &&
            params<Futility>().late_max_depth > 0) {
            if (const auto most = Futility::try_prune_late(n, params<Futility>(), left,
                                                           j.move_value, facts.first, s)) {
                j.by = kTechnique<Futility>;
                j.most = *most;
                return true;
            }
        }
        if constexpr (HasCaptureGain<G>) {
            if (!facts.quiet && !facts.check && params<Futility>().tactical_max_depth > 0) {
                if (const auto most = Futility::try_prune_tactical(
                        n, params<Futility>(), left, pos_.capture_gain(m), facts.own, s)) {
                    j.by = kTechnique<Futility>;
                    j.most = *most;
                    return true;
                }
            }
        }
    }
    if constexpr (has(kTechnique<LateMoves>)) {
        const LateMoves::Params& p = params<LateMoves>();
        auto& s = counters<LateMoves>();
        j.most = p.skip_silently ? -kInfinity : n.alpha;
        if (prunable && LateMoves::prune_by_history(n, p, facts, left, s)) return true;
        if constexpr (HasExchange<G>) {
            const auto exchange = [&]() -> Value {
                const Value v = pos_.exchange_value(m);
                const bool spared = v < 0 && !facts.quiet && !p.prune_checks && gives_check(m);
                return spared ? 0 : v;
            };
            if ((prunable || !facts.quiet || (facts.check && p.prune_checks)) &&
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
    c.ply = ply;
    constexpr std::size_t kReach = WantsFarHistory<G> ? History<G>::kPast : 2;
    const std::size_t reach = std::min(kReach, static_cast<std::size_t>(std::max(ply, 0)));
    for (std::size_t i = 0; i < reach; ++i) {
        c.past[i] = frames_[static_cast<std::size_t>(ply) - 1 - i].slot;
    }
    if constexpr (WantsFarHistory<G>) c.in_check = frames_[static_cast<std::size_t>(ply)].in_check;
    if constexpr (HasStructures<G>) {
        if (shared_->params.history.structure_weight > 0) {
            c.structure = History<G>::structure_at(pos_.structure_key(0));
        }
    }
    return c;
}

template <Game G, class Built>
typename Correction<G>::Line Worker<G, Built>::line_of(int ply) const {
    const auto slot = [&](int back) {
        const int at = std::max(ply - back, -1);
        return static_cast<std::size_t>(at < 0 ? G::kHistorySlots
                                               : frames_[static_cast<std::size_t>(at)].slot);
    };
    return {slot(1), slot(2), slot(4)};
}

template <Game G, class Built>
void Worker<G, Built>::order_horizon(std::span<ScoredMove<Move>> moves, int ply) {
    constexpr std::int32_t kTactical = 1 << 20;
    const HistoryContext context = history_context(ply);
    for (ScoredMove<Move>& m : moves) {
        const int slot = pos_.history_slot(m.move);
        if (is_quiet(m.move)) {
            m.score = history_.evasion_score(context, slot);
            continue;
        }
        m.score += kTactical;
        if constexpr (HasCaptureKinds<G>) {
            m.score += history_.tactical_score(context.side, slot, pos_.capture_kind(m.move));
        }
    }
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
        CutRecord<G>{t, pos_, n.alpha, n.beta, n.depth, shallow, n.stage, result >= n.beta, false});
}

template <Game G, class Built>
void Worker<G, Built>::record_skips(const Judgement& j, Move m, const NodeView& n,
                                    const MovePicker<G>& picker) {
    if (!observer_->wants_cuts || is_decisive(n.alpha)) return;
    const auto record = [&](Move left_out) {
        Position after = pos_;
        typename G::Undo undo{};
        after.make(left_out, undo);
        if (after.outcome(n.ply + 1)) return;  // nothing to search
        observer_->add(
            CutRecord<G>{j.by, after, -n.alpha - 1, -n.alpha, n.depth - 1, 0, n.stage, true, true});
    };
    record(m);
    if (!j.skip_rest) return;
    MovePicker<G> rest = picker;
    Move next{};
    while (rest.next(next)) {
        if (rest.last_is_quiet()) record(next);
    }
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
                             int ply, MoveCode table_move) {
    const HistoryContext context = history_context(ply);
    const HistoryParams& p = shared_->params.history;
    int bonus = p.bonus(depth);
    if (best.raw() == table_move) bonus += p.table_bonus;
    if (p.parent_share > 0.0f && ply >= 1) {
        const int judged = frames_[static_cast<std::size_t>(ply) - 1].judged;
        bonus += static_cast<int>(p.parent_share * static_cast<float>(judged));
    }
    int penalty = -p.blame(depth);
    if (quiet) {
        Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
        const MoveCode code = best.raw();
        if (p.killers && f.killers[0] != code) f.killers = {code, f.killers[0]};
        history_.set_counter_move(context, code);
        history_.reward(context, pos_.history_slot(best), bonus);
    }
    blame_parent(ply, static_cast<int>(p.blame_parent * static_cast<float>(penalty)));
    if constexpr (HasCaptureKinds<G>) {
        if (history_.learns_tactics()) {
            const auto reward = [&](Move m, int points, float share) {
                history_.reward_tactical(context.side, pos_.history_slot(m), pos_.capture_kind(m),
                                         static_cast<int>(static_cast<float>(points) * share));
            };
            if (!quiet) reward(best, bonus, p.tactical_reward);
            for (const Move m : failed.tactical()) {
                if (m.raw() != best.raw()) reward(m, penalty, p.tactical_blame);
            }
        }
    }
    for (const Move m : failed.quiet()) {
        if (m.raw() == best.raw() || (!quiet && p.spare_quiet)) continue;
        history_.reward(context, pos_.history_slot(m), penalty);
        penalty = static_cast<int>(static_cast<float>(penalty) * p.penalty_fade);
    }
}

/// The parent's quiet move was refuted although it came first, so it was ordered too well.
template <Game G, class Built> void Worker<G, Built>::blame_parent(int ply, int points) {
    if (points == 0 || ply < 1) return;
    const Frame<G>& parent = frames_[static_cast<std::size_t>(ply) - 1];
    if (!parent.quiet || parent.slot == History<G>::kNoSlot) return;
    const int early = shared_->params.history.blame_parent_number;
    if (parent.number > early + (parent.table_hit ? 1 : 0)) return;
    HistoryContext context = history_context(ply - 1);
    context.side = 1 - pos_.side();
    history_.reward_continuation(context, parent.slot, points);
}

/// The table cut the node with this move: it deserves its history.
template <Game G, class Built>
void Worker<G, Built>::learn_from_table(MoveCode code, Depth depth, int ply) {
    const HistoryParams& p = shared_->params.history;
    if (code == kNoMove) return;
    const Frame<G>& parent = frames_[static_cast<std::size_t>(ply) - 1];
    if (p.blame_table > 0 && parent.quiet && parent.number <= p.blame_table_number &&
        parent.slot != History<G>::kNoSlot) {
        HistoryContext context = history_context(ply - 1);
        context.side = 1 - pos_.side();
        history_.reward_continuation(context, parent.slot, -p.blame_table);
    }
    if (p.from_table <= 0.0f) return;
    const Move m = Move::from_raw(code);
    if (!pos_.is_legal(m)) return;  // another position's move, at worst
    if constexpr (HasTactics<G>) {
        if (pos_.is_tactical(m)) return;
    }
    const auto bonus = static_cast<int>(p.from_table * static_cast<float>(p.bonus(depth)));
    history_.reward(history_context(ply), pos_.history_slot(m), std::min(bonus, p.from_table_most));
}

/// Every move failed low, so the move that led here was a good one: the more, the less it was
/// expected.
template <Game G, class Built>
void Worker<G, Built>::learn_surprise(Depth depth, Value best, int ply) {
    const HistoryParams& p = shared_->params.history;
    if (p.surprise_slope == 0 || ply < 1) return;
    const Frame<G>& parent = frames_[static_cast<std::size_t>(ply) - 1];
    const Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    if (parent.slot == History<G>::kNoSlot) return;
    HistoryContext context = history_context(ply - 1);
    context.side = 1 - pos_.side();
    if (!parent.quiet) {
        if constexpr (HasCaptureKinds<G>) {
            if (!history_.learns_tactics() || p.refuted_tactical == 0) return;
            history_.reward_tactical(context.side, parent.slot, parent.kind, p.refuted_tactical);
        }
        return;
    }
    const bool known = !f.in_check && f.static_value != kNoValue;
    const bool parent_known = !parent.in_check && parent.static_value != kNoValue;
    float share = p.surprise_base;
    if (p.surprise_history > 0.0f) {
        share -= static_cast<float>(parent.judged) / p.surprise_history;
    }
    share += std::min(p.surprise_ply * static_cast<float>(depth), p.surprise_ply_most);
    if (parent.number > p.surprise_late_number) share += p.surprise_late;
    if (known && best <= f.static_value - p.surprise_static_margin) share += p.surprise_static;
    if (parent_known && best <= -parent.static_value - p.surprise_parent_margin) {
        share += p.surprise_parent;
    }
    if (share <= 0.0f) return;
    const int points = std::clamp(p.surprise_slope * depth - p.surprise_offset, 0, p.surprise_most);
    const auto scaled = [&](float more) {
        return static_cast<int>(static_cast<float>(points) * share * more);
    };
    history_.reward_continuation(context, parent.slot, scaled(1.0f));
    history_.reward_plainly(context.side, parent.slot, scaled(p.surprise_own));
    history_.reward_structure(context, parent.slot, scaled(p.surprise_structure));
}

/// The quiet move that led here learns from what it did to the static value.
template <Game G, class Built>
void Worker<G, Built>::learn_expectation(const NodeView& n, int ply) {
    const HistoryParams& p = shared_->params.history;
    const Frame<G>& parent = frames_[static_cast<std::size_t>(ply) - 1];
    if (p.expectation == 0 || !parent.quiet || parent.slot == History<G>::kNoSlot) return;
    if (n.in_check || n.static_value == kNoValue || parent.static_value == kNoValue) return;
    if (parent.in_check) return;
    const Value change = std::clamp(-(parent.static_value + n.static_value), -p.expectation_worst,
                                    p.expectation_best);
    const int points = (change + p.expectation_usual) * p.expectation;
    history_.reward_plainly(1 - pos_.side(), parent.slot, points);
    if (p.structure_weight > 0 && p.structure_expectation > 0.0f && !n.table_known) {
        HistoryContext context = history_context(ply - 1);
        context.side = 1 - pos_.side();
        history_.reward_structure(
            context, parent.slot,
            static_cast<int>(static_cast<float>(points) * p.structure_expectation));
    }
}

/// The move just made was reduced and came above alpha all the same.
template <Game G, class Built> void Worker<G, Built>::learn_research(int ply) {
    const HistoryParams& p = shared_->params.history;
    const Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    if (p.research == 0 || !f.quiet) return;
    HistoryContext context = history_context(ply);
    context.side = 1 - pos_.side();
    history_.reward_continuation(context, f.slot, p.research);
}

template <Game G, class Built>
void Worker<G, Built>::learn_correction(const NodeView& n, Value best, Bound bound, bool quiet) {
    if (n.in_check || n.raw_static == kNoValue || is_decisive(best) || !quiet) return;
    // A bound on the wrong side of the static value says nothing about it.
    if (bound == Bound::Lower && best <= n.static_value) return;
    if (bound == Bound::Upper && best >= n.static_value) return;
    correction_.learn(pos_, line_of(n.ply), best - n.static_value, n.depth, bound == Bound::Upper);
}

}  // namespace karikomi
