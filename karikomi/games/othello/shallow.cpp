#include "karikomi/games/othello/shallow.hpp"

namespace karikomi::othello {
namespace {

constexpr int kNoneYet = -1'000'000;
constexpr int kOrderFrom = 2;  ///< plies left from which children are sorted

struct Ordered {
    Square square;
    int score;
};

/// Squares by what they leave the opponent; returns how many.
int order(const Board& board, Bits moves, std::array<Ordered, 34>& out) {
    int n = 0;
    for (; moves != 0; moves &= moves - 1) {
        const Square square = lowest(moves);
        const Board next = board.after(square, board.flips(square));
        const Bits replies = next.moves();
        const int score = std::popcount(replies) + std::popcount(replies & kCorners) -
                          ((bit(square) & kCorners) != 0 ? 4 : 0);
        int i = n++;
        for (; i > 0 && out[at(i - 1)].score > score; --i) out[at(i)] = out[at(i - 1)];
        out[at(i)] = {square, score};
    }
    return n;
}

}  // namespace

ShallowSearch::Node ShallowSearch::child(const Node& n, Square square) {
    const Bits flipped = n.board.flips(square);
    Node next{n.board.after(square, flipped), n.features, opposite(n.colour), 0};
    update_features(next.features, square, flipped, n.colour);
    next.moves = next.board.moves();
    return next;
}

int ShallowSearch::search_pass(const Node& n, int depth, int alpha, int beta) {
    const Bits replies = n.board.replies();
    if (replies == 0) return final_score(n.board) * kDisc;
    return -search({n.board.passed(), n.features, opposite(n.colour), replies}, depth, -beta,
                   -alpha);
}

int ShallowSearch::search_last_ply(const Node& n, int beta) {
    int best = kNoneYet;
    for (Bits moves = n.moves; moves != 0 && best < beta; moves &= moves - 1) {
        const Node next = child(n, lowest(moves));
        ++nodes_;
        int v = 0;
        if (next.moves == 0 && next.board.replies() == 0) {
            v = -final_score(next.board) * kDisc;
        } else {
            v = -pattern_value(weights_, next.features, next.board, next.colour, next.moves);
        }
        best = std::max(best, v);
    }
    return best;
}

int ShallowSearch::search(const Node& n, int depth, int alpha, int beta) {
    ++nodes_;
    if (n.moves == 0) return search_pass(n, depth, alpha, beta);
    if (depth <= 0) return pattern_value(weights_, n.features, n.board, n.colour, n.moves);
    if (depth < kOrderFrom) return search_last_ply(n, beta);
    std::array<Ordered, 34> ordered;
    const int count = order(n.board, n.moves, ordered);
    int best = kNoneYet;
    for (int i = 0; i < count && best < beta; ++i) {
        const Node next = child(n, ordered[at(i)].square);
        const int low = std::max(alpha, best);
        int v = 0;
        if (i > 0 && beta - low > 1) {
            v = -search(next, depth - 1, -low - 1, -low);
            if (v > low && v < beta) v = -search(next, depth - 1, -beta, -v);
        } else {
            v = -search(next, depth - 1, -beta, -low);
        }
        best = std::max(best, v);
    }
    return best;
}

ShallowSearch::Choice ShallowSearch::best(const Board& board, int depth) {
    const Node root{board, features_of(board.own, board.other), Colour::Black, board.moves()};
    if (root.moves == 0) return {kPass, search(root, depth, -kMostDiscs, kMostDiscs)};
    std::array<Ordered, 34> ordered;
    const int count = order(board, root.moves, ordered);
    Choice choice{kNoSquare, kNoneYet};
    for (int i = 0; i < count; ++i) {
        const Node next = child(root, ordered[at(i)].square);
        const int low = std::max(choice.value, -kMostDiscs - 1);
        const int v = -search(next, depth - 1, -kMostDiscs - 1, -low);
        if (v > choice.value) choice = {ordered[at(i)].square, v};
    }
    return choice;
}

}  // namespace karikomi::othello
