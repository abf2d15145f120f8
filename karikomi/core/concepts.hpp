/// What the search asks of a game, and nothing more.
///
/// A game is one struct `G` that names its parts:
///
///   G::Move      16-bit value type; `raw()`, `Move::from_raw(code)`, `==`; code 0 is "no move"
///   G::Undo      what `unmake` needs (may be empty)
///   G::Position  the board and its rules
///   G::Evaluator the static value of a position
///   G::Ordering  the game's own opinion on which moves to try first
///   G::Horizon   what happens when the depth is used up (static value, quiescence, solver)
///   G::kMaxMoves, G::kHistorySlots, G::kStages, G::kName
///
/// Abilities that only some games have (null move, captures, check, ...) are further concepts; the
/// node asks for them with `if constexpr`, so a game without them pays nothing.
/// docs/adding-a-game.md walks through a whole game.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "karikomi/core/move_list.hpp"
#include "karikomi/core/selective/selective.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

template <class M>
concept MoveType = std::regular<M> && sizeof(M) <= 4 && requires(const M m, MoveCode code) {
    { m.raw() } -> std::same_as<MoveCode>;
    { M::from_raw(code) } -> std::same_as<M>;
};

template <class G> using MovesOf = MoveList<typename G::Move, G::kMaxMoves>;

template <class P, class G>
concept PositionOf = std::copyable<P> &&
    requires(P pos, const P cpos, typename G::Move move, typename G::Undo& undo, MovesOf<G>& moves,
             int ply) {
    /// Hash of everything that decides the future, side to move included.
    { cpos.key() } -> std::same_as<Key>;
    /// 0 for the player who moves first in the game, 1 for the other.
    { cpos.side() } -> std::convertible_to<int>;
    /// Game over (or drawn by repetition) here? Value for the side to move, `loss_in(ply)` for a
    /// loss on the board, `ply` being the distance from the root.
    { cpos.outcome(ply) } -> std::same_as<std::optional<Value>>;
    /// Value when there is no legal move and `outcome` said nothing (mate, stalemate).
    { cpos.no_moves_value(ply) } -> std::same_as<Value>;
    /// Appends all legal moves (a pass included where the rules force one).
    {cpos.generate(moves)};
    /// Is this move, which may come from a stale table entry, legal here?
    { cpos.is_legal(move) } -> std::same_as<bool>;
    {pos.make(move, undo)};
    {pos.unmake(move, undo)};
    /// Part of the game for fitted parameters: 0 .. G::kStages - 1.
    { cpos.stage() } -> std::convertible_to<int>;
    /// Small index for history tables: 0 .. G::kHistorySlots - 1.
    { cpos.history_slot(move) } -> std::convertible_to<int>;
};

template <class E, class G>
concept EvaluatorOf = std::copyable<E> &&
    requires(E e, const E ce, const typename G::Position& pos) {
    /// Static value for the side to move; never decisive.
    { e.evaluate(pos) } -> std::same_as<Value>;
    /// Names the evaluation and its weights; fitted parameters belong to one evaluation. Weights
    /// are the evaluator's own: every thread of a search copies the one that its engine was given.
    { ce.id() } -> std::convertible_to<std::string_view>;
};

template <class O, class G>
concept OrderingOf = requires(const typename G::Position& pos,
                              std::span<ScoredMove<typename G::Move>> moves, Depth depth) {
    /// Sets a base score on every one of these moves, within +-1 000 000; the search adds its
    /// histories.
    {O::score(pos, moves, depth)};
};

/// Orders with the help of the evaluator (for example its value after each move).
template <class G>
concept OrdersByEvaluator = requires(const typename G::Position& pos,
                                     const typename G::Evaluator& evaluator,
                                     std::span<ScoredMove<typename G::Move>> moves, Depth depth) {
    {G::Ordering::score(pos, evaluator, moves, depth)};
};
/// The game's own order is better than killers, counter moves and histories at this depth.
template <class G>
concept OrdersAlone = requires(Depth depth) {
    { G::Ordering::stands_alone(depth) } -> std::same_as<bool>;
};

