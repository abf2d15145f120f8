#include "karikomi/games/renju/position.hpp"

#include "karikomi/base/random.hpp"

namespace karikomi::renju {
namespace {

constexpr std::array<std::array<Key, kCells>, 2> kStoneKeys = [] {
    std::array<std::array<Key, kCells>, 2> keys{};
    Random random(0);
    for (auto& colour : keys) {
        for (Key& k : colour) k = random.next();
    }
    return keys;
}();

}  // namespace

Position::Position(const Rules& rules) : rules_(rules) {
    rebuild(rules, rules.size);
}

void Position::rebuild(const Rules& rules, int size) {
    rules_ = rules;
    foul_rule_ = rules.rule == Rule::Renju;
    choose_values();
    for (int k = 0; k < 2; ++k) {
        const auto i = static_cast<std::size_t>(k);
        tables_[i] = &patterns_of(style_of(rules.rule, k));
        codes_[i].fill(0);
        points_[i].fill(0);
        counts_[i].fill(0);
        fives_[i].fill(0);
        fours_[i].fill(0);
        sums_[i] = {};
    }
    near_.fill(0);
    lines_.reset(size);
    key_ = scrambled(static_cast<std::uint64_t>(size) + (std::uint64_t(rules.rule) << 32));
    side_ = kBlack;
    stones_ = 0;
    winner_ = -1;
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const Cell c = cell_at(x, y);
            for (int k = 0; k < 2; ++k) {
                const auto i = static_cast<std::size_t>(k);
                unsigned code = 0;
                for (int d = 0; d < kDirections; ++d) {
                    code |= static_cast<unsigned>(lines_.shape(*tables_[i], c, k, d)) << 4 * d;
                }
                codes_[i][static_cast<std::size_t>(c)] = static_cast<Code>(code);
                points_[i][static_cast<std::size_t>(c)] = tables_[i]->points[code];
                book(c, k, +1);
            }
        }
    }
}

void Position::choose_values() {
    const bool fits = given_ && given_->rule() == rules_.rule;
    const Weights& weights = fits ? *given_ : *built_in_weights(rules_.rule);
    for (int k = 0; k < 2; ++k) values_[static_cast<std::size_t>(k)] = &weights.of(k);
}

void Position::set_weights(std::shared_ptr<const Weights> weights) {
    given_.swap(weights);  // the old ones live until their tables are out of use
    const auto before = values_;
    choose_values();
    if (values_ == before) return;
    sums_ = {};
    for (int y = 0; y < size(); ++y) {
        for (std::uint32_t row = lines_.empty_in_row(y); row != 0; row &= row - 1) {
            const Cell c = cell_at(std::countr_zero(row), y);
            for (std::size_t k = 0; k < 2; ++k) {
                sums_[k].add(cell_value(code(c, static_cast<int>(k)), k), +1);
            }
        }
    }
}

void Position::set_rules(const Rules& rules) {
    const bool same_size = sized_by_text_ || rules.size == size();
    if (same_size && rules.rule == rules_.rule) {
        rules_ = rules;
        return;
    }
    const Lines before = lines_;
    const int side = side_;
    rebuild(rules, same_size ? before.size() : rules.size);
    if (!same_size) return;
    for (int y = 0; y < size(); ++y) {
        for (int x = 0; x < size(); ++x) {
            const Cell c = cell_at(x, y);
            if (const int colour = before.stone(c); colour >= 0) add_stone(c, colour);
        }
    }
    settle(side);
}

void Position::settle(int side) {
    set_side(side);
    winner_ = -1;
    for (const int colour : {side, 1 - side}) {  // who has just moved goes last, and wins
        if (has_five(colour)) winner_ = static_cast<std::int8_t>(colour);
    }
}

bool Position::has_five(int colour) const {
    const bool exact = style_of(rules_.rule, colour) != Style::Free;
    for (int d = 0; d < kDirections; ++d) {
        for (int i = 0; i < 2 * kMaxSize - 1; ++i) {
            const std::uint32_t own = lines_.line(d, i).own[static_cast<std::size_t>(colour)];
            std::uint32_t runs = own & own >> 1 & own >> 2 & own >> 3 & own >> 4;
            if (exact) runs &= ~(own << 1) & ~(own >> 5);  // no sixth stone on either side
            if (runs != 0) return true;
        }
    }
    return false;
}

void Position::set_size(int size) {
    rebuild(rules_, size);
    sized_by_text_ = true;
}

void Position::add_stone(Cell c, int colour) {
    Undo undo;
    place(c, colour, undo);
}

void Position::put(Cell c, Undo& undo) {
    undo.winner = winner_;
    if (point(c, side_) == Point::Five) winner_ = static_cast<std::int8_t>(side_);
    place(c, side_, undo);
    pass();
}

void Position::place(Cell c, int colour, Undo& undo) {
    const int x = column_of(c);
    const int y = row_of(c);
    undo.count = 0;
    undo.counts = counts_;
    undo.sums = sums_;
    book(c, kBlack, -1);
    book(c, kWhite, -1);
    lines_.set(c, colour);
    key_ ^= kStoneKeys[static_cast<std::size_t>(colour)][static_cast<std::size_t>(c)];
    ++stones_;
    const std::uint32_t around = x >= 2 ? 0x1FU << (x - 2) : 0x1FU >> (2 - x);
    for (std::size_t i = 0; i < 5; ++i) {
        std::uint32_t& row = near_[static_cast<std::size_t>(y) + i];
        undo.near[i] = row;
        row |= around;
    }
    for (int d = 0; d < kDirections; ++d) refresh_line(c, d, undo);
}

