#include "karikomi/games/shogi/board.hpp"
#include "karikomi/games/shogi/values.hpp"

namespace karikomi::shogi {
namespace {

/// By what is lost when it is taken back.
constexpr std::array<PieceType, 14> kCheapestFirst = {
    kPawn,      kLance, kProPawn, kKnight, kProLance, kProKnight, kSilver,
    kProSilver, kGold,  kBishop,  kHorse,  kRook,     kDragon,    kKing};

constexpr bool is_sorted_by_gain() {
    for (std::size_t i = 1; i + 1 < kCheapestFirst.size(); ++i) {
        if (capture_gain(kCheapestFirst[i]) < capture_gain(kCheapestFirst[i - 1])) return false;
    }
    return true;
}
static_assert(is_sorted_by_gain());

}  // namespace

Value Board::exchange_value(Move m) const {
    const Square to = m.to();
    PieceType standing = moved_type(m);  // on the square, next to be taken
    Bitboard all = occupied() | bit(to);
    Value gains[42];  // one a capture: what the mover has won if it ends here
    gains[0] = 0;
    if (!m.is_drop()) {
        all ^= bit(m.from());
        if (on(to) != kNoPiece) gains[0] = capture_gain(type_of(on(to)));
        if (m.promotes()) {
            gains[0] += promotion_gain(standing);
            standing = promoted(standing);
        }
    }
    Colour mover = opposite(side_);
    Bitboard attackers = attackers_of(to, all) & all;
    int n = 0;
    while (true) {
        const Bitboard own = attackers & by_colour_[mover];
        if (!own) break;
        PieceType next = kKing;
        for (const PieceType t : kCheapestFirst) {
            if (own & by_type_[t]) {
                next = t;
                break;
            }
        }
        // A king may not take what is still defended.
        if (next == kKing && attackers & by_colour_[opposite(mover)]) break;
        ++n;
        gains[n] = capture_gain(standing) - gains[n - 1];
        standing = next;
        all ^= bit((own & by_type_[next]).first());
        // Sliders that stood behind come into play. (Those that left are no longer in `all`.)
        attackers |= bishop_attacks(to, all) & (by_type_[kBishop] | by_type_[kHorse]);
        attackers |= rook_attacks(to, all) & (by_type_[kRook] | by_type_[kDragon]);
        attackers |= lance_attacks<kWhite>(to, all) & pieces(kBlack, kLance);
        attackers |= lance_attacks<kBlack>(to, all) & pieces(kWhite, kLance);
        attackers &= all;
        mover = opposite(mover);
    }
    // Backwards: each side stops where going on would cost it.
    for (; n > 0; --n) gains[n - 1] = -std::max(-gains[n - 1], gains[n]);
    return gains[0];
}

}  // namespace karikomi::shogi
