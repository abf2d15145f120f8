/// The functions of zstd.h that read weights, by the decoder of the page. Debian has no zstd for
/// emscripten, and a page that unpacks its own files needs only a few kilobytes for it.
#include <cstddef>

#include <emscripten.h>
#include <zstd.h>

// clang-format off
EM_JS(int, karikomi_unpack, (void* to, size_t room, const void* from, size_t size), {
    const out = Module["unpack"](HEAPU8.subarray(from, from + size), room);
    if (!out || out.length > room) return -1;
    HEAPU8.set(out, to);
    return out.length;
})
// clang-format on

namespace {
constexpr auto kFailed = static_cast<std::size_t>(-1);
}

extern "C" {

std::size_t ZSTD_decompress(void* to, std::size_t room, const void* from, std::size_t size) {
    const int got = karikomi_unpack(to, room, from, size);
    return got < 0 ? kFailed : static_cast<std::size_t>(got);
}
unsigned ZSTD_isError(std::size_t code) {
    return code == kFailed ? 1 : 0;
}

// Nothing is packed in a browser.
std::size_t ZSTD_compressBound(std::size_t /*size*/) {
    return 0;
}
std::size_t ZSTD_compress(void* /*to*/, std::size_t /*room*/, const void* /*from*/,
                          std::size_t /*size*/, int /*level*/) {
    return kFailed;
}
}
