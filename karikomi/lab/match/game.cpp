#include "karikomi/lab/match/game.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::match {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::int64_t kGraceMs = 5000;  // after the time is up, before it counts as a hang
constexpr std::array<std::string_view, 9> kEnds = {
    "rules", "resigned", "score", "move_limit", "crash", "hang", "illegal_move", "time", "stopped"};

std::int64_t ms_since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

Winner winner_of(int side) {
    return side == 0 ? Winner::First : Winner::Second;
}

End end_of(Fault fault) {
    if (fault == Fault::Crash) return End::Crash;
    return fault == Fault::Hang ? End::Hang : End::Illegal;
}

/// Both players must agree, move after move.
class Judge {
public:
    explicit Judge(const Adjudication& a) : a_(a) {}

    /// The winner (or nobody) when the scores have decided it.
    std::optional<Winner> see(int side, const MoveNote& note, std::size_t ply) {
        if (!note.asked) return std::nullopt;
        const auto s = static_cast<std::size_t>(side);
        if (!note.score) {
            ahead_[s] = level_[s] = 0;
            return std::nullopt;
        }
        const double score = side == 0 ? *note.score : -*note.score;
        const int sign = score > 0 ? 1 : -1;
        const bool far = a_.win_score > 0 && std::abs(score) >= a_.win_score;
        ahead_[s] = !far ? 0 : ahead_[s] * sign > 0 ? ahead_[s] + sign : sign;
        const bool even = a_.draw_score >= 0 && std::abs(score) <= a_.draw_score &&
                          ply >= static_cast<std::size_t>(a_.draw_from_ply);
        level_[s] = even ? level_[s] + 1 : 0;
        if (a_.win_score > 0) {
            if (std::min(ahead_[0], ahead_[1]) >= a_.win_moves) return Winner::First;
            if (std::max(ahead_[0], ahead_[1]) <= -a_.win_moves) return Winner::Second;
        }
        if (a_.draw_score >= 0 && std::min(level_[0], level_[1]) >= a_.draw_moves) {
            return Winner::Nobody;
        }
        return std::nullopt;
    }

private:
    const Adjudication& a_;
    std::array<int, 2> ahead_{};  ///< moves in a row; positive: for the first player
    std::array<int, 2> level_{};
};

class Game {
public:
    Game(Engine& referee, const std::array<Player*, 2>& players, const GameRules& rules,
         const StopToken& stop)
        : referee_(referee),
          players_(players),
          rules_(rules),
          stop_(stop),
          judge_(rules.adjudication) {
        for (std::size_t s = 0; s < 2; ++s) {
            clock_ms_[s] = rules.time[s].main_ms;
            players[s]->stop_on(stop);
        }
    }

    GameResult play(const Opening& opening) {
        const auto start = Clock::now();
        if (begin(opening)) {
            while (!over()) {
                if (!take_turn()) break;
            }
        }
        if (stop_.stop_requested()) result_.end = End::Stopped;
        result_.final_position = referee_.position_text();
        result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (result_.end != End::Stopped) tell_result();
        return std::move(result_);
    }

private:
    bool begin(const Opening& opening) {
        if (const Status s = referee_.set_position(opening.position); !s) {
            return lose(End::Illegal, "opening: " + s.error().what);
        }
        GameStart start;
        start.position = opening.position;
        start.start_board = referee_.position_text();
        start.start_side = referee_.side_to_move();
        for (const std::string& m : opening.moves) {
            if (const Status s = referee_.play(m); !s) {
                return lose(End::Illegal, "opening: " + s.error().what);
            }
            note({m, std::nullopt, 0, 0, 0, false});
        }
        for (int side = 0; side < 2; ++side) {
            start.side = side;
            start.time = time(side);
            loser_ = side;
            const Trouble t = player(side).new_game(start);
            if (t.fault != Fault::None) return lose(end_of(t.fault), t.what);
        }
        return true;
    }

    bool over() {
        if (stop_.stop_requested()) return true;
        if (const auto winner = referee_.winner()) {
            result_.winner = *winner;
            result_.end = End::ByRules;
            return true;
        }
        const int limit = rules_.adjudication.max_plies;
        if (limit > 0 && moves_.size() >= static_cast<std::size_t>(limit)) {
            result_.end = End::MoveLimit;
            return true;
        }
        return false;
    }

