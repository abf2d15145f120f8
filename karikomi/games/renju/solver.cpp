#include "karikomi/games/renju/solver.hpp"

#include "karikomi/games/renju/threat_search.hpp"

namespace karikomi::renju {
namespace {

constexpr int kMostFours = (kStackSize - 8) / 2;

}  // namespace

Solver::Solver(std::size_t megabytes)
    : megabytes_(std::max<std::size_t>(megabytes, 2)),
      board_(std::make_unique<SolverBoard>(megabytes_ / 2)) {}
Solver::~Solver() = default;

Solution Solver::solve(const Position& pos, const SolveLimits& limits) {
    Solution s;
    board_->start(pos, limits);
    if (pos.outcome(0)) return s;
    const bool more = limits.threats != Threats::Fours;
    const auto all = static_cast<std::uint64_t>(board_->nodes_left());
    // Most wins by fours are found soon; the other searches look for them too, node by node.
    solve_by_fours(s, more ? all / 8 : all);
    for (const Threats threats : {Threats::FoursThrees, Threats::Quiet}) {
        if (s.solved || limits.threats < threats) break;
        s.complete = false;
        solve_by_threats(s, threats, limits.threats == threats ? 0 : all / 2);
    }
    s.time_us = board_->time_us();
    return s;
}

/// With so many nodes of those that are left; 0: all.
void Solver::solve_by_threats(Solution& s, Threats threats, std::uint64_t nodes) {
    if (board_->is_over()) return;
    ThreatSearch search(*board_, megabytes_ / 2, threats);
    const std::uint64_t kept = board_->hold_back(nodes);
    const ThreatSearch::Answer answer = search.solve();
    s.solved = answer == ThreatSearch::Answer::Win;
    s.complete = answer == ThreatSearch::Answer::No;
    s.by = threats;
    if (s.solved) s.line = search.line();
    s.nodes = board_->nodes();
    if (!s.solved) board_->release(kept);
}

/// Deeper step by step: the shortest chain of fours is found first.
void Solver::solve_by_fours(Solution& s, std::uint64_t nodes) {
    for (int fours = 1; fours <= kMostFours && !s.solved && !s.complete; ++fours) {
        const auto left = static_cast<std::int64_t>(nodes - std::min(nodes, board_->nodes()));
        FourSearch<SolverBoard> search(*board_, left);
        const int plies = search.attack(0, fours);
        s.solved = plies > 0;
        if (s.solved) s.line = board_->play_out(0, plies);
        if (board_->stopped() || search.gave_up()) break;
        s.complete = !s.solved && !search.was_cut();
    }
    s.nodes = board_->nodes();
}

}  // namespace karikomi::renju
