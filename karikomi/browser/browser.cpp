/// The functions of the WebAssembly module: web/src/browser/engine.js calls them in workers.
#include <cstdint>

#include <emscripten.h>

#include "karikomi/browser/program.hpp"

// The module's object gets this function from whoever loads it.
// clang-format off
EM_JS(void, karikomi_tell, (const char* event, const char* data), {
    Module["tell"](UTF8ToString(event), UTF8ToString(data));
})
// clang-format on

namespace {

/// Lives until the next call.
const char* lasting(std::string text) {
    static std::string said;
    said = std::move(text);
    return said.c_str();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void karikomi_hand(const char* name, const std::byte* bytes,
                                        std::uint32_t size) {
    karikomi::browser::hand(name, {bytes, size});
}

EMSCRIPTEN_KEEPALIVE const char* karikomi_ask(const char* question, const char* body) {
    return lasting(karikomi::browser::ask(question, body));
}

EMSCRIPTEN_KEEPALIVE const char* karikomi_work(const char* kind, const char* body) {
    const auto tell = [](const std::string& event, const std::string& data) {
        karikomi_tell(event.c_str(), data.c_str());
    };
    return lasting(karikomi::browser::work(kind, body, tell));
}
}
