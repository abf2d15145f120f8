#include "karikomi/games/othello/game.hpp"

namespace karikomi::othello {
namespace {

/// By what a move leaves the opponent: few moves, no corners.
int score_by_replies(Square square, Bits replies) {
    constexpr int kReply = 200;
    constexpr int kTakesCorner = 600;
    return -kReply * (std::popcount(replies) + std::popcount(replies & kCorners)) +
           ((bit(square) & kCorners) != 0 ? kTakesCorner : 0);
}

}  // namespace

void Ordering::score(const GamePosition& p, const Evaluator& evaluator,
                     std::span<ScoredMove<Move>> moves, Depth depth) {
    for (ScoredMove<Move>& m : moves) {
        if (m.move.is_pass()) continue;
        const Square square = m.move.square();
        const Board next = p.board().after(square, p.board().flips(square));
        const Bits replies = next.moves();
        if (depth >= 2) {
            m.score = evaluator.value_after(p, square, next, replies);
            // A side without a move has to pass, or the game is over: another kind of node.
            if (replies != 0) m.value_after = static_cast<std::int16_t>(-m.score);
            continue;
        }
        m.score = score_by_replies(square, replies);
    }
}

LastPlyResult<Move> LastPly::search(const GamePosition& p, const Evaluator& evaluator, Value beta,
                                    Move first) {
    struct Leaf {
        int score = 0;
        Square square = 0;
        Board board;
        Bits replies = 0;
    };
    LastPlyResult<Move> result;
    /// True: this move cuts.
    const auto look_at = [&](Square square, const Board& board, Bits replies) {
        const bool over = replies == 0 && board.replies() == 0;
        const Value v =
            over ? -final_score(board) * kDisc : evaluator.value_after(p, square, board, replies);
        ++result.looked_at;
        result.best = std::max(result.best, v);
        if (v < beta) return false;
        result.cut = Move::from_square(square);
        return true;
    };
    const bool has_first = first.raw() != kNoMove && p.is_legal(first) && !first.is_pass();
    if (has_first) {
        const Square square = first.square();
        const Board board = p.board().after(square, p.board().flips(square));
        if (look_at(square, board, board.moves())) return result;
    }
    std::array<Leaf, GamePosition::kMostMoves> leaves;
    std::size_t count = 0;
    for (Bits left = p.moves(); left != 0; left &= left - 1) {
        Leaf& leaf = leaves[count++];
        leaf.square = lowest(left);
        leaf.board = p.board().after(leaf.square, p.board().flips(leaf.square));
        leaf.replies = leaf.board.moves();
        leaf.score = score_by_replies(leaf.square, leaf.replies);
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t best = i;
        for (std::size_t k = i + 1; k < count; ++k) {
            if (leaves[k].score > leaves[best].score) best = k;
        }
        std::swap(leaves[i], leaves[best]);
        const Leaf& leaf = leaves[i];
        if (has_first && leaf.square == first.square()) continue;
        if (look_at(leaf.square, leaf.board, leaf.replies)) break;
    }
    return result;
}

Expected<GamePosition> Notation::parse(std::string_view text) {
    if (text.empty()) return GamePosition();
    const auto position = parse_obf(text);
    if (!position) return position.error();
    return GamePosition(*position);
}

Expected<Move> Notation::parse_move(const GamePosition& pos, std::string_view text) {
    const auto square = parse_square(text);
    if (!square) return square.error();
    const Move m = Move::from_square(*square);
    if (pos.is_legal(m)) return m;
    if (m.is_pass()) return Error{"a pass is not allowed here", "play a square"};
    return Error{format_square(*square) + " is not a legal move", "see `karikomi show othello`"};
}

std::string Notation::format_move(const GamePosition&, Move m) {
    return m.is_pass() ? "pa" : format_square(m.square());
}

std::vector<std::string> Notation::split_moves(std::string_view text) {
    std::vector<std::string> moves;
    std::string word;
    for (const char c : text) {
        if (c == ' ' || c == ',' || c == '-') continue;
        word += c;
        if (word.size() == 2) moves.push_back(std::exchange(word, {}));
    }
    if (!word.empty()) moves.push_back(word);
    return moves;
}

}  // namespace karikomi::othello
