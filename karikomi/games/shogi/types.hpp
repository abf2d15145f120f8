/// The words of shogi: colours, pieces, squares, hands, moves.
#pragma once

#include <array>
#include <cstdint>

#include "karikomi/core/types.hpp"

namespace karikomi::shogi {

/// Black (sente) moves first in a game without handicap and plays up the board, towards rank a.
enum Colour : int { kBlack, kWhite };

constexpr Colour opposite(Colour c) {
    return static_cast<Colour>(c ^ 1);
}

/// What a piece can do. Pieces that promote have their promoted form 8 higher; what can be held in
/// a hand is kPawn .. kGold.
enum PieceType : int {
    kNoType,
    kPawn,
    kLance,
    kKnight,
    kSilver,
    kBishop,
    kRook,
    kGold,
    kKing,
    kProPawn,
    kProLance,
    kProKnight,
    kProSilver,
    kHorse,
    kDragon,
    kTypes,
};
inline constexpr int kPromoted = 8;

constexpr bool can_promote(PieceType t) {
    return t >= kPawn && t <= kRook;
}
constexpr bool is_promoted(PieceType t) {
    return t > kKing;
}
constexpr PieceType promoted(PieceType t) {
    return static_cast<PieceType>(t | kPromoted);
}
/// As it goes into a hand when it is captured. (A king is never captured.)
constexpr PieceType demoted(PieceType t) {
    return static_cast<PieceType>(t & 7);
}
/// Gold, or a small piece that moves like one.
constexpr bool moves_like_gold(PieceType t) {
    return t == kGold || (t >= kProPawn && t <= kProSilver);
}

/// Type and colour in one number; 0 is an empty square.
using Piece = std::uint8_t;
inline constexpr Piece kNoPiece = 0;
inline constexpr int kPieces = 32;

constexpr Piece make_piece(Colour c, PieceType t) {
    return static_cast<Piece>(t | c << 4);
}
constexpr PieceType type_of(Piece p) {
    return static_cast<PieceType>(p & 15);
}
constexpr Colour colour_of(Piece p) {
    return static_cast<Colour>(p >> 4);
}

// ---- Squares ------------------------------------------------------------------------------------
/// A square is its bit in a Bitboard: files 2 to 8 in the low word, files 1 and 9 in the high one.
/// Sliders can only be stopped halfway on files 2 to 8, so one 64-bit word decides about them.
/// Bit 63 belongs to no square and stands for "nowhere".
using Square = int;
inline constexpr Square kNowhere = 63;
inline constexpr int kSquares = 82;  ///< size of tables by square

/// `file` 1 .. 9 from Black's right, `rank` 0 .. 8 from the top (a .. i).
constexpr Square square_at(int file, int rank) {
    if (file == 1) return 64 + rank;
    if (file == 9) return 73 + rank;
    return (file - 2) * 9 + rank;
}
constexpr int file_of(Square s) {
    if (s < 63) return s / 9 + 2;
    return s < 73 ? 1 : 9;
}
constexpr int rank_of(Square s) {
    return s < 63 ? s % 9 : (s - 64) % 9;
}
constexpr bool is_on_board(int file, int rank) {
    return file >= 1 && file <= 9 && rank >= 0 && rank <= 8;
}
constexpr bool is_square(Square s) {
    return s >= 0 && s < kSquares && s != kNowhere;
}
/// The board turned by half: what White sees as Black.
constexpr Square turned(Square s) {
    return s < 63 ? 62 - s : 145 - s;
}
/// 0 for a player's far rank, 8 for the one nearest to him.
constexpr int relative_rank(Colour c, Square s) {
    return c == kBlack ? rank_of(s) : 8 - rank_of(s);
}

// ---- Hands --------------------------------------------------------------------------------------
/// Pieces in hand, each kind's number in its own bits with a spare bit above, so that two hands are
/// compared kind by kind with one subtraction.
class Hand {
public:
    constexpr Hand() = default;
    constexpr int count(PieceType t) const {
        return static_cast<int>(bits_ >> kShift[static_cast<std::size_t>(t)] &
                                kMask[static_cast<std::size_t>(t)]);
    }
    constexpr bool has(PieceType t) const { return count(t) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr void add(PieceType t) { bits_ += one(t); }
    constexpr void remove(PieceType t) { bits_ -= one(t); }
    constexpr std::uint32_t raw() const { return bits_; }
    /// At least as many of every kind?
    constexpr bool covers(Hand other) const {
        return (((bits_ | kSpare) - other.bits_) & kSpare) == kSpare;
    }
    bool operator==(const Hand&) const = default;

private:
    static constexpr std::array<int, 8> kShift = {0, 0, 8, 12, 16, 20, 24, 28};
    static constexpr std::array<std::uint32_t, 8> kMask = {0, 31, 7, 7, 7, 3, 3, 7};
    static constexpr std::uint32_t kSpare =
        1U << 5 | 1U << 11 | 1U << 15 | 1U << 19 | 1U << 22 | 1U << 26 | 1U << 31;
    static constexpr std::uint32_t one(PieceType t) {
        return 1U << kShift[static_cast<std::size_t>(t)];
    }
    std::uint32_t bits_ = 0;
};

/// How many of a kind a full set has.
inline constexpr std::array<int, 9> kFullSet = {0, 18, 4, 4, 4, 2, 2, 4, 2};
/// Strongest first, the order in which SFEN and diagrams list a hand.
inline constexpr std::array<PieceType, 7> kHandOrder = {kRook,   kBishop, kGold, kSilver,
                                                        kKnight, kLance,  kPawn};

// ---- Moves --------------------------------------------------------------------------------------
/// Bits 0-6 to, 7-13 from (or 96 + kind for a drop), 14 promotes; 0x8000 declares a win.
class Move {
public:
    constexpr Move() = default;
    static constexpr Move from_raw(MoveCode code) {
        Move m;
        m.code_ = code;
        return m;
    }
    static constexpr Move board(Square from, Square to, bool promotes = false) {
        return from_raw(static_cast<MoveCode>(to | from << 7 | (promotes ? kPromotes : 0)));
    }
    static constexpr Move drop(PieceType t, Square to) {
        return from_raw(static_cast<MoveCode>(to | (kDrop + t) << 7));
    }
    static constexpr Move declare() { return from_raw(kDeclare); }

    constexpr MoveCode raw() const { return code_; }
    constexpr Square to() const { return code_ & 127; }
    constexpr Square from() const { return code_ >> 7 & 127; }  ///< not of a drop
    constexpr bool is_drop() const { return (code_ >> 7 & 127) >= kDrop; }
    constexpr PieceType dropped() const {
        return static_cast<PieceType>((code_ >> 7 & 127) - kDrop);
    }
    constexpr bool promotes() const { return (code_ & kPromotes) != 0; }
    constexpr bool is_declaration() const { return code_ == kDeclare; }
    bool operator==(const Move&) const = default;

private:
    static constexpr int kDrop = 96;
    static constexpr int kPromotes = 1 << 14;
    static constexpr MoveCode kDeclare = 0x8000;
    MoveCode code_ = kNoMove;
};

/// All legal moves of any position: 593 are possible, and a declaration.
inline constexpr std::size_t kMaxMoves = 600;

/// A table by square, piece, ...: an array that takes an int, without the casts.
template <class T, int N> struct Table {
    T items[N]{};
    constexpr T& operator[](int i) { return items[i]; }
    constexpr const T& operator[](int i) const { return items[i]; }
    static constexpr int size() { return N; }
    bool operator==(const Table&) const = default;
};

}  // namespace karikomi::shogi
