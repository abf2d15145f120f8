#include "karikomi/core/clock.hpp"

#include <algorithm>
#include <cmath>

namespace karikomi {

TimeBudget plan_time(const Limits& l, const TimeParams& p) {
    const std::int64_t overhead = p.overhead_ms;
    const auto at_least_one = [](std::int64_t ms) { return std::max<std::int64_t>(ms, 1); };
    if (l.move_time_ms > 0) {
        const auto ms = at_least_one(l.move_time_ms - overhead);
        return {ms, ms, true};
    }
    if (!l.has_clock) return {};
    const std::int64_t main = std::max<std::int64_t>(l.main_ms, 0);
    const std::int64_t all = at_least_one(main + l.byoyomi_ms - overhead);
    // In byoyomi what is not used now is lost; a remainder of main time too small to plan with goes
    // the same way.
    const double small = static_cast<double>(p.byoyomi_main) * static_cast<double>(l.byoyomi_ms);
    if (l.byoyomi_ms > 0 && static_cast<double>(main) <= small) return {all, all, true};

    const double moves = l.moves_to_go > 0 ? std::min<double>(l.moves_to_go, p.horizon)
                                           : static_cast<double>(p.horizon);
    const double planned = static_cast<double>(main) / moves +
                           p.increment_share * static_cast<double>(l.increment_ms) +
                           static_cast<double>(l.byoyomi_ms);
    const double hard = std::min(planned * p.hard_factor,
                                 p.hard_share * static_cast<double>(main + l.increment_ms) +
                                     static_cast<double>(l.byoyomi_ms));
    TimeBudget budget;
    budget.hard_ms =
        std::clamp<std::int64_t>(std::llround(std::max(hard, planned)) - overhead, 1, all);
    budget.soft_ms = std::clamp<std::int64_t>(std::llround(planned) - overhead, 1, budget.hard_ms);
    return budget;
}

bool is_emergency(const Limits& l, const TimeParams& p) {
    if (!l.has_clock || l.move_time_ms > 0) return false;
    return l.main_ms + l.byoyomi_ms + l.increment_ms < p.emergency_ms;
}

std::int64_t Clock::now_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(Steady::now().time_since_epoch())
        .count();
}

void Clock::start(const Limits& limits, const TimeParams& params) {
    params_ = params;
    limits_ = limits;
    start_us_ = now_us();
    counted_from_us_ = start_us_;
    const TimeBudget budget = plan_time(limits, params);
    soft_ms_ = budget.soft_ms;
    hard_ms_ = budget.hard_ms;
    use_all_ = budget.use_all;
    emergency_ = is_emergency(limits, params);
    pondering_ = limits.ponder;
}

void Clock::ponder_hit(const Limits* limits) {
    const TimeBudget budget = plan_time(limits != nullptr ? *limits : limits_, params_);
    counted_from_us_ = now_us();
    soft_ms_ = budget.soft_ms;
    hard_ms_ = budget.hard_ms;
    use_all_ = budget.use_all;
    emergency_ = is_emergency(limits != nullptr ? *limits : limits_, params_);
    pondering_ = false;  // last: is_over() must not see the old budget
}

std::int64_t Clock::elapsed_us() const {
    return now_us() - start_us_;
}
std::int64_t Clock::elapsed_ms() const {
    return elapsed_us() / 1000;
}
std::int64_t Clock::budget_elapsed_ms() const {
    return (now_us() - counted_from_us_) / 1000;
}

bool Clock::is_over() const {
    const std::int64_t hard = hard_ms_.load(std::memory_order_relaxed);
    return hard > 0 && !pondering_ && !limits_.infinite && budget_elapsed_ms() >= hard;
}

bool Clock::is_enough(float urgency) const {
    const std::int64_t soft = soft_ms_.load(std::memory_order_relaxed);
    if (soft <= 0 || pondering_ || limits_.infinite || use_all_) return false;
    const double limit = params_.next_iteration * urgency * static_cast<double>(soft);
    return static_cast<double>(budget_elapsed_ms()) >= limit;
}

float Clock::pressure() const {
    return emergency_ && !pondering_ && !limits_.infinite ? 1.0f : 0.0f;
}

}  // namespace karikomi
