// Games of random legal moves, the same for the same seed.
#pragma once

#include <random>

#include "karikomi/games/othello/records.hpp"

namespace karikomi::tests {

inline othello::Square random_move(const othello::Board& board, std::mt19937_64& random) {
    othello::Bits moves = board.moves();
    for (auto skip = random() % static_cast<unsigned>(std::popcount(moves)); skip > 0; --skip) {
        moves &= moves - 1;
    }
    return othello::lowest(moves);
}

// At most `plies` moves, or to the end.
inline othello::GameRecord random_game(std::mt19937_64& random, int plies = 200,
                                       othello::Position start = othello::start_position()) {
    othello::GameRecord game;
    game.start = start;
    othello::Replay replay(game);
    for (int i = 0; i < plies && !replay.position().board.over(); ++i) {
        const othello::Board board = replay.position().board;
        const othello::Square square =
            board.moves() == 0 ? othello::kPass : random_move(board, random);
        if (!replay.play({square})) break;
    }
    return game;
}

}  // namespace karikomi::tests
