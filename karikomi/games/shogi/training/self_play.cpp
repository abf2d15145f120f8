#include "karikomi/games/shogi/training/self_play.hpp"

#include <algorithm>
#include <mutex>
#include <random>

#include "karikomi/engine/params.hpp"
#include "karikomi/games/shogi/engine.hpp"
#include "karikomi/games/shogi/game.hpp"

namespace karikomi::shogi {
namespace {

using Random = std::mt19937_64;

constexpr int kHoldOutEvery = 20;   ///< one game in so many is kept for judging
constexpr std::size_t kHashMb = 8;  ///< a thread
constexpr int kClearPlies = 6;      ///< of a won position before it is believed
constexpr int kStrayPlies = 80;     ///< up to here a move of a game that strays may be random
constexpr std::uint64_t kStrayEvery = 25;
constexpr std::uint64_t kStrayGames = 2;  ///< one game in so many strays

/// Positions that a search of this thread evaluates, a few at random: quiet ones.
class Leaves final : public EvaluationWatch {
public:
    /// About so many a search of so many nodes.
    Leaves(int count, std::uint64_t nodes)
        : gap_(count > 0 ? std::max<std::uint64_t>(1, nodes / static_cast<unsigned>(count)) : 0) {}

    void see(const Position& p) override {
        if (--wait_ > 0) return;
        wait_ = 1 + static_cast<std::int64_t>((*random_)() % (2 * gap_));
        if (is_quiet(p)) found.push_back(p.board());
    }
    void begin(Random& random) {
        found.clear();
        if (gap_ == 0) return;
        random_ = &random;
        wait_ = 1 + static_cast<std::int64_t>(random() % gap_);
        evaluation_watch = this;
    }
    static void end() { evaluation_watch = nullptr; }

    std::vector<Board> found;

private:
    /// Nothing to be won at once.
    static bool is_quiet(const Position& p) {
        if (p.in_check()) return false;
        MoveList<Move, kMaxMoves> moves;
        p.generate_tactical(moves);
        return std::ranges::none_of(moves,
                                    [&](const auto& m) { return p.exchange_value(m.move) > 0; });
    }

    std::uint64_t gap_;
    std::int64_t wait_ = 0;
    Random* random_ = nullptr;
};

/// What a chunk is made of.
struct Harvest {
    std::vector<Sample> samples;
    std::vector<Sample> leaves;
};

/// One thread's means of playing.
class Player {
public:
    Player(const SelfPlayOptions& options, std::unique_ptr<Engine> engine,
           std::unique_ptr<Engine> side_engine)
        : o_(options),
          engine_(std::move(engine)),
          side_engine_(std::move(side_engine)),
          leaves_(options.leaves, options.nodes) {
        engine_->set_hash(kHashMb);
        side_engine_->set_hash(kHashMb);
    }

    /// The result for Black; nothing when the opening was no good.
    std::optional<int> play_game(Random& random, bool held_out, Harvest& harvest);

private:
    static std::uint64_t below(Random& random, std::uint64_t n) { return random() % n; }
    bool play_random_move(Random& random) {
        MoveList<Move, kMaxMoves> moves;
        pos_.generate(moves);
        if (moves.empty()) return false;
        make(moves[below(random, moves.size())].move);
        return true;
    }
    void make(Move m) {
        Position::Undo undo;
        (void)engine_->play(format_usi(m));
        pos_.make(m, undo);
    }
    bool open(Random& random);
    Expected<Result> think(Engine& engine) const {
        SearchRequest request;
        request.limits.nodes = o_.nodes;
        return engine.search(request);
    }
    /// The sample, if the position is quiet after this search.
    std::optional<Sample> sample(const Position& pos, const Result& r, bool held_out) const;
    /// Keeps what the search that has just ended met on its way.
    void keep_leaves(Random& random, bool held_out, std::vector<Sample>& side, Harvest& harvest);

