#include "tests/reference/connect_four_solver.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <set>

namespace karikomi::test {
namespace {

constexpr int kColumns = 7;
constexpr int kRows = 6;
constexpr int kCells = kColumns * kRows;

// ---------------------------------------------------------------------------------------------
// The rules on an array board. Used to read move strings, by solve_plain and by the generator.
// ---------------------------------------------------------------------------------------------

struct ArrayBoard {
    // 0 empty, 1 the first player's stone, 2 the second player's; row 0 is the bottom.
    std::array<std::array<int, kRows>, kColumns> cells{};
    std::array<int, kColumns> heights{};
    int stones = 0;

    [[nodiscard]] bool can_drop(int column) const {
        return heights[static_cast<std::size_t>(column)] < kRows;
    }

    [[nodiscard]] int at(int column, int row) const {
        if (column < 0 || column >= kColumns || row < 0 || row >= kRows) {
            return 0;
        }
        return cells[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
    }

    void drop(int column) {
        const auto c = static_cast<std::size_t>(column);
        cells[c][static_cast<std::size_t>(heights[c])] = stones % 2 == 0 ? 1 : 2;
        ++heights[c];
        ++stones;
    }

    void lift(int column) {
        const auto c = static_cast<std::size_t>(column);
        --heights[c];
        --stones;
        cells[c][static_cast<std::size_t>(heights[c])] = 0;
    }

    // How many stones of the given player follow (column, row) in one direction.
    [[nodiscard]] int run_length(int column, int row, int dx, int dy, int player) const {
        int length = 0;
        while (at(column + dx * (length + 1), row + dy * (length + 1)) == player) {
            ++length;
        }
        return length;
    }

    // Whether the topmost stone of the column is part of four in a row.
    [[nodiscard]] bool top_stone_wins(int column) const {
        constexpr std::array<std::array<int, 2>, 4> kDirections{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
        const int row = heights[static_cast<std::size_t>(column)] - 1;
        const int player = at(column, row);
        for (const auto& [dx, dy] : kDirections) {
            const int before = run_length(column, row, -dx, -dy, player);
            const int after = run_length(column, row, dx, dy, player);
            if (before + 1 + after >= 4) {
                return true;
            }
        }
        return false;
    }
};

struct Parsed {
    GameStatus status = GameStatus::kOngoing;
    ArrayBoard board;
};

Parsed parse(std::string_view columns) {
    Parsed parsed;
    for (const char digit : columns) {
        const int column = digit - '1';
        if (parsed.status != GameStatus::kOngoing || column < 0 || column >= kColumns ||
            !parsed.board.can_drop(column)) {
            parsed.status = GameStatus::kIllegal;
            return parsed;
        }
        parsed.board.drop(column);
        if (parsed.board.top_stone_wins(column)) {
            parsed.status = GameStatus::kWon;
        } else if (parsed.board.stones == kCells) {
            parsed.status = GameStatus::kDrawn;
        }
    }
    return parsed;
}

// ---------------------------------------------------------------------------------------------
// Plain minimax.
// ---------------------------------------------------------------------------------------------

// Whether the side to move prefers `a` to `b`.
bool better(const Solved& a, const Solved& b) {
    if (a.result != b.result) {
        return a.result > b.result;
    }
    return a.result > 0 ? a.plies < b.plies : a.plies > b.plies;
}

Solved plain_minimax(ArrayBoard& board) {
    std::optional<Solved> best;
    for (int column = 0; column < kColumns; ++column) {
        if (!board.can_drop(column)) {
            continue;
        }
        board.drop(column);
        Solved outcome{0, 1};
        if (board.top_stone_wins(column)) {
            outcome.result = 1;
        } else if (board.stones < kCells) {
            const Solved reply = plain_minimax(board);
            outcome = Solved{-reply.result, reply.plies + 1};
        }
        board.lift(column);
        if (!best || better(outcome, *best)) {
            best = outcome;
        }
    }
    return best.value();
}

// ---------------------------------------------------------------------------------------------
// Alpha-beta on a bitboard. Bit 7 * column + row; bit 6 of every column stays clear, so that a
// line cannot run from the top of one column into the bottom of the next.
// ---------------------------------------------------------------------------------------------

constexpr int kStride = kRows + 1;

constexpr std::uint64_t repeat_in_columns(std::uint64_t column_bits) {
    std::uint64_t bits = 0;
    for (int column = 0; column < kColumns; ++column) {
        bits |= column_bits << (column * kStride);
    }
    return bits;
}

constexpr std::uint64_t kBottom = repeat_in_columns(1);
constexpr std::uint64_t kBoard = repeat_in_columns((1U << kRows) - 1);

// A win that ends the game with `stones` stones on the board is worth 43 - stones to the winner
// and the opposite to the loser, a draw 0: sooner wins and later losses are better.
constexpr int value_of_win_at(int stones) {
    return kCells + 1 - stones;
}
constexpr int kMaxValue = value_of_win_at(7);

struct BitBoard {
    std::uint64_t mover = 0;  // stones of the side to move
    std::uint64_t other = 0;
    int stones = 0;

    [[nodiscard]] std::uint64_t occupied() const { return mover | other; }
    [[nodiscard]] std::uint64_t playable() const { return (occupied() + kBottom) & kBoard; }

    [[nodiscard]] BitBoard after(std::uint64_t cell) const {
        return BitBoard{other, mover | cell, stones + 1};
    }

    // Per column: the mover's stones, under a marker bit on the lowest empty cell. One to one, and
    // never zero.
    [[nodiscard]] std::uint64_t key() const { return mover | (occupied() + kBottom); }
};

// The empty cells where one more stone of `side` makes four in a row, playable now or not.
std::uint64_t completing_cells(std::uint64_t side, std::uint64_t occupied) {
    std::uint64_t cells = 0;
    for (const int step : {1, kStride - 1, kStride, kStride + 1}) {
        const std::uint64_t before1 = side << step;
        const std::uint64_t before2 = before1 & (side << (2 * step));
        const std::uint64_t before3 = before2 & (side << (3 * step));
        const std::uint64_t after1 = side >> step;
        const std::uint64_t after2 = after1 & (side >> (2 * step));
        const std::uint64_t after3 = after2 & (side >> (3 * step));
        cells |= before3 | (before2 & after1) | (before1 & after2) | after3;
    }
    return cells & kBoard & ~occupied;
}

enum class Bound : std::uint64_t { kUpper = 0, kLower = 1 };

// One word per entry: the key (49 bits), the value (7 bits) and the kind of bound (1 bit). The
// whole key is stored, so an entry is never taken for another position.
class BoundTable {
public:
    BoundTable() : entries_(kSize, 0) {}

    void store(std::uint64_t key, Bound bound, int value) {
        const auto shifted = static_cast<std::uint64_t>(value + kValueOffset);
        entries_[slot(key)] = (key << 8) | (shifted << 1) | static_cast<std::uint64_t>(bound);
    }

    // Narrows [lower, upper] by what is known about the position.
    void narrow(std::uint64_t key, int& lower, int& upper) const {
        const std::uint64_t entry = entries_[slot(key)];
        if (entry >> 8 != key) {
            return;
        }
        const int value = static_cast<int>((entry >> 1) & 0x7F) - kValueOffset;
        if (static_cast<Bound>(entry & 1) == Bound::kLower) {
            lower = std::max(lower, value);
        } else {
            upper = std::min(upper, value);
        }
    }

private:
    static constexpr int kBits = 22;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;
    static constexpr int kValueOffset = 64;

    static std::size_t slot(std::uint64_t key) {
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> (64 - kBits));
    }

    std::vector<std::uint64_t> entries_;
};

// Moves in the order to try them: most cells completing a line first, then the central columns.
class OrderedMoves {
public:
    OrderedMoves(const BitBoard& board, std::uint64_t candidates) {
        for (const int column : {3, 2, 4, 1, 5, 0, 6}) {
            const std::uint64_t column_cells = ((std::uint64_t{1} << kRows) - 1)
                                               << (column * kStride);
            const std::uint64_t cell = candidates & column_cells;
            if (cell != 0) {
                const std::uint64_t after = board.mover | cell;
                insert(cell, std::popcount(completing_cells(after, board.occupied() | cell)));
            }
        }
    }

