/// What a stone on an empty cell would make, by table: first on each of its four lines, then on the
/// four together.
#pragma once

#include <memory>
#include <vector>

#include "karikomi/games/renju/types.hpp"

namespace karikomi::renju {

/// What a stone makes on one line. "Closed" shapes can become a four, but not a straight one.
enum class Shape : std::uint8_t {
    Dead,         ///< nothing: there is no room for a five
    OneClosed,    ///< can become a closed two
    One,          ///< can become an open two
    TwoClosed,    ///< can become a closed three
    Two,          ///< one way to an open three
    TwoWide,      ///< two ways
    TwoBest,      ///< three ways or more
    ThreeClosed,  ///< can become a four
    Three,        ///< one way to a straight four
    ThreeWide,    ///< two ways or more
    Four,         ///< one cell makes five
    FourOpen,     ///< two cells make five
    FourDouble,   ///< two fours on one line, which Black may not make
    Five,
    Overline,  ///< six or more, which Black may not make
};
inline constexpr int kShapes = 15;

constexpr bool is_three(Shape s) {
    return s == Shape::Three || s == Shape::ThreeWide;
}

/// What a stone makes on all four lines together, best first to look at.
enum class Point : std::uint8_t {
    None,
    Low,          ///< room, or closed twos
    Two,          ///< an open two or a closed three
    TwoTwo,       ///< two of them
    Three,        ///< an open three
    ThreePlus,    ///< ... and an open two or a closed three
    DoubleThree,  ///< two open threes
    Four,
    FourPlus,   ///< ... and an open two or a closed three
    FourThree,  ///< ... and an open three
    FourOpen,   ///< two cells make five after it
    Five,
    // Black under renju rules only; without a five.
    Foul,           ///< overline or double four: forbidden
    MaybeFoul,      ///< two threes or more: forbidden unless they are false
    MaybeFoulFour,  ///< ... and a four
    MaybeFoulOpen,  ///< ... and a straight four
};
inline constexpr int kPoints = 16;

constexpr bool may_be_foul(Point p) {
    return p >= Point::Foul;
}
/// Makes a four (and no five); a foul in question counts, a certain one does not.
constexpr bool makes_four(Point p) {
    return (p >= Point::Four && p <= Point::FourOpen) || p >= Point::MaybeFoulFour;
}
constexpr bool makes_open_four(Point p) {
    return p == Point::FourOpen || p == Point::MaybeFoulOpen;
}

/// How a colour makes five under a rule.
enum class Style : std::uint8_t {
    Free,   ///< five or more
    Exact,  ///< exactly five
    Black,  ///< exactly five, and forbidden points
};
constexpr Style style_of(Rule rule, int colour) {
    if (rule == Rule::Freestyle) return Style::Free;
    if (rule == Rule::Standard) return Style::Exact;
    return colour == kBlack ? Style::Black : Style::Free;
}

/// The five cells on either side of the cell in question decide all: 11 bits with the cell itself
/// in the middle (bit 5), which does not count.
inline constexpr int kReach = 5;
inline constexpr std::uint32_t kWindow = 0x7FF;

/// Four shapes in one number, four bits each, by direction.
using Code = std::uint16_t;
inline constexpr std::size_t kCodes = std::size_t{1} << 16;

/// Ternary weights of the 11 bits: `kTernary[own] + 2 * kTernary[blocked]` is a window's number.
inline constexpr std::size_t kWindows = 59'049;  // 3^10
inline constexpr std::array<std::uint16_t, 2048> kTernary = [] {
    std::array<std::uint16_t, 2048> table{};
    for (unsigned bits = 0; bits < table.size(); ++bits) {
        unsigned sum = 0;
        unsigned weight = 1;
        for (unsigned i = 0; i < 11; ++i) {
            if (i == kReach) continue;
            if (bits >> i & 1U) sum += weight;
            weight *= 3;
        }
        table[bits] = static_cast<std::uint16_t>(sum);
    }
    return table;
}();
constexpr std::size_t window_of(std::uint32_t own, std::uint32_t blocked) {
    return kTernary[own & kWindow] + std::size_t{2} * kTernary[blocked & kWindow];
}

/// All that depends on the style.
struct PatternTable {
    std::array<std::uint8_t, kWindows> shapes{};  ///< Shape, by window
    std::array<std::uint8_t, kCodes> points{};    ///< Point, by code
};
/// Made once, on first use.
const PatternTable& patterns_of(Style style);

/// The point class of four shapes: what `PatternTable::points` holds.
Point point_of(Style style, const std::array<Shape, 4>& shapes);

constexpr Shape shape_in(Code code, int direction) {
    return static_cast<Shape>(code >> 4 * direction & 15);
}

/// Codes that differ only in the order of the directions are of one class; tables of numbers are
/// indexed by it.
using CodeClass = std::uint16_t;
inline constexpr std::size_t kCodeClasses = 3060;  // 15 shapes, 4 of them, in no order
struct CodeClasses {
    std::array<CodeClass, kCodes> of{};        ///< the class, by code
    std::array<Code, kCodeClasses> example{};  ///< one code of each class
};
const CodeClasses& code_classes();

}  // namespace karikomi::renju
