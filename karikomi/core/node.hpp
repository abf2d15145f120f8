/// The node function: what happens at every position of the tree, from top to bottom.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

template <Game G, class Built>
template <NodeKind K>
// NOLINTNEXTLINE(readability-function-size): the one long function, read from top to bottom
Value Worker<G, Built>::search(Value alpha, Value beta, Depth depth, int ply, Lineage line) {
    constexpr bool kPv = K == NodeKind::Pv;
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    f.best = kNoMove;
    frames_[static_cast<std::size_t>(ply) + 2].cuts = 0;
    if constexpr (kPv) f.pv.clear();

    // 1. Ends of the line. The rules come first: a finished game needs no search. Then the horizon,
    //    where the game decides what a leaf is worth (static value, quiescence, solver).
    if (enter_node(ply)) return 0;
    if (const std::optional<Value> v = pos_.outcome(ply)) return *v;
    if (depth <= 0 || ply >= kMaxPly) return horizon(alpha, beta, ply, line);
    f.follows_pv = continues_last_line(ply);
    f.judged = f.number = 0;
    if (no_win_is_nearer(alpha, beta, ply)) return alpha;

    // 2. Transposition table. An exclusion search asks another question than the full node, so the
    //    node's entry does not answer it, and it writes none.
    const bool excluding = line.excluded != kNoMove;
    const bool informed = !excluding || params<Singular>().informed;
    const Key key = pos_.key();
    TranspositionTable::Probe tt;
    if (informed) tt = shared_->tt.probe(key);
    const Value tt_value = tt.hit ? from_table(tt.data.value, ply) : kNoValue;
    if (tt.hit && !excluding) {
        ++stats_.tt_hits;
        if (!kPv && table_decides<K>(tt.data, tt_value, alpha, beta, depth)) {
            if (tt_value >= beta) learn_from_table(tt.data.move, depth, ply);
            f.best = tt.data.move;
            return tt_value;
        }
    }
    f.table_hit = tt.known || excluding;
    if (!excluding) f.table_pv = kPv || (tt.known && tt.data.pv);
    MoveCode first = tt.data.move;
    if (wins_at_once(f.table_hit, kPv)) return remember_win(tt.writer, depth, ply, line);

    // 3. Techniques that may end the node, shorten it or find its first move, behind one depth
    //    gate: with everything off a node pays for the gate alone.
    const std::uint64_t nodes_before = stats_.nodes;
    std::optional<NodeView> view;  // empty where no technique can act
    MoveCode iid_move = kNoMove;
    Depth extension = 0;
    Depth others = 0;  // extension of all moves but the table's
    if (kSelective && gate_.is_open(depth)) {
        view = look(alpha, beta, depth, ply, K, tt.data.static_value);
        view->aspiration_failed = line.aspiration_failed;
        view->tt = {tt_value, tt.data.depth, tt.data.bound, tt.data.move};
        view->key = key;
        view->table_pv = f.table_pv;
        view->table_known = f.table_hit;
        view->estimate = excluding ? view->static_value : refine(*view);
        view->table_move_is_tactical = first != kNoMove && !is_quiet(Move::from_raw(first));
        if (!excluding) {
            remember_static(*view, tt, line);
            learn_expectation(*view, ply);
        }
        // 3a. Hindsight: was the reduction of the move that led here right?
        depth += try_hindsight(*view, ply, line);
        // 3b. Futility of the whole node: so far above beta, or below alpha, that no search is due.
        if (gate_.judges_nodes && !kPv && informed) {
            if (const auto v = try_futility<K>(*view, ply, line)) return *v;
        }
        if (excluding && informed) {
            if (const auto v = try_bet_without<K>(*view, ply, line, tt.writer)) return *v;
        }
        if (depth >= gate_.from && !excluding && has_quiet_window(*view)) {
            // 3c. Null move and ProbCut: both bet that the node fails high anyway. Between them,
            //     internal iterative reduction: without a table move the node is trusted less.
            bool bet = false;
            if (const auto v = try_first_bet<K>(*view, ply, line, tt.writer, bet)) return *v;
            if (shared_->params.node.above_improves) view->improving |= is_above_beta(*view);
            if constexpr (has(kTechnique<Iid>)) {
                depth -= Iid::reduction(*view, params<Iid>(), counters<Iid>());
                view->depth = depth;
            }
            if (const auto v = try_second_bet<K>(*view, ply, line, tt.writer, bet)) return *v;

            // 3d. Multi-ProbCut: shallow searches that predict the deep one on either side.
            if (const auto v = try_multi_probcut<K>(*view, ply, line)) return *v;

            // 3e. Internal iterative deepening: no good first move is known, so look for one.
            if constexpr (has(kTechnique<Iid>)) {
                iid_move = try_iid<K>(*view, ply, line, false);
                if (iid_move != kNoMove) first = iid_move;
            }

            // 3f. Singular extension: is the table move the only good one?
            const Singular::Verdict verdict = try_singular<K>(*view, ply, line);
            if (verdict.cut) return *verdict.cut;
            extension = verdict.extension;
            others = verdict.others;
            depth += others;
            view->depth = depth;
        }
        if (stopped_) return 0;
        if constexpr (kPv) f.pv.clear();  // what a probe of this node left there
    }

    // 3g. A forced reply is no decision: it does not use up depth. (Singular by the rules.)
    const Depth forced = forced_reply(line);

    // 3h. The last ply of a null window, where the game can do it without making moves.
    if (HasLastPly<G> && !kPv && depth == 1 && gate_.last_ply_is_plain && line.store &&
        !excluding) {
        const Value raw = view ? view->raw_static : kNoValue;
        if (const auto v = search_last_ply(beta, ply, first, tt.writer, raw)) return *v;
    }

    // 4. Principal-variation search over the moves, with extensions and reductions.
    const HistoryContext context = history_context(ply);
    MovePicker<G> picker(pos_, first, {f, history_, evaluator_, context}, depth);
    const Lineage below = line.for_child();
    Value best = -kInfinity;
    const Value alpha_before = alpha;
    Move best_move{};  // raised alpha
    Move top_move{};   // best of those searched, even if below alpha
    bool best_is_quiet = true;
    int number = 0;     // of moves searched
    int skipped = 0;    // of moves not searched, where they count
    bool seen = false;  // any legal move at all, pruned ones included
    FailedMoves<G> failed;
    Move move{};
    while (picker.next(move)) {
        if (excluding && move.raw() == line.excluded) continue;
        seen = true;
        const bool quiet = picker.last_is_quiet();

        // 4a. Moves not worth a search (futility by static value, late moves by number, exchange or
        //     history), and moves worth less of one. Never the first, so that the node always has a
        //     value of its own.
        Judgement j;
        Depth first_less = 0;
        if (view) {
            const MoveCode code = move.raw();
            const bool special = code == tt.data.move || code == iid_move || code == f.killers[0] ||
                                 code == f.killers[1];
            const int cuts_below = frames_[static_cast<std::size_t>(ply) + 1].cuts;
            const LateMoves::MoveFacts facts{
                number + skipped + 1, quiet, special, 0, false, cuts_below, best <= -kDecisive,
                best_move == Move{}};
            view->alpha = alpha;
            if (number == 0) {
                first_less = reduce_first(facts, move, *view, context, j.history);
            } else {
                j = judge(move, *view, facts, context);
            }
            if (j.skip) {
                if (observer_ != nullptr) record_skips(j, move, *view, picker);
                best = std::max(best, j.most);
                skipped += params<LateMoves>().count_skipped ? 1 : 0;
                if (j.skip_rest) picker.skip_quiet();
                if (!shared_->params.node.far_sorting) picker.stop_sorting();
                continue;
            }
        }
        ++number;

        // 4b. How deep: the reduction first, then the extension.
        const bool is_table_move = extension != 0 && move.raw() == tt.data.move;
        const Depth longer = forced + (is_table_move ? extension - others : 0);
        const Depth next = depth - 1 + longer - first_less;
        // A table move that others equal may be left with less than its reduction.
        const Depth reduction = std::min(j.reduction, std::max(next - 1, 0));
        Lineage child = below;
        child.extensions = static_cast<std::uint8_t>(child.extensions + std::max(longer, 0));

        // 4c. Search it.
        bool opened = false;
        const Depth least = kPv && move.raw() == tt.data.move ? least_open(tt.data.depth) : 0;
        const MovePlan plan{number,           next,      reduction, best,
                            j.late,           move,      quiet,     picker.value_after(),
                            number + skipped, j.history, least};
        const Value v = play<K>(alpha, beta, plan, ply, child, opened);
        if (stopped_) return 0;
        if (j.move_value != kNoValue && observer_ != nullptr) {
            record_gain(*view, j.move_value, v, bound_of(v, alpha, beta));
        }

        // 4d. What the result means.
        if (v > best) {
            best = v;
            top_move = move;
            if (v > alpha) {
                best_move = move;
                best_is_quiet = quiet;
                if constexpr (kPv) {
                    // A move that was not searched with the open window has no line of its own.
                    PvLine<G>& rest = frames_[static_cast<std::size_t>(ply) + 1].pv;
                    if (!opened) rest.clear();
                    f.pv.set(move, rest);
                }
                if (v >= beta) {
                    ++stats_.cuts;
                    const bool counts = kPv || !is_table_move || extension < 2;
                    if (counts || !shared_->params.node.few_cuts) ++f.cuts;
                    if (number == 1) ++stats_.first_cuts;
                    break;
                }
                alpha = v;
                if constexpr (kPv) depth -= after_raise(depth, v);
                if (view) view->depth = depth;
            }
        }
        failed.add(move, quiet);

        // 4e. Delayed IID: the first moves of a PV node did not cut, so look again before going on.
        if constexpr (kPv && has(kTechnique<Iid>)) {
            if (view) view->alpha = alpha;
            if (view && Iid::is_delayed_now(*view, params<Iid>(), number)) {
                iid_move = try_iid<K>(*view, ply, line, true);
                if (stopped_) return 0;
                if (iid_move != kNoMove) picker.promote(iid_move);
            }
        }
    }
    if (!seen) return excluding ? alpha : pos_.no_moves_value(ply);

    // 5. Remember: histories for the ordering, IID's success, the node's cost, the table.
    f.best = best_move.raw();
    const Bound bound = bound_of(best, alpha_before, beta);
    if (bound == Bound::Lower || (bound == Bound::Exact && shared_->params.history.learn_exact)) {
        learn(best_move, best_is_quiet, failed, depth, ply, tt.data.move);
    }
    if (bound == Bound::Lower) {
        if (!kPv) learn_table_move(best_move.raw() == tt.data.move ? 1 : -1);
        best = blended(best, beta, depth);
    } else if (bound == Bound::Upper && !excluding) {
        learn_surprise(depth, best, ply);
        if (spreads_pv(depth, ply)) f.table_pv = true;
    }
    if (view) {
        if (iid_move != kNoMove) book_iid(K, top_move.raw() == iid_move);
        if (correction_.is_on() && !excluding) learn_correction(*view, best, bound, best_is_quiet);
        double& usual = usual_nodes_[static_cast<std::size_t>(view->depth)];
        usual += 0.05 * (static_cast<double>(stats_.nodes - nodes_before) - usual);
    }
    if (!excluding && line.store) {
        tt.writer.store({best_move.raw(), to_table(best, ply), view ? view->raw_static : kNoValue,
                         depth, bound, f.table_pv},
                        shared_->params.table.keep_margin);
    }
    return best;
}

