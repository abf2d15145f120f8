#include "karikomi/services/orders.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/param_list.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::services {
namespace {

constexpr std::size_t kMostText = 4'000;    ///< bytes of a position
constexpr std::size_t kMostMoves = 2'000;   ///< of a game
constexpr std::size_t kMostMoveText = 16;   ///< bytes
constexpr std::size_t kMostSteps = 64;      ///< of an opening
constexpr std::size_t kMostSettings = 200;  ///< assignments of one request
constexpr std::int64_t kDefaultTimeMs = 60'000;

/// Reads the members of one object and remembers the first that is wrong, or unknown.
class Reader {
public:
    Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
        if (!object.is_object()) fail("", "is not an object");
    }

    std::string text(const char* name, std::size_t most) {
        const Json* j = take(name);
        if (j == nullptr) return {};
        if (!j->is_string()) return fail(name, "is not a text"), std::string();
        std::string out = j->get<std::string>();
        if (out.size() > most) fail(name, fmt::format("is longer than {} bytes", most));
        return out;
    }
    std::int64_t number(const char* name, std::int64_t other, std::int64_t min, std::int64_t max) {
        const Json* j = take(name);
        if (j == nullptr || j->is_null()) return other;
        const bool fits = j->is_number_integer() && j->get<double>() >= static_cast<double>(min) &&
                          j->get<double>() <= static_cast<double>(max);
        if (!fits) return fail(name, fmt::format("is not a whole number {}..{}", min, max)), other;
        return j->get<std::int64_t>();
    }
    bool flag(const char* name) {
        const Json* j = take(name);
        if (j == nullptr) return false;
        if (!j->is_boolean()) return fail(name, "is not true or false"), false;
        return j->get<bool>();
    }
    std::vector<std::string> texts(const char* name, std::size_t most, std::size_t most_bytes) {
        std::vector<std::string> out;
        const Json* j = take(name);
        if (j == nullptr) return out;
        if (!j->is_array() || j->size() > most) {
            return fail(name, fmt::format("is not a list of up to {} texts", most)), out;
        }
        for (const Json& x : *j) {
            if (!x.is_string() || x.get_ref<const std::string&>().size() > most_bytes) {
                return fail(name,
                            fmt::format("has a member that is no text up to {} bytes", most_bytes)),
                       out;
            }
            out.push_back(x.get<std::string>());
        }
        return out;
    }
    const Json* object(const char* name) {
        const Json* j = take(name);
        if (j != nullptr && !j->is_object()) fail(name, "is not an object");
        return error_ ? nullptr : j;
    }
    void pass_over(std::initializer_list<const char*> names) {
        known_.insert(known_.end(), names.begin(), names.end());
    }

    /// The first thing that was wrong; members that nobody asked for are wrong too.
    Status done() {
        if (!error_) {
            for (const auto& [key, value] : object_.items()) {
                if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
                const std::string near = nearest_name(key, known_);
                error_ =
                    Error{fmt::format("{}: unknown member '{}'", where_, key.substr(0, 40)),
                          near.empty() ? "remove it" : fmt::format("did you mean '{}'?", near)};
                break;
            }
        }
        return error_ ? Status(*error_) : Status();
    }

private:
    const Json* take(const char* name) {
        known_.emplace_back(name);
        if (error_) return nullptr;
        const auto it = object_.find(name);
        return it == object_.end() ? nullptr : &*it;
    }
    void fail(const std::string& name, const std::string& what) {
        if (error_) return;
        error_ = Error{fmt::format("{}{}{} {}", where_, name.empty() ? "" : ".", name, what),
                       "see docs/page.md"};
    }

