/// The network that is built into the program, where weights/shogi.bin exists.
#include <stdexcept>

#include "karikomi/games/shogi/network/network.hpp"

#if defined(KARIKOMI_SHOGI_NETWORK)
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global karikomi_shogi_network_begin\n"
    "karikomi_shogi_network_begin:\n"
    ".incbin \"" KARIKOMI_SHOGI_NETWORK
    "\"\n"
    ".global karikomi_shogi_network_end\n"
    "karikomi_shogi_network_end:\n"
    ".text\n");
extern "C" const std::byte karikomi_shogi_network_begin[];  // NOLINT: names of the assembler
extern "C" const std::byte karikomi_shogi_network_end[];    // NOLINT
#endif

namespace karikomi::shogi {
namespace {

std::shared_ptr<const Network> shipped() {
#if defined(KARIKOMI_SHOGI_NETWORK)
    const auto size =
        static_cast<std::size_t>(karikomi_shogi_network_end - karikomi_shogi_network_begin);
    auto net = Network::from_bytes({karikomi_shogi_network_begin, size}, "the built-in network");
    if (!net) throw std::logic_error(net.error().what);
    return *net;
#else
    return nullptr;
#endif
}

}  // namespace

const std::shared_ptr<const Network>& built_in_network() {
    static const std::shared_ptr<const Network> kNetwork = shipped();
    return kNetwork;
}

}  // namespace karikomi::shogi
