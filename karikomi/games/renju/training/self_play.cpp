#include "karikomi/games/renju/training/self_play.hpp"

#include <random>

#include "karikomi/games/renju/engine.hpp"
#include "karikomi/games/renju/game.hpp"

namespace karikomi::renju {
namespace {

using Random = std::mt19937_64;

constexpr int kHoldOutEvery = 20;   ///< one game in so many is kept for judging
constexpr std::size_t kHashMb = 1;  ///< a thread: cleared for every game, and it stays in the cache

/// One thread's means of playing.
class Player {
public:
    Player(const std::shared_ptr<const Weights>& weights, const SelfPlayOptions& options)
        : o_(options),
          rule_(weights->rule()),
          engine_(make_training_engine(weights)),
          pos_(rules()) {
        engine_->set_hash(kHashMb);
    }

    /// False when the opening was no good.
    bool play_game(Random& random, TrainingGame& game);

private:
    Rules rules() const { return {rule_, kUsualSize}; }
    void make(Cell c) {
        Undo undo;
        (void)engine_->play(Notation::format_cell(c));
        pos_.make(Move::from_cell(c), undo);
    }
    Cell random_candidate(Random& random) const {
        MoveList<Move, Game::kMaxMoves> moves;
        pos_.generate_candidates(moves);
        return moves.empty() ? kNoCell : moves[random() % moves.size()].move.cell();
    }
    bool open(Random& random, TrainingGame& game);

    struct Found {
        Cell best = kNoCell;
        Value value = 0;
    };
    Found think() {
        SearchRequest request;
        request.limits.nodes = o_.nodes;
        const auto r = engine_->search(request);
        if (!r || r->lines.empty() || r->lines.front().bound == Bound::None) return {};
        return {Notation::parse_cell(r->best_move, kUsualSize), r->lines.front().value};
    }

    const SelfPlayOptions& o_;
    Rule rule_;
    std::unique_ptr<Engine> engine_;
    Position pos_;
};

/// The first stone anywhere but at the edge, the others near stones.
bool Player::open(Random& random, TrainingGame& game) {
    constexpr int kMargin = 4;
    constexpr auto kInner = static_cast<std::uint64_t>(kUsualSize - 2 * kMargin);
    pos_ = Position(rules());
    (void)engine_->set_position({}, {});
    engine_->new_game();
    const auto spread = static_cast<std::uint64_t>(o_.random_max - o_.random_min + 1);
    const int stones = o_.random_min + static_cast<int>(random() % spread);
    for (int i = 0; i < stones; ++i) {
        const Cell c = i == 0 ? cell_at(kMargin + static_cast<int>(random() % kInner),
                                        kMargin + static_cast<int>(random() % kInner))
                              : random_candidate(random);
        if (c == kNoCell) return false;
        game.plies.push_back({number_of_cell(c)});
        make(c);
        if (pos_.outcome(0)) return false;
    }
    const Found found = think();
    return found.best != kNoCell && std::abs(found.value) <= o_.balanced;
}

bool Player::play_game(Random& random, TrainingGame& game) {
    game.plies.clear();
    game.winner = 0;
    if (!open(random, game)) return false;
    std::bernoulli_distribution at_random(o_.random_share);
    while (static_cast<int>(game.plies.size()) < o_.longest) {
        const int sign = pos_.side() == kBlack ? 1 : -1;
        if (const auto over = pos_.outcome(0)) {
            game.winner = static_cast<std::int8_t>(*over > 0 ? sign : *over < 0 ? -sign : 0);
            break;
        }
        const Found found = think();
        if (found.best == kNoCell) break;
        if (is_decisive(found.value)) {
            game.winner = static_cast<std::int8_t>(found.value > 0 ? sign : -sign);
            game.plies.push_back({number_of_cell(found.best), number_of_cell(found.best),
                                  static_cast<std::int16_t>(found.value)});
            break;
        }
        const Cell c = at_random(random) ? random_candidate(random) : found.best;
        game.plies.push_back({number_of_cell(c), number_of_cell(found.best),
                              static_cast<std::int16_t>(found.value)});
        make(c);
    }
    return true;
}

}  // namespace

Expected<int> play_games(const std::shared_ptr<const Weights>& weights,
                         const SelfPlayOptions& options) {
    ChunkRun run(options);
    const auto fill = [&](Player& player, int chunk) -> Status {
        Random random = run.random_of(chunk);
        std::vector<TrainingGame> games;
        while (static_cast<int>(games.size()) < options.games_per_chunk) {
            if (run.over()) return {};  // an unfinished chunk is dropped
            TrainingGame game;
            if (!player.play_game(random, game)) continue;
            game.held_out = games.size() % kHoldOutEvery == 0;
            games.push_back(std::move(game));
        }
        return write_games(options.folder, chunk, games);
    };
    return run.work([&] { return std::make_unique<Player>(weights, options); },
                    [&](int chunk) { return games_path(options.folder, chunk); }, fill);
}

}  // namespace karikomi::renju
