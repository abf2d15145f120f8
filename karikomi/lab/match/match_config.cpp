#include "karikomi/lab/match/match_config.hpp"

#include <fmt/format.h>

#include "karikomi/engine/strict.hpp"

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
    if (c.half_width > 0) out["half_width"] = c.half_width;
    return out;
}

namespace {

constexpr std::size_t kMostText = 4'000;  // bytes of a name, an engine, a file
constexpr std::size_t kMostEngines = 1'000;
constexpr std::size_t kMostRules = 32;
constexpr double kMostScore = 1e12;
constexpr std::int64_t kMostPlies = 1'000'000;
constexpr std::int64_t kMostWaitMs = 86'400'000;
constexpr std::int64_t kMostThreads = 512;
constexpr std::int64_t kMostHashMb = 1 << 20;

Adjudication adjudication_of(const Json& a) {
    using strict::real;
    const auto plies = [&](const char* name) {
        return strict::whole_as<int>(a, name, 0, static_cast<int>(kMostPlies));
    };
    return {real(a, "win_score", 0, kMostScore),
            plies("win_moves"),
            real(a, "draw_score", -1, kMostScore),
            plies("draw_moves"),
            plies("draw_from_ply"),
            plies("max_plies")};
}

OpeningOptions openings_of(const Json& o) {
    return {strict::text(o, "source", kMostText), strict::real(o, "balance", 0, kMostScore),
            strict::whole_as<Depth>(o, "depth", 0, kMaxDepth), strict::natural(o, "seed"),
            strict::flag(o, "shuffle")};
}

Sprt sprt_of(const Json& s) {
    const auto elo = [&](const char* name) { return strict::real(s, name, -1e6, 1e6); };
    const auto chance = [&](const char* name) { return strict::real(s, name, 1e-12, 0.5); };
    return {elo("elo0"), elo("elo1"), chance("alpha"), chance("beta"),
            strict::text(s, "model", kMostText) == "logistic"};
}

MatchConfig read_config(const Json& j) {
    MatchConfig c;
    c.game = strict::text(j, "game", kMostText);
    const Json& rules = strict::object(j, "rules");
    if (rules.size() > kMostRules) throw strict::StrictError("'rules' has too many members");
    for (const auto& [name, value] : rules.items()) {
        c.rules.emplace_back(name, strict::text(rules, name.c_str(), kMostText));
    }
    for (const std::string& text : strict::texts(j, "engines", kMostEngines, kMostText)) {
        auto spec = parse_engine(text);
        if (!spec) throw strict::StrictError(spec.error().what);
        c.engines.push_back(std::move(*spec));
    }
    const auto time = time_control_of(strict::object(j, "time"));
    if (!time) throw strict::StrictError(time.error().what);
    c.time = *time;
    c.threads = strict::whole_as<int>(j, "threads", 1, kMostThreads);
    c.hash_mb = strict::whole_as<int>(j, "hash_mb", 1, kMostHashMb);
    c.margin_ms = strict::whole(j, "margin_ms", 0, kMostWaitMs);
    c.hang_ms = strict::whole(j, "hang_ms", 0, kMostWaitMs);
    c.adjudication = adjudication_of(strict::object(j, "adjudication"));
    c.openings = openings_of(strict::object(j, "openings"));
    c.gauntlet = strict::flag(j, "gauntlet");
    c.games = strict::natural(j, "games", static_cast<std::uint64_t>(strict::kMostExact));
    if (const Json& s = strict::member(j, "sprt"); !s.is_null()) c.sprt = sprt_of(s);
    if (j.contains("half_width")) c.half_width = strict::real(j, "half_width", 0, 1e6);
    return c;
}

}  // namespace

Expected<MatchConfig> config_of(const Json& j) {
    return strict::read_strictly("recorded configuration", "start a new match",
                                 [&] { return read_config(j); });
}

}  // namespace karikomi::match
