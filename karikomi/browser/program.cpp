#include "karikomi/browser/program.hpp"

#include <algorithm>
#include <exception>

#include "karikomi/engine/handed_file.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"
#include "karikomi/services/answers.hpp"
#include "karikomi/services/work.hpp"
#include "karikomi/version.hpp"

namespace karikomi::browser {
namespace {

using services::Answers;

constexpr std::size_t kMostHashMb = 64;  // phones have little, and two may search at once

struct Program {
    Program() { (void)register_games(shipped_games()); }

    Answers answers{{.threads = 1, .hash_mb = kMostHashMb}};
    services::Workshop workshop;
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

/// Which of the files that were handed over a game takes. They are gone then, so only the first
/// answer of a program is right: tools/static_page.mjs asks, to know what a page has to fetch.
Expected<Json> files_of(const std::string& game) {
    Json taken = Json::array();
    for (const auto& [name, bytes] : handed_files()) taken.push_back(name);
    if (const auto made = make_engine(game); !made) return made.error();
    for (const auto& [name, bytes] : handed_files()) {
        taken.erase(std::find(taken.begin(), taken.end(), name));
    }
    return taken;
}

Expected<Json> answer_to(const std::string& question, const Json& body) {
    const Answers& answers = program().answers;
    if (question == "info") return info();
    if (question == "files") return files_of(services::text_member(body, "game"));
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

Expected<Json> carry_out(const std::string& kind, const Json& body, const Tell& tell) {
    const auto order =
        kind == "solve" ? program().answers.solve(body) : program().answers.search(body);
    if (!order) return order.error();
    return program().workshop.carry_out(
        *order, {}, [&](const char* event, const Json& data) { tell(event, line_of(data)); });
}

/// {"answer": ...} or {"error": ..., "remedy": ...}.
template <class F> std::string say(const std::string& body, F&& make) {
    Json out;
    try {
        const auto json = services::parse_body(body);
        const Expected<Json> made = json ? make(*json) : Expected<Json>(json.error());
        out = made ? Json{{"answer", *made}} : services::error_json(made.error());
    } catch (const std::exception& e) {
        program().workshop.clear();
        out = {{"error", e.what()}, {"remedy", "reload the page"}};
    }
    return line_of(out);
}

}  // namespace

void hand(const std::string& name, std::span<const std::byte> bytes) {
    handed_files()[name].assign(bytes.begin(), bytes.end());
}

std::string ask(const std::string& question, const std::string& body) {
    return say(body, [&](const Json& json) { return answer_to(question, json); });
}

std::string work(const std::string& kind, const std::string& body, const Tell& tell) {
    return say(body, [&](const Json& json) { return carry_out(kind, json, tell); });
}

}  // namespace karikomi::browser