    const Json& object_;
    std::string where_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

Json param_json(const ParamInfo& p) {
    constexpr std::array<const char*, 6> kTypes = {"flag",   "integer",  "real",
                                                   "choice", "integers", "reals"};
    Json out = {{"path", p.path},
                {"type", kTypes.at(static_cast<std::size_t>(p.type))},
                {"value", p.value},
                {"doc", p.doc}};
    if (!p.unit.empty()) out["unit"] = p.unit;
    if (!p.choices.empty()) {
        out["choices"] = p.choices;
    } else if (p.type != ParamType::Flag) {
        out["min"] = p.min;
        out["max"] = p.max;
    }
    return out;
}

Json rule_json(const RuleInfo& r) {
    return {{"name", r.name},
            {"value", r.value},
            {"choices", r.choices},
            {"most", r.most},
            {"help", r.help}};
}

/// Text for set_param: strings bare, everything else as JSON writes it.
std::string assignment(const std::string& path, const Json& value) {
    return fmt::format("{}={}", path, value.is_string() ? value.get<std::string>() : value.dump());
}

Limits read_limits(Reader& r, const OrderLimits& most) {
    Limits l;
    l.depth = static_cast<Depth>(r.number("depth", 0, 0, kMaxDepth));
    l.level = static_cast<int>(r.number("level", -1, -1, 1000));
    l.nodes = static_cast<std::uint64_t>(r.number("nodes", 0, 0, 1'000'000'000'000));
    l.move_time_ms = r.number("time_ms", 0, 0, most.max_time_ms);
    l.infinite = r.flag("infinite");
    l.multi_pv = static_cast<int>(r.number("multi_pv", 1, 1, 20));
    l.main_ms = r.number("main_ms", -1, -1, most.max_time_ms * 24);
    l.byoyomi_ms = r.number("byoyomi_ms", 0, 0, most.max_time_ms);
    l.increment_ms = r.number("increment_ms", 0, 0, most.max_time_ms);
    l.has_clock = l.main_ms >= 0;
    l.main_ms = std::max<std::int64_t>(l.main_ms, 0);
    const bool limited = l.depth > 0 || l.level >= 0 || l.nodes > 0 || l.move_time_ms > 0 ||
                         l.has_clock || l.infinite;
    if (!limited) l.move_time_ms = kDefaultTimeMs;
    return l;
}

}  // namespace

struct Desk::Table {
    mutable std::mutex mutex;
    std::unique_ptr<Engine> engine;
    SearchParams shipped;
};

Desk::Desk(OrderLimits limits) : limits_(limits) {}
Desk::~Desk() = default;

Expected<Desk::Table*> Desk::table(const std::string& game) const {
    const std::lock_guard lock(mutex_);
    if (const auto it = tables_.find(game); it != tables_.end()) return it->second.get();
    if (find_game(game) == nullptr) {
        return Error{fmt::format("unknown game '{}'", game.substr(0, 40)),
                     fmt::format("use one of {}", fmt::join(game_names(), ", "))};
    }
    auto made = make_engine(game);
    if (!made) return made.error();
    auto table = std::make_unique<Table>();
    table->engine = std::move(*made);
    table->engine->set_hash(1);  // it never searches
    table->shipped = table->engine->params();
    return tables_.emplace(game, std::move(table)).first->second.get();
}

Json Desk::describe_games() const {
    Json out = Json::array();
    for (const std::string& name : game_names()) {
        const auto found = table(name);
        if (!found) continue;
        const GameInfo& info = (*found)->engine->info();
        Json techniques = Json::array();
        for (const Technique t : info.techniques) techniques.push_back(name_of(t));
        Json params = Json::array();
        for (const ParamInfo& p : list_params((*found)->shipped)) {
            params.push_back(param_json(p));
        }
        Json samples = Json::array();
        for (const SamplePosition& s : info.samples) {
            samples.push_back({{"position", s.text}, {"depth", s.depth}});
        }
        Json rules = Json::array();
        for (const RuleInfo& r : info.rule_options) rules.push_back(rule_json(r));
        out.push_back({{"name", info.name},
                       {"title", info.title},
                       {"rules", info.rules},
                       {"position_help", info.position_help},
                       {"evaluation", info.evaluation},
                       {"fingerprint", fingerprint((*found)->shipped, info)},
                       {"max_level", info.max_level},
                       {"unit", info.unit},
                       {"techniques", techniques},
                       {"params", params},
                       {"rule_options", rules},
                       {"samples", samples}});
        Json styles = Json::array();
        if (const auto& notation = find_game(name)->notation) {
            for (const MoveStyle& style : notation->styles) {
                styles.push_back(
                    {{"name", style.name}, {"language", style.language}, {"help", style.help}});
            }
        }
        out.back()["move_styles"] = styles;
        if (const auto& board = find_game(name)->board) {
            out.back()["board"] = {{"columns", board->columns},
                                   {"rows", board->rows},
                                   {"sides", board->sides},
                                   {"column_labels", board->column_labels},
                                   {"row_labels", board->row_labels}};
        }
    }
    return out;
}

Expected<Place> Desk::read_place(const Json& request) const {
    Reader r(request, "request");
    Place place;
    place.game = r.text("game", 40);
    place.position = r.text("position", kMostText);
    place.moves = r.texts("moves", kMostMoves, kMostMoveText);
    if (const Json* rules = r.object("rules")) {
        for (const auto& [name, value] : rules->items()) {
            if (!value.is_string() || value.get_ref<const std::string&>().size() > 40) {
                return Error{"request.rules: a rule's value is not a short text", ""};
            }
            place.rules[name.substr(0, 40)] = value.get<std::string>();
        }
    }
    r.pass_over({"all", "limits", "off", "only", "set", "legacy", "threads", "hash_mb", "client",
                 "kind", "time_ms"});
    if (const Status s = r.done(); !s) return s.error();
    return place;
}

