/// The engine in the browser: what the server answers over HTTP, as functions of a WebAssembly
/// module. The page's workers call them (web/src/browser/worker.ts); texts are JSON in UTF-8.
#include <cstdint>
#include <exception>
#include <string>

#include <emscripten.h>

#include "karikomi/engine/handed_file.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"
#include "karikomi/services/answers.hpp"
#include "karikomi/services/work.hpp"
#include "karikomi/version.hpp"

// The module's object gets this function from whoever loads it.
// clang-format off
EM_JS(void, karikomi_tell, (const char* event, const char* data), {
    Module["tell"](UTF8ToString(event), UTF8ToString(data));
})
// clang-format on

namespace karikomi::browser {
namespace {

using services::Answers;

constexpr std::size_t kMostHashMb = 256;

struct Program {
    Program() { (void)register_games(shipped_games()); }

    Answers answers{{.threads = 1, .hash_mb = kMostHashMb}};
    services::Workshop workshop;
    std::string said;  ///< lives until the next call
};
Program& program() {
    static Program program;
    return program;
}

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json game_to_keep(const services::KeptGame& g) {
    return {{"id", g.id},       {"game", g.game},   {"title", g.title},
            {"start", g.start}, {"moves", g.moves}, {"result", g.result}};
}

Json info() {
    Json out = program().answers.info();
    out["version"] = kVersion;
    out["commit"] = kCommit;
    return out;
}

Expected<Json> answer_to(const std::string& question, const Json& body) {
    const Answers& answers = program().answers;
    if (question == "info") return info();
    if (question == "position") return answers.position(body);
    if (question == "opening") return answers.opening(body);
    if (question == "import") return answers.read_record(body);
    if (question == "export") return answers.write_record(body);
    if (question == "keep") {
        const auto game = answers.read_game(body);
        return game ? Expected<Json>(game_to_keep(*game)) : Expected<Json>(game.error());
    }
    // An order that will be refused is refused before it waits for its turn.
    if (question == "search" || question == "solve") {
        const auto order = question == "solve" ? answers.solve(body) : answers.search(body);
        if (!order) return order.error();
        return Json{{"fingerprint", order->fingerprint}};
    }
    return Error{"the engine knows no '" + question + "'", "reload the page"};
}

Expected<Json> work(const std::string& kind, const Json& body) {
    const auto order =
        kind == "solve" ? program().answers.solve(body) : program().answers.search(body);
    if (!order) return order.error();
    return program().workshop.carry_out(*order, {}, [](const char* event, const Json& data) {
        karikomi_tell(event, line_of(data).c_str());
    });
}

/// {"answer": ...} or {"error": ..., "remedy": ...}.
template <class F> const char* say(const char* body, F&& make) {
    Json out;
    try {
        const auto json = services::parse_body(body);
        const Expected<Json> made = json ? make(*json) : Expected<Json>(json.error());
        out = made ? Json{{"answer", *made}} : services::error_json(made.error());
    } catch (const std::exception& e) {
        program().workshop.clear();
        out = {{"error", e.what()}, {"remedy", "reload the page"}};
    }
    program().said = line_of(out);
    return program().said.c_str();
}

}  // namespace
}  // namespace karikomi::browser

extern "C" {

/// A game's weights, before it is first asked for.
EMSCRIPTEN_KEEPALIVE void karikomi_hand(const char* name, const std::byte* bytes,
                                        std::uint32_t size) {
    karikomi::handed_files()[name].assign(bytes, bytes + size);
}

EMSCRIPTEN_KEEPALIVE const char* karikomi_ask(const char* question, const char* body) {
    return karikomi::browser::say(body, [&](const karikomi::Json& json) {
        return karikomi::browser::answer_to(question, json);
    });
}

/// Returns when the work is done; tells of its events meanwhile.
EMSCRIPTEN_KEEPALIVE const char* karikomi_work(const char* kind, const char* body) {
    return karikomi::browser::say(
        body, [&](const karikomi::Json& json) { return karikomi::browser::work(kind, json); });
}
}
