#include "karikomi/games/othello/game.hpp"

namespace karikomi::othello {

void Ordering::score(const GamePosition& p, const Evaluator& evaluator,
                     std::span<ScoredMove<Move>> moves, Depth depth) {
    for (ScoredMove<Move>& m : moves) {
        if (m.move.is_pass()) continue;
        const Square square = m.move.square();
        const Board next = p.board().after(square, p.board().flips(square));
        const Bits replies = next.moves();
        m.score = -200 * (std::popcount(replies) + std::popcount(replies & kCorners)) +
                  ((bit(square) & kCorners) != 0 ? 600 : 0);
        if (depth >= 4) m.score += evaluator.value_after(p, square, next, replies);
    }
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
