/// Othello as the search sees it: docs/adding-a-game.md explains each part.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/horizon.hpp"
#include "karikomi/games/othello/endgame_table.hpp"
#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/perft.hpp"

namespace karikomi::othello {

/// A square, or a pass; stored plus one, because code 0 means "no move".
class Move {
public:
    constexpr Move() = default;
    static constexpr Move from_square(Square square) {
        return from_raw(static_cast<MoveCode>(square + 1));
    }
    static constexpr Move from_raw(MoveCode code) {
        Move m;
        m.code_ = code;
        return m;
    }
    constexpr MoveCode raw() const { return code_; }
    constexpr Square square() const { return code_ - 1; }
    constexpr bool is_pass() const { return square() == kPass; }
    bool operator==(const Move&) const = default;

private:
    MoveCode code_ = kNoMove;
};

/// A position that knows its moves: asked for at every node, they are found once.
class GamePosition {
public:
    static constexpr std::size_t kMostMoves = 34;
    struct Undo {
        Board board;
        Bits moves = 0;
        Bits flipped = 0;
        bool after_pass = false;
    };

    GamePosition() : GamePosition(start_position()) {}
    explicit GamePosition(const Position& p)
        : board_(p.board), moves_(p.board.moves()), to_move_(p.to_move) {}

    const Board& board() const { return board_; }
    Colour colour() const { return to_move_; }
    Position plain() const { return Position{board_, to_move_}; }
    Bits moves() const { return moves_; }
    int discs() const { return std::popcount(board_.own | board_.other); }
    int empties() const { return 64 - discs(); }
    Bits flipped() const { return flipped_; }  ///< by the last move

    /// Whose turn it is in colours does not matter: the board is kept as the mover sees it.
    Key key() const { return hash_key(board_); }
    int side() const { return to_move_ == Colour::Black ? 0 : 1; }
    std::optional<Value> outcome(int /*ply*/) const {
        if (moves_ != 0 || board_.replies() != 0) return std::nullopt;
        return final_score(board_) * kDisc;
    }
    Value no_moves_value(int /*ply*/) const { return final_score(board_) * kDisc; }

    template <class List> void generate(List& list) const {
        if (moves_ == 0 && board_.replies() != 0) list.push(Move::from_square(kPass));
        for (Bits m = moves_; m != 0; m &= m - 1) list.push(Move::from_square(lowest(m)));
    }
    bool is_legal(Move m) const {
        if (m.is_pass()) return board_.must_pass();
        return m.square() >= 0 && m.square() < 64 && (moves_ & bit(m.square())) != 0;
    }
    void make(Move m, Undo& undo) {
        undo = {board_, moves_, flipped_, after_pass_};
        after_pass_ = m.is_pass();
        if (after_pass_) {
            board_.pass();
            flipped_ = 0;
        } else {
            flipped_ = board_.flips(m.square());
            board_.play(m.square(), flipped_);
        }
        moves_ = board_.moves();
        to_move_ = opposite(to_move_);
    }
    void unmake(Move, const Undo& undo) {
        board_ = undo.board;
        moves_ = undo.moves;
        flipped_ = undo.flipped;
        after_pass_ = undo.after_pass;
        to_move_ = opposite(to_move_);
    }

    std::uint64_t count_leaves(Depth depth) const { return perft(board_, depth); }

    int stage() const { return std::clamp((discs() - 4) / 4, 0, 14); }  ///< of four discs
    int moves_left() const { return empties(); }
    int history_slot(Move m) const { return m.square(); }
    bool after_pass() const { return after_pass_; }
    int piece_count() const { return discs(); }
    int mobility() const { return std::popcount(moves_); }
    Phase phase() const {
        return discs() < 24 ? Phase::Opening : discs() < 44 ? Phase::Middle : Phase::Endgame;
    }

private:
    Board board_;
    Bits moves_ = 0;
    Bits flipped_ = 0;
    Colour to_move_ = Colour::Black;
    bool after_pass_ = false;
};

/// Pattern numbers kept up to date move by move.
class Evaluator {
public:
    explicit Evaluator(std::shared_ptr<const Weights> weights = built_in_weights())
        : weights_(std::move(weights)), stack_(kStackSize + 1) {}

    std::string_view id() const { return weights_->id(); }
    const std::shared_ptr<const Weights>& weights() const { return weights_; }
    void reset(const GamePosition& p) {
        top_ = 0;
        stack_[0] = features_of(p.plain().black(), p.plain().white());
    }
    void after_make(const GamePosition& p, Move m) {
        stack_[top_ + 1] = stack_[top_];
        ++top_;
        if (m.is_pass()) return;
        update_features(stack_[top_], m.square(), p.flipped(), opposite(p.colour()));
    }
    void after_unmake(const GamePosition&, Move) { --top_; }
    Value evaluate(const GamePosition& p) const {
        return pattern_value(*weights_, stack_[top_], p.board(), p.colour(), p.moves());
    }
    /// For the mover, after a move that leaves `next`, whose moves are `replies`.
    Value value_after(const GamePosition& p, Square square, const Board& next, Bits replies) const {
        Features f = stack_[top_];
        update_features(f, square, next.other ^ p.board().own ^ bit(square), p.colour());
        return -pattern_value(*weights_, f, next, opposite(p.colour()), replies);
    }

private:
    std::shared_ptr<const Weights> weights_;
    std::size_t top_ = 0;
    std::vector<Features> stack_;
};

/// Near the leaves by what a move leaves the opponent (few moves, no corners), further up also by
/// its value.
struct Ordering {
    static void score(const GamePosition& p, const Evaluator& evaluator,
                      std::span<ScoredMove<Move>> moves, Depth depth);
    static bool stands_alone(Depth) { return true; }
};

/// The leaves' parents: moves in the order above, leaves by value, nothing made or unmade.
struct LastPly {
    static LastPlyResult<Move> search(const GamePosition& p, const Evaluator& evaluator, Value beta,
                                      Move first);
};

/// Positions in OBF, moves as squares: "f5d6", "pa" for a pass.
struct Notation {
    static Expected<GamePosition> parse(std::string_view text);
    static Expected<Move> parse_move(const GamePosition& pos, std::string_view text);
    static std::string format_move(const GamePosition& pos, Move m);
    static std::vector<std::string> split_moves(std::string_view text);
    static std::string format(const GamePosition& pos) { return format_obf(pos.plain()); }
    static std::string draw(const GamePosition& pos) { return format_diagram(pos.plain()); }
};

class Takeover;  ///< the endgame solver: takeover.hpp, to be included by who runs a search

struct Game {
    using Move = othello::Move;
    using Undo = GamePosition::Undo;
    using Position = GamePosition;
    using Evaluator = othello::Evaluator;
    using Ordering = othello::Ordering;
    using Horizon = StaticHorizon;
    using LastPly = othello::LastPly;
    using Notation = othello::Notation;
    using Solver = Takeover;
    static constexpr int kMaxLevel = 60;  ///< as players of this game count
    static Depth depth_of_level(const GamePosition& pos, int level);
    /// Moves of one side that will still cost time on a clock: once the end is solved, none does.
    static int moves_to_plan(const GamePosition& pos);
    static constexpr std::string_view kName = "othello";
    static constexpr std::size_t kMaxMoves = GamePosition::kMostMoves;
    static constexpr int kHistorySlots = 65;
    static constexpr int kStages = 15;
};
static_assert(karikomi::Game<Game>);

}  // namespace karikomi::othello
