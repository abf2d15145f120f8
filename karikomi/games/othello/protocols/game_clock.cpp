#include "karikomi/games/othello/protocols/game_clock.hpp"

#include <algorithm>
#include <cmath>

namespace karikomi::protocols {
namespace {

std::int64_t to_ms(double seconds) {
    constexpr double kLongest = 1e9;  // thirty years: more would overflow further down
    return std::llround(1000.0 * std::clamp(seconds, 0.0, kLongest));
}

}  // namespace

void limit_time(const TimeControl& control, double used, int moves, Limits& limits) {
    double left = control.main + control.increment * moves - used;
    if (left <= 0) left += control.extension;
    limits.has_clock = true;
    limits.main_ms = to_ms(left);
    limits.increment_ms = to_ms(control.increment);
}

void GtpClock::set(double main, double period, int moves) {
    const bool endless = period > 0 && moves <= 0;
    running_ = !endless && (main > 0 || period > 0);
    main_ = main;
    period_ = period;
    moves_ = period > 0 ? moves : 0;
    restart();
}

void GtpClock::restart() {
    for (OneSide& side : sides_) {
        side = {main_, 0};
        if (main_ <= 0) start_period(side);
    }
}

void GtpClock::start_period(OneSide& side) const {
    side = {period_, moves_};
}

void GtpClock::set_left(Side side, double seconds, int moves) {
    running_ = true;
    OneSide& s = sides_[static_cast<std::size_t>(side)];
    s = {seconds, moves};
    if (seconds <= 0 && moves == 0 && moves_ > 0) start_period(s);
}

void GtpClock::use(Side side, double seconds) {
    OneSide& s = sides_[static_cast<std::size_t>(side)];
    s.left -= seconds;
    if (s.moves > 0) {
        if (--s.moves == 0) start_period(s);
    } else if (s.left <= 0) {
        const double over = s.left;
        start_period(s);
        s.left += over;
    }
    s.left = std::max(s.left, 0.0);
}

void GtpClock::limit(Side side, Limits& limits) const {
    if (!running_) return;
    const OneSide& s = sides_[static_cast<std::size_t>(side)];
    limits.has_clock = true;
    if (s.moves == 1) {  // what is not used of a period is lost
        limits.byoyomi_ms = to_ms(s.left);
    } else {
        limits.main_ms = to_ms(s.left);
        limits.moves_to_go = s.moves;
        if (s.moves == 0 && moves_ > 0) limits.byoyomi_ms = to_ms(period_ / moves_);
    }
}

}  // namespace karikomi::protocols
