// Ground truth for Connect Four (7 columns, 6 rows), independent of the engine.
//
// Nothing here includes or links engine code, so that a test comparing the two compares two
// separate statements of the rules. A position is named by the columns played from the empty
// board, as digits '1' (leftmost) to '7' (rightmost); the empty string is the empty board.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karikomi::test {

// The exact game-theoretic result of an unfinished position.
struct Solved {
    // +1 win, 0 draw, -1 loss for the side to move.
    int result;
    // Plies until the game ends with best play: the winner wins as fast as possible and the loser
    // holds out as long as possible. For a draw, the number of empty cells.
    int plies;

    friend bool operator==(const Solved&, const Solved&) = default;
};

// What a move string describes.
enum class GameStatus {
    kIllegal,  // a character outside '1'..'7', a stone on a full column, or a move after the end
    kOngoing,  // a legal game with a move still to make
    kWon,      // the last stone made four in a row
    kDrawn,    // the board is full without four in a row
};

GameStatus status(std::string_view columns);

// True when the string is a legal game that has ended (won or drawn). False for an ongoing game
// and for an illegal string.
bool finished(std::string_view columns);

// Exact result by alpha-beta with a transposition table. Empty (nullopt) unless the status is
// kOngoing: neither an illegal string nor a finished game has a side to move.
//
// The table is kept between the calls of one thread (it holds facts about positions, so earlier
// calls change only the speed, never the answer) and takes 32 MiB per calling thread. In an
// optimised build random positions of 14 stones or more take about a millisecond on average and
// hard ones some tenths of a second; near the empty board expect many minutes.
std::optional<Solved> solve(std::string_view columns);

// The same answer by plain minimax on an array board: no pruning, no table, no bit tricks, and no
// code shared with solve() below the reading of the string. Meant for about 10 empty cells or less.
std::optional<Solved> solve_plain(std::string_view columns);

// Distinct ongoing positions reached by uniformly random legal moves. Stone counts go round the
// range min_stones..max_stones (both included, clamped to 0..41), so that they are evenly spread
// in every prefix of the result; a game that ends too early is thrown away and tried again. Two
// move strings that reach the same position count as the same.
//
// The same arguments give the same result on every platform. Fewer than `count` positions come
// back only when the range holds too few (there is one position of 0 stones and 7 of 1 stone) or
// is empty (min_stones > max_stones).
std::vector<std::string> random_positions(int count, int min_stones, int max_stones,
                                          std::uint64_t seed);

}  // namespace karikomi::test
