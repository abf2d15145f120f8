#include "karikomi/lab/match/match_config.hpp"

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::match {

Json to_json(const Sprt& s) {
    return {{"elo0", s.elo0},
            {"elo1", s.elo1},
            {"alpha", s.alpha},
            {"beta", s.beta},
            {"model", s.logistic ? "logistic" : "normalised"}};
}

Json to_json(const MatchConfig& c) {
    Json engines = Json::array();
    for (const EngineSpec& e : c.engines) engines.push_back(e.text);
    Json rules = Json::object();
    for (const auto& [name, value] : c.rules) rules[name] = value;
    Json out = {{"game", c.game},
                {"rules", rules},
                {"engines", engines},
                {"time", to_json(c.time)},
                {"threads", c.threads},
                {"hash_mb", c.hash_mb},
                {"margin_ms", c.margin_ms},
                {"hang_ms", c.hang_ms},
                {"adjudication", to_json(c.adjudication)},
                {"openings", to_json(c.openings)},
                {"gauntlet", c.gauntlet},
                {"games", c.games},
                {"sprt", c.sprt ? to_json(*c.sprt) : Json(nullptr)}};
    return out;
}

Expected<MatchConfig> config_of(const Json& j) {
    MatchConfig c;
    try {
        c.game = j.at("game");
        for (const auto& [name, value] : j.at("rules").items()) {
            c.rules.emplace_back(name, value.get<std::string>());
        }
        for (const Json& e : j.at("engines")) {
            auto spec = parse_engine(e.get<std::string>());
            if (!spec) return spec.error();
            c.engines.push_back(std::move(*spec));
        }
        const auto time = time_control_of(j.at("time"));
        if (!time) return time.error();
        c.time = *time;
        c.threads = j.at("threads");
        c.hash_mb = j.at("hash_mb");
        c.margin_ms = j.at("margin_ms");
        c.hang_ms = j.at("hang_ms");
        const Json& a = j.at("adjudication");
        c.adjudication = {a.at("win_score"),  a.at("win_moves"),     a.at("draw_score"),
                          a.at("draw_moves"), a.at("draw_from_ply"), a.at("max_plies")};
        const Json& o = j.at("openings");
        c.openings = {o.at("source"), o.at("balance"), o.at("depth"), o.at("seed"),
                      o.at("shuffle")};
        c.gauntlet = j.at("gauntlet");
        c.games = j.at("games");
        if (const Json& s = j.at("sprt"); !s.is_null()) {
            c.sprt = Sprt{s.at("elo0"), s.at("elo1"), s.at("alpha"), s.at("beta"),
                          s.at("model") == "logistic"};
        }
    } catch (const Json::exception& e) {
        return Error{fmt::format("recorded configuration: {}", e.what()), "start a new match"};
    }
    return c;
}

}  // namespace karikomi::match
