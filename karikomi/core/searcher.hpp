/// A whole search: iterative deepening with aspiration windows and multi-PV on one or more threads,
/// within limits, stoppable and ponderable from other threads.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "karikomi/base/stop.hpp"
#include "karikomi/core/parallel.hpp"
#include "karikomi/core/solving.hpp"
#include "karikomi/core/worker.hpp"

namespace karikomi {

/// One finished iteration, for whoever watches; with Limits::reports_inside also what happens in a
/// long one.
template <Game G> struct Iteration {
    SearchLine<G> line;
    bool whole = true;  ///< false: from inside an iteration
    int current_number =
        0;             ///< not 0: the search of this root move begins; `line` is only the move
    int multi_pv = 1;  ///< 1 = best
    std::uint64_t nodes = 0;        ///< of this iteration, main thread
    std::uint64_t total_nodes = 0;  ///< of all threads so far
    std::int64_t time_us = 0;
    int fullness = 0;  ///< of the table, permille
    NodeStats stats;   ///< main thread, this search so far
    SelectiveStats selective;
};

template <Game G> struct SearchResult {
    std::vector<SearchLine<G>> lines;  ///< best first; empty when there is no legal move
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    NodeStats stats;
    SelectiveStats selective;
};

template <Game G, class Built = AllTechniques> class Searcher {
public:
    using Position = typename G::Position;
    using Sink = std::function<void(const Iteration<G>&)>;

    static constexpr std::size_t kUsualMegabytes = 16;

    /// Every thread evaluates with a copy of `evaluator`.
    explicit Searcher(std::size_t megabytes = kUsualMegabytes,
                      typename G::Evaluator evaluator = typename G::Evaluator())
        : tt_(megabytes), shared_{tt_, params_}, evaluator_(std::move(evaluator)) {
        set_threads(1);
    }

    // Between searches only.
    void set_params(const SearchParams& p) {
        params_ = p;
        tt_.set_age_cost(p.table.age_cost);
        new_game();  // what the table and the histories hold came from other rules
    }
    const SearchParams& params() const { return params_; }
    const typename G::Evaluator& evaluator() const { return evaluator_; }
    void set_threads(int n) {
        workers_.resize(static_cast<std::size_t>(std::max(n, 1)));
        for (auto& w : workers_) {
            if (!w) w = std::make_unique<Worker<G, Built>>(evaluator_);
        }
        if constexpr (HasSolver<G>) solver_.set_threads(n);
    }
    /// A game with a solver of its own gives it half of this.
    void set_hash(std::size_t megabytes) {
        tt_.resize(HasSolver<G> ? std::max<std::size_t>(megabytes / 2, 1) : megabytes);
        if constexpr (HasSolver<G>) solver_.set_hash(megabytes / 2);
    }
    void new_game() {
        tt_.clear();
        for (auto& w : workers_) w->new_game();
        if constexpr (HasSolver<G>) solver_.new_game();
    }
    Worker<G, Built>& main_worker() { return *workers_[0]; }
    Shared& shared() { return shared_; }
    /// Of the table, permille.
    int fullness() const { return tt_.fullness(); }
    /// The move that the table has for a position, kNoMove for none.
    MoveCode table_move(Key key) const {
        const auto found = tt_.find(key);
        return found ? found->move : kNoMove;
    }

    /// Starts the clock. search() does it by itself; a protocol whose ponder_hit() may come before
    /// search() has begun calls it first, so that the hit is not lost.
    void arm(const Limits& limits);
    /// A search that was armed will not come.
    void disarm() { armed_ = false; }
    /// arm(), unless that has been done for this search already.
    void begin(const Limits& limits) {
        if (!armed_) arm(limits);
        armed_ = false;
    }
    SearchResult<G> search(const Position& pos, const Limits& limits, const Sink& sink = {},
                           const StopToken& stop = {});
    /// While the result lives, a stop ends whatever search is under way: search() listens by
    /// itself, after begin().
    [[nodiscard]] auto listen_to(const StopToken& stop) {
        const auto end = [this] { end_now(); };
        return OnStop<decltype(end)>(stop, end);
    }

    // From any thread.
    void ponder_hit(const Limits* limits = nullptr);

private:
    void end_now();
    void iterate(int thread, const Limits& limits, const Sink& sink);
    void run_workers(const Limits& limits, const Sink& sink);
    /// False: the search goes on.
    bool run_solver(const Position& pos, const Limits& limits, const Sink& sink,
                    const StopToken& stop);
    bool aspirate(Worker<G, Built>& w, Depth depth, std::size_t index);
    /// Best first, stable. (std::stable_sort would allocate, and libstdc++ 12's upsets clang.)
    static void sort_lines(std::vector<RootMove<G>>& moves, std::size_t lines) {
        for (std::size_t i = 1; i < lines; ++i) {
            const auto at = moves.begin() + static_cast<std::ptrdiff_t>(i);
            const auto to = std::find_if(moves.begin(), at,
                                         [&](const RootMove<G>& m) { return m.value < at->value; });
            std::rotate(to, at, at + 1);
        }
    }
    SearchLine<G> line_of(const RootMove<G>& m, Depth depth) const {
        return {m.value, m.bound, depth, m.pv, confidence_percent(params_.selective), false};
    }
    struct Before {  ///< the main thread's counters at the start of an iteration
        std::uint64_t nodes = 0;
        SelectiveStats selective;
    };
    void report(Worker<G, Built>& w, Depth depth, const Limits& limits, const Before& before,
                const Sink& sink);
    Iteration<G> record(Worker<G, Built>& w, const Before& before) const;
    void tell(Worker<G, Built>& w, const RootEvent& event, std::size_t index, const Sink& sink);
    /// Lines of an iteration as they come, when all of them take long.
    void tell_lines(Worker<G, Built>& w, Depth depth, std::size_t done, const Sink& sink);
    static constexpr std::int64_t kTellAfterUs = 1'000'000;  ///< shorter searches end soon anyway
    bool is_settled(const RootMove<G>& best, Depth depth, const Limits& limits) const;
    void await_permission_to_answer(const Limits& limits);
    SearchResult<G> collect(const Limits& limits) const;

    SearchParams params_;
    TranspositionTable tt_;
    Shared shared_;
    std::int64_t told_us_ = 0;         ///< when the current move was last told
    typename G::Evaluator evaluator_;  ///< the pattern for the workers
    std::vector<std::unique_ptr<Worker<G, Built>>> workers_;
    std::vector<Depth> finished_;  ///< last finished iteration of each thread
    typename SolverType<G>::Type solver_ = make_solver<G>(evaluator_);
    bool hand_over_ = false;                   ///< the solver goes on from here
    std::vector<SearchLine<G>> solver_lines_;  ///< its answer
    std::uint64_t solver_nodes_ = 0;
    std::atomic<bool> armed_{false};
    std::mutex mutex_;
    std::condition_variable wake_;
};

template <Game G, class Built> void Searcher<G, Built>::arm(const Limits& limits) {
    shared_.stop = false;
    shared_.nodes = 0;
    shared_.node_limit = limits.nodes;
    shared_.threads = static_cast<int>(workers_.size());
    shared_.clock.start(limits, params_.time);
    armed_ = true;
}

template <Game G, class Built> void Searcher<G, Built>::end_now() {
    shared_.stop = true;
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
}

template <Game G, class Built> void Searcher<G, Built>::ponder_hit(const Limits* limits) {
    shared_.clock.ponder_hit(limits);
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
}

template <Game G, class Built>
SearchResult<G> Searcher<G, Built>::search(const Position& pos, const Limits& limits,
                                           const Sink& sink, const StopToken& stop) {
    begin(limits);
    const auto listening = listen_to(stop);
    tt_.new_search();
    told_us_ = 0;
    MovesOf<G> legal;
    if (!pos.outcome(0)) {
        // Moves that were asked for by name are searched whatever the game thinks of them.
        limits.root_moves.empty() ? generate_for_search<G>(pos, legal) : pos.generate(legal);
    }
    std::vector<RootMove<G>> root_moves;
    for (const auto& m : legal) {
        const auto& only = limits.root_moves;
        const bool wanted =
            only.empty() || std::find(only.begin(), only.end(), m.move.raw()) != only.end();
        if (wanted) root_moves.push_back({m.move, -kInfinity, Bound::None, 0, {m.move}});
    }
    for (auto& w : workers_) {
        w->prepare(shared_, pos);
        w->root_moves() = root_moves;
    }
    finished_.assign(workers_.size(), 0);
    hand_over_ = false;
    solver_lines_.clear();
    solver_nodes_ = 0;
    if (!root_moves.empty()) {
        if constexpr (HasSolver<G>) hand_over_ = solver_.wants(pos, 1, limits);
        if (!hand_over_) run_workers(limits, sink);
        while (hand_over_) {
            if (run_solver(pos, limits, sink, stop)) {
                await_permission_to_answer(limits);
                break;
            }
            hand_over_ = false;
            solver_lines_.clear();
            for (auto& w : workers_) w->resume();
            run_workers(limits, sink);
        }
    }
    return collect(limits);
}

template <Game G, class Built>
void Searcher<G, Built>::run_workers(const Limits& limits, const Sink& sink) {
    run_crew(static_cast<int>(workers_.size()), [&](int i) {
        if (i != 0) return iterate(i, limits, sink);
        // The helpers end with the main thread, also when the caller's sink throws.
        struct Guard {
            std::atomic<bool>& stop;
            ~Guard() { stop = true; }
        } guard{shared_.stop};
        iterate(0, limits, sink);
        if (!hand_over_) await_permission_to_answer(limits);
    });
}

template <Game G, class Built>
bool Searcher<G, Built>::run_solver(const Position& pos, const Limits& limits, const Sink& sink,
                                    const StopToken& stop) {
    if constexpr (HasSolver<G>) {
        static_assert(SolverOf<typename G::Solver, G>);
        shared_.stop = false;  // it was set to end the helpers
        if (stop.stop_requested()) shared_.stop = true;
        const LinkedStop end(stop);
        SolverTask<G> task{pos, limits, {}, end.token(), shared_.clock};
        if (!limits.ponder && !limits.infinite) {
            task.planned_ms = plan_time(limits, params_.time).soft_ms;
        }
        const Worker<G, Built>& w = *workers_[0];
        const auto& moves = workers_[0]->root_moves();
        for (const RootMove<G>& m : moves) task.order.push_back(m.move);
        if (moves[0].bound == Bound::Exact) task.value = moves[0].value;
        task.next = finished_[0] + 1;
        for (const auto& worker : workers_) task.searched += worker->stats().nodes;
        const std::uint64_t before = solver_nodes_;
        if (limits.nodes > 0) {
            const std::uint64_t used = std::min(task.searched + before, limits.nodes);
            if (used == limits.nodes) return true;
            task.nodes_left = limits.nodes - used;
        }
        task.report = [&](std::vector<SearchLine<G>> lines, std::uint64_t nodes) {
            solver_lines_ = std::move(lines);
            nodes += before;
            for (std::size_t i = 0; sink && i < solver_lines_.size(); ++i) {
                Iteration<G> it;
                it.line = solver_lines_[i];
                it.multi_pv = static_cast<int>(i) + 1;
                it.nodes = nodes;
                it.total_nodes = task.searched + nodes;
                it.time_us = shared_.clock.elapsed_us();
                it.fullness = tt_.fullness();
                it.stats = w.stats();
                sink(it);
            }
        };
        const ClockWatch watch(shared_.clock, end.source());
        const SolverVerdict verdict = solver_.solve(task);
        solver_nodes_ = before + verdict.nodes;
        const bool spent = limits.nodes > 0 && task.searched + solver_nodes_ >= limits.nodes;
        if (!verdict.search_on || spent || end.token().stop_requested()) return true;
        if (limits.nodes > 0) shared_.node_limit = limits.nodes - solver_nodes_;
        return false;
    }
    return true;
}

template <Game G, class Built>
void Searcher<G, Built>::iterate(int thread, const Limits& limits, const Sink& sink) {
    Worker<G, Built>& w = *workers_[static_cast<std::size_t>(thread)];
    auto& moves = w.root_moves();
    const Depth last = limits.depth > 0 ? std::min(limits.depth, kMaxDepth) : kMaxDepth;
    const auto lines =
        std::min(moves.size(), static_cast<std::size_t>(std::max(limits.multi_pv, 1)));
    float urgency = 1.0f;
    // After a solver's attempt the search goes on where it was, at least one iteration.
    const Depth first = finished_[static_cast<std::size_t>(thread)] + 1;
    for (Depth iteration = first;; ++iteration) {
        if constexpr (HasSolver<G>) {
            if (thread == 0 && iteration > first) {
                hand_over_ = solver_.wants(w.position(), iteration, limits);
                if (hand_over_) return;
            }
        }
        if (iteration > last) return;
        const Depth depth = std::min(helper_depth(iteration, thread), last);
        const Before before{w.stats().nodes, w.selective_stats()};
        const MoveCode best_before = moves[0].move.raw();
        bool whole = true;
        for (std::size_t i = 0; i < lines && whole; ++i) {
            const bool tells = thread == 0 && limits.reports_inside && sink;
            if (tells) w.watch_root([&, i](const RootEvent& e) { tell(w, e, i, sink); });
            whole = aspirate(w, depth, i);
            w.watch_root({});
            if (tells && whole && i + 1 < lines) tell_lines(w, depth, i + 1, sink);
        }
        sort_lines(moves, lines);
        if (!whole) return;
        finished_[static_cast<std::size_t>(thread)] = depth;
        w.set_last_line(moves[0].pv);
        if (thread != 0) continue;
        if (sink) report(w, depth, limits, before, sink);
        const bool changed = moves[0].move.raw() != best_before;
        urgency =
            changed ? params_.time.changed_move : std::max(1.0f, urgency * params_.time.calming);
        if (is_settled(moves[0], depth, limits) || shared_.clock.is_enough(urgency)) return;
    }
}

/// Narrow window first, wider after each failure. False when the search was stopped.
template <Game G, class Built>
bool Searcher<G, Built>::aspirate(Worker<G, Built>& w, Depth depth, std::size_t index) {
    const AspirationParams& p = params_.aspiration;
    const Value last = w.root_moves()[index].value;
    Lineage line;
    Value alpha = -kInfinity;
    Value beta = kInfinity;
    float delta = static_cast<float>(p.delta);
    Depth less = 0;  // after values above the window
    if (p.enabled && depth >= p.min_depth && !is_decisive(last) && last > -kInfinity) {
        const RootMove<G>& m = w.root_moves()[index];
        const bool by_mean = p.around_mean && m.mean != kNoValue;
        const Value middle = by_mean ? m.mean : last;
        if (p.by_square > 0.0f && m.mean != kNoValue) {
            delta += std::min(std::abs(m.square) / p.by_square, 2.0f * kInfinity);
        }
        alpha = std::max(middle - static_cast<Value>(delta), -kInfinity);
        beta = std::min(middle + static_cast<Value>(delta), kInfinity);
    }
    for (int retry = 1;; ++retry) {
        const Value v = w.search_root(alpha, beta, std::max(depth - less, 1), index, line);
        if (w.stopped()) return false;
        const bool low = v <= alpha && alpha > -kInfinity;
        const bool high = v >= beta && beta < kInfinity;
        if (!low && !high) {
            w.root_moves()[index].depth = depth;  // whatever a retry took off
            return true;
        }
        line.aspiration_failed = true;
        line.store = p.store_on_retry;
        const auto before = static_cast<Value>(std::min(delta, 2.0f * kInfinity));
        delta *= p.widen;
        const bool open = retry >= p.max_retries || is_decisive(v);
        const auto step = static_cast<Value>(std::min(delta, 2.0f * kInfinity));
        less = high ? less + p.high_reduction : 0;
        if (low && p.low_narrows && beta < kInfinity) {
            beta = p.low_to_alpha ? alpha : (alpha + beta) / 2;
        }
        if (high && p.high_raises) alpha = std::max(beta - before, alpha);
        if (low) alpha = open ? -kInfinity : std::max(v - step, -kInfinity);
        if (high) beta = open ? kInfinity : std::min(v + step, kInfinity);
    }
}

template <Game G, class Built>
void Searcher<G, Built>::report(Worker<G, Built>& w, Depth depth, const Limits& limits,
                                const Before& before, const Sink& sink) {
    const auto& moves = w.root_moves();
    const auto lines =
        std::min(moves.size(), static_cast<std::size_t>(std::max(limits.multi_pv, 1)));
    for (std::size_t i = 0; i < lines; ++i) {
        Iteration<G> it = record(w, before);
        it.line = line_of(moves[i], depth);
        it.multi_pv = static_cast<int>(i) + 1;
        sink(it);
    }
}

template <Game G, class Built>
Iteration<G> Searcher<G, Built>::record(Worker<G, Built>& w, const Before& before) const {
    Iteration<G> it;
    it.nodes = w.stats().nodes - before.nodes;
    it.total_nodes =
        workers_.size() == 1 ? w.stats().nodes : std::max(w.stats().nodes, shared_.nodes.load());
    it.time_us = shared_.clock.elapsed_us();
    it.fullness = tt_.fullness();
    it.stats = w.stats();
    it.selective = w.selective_stats().since(before.selective);
    return it;
}

template <Game G, class Built>
void Searcher<G, Built>::tell(Worker<G, Built>& w, const RootEvent& event, std::size_t index,
                              const Sink& sink) {
    const std::int64_t now = shared_.clock.elapsed_us();
    if (now < kTellAfterUs) return;
    const bool begins = event.bound == Bound::None;
    if (begins && now - told_us_ < kTellAfterUs) return;
    const RootMove<G>& m = w.root_moves()[event.index];
    Iteration<G> it = record(w, {});
    it.whole = false;
    it.line = line_of(m, event.depth);
    it.line.bound = event.bound;
    it.multi_pv = static_cast<int>(index) + 1;
    if (begins) {
        told_us_ = now;
        it.line.pv = {m.move};
        it.current_number = event.number;
    }
    sink(it);
}

template <Game G, class Built>
void Searcher<G, Built>::tell_lines(Worker<G, Built>& w, Depth depth, std::size_t done,
                                    const Sink& sink) {
    if (shared_.clock.elapsed_us() < kTellAfterUs) return;
    sort_lines(w.root_moves(), done);
    for (std::size_t i = 0; i < done; ++i) {
        Iteration<G> it = record(w, {});
        it.whole = false;
        it.line = line_of(w.root_moves()[i], depth);
        it.multi_pv = static_cast<int>(i) + 1;
        sink(it);
    }
}

/// Nothing more to find out? (A proven end within the depth, or no choice while the clock runs.)
template <Game G, class Built>
bool Searcher<G, Built>::is_settled(const RootMove<G>& best, Depth depth,
                                    const Limits& limits) const {
    if (limits.infinite || shared_.clock.pondering() || limits.multi_pv > 1) return false;
    if (is_decisive(best.value) && best.bound == Bound::Exact && plies_to_end(best.value) <= depth)
        return true;
    return limits.has_clock && workers_[0]->root_moves().size() == 1 &&
           depth >= params_.time.single_move_depth;
}

template <Game G, class Built>
void Searcher<G, Built>::await_permission_to_answer(const Limits& limits) {
    if (!limits.infinite && !limits.ponder) return;
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] {
        return shared_.stop.load() || (!limits.infinite && !shared_.clock.pondering());
    });
}

template <Game G, class Built>
SearchResult<G> Searcher<G, Built>::collect(const Limits& limits) const {
    SearchResult<G> r;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        r.stats += workers_[i]->stats();
        r.selective += workers_[i]->selective_stats();
        // A helper that finished a deeper iteration knows more.
        const auto& theirs = workers_[i]->root_moves();
        if (limits.multi_pv <= 1 && !theirs.empty() && finished_[i] > finished_[chosen] &&
            theirs[0].bound == Bound::Exact && theirs[0].depth == finished_[i]) {
            chosen = i;
        }
    }
    r.nodes = r.stats.nodes + solver_nodes_;
    r.time_us = shared_.clock.elapsed_us();
    r.lines = solver_lines_;
    if (!r.lines.empty()) return r;
    const auto& moves = workers_[chosen]->root_moves();
    const auto lines =
        std::min(moves.size(), static_cast<std::size_t>(std::max(limits.multi_pv, 1)));
    for (std::size_t i = 0; i < lines; ++i) {
        r.lines.push_back(line_of(moves[i], moves[i].depth));
    }
    return r;
}

}  // namespace karikomi
