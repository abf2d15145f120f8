/// Proves wins by threats. Fours alone (VCF) first; then fours and open threes (VCT).
#pragma once

#include <memory>
#include <string_view>

#include "karikomi/base/stop.hpp"
#include "karikomi/games/renju/position.hpp"

namespace karikomi::renju {

enum class Threats : std::uint8_t {
    Fours,        ///< every attacking move makes a four
    FoursThrees,  ///< ... or an open three
    Quiet,        ///< ... or threatens to win by fours
};

struct SolveLimits {
    Threats threats = Threats::Fours;
    std::uint64_t nodes = 0;   ///< 0: a million
    std::int64_t time_ms = 0;  ///< 0: no limit
    StopToken stop{};
};

struct Solution {
    bool solved = false;    ///< the side to move wins, and `line` says how
    bool complete = false;  ///< not solved, and certain that these threats do not win
    Threats by = Threats::Fours;
    std::vector<Cell> line;  ///< to the five; the defender's moves are his longest resistance found
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
};

class SolverBoard;

/// One at a time. Keeps its memory between positions.
class Solver {
public:
    explicit Solver(std::size_t megabytes = 16);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    Solution solve(const Position& pos, const SolveLimits& limits);

private:
    void solve_by_fours(Solution& s, std::uint64_t nodes);
    void solve_by_threats(Solution& s, Threats threats, std::uint64_t nodes);
    std::size_t megabytes_;
    std::unique_ptr<SolverBoard> board_;
};

}  // namespace karikomi::renju