    [[nodiscard]] const std::uint64_t* begin() const { return cells_.data(); }
    [[nodiscard]] const std::uint64_t* end() const { return cells_.data() + size_; }

private:
    void insert(std::uint64_t cell, int score) {
        std::size_t at = size_++;
        for (; at > 0 && scores_[at - 1] < score; --at) {
            cells_[at] = cells_[at - 1];
            scores_[at] = scores_[at - 1];
        }
        cells_[at] = cell;
        scores_[at] = score;
    }

    std::array<std::uint64_t, kColumns> cells_{};
    std::array<int, kColumns> scores_{};
    std::size_t size_ = 0;
};

class AlphaBetaSolver {
public:
    int value(const BitBoard& board) {
        if ((board.playable() & completing_cells(board.mover, board.occupied())) != 0) {
            return value_of_win_at(board.stones + 1);
        }
        if (exceeds(board, 0)) {
            return bisect(board, 1, kMaxValue);
        }
        if (exceeds(board, -1)) {
            return 0;
        }
        return bisect(board, -kMaxValue, -1);
    }

private:
    bool exceeds(const BitBoard& board, int value) { return search(board, value) > value; }

    // The value, known to lie in lower..upper, by splitting the range.
    int bisect(const BitBoard& board, int lower, int upper) {
        while (lower < upper) {
            // Split off the quarter next to 0: late ends are the common ones.
            const int width = upper - lower;
            const int middle = lower > 0 ? lower + width / 4 : upper - 1 - width / 4;
            if (exceeds(board, middle)) {
                lower = middle + 1;
            } else {
                upper = middle;
            }
        }
        return lower;
    }

