#include "karikomi/games/othello/takeover.hpp"

#include <algorithm>
#include <chrono>

namespace karikomi::othello {
namespace {

constexpr int kFromTheEnd = 10;  ///< plies left to the end when the solver is first tried
constexpr Depth kUntilNext = 2;  ///< iterations between two attempts
/// An attempt that is not expected to succeed in this share of the time is kept as short as the
/// search before it.
constexpr double kSure = 0.5;
constexpr double kPerMs = 25'000;          ///< nodes of the solver in a millisecond
constexpr double kFaster = 4;              ///< than the search, in nodes
constexpr double kLeastAttempt = 200'000;  ///< nodes
constexpr double kChance = 2;    ///< a step may be expected to take so many times what is left
constexpr double kPatience = 2;  ///< a step on the clock may take so many times what is left

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
    return empties - kFromTheEnd;
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

/// Is the result for now, so that a good answer in time is what counts?
bool is_hurried(const Limits& limits) {
    if (limits.level >= 0 || limits.multi_pv > 1 || limits.infinite) return false;
    return limits.nodes > 0 || limits.has_clock || limits.move_time_ms > 0;
}

int even_discs(Value value) {
    const int discs = static_cast<int>(value) / (2 * kDisc);
    return std::clamp(2 * discs, -64, 64);
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

int Game::moves_to_plan(const GamePosition& pos) {
    constexpr int kSolved = 22;  // empties at which most games are solved
    constexpr int kReserve = 5;  // moves: what those before may have taken too much
    return std::max(pos.empties() - kSolved, 0) / 2 + kReserve;
}

bool Takeover::wants(const GamePosition& pos, Depth next, const Limits& limits) {
    const int empties = pos.empties();
    if (next == 1) again_at_ = 1;
    if (empties == 0) return false;
    if (limits.level >= 0 && !band_of(level_of(limits.level), empties)) return false;
    if (limits.level < 0 && limits.depth > 0 && limits.depth < empties) return false;
    if (limits.depth > 0 && next > limits.depth) return true;
    return next > search_before(empties) && (next >= again_at_ || next > empties);
}

/// One hand-over of a search that has to answer in time.
class Takeover::Attempt {
public:
    Attempt(Solver& solver, const SolverTask<Game>& task)
        : solver_(solver), task_(task), empties_(task.pos.empties()), last_(task.next > empties_) {
        for (const Move m : task.order) {
            if (!m.is_pass()) order_.push_back(m.square());
        }
        if (task.value) guess_ = even_discs(*task.value);
        const auto left = budget();
        const double first = expected_nodes({SolveMode::Exact, Selectivity::P87}, empties_);
        shares_ = left && first > kSure * *left && (!last_ || task.nodes_left > 0);
    }

    SolverVerdict run() {
        // By number, the search's few but costly nodes tell more than as many of the solver's.
        if (task_.nodes_left > 0 && shares_) return {0, true};
        for (const SolveStep& step : plan_steps(empties_, budget())) {
            if (task_.stop.stop_requested()) break;
            if (!is_worth(step)) return {nodes_, !answer_.known() && !last_};
            const SolveResult r = take(step, ~Bits{0});
            if (!r.known) {
                const bool out_of_time = task_.stop.stop_requested();
                return {nodes_, !out_of_time && !answer_.known() && !last_};
            }
            prepare_next(step.mode, r);
            if (!SolveAnswer::counts(step)) continue;
            answer_.learn(step.mode, r);
            if (answer_.has_to_be_checked()) check();
            tell();
        }
        return {nodes_, false};
    }

private:
    /// Nodes that are left for this attempt by the limit and by what the search had; nothing: as
    /// many as it takes.
    std::optional<double> nodes_left() const {
        std::optional<double> left;
        const auto at_most = [&](double nodes) {
            left = std::max(std::min(left.value_or(nodes), nodes), 1.0);
        };
        const auto spent = static_cast<double>(nodes_);
        if (task_.nodes_left > 0) at_most(static_cast<double>(task_.nodes_left) - spent);
        // Where the end is far the search may still be the better use of the time.
        if (shares_ && !answer_.known()) {
            const auto searched = static_cast<double>(task_.searched);
            at_most(std::max(kFaster * searched, kLeastAttempt) - spent);
        }
        return left;
    }
    double ms_left() const {  ///< of the plan
        return std::max(0.0, static_cast<double>(task_.planned_ms - task_.clock.elapsed_ms()));
    }
    std::optional<double> budget() const {
        std::optional<double> left = nodes_left();
        if (task_.planned_ms > 0) {
            const double nodes = ms_left() * kPerMs;
            left = std::min(left.value_or(nodes), nodes);
        }
        return left;
    }

    /// Time that is not used now is lost, or comes back on a later move.
    bool keeps_time() const { return task_.limits.has_clock && task_.limits.move_time_ms == 0; }

    bool is_worth(const SolveStep& step) const {
        if (keeps_time() && answer_.known() && task_.clock.is_enough(1.0f)) return false;
        const auto left = budget();
        if (!left) return true;
        const bool free = answer_.known() && !keeps_time();
        return free || expected_nodes(step, empties_) <= kChance * *left;
    }

    SolveResult take(const SolveStep& step, Bits only) {
        SolveRequest request;
        request.mode = step.mode;
        request.selectivity = step.level;
        request.stop = task_.stop;
        request.order = order_;
        request.guess = guess_;
        request.continues = nodes_ > 0;
        request.only_moves = 0;
        for (const Square s : order_) request.only_moves |= bit(s) & only;
        if (order_.empty()) request.only_moves = ~Bits{0};  // a pass
        if (const auto left = nodes_left()) request.nodes = static_cast<std::uint64_t>(*left);
        if (keeps_time() && task_.planned_ms > 0) {
            const std::chrono::duration<double, std::milli> most(kPatience * ms_left() + 1.0);
            request.deadline = std::chrono::steady_clock::now() +
                               std::chrono::duration_cast<std::chrono::microseconds>(most);
        }
        const SolveResult r = solver_.solve_step(task_.pos.board(), request);
        nodes_ += r.nodes;
        return r;
    }

    /// The best move by score has to win, or draw, as surely as the other does.
    void check() {
        const Square best = answer_.score().best;
        const SolveResult r = take({SolveMode::WinLossDraw, answer_.sign().selectivity}, bit(best));
        if (r.known) answer_.checked(r.score >= answer_.sign().score);
    }

    void prepare_next(SolveMode mode, const SolveResult& r) {
        if (mode == SolveMode::Exact) guess_ = r.score;
        if (mode == SolveMode::Exact || r.score >= 0) put_first(r.best);
    }

    void tell() {
        if (!answer_.known()) return;
        const SolveResult& r = answer_.has_score() ? answer_.score() : answer_.sign();
        SolveLine line{r.score, r.best, r.line};
        if (!answer_.has_score()) line.line = {r.best};
        SearchLine<Game> told = to_line(line, r, empties_);
        if (!answer_.has_score()) tell_sign(r.score, told);
        put_first(r.best);
        task_.report({std::move(told)}, nodes_);
    }
    /// By how much is the search's guess.
    void tell_sign(int sign, SearchLine<Game>& line) const {
        line.value = sign * std::max<Value>(kDisc, task_.value.value_or(kDisc));
        line.bound = sign > 0 ? Bound::Lower : Bound::Exact;
    }
    void put_first(Square best) {
        if (std::erase(order_, best) > 0) order_.insert(order_.begin(), best);
    }

    Solver& solver_;
    const SolverTask<Game>& task_;
    const int empties_;
    const bool last_;      ///< the search has nothing more to say
    bool shares_ = false;  ///< the time with the search
    std::vector<Square> order_;
    std::optional<int> guess_;
    SolveAnswer answer_;
    std::uint64_t nodes_ = 0;
};

SolverVerdict Takeover::solve(const SolverTask<Game>& task) {
    if (!is_hurried(task.limits)) return climb(task);
    again_at_ = task.next + kUntilNext;
    return Attempt(solver_, task).run();
}

SolverVerdict Takeover::climb(const SolverTask<Game>& task) {
    const int empties = task.pos.empties();
    LadderRequest request;
    request.solve.selectivity = goal_of(task.limits, empties);
    request.solve.lines = std::max(task.limits.multi_pv, 1);
    request.solve.stop = task.stop;
    request.solve.nodes = task.nodes_left;
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
    return {solver_.solve_ladder(task.pos.board(), request).nodes, false};
}

}  // namespace karikomi::othello