std::string engine_of(const Place& place) {
    const auto rule = place.rules.find("rule");
    return rule == place.rules.end() ? place.game : name_by_rule(place.game, rule->second);
}

Status set_up(Engine& engine, const Place& place) {
    for (const RuleInfo& rule : engine.info().rule_options) {
        const auto it = place.rules.find(rule.name);
        const std::string& value = it == place.rules.end() ? rule.value : it->second;
        if (const Status s = engine.set_rule(rule.name, value); !s) return s;
    }
    for (const auto& rule : place.rules) {
        const auto& all = engine.info().rule_options;
        const bool known = std::any_of(all.begin(), all.end(),
                                       [&](const RuleInfo& r) { return r.name == rule.first; });
        if (!known) {
            return Error{fmt::format("there is no rule '{}' to set", rule.first), "remove it"};
        }
    }
    if (const Status s = engine.set_position(place.position); !s) return s;
    int number = 0;
    for (const std::string& move : place.moves) {
        ++number;
        if (const Status s = engine.play(move); !s) {
            return Error{fmt::format("move {}: {}", number, s.error().what), s.error().remedy};
        }
    }
    return {};
}

/// The cells of a position, and the cells of its moves.
Json board_json(const BoardFacet& facet, const std::string& position,
                const std::vector<std::string>& legal) {
    Json cells = Json::array();
    const auto all = facet.cells(position);
    if (!all) return nullptr;
    for (const BoardCell& c : *all) {
        if (c.side < 0) {
            cells.push_back(nullptr);
        } else {
            cells.push_back({{"side", c.side == 0 ? "first" : "second"}, {"kind", c.kind}});
        }
    }
    Json moves = Json::object();
    for (const std::string& move : legal) {
        const MoveShape shape = facet.shape(position, move);
        moves[move] = {{"to", shape.to < 0 ? Json() : Json(shape.to)}};
        if (shape.from >= 0) moves[move]["from"] = shape.from;
    }
    return {{"cells", cells}, {"moves", moves}};
}

Json situation_json(const Situation& situation) {
    Json out = Json::object();
    if (!situation.ending.empty()) out["ending"] = situation.ending;
    if (!situation.numbers.empty()) out["numbers"] = situation.numbers;
    for (const Mark& m : situation.marks) {
        out["marks"].push_back(
            {{"cell", m.cell}, {"kind", m.kind}, {"side", m.side == 0 ? "first" : "second"}});
    }
    return out;
}

/// The names of the moves that led to these states, which begin after `first` moves.
void name_states(const Place& place, std::size_t first, Json& states) {
    const GameModule* const module = find_game(place.game);
    if (module == nullptr) return;
    const Json names = names_of_line(*module, place.position, {}, place.moves);
    for (const auto& [style, all] : names.items()) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            const std::size_t n = first + i;
            if (n > 0 && n <= all.size()) states[i]["name"][style] = all[n - 1];
        }
    }
}

Json state_of(const Engine& engine) {
    const auto winner = engine.winner();
    constexpr std::array<const char*, 3> kWinners = {"first", "second", "draw"};
    const std::string position = engine.position_text();
    const auto legal = engine.legal_moves();
    Json out = {{"position", position},
                {"side", engine.side_to_move() == 0 ? "first" : "second"},
                {"legal", legal},
                {"result", winner ? Json(kWinners.at(static_cast<std::size_t>(*winner))) : Json()}};
    if (const Json more = situation_json(engine.situation()); !more.empty()) {
        out["situation"] = more;
    }
    const GameModule* const module = find_game(engine.info().name);
    if (module != nullptr && module->board)
        out["board"] = board_json(*module->board, position, legal);
    return out;
}

Json error_json(const Error& error) {
    return {{"error", error.what}, {"remedy", error.remedy}};
}

Expected<Json> Desk::show(const Json& request) const {
    auto place = read_place(request);
    if (!place) return place.error();
    const auto found = table(engine_of(*place));
    if (!found) return found.error();
    const auto it = request.find("all");
    const bool all = it != request.end() && it->is_boolean() && it->get<bool>();

    const std::lock_guard lock((*found)->mutex);
    Engine& engine = *(*found)->engine;
    if (!all) {
        if (const Status s = set_up(engine, *place); !s) return s.error();
        Json one = Json::array({state_of(engine)});
        name_states(*place, place->moves.size(), one);
        return one[0];
    }
    Place start = *place;
    start.moves.clear();
    if (const Status s = set_up(engine, start); !s) return s.error();
    Json states = Json::array();
    states.push_back(state_of(engine));
    for (const std::string& move : place->moves) {
        if (const Status s = engine.play(move); !s) {
            return Error{fmt::format("move {}: {}", states.size(), s.error().what),
                         s.error().remedy};
        }
        states.push_back(state_of(engine));
    }
    name_states(*place, 0, states);
    return Json{{"states", states}};
}

