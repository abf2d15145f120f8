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
    const bool threes = limits.threats == Threats::FoursThrees;
    const auto all = static_cast<std::uint64_t>(board_->nodes_left());
    // Most wins by fours are found soon; the other search looks for them too, node by node.
    solve_by_fours(s, threes ? all / 8 : all);
    if (!s.solved && threes && !board_->stopped()) {
        ThreatSearch search(*board_, megabytes_ / 2);
        const ThreatSearch::Answer answer = search.solve();
        s.nodes = board_->nodes();
        s.solved = answer == ThreatSearch::Answer::Win;
        s.complete = answer == ThreatSearch::Answer::No;
        s.by = Threats::FoursThrees;
        if (s.solved) s.line = search.line();
    }
    s.time_us = board_->time_us();
    return s;
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
