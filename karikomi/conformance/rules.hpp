/// The checks of a game's rules: random games in which nothing is taken on trust.
#pragma once

#include <set>
#include <unordered_set>

#include "karikomi/conformance/context.hpp"

namespace karikomi::conformance {

/// First of all, and with room enough: more moves than kMaxMoves would end every search with an
/// error. Nothing else can be looked at where this fails.
template <Game G> bool check_room(Context<G>& context) {
    std::mt19937_64 random(context.options.seed);
    std::size_t most = 0;
    for (int game = 0; game < context.options.games; ++game) {
        Played<G> played{context.start(game)};
        typename G::Position pos = played.start;
        for (int ply = 0; ply < context.options.max_plies && !pos.outcome(0); ++ply) {
            const auto legal = context.legal(pos);
            most = std::max(most, legal.size());
            const bool fits = context.report.expect("kMaxMoves", legal.size() <= G::kMaxMoves, [&] {
                return fmt::format(
                    "{} legal moves, but kMaxMoves is {}: set it to the most that the rules "
                    "allow ({})",
                    legal.size(), std::size_t{G::kMaxMoves}, context.where(played));
            });
            if (!fits) return false;
            if (legal.empty()) break;
            const auto m = context.choose(pos, legal, random);
            played.moves.push_back(m);
            typename G::Undo undo{};
            pos.make(m, undo);
        }
    }
    context.report.note(fmt::format("at most {} legal moves were seen, kMaxMoves is {}", most,
                                    std::size_t{G::kMaxMoves}));
    if constexpr (!GeneratesAnywhere<G>) {
        context.report.warn(
            "generate() takes one type of list only: make it a template over the list, or the kit "
            "cannot say where there are too many moves and how many");
    }
    return true;
}

template <Game G> class RulesCheck {
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Moves = std::vector<Move>;

public:
    explicit RulesCheck(Context<G>& context) : context_(context), report_(context.report) {}

    void run() {
        std::mt19937_64 random(context_.options.seed);
        for (int game = 0; game < context_.options.games; ++game) play(game, random);
        check_keys_are_mixed();
        if (ended_ == 0) {
            report_.warn(fmt::format("no random game ended within {} plies: ends are not checked",
                                     context_.options.max_plies));
        }
        if (evaluated_moves_ > 0) {
            report_.note(
                fmt::format("evaluate_move equals the evaluation after the move in {} of "
                            "{} cases",
                            evaluated_right_, evaluated_moves_));
        }
    }
    /// Positions met on the way, for the checks of the search.
    const std::vector<Position>& positions() const { return positions_; }
    /// Positions in which a move wins at once, with that move.
    const std::vector<std::pair<Position, Move>>& wins() const { return wins_; }

private:
    /// The evaluation follows moves only as far as a search does; then it starts anew.
    static constexpr int kSegment = 48;

    void play(int game, std::mt19937_64& random) {
        Played<G> played{context_.start(game)};
        Position pos = played.start;
        bool over = false;
        while (!over && static_cast<int>(played.moves.size()) < context_.options.max_plies) {
            over = play_segment(pos, played, random);
        }
        if (over) ++ended_;
    }

    /// Goes some plies forward, all the way back, and forward again. True at the end of the game.
    bool play_segment(Position& pos, Played<G>& played, std::mt19937_64& random) {
        struct Step {
            Move move;
            typename G::Undo undo{};
            Facts before;
        };
        std::vector<Step> steps;
        typename G::Evaluator follower = context_.options.evaluator;
        if constexpr (HasIncrementalEvaluator<G>) follower.reset(pos);
        const Position first = pos;
        bool over = false;
        for (int i = 0; i < kSegment && !over; ++i) {
            over = visit(pos, played, follower);
            if (over) break;
            const Move m = context_.choose(pos, context_.legal(pos), random);
            steps.push_back({m, {}, look_at(context_, pos)});
            const Position before = pos;
            pos.make(m, steps.back().undo);
            played.moves.push_back(m);
            if constexpr (HasIncrementalEvaluator<G>) follower.after_make(pos, m);
            check_step(before, pos, played);
            if (pos.outcome(0) == loss_in(0)) wins_.emplace_back(before, m);
        }
        const Position last = pos;
        for (std::size_t i = steps.size(); i-- > 0;) {
            pos.unmake(steps[i].move, steps[i].undo);
            if constexpr (HasIncrementalEvaluator<G>) follower.after_unmake(pos, steps[i].move);
            const std::string_view changed = look_at(context_, pos).difference(steps[i].before);
            report_.expect("unmake", changed.empty(), [&] {
                return fmt::format("taking back {} moves changed {} ({})", steps.size() - i,
                                   changed, context_.where(played));
            });
            check_follower(pos, follower, played);
        }
        expect_same(pos, first, played);
        pos = last;
        return over;
    }

    /// Everything about one position. True where the game is over.
    bool visit(Position& pos, const Played<G>& played, typename G::Evaluator& follower) {
        if (const auto v = pos.outcome(0)) {
            check_end(
                *v, [&](int ply) { return *pos.outcome(ply); }, played);
            return true;
        }
        const Moves legal = context_.legal(pos);
        if (legal.empty()) {
            check_end(
                pos.no_moves_value(0), [&](int ply) { return pos.no_moves_value(ply); }, played);
            return true;
        }
        check_list(pos, legal, played);
        check_ranges(pos, legal, played);
        check_subsets(pos, legal, played);
        check_evaluation(pos, played);
        check_follower(pos, follower, played);
        check_key(pos, legal, played);
        if (played.moves.size() % 3 == 0) {
            check_each_move(pos, legal, played);
            check_null_move(pos, played);
            check_replay(pos, played);
            positions_.push_back(pos);
        }
        return false;
    }

    // ---- ends of the game
    template <class ValueAt> void check_end(Value v, ValueAt&& at, const Played<G>& played) {
        report_.expect("terminal values", v >= -kWin && v <= kWin, [&] {
            return fmt::format("{} is no value ({})", v, context_.where(played));
        });
        for (const int ply : {1, 7}) {
            const Value wanted = !is_decisive(v) ? v : v < 0 ? v + ply : v - ply;
            report_.expect("terminal values", at(ply) == wanted, [&] {
                return fmt::format(
                    "{} at the root but {} at ply {}, not {}: use loss_in(ply), win_in(ply) or a "
                    "value below {} ({})",
                    v, at(ply), ply, wanted, kDecisive, context_.where(played));
            });
        }
    }

    // ---- lists of moves
    void check_list(const Position& pos, const Moves& legal, const Played<G>& played) {
        std::set<MoveCode> codes;
        for (const Move m : legal) {
            report_.expect("legal moves", m.raw() != kNoMove && Move::from_raw(m.raw()) == m, [&] {
                return fmt::format("the code {} does not give the move back, or is 0 ({})", m.raw(),
                                   context_.where(played));
            });
            report_.expect("legal moves", codes.insert(m.raw()).second, [&] {
                return fmt::format("{} is generated twice ({})", context_.name(pos, m),
                                   context_.where(played));
            });
            report_.expect("is_legal", pos.is_legal(m), [&] {
                return fmt::format("{} is generated, but is_legal refuses it ({})",
                                   context_.name(pos, m), context_.where(played));
            });
            seen_.insert(m.raw());
        }
        // A stale entry of the table brings any move of any position.
        for (const MoveCode code : seen_) {
            if (codes.contains(code)) continue;
            report_.expect("is_legal", !pos.is_legal(Move::from_raw(code)), [&] {
                return fmt::format("is_legal takes the code {}, which is not generated ({})", code,
                                   context_.where(played));
            });
        }
    }
    void check_ranges(const Position& pos, const Moves& legal, const Played<G>& played) {
        const auto expect_within = [&](std::string_view what, long x, long end) {
            report_.expect("ranges", x >= 0 && x < end, [&] {
                return fmt::format("{} is {}, outside 0..{} ({})", what, x, end - 1,
                                   context_.where(played));
            });
        };
        expect_within("stage", pos.stage(), G::kStages);
        expect_within("side", pos.side(), 2);
        for (const Move m : legal) {
            expect_within("history_slot", pos.history_slot(m), G::kHistorySlots);
            if constexpr (HasCaptureKinds<G>) {
                if (pos.is_tactical(m)) {
                    expect_within("capture_kind", pos.capture_kind(m), G::kCaptureKinds);
                }
            }
        }
        std::vector<ScoredMove<Move>> scored;
        for (const Move m : legal) scored.push_back({m, 0});
        if constexpr (OrdersByEvaluator<G>) {
            typename G::Evaluator e = context_.options.evaluator;
            if constexpr (HasIncrementalEvaluator<G>) e.reset(pos);
            G::Ordering::score(pos, std::as_const(e), std::span(scored), 4);
        } else {
            G::Ordering::score(pos, std::span(scored), 4);
        }
        for (const auto& m : scored) {
            report_.expect("ranges", m.score >= -kMostScore && m.score <= kMostScore, [&] {
                return fmt::format("Ordering::score gave {} the score {}, outside +-{} ({})",
                                   context_.name(pos, m.move), m.score, kMostScore,
                                   context_.where(played));
            });
        }
    }
    /// Lists that hold only some of the moves.
    void check_subsets(const Position& pos, const Moves& legal, const Played<G>& played) {
        if constexpr (HasCandidates<G>) {
            MovesOf<G> few;
            pos.generate_candidates(few);
            expect_subset("generate_candidates", pos, context_.codes(few), legal, played);
        }
        if constexpr (HasStagedGeneration<G>) {
            MovesOf<G> tactical;
            MovesOf<G> quiet;
            pos.generate_tactical(tactical);
            pos.generate_quiet(quiet);
            Moves both = context_.codes(tactical);
            for (const auto& m : quiet) both.push_back(m.move);
            expect_subset("generate_tactical and generate_quiet", pos, both, legal, played);
            for (std::size_t i = 0; i < both.size(); ++i) {
                report_.expect("parts of the list",
                               pos.is_tactical(both[i]) == (i < tactical.size()), [&] {
                                   return fmt::format(
                                       "{} is in the wrong part: see is_tactical "
                                       "({})",
                                       context_.name(pos, both[i]), context_.where(played));
                               });
            }
        }
        (void)pos, (void)legal, (void)played;
    }
    void expect_subset(std::string_view what, const Position& pos, const Moves& part,
                       const Moves& legal, const Played<G>& played) {
        report_.expect("parts of the list", !part.empty(), [&] {
            return fmt::format("{} gives no move where there are legal ones ({})", what,
                               context_.where(played));
        });
        for (std::size_t i = 0; i < part.size(); ++i) {
            const bool once = std::find(part.begin(), part.begin() + static_cast<long>(i),
                                        part[i]) == part.begin() + static_cast<long>(i);
            const bool is_in = std::find(legal.begin(), legal.end(), part[i]) != legal.end();
            report_.expect("parts of the list", once && is_in, [&] {
                return fmt::format("{} gives {} twice, or it is not legal ({})", what,
                                   context_.name(pos, part[i]), context_.where(played));
            });
        }
    }

    // ---- make and unmake
    void check_each_move(Position& pos, const Moves& legal, const Played<G>& played) {
        const Facts before = look_at(context_, pos);
        const Position copy = pos;
        for (const Move m : legal) {
            check_move_value(pos, m);
            typename G::Undo undo{};
            pos.make(m, undo);
            pos.unmake(m, undo);
            const std::string_view changed = look_at(context_, pos).difference(before);
            const bool good = report_.expect("unmake", changed.empty(), [&] {
                return fmt::format("make and unmake of {} changed {} ({})", context_.name(copy, m),
                                   changed, context_.where(played));
            });
            if (!good) pos = copy;
        }
        expect_same(pos, copy, played);
    }
    void check_null_move(Position& pos, const Played<G>& played) {
        if constexpr (HasNullMove<G>) {
            if (!pos.allows_null_move()) return;
            const Facts before = look_at(context_, pos);
            const int side = pos.side();
            const Key key = pos.key();
            typename G::Undo undo{};
            pos.make_null(undo);
            report_.expect("null move", pos.side() != side && pos.key() != key, [&] {
                return "make_null leaves the side or the key as it was: " + context_.where(played);
            });
            pos.unmake_null(undo);
            const std::string_view changed = look_at(context_, pos).difference(before);
            report_.expect("null move", changed.empty(), [&] {
                return fmt::format("unmake_null does not restore {} ({})", changed,
                                   context_.where(played));
            });
        }
        (void)pos, (void)played;
    }
    void expect_same(const Position& pos, const Position& wanted, const Played<G>& played) {
        if constexpr (std::equality_comparable<Position>) {
            report_.expect("unmake", pos == wanted, [&] {
                return "the position is not the one before (operator==): " + context_.where(played);
            });
        }
        (void)pos, (void)wanted, (void)played;
    }

    // ---- keys
    void check_step(const Position& before, const Position& after, const Played<G>& played) {
        report_.expect("keys", before.key() != after.key(), [&] {
            return "the last move leaves the key as it was: " + context_.where(played);
        });
        if constexpr (CountsMovesLeft<Position>) {
            const int left = after.moves_left();
            report_.expect("moves_left", left >= 0 && left <= before.moves_left(), [&] {
                return fmt::format("{} after {} ({})", left, before.moves_left(),
                                   context_.where(played));
            });
        }
    }
    /// Equal keys are equal positions, as far as moves and evaluation tell.
    void check_key(const Position& pos, const Moves& legal, const Played<G>& played) {
        std::vector<MoveCode> codes;
        for (const Move m : legal) codes.push_back(m.raw());
        std::sort(codes.begin(), codes.end());
        std::uint64_t moves = 0;
        for (const MoveCode c : codes) moves = mix(moves, c);
        const std::pair<std::uint64_t, Value> now{moves, context_.evaluate(pos)};
        const auto [at, is_new] = known_.try_emplace(pos.key(), now);
        report_.expect("keys", at->second == now, [&] {
            return "two positions with other moves or another value have one key: " +
                   context_.where(played);
        });
    }
    void check_replay(const Position& pos, const Played<G>& played) {
        Position fresh = played.start;
        for (const Move m : played.moves) {
            typename G::Undo undo{};
            fresh.make(m, undo);
        }
        report_.expect("keys", fresh.key() == pos.key(), [&] {
            return "a fresh position with the same moves has another key: " +
                   context_.where(played);
        });
    }
    /// The table takes the place from the high bits; small tables beside it take the low ones.
    void check_keys_are_mixed() {
        std::unordered_set<std::uint64_t> high;
        std::unordered_set<std::uint64_t> low;
        for (const auto& [key, what] : known_) high.insert(key >> 52), low.insert(key & 0xFFF);
        const double n = static_cast<double>(known_.size());
        const double usual = 4096.0 * (1.0 - std::exp(-n / 4096.0));
        for (const auto& [bits, name] : {std::pair{&high, "high"}, std::pair{&low, "low"}}) {
            if (static_cast<double>(bits->size()) >= 0.7 * usual) continue;
            report_.warn(
                fmt::format("keys are badly mixed: {} positions have only {} different "
                            "{} 12 bits, random keys would have {:.0f}",
                            known_.size(), bits->size(), name, usual));
        }
    }

    // ---- evaluation
    void check_evaluation(const Position& pos, const Played<G>& played) {
        const Value v = context_.evaluate(pos);
        report_.expect("evaluation", !is_decisive(v), [&] {
            return fmt::format("{} says won or lost, which only the rules may ({})", v,
                               context_.where(played));
        });
        report_.expect("evaluation", context_.evaluate(pos) == v, [&] {
            return "asked twice it gives two values: " + context_.where(played);
        });
    }
    void check_follower(const Position& pos, typename G::Evaluator& follower,
                        const Played<G>& played) {
        if constexpr (HasIncrementalEvaluator<G>) {
            if (pos.outcome(0)) return;
            const Value fresh = context_.evaluate(pos);
            const Value followed = follower.evaluate(pos);
            report_.expect("incremental evaluation", followed == fresh, [&] {
                return fmt::format("{} move by move, {} anew ({})", followed, fresh,
                                   context_.where(played));
            });
        }
        (void)pos, (void)follower, (void)played;
    }
    void check_move_value(const Position& pos, Move m) {
        if constexpr (HasMoveEvaluation<G>) {
            typename G::Evaluator e = context_.options.evaluator;
            if constexpr (HasIncrementalEvaluator<G>) e.reset(pos);
            const Value foretold = e.evaluate_move(pos, m);
            Position after = pos;
            typename G::Undo undo{};
            after.make(m, undo);
            if (after.outcome(0)) return;
            ++evaluated_moves_;
            evaluated_right_ += foretold == -context_.evaluate(after) ? 1 : 0;
        }
        (void)pos, (void)m;
    }

    static constexpr std::int32_t kMostScore = 1'000'000;

    Context<G>& context_;
    Report& report_;
    std::set<MoveCode> seen_;  ///< codes of moves of all games so far
    std::unordered_map<Key, std::pair<std::uint64_t, Value>> known_;
    std::vector<Position> positions_;
    std::vector<std::pair<Position, Move>> wins_;
    int ended_ = 0;
    std::uint64_t evaluated_moves_ = 0;
    std::uint64_t evaluated_right_ = 0;
};

/// Counting leaves by taking moves back must agree with counting them on copies, and with the
/// game's own count.
template <Game G> class PerftCheck {
    using Position = typename G::Position;

public:
    explicit PerftCheck(Context<G>& context) : context_(context) {}

    void run(Position pos) {
        constexpr std::uint64_t kEnough = 3000;
        for (Depth depth = 1; depth <= 6; ++depth) {
            const std::uint64_t copied = count_copies(pos, depth);
            const std::uint64_t restored = count_in_place(pos, depth);
            context_.report.expect("perft", copied == restored, [&] {
                return fmt::format("depth {}: {} leaves with unmake, {} on copies", depth, restored,
                                   copied);
            });
            if constexpr (CountsLeaves<Position>) {
                const std::uint64_t own = pos.count_leaves(depth);
                context_.report.expect("perft", own == copied, [&] {
                    return fmt::format("depth {}: count_leaves says {}, there are {}", depth, own,
                                       copied);
                });
            }
            if (copied == 0 || copied > kEnough) return;
        }
    }

private:
    std::uint64_t count_copies(const Position& pos, Depth depth) {
        if (depth == 0) return 1;
        std::uint64_t n = 0;
        if (pos.outcome(0)) return n;
        for (const auto m : context_.legal(pos)) {
            Position next = pos;
            typename G::Undo undo{};
            next.make(m, undo);
            n += count_copies(next, depth - 1);
        }
        return n;
    }
    std::uint64_t count_in_place(Position& pos, Depth depth) {
        if (depth == 0) return 1;
        std::uint64_t n = 0;
        if (pos.outcome(0)) return n;
        for (const auto m : context_.legal(pos)) {
            typename G::Undo undo{};
            pos.make(m, undo);
            n += count_in_place(pos, depth - 1);
            pos.unmake(m, undo);
        }
        return n;
    }

    Context<G>& context_;
};

}  // namespace karikomi::conformance
