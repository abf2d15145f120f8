/// Sets of squares: two words, see Square for the layout.
#pragma once

#include <bit>
#include <cstdint>

#include "karikomi/games/shogi/types.hpp"

namespace karikomi::shogi {

struct alignas(16) Bitboard {
    std::uint64_t lo = 0;  ///< files 2 .. 8, nine bits a file, rank a lowest
    std::uint64_t hi = 0;  ///< file 1, then file 9

    constexpr explicit operator bool() const { return (lo | hi) != 0; }
    constexpr bool has(Square s) const { return ((s < 64 ? lo : hi) >> (s & 63) & 1) != 0; }
    constexpr int count() const { return std::popcount(lo) + std::popcount(hi); }
    constexpr bool is_single() const { return count() == 1; }
    constexpr bool has_two() const { return count() > 1; }
    /// The word that holds this square's file.
    constexpr std::uint64_t word_of(Square s) const { return s < 64 ? lo : hi; }
    /// Any of the squares; the set must not be empty.
    constexpr Square first() const {
        return lo != 0 ? std::countr_zero(lo) : 64 + std::countr_zero(hi);
    }

    constexpr Bitboard& operator|=(Bitboard o) { return *this = *this | o; }
    constexpr Bitboard& operator&=(Bitboard o) { return *this = *this & o; }
    constexpr Bitboard& operator^=(Bitboard o) { return *this = *this ^ o; }
    friend constexpr Bitboard operator|(Bitboard a, Bitboard b) {
        return {a.lo | b.lo, a.hi | b.hi};
    }
    friend constexpr Bitboard operator&(Bitboard a, Bitboard b) {
        return {a.lo & b.lo, a.hi & b.hi};
    }
    friend constexpr Bitboard operator^(Bitboard a, Bitboard b) {
        return {a.lo ^ b.lo, a.hi ^ b.hi};
    }
    /// Without the squares of b.
    friend constexpr Bitboard operator-(Bitboard a, Bitboard b) {
        return {a.lo & ~b.lo, a.hi & ~b.hi};
    }
    constexpr bool operator==(const Bitboard&) const = default;
};

inline constexpr std::uint64_t kLoAll = 0x7fff'ffff'ffff'ffffULL;
inline constexpr std::uint64_t kHiAll = 0x3ffffULL;
inline constexpr Bitboard kAllSquares{kLoAll, kHiAll};
/// Rank a in each word; rank r is this shifted by r.
inline constexpr Bitboard kRankA{0x0040'2010'0804'0201ULL, 0x201ULL};

/// Nothing for "nowhere".
inline constexpr auto kBit = [] {
    Table<Bitboard, kSquares> t;
    for (Square s = 0; s < kSquares; ++s) {
        if (s < 63) t[s].lo = std::uint64_t{1} << s;
        if (s > 63) t[s].hi = std::uint64_t{1} << (s - 64);
    }
    return t;
}();
constexpr Bitboard bit(Square s) {
    return kBit[s];
}

constexpr Bitboard rank_set(int rank) {
    return {kRankA.lo << rank, kRankA.hi << rank};
}
/// The player's farthest ranks: 1 where pawns and lances are dead, 2 for knights, 3 to promote.
constexpr Bitboard far_ranks(Colour c, int ranks) {
    Bitboard b;
    for (int r = 0; r < ranks; ++r) b |= rank_set(c == kBlack ? r : 8 - r);
    return b;
}

/// Each square one step ahead. Pieces on the last rank (no pawn ever is) would spill over.
template <Colour C> constexpr Bitboard ahead(Bitboard b) {
    if constexpr (C == kBlack) return {b.lo >> 1, b.hi >> 1};
    return {b.lo << 1, b.hi << 1};
}

/// The whole files of some squares. Nine bits a file: adding carries into the ninth where any of
/// the other eight is set.
constexpr std::uint64_t fill_files(std::uint64_t word, std::uint64_t rank_a) {
    const std::uint64_t top = rank_a << 8;
    const std::uint64_t low = top - rank_a;
    const std::uint64_t used = (((word & low) + low) | word) & top;
    return (used - (used >> 8)) | used;
}
constexpr Bitboard fill_files(Bitboard b) {
    return {fill_files(b.lo, kRankA.lo), fill_files(b.hi, kRankA.hi)};
}

template <class F> constexpr void for_each(Bitboard b, F&& f) {
    for (std::uint64_t w = b.lo; w != 0; w &= w - 1) f(std::countr_zero(w));
    for (std::uint64_t w = b.hi; w != 0; w &= w - 1) f(64 + std::countr_zero(w));
}

}  // namespace karikomi::shogi
