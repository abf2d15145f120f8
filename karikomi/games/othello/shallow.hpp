/// A small fixed-depth search on pattern values, without table or techniques: for self-play, for
/// ordering and for probes of the endgame, where it is called so often that nothing else pays.
#pragma once

#include "karikomi/games/othello/evaluator.hpp"

namespace karikomi::othello {

class ShallowSearch {
public:
    explicit ShallowSearch(const Weights& weights) : weights_(weights) {}

    /// Value for the side to move, fail-soft, in 1/100 disc. The side to move counts as black.
    int value(const Board& board, int depth, int alpha, int beta) {
        return search(node_of(board), depth, alpha, beta);
    }

    struct Choice {
        Square square = kNoSquare;  ///< kPass where there is no move
        int value = 0;
    };
    Choice best(const Board& board, int depth);

    /// A position with everything that its evaluation needs.
    struct Node {
        Board board;
        Features features;
        Colour colour;
        Bits moves;
    };
    static Node node_of(const Board& board) {
        return {board, features_of(board.own, board.other), Colour::Black, board.moves()};
    }
    static Node child(const Node& n, Square square);
    int value(const Node& n, int depth, int alpha, int beta) {
        return search(n, depth, alpha, beta);
    }

    std::uint64_t nodes() const { return nodes_; }

private:
    int search(const Node& n, int depth, int alpha, int beta);
    int search_last_ply(const Node& n, int beta);
    int search_pass(const Node& n, int depth, int alpha, int beta);

    const Weights& weights_;
    std::uint64_t nodes_ = 0;
};

}  // namespace karikomi::othello
