/// The network that is built into the program, where weights/shogi.bin exists.
#include <stdexcept>

#include "karikomi/engine/handed_file.hpp"
#include "karikomi/games/shogi/network/network.hpp"

#if defined(KARIKOMI_SHOGI_NETWORK) && !defined(KARIKOMI_BROWSER)
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
#if defined(KARIKOMI_BROWSER)
    const std::vector<std::byte> bytes = take_handed_file("shogi.bin");
#elif defined(KARIKOMI_SHOGI_NETWORK)
    const std::span bytes(karikomi_shogi_network_begin, karikomi_shogi_network_end);
#else
    const std::span<const std::byte> bytes;
#endif
    if (bytes.empty()) return nullptr;
    auto net = Network::from_bytes(bytes, "the built-in network");
    if (!net) throw std::logic_error(net.error().what);
    return *net;
}

}  // namespace

const std::shared_ptr<const Network>& built_in_network() {
    static const std::shared_ptr<const Network> kNetwork = shipped();
    return kNetwork;
}

}  // namespace karikomi::shogi
