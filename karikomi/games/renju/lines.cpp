#include "karikomi/games/renju/lines.hpp"

namespace karikomi::renju {

void Lines::reset(int size) {
    size_ = size;
    for (auto& direction : lines_) {
        for (LineBits& l : direction) l = {{0, 0}, {~0U, ~0U}};
    }
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            for (int d = 0; d < kDirections; ++d) {
                const Place p = place_of(cell_at(x, y), d);
                LineBits& l = lines_[static_cast<std::size_t>(d)][static_cast<std::size_t>(p.line)];
                for (std::uint32_t& blocked : l.blocked) blocked &= ~(1U << (p.at + kReach));
            }
        }
    }
}

namespace {

/// Puts Black's stones to try and takes them back; works on a copy of the lines.
class FoulFinder {
public:
    explicit FoulFinder(const Lines& lines) : lines_(lines), table_(patterns_of(Style::Black)) {}

    Foul look(Cell c) {
        std::array<Shape, kDirections> shapes;
        for (int d = 0; d < kDirections; ++d) {
            shapes[static_cast<std::size_t>(d)] = lines_.shape(table_, c, kBlack, d);
        }
        const Point point = point_of(Style::Black, shapes);
        if (!may_be_foul(point)) return Foul::None;
        if (point == Point::Foul) {
            for (const Shape s : shapes) {
                if (s == Shape::Overline) return Foul::Overline;
            }
            return Foul::DoubleFour;
        }
        int threes = 0;
        lines_.set(c, kBlack);
        for (int d = 0; d < kDirections && threes < 2; ++d) {
            if (is_three(shapes[static_cast<std::size_t>(d)]) && is_real_three(c, d)) ++threes;
        }
        lines_.clear(c, kBlack);
        return threes > 1 ? Foul::DoubleThree : Foul::None;
    }

private:
    /// Can a stone make a straight four out of the stones around `c` without being forbidden, and
    /// without making five?
    bool is_real_three(Cell c, int d) {
        const int step = kSteps[static_cast<std::size_t>(d)];
        for (const int sign : {-1, 1}) {
            // A straight four is unbroken, so the first empty cell on either side decides.
            int distance = 1;
            while (distance < 4 && is_black(c, d, sign * distance)) ++distance;
            if (!is_free(c, d, sign * distance)) continue;
            const Cell q = c + sign * distance * step;
            if (lines_.shape(table_, q, kBlack, d) != Shape::FourOpen) continue;
            if (makes_five(q)) continue;
            if (look(q) == Foul::None) return true;
        }
        return false;
    }
    /// Of the cell `distance` steps from `c`, which may be off the board.
    bool is_black(Cell c, int d, int distance) const {
        const Place p = place_of(c, d);
        return (lines_.line(d, p.line).own[kBlack] >> (p.at + distance + kReach) & 1U) != 0;
    }
    bool is_free(Cell c, int d, int distance) const {
        const Place p = place_of(c, d);
        return (lines_.line(d, p.line).empty() >> (p.at + distance + kReach) & 1U) != 0;
    }
    bool makes_five(Cell q) const {
        for (int d = 0; d < kDirections; ++d) {
            if (lines_.shape(table_, q, kBlack, d) == Shape::Five) return true;
        }
        return false;
    }

    Lines lines_;
    const PatternTable& table_;
};

}  // namespace

Foul find_foul(const Lines& lines, Cell c) {
    return FoulFinder(lines).look(c);
}

}  // namespace karikomi::renju
