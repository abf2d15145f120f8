/// The static value: sums over the empty cells' codes, and what the threats mean on one's turn.
#pragma once

#include "karikomi/games/renju/position.hpp"
#include "karikomi/games/renju/threats.hpp"

namespace karikomi::renju {

class Evaluator {
public:
    /// The weights are for one rule: by another a position is judged with the built-in ones.
    explicit Evaluator(std::shared_ptr<const Weights> weights = built_in_weights(Rule::Renju))
        : weights_(std::move(weights)) {}

    std::string_view id() const { return weights_->id(); }
    /// The sums are kept by the position, move by move.
    void adopt(Position& p) const { p.set_weights(weights_); }

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

    std::shared_ptr<const Weights> weights_;
};

}  // namespace karikomi::renju