Status Desk::read_tuning(const Json& request, const Table& table, Order& order) const {
    order.params = table.shipped;
    Reader r(request, "request");
    const auto only = r.texts("only", kTechniqueNames.size(), 40);
    const auto off = r.texts("off", kTechniqueNames.size() + 1, 40);
    const bool has_only = request.contains("only") && !request["only"].is_null();
    if (has_only) {
        order.params.selective.disable_all();
        for (const std::string& name : only) {
            // Switching on one leaves the others as they are: all are off by now.
            if (const Status s = set_param(order.params, name + ".enabled=true"); !s) return s;
        }
    }
    for (const std::string& name : off) {
        if (const Status s = switch_off(order.params, name); !s) return s;
    }
    if (const Json* set = r.object("set")) {
        if (set->size() > kMostSettings) return Error{"request.set has too many members", ""};
        for (const auto& [path, value] : set->items()) {
            if (value.is_object() || value.is_null()) {
                return Error{fmt::format("{}: is no value", path.substr(0, 40)), ""};
            }
            if (const Status s = set_param(order.params, assignment(path, value)); !s) return s;
        }
    }
    r.pass_over({"game", "position", "moves", "rules", "limits", "legacy", "threads", "hash_mb",
                 "client", "all"});
    if (const Status s = r.done(); !s) return s;
    const Status good = table.engine->set_params(order.params);
    order.fingerprint = fingerprint(order.params, table.engine->info());
    return good;
}

Expected<Order> Desk::read_order(const Json& request) const {
    auto place = read_place(request);
    if (!place) return place.error();
    const auto found = table(engine_of(*place));
    if (!found) return found.error();

    Order order;
    order.place = std::move(*place);
    Reader r(request, "request");
    order.threads = static_cast<int>(r.number("threads", 1, 1, limits_.threads));
    order.hash_mb =
        static_cast<std::size_t>(r.number("hash_mb", static_cast<std::int64_t>(limits_.hash_mb), 1,
                                          static_cast<std::int64_t>(limits_.hash_mb)));
    order.request.legacy = r.flag("legacy");
    const Json* limits = r.object("limits");
    r.pass_over({"game", "position", "moves", "rules", "off", "only", "set", "client", "all"});
    if (const Status s = r.done(); !s) return s.error();
    static const Json kNone = Json::object();
    Reader lr(limits == nullptr ? kNone : *limits, "limits");
    order.request.limits = read_limits(lr, limits_);
    if (const Status s = lr.done(); !s) return s.error();

    const std::lock_guard lock((*found)->mutex);
    if (const Status s = set_up(*(*found)->engine, order.place); !s) return s.error();
    if ((*found)->engine->legal_moves().empty()) {
        return Error{"there is nothing to search: the game is over", "take back a move"};
    }
    if (const Status s = read_tuning(request, **found, order); !s) return s.error();
    return order;
}

Expected<SolveOrder> Desk::read_solve(const Json& request) const {
    auto place = read_place(request);
    if (!place) return place.error();
    const auto found = table(engine_of(*place));
    if (!found) return found.error();
    SolveOrder order;
    order.place = std::move(*place);
    Reader r(request, "request");
    order.kind = r.text("kind", 40);
    order.time_ms = r.number("time_ms", 0, 0, limits_.max_time_ms);
    order.hash_mb = limits_.hash_mb;
    r.pass_over({"game", "position", "moves", "rules", "client"});
    if (const Status s = r.done(); !s) return s.error();

    const std::lock_guard lock((*found)->mutex);
    const Engine& engine = *(*found)->engine;
    if (const Status s = set_up(*(*found)->engine, order.place); !s) return s.error();
    if (engine.legal_moves().empty()) {
        return Error{"there is nothing to solve: the game is over", "take back a move"};
    }
    order.position = engine.position_text();
    return order;
}

Expected<OpeningOrder> Desk::read_opening(const Json& request) const {
    Reader r(request, "request");
    OpeningOrder order;
    order.game = r.text("game", 40);
    order.rule = r.text("rule", 40);
    order.size = static_cast<int>(r.number("size", 0, 0, 100));
    order.steps = r.texts("steps", kMostSteps, kMostMoveText);
    if (const Status s = r.done(); !s) return s.error();
    if (const auto found = table(order.game); !found) return found.error();
    return order;
}

}  // namespace karikomi::services
