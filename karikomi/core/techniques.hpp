/// The worker's side of each technique: what its probe searches, and the booking of its nodes. The
/// decisions themselves are in selective/, one header each.
#pragma once

#include "karikomi/core/worker.hpp"

namespace karikomi {

/// Runs the test of technique T at a node and books the nodes that it took. A cut is also booked as
/// a saving and shown to whoever audits cuts; `shallow` is read after the test: the depth of the
/// probe that decided.
template <Game G, class Built>
template <class T, class Test>
std::optional<Value> Worker<G, Built>::booked(const NodeView& n, const Depth& shallow,
                                              Test&& test) {
    const std::uint64_t before = stats_.nodes;
    typename T::Stats& s = counters<T>();
    const std::optional<Value> v = test(s);
    s.probe_nodes += stats_.nodes - before;
    if (v && !stopped_) {
        book_saving(s, usual_nodes_[static_cast<std::size_t>(n.depth)], stats_.nodes - before);
        record_cut(kTechnique<T>, n, shallow, *v);
    }
    return v;
}

template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_first_bet(const NodeView& n, int ply,
                                                     const Lineage& line,
                                                     const TranspositionTable::Writer& writer,
                                                     bool& tried) {
    if (params<ProbCut>().before_null_move) return try_probcut<K>(n, ply, line, tried, writer);
    return try_null_move<K>(n, ply, line, tried);
}

/// With `exclusive` one bet a node: two would prune more than either was measured for.
template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_second_bet(const NodeView& n, int ply,
                                                      const Lineage& line,
                                                      const TranspositionTable::Writer& writer,
                                                      bool& tried) {
    const ProbCut::Params& p = params<ProbCut>();
    if (tried && p.exclusive) return std::nullopt;
    if (p.before_null_move) return try_null_move<K>(n, ply, line, tried);
    return try_probcut<K>(n, ply, line, tried, writer);
}

template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_bet_without(NodeView& n, int ply, const Lineage& line,
                                                       const TranspositionTable::Writer& writer) {
    if (!has_quiet_window(n)) return std::nullopt;
    if (shared_->params.node.above_improves) n.improving |= is_above_beta(n);
    bool tried = false;
    return try_probcut<K>(n, ply, line, tried, writer);
}

template <Game G, class Built>
Depth Worker<G, Built>::try_hindsight(NodeView& n, int ply, const Lineage& line) {
    if constexpr (has(kTechnique<Hindsight>)) {
        if (!line.allows(kTechnique<Hindsight>) || line.excluded != kNoMove || ply < 1) return 0;
        const Frame<G>& parent = frames_[static_cast<std::size_t>(ply) - 1];
        const Depth more = Hindsight::adjust(n, params<Hindsight>(), parent.reduction,
                                             parent.static_value, counters<Hindsight>());
        n.depth += more;
        return more;
    }
    return 0;
}

template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_futility(const NodeView& n, int ply,
                                                    const Lineage& line) {
    if constexpr (has(kTechnique<Futility>)) {
        const auto ask_horizon = [&](Value alpha) {
            return search<K>(alpha - 1, alpha, 0, ply, line);
        };
        return booked<Futility>(n, 0, [&](Futility::Stats& s) {
            return Futility::try_node(n, params<Futility>(), s, ask_horizon);
        });
    }
    return std::nullopt;
}

template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_null_move(const NodeView& n, int ply,
                                                     const Lineage& line, bool& tried) {
    if constexpr (has(kTechnique<NullMove>) && K != NodeKind::Pv) {
        if (!line.allows(kTechnique<NullMove>) || !pos_.allows_null_move()) return std::nullopt;
        struct Probe {
            Worker& w;
            int ply;
            Lineage below;
            Value pass(Depth depth, Value beta) {
                Frame<G>& f = w.frames_[static_cast<std::size_t>(ply)];
                f.slot = History<G>::kNoSlot;
                f.move = kNoMove;
                f.judged = 0;
                f.reduction = 0;
                w.pos_.make_null(f.undo);
                const Value v =
                    -w.template search<NodeKind::All>(-beta, -beta + 1, depth, ply + 1, below);
                w.pos_.unmake_null(f.undo);
                return v;
            }
            Value verify(Depth depth, Value beta) {
                return w.template search<NodeKind::Cut>(beta - 1, beta, depth, ply, below);
            }
        };
        const bool nested = params<NullMove>().nested;
        const Lineage below =
            line.without(kTechnique<NullMove>, nested).without(kTechnique<ProbCut>, nested);
        return booked<NullMove>(n, 0, [&](NullMove::Stats& s) {
            return NullMove::try_cut(n, params<NullMove>(), s, tried, Probe{*this, ply, below});
        });
    }
    return std::nullopt;
}

/// A search of the node itself with less depth, remembering how deep the last one went. A null
/// window above the node's own is expected to fail high (an expected cut node), one below it to
/// fail low.
template <class W> struct NodeProbe {
    W& worker;
    int ply;
    Lineage below;
    NodeKind narrow = NodeKind::Cut;  ///< kind of a null-window search
    Value low_from = -kInfinity;      ///< null windows that end below this are low tests
    Depth last_depth = 0;

    Value operator()(Depth depth, Value alpha, Value beta) {
        last_depth = depth;
        if (beta - alpha > 1) {
            return worker.template search<NodeKind::Pv>(alpha, beta, depth, ply, below);
        }
        if (narrow == NodeKind::All || beta <= low_from) {
            return worker.template search<NodeKind::All>(alpha, beta, depth, ply, below);
        }
        return worker.template search<NodeKind::Cut>(alpha, beta, depth, ply, below);
    }
};

template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_probcut(const NodeView& n, int ply, const Lineage& line,
                                                   bool& tried,
                                                   const TranspositionTable::Writer& writer) {
    if constexpr (has(kTechnique<ProbCut>)) {
        if (!line.allows(kTechnique<ProbCut>)) return std::nullopt;
        const ProbCut::Params& p = params<ProbCut>();
        if (const auto v = ProbCut::try_table(n, p, counters<ProbCut>())) {
            record_cut(kTechnique<ProbCut>, n, n.tt.depth, *v);
            return v;
        }
        struct Probe : NodeProbe<Worker> {
            const NodeView& node;
            MoveCode move = kNoMove;  ///< the capture that reached the bound
            Value captures(Depth depth, Value bound) {
                this->last_depth = depth;
                return this->worker.probe_captures(node, this->ply, this->below, depth, bound,
                                                   move);
            }
        };
        const Lineage below = line.without(kTechnique<ProbCut>, p.nested)
                                  .without(kTechnique<NullMove>, p.nested)
                                  .for_probe();
        Probe probe{{*this, ply, below, NodeKind::Cut, n.alpha}, n};
        const auto v = booked<ProbCut>(n, probe.last_depth, [&](ProbCut::Stats& s) {
            return ProbCut::try_cut(n, p, shared_->params.calibration, s, tried, probe);
        });
        if (v && !stopped_ && p.store && probe.move != kNoMove && line.store) {
            writer.store({probe.move, *v, n.raw_static, probe.last_depth, Bound::Lower, n.table_pv},
                         shared_->params.table.keep_margin);
        }
        return v;
    }
    return std::nullopt;
}

template <Game G, class Built>
Value Worker<G, Built>::probe_captures(const NodeView& n, int ply, const Lineage& line, Depth depth,
                                       Value bound, MoveCode& reached) {
    Value best = -kMaxEval;
    if constexpr (HasExchange<G>) {
        const Lineage child = line.for_child();
        frames_[static_cast<std::size_t>(ply)].reduction = 0;
        MovesOf<G> moves;
        if constexpr (HasStagedGeneration<G>) {
            pos_.generate_tactical(moves);
        } else {
            pos_.generate(moves);
        }
        const std::span<ScoredMove<Move>> all(moves.begin(), moves.end());
        if constexpr (OrdersByEvaluator<G>) {
            G::Ordering::score(pos_, evaluator_, all, depth);
        } else {
            G::Ordering::score(pos_, all, depth);
        }
        const ProbCut::Params& p = params<ProbCut>();
        if (p.by_history) order_horizon(all, ply);
        std::sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
            return a.score > b.score || (a.score == b.score && a.move.raw() < b.move.raw());
        });
        for (const ScoredMove<Move>& m : moves) {
            if (!pos_.is_tactical(m.move) || m.move.raw() == line.excluded) continue;
            const float wins = p.capture_share * static_cast<float>(pos_.exchange_value(m.move));
            if (n.static_value + static_cast<Value>(wins) < bound) continue;
            int kind = 0;
            if constexpr (HasCaptureKinds<G>) kind = pos_.capture_kind(m.move);
            make(m.move, ply, true);
            frames_[static_cast<std::size_t>(ply)].quiet = false;
            if constexpr (HasCaptureKinds<G>) {
                frames_[static_cast<std::size_t>(ply)].kind = kind;
            }
            // The horizon first: most captures that fail do so at once.
            Value v = -search<NodeKind::All>(-bound, -bound + 1, 0, ply + 1, child);
            if (v >= bound && depth > 1 && !stopped_) {
                v = -search<NodeKind::All>(-bound, -bound + 1, depth - 1, ply + 1, child);
            }
            unmake(m.move, ply);
            if (stopped_) return best;
            best = std::max(best, v);
            if (best >= bound) {
                reached = m.move.raw();
                break;
            }
        }
    }
    return best;
}

