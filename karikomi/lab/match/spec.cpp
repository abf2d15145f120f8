#include "karikomi/lab/match/spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/strict.hpp"

namespace karikomi::match {
namespace {

constexpr std::array<std::string_view, 5> kProtocols = {"internal", "nboard", "gtp", "usi",
                                                        "gomocup"};
constexpr std::array<std::string_view, 6> kTimeKeys = {"depth",     "level", "nodes",
                                                       "move-time", "clock", "byoyomi"};
constexpr std::int64_t kMostMs = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t kMostLevel = 1000;
constexpr std::int64_t kMostNodes = 1'000'000'000'000'000;

Expected<std::int64_t> whole(const std::string& key, const std::string& text, std::int64_t min,
                             std::int64_t max) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || stop != end || value < min || value > max) {
        return Error{fmt::format("{}: '{}' is no whole number in {}..{}", key, text, min, max),
                     "give one"};
    }
    return value;
}

Expected<std::int64_t> seconds_as_ms(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    const double ms = 1000.0 * value;
    if (code != std::errc() || stop != end || !(ms >= 0 && ms <= double(kMostMs))) {
        return Error{fmt::format("clock: '{}' is no number of seconds", text),
                     "write main+increment, such as 10+0.1"};
    }
    return static_cast<std::int64_t>(std::llround(ms));
}

std::string unescape(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned code = 0;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(&text[i + 1], &text[i + 1] + 2, code, 16).ptr == &text[i + 1] + 2) {
            out += static_cast<char>(code);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

Expected<EngineSpec::Pairs> parse_query(std::string_view query) {
    EngineSpec::Pairs pairs;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view part = query.substr(0, end);
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0) {
            return Error{fmt::format("'{}' is no key=value", part), "separate settings by &"};
        }
        pairs.emplace_back(std::string(part.substr(0, equals)), unescape(part.substr(equals + 1)));
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return pairs;
}

Status set_number(int& to, const std::string& key, const std::string& value, int max) {
    const auto n = whole(key, value, 1, max);
    if (!n) return n.error();
    to = static_cast<int>(*n);
    return {};
}

Status set_key(EngineSpec& spec, const std::string& key, const std::string& value) {
    const bool internal = spec.protocol == Protocol::Internal;
    if (TimeControl::knows(key)) return spec.time.set(key, value);
    if (key == "name") return spec.name = value, Status();
    if (key == "threads") return set_number(spec.threads, key, value, 512);
    if (key == "hash") return set_number(spec.hash_mb, key, value, 1 << 20);
    if (internal) {
        if (key == "weights") return spec.weights_file = value, Status();
        if (key == "params") return spec.params_file = value, Status();
        if (key == "profile" && (value == "legacy" || value == "default")) {
            return spec.legacy = value == "legacy", Status();
        }
        if (key == "off" || key == "only" || key == "set") {
            return spec.changes.emplace_back(key, value), Status();
        }
    } else {
        if (key == "dir") return spec.folder = value, Status();
        if (key.starts_with("option.")) {
            return spec.options.emplace_back(key.substr(7), value), Status();
        }
        if (key == "think" && spec.protocol == Protocol::Nboard) {
            if (value == "go" || value == "hint") return spec.hint = value == "hint", Status();
            return Error{fmt::format("think: '{}' is unknown", value), "use go or hint"};
        }
        if (key == "ponder" && spec.protocol == Protocol::Usi) {
            if (value == "true" || value == "false") return spec.ponder = value == "true", Status();
            return Error{fmt::format("ponder: '{}' is unknown", value), "use true or false"};
        }
    }
    return Error{fmt::format("unknown setting '{}'", key),
                 fmt::format("use name, threads, hash, {}, {}",
                             internal ? "weights, params, profile, off, only, set"
                                      : "dir, option.NAME, think, ponder",
                             fmt::join(kTimeKeys, ", "))};
}

}  // namespace

// ---- Time ---------------------------------------------------------------------------------------

bool TimeControl::knows(std::string_view key) {
    return std::find(kTimeKeys.begin(), kTimeKeys.end(), key) != kTimeKeys.end();
}

Status TimeControl::set(const std::string& key, const std::string& value) {
    if (key == "clock") {
        const std::size_t plus = std::min(value.find('+'), value.size());
        const auto main = seconds_as_ms(value.substr(0, plus));
        if (!main) return main.error();
        main_ms = *main;
        if (plus == value.size()) return {};
        const auto increment = seconds_as_ms(value.substr(plus + 1));
        if (!increment) return increment.error();
        increment_ms = *increment;
        return {};
    }
    const bool is_depth = key == "depth";
    const bool is_level = key == "level";
    const bool is_nodes = key == "nodes";
    const std::int64_t max = is_depth   ? kMaxDepth
                             : is_level ? kMostLevel
                             : is_nodes ? kMostNodes
                                        : kMostMs;
    const auto number = whole(key, value, is_level ? 0 : 1, max);
    if (!number) return number.error();
    if (is_depth) depth = static_cast<Depth>(*number);
    if (is_level) level = static_cast<int>(*number);
    if (is_nodes) nodes = static_cast<std::uint64_t>(*number);
    if (key == "move-time") move_time_ms = *number;
    if (key == "byoyomi") byoyomi_ms = *number;
    return {};
}

