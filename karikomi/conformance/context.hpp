/// What the checks of the conformance kit share: options, the game being played, and helpers that
/// do not trust the game more than they must.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "karikomi/conformance/report.hpp"
#include "karikomi/core/concepts.hpp"
#include "karikomi/engine/game_engine.hpp"

namespace karikomi::conformance {

/// Every technique on, with numbers that let it act in the small searches of the kit.
inline SearchParams everything_on(int stages) {
    SearchParams p;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        p.selective.enabled(Technique(i)) = true;
    }
    p.calibration = Calibration(stages, multi_probcut_starting_cells(stages), {}, "");
    p.selective.of<ProbCut>().min_depth = 4;
    p.selective.of<ProbCut>().depth_reduction = 2;
    p.selective.of<MultiProbCut>().pair_shallow = {1, 2, 5};
    p.selective.of<MultiProbCut>().pair_deep = {3, 4, 7};
    p.selective.of<Singular>().min_depth = 4;
    p.selective.of<LateMoves>().full_moves = 2;
    return p;
}

template <Game G> struct Options {
    /// Where random games begin, one after the other; empty: the start position.
    std::vector<typename G::Position> starts = {};
    typename G::Evaluator evaluator{};  ///< with the weights that it comes with
    int games = 10;
    int max_plies = 400;  ///< a game that is longer is broken off
    std::uint64_t seed = 1;
    /// What the searches run with; every technique is tried, whether it is on here or not.
    SearchParams params = everything_on(G::kStages);
    std::uint64_t search_nodes = 4000;  ///< of each small search
    int search_positions = 6;
    /// Must the search with all techniques off agree with plain alpha-beta? Not where the horizon's
    /// value depends on the window.
    bool equals_plain_search = true;
};

template <class G>
concept HasNotation = requires {
    requires NotationOf<typename G::Notation, G>;
};

/// A game as far as it was played.
template <Game G> struct Played {
    typename G::Position start;
    std::vector<typename G::Move> moves = {};
};

/// Does `generate` fill any list, so that it can be given more room than kMaxMoves?
template <class G>
concept GeneratesAnywhere = requires(const typename G::Position& pos,
                                     MoveList<typename G::Move, 65'536>& moves) {
    pos.generate(moves);
};

template <Game G> class Context {
public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Moves = std::vector<Move>;

    Context(Report& report, const Options<G>& options)
        : report(report), options(options), evaluator_(options.evaluator) {}

    Report& report;
    const Options<G>& options;

    /// All legal moves, even where there are more than the game believes.
    Moves legal(const Position& pos) const {
        if constexpr (GeneratesAnywhere<G>) {
            wide_->clear();
            pos.generate(*wide_);
            return codes(*wide_);
        } else {
            MovesOf<G> moves;
            pos.generate(moves);
            return codes(moves);
        }
    }
    template <class List> static Moves codes(const List& list) {
        Moves out;
        for (const auto& m : list) out.push_back(m.move);
        return out;
    }
    Position start(int game) const {
        Position pos = plain_start(game);
        adopt<G>(evaluator_, pos);
        return pos;
    }
    /// A random move, often one that the game itself would look at.
    Move choose(const Position& pos, const Moves& legal, std::mt19937_64& random) const {
        if constexpr (HasCandidates<G>) {
            MovesOf<G> few;
            pos.generate_candidates(few);
            if (!few.empty() && random() % 2 == 0) return few[random() % few.size()].move;
        }
        (void)pos;
        return legal[random() % legal.size()];
    }
    /// Anew: what an incremental evaluation must agree with.
    Value evaluate(const Position& pos) const {
        if constexpr (HasIncrementalEvaluator<G>) evaluator_.reset(pos);
        return evaluator_.evaluate(pos);
    }

    static std::string name(const Position& pos, Move m) {
        if constexpr (HasNotation<G>) return G::Notation::format_move(pos, m);
        (void)pos;
        return fmt::format("#{}", m.raw());
    }
    /// "after e2e4 e7e5".
    static std::string where(const Played<G>& game) {
        if (game.moves.empty()) return "at the start";
        Position pos = game.start;
        std::string out = "after";
        for (const Move m : game.moves) {
            out += " " + name(pos, m);
            typename G::Undo undo{};
            pos.make(m, undo);
        }
        return out;
    }

private:
    Position plain_start(int game) const {
        const auto& starts = options.starts;
        if (!starts.empty()) return starts[static_cast<std::size_t>(game) % starts.size()];
        if constexpr (HasNotation<G>) {
            if (auto parsed = G::Notation::parse({})) return *parsed;
            report.expect("notation", false,
                          [] { return "parse(\"\") is not the start position"; });
        }
        return Position{};
    }

    using Wide = MoveList<Move, 65'536>;
    std::unique_ptr<Wide> wide_ = std::make_unique<Wide>();
    mutable typename G::Evaluator evaluator_;
};

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t x) {
    hash = (hash ^ x) * 0x9E3779B97F4A7C15ull;
    return hash ^ (hash >> 29);
}

