/// The words of the search: values, depths, bounds, keys. No game, no I/O.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace karikomi {

/// A score from the side to move's point of view, in the game's own unit (shogi: centipawn,
/// Othello: 1/100 disc, ...). It must fit 16 bits: that is its room in the transposition table.
using Value = std::int32_t;
/// Remaining plies. Whole plies only; reductions and extensions are whole plies too.
using Depth = int;
using Key = std::uint64_t;
/// A move as the table stores it: 16 bits of the game's choosing, 0 means "no move".
using MoveCode = std::uint16_t;

inline constexpr MoveCode kNoMove = 0;
inline constexpr int kMaxPly = 127;  ///< longest line from the root, in plies
/// Room on the stack beyond kMaxPly, for what a horizon searches on its own (quiescence). A horizon
/// must end its lines before ply kStackSize - 1.
inline constexpr int kStackSize = kMaxPly + 129;
inline constexpr Depth kMaxDepth = 120;   ///< deepest iteration
inline constexpr Depth kUnsearched = -2;  ///< of a table entry that holds a static value only
inline constexpr Depth kNever = 255;      ///< a minimum depth that no node reaches: "switched off"

inline constexpr Value kInfinity = 32'001;
inline constexpr Value kWin = 32'000;       ///< a win on the board, 0 plies away
inline constexpr Value kDecisive = 30'000;  ///< from here on a score is a proven win or loss
inline constexpr Value kMaxEval = kDecisive - 1;
inline constexpr Value kNoValue = std::numeric_limits<std::int16_t>::min();

constexpr Value win_in(int plies) {
    return kWin - plies;
}
constexpr Value loss_in(int plies) {
    return -kWin + plies;
}
constexpr bool is_decisive(Value v) {
    return v >= kDecisive || v <= -kDecisive;
}
constexpr Value clamp_eval(Value v) {
    return std::clamp(v, -kMaxEval, kMaxEval);
}

/// Plies from the root until the proven end; only meaningful for decisive values.
constexpr int plies_to_end(Value v) {
    return kWin - std::abs(v);
}

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

/// What a fail-soft result `v` of a search with this window says about the true value.
constexpr Bound bound_of(Value v, Value alpha, Value beta) {
    return v >= beta ? Bound::Lower : v > alpha ? Bound::Exact : Bound::Upper;
}
/// Is a known value with this bound all that a search with this window would find out?
constexpr bool decides(Bound bound, Value v, Value alpha, Value beta) {
    return bound == Bound::Exact || (bound == Bound::Lower && v >= beta) ||
           (bound == Bound::Upper && v <= alpha);
}

/// An estimate, or in its place a known value that lies on the side of it which its bound allows.
constexpr Value refined(Value estimate, Value known, Bound bound) {
    if (bound == Bound::None || is_decisive(known)) return estimate;
    const Bound useful = known > estimate ? Bound::Lower : Bound::Upper;
    return bound == Bound::Exact || bound == useful ? known : estimate;
}

/// What the parent expects of a node. Passed down, never guessed from the window.
enum class NodeKind : std::uint8_t {
    Pv,   ///< open window, exact value wanted
    Cut,  ///< expected to fail high: one good move is enough
    All,  ///< expected to fail low: every move will be looked at
};

constexpr NodeKind child_kind(NodeKind k) {
    return k == NodeKind::Cut ? NodeKind::All : NodeKind::Cut;
}

enum class Phase : std::uint8_t { Opening, Middle, Endgame };

/// How grave is what the side that is not to move would do with its next move.
enum class Threat : std::uint8_t {
    None,
    Slow,   ///< start an attack that may well win
    Grave,  ///< make its win certain, though not end the game
    Now,    ///< win
};
/// The same as a number of the parameters: 0 .. 3.
inline constexpr int kAnyThreat = static_cast<int>(Threat::Now);

/// A selective technique, by its place in the list of core/selective/selective.hpp.
enum class Technique : std::uint8_t {};

/// Every technique, for which a build or a game may say yes or no.
/// As a template argument of Worker it says what is compiled in.
struct AllTechniques {
    static constexpr bool has(Technique) { return true; }
};

}  // namespace karikomi
