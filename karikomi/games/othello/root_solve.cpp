#include "karikomi/games/othello/root_solve.hpp"

#include <algorithm>
#include <deque>
#include <thread>

namespace karikomi::othello {

namespace {

constexpr int kThreadsFrom = 14;     ///< below this many empties more threads only get in the way
constexpr int kCheapEmpties = 12;    ///< a line may search again up to here where the table forgot
constexpr int kFirstHint = 1 << 29;  ///< above every value that order_moves gives
constexpr int kMostRetries = 4;      ///< of the narrow window; then it is opened

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

/// A move that keeps `score`, found by searching again; kNoSquare where there is none, where
/// finding it would take long, or after a stop.
Square move_worth(EndgameSearch& search, const Board& board, int score) {
    const int empties = board.empties();
    for (Bits moves = board.moves(); moves != 0; moves &= moves - 1) {
        if (board.flips(lowest(moves)) == board.other) return lowest(moves);
    }
    if (empties > kCheapEmpties) return kNoSquare;
    for (Bits moves = board.moves(); moves != 0; moves &= moves - 1) {
        const Square square = lowest(moves);
        const Board next = board.after(square, board.flips(square));
        const bool keeps = -search.null_window(next, next.moves(), -score, empties - 1) >= score;
        if (search.stopped()) return kNoSquare;
        if (keeps) return square;
    }
    return kNoSquare;
}

/// The same for the tail of a line whose score may rest on selective cuts: near the end the score
/// is found anew.
Square tail_move(EndgameSearch& search, const Board& board, int& score) {
    const Square square = move_worth(search, board, score);
    const int empties = board.empties();
    if (square != kNoSquare || empties > kCheapEmpties || search.stopped()) return square;
    score = search.full_window(board, -64, 64, empties);
    return move_worth(search, board, score);
}

/// Best play from a board worth `score`, beginning with `first`.
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
        if (square == kNoSquare && table.probe(hash_key(board), search.selectivity(), bounds) &&
            bounds.lower == score && bounds.best < kPass && (moves & bit(bounds.best)) != 0) {
            square = bounds.best;
        }
        if (square == kNoSquare) square = tail_move(search, board, score);
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

bool has_selective_levels(const SolveTools& tools, int empties) {
    return tools.weights != nullptr && empties > EndgameProbCut::kLeastEmpties;
}

RootSolve::RootSolve(const SolveTools& tools, const Board& board, const SolveRequest& request)
    : tools_(tools),
      board_(board),
      empties_(board.empties()),
      request_(request),
      stop_(request.stop, request.deadline, request.nodes),
      order_(request.order) {
    if (request.guess) guesses_ = {*request.guess};
    if (!request.continues) tools_.table.new_search();
}

RootSolve::Window RootSolve::widest() const {
    if (by_sign()) return {-1, 1};
    if (request_.lines > 1) return {};
    return {request_.alpha, request_.beta};
}

/// In the order of the last step or the caller's hint, then as at any other node.
EndgameMoves RootSolve::root_moves(EndgameSearch& search, Bits mask) const {
    EndgameMoves moves;
    if (!moves.generate(board_, mask)) {
        moves.keep_only(moves.size() - 1);
        return moves;
    }
    Bounds bounds;
    tools_.table.probe(hash_key(board_), Selectivity::Exact, bounds);
    search.order(moves, {board_, empties_, 64, bounds});
    for (EndgameMove& m : moves) {
        const auto hint = std::find(order_.begin(), order_.end(), m.square);
        if (hint != order_.end()) m.order = kFirstHint - static_cast<int>(hint - order_.begin());
    }
    return moves;
}

/// Around the score of the last step first, which is most often right or nearly so.
BestMove RootSolve::search_moves(EndgameSearch& search, Bits mask, const int* guess) {
    const Window widest = this->widest();
    Window w = widest;
    if (guess != nullptr) {
        w.alpha = std::clamp(*guess - 1, widest.alpha, widest.beta - 1);
        w.beta = std::clamp(*guess + 1, w.alpha + 1, widest.beta);
    }
    for (int retry = 1;; ++retry) {
        EndgameMoves moves = root_moves(search, mask);
        const BestMove best = search.best_of(moves, w.alpha, w.beta, empties_);
        if (search.stopped()) return best;
        const bool low = best.score <= w.alpha && w.alpha > widest.alpha;
        const bool high = best.score >= w.beta && w.beta < widest.beta;
        if (!low) {
            std::erase(order_, best.square);
            order_.insert(order_.begin(), best.square);
        }
        if (!low && !high) {
            if (mask == board_.moves()) {
                tools_.table.store(hash_key(board_), {empties_, search.selectivity(), w.alpha,
                                                      w.beta, best.score, best.square});
            }
            return best;
        }
        // Selective searches may contradict each other for ever.
        const bool open = retry >= kMostRetries;
        w = Window{low || open ? widest.alpha : best.score - 1,
                   high || open ? widest.beta : best.score + 1};
    }
}

void RootSolve::complete_line(EndgameSearch& search, SolveLine& line) const {
    const Window w = widest();
    const bool exact = line.score > w.alpha && line.score < w.beta;
    const bool whole = w.alpha <= -64 && w.beta >= 64;
    if (!by_sign() && (exact || whole)) {
        line.line = best_line(search, tools_.table, board_, line.best, line.score);
    } else {
        line.line = {line.best};
    }
}

void RootSolve::publish(std::vector<SolveLine> lines, Selectivity level) {
    guesses_.clear();
    for (SolveLine& l : lines) {
        guesses_.push_back(l.score);
        if (by_sign()) l.score = sign(l.score);
    }
    result_.score = lines.front().score;
    result_.best = lines.front().best;
    result_.line = lines.front().line;
    result_.lines = std::move(lines);
    result_.selectivity = level;
    result_.known = true;
}

bool RootSolve::step(Selectivity level) {
    const int helpers = empties_ >= kThreadsFrom ? std::max(0, tools_.threads - 1) : 0;
    SplitPool pool;
    const EndgameShared shared{tools_.table, stop_, helpers > 0 ? &pool : nullptr, tools_.weights,
                               level};
    EndgameSearch search(shared);
    Helpers others(shared, helpers);
    Bits mask = board_.moves() & request_.only_moves;
    std::vector<SolveLine> lines;
    for (std::size_t i = 0; mask != 0 && i < static_cast<std::size_t>(request_.lines); ++i) {
        const BestMove best =
            search_moves(search, mask, i < guesses_.size() ? &guesses_[i] : nullptr);
        if (search.stopped()) break;
        lines.push_back({best.score, best.square, {}});
        mask &= ~bit(best.square);
    }
    nodes_ += others.finish();
    const bool whole = !search.stopped();
    if (whole) {
        for (SolveLine& l : lines) complete_line(search, l);
    }
    nodes_ += search.nodes();
    if (whole) publish(std::move(lines), level);
    return whole;
}

}  // namespace karikomi::othello
