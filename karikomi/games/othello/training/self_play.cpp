#include "karikomi/games/othello/training/self_play.hpp"

#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include "karikomi/games/othello/shallow.hpp"
#include "karikomi/games/othello/solver.hpp"

namespace karikomi::othello {
namespace {

using Clock = std::chrono::steady_clock;
using Random = std::mt19937_64;

constexpr int kHoldOutEvery = 20;    ///< one game in so many is kept for judging
constexpr int kSolverMegabytes = 4;  ///< small: cleared by use, and it stays in the cache

/// One thread's means of playing.
class Player {
public:
    Player(const Weights& weights, const SelfPlayOptions& options)
        : options_(options),
          search_(weights),
          solver_({.hash_megabytes = kSolverMegabytes, .weights = &weights}) {}

    void play_game(Random& random, bool held_out, std::vector<Sample>& out);

private:
    Board random_opening(Random& random) const;
    Square choose(const Board& board);

    const SelfPlayOptions& options_;
    ShallowSearch search_;
    Solver solver_;
    std::vector<Square> plan_;  ///< exact play from here on, the next move last
};

/// Ends early where the game does.
Board Player::random_opening(Random& random) const {
    std::uniform_real_distribution<float> share(0, 1);
    const bool late = share(random) < options_.late_share;
    std::uniform_int_distribution<int> plies(options_.random_min,
                                             late ? options_.late_max : options_.random_max);
    Board board = start_position().board;
    for (int left = plies(random); left > 0 && !board.over(); --left) {
        Bits moves = board.moves();
        if (moves == 0) {
            board.pass();
            continue;
        }
        std::uniform_int_distribution<int> which(0, std::popcount(moves) - 1);
        for (int skip = which(random); skip > 0; --skip) moves &= moves - 1;
        board.play(lowest(moves), board.flips(lowest(moves)));
    }
    return board;
}

Square Player::choose(const Board& board) {
    if (board.empties() > options_.solve_from) return search_.best(board, options_.depth).square;
    if (plan_.empty()) {
        plan_ = solver_.solve(board).line;
        std::reverse(plan_.begin(), plan_.end());
        std::erase(plan_, kPass);  // passes are played without asking
    }
    const Square square = plan_.back();
    plan_.pop_back();
    return square;
}

void Player::play_game(Random& random, bool held_out, std::vector<Sample>& out) {
    Board board = random_opening(random);
    plan_.clear();
    const std::size_t first = out.size();
    std::vector<int> side;  // +1 for the mover of the first recorded position
    int sign = 1;
    while (!board.over()) {
        if (board.moves() == 0) {
            board.pass();
            sign = -sign;
            continue;
        }
        out.push_back({board.own, board.other, 0, static_cast<std::uint8_t>(held_out)});
        side.push_back(sign);
        const Square square = choose(board);
        board.play(square, board.flips(square));
        sign = -sign;
    }
    const int score = sign * final_score(board);
    for (std::size_t i = first; i < out.size(); ++i) {
        out[i].score = static_cast<std::int8_t>(score * side[i - first]);
    }
}

/// Threads take the next chunk that is not there yet.
class Run {
public:
    Run(const Weights& weights, const SelfPlayOptions& options)
        : weights_(weights), options_(options) {}

    Status work() {
        std::vector<std::thread> threads;
        threads.reserve(static_cast<std::size_t>(options_.threads));
        for (int i = 0; i < options_.threads; ++i) threads.emplace_back([this] { work_one(); });
        for (std::thread& t : threads) t.join();
        return trouble_;
    }
    int done() const { return done_; }

private:
    bool over() const {
        const std::chrono::duration<double> spent = Clock::now() - start_;
        return (options_.stop != nullptr && *options_.stop) ||
               (options_.seconds > 0 && spent.count() > options_.seconds);
    }
    void work_one() {
        Player player(weights_, options_);
        for (int chunk = next_++; chunk < options_.chunks; chunk = next_++) {
            if (!std::filesystem::exists(chunk_path(options_.folder, chunk))) {
                Random random(options_.seed * 1'000'003 + static_cast<std::uint64_t>(chunk));
                std::vector<Sample> samples;
                for (int game = 0; game < options_.games_per_chunk; ++game) {
                    if (over()) return;  // an unfinished chunk is dropped
                    player.play_game(random, game % kHoldOutEvery == 0, samples);
                }
                const Status written = write_chunk(options_.folder, chunk, samples);
                const std::lock_guard lock(mutex_);
                if (!written) {
                    trouble_ = written;
                    return;
                }
            }
            const std::lock_guard lock(mutex_);
            ++done_;
            if (options_.progress) options_.progress(done_, options_.chunks);
        }
    }

    const Weights& weights_;
    const SelfPlayOptions& options_;
    Clock::time_point start_ = Clock::now();
    std::atomic<int> next_{0};
    std::mutex mutex_;
    int done_ = 0;
    Status trouble_;
};

}  // namespace

Expected<int> play_games(const Weights& weights, const SelfPlayOptions& options) {
    std::error_code trouble;
    std::filesystem::create_directories(options.folder, trouble);
    Run run(weights, options);
    if (const Status s = run.work(); !s) return s.error();
    return run.done();
}

}  // namespace karikomi::othello
