#include "karikomi/games/shogi/network/kernels.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace karikomi::shogi {

std::span<const Kernels* const> usable_kernels() {
    static const std::vector<const Kernels*> kUsable = [] {
        std::vector<const Kernels*> all = {&kPlainKernels};
#if defined(__x86_64__)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2")) all.push_back(&kAvx2Kernels);
        if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512cd")) {
            all.push_back(&kAvx512Kernels);
        }
#endif
        return all;
    }();
    return kUsable;
}

const Kernels& kernels() {
    static const Kernels& kChosen = []() -> const Kernels& {
        const char* const wanted = std::getenv("KARIKOMI_CPU");
        for (const Kernels* k : usable_kernels()) {
            if (wanted != nullptr && std::string_view(wanted) == k->name) return *k;
        }
        return *usable_kernels().back();
    }();
    return kChosen;
}

}  // namespace karikomi::shogi
