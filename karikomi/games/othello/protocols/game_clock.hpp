/// Clocks of a game as limits of a search.
#pragma once

#include <array>

#include "karikomi/core/clock.hpp"
#include "karikomi/games/othello/protocols/game_text.hpp"

namespace karikomi::protocols {

/// What is left of a clock after `moves` moves of this side that took `used` seconds.
void limit_time(const TimeControl& control, double used, int moves, Limits& limits);

/// GTP's clock, one a side: main time, then periods in which so many moves must be made. It counts
/// by itself; a controller that says what is left is believed.
class GtpClock {
public:
    /// time_settings, in seconds. A period without moves means no limit, as does no time at all.
    void set(double main, double period, int moves);
    /// time_left; with `moves` 0 it is main time.
    void set_left(Side side, double seconds, int moves);
    void use(Side side, double seconds);
    void restart();  ///< a new game with the same settings

    bool is_running() const { return running_; }
    void limit(Side side, Limits& limits) const;

private:
    struct OneSide {
        double left = 0;  ///< of the main time, or of the period
        int moves = 0;    ///< left to make in the period; 0: still in main time
    };
    void start_period(OneSide& side) const;

    bool running_ = false;
    double main_ = 0;
    double period_ = 0;
    int moves_ = 0;
    std::array<OneSide, 2> sides_;
};

}  // namespace karikomi::protocols
