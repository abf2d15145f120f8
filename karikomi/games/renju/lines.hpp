/// The stones as bits along lines, four directions; and the forbidden points, which need nothing
/// else.
#pragma once

#include <bit>

#include "karikomi/games/renju/patterns.hpp"

namespace karikomi::renju {

inline constexpr int kDirections = 4;
/// One step along each direction: right, up, up-right, down-right.
inline constexpr std::array<int, kDirections> kSteps = {1, kStride, kStride + 1, 1 - kStride};

/// Which line of a direction a cell lies on, and where on it.
struct Place {
    int line = 0;
    int at = 0;
};
constexpr Place place_of(Cell c, int direction) {
    const int x = column_of(c);
    const int y = row_of(c);
    switch (direction) {
        case 0:
            return {y, x};
        case 1:
            return {x, y};
        case 2:
            return {x - y + kMaxSize - 1, x};
        default:
            return {x + y, x};
    }
}

/// One line: stones of each colour, and for each colour what it cannot use (the other's stones and
/// all that lies off the board). Cell `at` is bit `at + kReach`: windows never leave the word.
struct LineBits {
    std::array<std::uint32_t, 2> own{};
    std::array<std::uint32_t, 2> blocked{};
    std::uint32_t empty() const { return ~(blocked[0] | blocked[1]); }
};

/// Why Black may not play on a cell.
enum class Foul : std::uint8_t { None, Overline, DoubleFour, DoubleThree };

class Lines {
public:
    Lines() { reset(kUsualSize); }
    void reset(int size);
    int size() const { return size_; }

    void set(Cell c, int colour) { flip(c, colour); }
    void clear(Cell c, int colour) { flip(c, colour); }
    bool is_on_board(Cell c) const { return c >= 0 && column_of(c) < size_ && row_of(c) < size_; }
    /// The colour of the stone there; -1 for none. The cell must be on the board.
    int stone(Cell c) const {
        const LineBits& row = lines_[0][static_cast<std::size_t>(row_of(c))];
        const std::uint32_t bit = 1U << (column_of(c) + kReach);
        return (row.own[0] & bit) != 0 ? kBlack : (row.own[1] & bit) != 0 ? kWhite : -1;
    }
    bool is_empty(Cell c) const { return stone(c) < 0; }
    const LineBits& line(int direction, int number) const {
        return lines_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(number)];
    }
    /// Empty cells of a row, bit x for column x.
    std::uint32_t empty_in_row(int y) const {
        return lines_[0][static_cast<std::size_t>(y)].empty() >> kReach;
    }
    Shape shape(const PatternTable& table, Cell c, int colour, int direction) const {
        const Place p = place_of(c, direction);
        return shape_at(table, line(direction, p.line), colour, p.at);
    }
    static Shape shape_at(const PatternTable& table, const LineBits& l, int colour, int at) {
        const auto k = static_cast<std::size_t>(colour);
        return static_cast<Shape>(table.shapes[window_of(l.own[k] >> at, l.blocked[k] >> at)]);
    }

private:
    void flip(Cell c, int colour) {
        const auto k = static_cast<std::size_t>(colour);
        for (int d = 0; d < kDirections; ++d) {
            const Place p = place_of(c, d);
            LineBits& l = lines_[static_cast<std::size_t>(d)][static_cast<std::size_t>(p.line)];
            const std::uint32_t bit = 1U << (p.at + kReach);
            l.own[k] ^= bit;
            l.blocked[1 - k] ^= bit;
        }
    }

    std::array<std::array<LineBits, 2 * kMaxSize - 1>, kDirections> lines_;
    int size_ = 0;
};

/// Is this empty cell forbidden for Black under renju rules, and why? By the definitions of the
/// Renju International Federation, with full recursion: a three counts only if a move that is
/// itself allowed makes a straight four of it. Five goes before everything.
Foul find_foul(const Lines& lines, Cell c);

}  // namespace karikomi::renju
