/// The kernels for AVX2; the flags stand in CMakeLists.txt.
#include "karikomi/games/shogi/network/arithmetic.hpp"

namespace karikomi::shogi {

constinit const Kernels kAvx2Kernels = kKernels;

}  // namespace karikomi::shogi
