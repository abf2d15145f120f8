#include "connect_four.hpp"

namespace karikomi::connect_four {

Expected<Position> Notation::parse(std::string_view text) {
    Position pos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string where = "connect_four position, move " + std::to_string(i + 1) + ": ";
        if (pos.outcome(0))
            return Error{where + "the game is already over", "end the text before it"};
        const auto move = parse_move(pos, text.substr(i, 1));
        if (!move) return Error{where + move.error().what, move.error().remedy};
        Undo undo;
        pos.make(*move, undo);
    }
    return pos;
}

Expected<Move> Notation::parse_move(const Position& pos, std::string_view text) {
    const std::string shown = "'" + std::string(text.substr(0, 20)) + "'";
    if (text.size() != 1 || text[0] < '1' || text[0] > '7') {
        return Error{shown + " is not a column", "write a digit from 1 to 7"};
    }
    const Move m = Move::from_column(text[0] - '1');
    if (!pos.is_legal(m))
        return Error{"column " + std::string(text) + " is full", "choose another"};
    return m;
}

std::vector<std::string> Notation::split_moves(std::string_view text) {
    std::vector<std::string> moves;
    for (const char c : text) {
        if (c != ' ' && c != ',') moves.emplace_back(1, c);
    }
    return moves;
}

std::string Notation::cells(const Position& pos) {
    const Board first = pos.side() == 0 ? pos.own() : pos.other();
    std::string out;
    for (int row = kRows - 1; row >= 0; --row) {
        for (int column = 0; column < kColumns; ++column) {
            const Board at = cell(column, row);
            out += (pos.all() & at) == 0 ? '.' : (first & at) != 0 ? 'X' : 'O';
        }
    }
    return out;
}

std::string Notation::draw(const Position& pos) {
    const std::string all = cells(pos);
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % kColumns == 0) out += "|";
        out += {' ', all[i]};
        if (i % kColumns == kColumns - 1) out += " |\n";
    }
    return out + "  1 2 3 4 5 6 7\n";
}

}  // namespace karikomi::connect_four
