/// The network's inner loops. Whatever the processor has, the numbers are the same: whole numbers
/// only, sums of the first layer wrap around, those behind it cannot overflow.
///
/// For kernels_*.cpp only, which compile it for one instruction set each. What is not inlined must
/// not be shared between them, so each has a namespace of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "karikomi/games/shogi/network/kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define KARIKOMI_SHOGI_VECTORS avx512vnni
#elif defined(__AVX2__)
#define KARIKOMI_SHOGI_VECTORS avx2
#else
#define KARIKOMI_SHOGI_VECTORS plain
#endif

namespace karikomi::shogi {
inline namespace KARIKOMI_SHOGI_VECTORS {

// ---- First layer --------------------------------------------------------------------------------
namespace first_layer {

/// The compiler makes of these what the processor has.
using Lanes [[gnu::vector_size(64)]] = std::uint16_t;
inline constexpr int kLanes = 64 / sizeof(std::uint16_t);
inline constexpr int kTile = 4;  ///< vectors kept in registers at a time

/// to = from - gone[0] - ... + come[0] + ..., tile by tile.
template <class Rows>
inline void combine(const Row& from, Row& to, const Rows& gone, const Rows& come) {
    for (int at = 0; at < kHalf; at += kTile * kLanes) {
        Lanes sums[kTile];
        std::memcpy(sums, from.at + at, sizeof(sums));
        for (const Row* row : gone) {
            Lanes w[kTile];
            std::memcpy(w, row->at + at, sizeof(w));
            for (int i = 0; i < kTile; ++i) sums[i] -= w[i];
        }
        for (const Row* row : come) {
            Lanes w[kTile];
            std::memcpy(w, row->at + at, sizeof(w));
            for (int i = 0; i < kTile; ++i) sums[i] += w[i];
        }
        std::memcpy(to.at + at, sums, sizeof(sums));
    }
}

}  // namespace first_layer

// ---- The other layers ---------------------------------------------------------------------------

inline std::uint8_t activation(std::int32_t sum) {
    return static_cast<std::uint8_t>(std::clamp(sum >> 6, 0, kOne));
}

/// One number at a time.
struct PortableLayers {
    static void clip(const std::int16_t* from, std::uint8_t* to) {
        for (int i = 0; i < kHalf; ++i) {
            to[i] = static_cast<std::uint8_t>(std::clamp<std::int16_t>(from[i], 0, kOne));
        }
    }
    static std::int32_t dot(const std::uint8_t* a, const std::int8_t* w, int n) {
        std::int32_t sum = 0;
        for (int i = 0; i < n; ++i) sum += a[i] * w[i];
        return sum;
    }
    template <int Inputs>
    static void layer(const LayerView& l, const std::uint8_t* in, std::uint8_t* out) {
        for (int i = 0; i < kHidden; ++i) {
            out[i] = activation(
                l.bias[i] + dot(in, l.by_output + static_cast<std::ptrdiff_t>(i) * Inputs, Inputs));
        }
    }
};

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512VL__)
/// A group of four inputs meets all 32 outputs in two vectors: no sums across a vector.
struct VectorLayers {
    static void clip(const std::int16_t* from, std::uint8_t* to) {
        const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        const __m512i most = _mm512_set1_epi8(kOne);
        for (int i = 0; i < kHalf; i += 64) {
            const __m512i a = _mm512_load_si512(from + i);
            const __m512i b = _mm512_load_si512(from + i + 32);
            const __m512i both = _mm512_min_epu8(_mm512_packus_epi16(a, b), most);
            _mm512_store_si512(to + i, _mm512_permutexvar_epi64(order, both));
        }
    }
    template <int Inputs>
    static void layer(const LayerView& l, const std::uint8_t* in, std::uint8_t* out) {
        constexpr int kChains = 4;  // sums side by side: each product waits for the one before it
        __m512i low[kChains] = {_mm512_loadu_si512(l.bias)};
        __m512i high[kChains] = {_mm512_loadu_si512(l.bias + 16)};
        for (int i = 1; i < kChains; ++i) low[i] = high[i] = _mm512_setzero_si512();
        for (int g = 0; g < Inputs / kGroup; g += kChains) {
            for (int i = 0; i < kChains; ++i) {
                std::int32_t four = 0;
                std::memcpy(&four, in + static_cast<std::ptrdiff_t>(g + i) * kGroup, kGroup);
                const __m512i x = _mm512_set1_epi32(four);
                const std::int8_t* w = l.by_group[g + i].at[0];
                low[i] = _mm512_dpbusd_epi32(low[i], x, _mm512_load_si512(w));
                high[i] = _mm512_dpbusd_epi32(high[i], x, _mm512_load_si512(w + 64));
            }
        }
        write(low, out);
        write(high, out + 16);
    }
    static std::int32_t dot(const std::uint8_t* a, const std::int8_t* w, int n) {
        __m256i sum = _mm256_setzero_si256();
        for (int i = 0; i < n; i += 32) {
            const __m256i x = _mm256_load_si256(reinterpret_cast<const __m256i*>(a + i));
            const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w + i));
            sum = _mm256_dpbusd_epi32(sum, x, y);
        }
        const __m128i half =
            _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        const __m128i quarter = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
        return _mm_cvtsi128_si32(_mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, 0xb1)));
    }

