/// Moves and flips on bitboards, once for each instruction set.
///
/// Every path computes the same two functions:
///   legal_moves(own, other)    the squares where the side to move may play
///   flips(own, other, square)  the discs that turn when it plays there (none: the move is illegal)
/// `square` must be empty. A path exists where the compiler may use its instructions; the tests
/// compare all that exist, and everything else calls the ones in `othello::bits`, the fastest.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace karikomi::othello {

using Bits = std::uint64_t;

inline constexpr Bits kNotSides = 0x7e7e7e7e7e7e7e7eULL;  ///< without columns a and h

/// The four lines through a square; each is walked up (towards h8) and down (towards a1).
inline constexpr std::array<int, 4> kStep = {1, 8, 9, 7};
inline constexpr std::array<int, 4> kColumnStep = {1, 0, 1, -1};

/// rays[square].up[i]: the squares beyond `square` along kStep[i]; .down[i]: against it.
struct alignas(64) Rays {
    std::array<Bits, 4> up{};
    std::array<Bits, 4> down{};
};

constexpr Bits ray_from(int square, int row_step, int column_step) {
    Bits ray = 0;
    int row = square / 8 + row_step;
    int column = square % 8 + column_step;
    while (row >= 0 && row < 8 && column >= 0 && column < 8) {
        ray |= Bits{1} << (row * 8 + column);
        row += row_step;
        column += column_step;
    }
    return ray;
}

constexpr std::array<Rays, 64> make_rays() {
    std::array<Rays, 64> all{};
    for (int square = 0; square < 64; ++square) {
        for (int i = 0; i < 4; ++i) {
            const auto line = static_cast<std::size_t>(i);
            const int column_step = kColumnStep[line];
            const int row_step = i == 0 ? 0 : 1;
            Rays& rays = all[static_cast<std::size_t>(square)];
            rays.up[line] = ray_from(square, row_step, column_step);
            rays.down[line] = ray_from(square, -row_step, -column_step);
        }
    }
    return all;
}

inline constexpr std::array<Rays, 64> kRays = make_rays();

// ---- Portable: nothing but 64-bit arithmetic --------------------------------------------------
namespace portable {

/// One line both ways: runs of `other` beside `own`, doubled in length at each step.
template <int step> constexpr Bits reach(Bits own, Bits other) {
    Bits up = other & (own << step);
    Bits down = other & (own >> step);
    up |= other & (up << step);
    down |= other & (down >> step);
    const Bits pairs_up = other & (other << step);
    const Bits pairs_down = pairs_up >> step;
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    return (up << step) | (down >> step);
}

constexpr Bits legal_moves(Bits own, Bits other) {
    const Bits inner = other & kNotSides;
    const Bits reached =
        reach<1>(own, inner) | reach<8>(own, other) | reach<9>(own, inner) | reach<7>(own, inner);
    return reached & ~(own | other);
}

/// Up a ray the first square that is not the opponent's is the lowest bit of ray & ~other; down a
/// ray it is the highest. The discs before it turn if it is ours.
constexpr Bits flips(Bits own, Bits other, int square) {
    const Rays& rays = kRays[static_cast<std::size_t>(square)];
    Bits turned = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const Bits up_stop = rays.up[i] & ~other;
        const Bits up_end = up_stop & (~up_stop + 1) & own;
        turned |= (up_end - (up_end != 0 ? 1 : 0)) & rays.up[i];
        const Bits down_stop = rays.down[i] & ~other;
        const Bits down_end = std::bit_floor(down_stop) & own;
        turned |= (~(2 * down_end) + 1) & rays.down[i];
    }
    return turned;
}

}  // namespace portable

// ---- AVX2: four lines in one register ---------------------------------------------------------
#if defined(__AVX2__)
namespace avx2 {

inline __m256i spread(Bits bits) {
    return _mm256_set1_epi64x(static_cast<long long>(bits));
}
inline __m256i steps(int times) {
    return _mm256_setr_epi64x(1 * times, 8 * times, 9 * times, 7 * times);
}
inline Bits merge(__m256i v) {
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return static_cast<Bits>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

inline Bits legal_moves(Bits own, Bits other) {
    const __m256i step = steps(1);
    const __m256i twice = steps(2);
    const __m256i mine = spread(own);
    const __m256i sides =
        _mm256_setr_epi64x(static_cast<long long>(kNotSides), -1, static_cast<long long>(kNotSides),
                           static_cast<long long>(kNotSides));
    const __m256i theirs = _mm256_and_si256(spread(other), sides);
    __m256i up = _mm256_and_si256(theirs, _mm256_sllv_epi64(mine, step));
    __m256i down = _mm256_and_si256(theirs, _mm256_srlv_epi64(mine, step));
    up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(theirs, _mm256_srlv_epi64(down, step)));
    const __m256i pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
    const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    const __m256i reached =
        _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    return merge(reached) & ~(own | other);
}

inline Bits flips(Bits own, Bits other, int square) {
    const Rays& rays = kRays[static_cast<std::size_t>(square)];
    const __m256i mine = spread(own);
    const __m256i theirs = spread(other);
    const __m256i zero = _mm256_setzero_si256();
    // Up: the lowest bit of the stops.
    const __m256i up = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
    const __m256i up_stop = _mm256_andnot_si256(theirs, up);
    const __m256i lowest = _mm256_and_si256(up_stop, _mm256_sub_epi64(zero, up_stop));
    const __m256i up_end = _mm256_and_si256(lowest, mine);
    const __m256i none = _mm256_cmpeq_epi64(up_end, zero);
    const __m256i below = _mm256_and_si256(_mm256_add_epi64(up_end, spread(~Bits{0})), up);
    const __m256i up_turned = _mm256_andnot_si256(none, below);
    // Down: without a count of leading zeros, smear the stops along the line; the highest stays.
    const __m256i step = steps(1);
    const __m256i down = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));
    __m256i smear = _mm256_andnot_si256(theirs, down);
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, steps(2)));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, steps(4)));
    const __m256i highest = _mm256_andnot_si256(_mm256_srlv_epi64(smear, step), smear);
    const __m256i down_end = _mm256_and_si256(highest, mine);
    const __m256i above = _mm256_sub_epi64(zero, _mm256_add_epi64(down_end, down_end));
    const __m256i down_turned = _mm256_and_si256(above, down);
    return merge(_mm256_or_si256(up_turned, down_turned));
}

}  // namespace avx2
#endif