template <class G>
concept Game = MoveType<typename G::Move> && PositionOf<typename G::Position, G> &&
    EvaluatorOf<typename G::Evaluator, G> &&
    (OrderingOf<typename G::Ordering, G> || OrdersByEvaluator<G>)&&requires {
    typename G::Horizon;
    { G::kName } -> std::convertible_to<std::string_view>;
    { G::kMaxMoves } -> std::convertible_to<std::size_t>;
    { G::kHistorySlots } -> std::convertible_to<int>;
    { G::kStages } -> std::convertible_to<int>;
};

/// A horizon ends a line; it sees the worker (or the reference search), so that it may evaluate or
/// search on with make, unmake and enter_node, up to ply kStackSize - 1.
template <class H, class W>
concept HorizonFor = requires(W& worker, Value alpha, Value beta, int ply) {
    { H::search(worker, alpha, beta, ply) } -> std::same_as<Value>;
};

// ---- abilities that a game may have ---------------------------------------------------------

/// May pass the turn for the sake of a null-move search.
template <class G>
concept HasNullMove = requires(typename G::Position pos, const typename G::Position cpos,
                               typename G::Undo& undo) {
    { cpos.allows_null_move() } -> std::same_as<bool>;
    {pos.make_null(undo)};
    {pos.unmake_null(undo)};
};

/// Tells tactical moves (captures, promotions, fours) from quiet ones.
template <class G>
concept HasTactics = requires(const typename G::Position pos, typename G::Move move) {
    { pos.is_tactical(move) } -> std::same_as<bool>;
};

/// Knows what a sequence of exchanges started by a tactical move wins, in evaluation units.
template <class G>
concept HasExchange = HasTactics<G> &&
    requires(const typename G::Position pos, typename G::Move move) {
    { pos.exchange_value(move) } -> std::same_as<Value>;
};

/// Knows what a tactical move gains if nothing is taken back: much cheaper than the exchange.
template <class G>
concept HasCaptureGain = HasTactics<G> &&
    requires(const typename G::Position pos, typename G::Move move) {
    { pos.capture_gain(move) } -> std::same_as<Value>;
};

/// Tells whether a move takes what has just moved.
template <class G>
concept HasRetakes = requires(const typename G::Position pos, typename G::Move move,
                              typename G::Move last) {
    { pos.retakes(move, last) } -> std::same_as<bool>;
};

template <class G>
concept HasCheck = requires(const typename G::Position pos) {
    { pos.in_check() } -> std::same_as<bool>;
};

/// Tells how grave is what the other side threatens, below check. A static value knows little of
/// what is lost unless it is answered.
template <class G>
concept HasThreats = requires(const typename G::Position pos) {
    { pos.threat() } -> std::same_as<Threat>;
};

/// Tells which moves give check before they are made; such a move is not pruned as a quiet one.
template <class G>
concept HasCheckMoves = requires(const typename G::Position pos, typename G::Move move) {
    { pos.gives_check(move) } -> std::same_as<bool>;
};

template <class G>
concept HasPhase = requires(const typename G::Position pos) {
    { pos.phase() } -> std::same_as<Phase>;
};

template <class G>
concept HasPass = requires(const typename G::Position pos) {
    { pos.after_pass() } -> std::same_as<bool>;
};

template <class G>
concept HasPieceCount = requires(const typename G::Position pos) {
    { pos.piece_count() } -> std::convertible_to<int>;
};

template <class G>
concept HasMobility = requires(const typename G::Position pos) {
    { pos.mobility() } -> std::convertible_to<int>;
};

/// Can tell the static value after a move without making it (for the mover).
template <class G>
concept HasMoveEvaluation = requires(typename G::Evaluator e, const typename G::Position& pos,
                                     typename G::Move move) {
    { e.evaluate_move(pos, move) } -> std::same_as<Value>;
};

/// Keeps state beside the board (accumulators) and wants to hear of every move. Null moves are not
/// announced: the state must not depend on the side to move.
template <class G>
concept HasIncrementalEvaluator = requires(typename G::Evaluator e, const typename G::Position& pos,
                                           typename G::Move move) {
    {e.reset(pos)};
    {e.after_make(pos, move)};
    {e.after_unmake(pos, move)};
};