/// Makes the move, searches it, takes it back. A child whose static value is known to end it by
/// futility is not even made.
template <Game G, class Built>
template <NodeKind K>
Value Worker<G, Built>::play(Value alpha, Value beta, const MovePlan& plan, int ply,
                             const Lineage& child, bool& opened) {
    const bool narrow = K != NodeKind::Pv || plan.number > 1;
    if (narrow && plan.value_after != kNoValue && gate_.judges_children) {
        const Depth depth = plan.next - plan.reduction;
        auto& s = counters<Futility>();
        if (const auto v =
                ChildFutility::try_cut(params<Futility>(), plan.value_after, depth, -alpha, s)) {
            if (enter_node(ply + 1)) return 0;
            book_saving(s, usual_nodes_[static_cast<std::size_t>(depth)], 0);
            return -*v;
        }
    }
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    if constexpr (HasCaptureKinds<G>) f.kind = plan.quiet ? 0 : pos_.capture_kind(plan.move);
    make(plan.move, ply, plan.next > 0 || gate_.horizon_asks_table);
    f.quiet = plan.quiet;
    f.number = plan.count;
    f.judged = plan.history;
    if (plan.value_after != kNoValue) know_next(ply, plan.value_after);
    const Value v = search_move<K>(alpha, beta, plan, ply, child, opened);
    unmake(plan.move, ply);
    return v;
}

