/// Shogi as the search sees it: docs/adding-a-game.md explains each part.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/games/shogi/evaluator.hpp"

namespace karikomi::shogi {

struct Ordering {
    /// Captures by what they win, then by the cheapest taker; quiet moves by where they lead.
    static void score(const Position& p, std::span<ScoredMove<Move>> moves, Depth depth);
};

/// Quiescence: a mate in one wins; otherwise stand pat or take, but only what pays; out of check
/// every move counts. kSwing is what a capture may gain beyond its material: it makes the value
/// depend on the window (kInfinity: on nothing).
template <Value kSwing> struct BasicQuiescence {
    template <class W> static Value search(W& worker, Value alpha, Value beta, int ply) {
        return look(worker, alpha, beta, ply, 0);
    }

private:
    static constexpr int kMaxPlies = 24;  ///< beyond the horizon; exchanges end long before

    template <class W> static Value look(W& worker, Value alpha, Value beta, int ply, int depth) {
        const Position& pos = worker.position();
        const bool in_check = pos.in_check();
        const bool last = depth >= kMaxPlies || ply >= kStackSize - 2;
        if (last && !in_check) return worker.evaluate();
        MoveList<Move, kMaxMoves> moves;
        Value best = -kInfinity;
        if (in_check) {
            pos.generate(moves);
            if (moves.empty()) return pos.no_moves_value(ply);
            if (last) return worker.evaluate();
        } else {
            if (depth == 0 && pos.board().find_mate_in_one().raw() != kNoMove) {
                return win_in(ply + 1);
            }
            best = worker.evaluate();
            if (best >= beta) return best;
            alpha = std::max(alpha, best);
            pos.generate_tactical(moves);
        }
        const Value stand = best;
        Ordering::score(pos, std::span(moves.begin(), moves.end()), 0);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            for (std::size_t k = i + 1; k < moves.size(); ++k) {
                if (moves[k].score > moves[i].score) std::swap(moves[i], moves[k]);
            }
            const Move m = moves[i].move;
            if (!in_check) {
                const Value hope = stand + gain_of(pos.board(), m) + kSwing;
                if (hope <= alpha) {
                    best = std::max(best, hope);
                    continue;
                }
                if (pos.exchange_value(m) <= 0) continue;
            }
            worker.make(m, ply);
            const Value v = -enter(worker, -beta, -alpha, ply + 1, depth + 1);
            worker.unmake(m, ply);
            if (worker.stopped()) return 0;
            if (v <= best) continue;
            best = v;
            alpha = std::max(alpha, v);
            if (alpha >= beta) break;
        }
        return best;
    }
    /// Of the material, if nothing is taken back.
    static Value gain_of(const Board& b, Move m) {
        if (m.is_declaration()) return kMaxEval;
        Value v = 0;
        if (const Piece taken = b.captured_by(m); taken != kNoPiece) {
            v += capture_gain(type_of(taken));
        }
        if (m.promotes()) v += promotion_gain(type_of(b.on(m.from())));
        return v;
    }
    template <class W> static Value enter(W& worker, Value alpha, Value beta, int ply, int depth) {
        if (worker.enter_node(ply)) return 0;
        if (const auto v = worker.position().outcome(ply)) return *v;
        return look(worker, alpha, beta, ply, depth);
    }
};

using Quiescence = BasicQuiescence<250>;

/// Positions in SFEN, moves as in USI.
struct Notation {
    static Expected<Position> parse(std::string_view text);
    static Expected<Move> parse_move(const Position& pos, std::string_view text);
    static std::string format_move(const Position&, Move m) { return format_usi(m); }
    static std::vector<std::string> split_moves(std::string_view text);
    static std::string format(const Position& pos) {
        return format_sfen(pos.board(), pos.move_number());
    }
    static std::string draw(const Position& pos) { return draw_board(pos.board()); }
    /// "declaration", "max_moves", "promotions".
    static Status set_rule(Rules& rules, std::string_view name, std::string_view value);
};

struct Game {
    using Move = shogi::Move;
    using Undo = shogi::Position::Undo;
    using Position = shogi::Position;
    using Evaluator = shogi::Evaluator;
    using Ordering = shogi::Ordering;
    using Horizon = Quiescence;
    using Notation = shogi::Notation;
    using Rules = shogi::Rules;
    static constexpr std::string_view kName = "shogi";
    static constexpr std::size_t kMaxMoves = shogi::kMaxMoves;
    static constexpr int kHistorySlots = Position::kHistorySlots;
    static constexpr int kStages = 3;
    static constexpr bool kCostlyEvaluation = true;
    static constexpr bool kFarHistory = true;
    static constexpr int kCaptureKinds = kTypes;
    static constexpr int kStructures = 3;

    /// A weak player looks a few plies ahead and misjudges what it sees.
    struct Skill {
        Depth depth;
        double misjudgement;  ///< standard deviation, in evaluation units
    };
    static constexpr std::array<Skill, 13> kSkills = {{{1, 1200},
                                                       {1, 700},
                                                       {1, 400},
                                                       {2, 300},
                                                       {2, 150},
                                                       {3, 100},
                                                       {4, 60},
                                                       {5, 30},
                                                       {6, 0},
                                                       {8, 0},
                                                       {10, 0},
                                                       {12, 0},
                                                       {14, 0}}};
    static constexpr int kMaxLevel = static_cast<int>(kSkills.size()) - 1;
    static const Skill& skill(int level) {
        return kSkills[static_cast<std::size_t>(std::clamp(level, 0, kMaxLevel))];
    }
    static Depth depth_of_level(const Position&, int level) { return skill(level).depth; }
    static double misjudgement_of_level(int level) { return skill(level).misjudgement; }
};
static_assert(karikomi::Game<Game>);
static_assert(HasNullMove<Game> && HasExchange<Game> && HasCheck<Game> && HasPhase<Game> &&
              HasPieceCount<Game> && HasIncrementalEvaluator<Game>);
static_assert(HasQuickWin<Game> && HasCostlyEvaluation<Game> && HasCaptureKinds<Game> &&
              HasStructures<Game> && WantsFarHistory<Game>);

}  // namespace karikomi::shogi
