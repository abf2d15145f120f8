/// The kernels for nothing but what every processor has; the flags stand in CMakeLists.txt.
#include "karikomi/games/shogi/network/arithmetic.hpp"

namespace karikomi::shogi {

constinit const Kernels kPlainKernels = kKernels;

}  // namespace karikomi::shogi
