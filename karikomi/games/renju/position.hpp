/// A position of renju or gomoku. Shapes of every empty cell, for both colours and four
/// directions, are kept up to date move by move; so are their counts, so that "is there a five, a
/// straight four, a forbidden point" costs nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "karikomi/games/renju/lines.hpp"
#include "karikomi/games/renju/weights.hpp"

namespace karikomi::renju {

/// Empty cells of each class.
using PointCounts = std::array<std::uint16_t, kPoints>;

/// What unmake() puts back. A stone changes at most ten cells on each of four lines.
struct Undo {
    struct Changed {
        std::uint16_t cell;
        std::array<Code, 2> codes;
        std::array<std::uint8_t, 2> points;
    };
    std::array<Changed, 40> changed;
    int count = 0;
    std::array<PointCounts, 2> counts;
    std::array<CellSum, 2> sums;
    std::array<std::uint32_t, 5> near;
    std::int8_t winner = -1;
    Undo() {}  // NOLINT(modernize-use-equals-default): the room is not cleared
};

class Position {
public:
    Position() : Position(Rules{}) {}
    explicit Position(const Rules& rules);

    // ---- What the search asks -------------------------------------------------------------------
    Key key() const { return key_; }
    Key key_after(Cell c) const;  ///< of the position after the side to move plays there
    int side() const { return side_; }
    std::optional<Value> outcome(int ply) const {
        if (winner_ >= 0) return winner_ == side_ ? win_in(ply) : loss_in(ply);
        if (stones_ == size() * size()) return Value{0};
        return std::nullopt;
    }
    /// Every empty cell is forbidden: nobody can be forced to lose by a foul, so it is a draw.
    Value no_moves_value(int) const { return 0; }
    template <class List> void generate(List& moves) const {
        for (int y = 0; y < size(); ++y) {
            for (std::uint32_t row = lines_.empty_in_row(y); row != 0; row &= row - 1) {
                push_legal(cell_at(std::countr_zero(row), y), moves);
            }
        }
    }
    /// Moves worth a search: answers where there is a threat, else cells near the stones. Some
    /// legal move wherever there is one.
    template <class List> void generate_candidates(List& moves) const;
    bool is_legal(Move m) const {
        const Cell c = m.cell();
        return lines_.is_on_board(c) && lines_.is_empty(c) && !is_forbidden(c);
    }
    void make(Move m, Undo& undo) { put(m.cell(), undo); }
    void unmake(Move m, const Undo& undo);

    bool allows_null_move() const { return !in_check() && count(side_, Point::Five) == 0; }
    void make_null(Undo&) { pass(); }
    void unmake_null(const Undo&) { pass(); }
    /// Makes four or five, stops a five, or answers the threat of a straight four.
    bool is_tactical(Move m) const {
        const Point mine = point(m.cell(), side_);
        const Point theirs = point(m.cell(), 1 - side_);
        if (mine == Point::Five || theirs == Point::Five || makes_four(mine)) return true;
        return makes_four(theirs) && has_open_four(1 - side_);
    }
    /// The other side threatens five.
    bool in_check() const { return count(1 - side_, Point::Five) > 0; }
    /// A five, a straight four, a four and three.
    Threat threat() const {
        const int other = 1 - side_;
        if (count(other, Point::Five) > 0) return Threat::Now;
        if (has_open_four(other)) return Threat::Grave;
        const int ways = count(other, Point::FourThree) + count(other, Point::MaybeFoulFour);
        return ways > 0 ? Threat::Slow : Threat::None;
    }
    bool has_forced_reply() const { return in_check() && count(side_, Point::Five) == 0; }
    int stage() const { return stones_ < 8 ? 0 : stones_ < 16 ? 1 : stones_ < 32 ? 2 : 3; }
    Phase phase() const {
        return stones_ < 8 ? Phase::Opening : stones_ < 60 ? Phase::Middle : Phase::Endgame;
    }
    int piece_count() const { return stones_; }
    int history_slot(Move m) const { return row_of(m.cell()) * kMaxSize + column_of(m.cell()); }

