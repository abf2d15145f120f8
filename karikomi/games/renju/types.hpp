/// The words of renju and gomoku: rules, cells, colours, moves.
#pragma once

#include <array>
#include <string_view>

#include "karikomi/core/types.hpp"

namespace karikomi::renju {

/// Who wins, and what Black may not do.
enum class Rule : std::uint8_t {
    Freestyle,  ///< five or more win, for both
    Standard,   ///< exactly five win, for both
    Renju,      ///< Black: exactly five, and forbidden points; White: five or more
};
inline constexpr std::array<std::string_view, 3> kRuleNames = {"freestyle", "standard", "renju"};

inline constexpr int kMinSize = 5;
inline constexpr int kMaxSize = 22;
inline constexpr int kUsualSize = 15;

struct Rules {
    Rule rule = Rule::Renju;
    int size = kUsualSize;  ///< of a board that no text describes
};

inline constexpr int kBlack = 0;  ///< moves first
inline constexpr int kWhite = 1;

/// A cell is y * 32 + x; x is the column from the left, y the row from the bottom.
using Cell = int;
inline constexpr int kStride = 32;
inline constexpr int kCells = kMaxSize * kStride;
inline constexpr Cell kNoCell = -1;

constexpr Cell cell_at(int x, int y) {
    return y * kStride + x;
}
constexpr int column_of(Cell c) {
    return c % kStride;
}
constexpr int row_of(Cell c) {
    return c / kStride;
}

/// A cell; stored plus one, because code 0 means "no move".
class Move {
public:
    constexpr Move() = default;
    static constexpr Move from_cell(Cell c) { return from_raw(static_cast<MoveCode>(c + 1)); }
    static constexpr Move from_raw(MoveCode code) {
        Move m;
        m.code_ = code;
        return m;
    }
    constexpr MoveCode raw() const { return code_; }
    constexpr Cell cell() const { return code_ - 1; }
    bool operator==(const Move&) const = default;

private:
    MoveCode code_ = kNoMove;
};

}  // namespace karikomi::renju
