#include "karikomi/games/othello/stability.hpp"

#include <array>
#include <cstdint>
#include <memory>

#include "karikomi/games/othello/tables.hpp"

namespace karikomi::othello {

namespace {

constexpr Bits kInner = 0x007e7e7e7e7e7e00ULL;
constexpr Bits kFirstColumn = 0x0101010101010101ULL;

/// One edge as eight bits; what a disc at `place` turns along it.
unsigned edge_flips(unsigned own, unsigned other, int place) {
    unsigned turned = 0;
    for (const int step : {1, -1}) {
        unsigned run = 0;
        int i = place + step;
        for (; i >= 0 && i < 8 && (other >> i & 1U) != 0; i += step) run |= 1U << i;
        if (i >= 0 && i < 8 && (own >> i & 1U) != 0) turned |= run;
    }
    return turned;
}

/// stable[own << 8 | other]: own discs that survive whatever is played on the empties of the edge,
/// by either side and in any order. (A move may be legal because of another line, so a disc may
/// land anywhere on the edge; it always turns what it encloses.)
class EdgeTable {
public:
    EdgeTable() {
        for (unsigned empties = 0; empties <= 8; ++empties) {
            for (unsigned own = 0; own < 256; ++own) {
                const unsigned rest = ~own & 255U;
                for (unsigned other = rest;; other = (other - 1) & rest) {
                    const unsigned free = ~(own | other) & 255U;
                    if (static_cast<unsigned>(std::popcount(free)) == empties) {
                        stable_[own << 8 | other] = survivors(own, other, free);
                    }
                    if (other == 0) break;
                }
            }
        }
        for (unsigned byte = 0; byte < 256; ++byte) {
            for (unsigned i = 0; i < 8; ++i) column_[byte] |= Bits{byte >> i & 1U} << (8 * i);
        }
    }
    Bits of(Bits own, Bits other) const { return stable_[own << 8 | other]; }
    Bits column(Bits byte) const { return column_[byte]; }

private:
    /// Needs the entries with one empty less.
    std::uint8_t survivors(unsigned own, unsigned other, unsigned free) const {
        unsigned safe = own;
        for (int place = 0; place < 8 && safe != 0; ++place) {
            const unsigned disc = 1U << place;
            if ((free & disc) == 0) continue;
            const unsigned gained = edge_flips(own, other, place);
            safe &= stable_[(own | disc | gained) << 8 | (other & ~gained)];
            const unsigned lost = edge_flips(other, own, place);
            safe &= stable_[(own & ~lost) << 8 | (other | disc | lost)];
        }
        return static_cast<std::uint8_t>(safe);
    }

    std::array<std::uint8_t, 65536> stable_{};
    std::array<Bits, 256> column_{};
};

const EdgeTable kEdges;

Bits column_byte(Bits board, int column) {
    return (((board >> column) & kFirstColumn) * 0x0102040810204080ULL) >> 56;
}

/// Lines without an empty square: for each direction the squares whose line is full.
std::array<Bits, 4> full_lines(Bits empty) {
    Geometry::Lines open{};
    for (; empty != 0; empty &= empty - 1) {
        const auto& lines = kGeometry.lines[at(lowest(empty))].line;
        for (std::size_t i = 0; i < 4; ++i) open.line[i] |= lines[i];
    }
    return {~open.line[0], ~open.line[1], ~open.line[2], ~open.line[3]};
}

}  // namespace

Bits stable_edge_discs(Bits own, Bits other) {
    const Bits left = kEdges.of(column_byte(own, 0), column_byte(other, 0));
    const Bits right = kEdges.of(column_byte(own, 7), column_byte(other, 7));
    return kEdges.of(own & 255, other & 255) | kEdges.of(own >> 56, other >> 56) << 56 |
           kEdges.column(left) | kEdges.column(right) << 7;
}

Bits stable_discs(Bits own, Bits other) {
    const std::array<Bits, 4> full = full_lines(~(own | other));
    const Bits inner = own & kInner;
    Bits stable = stable_edge_discs(own, other) | (full[0] & full[1] & full[2] & full[3] & own);
    // Nothing grows without a seed.
    for (Bits before = 0; stable != before;) {
        before = stable;
        const Bits row = full[0] | stable << 1 | stable >> 1;
        const Bits column = full[1] | stable << 8 | stable >> 8;
        const Bits rising = full[2] | stable << 9 | stable >> 9;
        const Bits falling = full[3] | stable << 7 | stable >> 7;
        stable |= row & column & rising & falling & inner;
    }
    return stable;
}

}  // namespace karikomi::othello
