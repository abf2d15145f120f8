#include "karikomi/services/answers.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/services/base64.hpp"
#include "karikomi/services/solving.hpp"

namespace karikomi::services {
namespace {

constexpr int kMostNesting = 48;  ///< of a request's JSON

/// Names of the opening rules of a game.
std::vector<std::string> opening_rules(const std::string& game) {
    const GameModule* const module = find_game(game);
    return module != nullptr && module->openings ? module->openings->rules
                                                 : std::vector<std::string>();
}

/// What is missing where `name` is none of `known`.
Error no_such(const char* what, const std::string& name, const std::vector<std::string>& known) {
    return {fmt::format("there is no {} '{}' for this game", what, name),
            known.empty() ? "choose another game"
                          : fmt::format("use one of {}", fmt::join(known, ", "))};
}

Json place_json(const Json& body) {
    return {{"game", body.value("game", Json(""))},
            {"position", body.value("start", Json(""))},
            {"moves", body.value("moves", Json::array())}};
}

KeptGame game_at(const Place& place, const Json& body) {
    KeptGame g;
    g.game = place.game;
    g.start = place.position;
    g.moves = fmt::format("{}", fmt::join(place.moves, " "));
    g.title = text_member(body, "title").substr(0, 200);
    g.result = text_member(body, "result").substr(0, 40);
    g.document =
        body.value("document", Json::object()).dump(-1, ' ', false, Json::error_handler_t::replace);
    return g;
}

}  // namespace

Expected<Json> parse_body(const std::string& body) {
    bool too_deep = false;
    Json json = Json::parse(
        body,
        [&](int depth, Json::parse_event_t, Json&) {
            too_deep = too_deep || depth > kMostNesting;
            return !too_deep;
        },
        false);
    if (too_deep) return Error{"the JSON is nested too deeply", "send a plain request"};
    if (json.is_discarded()) return Error{"the request is not JSON", "send an object"};
    if (!json.is_object()) return Error{"the request is not an object", "send {...}"};
    return json;
}

std::string text_member(const Json& json, const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Json Answers::info() const {
    Json games = desk_.describe_games();
    for (Json& game : games) {
        const auto name = game["name"].get<std::string>();
        game["formats"] = record_formats(name);
        game["solvers"] = solver_kinds(name);
        game["openings"] = opening_rules(name);
    }
    return {{"program", "karikomi"},
            {"max_threads", limits_.threads},
            {"max_hash_mb", limits_.hash_mb},
            {"games", std::move(games)}};
}

Expected<Json> Answers::position(const Json& body) const {
    return desk_.show(body);
}

Expected<Order> Answers::search(const Json& body) const {
    return desk_.read_order(body);
}

Expected<Json> Answers::opening(const Json& body) const {
    const auto order = desk_.read_opening(body);
    if (!order) return order.error();
    const auto names = opening_rules(order->game);
    if (std::find(names.begin(), names.end(), order->rule) == names.end()) {
        return no_such("opening rule", order->rule, names);
    }
    return find_game(order->game)->openings->follow(*order);
}

Expected<Order> Answers::solve(const Json& body) const {
    const auto solve = desk_.read_solve(body);
    if (!solve) return solve.error();
    const auto kinds = solver_kinds(solve->place.game);
    if (std::find(kinds.begin(), kinds.end(), solve->kind) == kinds.end()) {
        return no_such("solver", solve->kind, kinds);
    }
    Order order;
    order.place = solve->place;
    order.request.limits.infinite = solve->time_ms == 0;
    order.job = [solve = *solve](const JobView& view) { return prove(solve, view); };
    return order;
}

Expected<KeptGame> Answers::read_game(const Json& body) const {
    const Json where = place_json(body);
    const auto place = desk_.read_place(where);
    if (!place) return place.error();
    if (const auto state = desk_.show(where); !state) return state.error();
    KeptGame g = game_at(*place, body);
    const auto id = body.find("id");
    if (id != body.end() && id->is_number_integer()) g.id = id->get<std::int64_t>();
    if (g.id < 0) return Error{"id is below 0", "leave it out for a new game"};
    return g;
}

Expected<Json> Answers::read_record(const Json& body) const {
    const std::string game = text_member(body, "game");
    std::string bytes = text_member(body, "text");
    if (bytes.empty()) {
        const auto decoded = from_base64(text_member(body, "base64"));
        if (!decoded) return Error{"the file's bytes are not base64", "send it again"};
        bytes = *decoded;
    }
    if (bytes.empty()) return Error{"there is nothing to read", "paste a record"};
    const auto number = body.find("number");
    const bool counted = number != body.end() && number->is_number_unsigned();
    const auto read = services::read_game(game, bytes, counted ? number->get<std::size_t>() : 0);
    if (!read) return read.error();
    const auto states = desk_.show(
        {{"game", game}, {"position", read->start}, {"moves", read->moves}, {"all", true}});
    if (!states) return states.error();
    Json out = {{"start", read->start},   {"moves", read->moves}, {"title", read->title},
                {"format", read->format}, {"games", read->games}, {"states", (*states)["states"]}};
    if (!read->whole.moves.empty()) {
        out["nodes"] = nodes_of(read->whole);
        out["record"] = heading_of(read->whole);
        if (read->whole.winner) {
            constexpr std::array<const char*, 3> kWinners = {"first", "second", "draw"};
            out["winner"] = kWinners.at(static_cast<std::size_t>(*read->whole.winner));
        }
    }
    return out;
}

Expected<Json> Answers::write_record(const Json& body) const {
    const auto place = desk_.read_place(place_json(body));
    if (!place) return place.error();
    const KeptGame g = game_at(*place, body);
    const auto file = write_game(g, text_member(body, "format"));
    if (!file) return file.error();
    Json out = {{"file", fmt::format("{}.{}", g.game, file->ending)}};
    if (file->is_text) {
        out["text"] = file->bytes;
    } else {
        out["base64"] = to_base64(file->bytes);
    }
    return out;
}

}  // namespace karikomi::services