/// The first move of a PV node with the open window, all others with a null window; what surprises
/// is searched again, deeper, then wider.
template <Game G, class Built>
template <NodeKind K>
Value Worker<G, Built>::search_move(Value alpha, Value beta, const MovePlan& plan, int ply,
                                    const Lineage& child, bool& opened) {
    constexpr bool kPv = K == NodeKind::Pv;
    constexpr NodeKind kChild = child_kind(K);
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    Depth next = plan.next;
    const auto open = [&] {
        return -search<NodeKind::Pv>(-beta, -alpha, std::max(next, plan.least), ply + 1, child);
    };
    f.reduction = 0;
    opened = kPv && plan.number == 1;
    if (opened) return open();
    const Depth less = plan.next - plan.reduction;
    f.reduction = plan.reduction;
    const bool expect_cut = plan.late && params<LateMoves>().expect_cut;
    Value v = expect_cut ? -search<NodeKind::Cut>(-alpha - 1, -alpha, less, ply + 1, child)
                         : -search<kChild>(-alpha - 1, -alpha, less, ply + 1, child);
    f.reduction = 0;
    if (v > alpha && plan.late && !stopped_) learn_research(ply);
    if (v > alpha && plan.reduction > 0 && !stopped_) {
        const Depth again =
            next + LateMoves::adjust_research(params<LateMoves>(), v, plan.best, plan.reduction,
                                              counters<LateMoves>());
        if (shared_->params.node.confirm_high) next = again;
        if (again > less) {
            v = -search<kChild>(-alpha - 1, -alpha, again, ply + 1, child);
        }
    } else if (plan.reduction > 0) {
        book_saving(counters<LateMoves>(), usual_nodes_[static_cast<std::size_t>(plan.next)],
                    static_cast<std::uint64_t>(usual_nodes_[static_cast<std::size_t>(less)]));
    }
    const bool inside = v < beta || shared_->params.node.confirm_high;
    opened = kPv && v > alpha && inside && !stopped_;
    return opened ? open() : v;
}

}  // namespace karikomi
