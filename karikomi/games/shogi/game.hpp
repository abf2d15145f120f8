/// Shogi as the search sees it: docs/adding-a-game.md explains each part.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/quiescence.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/games/shogi/evaluator.hpp"

namespace karikomi::shogi {

struct Ordering {
    /// Captures by what they win, then by the cheapest taker; quiet moves by where they lead.
    static void score(const Position& p, std::span<ScoredMove<Move>> moves, Depth depth);
};

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
    /// Repetitions, the points of a king that has entered, and by which rule the game is over.
    static Situation situation(const Position& pos);
    /// "declaration", "max_moves", "promotions".
    static Status set_rule(Rules& rules, std::string_view name, std::string_view value);
};

struct Game {
    using Move = shogi::Move;
    using Undo = shogi::Position::Undo;
    using Position = shogi::Position;
    using Evaluator = shogi::Evaluator;
    using Ordering = shogi::Ordering;
    using Horizon = Quiescence<Game>;
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
              HasStructures<Game> && WantsFarHistory<Game> && HasCaptureGain<Game> &&
              HasRetakes<Game>);

}  // namespace karikomi::shogi
