/// Renju and gomoku on a grid of letters, written from the text of the rules to be read: the
/// reference for the tables. It shares no code with them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace karikomi::test {

class PlainRenju {
public:
    enum class Kind { Freestyle, Standard, Renju };
    using Spot = std::pair<int, int>;  ///< column from the left, row from the bottom
    using Row = std::set<Spot>;        ///< stones of one row of stones

    PlainRenju(Kind kind, int size);
    /// A position as the program writes it.
    PlainRenju(Kind kind, const std::string& text);

    int size() const { return static_cast<int>(cells_.size()); }
    char at(Spot s) const { return cells_[row(s)][column(s)]; }  ///< 'X', 'O' or '.'
    void set(Spot s, char stone) { cells_[row(s)][column(s)] = stone; }
    std::string text(char side) const;

    /// The empty cell is forbidden for Black: "overline", "double four", "double three"; or not.
    std::optional<std::string> foul(Spot s);
    /// The move would win.
    bool wins(Spot s, char stone);
    std::vector<Spot> empty_cells() const;
    /// Paths of legal moves of this length.
    long perft(char side, int depth);

    static std::string name(Spot s);
    static Spot spot(const std::string& name);

private:
    static std::size_t row(Spot s) { return static_cast<std::size_t>(s.second); }
    static std::size_t column(Spot s) { return static_cast<std::size_t>(s.first); }
    bool inside(Spot s) const;
    bool is(Spot s, char stone) const { return inside(s) && at(s) == stone; }
    static Spot step(Spot s, Spot direction, int n);
    /// Stones of this colour in an unbroken row through `s`.
    int run(Spot s, Spot direction, char stone) const;
    bool five_here(Spot s, char stone) const;  ///< the stone that stands there is part of one
    std::set<Row> fours(Spot s);
    std::set<Row> threes(Spot s);
    bool is_straight_four(Spot first, Spot direction);

    Kind kind_;
    std::vector<std::string> cells_;
};

}  // namespace karikomi::test
