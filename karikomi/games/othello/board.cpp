#include "karikomi/games/othello/board.hpp"

#include <algorithm>
#include <cctype>

namespace karikomi::othello {

namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

/// A character as an error message may show it: a control character would break the line.
std::string shown(char c) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7f) return std::string("'") + c + "'";
    return "character code " + std::to_string(code);
}

enum class Cell : std::uint8_t { Black, White, Empty, Bad };

Cell cell_of(char c) {
    switch (lower(c)) {
        case 'x':
        case 'b':
        case '*':
            return Cell::Black;
        case 'o':
        case 'w':
            return Cell::White;
        case '-':
        case '.':
            return Cell::Empty;
        default:
            return Cell::Bad;
    }
}

const char* const kObfRemedy = "64 cells from a1 row by row (X, O, -), a space, then X or O";

}  // namespace

Position start_position() {
    const Bits black = bit(28) | bit(35);
    const Bits white = bit(27) | bit(36);
    return Position{Board{black, white}, Colour::Black};
}

Square transform_square(Square square, int symmetry) {
    return square >= kPass ? square : lowest(transform(bit(square), symmetry));
}

int inverse_symmetry(int symmetry) {
    // The two rotations by a quarter turn undo each other; the others undo themselves.
    return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry;
}

Canonical canonical(const Board& board) {
    Canonical best{board, 0};
    for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
        const Board picture = transform(board, symmetry);
        if (picture.own < best.board.own ||
            (picture.own == best.board.own && picture.other < best.board.other)) {
            best = Canonical{picture, symmetry};
        }
    }
    return best;
}

Expected<Position> parse_obf(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 64) {
        return Error{"the board has " + std::to_string(text.size()) + " of 64 cells", kObfRemedy};
    }
    Bits black = 0;
    Bits white = 0;
    for (Square square = 0; square < 64; ++square) {
        const char c = text[static_cast<std::size_t>(square)];
        switch (cell_of(c)) {
            case Cell::Black:
                black |= bit(square);
                break;
            case Cell::White:
                white |= bit(square);
                break;
            case Cell::Empty:
                break;
            case Cell::Bad:
                return Error{"the cell " + format_square(square) + " is " + shown(c), kObfRemedy};
        }
    }
    const std::string_view side = trimmed(text.substr(64));
    if (side.empty()) return Error{"the side to move is missing", kObfRemedy};
    const Cell mover = cell_of(side.front());
    if (side.size() > 1 || mover == Cell::Empty || mover == Cell::Bad) {
        return Error{side.size() > 1 ? "the side to move is followed by more text"
                                     : "the side to move is " + shown(side.front()),
                     kObfRemedy};
    }
    if (mover == Cell::Black) return Position{Board{black, white}, Colour::Black};
    return Position{Board{white, black}, Colour::White};
}

Expected<ObfLine> parse_obf_line(std::string_view line) {
    const std::size_t semicolon = line.find(';');
    Expected<Position> position = parse_obf(line.substr(0, semicolon));
    if (!position) return position.error();
    std::string rest;
    if (semicolon != std::string_view::npos) rest = trimmed(line.substr(semicolon + 1));
    return ObfLine{*position, rest};
}

std::string format_obf(const Position& position) {
    std::string text(64, '-');
    for (Square square = 0; square < 64; ++square) {
        char& c = text[static_cast<std::size_t>(square)];
        if ((position.black() & bit(square)) != 0) c = 'X';
        if ((position.white() & bit(square)) != 0) c = 'O';
    }
    return text + (position.to_move == Colour::Black ? " X" : " O");
}

std::string format_diagram(const Position& position) {
    const std::string cells = format_obf(position);
    const Bits legal = position.board.moves();
    std::string text = "  a b c d e f g h\n";
    for (Square square = 0; square < 64; ++square) {
        if (square % 8 == 0) text += static_cast<char>('1' + square / 8);
        text += ' ';
        text += (legal & bit(square)) != 0 ? '.' : cells[static_cast<std::size_t>(square)];
        if (square % 8 == 7) text += '\n';
    }
    text += position.to_move == Colour::Black ? "X to move\n" : "O to move\n";
    return text;
}

Expected<Square> parse_square(std::string_view text) {
    text = trimmed(text);
    std::string name(text);
    std::transform(name.begin(), name.end(), name.begin(), lower);
    if (name == "pa" || name == "ps" || name == "pass") return kPass;
    if (name.size() == 2 && name[0] >= 'a' && name[0] <= 'h' && name[1] >= '1' && name[1] <= '8') {
        return (name[1] - '1') * 8 + (name[0] - 'a');
    }
    std::string seen;
    for (const char c : name.substr(0, 16)) {
        seen +=
            static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f ? c : '?';
    }
    return Error{"'" + seen + "' is not a move", "a1 to h8, or pa for a pass"};
}

std::string format_square(Square square) {
    if (square == kPass) return "pa";
    if (square < 0 || square > kPass) return "--";
    return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

}  // namespace karikomi::othello