void Position::refresh_line(Cell c, int direction, Undo& undo) {
    const Place p = place_of(c, direction);
    const LineBits& l = lines_.line(direction, p.line);
    const int step = kSteps[static_cast<std::size_t>(direction)];
    const int shift = 4 * direction;
    const Code keep = static_cast<Code>(~(15U << shift));
    for (std::uint32_t cells = l.empty() & kWindow << p.at; cells != 0; cells &= cells - 1) {
        const int at = std::countr_zero(cells) - kReach;
        const Cell n = c + (at - p.at) * step;
        const auto shaped = [&](int colour, Code before) {
            const PatternTable& table = *tables_[static_cast<std::size_t>(colour)];
            const auto shape = static_cast<unsigned>(Lines::shape_at(table, l, colour, at));
            return static_cast<Code>((before & keep) | shape << shift);
        };
        // Scalars: an array of two, compared as a whole, would wait for its halves in memory.
        const Code black = code(n, kBlack), white = code(n, kWhite);
        const Code new_black = shaped(kBlack, black), new_white = shaped(kWhite, white);
        if (new_black == black && new_white == white) continue;
        const auto i = static_cast<std::size_t>(n);
        undo.changed[static_cast<std::size_t>(undo.count++)] = {
            static_cast<std::uint16_t>(n), {black, white}, {points_[0][i], points_[1][i]}};
        if (new_black != black) set_code(n, kBlack, new_black);
        if (new_white != white) set_code(n, kWhite, new_white);
    }
}

void Position::unmake(Move m, const Undo& undo) {
    const Cell c = m.cell();
    pass();
    for (int i = undo.count - 1; i >= 0; --i) {
        const Undo::Changed& was = undo.changed[static_cast<std::size_t>(i)];
        for (std::size_t k = 0; k < 2; ++k) {
            codes_[k][was.cell] = was.codes[k];
            std::uint8_t& point = points_[k][was.cell];
            if (point == was.points[k]) continue;
            mark(was.cell, static_cast<int>(k), static_cast<Point>(point),
                 static_cast<Point>(was.points[k]));
            point = was.points[k];
        }
    }
    counts_ = undo.counts;
    sums_ = undo.sums;
    for (std::size_t i = 0; i < 5; ++i) {
        near_[static_cast<std::size_t>(row_of(c)) + i] = undo.near[i];
    }
    lines_.clear(c, side_);
    key_ ^= kStoneKeys[static_cast<std::size_t>(side_)][static_cast<std::size_t>(c)];
    --stones_;
    // Nothing has touched the cell's own shapes while the stone stood there.
    for (const int colour : {kBlack, kWhite}) mark(c, colour, Point::None, point(c, colour));
    winner_ = undo.winner;
}

void Position::book(Cell c, int colour, int sign) {
    const auto k = static_cast<std::size_t>(colour);
    const Point p = point(c, colour);
    std::uint16_t& n = counts_[k][static_cast<std::size_t>(p)];
    n = static_cast<std::uint16_t>(n + sign);
    sums_[k].add(cell_value(code(c, colour), k), sign);
    mark(c, colour, Point::None, p);
}

void Position::set_code(Cell c, int colour, Code code) {
    const auto k = static_cast<std::size_t>(colour);
    const auto i = static_cast<std::size_t>(c);
    const Code old_code = codes_[k][i];
    codes_[k][i] = code;
    sums_[k].add(cell_value(code, k), 1);
    sums_[k].add(cell_value(old_code, k), -1);
    const auto before = static_cast<Point>(points_[k][i]);
    const auto after = static_cast<Point>(tables_[k]->points[code]);
    if (before == after) return;
    points_[k][i] = static_cast<std::uint8_t>(after);
    --counts_[k][static_cast<std::size_t>(before)];
    ++counts_[k][static_cast<std::size_t>(after)];
    mark(c, colour, before, after);
}

void Position::mark(Cell c, int colour, Point before, Point after) {
    const auto k = static_cast<std::size_t>(colour);
    const std::uint32_t bit = 1U << column_of(c);
    const auto y = static_cast<std::size_t>(row_of(c));
    if ((before == Point::Five) != (after == Point::Five)) fives_[k][y] ^= bit;
    if (makes_four(before) != makes_four(after)) fours_[k][y] ^= bit;
}

Key Position::key_after(Cell c) const {
    return key_ ^ kSideKey ^
           kStoneKeys[static_cast<std::size_t>(side_)][static_cast<std::size_t>(c)];
}

std::vector<Cell> Position::foul_cells() const {
    std::vector<Cell> cells;
    for (int y = 0; y < size(); ++y) {
        for (std::uint32_t row = lines_.empty_in_row(y); row != 0; row &= row - 1) {
            const Cell c = cell_at(std::countr_zero(row), y);
            if (is_foul_for_black(c)) cells.push_back(c);
        }
    }
    return cells;
}

}  // namespace karikomi::renju
