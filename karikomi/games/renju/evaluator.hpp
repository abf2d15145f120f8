/// The static value: sums over the empty cells' codes, and what the threats mean on one's turn.
#pragma once

#include "karikomi/games/renju/position.hpp"
#include "karikomi/games/renju/threats.hpp"

namespace karikomi::renju {

struct Evaluator {
    /// Of renju; the engine of another rule names its own.
    static std::string_view id() { return active_weights(Rule::Renju).id(); }

    static Value evaluate(const Position& p) {
        const int me = p.side();
        const int cells = p.cell_sum(me).moving - p.cell_sum(1 - me).waiting;
        return clamp_eval(cells / kFine + threats(p, me));
    }

    /// After a quiet move: the sums as they are when the turn goes over, and what moves on such
    /// cells change in the mean.
    static Value evaluate_move(const Position& p, Move m) {
        const int me = p.side();
        const int cells = p.cell_sum(me).waiting - p.cell_sum(1 - me).moving;
        const Value gain =
            p.terms(p.code(m.cell(), me)).gain_make + p.terms(p.code(m.cell(), 1 - me)).gain_take;
        return clamp_eval(cells / kFine + gain);
    }

private:
    static Value threats(const Position& p, int me) {
        const auto& table = p.tables(me).threats;
        if (p.count(me, Point::Five) > 0) return kOwnFive;
        if (p.count(1 - me, Point::Five) > 0) return table[0] + kOtherFive;
        if (p.count(me, Point::FourOpen) > 0) return table[0] + kOwnOpenFour;
        return table[threat_mask(p, me)];
    }
};

}  // namespace karikomi::renju