/// All that the search can see of a position, fact by fact.
struct Facts {
    std::vector<std::pair<std::string_view, std::uint64_t>> all;

    template <class T> void add(std::string_view name, T x) {
        all.emplace_back(name, static_cast<std::uint64_t>(x));
    }
    /// The name of the first fact that differs; empty where none does.
    std::string_view difference(const Facts& other) const {
        for (std::size_t i = 0; i < std::min(all.size(), other.all.size()); ++i) {
            if (all[i] != other.all[i]) return all[i].first;
        }
        return all.size() == other.all.size() ? "" : "whether the game is over";
    }
};

template <Game G>
void add_move_facts(Facts& f, const typename G::Position& pos,
                    const std::vector<typename G::Move>& legal) {
    std::uint64_t moves = 0;
    std::uint64_t slots = 0;
    std::uint64_t tactics = 0;
    std::uint64_t checks = 0;
    for (const auto m : legal) {
        moves = mix(moves, m.raw());
        slots = mix(slots, static_cast<std::uint64_t>(pos.history_slot(m)));
        if constexpr (HasTactics<G>) tactics = mix(tactics, pos.is_tactical(m) ? 1 : 2);
        if constexpr (HasCheckMoves<G>) checks = mix(checks, pos.gives_check(m) ? 1 : 2);
        if constexpr (HasExchange<G>) {
            if (pos.is_tactical(m)) {
                tactics = mix(tactics, static_cast<std::uint64_t>(pos.exchange_value(m)));
            }
        }
    }
    f.add("the legal moves", moves);
    f.add("history_slot", slots);
    f.add("is_tactical or exchange_value", tactics);
    f.add("gives_check", checks);
}

template <Game G> Facts look_at(const Context<G>& context, const typename G::Position& pos) {
    Facts f;
    f.add("key", pos.key());
    f.add("side", pos.side());
    f.add("stage", pos.stage());
    const std::optional<Value> over = pos.outcome(0);
    f.add("outcome", over ? *over : kInfinity);
    if constexpr (HasNotation<G>) {
        f.add("the drawn board", std::hash<std::string>{}(G::Notation::draw(pos)));
        if constexpr (WritesPositions<typename G::Notation, G>) {
            f.add("the written position", std::hash<std::string>{}(G::Notation::format(pos)));
        }
    }
    if (over) return f;  // nobody asks for more
    if constexpr (HasNullMove<G>) f.add("allows_null_move", pos.allows_null_move());
    if constexpr (HasCheck<G>) f.add("in_check", pos.in_check());
    if constexpr (HasThreats<G>) f.add("threat", static_cast<int>(pos.threat()));
    if constexpr (HasPhase<G>) f.add("phase", pos.phase());
    if constexpr (HasPass<G>) f.add("after_pass", pos.after_pass());
    if constexpr (HasPieceCount<G>) f.add("piece_count", pos.piece_count());
    if constexpr (HasMobility<G>) f.add("mobility", pos.mobility());
    if constexpr (HasForcedReply<G>) f.add("has_forced_reply", pos.has_forced_reply());
    if constexpr (HasQuickWin<G>) f.add("wins_at_once", pos.wins_at_once());
    if constexpr (CountsMovesLeft<typename G::Position>) f.add("moves_left", pos.moves_left());
    if constexpr (HasStructures<G>) {
        for (int i = 0; i < G::kStructures; ++i) f.add("structure_key", pos.structure_key(i));
    }
    add_move_facts<G>(f, pos, context.legal(pos));
    f.add("the evaluation", context.evaluate(pos));
    return f;
}

}  // namespace karikomi::conformance
