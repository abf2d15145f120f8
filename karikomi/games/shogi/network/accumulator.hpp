/// The first layer along a line of play: kept up to date move by move, and only where somebody asks
/// for a value.
#pragma once

#include "karikomi/games/shogi/network/network.hpp"

namespace karikomi::shogi {

class Accumulators {
public:
    /// Without room it is of no use, and costs nothing.
    explicit Accumulators(bool wanted)
        : levels_(wanted ? kStackSize + 1 : 0), seen_(wanted ? 2 * 2 * kKingSets : 0) {}

    void reset(const Board& b) {
        top_ = 0;
        levels_[0].fresh = {};
        look(b);
    }
    /// The board stands after the move.
    void after_make(const Board& b, Move m, Piece captured);
    void after_unmake() { --top_; }

    /// Of the present position.
    const Accumulator& current(const Network& network, const Board& b);

private:
    /// A feature as no player sees it: a piece on a square, or the n-th of a kind in a hand.
    struct Item {
        Piece piece = kNoPiece;
        std::uint8_t square = 0;  ///< kInHand: `n` says which
        std::uint8_t n = 0;
    };
    static constexpr std::uint8_t kInHand = 127;
    struct Level {
        Accumulator sums;
        std::array<bool, 2> fresh{};  ///< by player: are the sums right?
        std::array<View, 2> view;
        std::array<Item, 2> gone;  ///< by the move that led here
        std::array<Item, 2> come;
        int gone_count = 0;
        int come_count = 0;
    };
    static int feature(Colour player, View v, const Item& item) {
        return item.square == kInHand
                   ? hand_feature(player, v, colour_of(item.piece), type_of(item.piece), item.n)
                   : board_feature(player, v, item.piece, item.square);
    }
    void look(const Board& b) {
        for (const Colour c : {kBlack, kWhite}) {
            levels_[top_].view[static_cast<std::size_t>(c)] = view_of(b, c);
        }
    }
    void bring_up_to_date(const Network& network, const Board& b, Colour player);
    static void apply(const Network& network, const Level& from, Level& to, Colour player);

    /// The last position that was computed for a view: a king that comes back to it finds most
    /// pieces where they were.
    struct Seen {
        Row sums;
        Table<Piece, kSquares> squares;
        Table<Hand, 2> hands;
        bool ready = false;
    };
    const Row& refresh(const Network& network, const Board& b, Colour player);

    std::size_t top_ = 0;
    std::vector<Level> levels_;
    std::vector<Seen> seen_;  ///< [player][mirror][set]
};

}  // namespace karikomi::shogi
