/// The static value of a position: a trained network where there is one, otherwise the hand-written
/// evaluation.
#pragma once

#include <memory>
#include <string_view>

#include "karikomi/games/shogi/network/accumulator.hpp"
#include "karikomi/games/shogi/starter.hpp"

namespace karikomi::shogi {

class Evaluator {
public:
    /// Names the evaluation in use and its weights.
    static std::string_view id();

    Evaluator();
    void reset(const Position& p) {
        if (network_ != nullptr) return accumulators_.reset(p.board());
        starter_.reset(p.board());
    }
    void after_make(const Position& p, Move m) {
        if (network_ != nullptr) return accumulators_.after_make(p.board(), m, p.last_captured());
        starter_.after_make(p, m);
    }
    void after_unmake(const Position&, Move) {
        if (network_ != nullptr) return accumulators_.after_unmake();
        starter_.after_unmake();
    }
    /// Remembers what it computes, which changes no result.
    Value evaluate(const Position& p) const {
        if (network_ == nullptr) return starter_.evaluate(p.board());
        return network_->evaluate(accumulators_.current(*network_, p.board()), p.board().side());
    }

private:
    const Network* network_;  ///< null: the hand-written evaluation
    Starter starter_;
    mutable Accumulators accumulators_;
};

}  // namespace karikomi::shogi
