/// Othello on an array of 64 characters, written to be read: the reference for the bitboards.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "karikomi/games/othello/board.hpp"

namespace karikomi::test {

class PlainOthello {
public:
    PlainOthello();                                      ///< the start position
    explicit PlainOthello(const othello::Board& board);  ///< the side to move plays 'X'

    std::vector<int> moves() const;             ///< of the side to move, in ascending order
    std::vector<int> turned(int square) const;  ///< discs that a move there turns
    void play(int square);
    void pass();
    bool over() const;
    int score() const;  ///< of the side to move, empties to the winner
    int empties() const;
    othello::Board board() const;

private:
    std::vector<int> turned_by(char mover, int square) const;
    bool can_move(char mover) const;

    std::array<char, 64> cells_{};
    char mover_ = 'X';
};

/// Plain negamax to the end of the game, with a window only to be done in time.
int plain_score(const PlainOthello& game, int alpha = -64, int beta = 64);

/// Negamax on bitboards without any trick.
int simple_score(const othello::Board& board, int alpha = -64, int beta = 64);
/// The same with the moves that leave the opponent fewest answers first: quick enough for 14
/// empties.
int sorted_score(const othello::Board& board, int alpha = -64, int beta = 64);

/// A position of random play with `empties` empties whose side to move has a move.
othello::Board random_board(std::mt19937& random, int empties);

}  // namespace karikomi::test
