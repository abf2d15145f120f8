#include "karikomi/games/othello/training/self_play.hpp"

#include <cmath>
#include <memory>
#include <random>

#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/shallow.hpp"
#include "karikomi/games/othello/solver.hpp"

namespace karikomi::othello {
namespace {

using Random = std::mt19937_64;

constexpr int kHoldOutEvery = 20;    ///< one game in so many is kept for judging
constexpr int kSolverMegabytes = 4;  ///< small: cleared by use, and it stays in the cache
constexpr int kHashMegabytes = 8;    ///< of the whole search

Square random_move(Bits moves, Random& random) {
    std::uniform_int_distribution<int> which(0, std::popcount(moves) - 1);
    for (int skip = which(random); skip > 0; --skip) moves &= moves - 1;
    return lowest(moves);
}

/// One thread's means of playing.
class Player {
public:
    Player(const std::shared_ptr<const Weights>& weights, const SelfPlayOptions& options)
        : options_(options),
          search_(*weights),
          solver_({.hash_megabytes = kSolverMegabytes, .weights = weights}) {
        if (options.nodes == 0) return;
        engine_ = make_training_engine(weights);
        engine_->set_hash(kHashMegabytes);
    }

    void play_game(Random& random, bool held_out, std::vector<Sample>& out);

private:
    struct Choice {
        Square square = kNoSquare;
        int value = 0;  ///< in 1/100 disc, for the side to move
        bool exact = false;
    };
    /// A recorded position and how the game went on from it.
    struct Step {
        std::size_t sample = 0;
        int side = 1;           ///< +1 where Black of the first recorded position is to move
        bool followed = false;  ///< the chosen move was played
    };
    Board random_opening(Random& random);
    Board random_plies(Random& random) const;
    Choice choose(const Board& board);
    Choice search(const Board& board);
    void label(std::vector<Sample>& samples, const std::vector<Step>& steps) const;

    const SelfPlayOptions& options_;
    ShallowSearch search_;
    std::unique_ptr<Engine> engine_;  ///< null: search_ plays
    Solver solver_;
    std::vector<Square> plan_;  ///< exact play from here on, the next move last
    int plan_value_ = 0;        ///< for the side to move
};

/// Ends early where the game does.
Board Player::random_plies(Random& random) const {
    std::uniform_int_distribution<int> plies(options_.random_min, options_.random_max);
    Board board = start_position().board;
    for (int left = plies(random); left > 0 && !board.over(); --left) {
        const Bits moves = board.moves();
        if (moves == 0) {
            board.pass();
            continue;
        }
        const Square square = random_move(moves, random);
        board.play(square, board.flips(square));
    }
    return board;
}

Board Player::random_opening(Random& random) {
    constexpr int kProbe = 3;
    constexpr int kTries = 20;  // weights that know nothing find nothing balanced
    Board board = random_plies(random);
    for (int i = 0; i < kTries; ++i) {
        const int value = search_.value(board, kProbe, -kMostDiscs, kMostDiscs);
        if (std::abs(value) <= options_.most_lead * kDisc) break;
        board = random_plies(random);
    }
    return board;
}

Player::Choice Player::search(const Board& board) {
    if (engine_) {
        SearchRequest request;
        request.limits.nodes = options_.nodes;
        if (engine_->set_position(format_obf({board, Colour::Black}))) {
            const auto found = engine_->search(request);
            const auto square = parse_square(found ? found->best_move : "");
            if (square && !found->lines.empty() && found->lines.front().bound != Bound::None) {
                return {*square, found->lines.front().value, false};
            }
        }
    }
    const auto best = search_.best(board, options_.depth);
    return {best.square, best.value, false};
}

Player::Choice Player::choose(const Board& board) {
    if (board.empties() > options_.solve_from) return search(board);
    if (plan_.empty()) {
        const SolveResult result = solver_.solve(board);
        plan_ = result.line;
        plan_value_ = result.score * kDisc;
        std::reverse(plan_.begin(), plan_.end());
        std::erase(plan_, kPass);  // passes are played without asking
    }
    return {plan_.back(), plan_value_, true};
}

void Player::label(std::vector<Sample>& samples, const std::vector<Step>& steps) const {
    for (std::size_t i = steps.size(); i-- > 1;) {
        Sample& s = samples[steps[i - 1].sample];
        if (s.exact != 0 || !steps[i - 1].followed) continue;
        const int sign = steps[i - 1].side * steps[i].side;
        const auto later = static_cast<float>(sign * samples[steps[i].sample].value);
        const float mean = (1 - options_.lambda) * s.value + options_.lambda * later;
        s.value = static_cast<std::int16_t>(std::lround(mean));
    }
}

void Player::play_game(Random& random, bool held_out, std::vector<Sample>& out) {
    std::bernoulli_distribution at_random(options_.random_share);
    Board board = random_opening(random);
    if (engine_) engine_->new_game();
    plan_.clear();
    std::vector<Step> steps;
    int side = 1;
    const auto next_side = [&] {
        side = -side;
        plan_value_ = -plan_value_;
    };
    for (; !board.over(); next_side()) {
        if (board.moves() == 0) {
            board.pass();
            continue;
        }
        const Choice chosen = choose(board);
        const Square square =
            at_random(random) ? random_move(board.moves(), random) : chosen.square;
        steps.push_back({out.size(), side, square == chosen.square});
        out.push_back({board.own, board.other, static_cast<std::int16_t>(chosen.value),
                       static_cast<std::uint8_t>(chosen.exact),
                       static_cast<std::uint8_t>(held_out)});
        if (square != chosen.square) {
            plan_.clear();
        } else if (!plan_.empty()) {
            plan_.pop_back();
        }
        board.play(square, board.flips(square));
    }
    label(out, steps);
}

}  // namespace

Expected<int> play_games(const std::shared_ptr<const Weights>& weights,
                         const SelfPlayOptions& options) {
    ChunkRun run(options);
    const auto fill = [&](Player& player, int chunk) -> Status {
        Random random = run.random_of(chunk);
        std::vector<Sample> samples;
        for (int game = 0; game < options.games_per_chunk; ++game) {
            if (run.over()) return {};  // an unfinished chunk is dropped
            player.play_game(random, game % kHoldOutEvery == 0, samples);
        }
        return write_chunk(options.folder, chunk, samples);
    };
    return run.work([&] { return std::make_unique<Player>(weights, options); },
                    [&](int chunk) { return chunk_path(options.folder, chunk); }, fill);
}

}  // namespace karikomi::othello
