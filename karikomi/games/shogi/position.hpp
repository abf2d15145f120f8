/// A position of a game: board, what was played before, and the rules that end a game.
#pragma once

#include <optional>

#include "karikomi/games/shogi/history.hpp"
#include "karikomi/games/shogi/movegen.hpp"
#include "karikomi/games/shogi/notation.hpp"
#include "karikomi/games/shogi/values.hpp"

namespace karikomi::shogi {

/// When a king that has entered the enemy camp wins. A declaration needs the king in the camp
/// (the three far ranks) and not in check, ten more pieces there, and points: 5 for a rook or
/// bishop, 1 for others, of the pieces there and in hand.
enum class Declaration : std::uint8_t {
    None,
    Points24,          ///< 31 points win (24 to 30 would be a draw, which nobody has to declare)
    Points24Handicap,  ///< the same; pieces missing from the set count for White
    Points27,          ///< Black 28, White 27
    Points27Handicap,
    Try,  ///< no points: who puts his king where the enemy king started the game wins
};

/// The same as text, in the same order.
inline constexpr std::array<std::string_view, 6> kDeclarations = {
    "none", "points24", "points24_handicap", "points27", "points27_handicap", "try"};
inline constexpr int kMostMoves = 100'000;  ///< for the limit of moves

struct Rules {
    Declaration declaration = Declaration::Points27;
    int max_moves = 0;  ///< the game is drawn after so many plies; 0: no limit
    Promotions promotions = Promotions::Useful;  ///< what the staged generators offer the search
    Value draw_for_black = 0;                    ///< what a draw is worth to Black, inside a search
    bool operator==(const Rules&) const = default;
};

/// Not proven, because the other side may still deviate, but as good as won: for repetitions.
inline constexpr Value kAlmostWon = 28'000;

class Position {
public:
    struct Undo {
        BoardUndo board;
        std::size_t wall = 0;
    };

    Position();  ///< the start of a game
    explicit Position(const Diagram& diagram, const Rules& rules = {});

    const Board& board() const { return board_; }
    const GameHistory& history() const { return history_; }
    const Rules& rules() const { return rules_; }
    void set_rules(const Rules& rules);
    /// Of the next move, in plies; 1 at the start of a game.
    int move_number() const { return move_number_; }
    /// What the last move took, kNoPiece for nothing.
    Piece last_captured() const { return history_.last().captured; }

    bool is_declared() const { return declared_; }  ///< the last move was a declaration

    // ---- What the search asks of a game ----
    Key key() const { return board_.key(); }
    int side() const { return board_.side(); }
    /// At the root (ply 0) only what the rules say: fourfold repetition, the limit of moves, a
    /// declared win. Below it the first repetition is enough to know what it comes to.
    std::optional<Value> outcome(int ply) const {
        if (!special_ && !history_.may_repeat()) return std::nullopt;
        return special_outcome(ply);
    }
    /// Mate; a side that cannot move without being in check has lost as well.
    Value no_moves_value(int ply) const { return loss_in(ply); }
    /// Every legal move, useless non-promotions included, and a declaration where it wins.
    template <class List> void generate(List& list) const {
        if (can_declare()) list.push(Move::declare());
        generate_moves<Stage::All, Promotions::Every>(board_, list);
    }
    /// The two parts of what is worth searching.
    template <class List> void generate_tactical(List& list) const {
        if (can_declare()) list.push(Move::declare());
        generate_stage<Stage::Tactical>(list);
    }
    template <class List> void generate_quiet(List& list) const {
        generate_stage<Stage::Quiet>(list);
    }
    bool is_legal(Move m) const { return m.is_declaration() ? can_declare() : board_.is_legal(m); }
    void make(Move m, Undo& undo) {
        if (m.is_declaration()) return make_declaration(undo);
        board_.do_move(m, undo.board);
        history_.push(board_.board_key(), board_.hand(kBlack), board_.in_check(),
                      undo.board.captured);
        ++move_number_;
    }
    void unmake(Move m, const Undo& undo) {
        if (m.is_declaration()) return unmake_declaration(undo);
        board_.undo_move(m, undo.board);
        history_.pop();
        --move_number_;
    }
    int stage() const;  ///< 0 .. 2: opening, middle game, endgame
    /// By kind and target, as the mover sees the board; drops are kinds of their own.
    int history_slot(Move m) const {
        if (m.is_declaration()) return 0;
        const Square to = board_.side() == kBlack ? m.to() : turned(m.to());
        const int kind =
            m.is_drop() ? kTypes - 1 + m.dropped() - 1 : type_of(board_.on(m.from())) - 1;
        return kind * kSquares + to;
    }
    static constexpr int kHistorySlots = (kTypes - 1 + kGold) * kSquares;

