#include "karikomi/games/shogi/network/accumulator.hpp"

namespace karikomi::shogi {

void Accumulators::after_make(const Board& b, Move m, Piece captured) {
    Level& l = levels_[++top_];
    l.fresh = {};
    l.gone_count = 0;
    l.come_count = 0;
    look(b);
    if (m.is_declaration()) return;
    const auto gone = [&](Item i) { l.gone[static_cast<std::size_t>(l.gone_count++)] = i; };
    const auto come = [&](Item i) { l.come[static_cast<std::size_t>(l.come_count++)] = i; };
    const auto in_hand = [&](Colour c, PieceType t, int n) {
        return Item{make_piece(c, t), kInHand, static_cast<std::uint8_t>(n)};
    };
    const Colour mover = opposite(b.side());
    const Piece placed = b.on(m.to());
    come({placed, static_cast<std::uint8_t>(m.to()), 0});
    if (m.is_drop()) {
        return gone(in_hand(mover, m.dropped(), b.hand(mover).count(m.dropped()) + 1));
    }
    const Piece left = m.promotes() ? static_cast<Piece>(placed & ~kPromoted) : placed;
    gone({left, static_cast<std::uint8_t>(m.from()), 0});
    if (captured == kNoPiece) return;
    gone({captured, static_cast<std::uint8_t>(m.to()), 0});
    const PieceType t = demoted(type_of(captured));
    come(in_hand(mover, t, b.hand(mover).count(t)));
}

void Accumulators::apply(const Network& network, const Level& from, Level& to, Colour player) {
    const View v = to.view[static_cast<std::size_t>(player)];
    const std::int16_t* before = from.sums.half[player];
    std::int16_t* after = to.sums.half[player];
    const auto weights = [&](const Item& i) { return network.weights(feature(player, v, i)); };
    if (to.gone_count == 0) {
        std::copy_n(before, kHalf, after);
        return;
    }
    const std::int16_t* less = weights(to.gone[0]);
    const std::int16_t* more = weights(to.come[0]);
    if (to.gone_count == 1) {
        for (int k = 0; k < kHalf; ++k) {
            after[k] = static_cast<std::int16_t>(before[k] - less[k] + more[k]);
        }
        return;
    }
    const std::int16_t* less2 = weights(to.gone[1]);
    const std::int16_t* more2 = weights(to.come[1]);
    for (int k = 0; k < kHalf; ++k) {
        after[k] = static_cast<std::int16_t>(before[k] - less[k] + more[k] - less2[k] + more2[k]);
    }
}

/// From the nearest level that is right and was seen the same way, or from the board.
void Accumulators::bring_up_to_date(const Network& network, const Board& b, Colour player) {
    const auto p = static_cast<std::size_t>(player);
    std::size_t from = top_;
    while (!levels_[from].fresh[p] && from > 0 &&
           levels_[from - 1].view[p] == levels_[from].view[p]) {
        --from;
    }
    if (!levels_[from].fresh[p]) {
        // What lies between stays as it is: to go back there costs a refresh once more at most.
        network.refresh(b, player, levels_[top_].sums.half[player]);
        levels_[top_].fresh[p] = true;
        return;
    }
    for (; from < top_; ++from) {
        apply(network, levels_[from], levels_[from + 1], player);
        levels_[from + 1].fresh[p] = true;
    }
}

const Accumulator& Accumulators::current(const Network& network, const Board& b) {
    for (const Colour c : {kBlack, kWhite}) {
        if (!levels_[top_].fresh[static_cast<std::size_t>(c)]) bring_up_to_date(network, b, c);
    }
    return levels_[top_].sums;
}

}  // namespace karikomi::shogi
