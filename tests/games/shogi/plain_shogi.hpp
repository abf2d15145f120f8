/// Shogi on an array of squares, written to be read: the reference for the bitboards. It shares no
/// code with them; positions and moves go in and out as text. Legality is tried out: play the move
/// on a copy and look whether the own king can be taken.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace karikomi::test {

class PlainShogi {
public:
    explicit PlainShogi(const std::string& sfen);  ///< must be well-formed

    std::vector<std::string> moves() const;  ///< all legal moves in USI, sorted
    void play(const std::string& usi);       ///< any move that the pieces can make
    bool in_check() const { return is_attacked_king(mover_); }
    std::string sfen() const;
    std::uint64_t perft(int depth) const;

private:
    struct Cell {
        char letter = ' ';  ///< of PLNSGBRK; ' ' is empty
        bool promoted = false;
        int owner = 0;  ///< 0 Black, 1 White
    };
    struct Spot {
        int row = 0;     ///< 0 is rank a
        int column = 0;  ///< 0 is file 9
    };
    static bool is_inside(Spot s) {
        return s.row >= 0 && s.row < 9 && s.column >= 0 && s.column < 9;
    }
    const Cell& at(Spot s) const {
        return cells_[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)];
    }
    Cell& at(Spot s) {
        return cells_[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)];
    }
    int& in_hand(int owner, char letter) {
        return hands_[static_cast<std::size_t>(owner)][static_cast<std::size_t>(letter)];
    }
    int in_hand(int owner, char letter) const {
        return hands_[static_cast<std::size_t>(owner)][static_cast<std::size_t>(letter)];
    }
    std::vector<Spot> targets(Spot from) const;  ///< where the piece there can go or take
    bool is_attacked_king(int owner) const;
    bool is_stuck(char letter, int owner, Spot s) const;  ///< unpromoted there, could never move
    bool has_pawn_in_column(int owner, int column) const;
    std::vector<std::string> board_moves() const;
    std::vector<std::string> drops() const;
    bool leaves_king_safe(const std::string& usi) const;

    std::array<std::array<Cell, 9>, 9> cells_{};
    std::array<std::array<int, 128>, 2> hands_{};
    int mover_ = 0;
    int number_ = 1;
};

}  // namespace karikomi::test