    // ---- Abilities ----
    bool allows_null_move() const { return !board_.in_check(); }
    void make_null(Undo& undo);
    void unmake_null(const Undo& undo);
    /// Captures, and a declaration. Promotions that take nothing are too many to come first.
    bool is_tactical(Move m) const {
        return !m.is_drop() && (m.is_declaration() || board_.on(m.to()) != kNoPiece);
    }
    Value exchange_value(Move m) const {
        return m.is_declaration() ? kMaxEval : board_.exchange_value(m);
    }
    /// Material won if nothing is taken back.
    Value capture_gain(Move m) const {
        if (m.is_declaration()) return kMaxEval;
        Value v = 0;
        if (const Piece taken = board_.captured_by(m); taken != kNoPiece) {
            v += shogi::capture_gain(type_of(taken));
        }
        if (m.promotes()) v += promotion_gain(type_of(board_.on(m.from())));
        return v;
    }
    bool retakes(Move m, Move last) const { return !m.is_declaration() && m.to() == last.to(); }
    /// Mate in one.
    bool wins_at_once() const { return board_.find_mate_in_one().raw() != kNoMove; }
    /// The type that a move takes, 0 for none.
    int capture_kind(Move m) const {
        return m.is_declaration() ? 0 : type_of(board_.captured_by(m));
    }
    /// 0: pawns, 1: kings and their guards, 2: hands.
    Key structure_key(int which) const;
    bool in_check() const { return board_.in_check(); }
    bool gives_check(Move m) const { return !m.is_declaration() && board_.gives_check(m); }
    Phase phase() const { return static_cast<Phase>(stage()); }
    int piece_count() const { return board_.occupied().count(); }
    std::uint64_t count_leaves(Depth depth) { return perft(board_, depth); }

    /// May the side to move end the game by declaring that it has won?
    bool can_declare() const {
        return far_ranks(board_.side(), 3).has(board_.king(board_.side())) && declaration_wins();
    }
    bool operator==(const Position&) const = default;

private:
    template <Stage S, class List> void generate_stage(List& list) const {
        if (rules_.promotions == Promotions::Useful) {
            generate_moves<S, Promotions::Useful>(board_, list);
        } else {
            generate_moves<S, Promotions::Every>(board_, list);
        }
    }
    std::optional<Value> special_outcome(int ply) const;
    std::optional<Value> repetition_value(int ply) const;
    bool declaration_wins() const;
    /// At the root a draw is a draw: nobody has won. Below it is worth what the player says.
    Value draw_value(int ply) const {
        if (ply == 0) return 0;
        return board_.side() == kBlack ? rules_.draw_for_black : -rules_.draw_for_black;
    }
    void make_declaration(Undo& undo);
    void unmake_declaration(const Undo& undo);

    Board board_;
    int move_number_ = 1;
    bool special_ = false;   ///< rules beyond repetition may end the game
    bool declared_ = false;  ///< the last move was a declaration: its side has won
    Rules rules_;
    GameHistory history_;
};

/// Points of a declaration: pieces of c in the far ranks and in hand.
struct EnteredForce {
    int pieces = 0;  ///< in the far ranks, without the king
    int points = 0;
};
EnteredForce entered_force(const Board& board, Colour c);

}  // namespace karikomi::shogi
