/// The kernels for AVX-512 with VNNI; the flags stand in CMakeLists.txt.
#include "karikomi/games/shogi/network/arithmetic.hpp"

namespace karikomi::shogi {

constinit const Kernels kAvx512Kernels = kKernels;

}  // namespace karikomi::shogi