    // Searches with the window (alpha, alpha + 1): a result above alpha is a lower bound of the
    // value, any other an upper bound. The mover must not have an immediate win.
    int search(const BitBoard& board, int alpha) {
        if (board.stones == kCells) {
            return 0;
        }
        // Where the other side threatens to win at once we must play; under a cell where it would
        // win we must not.
        const std::uint64_t threats = completing_cells(board.other, board.occupied());
        std::uint64_t candidates = board.playable();
        if ((candidates & threats) != 0) {
            candidates &= threats;
            if (!std::has_single_bit(candidates)) {
                candidates = 0;
            }
        }
        candidates &= ~(threats >> 1);
        if (candidates == 0) {
            return -value_of_win_at(board.stones + 2);
        }
        // Neither we (now) nor the other side (next) can win at once.
        if (board.stones >= kCells - 2) {
            return 0;
        }
        int lower = -value_of_win_at(board.stones + 4);
        int upper = value_of_win_at(board.stones + 3);
        const std::uint64_t key = board.key();
        table_.narrow(key, lower, upper);
        if (lower > alpha) {
            return lower;
        }
        if (upper <= alpha) {
            return upper;
        }
        int best = -kMaxValue;
        for (const std::uint64_t cell : OrderedMoves(board, candidates)) {
            best = std::max(best, -search(board.after(cell), -alpha - 1));
            if (best > alpha) {
                table_.store(key, Bound::kLower, best);
                return best;
            }
        }
        table_.store(key, Bound::kUpper, best);
        return best;
    }

