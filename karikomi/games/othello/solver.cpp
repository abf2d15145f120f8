#include "karikomi/games/othello/solver.hpp"

#include <algorithm>

#include "karikomi/games/othello/root_solve.hpp"

namespace karikomi::othello {

namespace {

using Clock = std::chrono::steady_clock;

// Tuned on our own positions of 18 to 22 empties.
constexpr int kPrepareFrom = 15;  ///< empties from which a selective step before the real one pays
constexpr Selectivity kPrepareAt = Selectivity::P95;

/// Weights that nobody has trained say nothing about any position.
bool are_blank(const Weights& weights) {
    for (int p = 0; p < kPhases; ++p) {
        const std::int16_t* const w = weights.phase(p);
        if (std::any_of(w, w + kWeightLayout.size, [](std::int16_t x) { return x != 0; })) {
            return false;
        }
    }
    return true;
}

std::shared_ptr<const Weights> weights_of(const SolverOptions& options) {
    if (!options.use_evaluation) return nullptr;
    auto weights = options.weights ? options.weights : built_in_weights();
    return are_blank(*weights) ? nullptr : weights;
}

using Steps = std::vector<Selectivity>;

/// Every level from `first` to `last`. Where none of them makes selective cuts one step will do.
Steps all_steps(const SolveTools& tools, int empties, Selectivity first, Selectivity last) {
    if (!has_selective_levels(tools, empties)) return {Selectivity::Exact};
    Steps steps;
    for (Selectivity level = std::min(first, last); level < last; level = next_level(level)) {
        steps.push_back(level);
    }
    steps.push_back(last);
    return steps;
}

/// One cheap step whose moves order the real one.
Steps quickest_steps(const SolveTools& tools, int empties, Selectivity last) {
    if (!has_selective_levels(tools, empties)) return {Selectivity::Exact};
    if (empties < kPrepareFrom || last <= kPrepareAt) return {last};
    return {kPrepareAt, last};
}

/// The game is over, or no root move is wanted.
SolveResult nothing_to_play(const Board& board) {
    SolveResult r;
    r.score = final_score(board);
    r.known = r.complete = board.over();
    return r;
}

/// A result of the other side's, seen from the side that passed.
SolveResult after_pass(SolveResult r) {
    r.score = -r.score;
    r.best = kPass;
    r.line.insert(r.line.begin(), kPass);
    if (r.lines.size() > 1) r.lines.resize(1);
    if (!r.lines.empty()) r.lines[0] = {r.score, r.best, r.line};
    return r;
}

}  // namespace

struct Solver::State {
    explicit State(const SolverOptions& o)
        : options(o), weights(weights_of(o)), table(o.hash_megabytes) {}

    SolveTools tools() { return {table, weights.get(), options.threads}; }
    SolveResult climb(const Board& board, const SolveRequest& request, const Steps& steps,
                      const StepSink& on_step);
    SolveResult climb_passed(const Board& board, const SolveRequest& request, const Steps& steps,
                             const StepSink& on_step);

    SolverOptions options;
    std::shared_ptr<const Weights> weights;  ///< null: no evaluation
    EndgameTable table;
};

SolveResult Solver::State::climb_passed(const Board& board, const SolveRequest& request,
                                        const Steps& steps, const StepSink& on_step) {
    SolveRequest turned;
    turned.mode = request.mode;
    turned.selectivity = request.selectivity;
    turned.alpha = -request.beta;
    turned.beta = -request.alpha;
    turned.stop = request.stop;
    turned.deadline = request.deadline;
    turned.nodes = request.nodes;
    StepSink turned_sink;
    if (on_step) turned_sink = [&](const SolveResult& r) { on_step(after_pass(r)); };
    const SolveResult r = climb(board.passed(), turned, steps, turned_sink);
    return r.known ? after_pass(r) : r;
}

SolveResult Solver::State::climb(const Board& board, const SolveRequest& request,
                                 const Steps& steps, const StepSink& on_step) {
    if (board.must_pass()) return climb_passed(board, request, steps, on_step);
    if ((board.moves() & request.only_moves) == 0) return nothing_to_play(board);
    const auto start = Clock::now();
    RootSolve root(tools(), board, request);
    SolveResult result;
    for (const Selectivity level : steps) {
        const bool finished = root.step(level);
        const auto spent = Clock::now() - start;
        if (finished) result = root.result();
        result.nodes = root.nodes();
        result.time_us = std::chrono::duration_cast<std::chrono::microseconds>(spent).count();
        result.complete = finished && level == steps.back();
        if (!finished) break;
        if (on_step) on_step(result);
    }
    return result;
}

Solver::Solver(SolverOptions options) : state_(std::make_unique<State>(options)) {}
Solver::~Solver() = default;

void Solver::clear() {
    state_->table.clear();
}

void Solver::resize(std::size_t hash_megabytes) {
    state_->options.hash_megabytes = hash_megabytes;
    state_->table.resize(hash_megabytes);
}

void Solver::set_threads(int threads) {
    state_->options.threads = threads;
}

bool Solver::has_evaluation() const {
    return state_->weights != nullptr;
}

std::string Solver::evaluation() const {
    return state_->weights ? state_->weights->id() : "none";
}

SolveResult Solver::solve(const Board& board, const SolveRequest& request) {
    const Steps steps = quickest_steps(state_->tools(), board.empties(), request.selectivity);
    return state_->climb(board, request, steps, {});
}

SolveResult Solver::solve_step(const Board& board, const SolveRequest& request) {
    return state_->climb(board, request, {request.selectivity}, {});
}

SolveResult Solver::solve_ladder(const Board& board, const LadderRequest& request) {
    const Steps steps =
        all_steps(state_->tools(), board.empties(), request.first, request.solve.selectivity);
    return state_->climb(board, request.solve, steps, request.on_step);
}

}  // namespace karikomi::othello
