#include "karikomi/games/othello/solver.hpp"

#include <algorithm>
#include <deque>
#include <thread>

#include "karikomi/games/othello/endgame_search.hpp"

namespace karikomi::othello {

namespace {

constexpr int kThreadsFrom = 14;   ///< below this many empties more threads only get in the way
constexpr int kCheapEmpties = 12;  ///< a line may search again up to here where the table forgot

int sign(int score) {
    return (score > 0) - (score < 0);
}

/// The threads beside the caller's; they end with this object.
class Helpers {
public:
    Helpers(const EndgameShared& shared, int count) : pool_(shared.pool) {
        for (int i = 0; i < count; ++i) searches_.emplace_back(shared);
        for (EndgameSearch& s : searches_) {
            threads_.emplace_back([&s] { s.help_until_shut_down(); });
        }
    }
    ~Helpers() { finish(); }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Nodes that the helpers searched; they are gone afterwards.
    std::uint64_t finish() {
        if (pool_ != nullptr) pool_->shut_down();
        for (std::thread& t : threads_) t.join();
        threads_.clear();
        std::uint64_t nodes = 0;
        for (const EndgameSearch& s : searches_) nodes += s.nodes();
        return nodes;
    }

private:
    SplitPool* pool_;
    std::deque<EndgameSearch> searches_;
    std::vector<std::thread> threads_;
};

/// A move that keeps `score`, found by searching again; kNoSquare where that would take long.
Square move_worth(EndgameSearch& search, const Board& board, int score) {
    const int empties = board.empties();
    for (Bits moves = board.moves(); moves != 0; moves &= moves - 1) {
        if (board.flips(lowest(moves)) == board.other) return lowest(moves);
    }
    if (empties > kCheapEmpties) return kNoSquare;
    for (Bits moves = board.moves(); moves != 0; moves &= moves - 1) {
        const Square square = lowest(moves);
        const Board next = board.after(square, board.flips(square));
        if (-search.null_window(next, -score, empties - 1) >= score) return square;
    }
    return kNoSquare;
}

/// The move to show: `found` by the search, or one that is as good. Below the window none is
/// better than another, so any will do.
Square root_move(EndgameSearch& search, const Board& board, Square found, int score) {
    const Bits moves = board.moves();
    if (moves == 0) return board.replies() != 0 ? kPass : kNoSquare;
    if (found == kNoSquare) found = move_worth(search, board, score);
    return found == kNoSquare ? lowest(moves) : found;
}

/// Best play from a board whose exact score is known.
std::vector<Square> best_line(EndgameSearch& search, const EndgameTable& table, Board board,
                              Square first, int score) {
    std::vector<Square> line;
    for (Square square = first;; square = kNoSquare) {
        const Bits moves = board.moves();
        if (moves == 0) {
            if (board.replies() == 0) return line;
            square = kPass;
        }
        Bounds bounds;
        if (square == kNoSquare && table.probe(hash_key(board), bounds) && bounds.lower == score &&
            bounds.best < kPass && (moves & bit(bounds.best)) != 0) {
            square = bounds.best;
        }
        if (square == kNoSquare) square = move_worth(search, board, score);
        if (square == kNoSquare) return line;
        line.push_back(square);
        if (square == kPass) {
            board.pass();
        } else {
            board.play(square, board.flips(square));
        }
        score = -score;
    }
}

}  // namespace

struct Solver::State {
    explicit State(const SolverOptions& o) : options(o), table(o.hash_megabytes) {}
    SolverOptions options;
    EndgameTable table;
};

Solver::Solver(SolverOptions options) : state_(std::make_unique<State>(options)) {}
Solver::~Solver() = default;

void Solver::clear() {
    state_->table.clear();
}

SolveResult Solver::solve(const Board& board, const SolveRequest& request) {
    EndgameTable& table = state_->table;
    table.new_search();
    const int empties = board.empties();
    const int helpers = empties >= kThreadsFrom ? std::max(0, state_->options.threads - 1) : 0;
    SplitPool pool;
    const EndgameShared shared{table, request.stop, helpers > 0 ? &pool : nullptr,
                               state_->options.evaluator};
    EndgameSearch search(shared);
    Helpers others(shared, helpers);

    const bool sign_only = request.mode == SolveMode::WinLossDraw;
    const int alpha = sign_only ? -1 : request.alpha;
    const int beta = sign_only ? 1 : request.beta;
    SolveResult result;
    result.score = search.full_window(board, alpha, beta, empties, &result.best);
    result.nodes = others.finish();
    result.complete = !search.stopped();
    if (result.complete) {
        const bool exact = !sign_only && result.score > alpha && result.score < beta;
        const bool whole = !sign_only && alpha <= -64 && beta >= 64;
        result.best =
            root_move(search, board, result.best, sign_only ? sign(result.score) : result.score);
        if (exact || whole) {
            result.line = best_line(search, table, board, result.best, result.score);
        } else if (result.best != kNoSquare) {
            result.line = {result.best};
        }
    }
    if (sign_only) result.score = sign(result.score);
    result.nodes += search.nodes();
    return result;
}

}  // namespace karikomi::othello
