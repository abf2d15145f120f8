#include "karikomi/games/renju/patterns.hpp"

#include <algorithm>
#include <bit>

namespace karikomi::renju {
namespace {

/// A line seen from an empty cell in its middle on which an own stone is put.
struct Window {
    std::uint32_t own = 0;  ///< the middle included
    std::uint32_t blocked = 0;

    bool is_empty(int bit) const { return ((own | blocked) >> bit & 1U) == 0; }
    /// The own stones that are connected with the middle.
    std::uint32_t run() const {
        std::uint32_t r = 1U << kReach;
        for (int i = kReach - 1; i >= 0 && (own >> i & 1U) != 0; --i) r |= 1U << i;
        for (int i = kReach + 1; i <= 2 * kReach && (own >> i & 1U) != 0; ++i) r |= 1U << i;
        return r;
    }
};

/// Shapes from the definitions: fives and fours directly, every other shape by what one more stone
/// can make of it. A shape is looked up again and again, so each is worked out once.
class Shaper {
public:
    explicit Shaper(Style style) : style_(style), known_(kWindows, kUnknown) {}

    Shape shape(const Window& w) {
        std::uint8_t& known = known_[window_of(w.own, w.blocked)];
        if (known == kUnknown) known = static_cast<std::uint8_t>(work_out(w));
        return static_cast<Shape>(known);
    }

private:
    static constexpr std::uint8_t kUnknown = 255;

    bool is_five(int stones) const { return style_ == Style::Free ? stones >= 5 : stones == 5; }

    Shape work_out(const Window& w) {
        const int length = std::popcount(w.run());
        if (is_five(length)) return Shape::Five;
        if (length > 5) return style_ == Style::Black ? Shape::Overline : Shape::Dead;
        if (const Shape s = four(w); s != Shape::Dead) return s;
        return by_next_stone(w);
    }

    /// Cells that complete a five with the middle. Two of them that complete the same four stones
    /// belong to a straight four; two that complete different ones are two fours.
    Shape four(const Window& w) const {
        int cells = 0;
        std::uint32_t stones = 0;
        bool different = false;
        for (int i = 1; i < 2 * kReach; ++i) {
            if (!w.is_empty(i)) continue;
            const std::uint32_t run = Window{w.own | 1U << i, w.blocked}.run();
            if ((run >> i & 1U) == 0 || !is_five(std::popcount(run))) continue;
            const std::uint32_t four = run & ~(1U << i);
            different = different || (cells > 0 && four != stones);
            stones = four;
            ++cells;
        }
        if (cells == 0) return Shape::Dead;
        if (cells == 1) return Shape::Four;
        return different && style_ == Style::Black ? Shape::FourDouble : Shape::FourOpen;
    }

    Shape by_next_stone(const Window& w) {
        std::array<int, kShapes> ways{};
        for (int i = 1; i < 2 * kReach; ++i) {
            if (!w.is_empty(i)) continue;
            ++ways[static_cast<std::size_t>(shape({w.own | 1U << i, w.blocked}))];
        }
        const auto to = [&](Shape s) { return ways[static_cast<std::size_t>(s)]; };
        if (to(Shape::FourOpen) > 1) return Shape::ThreeWide;
        if (to(Shape::FourOpen) == 1) return Shape::Three;
        if (to(Shape::Four) > 0) return Shape::ThreeClosed;
        const int threes = to(Shape::Three) + to(Shape::ThreeWide);
        if (threes > 0) {
            return threes > 2 ? Shape::TwoBest : threes == 2 ? Shape::TwoWide : Shape::Two;
        }
        if (to(Shape::ThreeClosed) > 0) return Shape::TwoClosed;
        if (to(Shape::Two) + to(Shape::TwoWide) + to(Shape::TwoBest) > 0) return Shape::One;
        return to(Shape::TwoClosed) > 0 ? Shape::OneClosed : Shape::Dead;
    }

