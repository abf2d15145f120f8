/// Where a game's own solver takes over from the search.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "karikomi/base/stop.hpp"
#include "karikomi/core/clock.hpp"
#include "karikomi/core/concepts.hpp"

namespace karikomi {

template <Game G> struct SearchLine {
    Value value = 0;
    Bound bound = Bound::None;
    Depth depth = 0;
    std::vector<typename G::Move> pv;
    int confidence = 100;  ///< percent: below 100 the value rests on statistics
    bool solved = false;   ///< searched to the end of the game, with that confidence
};

/// A position to solve, and whom to tell.
template <Game G> struct SolverTask {
    const typename G::Position& pos;
    const Limits& limits;
    std::vector<typename G::Move> order;  ///< the root moves to look at, best first if known
    StopToken stop;                       ///< also raised when the time or the nodes are used up
    const Clock& clock;                   ///< whether another step is worth its time
    std::int64_t planned_ms = 0;          ///< for this move; 0: no time, or nobody knows yet
    std::optional<Value> value{};         ///< of order[0], where the search has one
    Depth next = 1;                       ///< the iteration that would come instead
    std::uint64_t searched = 0;           ///< nodes of the search so far
    std::uint64_t nodes_left = 0;         ///< of the limit, for this call; 0: no limit
    /// After each step that is worth knowing: lines, best first, and all nodes so far. The last one
    /// is the answer; without any, the search's own result stands.
    std::function<void(std::vector<SearchLine<G>>, std::uint64_t nodes)> report{};
};

/// How a solver leaves a position.
struct SolverVerdict {
    std::uint64_t nodes = 0;  ///< of this call, those of unfinished steps too
    /// A deeper iteration would say more: the search goes on, what was reported is forgotten, and
    /// the solver is asked again later.
    bool search_on = false;
};

template <class S, class G>
concept SolverOf = (std::default_initializable<S> ||
                    std::constructible_from<
                        S, const typename G::Evaluator&>)&&requires(S solver,
                                                                    const typename G::Position& pos,
                                                                    Depth depth,
                                                                    const Limits& limits,
                                                                    const SolverTask<G>& task) {
    /// Shall it take over now, instead of an iteration of this depth? Depth 1 begins a search.
    { solver.wants(pos, depth, limits) } -> std::same_as<bool>;
    { solver.solve(task) } -> std::same_as<SolverVerdict>;
    {solver.set_hash(std::size_t{})};
    {solver.set_threads(int{})};
    {solver.new_game()};
};

/// Asks for a stop when the clock says so, for work that does not look at the clock itself.
#if !defined(__cpp_lib_jthread)
/// Without threads whoever asks the token looks at the clock.
class ClockWatch {
public:
    ClockWatch(const Clock& clock, StopSource stop) : stop_(std::move(stop)) {
        stop_.set_look([&clock] { return clock.is_over(); });
    }
    ~ClockWatch() { stop_.set_look({}); }
    ClockWatch(const ClockWatch&) = delete;
    ClockWatch& operator=(const ClockWatch&) = delete;

private:
    StopSource stop_;
};
#else
class ClockWatch {
public:
    ClockWatch(const Clock& clock, StopSource stop)
        : stop_(std::move(stop)), thread_([this, &clock] { watch(clock); }) {}
    ~ClockWatch() {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    ClockWatch(const ClockWatch&) = delete;
    ClockWatch& operator=(const ClockWatch&) = delete;

private:
    void watch(const Clock& clock) {
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, std::chrono::milliseconds(1), [&] { return done_; })) {
            if (clock.is_over()) stop_.request_stop();
        }
    }
    StopSource stop_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread thread_;  // last: it uses the others
};
#endif

/// For games without a solver.
struct NoSolver {};
template <class G> struct SolverType { using Type = NoSolver; };
template <HasSolver G> struct SolverType<G> { using Type = typename G::Solver; };
/// A solver that asks for an evaluator gets a look at the search's.
template <Game G> typename SolverType<G>::Type make_solver(const typename G::Evaluator& evaluator) {
    using Solver = typename SolverType<G>::Type;
    if constexpr (std::constructible_from<Solver, const typename G::Evaluator&>) {
        return Solver(evaluator);
    } else {
        return Solver{};
    }
}

}  // namespace karikomi
