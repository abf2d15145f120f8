/// The few facts about a node that a technique may look at. A technique never sees a position, the
/// transposition table or a game's name, so a unit test can drive it with a handful of numbers.
#pragma once

#include "karikomi/core/types.hpp"

namespace karikomi {

/// What the transposition table said about the node.
struct TtView {
    Value value = kNoValue;
    Depth depth = -1;
    Bound bound = Bound::None;
    MoveCode move = kNoMove;
};

struct NodeView {
    Value alpha = -kInfinity;
    Value beta = kInfinity;
    Depth depth = 0;  ///< remaining plies
    int ply = 1;      ///< distance from the root
    NodeKind kind = NodeKind::Pv;
    Key key = 0;
    TtView tt{};

    Value static_value = kNoValue;  ///< kNoValue when no active technique asked for it
    Value raw_static = kNoValue;    ///< the same before what the search learned about it
    Value estimate = kNoValue;      ///< the same, or the table's value where that says more
    bool improving = false;         ///< it is larger than two plies ago
    bool worsening = false;         ///< the opponent's last move was worse than it had looked
    bool table_pv = false;          ///< is or was on a principal variation
    bool table_known =
        false;  ///< the table has something of this position, if only its static value
    bool follows_pv = false;    ///< on the principal variation of the last iteration
    bool beyond_depth = false;  ///< further from the root than the iteration is deep
    float window = 0.0f;        ///< alpha to beta, as a share of the root's
    Value correction = 0;       ///< what was learned about the static value: by how much it errs
    int table_moves = 0;        ///< how well table moves did of late: > 0 well
    bool table_move_is_tactical = false;
    int stage = 0;  ///< part of the game, for fitted parameters
    Phase phase = Phase::Middle;
    int colour = 0;                 ///< 0: the player who moves first in the game is to move
    bool opponent_to_move = false;  ///< the side to move is not the root player
    bool in_check = false;
    Threat threat = Threat::None;  ///< of the other side, where the game tells
    bool after_pass = false;
    int piece_count = kMaxDepth;     ///< for selective IID; large where the game does not say
    int mobility = 0;                ///< for selective IID; 0 where nobody asked for it
    bool aspiration_failed = false;  ///< this iteration is a retry with a wider window
    Depth prior_reduction = 0;       ///< of the move that led here
    float time_pressure = 0.0f;      ///< 0 .. 1: emergency of the game clock
};

/// A selective technique must not touch proven wins and losses.
constexpr bool has_quiet_window(const NodeView& n) {
    return !is_decisive(n.alpha) && !is_decisive(n.beta);
}

/// Does the other side threaten no worse than a parameter allows?
constexpr bool is_calm(const NodeView& n, int most_threat) {
    return static_cast<int>(n.threat) <= most_threat;
}

constexpr bool is_above_beta(const NodeView& n) {
    return n.static_value != kNoValue && n.static_value >= n.beta;
}

/// A bound that a shallow value can be tested against. Beyond the evaluation's range (a slope far
/// from 1, a huge sigma) every value lies on the same side of it, which is no evidence.
constexpr bool is_probeable(Value bound) {
    return !is_decisive(bound);
}

/// The four counters every technique reports, under these names.
struct CommonStats {
    std::uint64_t tried = 0;        ///< nodes (or moves) where the technique did its test
    std::uint64_t succeeded = 0;    ///< ... and it cut, pruned, reduced, extended, or found a move
    std::uint64_t probe_nodes = 0;  ///< nodes spent in its own verification searches
    std::uint64_t saved_nodes = 0;  ///< nodes it is estimated to have saved, probes subtracted

    template <class V> void describe_common(V&& v) {
        v("tried", tried), v("succeeded", succeeded);
        v("probe_nodes", probe_nodes), v("saved_nodes", saved_nodes);
    }
};

/// Books the result of a cut: `usual` is what a node of this depth costs on average.
inline void book_saving(CommonStats& s, double usual, std::uint64_t spent) {
    if (usual > static_cast<double>(spent)) {
        s.saved_nodes += static_cast<std::uint64_t>(usual) - spent;
    }
}

}  // namespace karikomi