template <Game G, class Built>
template <NodeKind K>
std::optional<Value> Worker<G, Built>::try_multi_probcut(const NodeView& n, int ply,
                                                         const Lineage& line) {
    if constexpr (has(kTechnique<MultiProbCut>)) {
        const MultiProbCut::Params& p = params<MultiProbCut>();
        if (line.nesting > p.max_nesting) return std::nullopt;
        Lineage below = line.for_probe();
        ++below.nesting;
        NodeProbe<Worker> probe{*this, ply, below, NodeKind::Cut, n.alpha};
        return booked<MultiProbCut>(n, probe.last_depth, [&](MultiProbCut::Stats& s) {
            return MultiProbCut::try_cut(n, p, shared_->params.calibration, s, probe);
        });
    }
    return std::nullopt;
}

template <Game G, class Built>
template <NodeKind K>
MoveCode Worker<G, Built>::try_iid(const NodeView& n, int ply, const Lineage& line, bool delayed) {
    if (!line.allows(kTechnique<Iid>)) return kNoMove;
    Frame<G>& f = frames_[static_cast<std::size_t>(ply)];
    const Lineage below = line.without(kTechnique<Iid>).for_probe();
    const auto probe = [&](Depth depth, Value alpha, Value beta) -> Iid::Found {
        constexpr NodeKind kNarrow = K == NodeKind::All ? NodeKind::All : NodeKind::Cut;
        const Value v = NodeProbe<Worker>{*this, ply, below, kNarrow}(depth, alpha, beta);
        const Bound b = v >= beta ? Bound::Lower : v <= alpha ? Bound::Upper : Bound::Exact;
        return {v, b, f.best};
    };
    const std::uint64_t before = stats_.nodes;
    auto& s = counters<Iid>();
    MoveCode found = kNoMove;
    if (delayed) {
        const PvLine<G> pv = f.pv;  // the line so far; the search below uses the same frame
        found = Iid::find_delayed(n, params<Iid>(), iid_memory_, s, probe);
        f.pv = pv;
    } else {
        found = Iid::find_move(n, params<Iid>(), iid_memory_, s, probe);
    }
    s.probe_nodes += stats_.nodes - before;
    return found;
}