    // ---- The rules ------------------------------------------------------------------------------
    const Rules& rules() const { return rules_; }
    /// Another rule judges the same stones. Another size empties the board, unless the position was
    /// read from a text, which knows its own size.
    void set_rules(const Rules& rules);
    /// For the rule that they were made for; without such it uses those built into the program.
    void set_weights(std::shared_ptr<const Weights> weights);
    // Setting up: an empty board of some size, stones in any order, then settle().
    void set_size(int size);
    void add_stone(Cell c, int colour);
    void settle(int side);  ///< whose turn it is; finds out who has won

    int size() const { return lines_.size(); }
    int stones() const { return stones_; }
    const Lines& lines() const { return lines_; }
    int winner() const { return winner_; }  ///< -1: nobody yet
    /// For the side to move, under renju rules.
    bool is_forbidden(Cell c) const {
        return foul_rule_ && side_ == kBlack && is_foul_for_black(c);
    }
    /// Whoever is to move.
    bool is_foul_for_black(Cell c) const {
        return foul_rule_ && may_be_foul(point(c, kBlack)) && find_foul(lines_, c) != Foul::None;
    }
    std::vector<Cell> foul_cells() const;

    // ---- Threats --------------------------------------------------------------------------------
    Point point(Cell c, int colour) const {
        return static_cast<Point>(
            points_[static_cast<std::size_t>(colour)][static_cast<std::size_t>(c)]);
    }
    Code code(Cell c, int colour) const {
        return codes_[static_cast<std::size_t>(colour)][static_cast<std::size_t>(c)];
    }
    /// Empty cells of this class.
    int count(int colour, Point p) const {
        return counts_[static_cast<std::size_t>(colour)][static_cast<std::size_t>(p)];
    }
    /// Some cell makes a straight four (for Black: unless it is forbidden).
    bool has_open_four(int colour) const {
        return count(colour, Point::FourOpen) + count(colour, Point::MaybeFoulOpen) > 0;
    }
    bool has_four(int colour) const {
        const auto& n = counts_[static_cast<std::size_t>(colour)];
        return n[std::size_t(Point::Four)] + n[std::size_t(Point::FourPlus)] +
                   n[std::size_t(Point::FourThree)] + n[std::size_t(Point::FourOpen)] +
                   n[std::size_t(Point::MaybeFoulFour)] + n[std::size_t(Point::MaybeFoulOpen)] >
               0;
    }
    /// Calls f(cell) for empty cells that complete five.
    template <class F> void each_five(int colour, F&& f) const {
        each(fives_[static_cast<std::size_t>(colour)], f);
    }
    /// Calls f(cell) for empty cells that make a four; forbidden ones among them.
    template <class F> void each_four(int colour, F&& f) const {
        each(fours_[static_cast<std::size_t>(colour)], f);
    }
    /// Calls f(cell) for empty cells within two of a stone: all that make three or four are there.
    template <class F> void each_near(F&& f) const {
        for (int y = 0; y < size(); ++y) {
            std::uint32_t row = lines_.empty_in_row(y) & near_[static_cast<std::size_t>(y) + 2];
            for (; row != 0; row &= row - 1) f(cell_at(std::countr_zero(row), y));
        }
    }

    // ---- The evaluation's numbers ---------------------------------------------------------------
    /// Over the empty cells.
    const CellSum& cell_sum(int colour) const { return sums_[static_cast<std::size_t>(colour)]; }
    const ColourTables& tables(int colour) const {
        return *values_[static_cast<std::size_t>(colour)];
    }
    Value cell_value_at(Cell c, int colour) const {
        return cell_value(code(c, colour), static_cast<std::size_t>(colour)).moving / kFine;
    }
    /// Of moves of the side to move.
    const MoveTerms& terms(Code code) const { return tables(side_).moves[classes_->of[code]]; }

private:
    using Rows = std::array<std::uint32_t, kMaxSize>;  ///< one word a row, bit x for column x

