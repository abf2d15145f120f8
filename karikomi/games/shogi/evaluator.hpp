/// The static value of a position: material and what a trained network adds to it, where there is a
/// network; otherwise the hand-written evaluation.
#pragma once

#include <memory>
#include <string_view>

#include "karikomi/games/shogi/material.hpp"
#include "karikomi/games/shogi/network/accumulator.hpp"
#include "karikomi/games/shogi/starter.hpp"

namespace karikomi::shogi {

/// Sees what a thread evaluates: training games look for positions there.
class EvaluationWatch {
public:
    virtual void see(const Position& p) = 0;

protected:
    ~EvaluationWatch() = default;
};
/// Of this thread; null: nobody looks.
inline constinit thread_local EvaluationWatch* evaluation_watch = nullptr;

class Evaluator {
public:
    /// Null: the hand-written evaluation.
    explicit Evaluator(std::shared_ptr<const Network> network = built_in_network());

    std::string_view id() const;
    void reset(const Position& p) {
        if (network_ == nullptr) return starter_.reset(p.board());
        material_.reset(p.board());
        accumulators_.reset(p.board());
    }
    void after_make(const Position& p, Move m) {
        if (network_ == nullptr) return starter_.after_make(p, m);
        material_.after_make(p, m);
        accumulators_.after_make(p.board(), m, p.last_captured());
    }
    void after_unmake(const Position&, Move) {
        if (network_ == nullptr) return starter_.after_unmake();
        material_.after_unmake();
        accumulators_.after_unmake();
    }
    /// Remembers what it computes, which changes no result.
    Value evaluate(const Position& p) const {
        if (network_ == nullptr) return starter_.evaluate(p.board());
        if (evaluation_watch != nullptr) evaluation_watch->see(p);
        const Colour side = p.board().side();
        const Accumulator& sums = accumulators_.current(*network_, p.board());
        return clamp_eval(material_.value(side) + network_->evaluate(sums, side));
    }

private:
    std::shared_ptr<const Network> network_;  ///< null: the hand-written evaluation
    Starter starter_;
    Material material_;
    mutable Accumulators accumulators_;
};

}  // namespace karikomi::shogi