    Style style_;
    std::vector<std::uint8_t> known_;
};

std::unique_ptr<const PatternTable> make_table(Style style) {
    auto table = std::make_unique<PatternTable>();
    Shaper shaper(style);
    constexpr std::uint32_t kMiddle = 1U << kReach;
    for (std::uint32_t own = 0; own <= kWindow; ++own) {
        if ((own & kMiddle) != 0) continue;
        // Every set of other stones among the cells that are not own.
        const std::uint32_t rest = kWindow & ~own & ~kMiddle;
        for (std::uint32_t blocked = rest;; blocked = (blocked - 1) & rest) {
            table->shapes[window_of(own, blocked)] =
                static_cast<std::uint8_t>(shaper.shape({own | kMiddle, blocked}));
            if (blocked == 0) break;
        }
    }
    for (std::size_t code = 0; code < kCodes; ++code) {
        std::array<Shape, 4> shapes;
        for (int d = 0; d < 4; ++d) {
            shapes[static_cast<std::size_t>(d)] =
                std::min(shape_in(static_cast<Code>(code), d), Shape::Overline);
        }
        table->points[code] = static_cast<std::uint8_t>(point_of(style, shapes));
    }
    return table;
}

}  // namespace

Point point_of(Style style, const std::array<Shape, 4>& shapes) {
    int fours = 0;
    int open_fours = 0;
    int threes = 0;
    int helpers = 0;  // open twos and closed threes
    int rest = 0;
    bool over = false;
    for (const Shape s : shapes) {
        if (s == Shape::Five) return Point::Five;
        over = over || s == Shape::Overline;
        fours += s == Shape::FourDouble ? 2 : s == Shape::Four || s == Shape::FourOpen ? 1 : 0;
        open_fours += s == Shape::FourOpen ? 1 : 0;
        threes += is_three(s) ? 1 : 0;
        helpers += s >= Shape::Two && s <= Shape::ThreeClosed ? 1 : 0;
        rest += s >= Shape::OneClosed && s <= Shape::TwoClosed ? 1 : 0;
    }
    if (style == Style::Black) {
        if (over || fours > 1) return Point::Foul;
        if (threes > 1) {
            return open_fours > 0 ? Point::MaybeFoulOpen
                   : fours > 0    ? Point::MaybeFoulFour
                                  : Point::MaybeFoul;
        }
    }
    if (open_fours > 0 || fours > 1) return Point::FourOpen;
    if (fours > 0) {
        return threes > 0 ? Point::FourThree : helpers > 0 ? Point::FourPlus : Point::Four;
    }
    if (threes > 1) return Point::DoubleThree;
    if (threes > 0) return helpers > 0 ? Point::ThreePlus : Point::Three;
    if (helpers > 0) return helpers > 1 ? Point::TwoTwo : Point::Two;
    return rest > 0 ? Point::Low : Point::None;
}

const PatternTable& patterns_of(Style style) {
    static const std::array<std::unique_ptr<const PatternTable>, 3> kTables = {
        make_table(Style::Free), make_table(Style::Exact), make_table(Style::Black)};
    return *kTables[static_cast<std::size_t>(style)];
}

namespace {

std::unique_ptr<const CodeClasses> make_classes() {
    auto classes = std::make_unique<CodeClasses>();
    std::vector<CodeClass> known(kCodes, kCodeClasses);
    CodeClass next = 0;
    for (std::size_t code = 0; code < kCodes; ++code) {
        std::array<unsigned, 4> shapes{};
        for (int d = 0; d < 4; ++d) {
            shapes[static_cast<std::size_t>(d)] = static_cast<unsigned>(
                std::min(shape_in(static_cast<Code>(code), d), Shape::Overline));
        }
        std::sort(shapes.begin(), shapes.end());
        const unsigned sorted = shapes[0] | shapes[1] << 4 | shapes[2] << 8 | shapes[3] << 12;
        CodeClass& mine = known[sorted];
        if (mine == kCodeClasses) {
            classes->example[next] = static_cast<Code>(sorted);
            mine = next++;
        }
        classes->of[code] = mine;
    }
    return classes;
}

}  // namespace

const CodeClasses& code_classes() {
    static const std::unique_ptr<const CodeClasses> kClasses = make_classes();
    return *kClasses;
}

}  // namespace karikomi::renju