std::string TimeControl::text() const {
    std::vector<std::string> parts;
    if (depth > 0) parts.push_back(fmt::format("depth {}", depth));
    if (level >= 0) parts.push_back(fmt::format("level {}", level));
    if (nodes > 0) parts.push_back(fmt::format("{} nodes", nodes));
    if (move_time_ms > 0) parts.push_back(fmt::format("{} ms a move", move_time_ms));
    if (main_ms > 0 || increment_ms > 0) {
        parts.push_back(fmt::format("{}+{} s", static_cast<double>(main_ms) / 1000.0,
                                    static_cast<double>(increment_ms) / 1000.0));
    }
    if (byoyomi_ms > 0) parts.push_back(fmt::format("byoyomi {} ms", byoyomi_ms));
    return fmt::format("{}", fmt::join(parts, ", "));
}

Json to_json(const TimeControl& t) {
    Json out = Json::object();
    if (t.depth > 0) out["depth"] = t.depth;
    if (t.level >= 0) out["level"] = t.level;
    if (t.nodes > 0) out["nodes"] = t.nodes;
    if (t.move_time_ms > 0) out["move_time_ms"] = t.move_time_ms;
    if (t.has_clock()) {
        out["main_ms"] = t.main_ms;
        out["increment_ms"] = t.increment_ms;
        out["byoyomi_ms"] = t.byoyomi_ms;
    }
    return out;
}

Expected<TimeControl> time_control_of(const Json& json) {
    return strict::read_strictly("time control", "the record is damaged", [&] {
        const auto ms = [&](const char* name) {
            return strict::whole_or(json, name, 0, 0, kMostMs);
        };
        TimeControl t;
        t.depth = static_cast<Depth>(strict::whole_or(json, "depth", 0, 0, kMaxDepth));
        t.level = static_cast<int>(strict::whole_or(json, "level", -1, -1, kMostLevel));
        t.nodes = static_cast<std::uint64_t>(strict::whole_or(json, "nodes", 0, 0, kMostNodes));
        t.move_time_ms = ms("move_time_ms");
        t.main_ms = ms("main_ms");
        t.increment_ms = ms("increment_ms");
        t.byoyomi_ms = ms("byoyomi_ms");
        return t;
    });
}

// ---- Engines ------------------------------------------------------------------------------------

std::string_view name_of(Protocol p) {
    return kProtocols[static_cast<std::size_t>(p)];
}

std::string usual_game(Protocol p) {
    for (const GameModule* m : games()) {
        if (m->protocol(name_of(p)) != nullptr) return m->name;
    }
    return {};
}

Status require_protocol(const EngineSpec& spec, const std::string& game) {
    const GameModule* const module = find_game(game);
    if (module != nullptr && module->protocol(name_of(spec.protocol)) != nullptr) return {};
    return Error{fmt::format("engine '{}': {} is no protocol of {} here", spec.text,
                             name_of(spec.protocol), game),
                 "use another for " + game};
}

Expected<EngineSpec> parse_engine(const std::string& text) {
    EngineSpec spec;
    spec.text = text;
    const auto wrong = [&](const Error& e) {
        return Error{fmt::format("engine '{}': {}", text, e.what), e.remedy};
    };
    const std::size_t colon = text.find(':');
    const std::string head = text.substr(0, std::min(colon, text.find('?')));
    const auto found = std::find(kProtocols.begin(), kProtocols.end(), head);
    if (colon == std::string::npos || found == kProtocols.end()) {
        return wrong(
            {"how to talk to it is not said",
             "write internal:GAME, or one of nboard:, gtp:, usi:, gomocup: and a command"});
    }
    spec.protocol = static_cast<Protocol>(found - kProtocols.begin());
    std::string rest = text.substr(colon + 1);
    std::string query;
    if (head.size() < colon) query = text.substr(head.size() + 1, colon - head.size() - 1);
    if (spec.protocol == Protocol::Internal) {
        const std::size_t mark = rest.find('?');
        if (mark != std::string::npos) query += (query.empty() ? "" : "&") + rest.substr(mark + 1);
        spec.game = rest.substr(0, mark);
    } else {
        spec.command = rest;
    }
    if (spec.game.empty() && spec.command.empty()) {
        return wrong({"nothing follows the colon", "name the game or the command"});
    }
    const auto pairs = parse_query(query);
    if (!pairs) return wrong(pairs.error());
    for (const auto& [key, value] : *pairs) {
        if (const Status s = set_key(spec, key, value); !s) return wrong(s.error());
    }
    return spec;
}

std::string name_by_rules(const std::string& game, const EngineSpec::Pairs& rules) {
    for (const auto& [name, value] : rules) {
        if (name == "rule") return name_by_rule(game, value);
    }
    return game;
}

Expected<std::unique_ptr<Engine>> make_referee(const std::string& game,
                                               const EngineSpec::Pairs& rules,
                                               const std::string& weights_file) {
    auto engine = make_engine(name_by_rules(game, rules), {weights_file});
    if (!engine) return engine.error();
    for (const auto& [name, value] : rules) {
        if (const Status s = (*engine)->set_rule(name, value); !s) {
            return Error{"--rule: " + s.error().what, s.error().remedy};
        }
    }
    (*engine)->set_hash(1);
    return engine;
}

}  // namespace karikomi::match
