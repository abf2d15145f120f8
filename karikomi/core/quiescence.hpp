/// Quiescence: a horizon for games with captures. The side to move may stand pat or take, but only
/// what pays; out of check every move counts; a win by the next move is seen at once.
/// Numbers: `quiescence` in params.hpp. With the table on, every ply reads and writes it.
#pragma once

#include <concepts>
#include <span>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/params.hpp"
#include "karikomi/core/tt.hpp"

namespace karikomi {

/// What the table and the search's memory say about a node beyond the horizon.
struct HorizonView {
    TranspositionTable::Probe tt{};
    Value value = kNoValue;  ///< of the entry, seen from here
};

/// A search with a table; the reference search has none.
template <class W>
concept HasHorizonTable = requires(W& w, const HorizonView& view, TtData data, int ply) {
    { w.view_horizon(ply) } -> std::same_as<HorizonView>;
    {w.store_horizon(view, data, ply)};
};

template <class G> struct Quiescence {
    using Move = typename G::Move;

    template <class W> static Value search(W& worker, Value alpha, Value beta, int ply) {
        return look(worker, alpha, beta, ply, 0);
    }

private:
    template <class W>
    static Value look(W& worker, const Value alpha, const Value beta, int ply, int depth) {
        if constexpr (HasHorizonTable<W>) {
            if (worker.quiescence().table) {
                const HorizonView view = worker.view_horizon(ply);
                const bool known =
                    view.tt.hit && decides(view.tt.data.bound, view.value, alpha, beta);
                return known ? view.value : decide(worker, alpha, beta, ply, depth, &view);
            }
        }
        return decide(worker, alpha, beta, ply, depth, nullptr);
    }

    template <class W>
    static void remember(W& worker, const HorizonView* view, const TtData& data, int ply) {
        if constexpr (HasHorizonTable<W>) {
            if (view != nullptr) worker.store_horizon(*view, data, ply);
        }
    }

    template <class W>
    static Value decide(W& worker, Value alpha, const Value beta, int ply, int depth,
                        const HorizonView* view) {
        const auto& pos = worker.position();
        const QuiescenceParams& p = worker.quiescence();
        const bool in_check = is_in_check(pos);
        const bool last = depth >= p.max_plies || ply >= kStackSize - 2;
        if (last && !in_check) return worker.evaluate();
        const Value alpha_before = alpha;
        MovesOf<G> moves;
        Value best = -kInfinity;
        Value raw = kNoValue;
        MoveCode best_move = kNoMove;
        if (in_check) {
            pos.generate(moves);
            if (moves.empty()) return pos.no_moves_value(ply);
            if (last) return worker.evaluate();
        } else {
            if ((depth == 0 || p.quick_win) && wins_at_once(pos, view)) return win_in(ply + 1);
            best = stand_pat(worker, view, ply, raw);
            if (best >= beta) {
                if (p.blend && !is_decisive(best)) best = (best + beta) / 2;
                if (view != nullptr && !view->tt.known) {
                    remember(worker, view, {kNoMove, best, raw, 0, Bound::Lower, false}, ply);
                }
                return best;
            }
            alpha = std::max(alpha, best);
            pos.generate_tactical(moves);
        }
        const Value stand = best;
        score(worker, view, moves, ply);
        int taken = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            bring_best(moves, i);
            const Move m = moves[i].move;
            if (!in_check) {
                const bool spared =
                    p.spare_retakes && (retakes(worker, m, ply) || checks(p, pos, m));
                if (!spared && p.most_captures > 0 && taken >= p.most_captures) continue;
                ++taken;
                if (!spared && is_hopeless(p, pos.capture_gain(m), stand, alpha, best)) continue;
                const Value exchange = pos.exchange_value(m);
                if (!spared && is_too_little(p, exchange, stand, alpha, best)) continue;
                if (exchange < p.least_exchange) continue;
            } else if (p.few_evasions && best > -kDecisive && !pos.is_tactical(m)) {
                continue;
            }
            make(worker, m, ply);
            const Value v = -enter(worker, -beta, -alpha, ply + 1, depth + 1);
            worker.unmake(m, ply);
            if (worker.stopped()) return 0;
            if (v <= best) continue;
            best = v;
            if (v > alpha) best_move = m.raw();
            alpha = std::max(alpha, v);
            if (alpha >= beta) break;
        }
        const Bound bound = bound_of(best, alpha_before, beta);
        if (p.blend && view != nullptr && best > beta && !is_decisive(best)) {
            best = (best + beta) / 2;
        }
        remember(worker, view, {best_move, best, raw, 0, bound, false}, ply);
        return best;
    }