    BoundTable table_;
};

BitBoard to_bits(const ArrayBoard& board) {
    const int mover = board.stones % 2 == 0 ? 1 : 2;
    BitBoard bits;
    bits.stones = board.stones;
    for (int column = 0; column < kColumns; ++column) {
        for (int row = 0; row < kRows; ++row) {
            const int player = board.at(column, row);
            if (player != 0) {
                auto& side = player == mover ? bits.mover : bits.other;
                side |= std::uint64_t{1} << (column * kStride + row);
            }
        }
    }
    return bits;
}

// ---------------------------------------------------------------------------------------------
// Random positions.
// ---------------------------------------------------------------------------------------------

class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

    // Uniform in 0..bound-1, without the bias of a bare remainder.
    std::size_t below(std::size_t bound) {
        constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t limit = kMax - kMax % bound;
        std::uint64_t draw = next();
        while (draw >= limit) {
            draw = next();
        }
        return static_cast<std::size_t>(draw % bound);
    }

private:
    std::uint64_t state_;
};

struct RandomGame {
    std::string columns;
    std::uint64_t key;
};

// One random game of the given length; nothing when it ended by then.
std::optional<RandomGame> random_game(int stones, SplitMix64& random) {
    ArrayBoard board;
    std::string columns;
    while (board.stones < stones) {
        std::array<int, kColumns> legal{};
        std::size_t legal_count = 0;
        for (int column = 0; column < kColumns; ++column) {
            if (board.can_drop(column)) {
                legal[legal_count++] = column;
            }
        }
        const int column = legal[random.below(legal_count)];
        board.drop(column);
        columns.push_back(static_cast<char>('1' + column));
        if (board.top_stone_wins(column)) {
            return std::nullopt;
        }
    }
    return RandomGame{columns, to_bits(board).key()};
}

}  // namespace

GameStatus status(std::string_view columns) {
    return parse(columns).status;
}

bool finished(std::string_view columns) {
    const GameStatus s = status(columns);
    return s == GameStatus::kWon || s == GameStatus::kDrawn;
}

std::optional<Solved> solve(std::string_view columns) {
    const Parsed parsed = parse(columns);
    if (parsed.status != GameStatus::kOngoing) {
        return std::nullopt;
    }
    thread_local AlphaBetaSolver solver;
    const int stones = parsed.board.stones;
    const int value = solver.value(to_bits(parsed.board));
    if (value == 0) {
        return Solved{0, kCells - stones};
    }
    const int stones_at_end = value_of_win_at(value > 0 ? value : -value);
    return Solved{value > 0 ? 1 : -1, stones_at_end - stones};
}

std::optional<Solved> solve_plain(std::string_view columns) {
    Parsed parsed = parse(columns);
    if (parsed.status != GameStatus::kOngoing) {
        return std::nullopt;
    }
    return plain_minimax(parsed.board);
}

std::vector<std::string> random_positions(int count, int min_stones, int max_stones,
                                          std::uint64_t seed) {
    // Tries before a stone count is taken to have no further positions. Random games still
    // running at 41 stones come about once in some hundreds, so this is far from chance.
    constexpr int kMaxTries = 100'000;
    std::vector<int> stone_counts;
    for (int s = std::max(min_stones, 0); s <= std::min(max_stones, kCells - 1); ++s) {
        stone_counts.push_back(s);
    }
    SplitMix64 random(seed);
    std::set<std::uint64_t> seen;
    std::vector<std::string> positions;
    std::size_t turn = 0;
    while (static_cast<int>(positions.size()) < count && !stone_counts.empty()) {
        turn %= stone_counts.size();
        bool found = false;
        for (int tries = 0; tries < kMaxTries && !found; ++tries) {
            const auto game = random_game(stone_counts[turn], random);
            found = game && seen.insert(game->key).second;
            if (found) {
                positions.push_back(game->columns);
            }
        }
        if (found) {
            ++turn;
        } else {
            stone_counts.erase(stone_counts.begin() + static_cast<std::ptrdiff_t>(turn));
        }
    }
    return positions;
}

}  // namespace karikomi::test
