/// The shapes that the evaluation looks at, and the numbers of the discs on them.
///
/// A pattern is a list of squares; its symmetric images on the board are its instances, and all of
/// them share one table of weights. The content of an instance is a number in balanced ternary: a
/// black disc on square k counts +3^k, a white one -3^k, an empty square nothing. Seen with colours
/// swapped, a number only changes its sign, so one table serves both sides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "karikomi/games/othello/tables.hpp"

namespace karikomi::othello {

inline constexpr int kMaxCells = 10;
inline constexpr int kFeatureSlots = 64;  ///< room for instances: whole vector registers

struct Pattern {
    std::string_view name;
    int cells = 0;
    std::array<int, kMaxCells> squares{};  ///< of one instance
};

/// Squares are written as (row, column) digits from 1: 12 is b1 and 21 is a2.
constexpr Pattern make_pattern(std::string_view name, int cells,
                               const std::array<int, kMaxCells>& digits) {
    Pattern p{name, cells, {}};
    for (int i = 0; i < cells; ++i) {
        p.squares[at(i)] = (digits[at(i)] / 10 - 1) * 8 + digits[at(i)] % 10 - 1;
    }
    return p;
}

inline constexpr std::array kPatterns = {
    make_pattern("line 2", 8, {21, 22, 23, 24, 25, 26, 27, 28}),
    make_pattern("line 3", 8, {31, 32, 33, 34, 35, 36, 37, 38}),
    make_pattern("line 4", 8, {41, 42, 43, 44, 45, 46, 47, 48}),
    make_pattern("diagonal 8", 8, {11, 22, 33, 44, 55, 66, 77, 88}),
    make_pattern("diagonal 7", 7, {12, 23, 34, 45, 56, 67, 78}),
    make_pattern("diagonal 6", 6, {13, 24, 35, 46, 57, 68}),
    make_pattern("diagonal 5", 5, {14, 25, 36, 47, 58}),
    make_pattern("diagonal 4", 4, {15, 26, 37, 48}),
    make_pattern("edge and X", 10, {11, 12, 13, 14, 15, 16, 17, 18, 22, 27}),
    make_pattern("corner 3x3", 9, {11, 12, 13, 21, 22, 23, 31, 32, 33}),
    make_pattern("corner 2x5", 10, {11, 12, 13, 14, 15, 21, 22, 23, 24, 25}),
    make_pattern("edge and block", 10, {11, 13, 14, 15, 16, 18, 23, 24, 25, 26}),
    make_pattern("triangle", 10, {11, 12, 13, 14, 21, 22, 23, 31, 32, 41}),
    make_pattern("fan", 10, {11, 12, 21, 22, 23, 32, 33, 34, 43, 44}),
};
inline constexpr int kPatternCount = static_cast<int>(kPatterns.size());

constexpr int power_of_3(int n) {
    return n == 0 ? 1 : 3 * power_of_3(n - 1);
}
/// Contents of pattern p go from -kHalf[p] to kHalf[p].
constexpr int half_of(const Pattern& p) {
    return power_of_3(p.cells) / 2;
}

/// The square under one of the symmetries of board.hpp.
constexpr int image(int square, int symmetry) {
    int row = square / 8;
    int column = square % 8;
    if ((symmetry & 1) != 0) column = 7 - column;
    if ((symmetry & 2) != 0) row = 7 - row;
    return (symmetry & 4) != 0 ? column * 8 + row : row * 8 + column;
}

struct Instance {
    int pattern = 0;
    std::array<int, kMaxCells> squares{};
};

struct Instances {
    std::array<Instance, kFeatureSlots> list{};
    int count = 0;
};

constexpr Bits squares_mask(const Pattern& p, const std::array<int, kMaxCells>& squares) {
    Bits mask = 0;
    for (int i = 0; i < p.cells; ++i) mask |= bit(squares[at(i)]);
    return mask;
}

constexpr Instances make_instances() {
    Instances all;
    for (int p = 0; p < kPatternCount; ++p) {
        const Pattern& pattern = kPatterns[at(p)];
        const int first = all.count;
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            Instance instance{p, {}};
            for (int i = 0; i < pattern.cells; ++i) {
                instance.squares[at(i)] = image(pattern.squares[at(i)], symmetry);
            }
            bool seen = false;
            for (int k = first; k < all.count; ++k) {
                seen = seen || squares_mask(pattern, all.list[at(k)].squares) ==
                                   squares_mask(pattern, instance.squares);
            }
            if (!seen) all.list[at(all.count++)] = instance;
        }
    }
    return all;
}
inline constexpr Instances kInstances = make_instances();
static_assert(kInstances.count <= kFeatureSlots);

/// A number for each instance; slots beyond kInstances.count stay 0.
struct alignas(64) Features {
    std::array<std::int16_t, kFeatureSlots> slot{};
};

/// What a black disc on each square adds to each instance.
struct DiscFeatures {
    std::array<Features, 64> square{};
};
constexpr DiscFeatures make_disc_features() {
    DiscFeatures d;
    for (int i = 0; i < kInstances.count; ++i) {
        const Instance& instance = kInstances.list[at(i)];
        for (int k = 0; k < kPatterns[at(instance.pattern)].cells; ++k) {
            d.square[at(instance.squares[at(k)])].slot[at(i)] =
                static_cast<std::int16_t>(power_of_3(k));
        }
    }
    return d;
}
inline constexpr DiscFeatures kDiscFeatures = make_disc_features();

/// Adds `times` black discs on every square of `squares`.
inline void add_discs(Features& f, Bits squares, int times) {
    Features sum;
    for (; squares != 0; squares &= squares - 1) {
        const Features& d = kDiscFeatures.square[at(lowest(squares))];
        for (std::size_t i = 0; i < kFeatureSlots; ++i) {
            sum.slot[i] = static_cast<std::int16_t>(sum.slot[i] + d.slot[i]);
        }
    }
    const auto factor = static_cast<std::int16_t>(times);
    for (std::size_t i = 0; i < kFeatureSlots; ++i) {
        f.slot[i] = static_cast<std::int16_t>(f.slot[i] + sum.slot[i] * factor);
    }
}

inline Features features_of(Bits black, Bits white) {
    Features f;
    add_discs(f, black, 1);
    add_discs(f, white, -1);
    return f;
}

/// After a move: a disc of the mover on `square`, and the flipped ones change their colour.
inline void update_features(Features& f, Square square, Bits flipped, Colour mover) {
    const int sign = mover == Colour::Black ? 1 : -1;
    const Features& placed = kDiscFeatures.square[at(square)];
    Features sum;
    for (; flipped != 0; flipped &= flipped - 1) {
        const Features& d = kDiscFeatures.square[at(lowest(flipped))];
        for (std::size_t i = 0; i < kFeatureSlots; ++i) {
            sum.slot[i] = static_cast<std::int16_t>(sum.slot[i] + d.slot[i]);
        }
    }
    const auto factor = static_cast<std::int16_t>(sign);
    for (std::size_t i = 0; i < kFeatureSlots; ++i) {
        const int change = 2 * sum.slot[i] + placed.slot[i];
        f.slot[i] = static_cast<std::int16_t>(f.slot[i] + change * factor);
    }
}

}  // namespace karikomi::othello
