#include "karikomi/games/renju/values.hpp"

#include <memory>

namespace karikomi::renju {
namespace {

/// Set by hand: what a stone's shape on one line is worth before it stands there. The sum counts a
/// shape once for each cell that would make it, so that wide shapes weigh more by themselves.
constexpr std::array<int, kShapes> kShapeValues = {
    0,   // Dead
    0,   // OneClosed
    1,   // One
    3,   // TwoClosed
    7,   // Two
    9,   // TwoWide
    11,  // TwoBest
    13,  // ThreeClosed
    28,  // Three
    34,  // ThreeWide
    40,  // Four
    90,  // FourOpen
    40,  // FourDouble
    90,  // Five
    0,   // Overline
};

constexpr std::array<int, kPoints> kPointBonus = {
    0,    // None
    0,    // Low
    0,    // Two
    8,    // TwoTwo
    0,    // Three
    12,   // ThreePlus
    60,   // DoubleThree
    0,    // Four
    14,   // FourPlus
    110,  // FourThree
    120,  // FourOpen
    0,    // Five
    0,    // Foul
    0,    // MaybeFoul
    0,    // MaybeFoulFour
    0,    // MaybeFoulOpen
};

std::unique_ptr<const ValueTable> make_values(Style style) {
    auto table = std::make_unique<ValueTable>();
    const PatternTable& patterns = patterns_of(style);
    for (std::size_t code = 0; code < kCodes; ++code) {
        const auto point = static_cast<Point>(patterns.points[code]);
        int sum = kPointBonus[static_cast<std::size_t>(point)];
        for (int d = 0; d < 4; ++d) {
            const Shape s = std::min(shape_in(static_cast<Code>(code), d), Shape::Overline);
            sum += kShapeValues[static_cast<std::size_t>(s)];
        }
        // A cell on which Black may not play is worth little to Black; one in question, half.
        if (point == Point::Foul) sum = 0;
        if (may_be_foul(point)) sum /= 2;
        (*table)[code] = static_cast<std::int16_t>(sum);
    }
    return table;
}

}  // namespace

const ValueTable& values_of(Rule rule, int colour) {
    static const std::array<std::unique_ptr<const ValueTable>, 3> kTables = {
        make_values(Style::Free), make_values(Style::Exact), make_values(Style::Black)};
    return *kTables[static_cast<std::size_t>(style_of(rule, colour))];
}

}  // namespace karikomi::renju
