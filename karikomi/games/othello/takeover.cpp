#include "karikomi/games/othello/takeover.hpp"

namespace karikomi::othello {
namespace {

/// Iterations of the search after which the solver is the better use of time, by empties. The
/// search comes first because its answer is there at any time.
int search_before(int empties) {
    struct Row {
        int empties;
        int depth;
    };
    static constexpr Row kRows[] = {{14, 0}, {18, 6}, {21, 10}, {24, 13}, {27, 16}, {30, 19}};
    for (const Row& row : kRows) {
        if (empties <= row.empties) return row.depth;
    }
    return empties - 9;
}

/// The most confident band of the level that reaches so far; nothing in the midgame.
std::optional<Selectivity> band_of(const Level& level, int empties) {
    if (empties <= level.exact) return Selectivity::Exact;
    if (empties <= level.p98) return Selectivity::P98;
    if (empties <= level.p87) return Selectivity::P87;
    if (empties <= level.p73) return Selectivity::P73;
    return std::nullopt;
}

Selectivity goal_of(const Limits& limits, int empties) {
    if (limits.level < 0) return Selectivity::Exact;
    return band_of(level_of(limits.level), empties).value_or(Selectivity::Exact);
}

SearchLine<Game> to_line(const SolveLine& solved, const SolveResult& result, int empties) {
    SearchLine<Game> line;
    line.value = solved.score * kDisc;
    line.bound = Bound::Exact;
    line.depth = empties;
    line.confidence = percent_of(result.selectivity);
    line.solved = true;
    for (const Square square : solved.line) line.pv.push_back(Move::from_square(square));
    if (line.pv.empty()) line.pv.push_back(Move::from_square(solved.best));
    return line;
}

}  // namespace

Level level_of(int number) {
    if (number <= 10) return {std::max(number, 1), 2 * number, 2 * number, 2 * number, 2 * number};
    const int exact = number <= 24 ? 20 + (number - 10) * 4 / 11 : std::min(number, 60);
    return {number, exact, exact + 3, exact + 5, exact + 9};
}

Depth Game::depth_of_level(const GamePosition&, int level) {
    return level_of(level).depth;
}

bool Takeover::wants(const GamePosition& pos, Depth next, const Limits& limits) const {
    const int empties = pos.empties();
    if (limits.nodes > 0 || empties == 0) return false;
    if (limits.level >= 0 && !band_of(level_of(limits.level), empties)) return false;
    if (limits.level < 0 && limits.depth > 0 && limits.depth < empties) return false;
    return next > search_before(empties) || (limits.depth > 0 && next > limits.depth);
}

void Takeover::solve(const SolverTask<Game>& task) {
    const int empties = task.pos.empties();
    LadderRequest request;
    request.solve.selectivity = goal_of(task.limits, empties);
    request.solve.lines = std::max(task.limits.multi_pv, 1);
    request.solve.stop = task.stop;
    request.solve.only_moves = 0;
    for (const Move m : task.order) {
        if (m.is_pass()) continue;
        request.solve.order.push_back(m.square());
        request.solve.only_moves |= bit(m.square());
    }
    if (request.solve.only_moves == 0) request.solve.only_moves = ~Bits{0};  // a pass
    request.on_step = [&](const SolveResult& result) {
        std::vector<SearchLine<Game>> lines;
        lines.reserve(result.lines.size());
        for (const SolveLine& line : result.lines) lines.push_back(to_line(line, result, empties));
        task.report(std::move(lines), result.nodes);
    };
    solver_.solve_ladder(task.pos.board(), request);
}

}  // namespace karikomi::othello
