#include "karikomi/games/shogi/usi/usi_time.hpp"

#include <algorithm>

namespace karikomi::protocols {
namespace {

/// A reserve that is larger than the time itself must not make every move a blind one.
constexpr std::int64_t kMostReserve = 2;  // 1 / this of the time there is
constexpr std::int64_t kLeastShare = 4;   // main time for one move, 1 / this of it at most

}  // namespace

Limits shape_clock(Limits l, const UsiTime& t, const TimeParams& params) {
    if (!l.has_clock || l.move_time_ms > 0) return l;
    l.main_ms = std::max<std::int64_t>(l.main_ms, 0);
    // Some programs send the clock with this move's increment in it and some without. With it the
    // clock can never show less than one increment.
    if (l.main_ms < l.increment_ms) l.main_ms += l.increment_ms;

    const std::int64_t all = l.main_ms + l.byoyomi_ms;
    const std::int64_t reserve =
        std::clamp<std::int64_t>(t.last_delay_ms - t.delay_ms, 0, all / kMostReserve);
    const std::int64_t of_main = std::min(reserve, l.main_ms);
    l.main_ms -= of_main;
    l.byoyomi_ms -= reserve - of_main;

    if (t.least_ms <= 0) return l;
    const TimeBudget plan = plan_time(l, params);
    const std::int64_t most = l.byoyomi_ms + l.main_ms / kLeastShare;
    const std::int64_t least = std::min(t.least_ms, most);
    if (plan.soft_ms < least) l.move_time_ms = least + std::min<std::int64_t>(t.delay_ms, most);
    if (l.move_time_ms > 0) l.move_time_ms = std::min(l.move_time_ms, l.main_ms + l.byoyomi_ms);
    return l;
}

}  // namespace karikomi::protocols
