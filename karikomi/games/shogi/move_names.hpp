/// Moves as shogi players write them: in Japanese by the rules of the Japan Shogi Association
/// ("７六歩", "同銀右不成", "５五角打") and in the Western notation ("P-7f", "S4ix5h+", "B*5e").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/engine/notation.hpp"
#include "karikomi/games/shogi/notation.hpp"

namespace karikomi::shogi {

/// ▲ for Black, △ for White.
std::string_view mark_of(Colour c);

/// How a move is told from others of the same kind of piece to the same square, as JKF's letters:
/// L, C, R for left, straight and right, then U, M, D for up, sideways and down; H for a drop.
/// Empty where there is nothing to tell apart.
std::string relative_of(const Board& board, Move m);

/// `last_to`: where the move before went to, kNowhere for none.
std::string japanese_name(const Board& board, Move m, Square last_to);
std::string western_name(const Board& board, Move m);

/// "japanese" and "western".
const std::vector<MoveStyle>& move_styles();
/// The moves, which are played one after the other, in one of these styles. In Japanese each has
/// its mark.
std::vector<std::string> names_of(Board board, const std::vector<Move>& moves,
                                  std::string_view style);

/// Takes a move in Japanese from the front of `text`: of KIF ("７六歩(77)"), KI2 ("▲同　銀右") or
/// with digits ("76歩"). The move is legal.
Expected<Move> take_japanese(const Board& board, std::string_view& text, Square last_to);
/// Does a move in Japanese stand at the front? "１" alone and a number do not.
bool looks_japanese(std::string_view text);

}  // namespace karikomi::shogi
