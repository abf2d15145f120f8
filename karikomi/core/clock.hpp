/// Limits of a search and the time that it may take.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "karikomi/core/params.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

/// What a caller may ask for. A limit that is not set has no effect.
struct Limits {
    Depth depth = 0;                ///< 0: no limit
    int level = -1;                 ///< strength on the game's own scale; -1: not set
    std::uint64_t nodes = 0;        ///< 0: no limit
    std::int64_t move_time_ms = 0;  ///< use all of this for the move; 0: not set
    // A game clock, for the side to move.
    bool has_clock = false;
    std::int64_t main_ms = 0;
    std::int64_t byoyomi_ms = 0;    ///< for each move, after the main time is gone
    std::int64_t increment_ms = 0;  ///< added after each move
    int moves_to_go = 0;            ///< moves until the next time control; 0: the whole game
    bool infinite = false;          ///< do not answer before stop
    bool ponder = false;            ///< do not answer before stop or ponder_hit
    int multi_pv = 1;
    bool reports_inside = false;       ///< a long iteration also tells how it goes
    std::vector<MoveCode> root_moves;  ///< look only at these; empty: all
};

/// Planned and greatest time for one move.
struct TimeBudget {
    std::int64_t soft_ms = 0;  ///< 0: no time limit at all
    std::int64_t hard_ms = 0;
    bool use_all = false;  ///< unused time would be lost (byoyomi, fixed time): stop at hard only
};
TimeBudget plan_time(const Limits& limits, const TimeParams& params);
/// Is so little left on the game clock that only a quick answer is safe?
bool is_emergency(const Limits& limits, const TimeParams& params);

/// The running time of one search. Read by all its threads; ponder_hit comes from another.
class Clock {
public:
    void start(const Limits& limits, const TimeParams& params);
    /// The pondered move was played: time counts from now. New clock values may come with it.
    void ponder_hit(const Limits* limits = nullptr);

    std::int64_t elapsed_ms() const;
    std::int64_t elapsed_us() const;
    /// The hard limit is reached.
    bool is_over() const;
    /// Not worth starting another iteration. `urgency` above 1 wants more time (unstable result).
    bool is_enough(float urgency) const;
    /// 0 .. 1: emergency of the game clock, which techniques may heed. A fixed time for each move
    /// is never one.
    float pressure() const;
    bool pondering() const { return pondering_.load(std::memory_order_relaxed); }

private:
    using Steady = std::chrono::steady_clock;
    static std::int64_t now_us();
    std::int64_t budget_elapsed_ms() const;

    TimeParams params_;
    Limits limits_;
    std::int64_t start_us_ = 0;
    std::atomic<std::int64_t> counted_from_us_{0};
    std::atomic<std::int64_t> soft_ms_{0};
    std::atomic<std::int64_t> hard_ms_{0};
    std::atomic<bool> use_all_{false};
    std::atomic<bool> emergency_{false};
    std::atomic<bool> pondering_{false};
};

}  // namespace karikomi
