#include "karikomi/games/othello/solver.hpp"

#include <algorithm>

#include "karikomi/games/othello/root_solve.hpp"

namespace karikomi::othello {

namespace {

using Clock = std::chrono::steady_clock;

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

const Weights* weights_of(const SolverOptions& options) {
    if (!options.use_evaluation) return nullptr;
    const Weights& weights = options.weights != nullptr ? *options.weights : active_weights();
    return are_blank(weights) ? nullptr : &weights;
}

/// Where no step makes selective cuts the first one is exact already.
Selectivity first_step(const SolveTools& tools, int empties, const LadderRequest& request) {
    if (!has_selective_levels(tools, empties)) return Selectivity::Exact;
    return std::min(request.first, request.solve.selectivity);
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

    SolveResult climb(const Board& board, const LadderRequest& request);
    SolveResult climb_passed(const Board& board, const LadderRequest& request);

    SolverOptions options;
    const Weights* weights;  ///< null: no evaluation
    EndgameTable table;
};

SolveResult Solver::State::climb_passed(const Board& board, const LadderRequest& request) {
    LadderRequest turned = request;
    turned.solve.alpha = -request.solve.beta;
    turned.solve.beta = -request.solve.alpha;
    turned.solve.lines = 1;
    turned.solve.only_moves = ~Bits{0};
    turned.solve.order.clear();
    if (request.on_step) {
        turned.on_step = [&](const SolveResult& r) { request.on_step(after_pass(r)); };
    }
    const SolveResult r = climb(board.passed(), turned);
    return r.known ? after_pass(r) : r;
}

SolveResult Solver::State::climb(const Board& board, const LadderRequest& request) {
    if (board.must_pass()) return climb_passed(board, request);
    if ((board.moves() & request.solve.only_moves) == 0) return nothing_to_play(board);
    const auto start = Clock::now();
    const SolveTools tools{table, weights, options.threads};
    const int empties = board.empties();
    const Selectivity last =
        std::max(request.solve.selectivity, first_step(tools, empties, request));
    RootSolve root(tools, board, request.solve);
    SolveResult result;
    for (Selectivity level = first_step(tools, empties, request);; level = next_level(level)) {
        const bool finished = root.step(level);
        const auto spent =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
        if (finished) result = root.result();
        result.nodes = root.nodes();
        result.time_us = spent.count();
        result.complete = finished && level >= last;
        if (finished && request.on_step) request.on_step(result);
        if (!finished || level >= last) return result;
    }
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

SolveResult Solver::solve(const Board& board, const SolveRequest& request) {
    return state_->climb(board, LadderRequest{request, request.selectivity, {}});
}

SolveResult Solver::solve_ladder(const Board& board, const LadderRequest& request) {
    return state_->climb(board, request);
}

}  // namespace karikomi::othello
