/// The static value: sums of shapes over the empty cells, and what threats mean on one's turn.
#pragma once

#include "karikomi/games/renju/position.hpp"

namespace karikomi::renju {

struct Evaluator {
    static constexpr std::string_view id() { return kEvaluationId; }

    static Value evaluate(const Position& p) {
        const int me = p.side();
        return clamp_eval(p.shape_value(me) - p.shape_value(1 - me) + threats(p, me));
    }

    /// After a quiet move: the shapes of its cell become the mover's, the turn goes over.
    static Value evaluate_move(const Position& p, Move m) {
        const int me = p.side();
        const Value gain = 2 * p.shape_value_at(m.cell(), me) + p.shape_value_at(m.cell(), 1 - me);
        return clamp_eval(p.shape_value(me) - p.shape_value(1 - me) + gain - kThreatValues.turn);
    }

private:
    static Value threats(const Position& p, int me) {
        constexpr ThreatValues kV = kThreatValues;
        const int other = 1 - me;
        if (p.count(me, Point::Five) > 0) return kV.own_five;
        Value v = kV.turn;
        if (p.count(other, Point::Five) > 0) return v + kV.other_five;
        if (p.count(me, Point::FourOpen) > 0) return v + kV.own_open_four;
        if (p.count(me, Point::FourThree) > 0) v += kV.own_four_three;
        if (p.count(other, Point::FourOpen) > 2) {
            v += kV.other_open_fours;
        } else if (p.count(other, Point::FourOpen) > 0) {
            v += kV.other_open_four;
        }
        if (p.count(other, Point::FourThree) > 0) v += kV.other_four_three;
        return v;
    }
};

}  // namespace karikomi::renju
