#include "karikomi/engine/grid.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace karikomi {

BoardFacet grid_board(int columns, int rows) {
    BoardFacet board;
    board.columns = columns;
    board.rows = rows;
    for (int x = 0; x < columns; ++x) {
        board.column_labels.emplace_back(1, static_cast<char>('a' + x));
    }
    for (int y = rows; y > 0; --y) board.row_labels.push_back(std::to_string(y));
    return board;
}

std::vector<BoardCell> read_cells(std::string_view cells) {
    std::vector<BoardCell> out;
    for (const char c : cells) {
        const auto letter = static_cast<unsigned char>(c);
        BoardCell cell;
        if (c == 'X' || c == 'O') {
            cell.side = c == 'X' ? 0 : 1;
        } else if (std::isalpha(letter) != 0) {
            cell.side = std::isupper(letter) != 0 ? 0 : 1;
            cell.kind = static_cast<char>(std::toupper(letter));
        }
        out.push_back(std::move(cell));
    }
    return out;
}

MoveShape shape_by_labels(const BoardFacet& board, std::string_view move) {
    std::vector<int> squares;
    const auto square_at = [&](std::size_t at, std::size_t& length) {
        for (int s = 0; s < board.columns * board.rows; ++s) {
            const std::string name =
                board.column_labels.at(static_cast<std::size_t>(s % board.columns)) +
                board.row_labels.at(static_cast<std::size_t>(s / board.columns));
            // The longest name: "a12" is not "a1".
            if (name.size() > length && move.substr(at, name.size()) == name) {
                length = name.size();
                squares.push_back(s);
            }
        }
    };
    for (std::size_t at = 0; at < move.size();) {
        const std::size_t before = squares.size();
        std::size_t length = 0;
        square_at(at, length);
        if (squares.size() > before + 1) squares.erase(squares.end() - 2);
        at += std::max<std::size_t>(length, 1);
    }
    if (squares.empty()) return {};
    return {squares.back(), squares.size() > 1 ? squares.front() : -1};
}

std::string draw_grid(const BoardFacet& board, std::string_view cells) {
    std::size_t width = 0;
    for (const std::string& label : board.row_labels) width = std::max(width, label.size());
    std::string out;
    const auto columns = static_cast<std::size_t>(board.columns);
    for (std::size_t y = 0; y < board.row_labels.size(); ++y) {
        out += fmt::format("{:>{}}", board.row_labels[y], width);
        for (std::size_t x = 0; x < columns; ++x) {
            const std::size_t at = y * columns + x;
            out += {' ', at < cells.size() ? cells[at] : '?'};
        }
        out += '\n';
    }
    out += std::string(width, ' ');
    for (const std::string& label : board.column_labels) out += " " + label;
    return out + "\n";
}

}  // namespace karikomi
