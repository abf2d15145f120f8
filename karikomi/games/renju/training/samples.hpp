/// What a fit sees of the games: positions as sums of entries, with labels.
#pragma once

#include <vector>

#include "karikomi/games/renju/position.hpp"
#include "karikomi/games/renju/threats.hpp"
#include "karikomi/games/renju/training/games.hpp"
#include "karikomi/games/renju/training/tied_tables.hpp"

namespace karikomi::renju {

/// Entries of the value tables: the cells' values by colour and turn, then the threats by colour.
inline constexpr std::size_t kCellEntries = 4 * kCodeClasses;
inline constexpr std::size_t kValueEntries = kCellEntries + 2 * kThreatMasks;
constexpr std::uint16_t cell_entry(int colour, bool moving, std::size_t code_class) {
    const auto table = static_cast<std::size_t>(2 * colour + (moving ? 0 : 1));
    return static_cast<std::uint16_t>(table * kCodeClasses + code_class);
}
constexpr std::uint16_t threat_entry(int colour, std::size_t mask) {
    const auto table = static_cast<std::size_t>(colour);
    return static_cast<std::uint16_t>(kCellEntries + table * kThreatMasks + mask);
}
/// Entries of the tables for moves: what a cell is to the mover, or to the other side.
inline constexpr std::size_t kMoveEntries = 4 * kCodeClasses;
constexpr std::uint16_t move_entry(int mover, bool make, std::size_t code_class) {
    return cell_entry(mover, make, code_class);
}

/// A position of a game that the fit may look at.
struct Seen {
    const Position& pos;
    const Ply& ply;
    float label = 0.5f;   ///< chance of the side to move
    float result = 0.5f;  ///< 1: it won
    bool held_out = false;
};

/// Has the static value something to say here? Where a five or a straight four can be made the
/// search sees the end.
inline bool is_quiet(const Position& p) {
    const int me = p.side();
    return p.count(me, Point::Five) == 0 && p.count(1 - me, Point::Five) == 0 &&
           p.count(me, Point::FourOpen) == 0;
}

/// Labels of a game, ply by ply; below 0 where there is none. `scale`: search value for e : 1.
std::vector<float> labels_of(const TrainingGame& game, double scale, double lambda);

/// The scale at which the searches' values foretell the results best.
double fit_scale(const std::vector<TrainingGame>& games);

/// The entries of the cells' sums, for `mover`, whose turn it is taken to be.
void cell_terms(const Position& pos, int mover, std::vector<Term>& out);
/// All that makes a quiet position's value, for the side to move.
void value_terms(const Position& pos, std::vector<Term>& out);

/// Calls f(const Seen&) for every quiet position of a game that was searched without a proof.
template <class F>
void each_seen(const TrainingGame& game, Rule rule, const std::vector<float>& labels, F&& f) {
    Position pos(Rules{rule, kUsualSize});
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
        const Ply& ply = game.plies[i];
        const Move move = Move::from_cell(cell_of_number(ply.played));
        if (!pos.is_legal(move) || pos.outcome(0)) return;  // another program's games
        if (ply.best != Ply::kNoNumber && !is_decisive(ply.value) && is_quiet(pos)) {
            const int sign = pos.side() == kBlack ? 1 : -1;
            const float result = 0.5f + 0.5f * static_cast<float>(sign * game.winner);
            f(Seen{pos, ply, labels[i], result, game.held_out});
        }
        Undo undo;
        pos.make(move, undo);
    }
}

}  // namespace karikomi::renju
