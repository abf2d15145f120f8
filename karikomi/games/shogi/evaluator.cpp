#include "karikomi/games/shogi/evaluator.hpp"

namespace karikomi::shogi {

static_assert(kPieceValue[kKing] == 0);

Evaluator::Evaluator(std::shared_ptr<const Network> network)
    : network_(std::move(network)), accumulators_(network_ != nullptr) {}

std::string_view Evaluator::id() const {
    return network_ != nullptr ? std::string_view(network_->id()) : "shogi-starter-2";
}

Value Material::count(const Board& b) {
    Value v = 0;
    for (Square s = 0; s < kSquares; ++s) {
        if (!is_square(s) || b.on(s) == kNoPiece) continue;
        const Value piece = kPieceValue[type_of(b.on(s))];
        v += colour_of(b.on(s)) == kBlack ? piece : -piece;
    }
    for (const PieceType t : kHandOrder) {
        v += kHandValue[t] * (b.hand(kBlack).count(t) - b.hand(kWhite).count(t));
    }
    return v;
}

}  // namespace karikomi::shogi