    const SelfPlayOptions& o_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Engine> side_engine_;  ///< for positions that are not of the game
    Leaves leaves_;
    Position pos_;
};

bool is_known(const Expected<Result>& r) {
    return r && !r->lines.empty() && r->lines.front().bound != Bound::None;
}

std::optional<Sample> Player::sample(const Position& pos, const Result& r, bool held_out) const {
    const Value v = r.lines.front().value;
    const auto best = Notation::parse_move(pos, r.best_move);
    if (!best || pos.in_check() || pos.is_tactical(*best) || std::abs(v) >= o_.most_value) {
        return std::nullopt;
    }
    Sample s = pack(pos.board());
    s.score = static_cast<std::int16_t>(v);
    s.ply = static_cast<std::uint16_t>(pos.move_number());
    if (held_out) s.flags = static_cast<std::uint8_t>(s.flags | Sample::kHeldOut);
    return s;
}

void Player::keep_leaves(Random& random, bool held_out, std::vector<Sample>& side,
                         Harvest& harvest) {
    const std::vector<Board>& found = leaves_.found;
    if (found.empty()) return;
    if (!held_out) {  // what lies around a game that judges is not learnt either
        for (const Board& b : found) harvest.leaves.push_back(pack(b));
    }
    if (o_.side_every == 0 || below(random, static_cast<unsigned>(o_.side_every)) != 0) return;
    const std::string sfen = format_sfen(found[below(random, found.size())], 1);
    const auto pos = Notation::parse(sfen);
    if (!pos || !side_engine_->set_position(sfen)) return;
    const auto r = think(*side_engine_);
    if (!is_known(r)) return;
    if (auto s = sample(*pos, *r, held_out)) {
        s->flags = static_cast<std::uint8_t>(s->flags | Sample::kStrayed);
        side.push_back(*s);
    }
}

bool Player::open(Random& random) {
    pos_ = Position();
    (void)engine_->set_position({});
    engine_->new_game();
    std::uniform_int_distribution<int> plies(o_.random_min, o_.random_max);
    for (int n = plies(random); n > 0; --n) {
        if (!play_random_move(random)) return false;
    }
    const auto r = think(*engine_);
    return is_known(r) && std::abs(r->lines.front().value) <= o_.balanced;
}

std::optional<int> Player::play_game(Random& random, bool held_out, Harvest& harvest) {
    if (!open(random)) return std::nullopt;
    if (o_.side_every > 0) side_engine_->new_game();
    std::vector<Sample>& out = harvest.samples;
    std::vector<Sample> side;
    const std::size_t first = out.size();
    const bool strays = below(random, kStrayGames) == 0;
    int clear = 0;   // plies in a row that one side has been winning
    int winner = 0;  // 1: Black
    for (int ply = pos_.move_number(); ply <= o_.longest; ++ply) {
        const int sign = pos_.side() == kBlack ? 1 : -1;
        if (const auto over = engine_->winner()) {
            winner = *over == Winner::Nobody ? 0 : *over == Winner::First ? 1 : -1;
            break;
        }
        if (strays && ply < kStrayPlies && below(random, kStrayEvery) == 0) {
            if (!play_random_move(random)) break;
            for (std::size_t i = first; i < out.size(); ++i) {
                out[i].flags = static_cast<std::uint8_t>(out[i].flags | Sample::kStrayed);
            }
            continue;
        }
        leaves_.begin(random);
        const auto r = think(*engine_);
        Leaves::end();
        if (!is_known(r)) break;
        const Value v = r->lines.front().value;
        const auto best = Notation::parse_move(pos_, r->best_move);
        if (!best) break;
        if (const auto s = sample(pos_, *r, held_out)) out.push_back(*s);
        keep_leaves(random, held_out, side, harvest);
        const int leader = v >= o_.resign_value ? sign : v <= -o_.resign_value ? -sign : 0;
        clear = leader == 0 ? 0 : leader * clear > 0 || clear == 0 ? clear + leader : leader;
        if (std::abs(clear) >= kClearPlies || is_decisive(v)) {
            winner = leader;
            break;
        }
        make(*best);
    }
    for (std::size_t i = first; i < out.size(); ++i) {
        const bool white = (out[i].flags & Sample::kWhiteToMove) != 0;
        out[i].result = static_cast<std::int8_t>(white ? -winner : winner);
    }
    out.insert(out.end(), side.begin(), side.end());
    return winner;
}

Expected<std::unique_ptr<Engine>> make_player_engine(const SelfPlayOptions& o) {
    auto engine = make_engine({o.weights});
    if (!engine || o.params.empty()) return engine;
    const auto params = load_params(o.params, (*engine)->info());
    if (!params) return params.error();
    if (const Status s = (*engine)->set_params(*params); !s) return s.error();
    return engine;
}

}  // namespace

Expected<SelfPlayCount> play_games(const SelfPlayOptions& options) {
    // Files that cannot be read are told here, not in a thread.
    const auto first = make_player_engine(options);
    if (!first) return first.error();
    ChunkRun run(options);
    std::mutex mutex;
    SelfPlayCount all;
    all.evaluation = (*first)->info().evaluation;
    const auto fill = [&](Player& player, int chunk) -> Status {
        Random random = run.random_of(chunk);
        Harvest harvest;
        SelfPlayCount count;
        while (count.games < options.games_per_chunk) {
            if (run.over()) return {};  // an unfinished chunk is dropped
            const bool held_out =
                (chunk * options.games_per_chunk + count.games) % kHoldOutEvery == 0;
            const auto winner = player.play_game(random, held_out, harvest);
            if (!winner) continue;
            ++count.games;
            count.black_wins += *winner > 0 ? 1 : 0;
            count.draws += *winner == 0 ? 1 : 0;
        }
        if (options.leaves > 0) {  // first: where there is a chunk there are its leaves
            const auto file = leaves_path(options.folder, chunk);
            if (const Status s = write_samples(file, harvest.leaves); !s) return s;
        }
        const Status written = write_samples(chunk_path(options.folder, chunk), harvest.samples);
        const std::lock_guard lock(mutex);
        all.games += count.games;
        all.black_wins += count.black_wins;
        all.draws += count.draws;
        all.positions += harvest.samples.size();
        all.leaves += harvest.leaves.size();
        return written;
    };
    const auto chunks = run.work(
        [&] {
            return std::make_unique<Player>(options, std::move(*make_player_engine(options)),
                                            std::move(*make_player_engine(options)));
        },
        [&](int chunk) { return chunk_path(options.folder, chunk); }, fill);
    if (!chunks) return chunks.error();
    all.chunks = *chunks;
    return all;
}

}  // namespace karikomi::shogi
