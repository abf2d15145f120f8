/// Connect Four: a whole game for the search in one file. docs/adding-a-game.md walks through it.
///
/// The board is one 64-bit word per set of stones: 7 columns of 7 bits, the lowest row first; the
/// seventh bit of a column stays empty, so that shifted lines cannot run over into the next column.
#pragma once

#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <karikomi/base/expected.hpp>
#include <karikomi/core/concepts.hpp>
#include <karikomi/core/horizon.hpp>

namespace karikomi::connect_four {

inline constexpr int kColumns = 7;
inline constexpr int kRows = 6;
using Board = std::uint64_t;

constexpr Board cell(int column, int row) {
    return Board{1} << (column * 7 + row);
}
constexpr Board column_of(int column) {
    return Board{0x3F} << (column * 7);
}
inline constexpr Board kBottom = [] {
    Board b = 0;
    for (int c = 0; c < kColumns; ++c) b |= cell(c, 0);
    return b;
}();
inline constexpr Board kAll = kBottom * 0x3F;
/// One step along a line: up, right, and the two diagonals.
inline constexpr int kSteps[] = {1, 7, 6, 8};

constexpr bool has_four(Board stones) {
    for (const int step : kSteps) {
        const Board pairs = stones & (stones >> step);
        if (pairs & (pairs >> 2 * step)) return true;
    }
    return false;
}

/// Cells, empty or not, that would complete four of these stones in a row.
constexpr Board completing_cells(Board s) {
    Board cells = 0;
    for (const int step : kSteps) {
        const Board pair_up = (s << step) & (s << 2 * step);    // two stones just before the cell
        const Board pair_down = (s >> step) & (s >> 2 * step);  // two stones just after it
        cells |= pair_up & (s << 3 * step);
        cells |= pair_down & (s >> 3 * step);
        cells |= pair_up & (s >> step);
        cells |= pair_down & (s << step);
    }
    return cells & kAll;
}

/// A column; stored plus one, because code 0 means "no move".
class Move {
public:
    constexpr Move() = default;
    static constexpr Move from_column(int column) {
        return from_raw(static_cast<MoveCode>(column + 1));
    }
    static constexpr Move from_raw(MoveCode code) {
        Move m;
        m.code_ = code;
        return m;
    }
    constexpr MoveCode raw() const { return code_; }
    constexpr int column() const { return code_ - 1; }
    bool operator==(const Move&) const = default;

private:
    MoveCode code_ = kNoMove;
};

struct Undo {};  // a stone can be taken off again without further knowledge

struct Game;

class Position {
public:
    int stones() const { return std::popcount(all_); }
    int side() const { return stones() & 1; }
    Board own() const { return own_; }
    Board all() const { return all_; }
    Board other() const { return own_ ^ all_; }

    /// The sum is unique: each column reads as its stones with a marker bit on top.
    Key key() const {
        Key k = (own_ + all_ + kBottom) * 0x9E3779B97F4A7C15ull;
        k ^= k >> 32;
        return k * 0xD6E8FEB86659FD93ull;
    }

    std::optional<Value> outcome(int ply) const {
        if (has_four(other())) return loss_in(ply);
        if (all_ == kAll) return Value{0};
        return std::nullopt;
    }
    Value no_moves_value(int) const { return 0; }

    template <class List> void generate(List& moves) const {
        for (const int column : {3, 2, 4, 1, 5, 0, 6}) {
            if (all_ != (all_ | column_of(column))) moves.push(Move::from_column(column));
        }
    }
    bool is_legal(Move m) const {
        return m.column() >= 0 && m.column() < kColumns && all_ != (all_ | column_of(m.column()));
    }
    /// The cell on which a stone thrown into this column lands.
    Board landing(Move m) const { return (all_ + cell(m.column(), 0)) & column_of(m.column()); }

    void make(Move m, Undo&) {
        const Board stone = landing(m);
        own_ = other();  // the other side is to move now; the new stone belongs to the mover
        all_ |= stone;
    }
    void unmake(Move m, const Undo&) {
        const Board column = all_ & column_of(m.column());
        all_ ^= std::bit_floor(column);
        own_ = other();
    }

    /// Wins on the spot, or stops a win: such moves are never pruned by their static value.
    bool is_tactical(Move m) const {
        return (landing(m) & (completing_cells(own_) | completing_cells(other()))) != 0;
    }
    int stage() const { return std::min(stones() / 6, 6); }
    int moves_left() const { return kColumns * kRows - stones(); }
    Phase phase() const {
        return stones() < 10 ? Phase::Opening : stones() < 26 ? Phase::Middle : Phase::Endgame;
    }
    int piece_count() const { return stones(); }
    int history_slot(Move m) const { return std::countr_zero(landing(m)); }

private:
    Board own_ = 0;  ///< stones of the side to move
    Board all_ = 0;
};

/// Counts cells that complete a four, those on a good row twice (the first player profits from odd
/// rows counted from 1, the second from even ones), and a little for central stones.
struct Evaluator {
    static constexpr std::string_view id() { return "connect_four-threats-1"; }
    Value evaluate(const Position& p) const {
        const int side = p.side();
        return score(p.own(), p.all(), side) - score(p.other(), p.all(), 1 - side);
    }

private:
    static constexpr Board kOddRows = kBottom | kBottom << 2 | kBottom << 4;
    static Value score(Board stones, Board all, int player) {
        const Board threats = completing_cells(stones) & ~all;
        const Board good_rows = player == 0 ? kOddRows : kOddRows << 1;
        const int centre = 2 * std::popcount(stones & column_of(3)) +
                           std::popcount(stones & (column_of(2) | column_of(4)));
        return 20 * std::popcount(threats) + 20 * std::popcount(threats & good_rows) + 3 * centre;
    }
};

struct Ordering {
    /// Moves that open most completing cells first.
    static void score(const Position& p, std::span<ScoredMove<Move>> moves, Depth) {
        for (ScoredMove<Move>& m : moves) {
            const Board after = p.own() | p.landing(m.move);
            m.score = 500 * std::popcount(completing_cells(after) & ~p.all());
        }
    }
};

/// How positions and moves are written: the columns played from the empty board, "4453".
struct Notation {
    static Expected<Position> parse(std::string_view text);
    static Expected<Move> parse_move(const Position& pos, std::string_view text);
    static std::string format_move(const Position&, Move m) {
        return std::to_string(m.column() + 1);
    }
    static std::vector<std::string> split_moves(std::string_view text);
    static std::string draw(const Position& pos);
    static std::string cells(const Position& pos);
};

struct Game {
    using Move = connect_four::Move;
    using Undo = connect_four::Undo;
    using Position = connect_four::Position;
    using Evaluator = connect_four::Evaluator;
    using Ordering = connect_four::Ordering;
    using Horizon = StaticHorizon;
    using Notation = connect_four::Notation;
    static constexpr std::string_view kName = "connect_four";
    static constexpr std::size_t kMaxMoves = kColumns;
    static constexpr int kHistorySlots = 64;
    static constexpr int kStages = 7;
};
static_assert(karikomi::Game<Game>);

}  // namespace karikomi::connect_four