    template <class F> void each(const Rows& rows, F&& f) const {
        for (int y = 0; y < size(); ++y) {
            for (std::uint32_t row = rows[static_cast<std::size_t>(y)]; row != 0; row &= row - 1) {
                f(cell_at(std::countr_zero(row), y));
            }
        }
    }
    template <class List> void push_legal(Cell c, List& moves) const {
        if (!is_forbidden(c)) moves.push(Move::from_cell(c));
    }
    template <class List> bool generate_answers(List& moves) const;
    template <class List> void push_any(List& moves) const;

    void rebuild(const Rules& rules, int size);
    void choose_values();  ///< by the rule, of the weights that were given or are built in
    void pass() {
        side_ = 1 - side_;
        key_ ^= kSideKey;
    }
    void set_side(int side) {
        if (side != side_) pass();
    }
    bool has_five(int colour) const;
    void put(Cell c, Undo& undo);
    void place(Cell c, int colour, Undo& undo);
    void refresh_line(Cell c, int direction, Undo& undo);
    /// Adds an empty cell's class to the sums, or takes it away.
    void book(Cell c, int colour, int sign);
    void set_code(Cell c, int colour, Code code);
    /// Keeps the boards of fives and fours: a cell's class was another before.
    void mark(Cell c, int colour, Point before, Point after);
    const CellValue& cell_value(Code code, std::size_t colour) const {
        return values_[colour]->cells[classes_->of[code]];
    }

    static constexpr Key kSideKey = 0xA0761D6478BD642Full;

    Lines lines_;
    std::array<std::array<Code, kCells>, 2> codes_;
    std::array<std::array<std::uint8_t, kCells>, 2> points_;
    std::array<PointCounts, 2> counts_{};
    std::array<Rows, 2> fives_{};
    std::array<Rows, 2> fours_{};
    std::array<std::uint32_t, kMaxSize + 4> near_{};  ///< row y is at y + 2: within two of a stone
    std::array<CellSum, 2> sums_{};
    std::array<const PatternTable*, 2> tables_{};
    std::array<const ColourTables*, 2> values_{};  ///< of given_, or built in
    std::shared_ptr<const Weights> given_;         ///< may be null, or for another rule
    const CodeClasses* classes_ = &code_classes();
    Key key_ = 0;
    Rules rules_;
    int side_ = kBlack;
    int stones_ = 0;
    std::int8_t winner_ = -1;
    bool foul_rule_ = true;
    bool sized_by_text_ = false;
};

template <class List> void Position::generate_candidates(List& moves) const {
    if (generate_answers(moves)) return;
    if (stones_ == 0) {
        moves.push(Move::from_cell(cell_at(size() / 2, size() / 2)));
        return;
    }
    each_near([&](Cell c) { push_legal(c, moves); });
    if (moves.empty()) push_any(moves);
}

/// Where only a few moves make sense: true when the list is complete.
template <class List> bool Position::generate_answers(List& moves) const {
    const int other = 1 - side_;
    if (count(side_, Point::Five) > 0) {
        each_five(side_, [&](Cell c) {
            if (moves.empty()) moves.push(Move::from_cell(c));
        });
        return true;
    }
    if (count(other, Point::Five) > 0) {
        each_five(other, [&](Cell c) { push_legal(c, moves); });
        if (moves.empty()) push_any(moves);  // lost, but something must be played
        return true;
    }
    if (has_open_four(side_)) {
        each_four(side_, [&](Cell c) {
            if (moves.empty() && makes_open_four(point(c, side_))) push_legal(c, moves);
        });
        if (!moves.empty()) return true;
    }
    if (count(other, Point::FourOpen) == 0) return false;
    // A straight four threatens: only fours of one's own, and cells of its lines, which make a four
    // for the other side too, can help.
    each_four(side_, [&](Cell c) { push_legal(c, moves); });
    each_four(other, [&](Cell c) {
        if (!makes_four(point(c, side_))) push_legal(c, moves);
    });
    return !moves.empty();
}

template <class List> void Position::push_any(List& moves) const {
    for (int y = 0; y < size(); ++y) {
        for (std::uint32_t row = lines_.empty_in_row(y); row != 0; row &= row - 1) {
            push_legal(cell_at(std::countr_zero(row), y), moves);
            if (!moves.empty()) return;
        }
    }
}

}  // namespace karikomi::renju
