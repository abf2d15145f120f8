/// Renju and gomoku as the search sees them: docs/adding-a-game.md explains each part.
#pragma once

#include <algorithm>
#include <span>

#include "karikomi/base/expected.hpp"
#include "karikomi/core/concepts.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/games/renju/evaluator.hpp"
#include "karikomi/games/renju/four_search.hpp"

namespace karikomi::renju {

struct Ordering {
    /// What the stone makes, and what it takes from the other side.
    static void score(const Position& p, std::span<ScoredMove<Move>> moves, Depth depth);
};

/// Ends a line: fours are answered, and the side to move wins by continuous fours if it can.
struct Horizon {
    template <class W> static Value search(W& worker, Value alpha, Value beta, int ply) {
        return search(worker, alpha, beta, ply, worker.quiescence().answer_threats);
    }

private:
    /// `answers`: so many times on the way an open three is answered.
    template <class W>
    static Value search(W& worker, Value alpha, Value beta, int ply, int answers) {
        const Position& pos = worker.position();
        const int me = pos.side();
        if (pos.count(me, Point::Five) > 0) return win_in(ply + 1);
        if (ply >= kStackSize - 4) return worker.evaluate();
        if (pos.in_check()) return answer_four(worker, alpha, beta, ply, answers);
        const bool threatened = answers > 0 && pos.count(1 - me, Point::FourOpen) > 0;
        if (!pos.has_four(me)) {
            return threatened ? answer_three(worker, alpha, beta, ply, answers) : worker.evaluate();
        }
        const Value still = worker.evaluate();
        if (still >= beta && !threatened) return still;
        const auto& p = worker.quiescence();
        const int nodes = p.threat_nodes + p.threat_nodes_step * worker.iteration();
        const int plies = FourSearch<W>(worker, nodes).attack(ply, p.threat_moves);
        if (worker.stopped()) return still;
        if (plies > 0) return win_in(ply + plies);
        return threatened ? answer_three(worker, alpha, beta, ply, answers) : still;
    }
    /// A static value knows little of an open three: the best answer to it counts.
    template <class W>
    static Value answer_three(W& worker, Value alpha, Value beta, int ply, int answers) {
        MoveList<Move, std::size_t{kMaxSize} * kMaxSize> moves;
        worker.position().generate_candidates(moves);
        if (moves.empty()) return worker.evaluate();
        Ordering::score(worker.position(), {moves.begin(), moves.end()}, 0);
        std::sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
            return a.score != b.score ? a.score > b.score : a.move.raw() < b.move.raw();
        });
        Value best = -kInfinity;
        for (const auto& m : moves) {
            worker.make(m.move, ply);
            Value v = 0;
            if (!worker.enter_node(ply + 1)) {
                const auto over = worker.position().outcome(ply + 1);
                v = over ? -*over : -search(worker, -beta, -alpha, ply + 1, answers - 1);
            }
            worker.unmake(m.move, ply);
            if (worker.stopped()) return v;
            best = std::max(best, v);
            alpha = std::max(alpha, v);
            if (alpha >= beta) break;
        }
        return best;
    }
    template <class W>
    static Value answer_four(W& worker, Value alpha, Value beta, int ply, int answers) {
        const Position& pos = worker.position();
        const int other = 1 - pos.side();
        if (pos.count(other, Point::Five) > 1) return loss_in(ply + 2);
        Cell answer = kNoCell;
        pos.each_five(other, [&](Cell c) { answer = c; });
        if (pos.is_forbidden(answer)) return loss_in(ply + 2);
        worker.make(Move::from_cell(answer), ply);
        Value v = 0;
        if (!worker.enter_node(ply + 1)) {
            const auto over = worker.position().outcome(ply + 1);
            v = over ? -*over : -search(worker, -beta, -alpha, ply + 1, answers);
        }
        worker.unmake(Move::from_cell(answer), ply);
        return v;
    }
};

/// Positions as rows from the top, "15/.../7XO6/... b"; moves as "h8".
struct Notation {
    static Expected<Position> parse(std::string_view text);
    static Expected<Move> parse_move(const Position& pos, std::string_view text);
    static std::string format_move(const Position&, Move m) { return format_cell(m.cell()); }
    static std::vector<std::string> split_moves(std::string_view text);
    static std::string format(const Position& pos);
    static std::string draw(const Position& pos);
    /// "rule" and "size".
    static Status set_rule(Rules& rules, std::string_view name, std::string_view value);
    /// Cells on which Black may not play, under renju rules.
    static std::vector<std::string> forbidden(const Position& pos);
    /// Cells that make five or a straight four, and why cells are forbidden.
    static Situation situation(const Position& pos);

    static std::string format_cell(Cell c);
    /// "h8" on a board of this size; kNoCell when it is not a cell there.
    static Cell parse_cell(std::string_view text, int size);
};

struct Game {
    using Move = renju::Move;
    using Undo = renju::Undo;
    using Position = renju::Position;
    using Evaluator = renju::Evaluator;
    using Ordering = renju::Ordering;
    using Horizon = renju::Horizon;
    using Notation = renju::Notation;
    using Rules = renju::Rules;
    static constexpr std::string_view kName = "renju";
    static constexpr std::size_t kMaxMoves = std::size_t{kMaxSize} * kMaxSize;
    static constexpr int kHistorySlots = kMaxSize * kMaxSize;
    static constexpr int kStages = 4;
    static constexpr int kMaxLevel = 12;
    /// A level is so many plies beyond the fours.
    static Depth depth_of_level(const Position&, int level) { return std::max(level, 1); }
};
static_assert(karikomi::Game<Game>);
static_assert(HasNullMove<Game> && HasTactics<Game> && HasCheck<Game> && HasThreats<Game> &&
              HasPhase<Game> && HasPieceCount<Game> && HasMoveEvaluation<Game> &&
              HasCandidates<Game>);

}  // namespace karikomi::renju
