/// The network's inner loops as functions, made once for each instruction set and chosen when the
/// program starts: one program is fast on every processor, and plays the same on each.
#pragma once

#include <span>

#include "karikomi/games/shogi/network/shapes.hpp"

namespace karikomi::shogi {

/// Everything behind the first layer.
struct LayerViews {
    LayerView second;
    LayerView third;
    const std::int8_t* last;  ///< [kHidden]
    std::int32_t last_bias;
};

struct Kernels {
    using Rows = std::span<const Row* const>;

    const char* name;
    /// to = from - gone[0] - ... + come[0] + ...
    void (*combine)(const Row& from, Row& to, Rows gone, Rows come);
    /// The sum that comes out, of the side to move's sums and the other's.
    std::int64_t (*output)(const LayerViews& layers, const Row& own, const Row& other);
};

// Each compiled for what its name says: kernels_*.cpp.
extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

/// Those that this processor has, the fastest last.
std::span<const Kernels* const> usable_kernels();
/// The fastest, or the one that the environment names in KARIKOMI_CPU, where the processor has it.
const Kernels& kernels();

}  // namespace karikomi::shogi
