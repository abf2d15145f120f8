/// What the network sees: every piece gives one feature to each player's half. A player sees the
/// board from his own side, mirrored so that his king stands on files 5 to 9; where the king stands
/// chooses one of six sets of weights. docs/games/shogi-network.md
#pragma once

#include "karikomi/games/shogi/board.hpp"

namespace karikomi::shogi {

inline constexpr int kPlanes = 28;            ///< own and enemy pieces, 14 types each
inline constexpr int kHandFeatures = 2 * 38;  ///< the n-th piece of a kind in a hand
inline constexpr int kFeatures = kPlanes * 81 + kHandFeatures;  ///< of one set
inline constexpr int kKingSets = 6;

/// How a player looks at the board.
struct View {
    std::uint8_t set = 3;     ///< of weights
    std::uint8_t mirror = 0;  ///< 1: files are swapped
    bool operator==(const View&) const = default;
};

struct FeatureTables {
    /// [colour of the player][mirror][square]: 0 .. 80, file by file.
    Table<Table<Table<std::uint8_t, kSquares>, 2>, 2> square;
    Table<Table<View, kSquares>, 2> view;  ///< [colour][square of his king]
    FeatureTables();
};
extern const FeatureTables kFeatureTables;

/// First feature of a kind in hand: P L N S B R G, 18 4 4 4 2 2 4 of them.
inline constexpr Table<int, 8> kHandStart = {{0, 0, 18, 22, 26, 30, 32, 34}};

inline int board_feature(Colour player, View v, Piece p, Square s) {
    const int enemy = colour_of(p) == player ? 0 : 1;
    return v.set * kFeatures + (enemy * 14 + type_of(p) - 1) * 81 +
           kFeatureTables.square[player][v.mirror][s];
}
/// `n` counts from 1.
inline int hand_feature(Colour player, View v, Colour owner, PieceType t, int n) {
    const int enemy = owner == player ? 0 : 1;
    return v.set * kFeatures + kPlanes * 81 + enemy * 38 + kHandStart[t] + n - 1;
}
inline View view_of(const Board& b, Colour player) {
    return kFeatureTables.view[player][b.king(player)];
}

/// Calls f(feature) for every piece.
template <class F> void for_each_feature(const Board& b, Colour player, F&& f) {
    const View v = view_of(b, player);
    for_each(b.occupied(), [&](Square s) { f(board_feature(player, v, b.on(s), s)); });
    for (const Colour owner : {kBlack, kWhite}) {
        for (const PieceType t : kHandOrder) {
            for (int n = b.hand(owner).count(t); n > 0; --n)
                f(hand_feature(player, v, owner, t, n));
        }
    }
}

}  // namespace karikomi::shogi
