// The program for libFuzzer: KARIKOMI_FUZZ_TARGET=NAME karikomi_fuzz CORPUS... (tools/fuzz.sh).
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/target.hpp"

namespace {

const karikomi::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
    const char* const name = std::getenv("KARIKOMI_FUZZ_TARGET");
    chosen = name == nullptr ? nullptr : karikomi::fuzz::find_target(name);
    if (chosen != nullptr) return 0;
    for (const auto& t : karikomi::fuzz::targets()) std::printf("%s\n", t.name.c_str());
    std::exit(name == nullptr ? 0 : 2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    chosen->run({reinterpret_cast<const char*>(bytes), size});
    return 0;
}
