/// Othello's rules: positions, moves, the end of the game, symmetries and text.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/othello/bits.hpp"

namespace karikomi::othello {

/// 0 = a1, 1 = b1, ... 63 = h8; row 1 is the first row of a diagram.
using Square = int;
inline constexpr Square kPass = 64;
inline constexpr Square kNoSquare = 65;

constexpr Bits bit(Square square) {
    return Bits{1} << square;
}
constexpr Square lowest(Bits bits) {
    return std::countr_zero(bits);
}

/// A position as the side to move sees it.
struct Board {
    Bits own = 0;
    Bits other = 0;

    Bits empty() const { return ~(own | other); }
    int empties() const { return std::popcount(empty()); }
    Bits moves() const { return bits::legal_moves(own, other); }
    Bits replies() const { return bits::legal_moves(other, own); }  ///< moves if this side passed
    Bits flips(Square square) const { return bits::flips(own, other, square); }

    /// The move on `square`, which turns `turned` (never empty); afterwards the other side moves.
    void play(Square square, Bits turned) {
        const Bits before = own;
        own = other ^ turned;
        other = before ^ turned ^ bit(square);
    }
    void undo(Square square, Bits turned) {
        const Bits after = own;
        own = other ^ turned ^ bit(square);
        other = after ^ turned;
    }
    void pass() { std::swap(own, other); }  ///< and its own undo

    Board after(Square square, Bits turned) const {
        return Board{other ^ turned, own ^ turned ^ bit(square)};
    }
    Board passed() const { return Board{other, own}; }

    bool must_pass() const { return moves() == 0 && replies() != 0; }
    bool over() const { return moves() == 0 && replies() == 0; }

    friend bool operator==(const Board&, const Board&) = default;
};

/// Discs of the side to move minus the other's when the game is over; empties go to the winner.
inline int final_score(const Board& board) {
    const int own = std::popcount(board.own);
    const int other = std::popcount(board.other);
    const int empties = 64 - own - other;
    const int difference = own - other;
    return difference + (difference > 0 ? empties : difference < 0 ? -empties : 0);
}

enum class Colour : std::uint8_t { Black, White };

constexpr Colour opposite(Colour colour) {
    return colour == Colour::Black ? Colour::White : Colour::Black;
}

/// A board together with the colour of its side to move.
struct Position {
    Board board;
    Colour to_move = Colour::Black;

    Bits black() const { return to_move == Colour::Black ? board.own : board.other; }
    Bits white() const { return to_move == Colour::Black ? board.other : board.own; }
    friend bool operator==(const Position&, const Position&) = default;
};

/// d5, e4 black; d4, e5 white; Black moves.
Position start_position();

// ---- Symmetries -------------------------------------------------------------------------------
inline constexpr int kSymmetries = 8;

constexpr Bits mirror_rows(Bits b) {  ///< row 1 becomes row 8
    b = ((b >> 8) & 0x00ff00ff00ff00ffULL) | ((b & 0x00ff00ff00ff00ffULL) << 8);
    b = ((b >> 16) & 0x0000ffff0000ffffULL) | ((b & 0x0000ffff0000ffffULL) << 16);
    return (b >> 32) | (b << 32);
}
constexpr Bits mirror_columns(Bits b) {  ///< column a becomes column h
    b = ((b >> 1) & 0x5555555555555555ULL) | ((b & 0x5555555555555555ULL) << 1);
    b = ((b >> 2) & 0x3333333333333333ULL) | ((b & 0x3333333333333333ULL) << 2);
    return ((b >> 4) & 0x0f0f0f0f0f0f0f0fULL) | ((b & 0x0f0f0f0f0f0f0f0fULL) << 4);
}
constexpr Bits transpose(Bits b) {  ///< a2 becomes b1
    Bits t = (b ^ (b >> 7)) & 0x00aa00aa00aa00aaULL;
    b ^= t ^ (t << 7);
    t = (b ^ (b >> 14)) & 0x0000cccc0000ccccULL;
    b ^= t ^ (t << 14);
    t = (b ^ (b >> 28)) & 0x00000000f0f0f0f0ULL;
    return b ^ t ^ (t << 28);
}

/// Symmetry 0 is the identity: bit 0 mirrors columns, bit 1 mirrors rows, then bit 2 transposes.
constexpr Bits transform(Bits b, int symmetry) {
    if ((symmetry & 1) != 0) b = mirror_columns(b);
    if ((symmetry & 2) != 0) b = mirror_rows(b);
    return (symmetry & 4) != 0 ? transpose(b) : b;
}
constexpr Board transform(const Board& board, int symmetry) {
    return Board{transform(board.own, symmetry), transform(board.other, symmetry)};
}
Square transform_square(Square square, int symmetry);  ///< kPass stays kPass
int inverse_symmetry(int symmetry);
/// The smallest of the eight pictures of a board, and which symmetry made it.
struct Canonical {
    Board board;
    int symmetry = 0;
};
Canonical canonical(const Board& board);

// ---- Text -------------------------------------------------------------------------------------
/// OBF: 64 cells row by row from a1 (X or * black, O white, - or . empty), then the side to move.
/// What follows a ';' is left to the caller: see ObfLine.
struct ObfLine {
    Position position;
    std::string rest;  ///< after the first ';', for example "A2:+38; C7:+36;"
};
Expected<ObfLine> parse_obf_line(std::string_view line);
Expected<Position> parse_obf(std::string_view text);
std::string format_obf(const Position& position);
/// Eight rows with coordinates, for people.
std::string format_diagram(const Position& position);

/// "f5" or "F5"; "pa", "ps" or "pass" for a pass. Says nothing about legality.
Expected<Square> parse_square(std::string_view text);
std::string format_square(Square square);

}  // namespace karikomi::othello