// ---- AVX-512: three-way logic, and leading zeros in every lane --------------------------------
// 256 bits wide all the same: two chains of four lanes beat one of eight on Zen 4, and g++ 12 warns
// of uninitialised values inside its own 512-bit headers (GCC bug 105593).
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512CD__)
#define KARIKOMI_OTHELLO_AVX512 1
namespace avx512 {

// Truth tables of vpternlog for (a, b, c).
inline constexpr int kAOrBAndC = 0xf8;
inline constexpr int kAOrNotB = 0xf3;
inline constexpr int kAAndBAndC = 0x80;
inline constexpr int kNotAAndBAndC = 0x08;

inline Bits legal_moves(Bits own, Bits other) {
    const __m256i step = avx2::steps(1);
    const __m256i twice = avx2::steps(2);
    const __m256i mine = avx2::spread(own);
    const __m256i sides =
        _mm256_setr_epi64x(static_cast<long long>(kNotSides), -1, static_cast<long long>(kNotSides),
                           static_cast<long long>(kNotSides));
    const __m256i theirs = _mm256_and_si256(avx2::spread(other), sides);
    __m256i up = _mm256_and_si256(theirs, _mm256_sllv_epi64(mine, step));
    __m256i down = _mm256_and_si256(theirs, _mm256_srlv_epi64(mine, step));
    const __m256i pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
    const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_ternarylogic_epi64(up, theirs, _mm256_sllv_epi64(up, step), kAOrBAndC);
    down = _mm256_ternarylogic_epi64(down, theirs, _mm256_srlv_epi64(down, step), kAOrBAndC);
    up = _mm256_ternarylogic_epi64(up, pairs_up, _mm256_sllv_epi64(up, twice), kAOrBAndC);
    down = _mm256_ternarylogic_epi64(down, pairs_down, _mm256_srlv_epi64(down, twice), kAOrBAndC);
    up = _mm256_ternarylogic_epi64(up, pairs_up, _mm256_sllv_epi64(up, twice), kAOrBAndC);
    down = _mm256_ternarylogic_epi64(down, pairs_down, _mm256_srlv_epi64(down, twice), kAOrBAndC);
    const __m256i reached =
        _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    return avx2::merge(reached) & ~(own | other);
}

inline Bits flips(Bits own, Bits other, int square) {
    const Rays& rays = kRays[static_cast<std::size_t>(square)];
    const __m256i mine = avx2::spread(own);
    const __m256i theirs = avx2::spread(other);
    const __m256i ones = avx2::spread(~Bits{0});
    const __m256i zero = _mm256_setzero_si256();
    // Up: a carry runs through everything that is not a stop.
    const __m256i up = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
    const __m256i filled = _mm256_ternarylogic_epi64(theirs, up, up, kAOrNotB);
    const __m256i carried = _mm256_sub_epi64(filled, ones);
    const __m256i up_end = _mm256_ternarylogic_epi64(carried, mine, up, kAAndBAndC);
    const __m256i none = _mm256_cmpeq_epi64(up_end, zero);
    const __m256i up_turned =
        _mm256_ternarylogic_epi64(none, _mm256_add_epi64(up_end, ones), up, kNotAAndBAndC);
    // Down: the highest stop by its leading zeros (no stop shifts everything out).
    const __m256i down = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));
    const __m256i down_stop = _mm256_andnot_si256(theirs, down);
    const __m256i highest =
        _mm256_srlv_epi64(avx2::spread(Bits{1} << 63), _mm256_lzcnt_epi64(down_stop));
    const __m256i down_end = _mm256_and_si256(highest, mine);
    const __m256i above = _mm256_sub_epi64(zero, _mm256_add_epi64(down_end, down_end));
    return avx2::merge(_mm256_ternarylogic_epi64(up_turned, above, down, kAOrBAndC));
}

}  // namespace avx512
#endif

// ---- The path that the program uses -----------------------------------------------------------
#if defined(KARIKOMI_OTHELLO_AVX512)
namespace bits = avx512;
inline constexpr const char* kBitsPath = "avx512";
#elif defined(__AVX2__)
namespace bits = avx2;
inline constexpr const char* kBitsPath = "avx2";
#else
namespace bits = portable;
inline constexpr const char* kBitsPath = "portable";
#endif

}  // namespace karikomi::othello
