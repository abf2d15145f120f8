/// What pieces attack: tables for steps, table or bit tricks for sliders.
#pragma once

#include "karikomi/games/shogi/bitboard.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace karikomi::shogi {

/// Squares of one diagonal direction, split as the board is: blockers lie in `lo` only, because
/// the last square of a line need not be empty to be attacked.
using Ray = Bitboard;

struct AttackTables {
    Table<Table<Bitboard, kSquares>, kPieces> step;  ///< one step; a horse's and dragon's short one
    Table<Table<Bitboard, kSquares>, kPieces> reach;  ///< on an empty board
    Table<Table<Bitboard, kSquares>, kSquares> between;
    Table<Table<Bitboard, kSquares>, kSquares> line;  ///< the whole line through both squares
    Table<std::uint64_t, kSquares> above;             ///< rest of the file, towards rank i
    Table<std::uint64_t, kSquares> below;             ///< rest of the file, towards rank a
    Table<std::uint8_t, kSquares> file;               ///< 0 .. 8
    Table<std::uint8_t, kSquares> rank;
    Table<Table<Bitboard, 128>, 9> along_rank;  ///< [file][files 2 .. 8 occupied], on rank a
    Table<Table<Ray, 4>, kSquares> diagonal;    ///< two rays up the bits, two down
    /// near[c][s]: where a stepping piece of colour c may attack s or a square beside it.
    Table<Table<Bitboard, kSquares>, 2> near;
    /// lance_near[c][s]: the same for lances.
    Table<Table<Bitboard, kSquares>, 2> lance_near;
    /// may_check[p][s]: from where p may come, by one move, to give check to a king on s.
    Table<Table<Bitboard, kSquares>, kPieces> may_check;
    Table<std::uint64_t, kSquares> bishop_mask;  ///< squares of files 2 .. 8 that can stop it
    Table<const Bitboard*, kSquares> bishop;     ///< attacks by the mask's bits, packed
    Table<Bitboard, 20224> bishop_attacks;

    AttackTables();
    AttackTables(const AttackTables&) = delete;
    AttackTables& operator=(const AttackTables&) = delete;
};
extern const AttackTables kAttacks;

// ---- Parts of lines -----------------------------------------------------------------------------
/// Up to and including the first blocker, towards higher bits.
constexpr std::uint64_t until_first_up(std::uint64_t ray, std::uint64_t occupied) {
    const std::uint64_t b = ray & occupied;
    return ray & (b ^ (b - 1));
}
/// The same towards lower bits.
constexpr std::uint64_t until_first_down(std::uint64_t ray, std::uint64_t occupied) {
    const std::uint64_t b = (ray & occupied) | 1;
    return ray & (~std::uint64_t{0} << (63 - std::countl_zero(b)));
}

// ---- Portable: nothing but 64-bit arithmetic ----------------------------------------------------
namespace portable {

/// Bits 9k of a rank moved together: a multiplication whose partial products never meet.
inline int rank_index(std::uint64_t lo, int rank) {
    constexpr std::uint64_t kGather = 0x0202'0202'0202'0200ULL;  // 2^(57 - 8k), k = 0 .. 6
    return static_cast<int>((lo >> rank & kRankA.lo) * kGather >> 57);
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    const Table<Ray, 4>& rays = kAttacks.diagonal[s];
    Bitboard attacked;
    for (int i = 0; i < 4; ++i) {
        const Ray ray = rays[i];
        attacked.lo |=
            i < 2 ? until_first_up(ray.lo, occupied.lo) : until_first_down(ray.lo, occupied.lo);
        if ((ray.lo & occupied.lo) == 0) attacked.hi |= ray.hi;
    }
    return attacked;
}

}  // namespace portable

// ---- BMI2: pext packs the bits that matter ------------------------------------------------------
#if defined(__BMI2__)
namespace bmi2 {

inline int rank_index(std::uint64_t lo, int rank) {
    return static_cast<int>(_pext_u64(lo >> rank, kRankA.lo));
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    return kAttacks.bishop[s][_pext_u64(occupied.lo, kAttacks.bishop_mask[s])];
}

}  // namespace bmi2
namespace path = bmi2;
inline constexpr const char* kAttackPath = "bmi2";
#else
namespace path = portable;
inline constexpr const char* kAttackPath = "portable";
#endif

// ---- Attacks ------------------------------------------------------------------------------------
inline Bitboard in_word_of(Square s, std::uint64_t word) {
    return s < 64 ? Bitboard{word, 0} : Bitboard{0, word};
}
template <Colour C> Bitboard lance_attacks(Square s, Bitboard occupied) {
    const std::uint64_t word = occupied.word_of(s);
    if constexpr (C == kBlack) return in_word_of(s, until_first_down(kAttacks.below[s], word));
    return in_word_of(s, until_first_up(kAttacks.above[s], word));
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    return path::bishop_attacks(s, occupied);
}
inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    const int rank = kAttacks.rank[s];
    const Bitboard& across =
        kAttacks.along_rank[kAttacks.file[s]][path::rank_index(occupied.lo, rank)];
    const std::uint64_t word = occupied.word_of(s);
    const std::uint64_t file =
        until_first_up(kAttacks.above[s], word) | until_first_down(kAttacks.below[s], word);
    return Bitboard{across.lo << rank, across.hi << rank} | in_word_of(s, file);
}
inline Bitboard step_attacks(Piece p, Square s) {
    return kAttacks.step[p][s];
}
inline Bitboard king_attacks(Square s) {
    return kAttacks.step[kKing][s];
}
inline Bitboard between(Square a, Square b) {
    return kAttacks.between[a][b];
}
/// The line through two squares, to both edges; nothing where there is none.
inline Bitboard line_through(Square a, Square b) {
    return kAttacks.line[a][b];
}

/// For a type known when compiling.
template <Colour C, PieceType T> Bitboard attacks_of(Square s, Bitboard occupied) {
    constexpr Piece kPiece = make_piece(C, T);
    if constexpr (T == kLance) return lance_attacks<C>(s, occupied);
    if constexpr (T == kBishop) return bishop_attacks(s, occupied);
    if constexpr (T == kRook) return rook_attacks(s, occupied);
    if constexpr (T == kHorse) return bishop_attacks(s, occupied) | step_attacks(kPiece, s);
    if constexpr (T == kDragon) return rook_attacks(s, occupied) | step_attacks(kPiece, s);
    return step_attacks(kPiece, s);
}
/// For any piece.
Bitboard attacks_of(Piece p, Square s, Bitboard occupied);

}  // namespace karikomi::shogi
