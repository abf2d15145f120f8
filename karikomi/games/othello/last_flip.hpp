/// How many discs the last move of the game turns.
///
/// On a board with one empty square every other cell is either own or not, so each line through
/// the square is eight bits of `own`, and the count for a line is a table entry.
#pragma once

#include <array>
#include <cstdint>

#include "karikomi/games/othello/tables.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace karikomi::othello {

/// count[position][own bits]: discs turned on a line by a move at `position`.
using LineCounts = std::array<std::array<std::uint8_t, 256>, 8>;

constexpr LineCounts make_line_counts() {
    LineCounts counts{};
    for (int position = 0; position < 8; ++position) {
        for (int own = 0; own < 256; ++own) {
            int turned = 0;
            int run = 0;
            for (int i = position + 1; i < 8; ++i, ++run) {
                if ((own >> i & 1) != 0) {
                    turned += run;
                    break;
                }
            }
            run = 0;
            for (int i = position - 1; i >= 0; --i, ++run) {
                if ((own >> i & 1) != 0) {
                    turned += run;
                    break;
                }
            }
            counts[at(position)][at(own)] = static_cast<std::uint8_t>(turned);
        }
    }
    return counts;
}

inline constexpr LineCounts kLineCounts = make_line_counts();

namespace portable {

/// A diagonal has at most one disc in a column, so its bits fall into one byte without meeting.
inline int last_flip(Bits own, Square square) {
    constexpr Bits kFirstColumn = 0x0101010101010101ULL;
    const auto& lines = kGeometry.lines[at(square)].line;
    const int row = square >> 3;
    const int column = square & 7;
    const auto& by_column = kLineCounts[at(column)];
    const auto& by_row = kLineCounts[at(row)];
    const Bits file = (((own >> column) & kFirstColumn) * 0x0102040810204080ULL) >> 56;
    return by_column[(own >> (row * 8)) & 0xff] + by_row[file] +
           by_column[((own & lines[2]) * kFirstColumn) >> 56] +
           by_column[((own & lines[3]) * kFirstColumn) >> 56];
}

}  // namespace portable

#if defined(__BMI2__)
namespace bmi2 {

/// Where on its column and diagonals a square lies; pext keeps the order of the bits.
struct alignas(32) LinePlace {
    Bits column = 0;
    Bits rising = 0;
    Bits falling = 0;
    std::uint8_t at_row = 0;
    std::uint8_t at_rising = 0;
    std::uint8_t at_falling = 0;
    std::uint8_t at_column = 0;
};
constexpr std::array<LinePlace, 64> make_line_places() {
    std::array<LinePlace, 64> places{};
    for (int square = 0; square < 64; ++square) {
        const auto& lines = kGeometry.lines[at(square)].line;
        const Bits below = bit(square) - 1;
        LinePlace& p = places[at(square)];
        p.column = lines[1];
        p.rising = lines[2];
        p.falling = lines[3];
        p.at_row = static_cast<std::uint8_t>(square & 7);
        p.at_column = static_cast<std::uint8_t>(std::popcount(lines[1] & below));
        p.at_rising = static_cast<std::uint8_t>(std::popcount(lines[2] & below));
        p.at_falling = static_cast<std::uint8_t>(std::popcount(lines[3] & below));
    }
    return places;
}
inline constexpr std::array<LinePlace, 64> kLinePlaces = make_line_places();

inline int last_flip(Bits own, Square square) {
    const LinePlace& p = kLinePlaces[at(square)];
    return kLineCounts[p.at_row][(own >> (square & 56)) & 0xff] +
           kLineCounts[p.at_column][_pext_u64(own, p.column)] +
           kLineCounts[p.at_rising][_pext_u64(own, p.rising)] +
           kLineCounts[p.at_falling][_pext_u64(own, p.falling)];
}

}  // namespace bmi2
#endif

#if defined(__BMI2__)
inline int last_flip(Bits own, Square square) {
    return bmi2::last_flip(own, square);
}
#else
inline int last_flip(Bits own, Square square) {
    return portable::last_flip(own, square);
}
#endif

}  // namespace karikomi::othello
