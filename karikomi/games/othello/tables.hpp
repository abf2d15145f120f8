/// Small geometric tables that the endgame uses everywhere.
#pragma once

#include <array>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

inline constexpr Bits kCorners = 0x8100000000000081ULL;
inline constexpr Bits kXSquares = 0x0042000000004200ULL;
inline constexpr Bits kCSquares = 0x4281000000008142ULL;

/// An index that -Wconversion accepts.
constexpr std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

struct Geometry {
    std::array<Bits, 64> neighbours{};
    std::array<Bits, 64> quadrant{};  ///< the quarter of the board in which a square lies
    /// All squares on the row, column, rising and falling diagonal through a square, itself too.
    struct alignas(32) Lines {
        std::array<Bits, 4> line{};
    };
    std::array<Lines, 64> lines{};
};

constexpr Geometry make_geometry() {
    Geometry g;
    for (int square = 0; square < 64; ++square) {
        const int row = square / 8;
        const int column = square % 8;
        for (int r = row - 1; r <= row + 1; ++r) {
            for (int c = column - 1; c <= column + 1; ++c) {
                const bool inside = r >= 0 && r < 8 && c >= 0 && c < 8;
                if (inside && r * 8 + c != square) g.neighbours[at(square)] |= bit(r * 8 + c);
            }
        }
        const Bits corner = 0x000000000f0f0f0fULL;
        g.quadrant[at(square)] = corner << ((row / 4) * 32 + (column / 4) * 4);
        for (std::size_t i = 0; i < 4; ++i) {
            const Rays& rays = kRays[at(square)];
            g.lines[at(square)].line[i] = rays.up[i] | rays.down[i] | bit(square);
        }
    }
    return g;
}

inline constexpr Geometry kGeometry = make_geometry();

inline Bits neighbours(Square square) {
    return kGeometry.neighbours[at(square)];
}
inline Bits quadrant(Square square) {
    return kGeometry.quadrant[at(square)];
}

/// The quadrants that hold an odd number of empties, as a mask of their squares.
constexpr Bits odd_quadrants(Bits empty) {
    Bits odd = 0;
    for (const int shift : {0, 4, 32, 36}) {
        const Bits quarter = Bits{0x0f0f0f0f} << shift;
        if ((std::popcount(empty & quarter) & 1) != 0) odd |= quarter;
    }
    return odd;
}

}  // namespace karikomi::othello