/// Has sums of its weights inside the position: hands it the weights before a search.
template <class G>
concept HasWeightsInPosition = requires(const typename G::Evaluator e, typename G::Position& pos) {
    {e.adopt(pos)};
};
/// The position as this evaluator sees it. To be done once, before it is searched or evaluated.
template <class G> void adopt(typename G::Evaluator& evaluator, typename G::Position& pos) {
    if constexpr (HasWeightsInPosition<G>) evaluator.adopt(pos);
    if constexpr (HasIncrementalEvaluator<G>) evaluator.reset(pos);
}

/// Tells when only one answer makes sense (a four to stop): the search then looks one ply deeper.
template <class G>
concept HasForcedReply = requires(const typename G::Position pos) {
    { pos.has_forced_reply() } -> std::same_as<bool>;
};

/// What the last ply before the horizon came to, at a node with a null window.
template <class Move> struct LastPlyResult {
    Value best = -kInfinity;  ///< of the moves looked at
    Move cut{};               ///< the move that reached beta, or none
    int looked_at = 0;        ///< moves, the cutting one included; 0: not done, search as usual
};
/// Does the last ply before the horizon by itself, without making a move, in the order of its
/// Ordering and with the values of its Horizon, which is the static value: the same tree, cheaper.
/// `first` is the table's move, or none.
template <class G>
concept HasLastPly = requires(const typename G::Position pos, const typename G::Evaluator e,
                              Value beta, typename G::Move first) {
    { G::LastPly::search(pos, e, beta, first) } -> std::same_as<LastPlyResult<typename G::Move>>;
};

/// Has many more legal moves than are worth a search, and knows which: some legal move wherever
/// there is one.
template <class G>
concept HasCandidates = requires(const typename G::Position pos, MovesOf<G>& moves) {
    {pos.generate_candidates(moves)};
};
/// The moves that the search looks at; `generate` gives those that the rules allow.
template <class G> void generate_for_search(const typename G::Position& pos, MovesOf<G>& moves) {
    if constexpr (HasCandidates<G>) {
        pos.generate_candidates(moves);
    } else {
        pos.generate(moves);
    }
}

/// Sees at a glance whether the side to move wins by its next move (mate in one).
template <class G>
concept HasQuickWin = requires(const typename G::Position pos) {
    { pos.wins_at_once() } -> std::same_as<bool>;
};

/// An evaluation that costs much more than a look into a small table.
template <class G>
concept HasCostlyEvaluation = requires {
    requires G::kCostlyEvaluation;
};

/// Tells what a tactical move captures, as a small number below kCaptureKinds: histories for
/// tactical moves.
template <class G>
concept HasCaptureKinds = HasTactics<G> &&
    requires(const typename G::Position pos, typename G::Move move) {
    { pos.capture_kind(move) } -> std::convertible_to<int>;
    { G::kCaptureKinds } -> std::convertible_to<int>;
};

/// Has parts of a position (pawns, castles) about which the evaluation errs alike: hashes of them,
/// for correction histories.
template <class G>
concept HasStructures = requires(const typename G::Position pos, int which) {
    { pos.structure_key(which) } -> std::same_as<Key>;
    { G::kStructures } -> std::convertible_to<int>;
};

/// Wants the histories that cost memory: after the move four plies ago.
template <class G>
concept WantsFarHistory = requires {
    requires G::kFarHistory;
};

/// Brings a solver of its own that can finish whole positions (Othello's endgame), splitting them
/// over the threads as it likes: core/solving.hpp says what it must offer.
template <class G>
concept HasSolver = requires {
    typename G::Solver;
};

/// Knows strength levels: fills in what a level means for a position.
template <class G>
concept HasLevels = requires(const typename G::Position& pos, int level) {
    { G::depth_of_level(pos, level) } -> std::convertible_to<Depth>;
};

/// The search may use this technique on this game at all.
template <Game G> constexpr bool can_use(Technique t) {
    return t != kTechnique<NullMove> || HasNullMove<G>;
}

}  // namespace karikomi