    /// False when the game ends here.
    bool take_turn() {
        const int side = referee_.side_to_move();
        if (const std::string pass = forced_pass(referee_); !pass.empty()) {
            if (!referee_.play(pass)) return lose(End::Illegal, "pass");
            note({pass, std::nullopt, 0, 0, 0, false});
            return true;
        }
        loser_ = side;
        const Turn turn = turn_of(side);
        const auto start = Clock::now();
        const Answer answer = player(side).think(turn);
        const std::int64_t used = answer.time_ms >= 0 ? answer.time_ms : ms_since(start);
        if (stop_.stop_requested()) return false;
        auto& slowest = result_.slowest_ms[static_cast<std::size_t>(side)];
        slowest = std::max(slowest, used);
        if (answer.fault != Fault::None) return lose(end_of(answer.fault), answer.detail);
        if (!in_time(side, used)) {
            return lose(End::Time, fmt::format("{} ms used", used));
        }
        if (answer.resigns) return lose(End::Resigned, "");
        if (const Status s = referee_.play(answer.move); !s) {
            return lose(End::Illegal, fmt::format("'{}': {}", answer.move, s.error().what));
        }
        note({answer.move, answer.score, answer.depth, answer.nodes, used, true});
        if (const auto decided = judge_.see(side, result_.moves.back(), moves_.size())) {
            if (referee_.winner()) return true;  // the rules come first
            result_.winner = *decided;
            result_.end = End::ByScore;
            return false;
        }
        return true;
    }

    Turn turn_of(int side) const {
        const TimeControl& t = time(side);
        Turn turn{moves_, side, {}, {clock_ms_[0], clock_ms_[1]}, 0, rules_.hang_ms};
        Limits& l = turn.limits;
        l.depth = t.depth;
        l.level = t.level;
        l.nodes = t.nodes;
        l.move_time_ms = t.move_time_ms;
        if (t.has_clock()) {
            l.has_clock = true;
            l.main_ms = clock_ms_[static_cast<std::size_t>(side)];
            l.increment_ms = t.increment_ms;
            l.byoyomi_ms = t.byoyomi_ms;
        }
        if (t.is_timed()) {
            turn.lost_ms = allowed(side) + rules_.margin_ms + 1;
            turn.hang_ms = turn.lost_ms + kGraceMs;
        }
        return turn;
    }

    /// The most that the player to move may use, without margin.
    std::int64_t allowed(int side) const {
        const TimeControl& t = time(side);
        std::int64_t ms = t.has_clock() ? clock_ms_[static_cast<std::size_t>(side)] + t.byoyomi_ms
                                        : t.move_time_ms;
        if (t.move_time_ms > 0) ms = std::min(ms, t.move_time_ms);
        return std::max<std::int64_t>(ms, 0);
    }
    /// Runs the clock down; false when the flag has fallen.
    bool in_time(int side, std::int64_t used) {
        const TimeControl& t = time(side);
        if (!t.is_timed()) return true;
        const bool late = used > allowed(side) + rules_.margin_ms;
        auto& left = clock_ms_[static_cast<std::size_t>(side)];
        if (t.has_clock()) left = std::max<std::int64_t>(left - used, 0) + t.increment_ms;
        return !late;
    }

    void note(MoveNote n) {
        moves_.push_back(n.move);
        result_.moves.push_back(std::move(n));
    }
    /// The side in loser_ has lost. Always false: "the game ends here".
    bool lose(End end, const std::string& why) {
        result_.end = end;
        result_.winner = winner_of(1 - loser_);
        result_.detail = why;
        if (is_fault(end)) result_.last_lines = player(loser_).last_lines();
        return false;
    }
    void tell_result() {
        for (int side = 0; side < 2; ++side) {
            const bool drawn = result_.winner == Winner::Nobody;
            player(side).game_over(drawn ? 0 : result_.winner == winner_of(side) ? 1 : -1);
        }
    }
    Player& player(int side) const { return *players_[static_cast<std::size_t>(side)]; }
    const TimeControl& time(int side) const { return rules_.time[static_cast<std::size_t>(side)]; }

    Engine& referee_;
    const std::array<Player*, 2>& players_;
    const GameRules& rules_;
    const StopToken& stop_;
    Judge judge_;
    std::vector<std::string> moves_;
    std::array<std::int64_t, 2> clock_ms_{};
    int loser_ = 0;
    GameResult result_;
};

}  // namespace

std::string_view name_of(End end) {
    return kEnds[static_cast<std::size_t>(end)];
}

bool is_fault(End end) {
    return end == End::Crash || end == End::Hang || end == End::Illegal || end == End::Time;
}

Json to_json(const Adjudication& a) {
    return {{"win_score", a.win_score},         {"win_moves", a.win_moves},
            {"draw_score", a.draw_score},       {"draw_moves", a.draw_moves},
            {"draw_from_ply", a.draw_from_ply}, {"max_plies", a.max_plies}};
}

GameResult play_game(Engine& referee, const std::array<Player*, 2>& players, const Opening& opening,
                     const GameRules& rules, const StopToken& stop) {
    return Game(referee, players, rules, stop).play(opening);
}

}  // namespace karikomi::match
