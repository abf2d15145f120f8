/// Positions as SFEN, moves as USI writes them, boards for people.
#pragma once

#include <string>
#include <string_view>

#include "karikomi/games/shogi/board.hpp"

namespace karikomi::shogi {

inline constexpr std::string_view kStartSfen =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// What an SFEN says.
struct Diagram {
    Board board;
    int move_number = 1;  ///< of the next move, in plies
    bool operator==(const Diagram&) const = default;
};
/// The move number may be left out. Pieces may be missing, and one of the kings.
Expected<Diagram> parse_sfen(std::string_view text);
std::string format_sfen(const Board& board, int move_number);

/// "7g7f", "8h2b+", "P*5e", "win": well-formed, not necessarily legal.
Expected<Move> parse_usi(std::string_view text);
std::string format_usi(Move m);

/// "7g": file digit, rank letter.
std::string format_square(Square s);
/// "P", "+P", ...: as SFEN writes Black's.
std::string letter_of(PieceType t);
std::string_view name_of(Colour c);

/// Letters, coordinates, hands: nine rows.
std::string draw_board(const Board& board);

}  // namespace karikomi::shogi