template <Game G, class Built>
template <NodeKind K>
Singular::Verdict Worker<G, Built>::try_singular(const NodeView& n, int ply, const Lineage& line) {
    if constexpr (has(kTechnique<Singular>)) {
        if (!line.allows(kTechnique<Singular>)) return {};
        Lineage below = line.without(kTechnique<Singular>, params<Singular>().nested);
        below.excluded = n.tt.move;
        Singular::Verdict verdict;
        const Depth shallow = Singular::probe_depth(n.depth, params<Singular>());
        booked<Singular>(n, shallow, [&](Singular::Stats& s) {
            NodeProbe<Worker> probe{*this, ply, below};
            if (params<Singular>().same_kind && K != NodeKind::Cut) probe.narrow = NodeKind::All;
            verdict = Singular::judge(n, params<Singular>(), line.extensions, s, probe,
                                      [&] { return histories_for(n.tt.move, ply); });
            if (verdict.cut) learn_table_move(-2);
            return verdict.cut;
        });
        return verdict;
    }
    return {};
}

template <Game G, class Built>
Singular::Histories Worker<G, Built>::histories_for(MoveCode move, int ply) const {
    MovesOf<G> moves;
    generate_for_search<G>(pos_, moves);
    const HistoryContext context = history_context(ply);
    Singular::Histories h{0, std::numeric_limits<int>::min()};
    for (const ScoredMove<Move>& m : moves) {
        const int score = history_.score(context, pos_.history_slot(m.move));
        if (m.move.raw() == move) h.move = score;
        h.best = std::max(h.best, score);
    }
    return h;
}

}  // namespace karikomi