private:
    static void write(const __m512i (&sums)[4], std::uint8_t* out) {
        const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]),
                                             _mm512_add_epi32(sums[2], sums[3]));
        const __m512i scaled = _mm512_max_epi32(_mm512_srai_epi32(sum, 6), _mm512_setzero_si512());
        const __m512i clipped = _mm512_min_epi32(scaled, _mm512_set1_epi32(kOne));
        _mm_store_si128(reinterpret_cast<__m128i*>(out), _mm512_cvtepi32_epi8(clipped));
    }
};
#elif defined(__AVX2__)
struct VectorLayers {
    static void clip(const std::int16_t* from, std::uint8_t* to) {
        const __m256i most = _mm256_set1_epi8(kOne);
        for (int i = 0; i < kHalf; i += 32) {
            const __m256i a = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i));
            const __m256i b = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i + 16));
            const __m256i both = _mm256_min_epu8(_mm256_packus_epi16(a, b), most);
            _mm256_store_si256(reinterpret_cast<__m256i*>(to + i),
                               _mm256_permute4x64_epi64(both, 0xd8));
        }
    }
    template <int Inputs>
    static void layer(const LayerView& l, const std::uint8_t* in, std::uint8_t* out) {
        constexpr int kVectors = kHidden / 8;
        __m256i sums[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            sums[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(l.bias + 8 * v));
        }
        for (int g = 0; g < Inputs / kGroup; ++g) {
            std::int32_t four = 0;
            std::memcpy(&four, in + static_cast<std::ptrdiff_t>(g) * kGroup, kGroup);
            const __m256i x = _mm256_set1_epi32(four);
            const std::int8_t* w = l.by_group[g].at[0];
            for (int v = 0; v < kVectors; ++v) {
                sums[v] = add_products(sums[v], x, w + 32 * v);
            }
        }
        alignas(32) std::int32_t whole[kHidden];
        for (int v = 0; v < kVectors; ++v) {
            _mm256_store_si256(reinterpret_cast<__m256i*>(whole + 8 * v), sums[v]);
        }
        for (int i = 0; i < kHidden; ++i) out[i] = activation(whole[i]);
    }
    static std::int32_t dot(const std::uint8_t* a, const std::int8_t* w, int n) {
        return PortableLayers::dot(a, w, n);
    }

private:
    static __m256i add_products(__m256i sum, __m256i x, const std::int8_t* w) {
        const __m256i y = _mm256_load_si256(reinterpret_cast<const __m256i*>(w));
        // Pairs stay within 16 bits: activations are at most 127.
        const __m256i pairs = _mm256_maddubs_epi16(x, y);
        return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
};
#else
using VectorLayers = PortableLayers;
#endif

// ---- As functions -------------------------------------------------------------------------------

/// What a quiet move changes, and a capture: known numbers of rows are half of the speed.
template <std::size_t N>
void combine_few(const Row& from, Row& to, Kernels::Rows gone, Kernels::Rows come) {
    const Row* g[N];
    const Row* c[N];
    for (std::size_t i = 0; i < N; ++i) {
        g[i] = gone[i];
        c[i] = come[i];
    }
    first_layer::combine(from, to, g, c);
}

inline void combine(const Row& from, Row& to, Kernels::Rows gone, Kernels::Rows come) {
    if (gone.size() == 1 && come.size() == 1) return combine_few<1>(from, to, gone, come);
    if (gone.size() == 2 && come.size() == 2) return combine_few<2>(from, to, gone, come);
    first_layer::combine(from, to, gone, come);
}

inline std::int64_t output(const LayerViews& layers, const Row& own, const Row& other) {
    alignas(64) std::uint8_t input[2 * kHalf];
    alignas(64) std::uint8_t second[kHidden];
    alignas(64) std::uint8_t third[kHidden];
    VectorLayers::clip(own.at, input);
    VectorLayers::clip(other.at, input + kHalf);
    VectorLayers::layer<2 * kHalf>(layers.second, input, second);
    VectorLayers::layer<kHidden>(layers.third, second, third);
    return layers.last_bias + VectorLayers::dot(third, layers.last, kHidden);
}

#define KARIKOMI_SHOGI_NAME_OF(x) #x
#define KARIKOMI_SHOGI_NAME(x) KARIKOMI_SHOGI_NAME_OF(x)
inline constexpr Kernels kKernels = {KARIKOMI_SHOGI_NAME(KARIKOMI_SHOGI_VECTORS), combine, output};

}  // namespace KARIKOMI_SHOGI_VECTORS
}  // namespace karikomi::shogi