    template <class W> static Value enter(W& worker, Value alpha, Value beta, int ply, int depth) {
        if (worker.enter_node(ply)) return 0;
        if (const auto v = worker.position().outcome(ply)) return *v;
        return look(worker, alpha, beta, ply, depth);
    }

    /// The static value, refined by what the table knows.
    template <class W>
    static Value stand_pat(W& worker, const HorizonView* view, int ply, Value& raw) {
        if constexpr (HasHorizonTable<W>) {
            if (view != nullptr) {
                const TtData& entry = view->tt.data;
                raw = view->tt.known && entry.static_value != kNoValue ? entry.static_value
                                                                       : worker.evaluate();
                const Value v = worker.corrected(raw, ply);
                return view->tt.hit ? refined(v, view->value, entry.bound) : v;
            }
        }
        return worker.evaluate();
    }
    template <class W> static void make(W& worker, Move m, int ply) {
        if constexpr (HasHorizonTable<W>) return worker.make(m, ply, worker.quiescence().table);
        worker.make(m, ply);
    }
    template <class W> static bool retakes(W& worker, Move m, int ply) {
        if constexpr (HasHorizonTable<W>) return worker.retakes(m, ply);
        return true;
    }

    /// Can this capture not raise alpha? Keeps `best` honest about what was left out.
    static bool is_hopeless(const QuiescenceParams& p, Value gain, Value stand, Value alpha,
                            Value& best) {
        const Value hope =
            stand + static_cast<Value>(p.gain_share * static_cast<float>(gain)) + p.swing;
        if (hope > alpha) return false;
        best = std::max(best, hope);
        return true;
    }
    /// Does it win too little by exchange, all in all, to raise alpha?
    static bool is_too_little(const QuiescenceParams& p, Value exchange, Value stand, Value alpha,
                              Value& best) {
        if (p.hope_share <= 0.0f) return false;
        const Value base = stand + p.swing;
        if (p.hope_share * static_cast<float>(exchange) >= static_cast<float>(alpha - base)) {
            return false;
        }
        best = std::max(best, std::min(alpha, base));
        return true;
    }
    /// Captures that give check are spared as well, where histories order them.
    template <class P> static bool checks(const QuiescenceParams& p, const P& pos, Move m) {
        if constexpr (HasCheckMoves<G>) return p.by_history && pos.gives_check(m);
        (void)p, (void)pos, (void)m;
        return false;
    }

    template <class W, class List>
    static void score(W& worker, const HorizonView* view, List& moves, int ply) {
        const std::span all(moves.begin(), moves.end());
        G::Ordering::score(worker.position(), all, 0);
        if constexpr (HasHorizonTable<W>) {
            if (worker.quiescence().by_history) worker.order_horizon(all, ply);
        }
        if (view == nullptr || view->tt.data.move == kNoMove) return;
        constexpr std::int32_t kFirst = 1 << 24;
        for (auto& m : moves) {
            if (m.move.raw() == view->tt.data.move) m.score = kFirst;
        }
    }
    template <class List> static void bring_best(List& moves, std::size_t at) {
        for (std::size_t k = at + 1; k < moves.size(); ++k) {
            if (moves[k].score > moves[at].score) std::swap(moves[at], moves[k]);
        }
    }
    template <class P> static bool is_in_check(const P& pos) {
        if constexpr (HasCheck<G>) return pos.in_check();
        return false;
    }
    template <class P> static bool wins_at_once(const P& pos, const HorizonView* view) {
        if constexpr (HasQuickWin<G>) {
            return (view == nullptr || !view->tt.known) && pos.wins_at_once();
        }
        return false;
    }
};

}  // namespace karikomi
