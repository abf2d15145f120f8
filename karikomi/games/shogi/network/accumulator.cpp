#include "karikomi/games/shogi/network/accumulator.hpp"

#include <cstring>

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
    const Row& before = from.sums.half[player];
    Row& after = to.sums.half[player];
    const auto weights = [&](const Item& i) { return &network.weights(feature(player, v, i)); };
    if (to.gone_count == 0) {
        after = before;
        return;
    }
    if (to.gone_count == 1) {
        const std::array<const Row*, 1> gone = {weights(to.gone[0])};
        const std::array<const Row*, 1> come = {weights(to.come[0])};
        network.kernels().combine(before, after, gone, come);
        return;
    }
    const std::array<const Row*, 2> gone = {weights(to.gone[0]), weights(to.gone[1])};
    const std::array<const Row*, 2> come = {weights(to.come[0]), weights(to.come[1])};
    network.kernels().combine(before, after, gone, come);
}

namespace {

/// A list of rows that never grows beyond the pieces of a set.
class RowList {
public:
    void push(const Row& row) { rows_[size_++] = &row; }
    Kernels::Rows rows() const { return {rows_.data(), size_}; }

private:
    std::size_t size_ = 0;
    std::array<const Row*, 128> rows_;
};

/// f(square) for each square where two boards differ, eight squares at a look.
template <class F>
void for_each_difference(const Table<Piece, kSquares>& a, const Table<Piece, kSquares>& b, F&& f) {
    constexpr int kWord = 8;
    constexpr int kWhole = kSquares / kWord * kWord;
    for (int at = 0; at < kWhole; at += kWord) {
        std::uint64_t x = 0;
        std::uint64_t y = 0;
        std::memcpy(&x, a.items + at, kWord);
        std::memcpy(&y, b.items + at, kWord);
        if (x == y) continue;
        for (int s = at; s < at + kWord; ++s) {
            if (a[s] != b[s]) f(s);
        }
    }
    for (int s = kWhole; s < kSquares; ++s) {
        if (a[s] != b[s]) f(s);
    }
}

}  // namespace

/// From what was last seen from the same view.
const Row& Accumulators::refresh(const Network& network, const Board& b, Colour player) {
    const View v = view_of(b, player);
    const int at = (player * 2 + v.mirror) * kKingSets + v.set;
    Seen& seen = seen_[static_cast<std::size_t>(at)];
    if (!seen.ready) {
        seen = Seen{};
        seen.sums = network.bias();
        seen.ready = true;
    }
    RowList gone;
    RowList come;
    for_each_difference(seen.squares, b.squares(), [&](Square s) {
        const Piece before = seen.squares[s];
        const Piece now = b.on(s);
        if (before != kNoPiece) gone.push(network.weights(board_feature(player, v, before, s)));
        if (now != kNoPiece) come.push(network.weights(board_feature(player, v, now, s)));
    });
    for (const Colour owner : {kBlack, kWhite}) {
        if (seen.hands[owner] == b.hand(owner)) continue;
        for (const PieceType t : kHandOrder) {
            const int before = seen.hands[owner].count(t);
            const int now = b.hand(owner).count(t);
            for (int n = now + 1; n <= before; ++n)
                gone.push(network.weights(hand_feature(player, v, owner, t, n)));
            for (int n = before + 1; n <= now; ++n)
                come.push(network.weights(hand_feature(player, v, owner, t, n)));
        }
        seen.hands[owner] = b.hand(owner);
    }
    network.kernels().combine(seen.sums, seen.sums, gone.rows(), come.rows());
    seen.squares = b.squares();
    return seen.sums;
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
        levels_[top_].sums.half[player] = refresh(network, b, player);
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
