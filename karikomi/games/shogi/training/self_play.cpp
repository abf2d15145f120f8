#include "karikomi/games/shogi/training/self_play.hpp"

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

/// One thread's means of playing.
class Player {
public:
    Player(const SelfPlayOptions& options, std::unique_ptr<Engine> engine)
        : o_(options), engine_(std::move(engine)) {
        engine_->set_hash(kHashMb);
    }

    /// The result for Black; nothing when the opening was no good.
    std::optional<int> play_game(Random& random, bool held_out, std::vector<Sample>& out);

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
    Expected<Result> think() {
        SearchRequest request;
        request.limits.nodes = o_.nodes;
        return engine_->search(request);
    }
    bool is_quiet(Move best, Value v) const {
        return !pos_.in_check() && !pos_.is_tactical(best) && std::abs(v) < o_.resign_value;
    }

    const SelfPlayOptions& o_;
    std::unique_ptr<Engine> engine_;
    Position pos_;
};

bool Player::open(Random& random) {
    pos_ = Position();
    (void)engine_->set_position({});
    engine_->new_game();
    std::uniform_int_distribution<int> plies(o_.random_min, o_.random_max);
    for (int n = plies(random); n > 0; --n) {
        if (!play_random_move(random)) return false;
    }
    const auto r = think();
    return r && !r->lines.empty() && r->lines.front().bound != Bound::None &&
           std::abs(r->lines.front().value) <= o_.balanced;
}

std::optional<int> Player::play_game(Random& random, bool held_out, std::vector<Sample>& out) {
    if (!open(random)) return std::nullopt;
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
        const auto r = think();
        if (!r || r->lines.empty() || r->lines.front().bound == Bound::None) break;
        const Value v = r->lines.front().value;
        const auto best = Notation::parse_move(pos_, r->best_move);
        if (!best) break;
        if (is_quiet(*best, v)) {
            Sample s = pack(pos_.board());
            s.score = static_cast<std::int16_t>(v);
            s.ply = static_cast<std::uint16_t>(ply);
            if (held_out) s.flags = static_cast<std::uint8_t>(s.flags | Sample::kHeldOut);
            out.push_back(s);
        }
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
        std::vector<Sample> samples;
        SelfPlayCount count;
        while (count.games < options.games_per_chunk) {
            if (run.over()) return {};  // an unfinished chunk is dropped
            const bool held_out =
                (chunk * options.games_per_chunk + count.games) % kHoldOutEvery == 0;
            const auto winner = player.play_game(random, held_out, samples);
            if (!winner) continue;
            ++count.games;
            count.black_wins += *winner > 0 ? 1 : 0;
            count.draws += *winner == 0 ? 1 : 0;
        }
        const Status written = write_chunk(options.folder, chunk, samples);
        const std::lock_guard lock(mutex);
        all.games += count.games;
        all.black_wins += count.black_wins;
        all.draws += count.draws;
        all.positions += samples.size();
        return written;
    };
    const auto chunks = run.work(
        [&] { return std::make_unique<Player>(options, std::move(*make_player_engine(options))); },
        [&](int chunk) { return chunk_path(options.folder, chunk); }, fill);
    if (!chunks) return chunks.error();
    all.chunks = *chunks;
    return all;
}

}  // namespace karikomi::shogi
