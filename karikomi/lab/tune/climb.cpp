#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/param_list.hpp"
#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/match/external_player.hpp"
#include "karikomi/lab/queue/feed.hpp"
#include "karikomi/lab/tune/tune.hpp"
#include "karikomi/version.hpp"

namespace karikomi::tune {
namespace {

using lab::Database;
using match::EngineSpec;
using match::Opening;

constexpr int kFormat = 2;
constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS trials (position INTEGER PRIMARY KEY, number INTEGER NOT NULL,"
    " plus TEXT NOT NULL, minus TEXT NOT NULL, result REAL NOT NULL, theta TEXT NOT NULL)";

using Numbers = std::vector<double>;

/// The trials that a database holds, in the order in which they came back.
Status restore_trials(SQLite::Database& db, Spsa& spsa,
                      const std::function<void(std::uint64_t)>& on_number) {
    const SpsaOptions& o = spsa.options();
    SQLite::Statement q(db,
                        "SELECT number, plus, minus, result, theta FROM trials ORDER BY position");
    const auto column = [&](int i) {
        return Json::parse(q.getColumn(i).getString()).get<Numbers>();
    };
    while (q.executeStep()) {
        const auto number = static_cast<std::uint64_t>(q.getColumn(0).getInt64());
        const Numbers theta = column(4);
        if (theta.size() != o.params.size() || number >= o.trials) {
            return Error{"recorded trials are of another run", "start a new run"};
        }
        spsa.restore({column(1), column(2), spsa.start(number).shifts, q.getColumn(3).getDouble()},
                     theta);
        on_number(number);
    }
    return {};
}

Expected<double> number(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || stop != end) {
        return Error{fmt::format("--param: '{}' is no number", text), "give one"};
    }
    return value;
}

/// A step that can be felt, where nobody says: a twentieth of the range that was given. Declared
/// ranges hold all that is allowed and are often far wider than what makes sense, so without a
/// given range the start says how large the parameter is.
double usual_step(const SpsaParam& p, bool given_range) {
    const double by_range = (p.max - p.min) / 20;
    const double by_start = 0.2 * std::max(std::abs(p.start), 1.0);
    const double step = given_range ? by_range : std::min(by_range, by_start);
    return p.integer ? std::max(step, 0.75) : step;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return parts;
}

Expected<const match::ProgramOption*> option_of(const std::string& path,
                                                const std::vector<match::ProgramOption>& known) {
    std::vector<std::string> names;
    for (const match::ProgramOption& o : known) {
        if (o.name == path) return &o;
        names.push_back(o.name);
    }
    const std::string near = nearest_name(path, names);
    return Error{fmt::format("--param: the program has no option '{}'", path),
                 near.empty() ? fmt::format("it has {}", fmt::join(names, ", "))
                              : fmt::format("did you mean '{}'?", near)};
}

/// What is declared of a parameter: range, type and present value.
Expected<SpsaParam> declared(const std::string& path, const SearchParams& params) {
    std::vector<std::string> paths;
    for (const ParamInfo& info : list_params(params)) {
        paths.push_back(info.path);
        if (info.path != path) continue;
        if (info.type != ParamType::Integer && info.type != ParamType::Real) {
            return Error{fmt::format("--param: {} is no number", path), "use a grid for it"};
        }
        SpsaParam p;
        p.path = path;
        p.integer = info.type == ParamType::Integer;
        p.min = info.min, p.max = info.max;
        p.start = info.value.get<double>();
        return p;
    }
    const std::string near = nearest_name(path, paths);
    return Error{fmt::format("--param: there is no parameter '{}'", path),
                 near.empty() ? "see `karikomi params`" : fmt::format("did you mean '{}'?", near)};
}

using Lookup = std::function<Expected<SpsaParam>(const std::string& path)>;

/// With what is written after the parameter's name, on top of what is known of it.
Expected<SpsaParam> parse_rest(const std::string& text, const Lookup& look_up) {
    std::vector<std::string> parts = split(text);
    const std::size_t equals = std::min(parts[0].find('='), parts[0].size());
    auto known = look_up(parts[0].substr(0, equals));
    if (!known) return known;
    SpsaParam p = std::move(*known);
    const double least = p.min;
    const double most = p.max;
    p.c_end = p.r_end = 0;
    const bool has_start = equals < parts[0].size();
    if (has_start) parts[0] = "start=" + parts[0].substr(equals + 1);
    const std::map<std::string, double*> keys = {
        {"start", &p.start}, {"c", &p.c_end}, {"r", &p.r_end}, {"min", &p.min}, {"max", &p.max}};
    bool given_range = false;
    for (std::size_t i = has_start ? 0 : 1; i < parts.size(); ++i) {
        const std::string key = parts[i].substr(0, parts[i].find('='));
        const auto to = keys.find(key);
        if (to == keys.end() || key.size() == parts[i].size()) {
            return Error{fmt::format("--param: '{}' in '{}' is unknown", parts[i], text),
                         "write PATH=START,min=LEAST,max=MOST,c=STEP,r=RATE"};
        }
        const auto value = number(parts[i].substr(key.size() + 1));
        if (!value) return value.error();
        *to->second = *value;
        if ((key == "c" || key == "r") && *value <= 0) {
            return Error{fmt::format("--param: {}: c and r must be above 0", p.path),
                         "give others"};
        }
        given_range |= key == "min" || key == "max";
    }
    if (p.min < least || p.max > most || p.min >= p.max) {
        return Error{fmt::format("--param: {}: {}..{} is no range in {}..{}", p.path, p.min, p.max,
                                 least, most),
                     "choose min and max inside"};
    }
    if (p.start < p.min || p.start > p.max) {
        return Error{fmt::format("--param: {}: {} outside {}..{}", p.path, p.start, p.min, p.max),
                     "choose a value inside"};
    }
    if (p.c_end == 0) p.c_end = usual_step(p, given_range);
    return p;
}

}  // namespace

Expected<SpsaParam> parse_climb(const std::string& text, const SearchParams& params) {
    return parse_rest(text, [&](const std::string& path) { return declared(path, params); });
}

Expected<SpsaParam> parse_program_climb(const std::string& text,
                                        const std::vector<match::ProgramOption>& known) {
    const bool whole = text.find('.') == std::string::npos;
    return parse_rest(text, [&](const std::string& path) -> Expected<SpsaParam> {
        SpsaParam p;
        p.path = path;
        p.integer = whole;
        if (known.empty()) {
            // The protocol lists no options, so all must be said.
            for (const char* key : {"=", ",min=", ",max="}) {
                if (text.find(key) != std::string::npos) continue;
                return Error{fmt::format("--param: nothing is known of the program's '{}'", path),
                             "write NAME=START,min=LEAST,max=MOST"};
            }
            constexpr double kAnything = 1e9;
            p.min = -kAnything, p.max = kAnything;
            return p;
        }
        const auto option = option_of(path, known);
        if (!option) return option.error();
        if ((*option)->type != "spin") {
            return Error{fmt::format("--param: {} is of type {}, no number", path, (*option)->type),
                         "use a grid for it: --param NAME=VALUE,VALUE"};
        }
        p.integer = true;
        p.min = (*option)->min, p.max = (*option)->max;
        p.start = match::number_in((*option)->value).value_or(p.min);
        return p;
    });
}

Status check_program_value(const std::string& path, const std::string& value,
                           const std::vector<match::ProgramOption>& known) {
    if (known.empty()) return {};
    const auto found = option_of(path, known);
    if (!found) return found.error();
    const match::ProgramOption& o = **found;
    const auto wrong = [&](const std::string& remedy) {
        return Error{fmt::format("--param: {} cannot be '{}'", path, value), remedy};
    };
    if (o.type == "spin") {
        const auto n = number(value);
        if (n && *n >= o.min && *n <= o.max && std::floor(*n) == *n) return {};
        return wrong(fmt::format("the program takes whole numbers in {}..{}", o.min, o.max));
    }
    if (o.type == "check" && value != "true" && value != "false") return wrong("use true or false");
    if (o.type == "button") return wrong("it is a button");
    const bool listed = std::find(o.choices.begin(), o.choices.end(), value) != o.choices.end();
    if (o.type == "combo" && !listed) {
        return wrong(fmt::format("use one of {}", fmt::join(o.choices, ", ")));
    }
    return {};
}

Expected<std::vector<SpsaParam>> parse_climbs(const std::string& text, const SearchParams& params) {
    const std::size_t star = text.find(".*");
    if (star == std::string::npos) {
        const auto one = parse_climb(text, params);
        if (!one) return one.error();
        return std::vector<SpsaParam>{*one};
    }
    const std::string section = text.substr(0, star + 1);
    std::vector<SpsaParam> all;
    for (const ParamInfo& info : list_params(params)) {
        const bool number = info.type == ParamType::Integer || info.type == ParamType::Real;
        if (!number || info.path.rfind(section, 0) != 0) continue;
        const auto one = parse_climb(info.path + text.substr(star + 2), params);
        if (!one) return one.error();
        all.push_back(*one);
    }
    if (all.empty()) {
        return Error{fmt::format("--param: there are no parameters '{}*'", section),
                     "see `karikomi params`"};
    }
    return all;
}

Json to_json(const SpsaOptions& o) {
    Json params = Json::array();
    for (const SpsaParam& p : o.params) {
        params.push_back({{"path", p.path},
                          {"start", p.start},
                          {"min", p.min},
                          {"max", p.max},
                          {"integer", p.integer},
                          {"c_end", p.c_end},
                          {"r_end", p.r_end}});
    }
    return {{"params", params}, {"trials", o.trials}, {"pairs", o.pairs}, {"seed", o.seed}};
}

Expected<ClimbConfig> read_climb(const std::string& path) {
    const auto database = Database::read(path, "tune");
    if (!database) return database.error();
    const Json j = (*database)->get("config");
    ClimbConfig c;
    try {
        auto config = match::config_of(j.at("match"));
        if (!config) return config.error();
        c.match = std::move(*config);
        c.base = j.at("base");
        const Json& o = j.at("spsa");
        c.options.trials = o.at("trials");
        c.options.pairs = o.at("pairs");
        c.options.seed = o.at("seed");
        for (const Json& p : o.at("params")) {
            c.options.params.push_back({p.at("path"), p.at("start"), p.at("min"), p.at("max"),
                                        p.at("integer"), p.at("c_end"), p.at("r_end")});
        }
    } catch (const Json::exception& e) {
        return Error{fmt::format("recorded configuration: {}", e.what()), "start a new run"};
    }
    return c;
}

Expected<Spsa> read_course(const std::string& path) {
    const auto config = read_climb(path);
    if (!config) return config.error();
    const auto database = Database::read(path, "tune");
    if (!database) return database.error();
    Spsa spsa(config->options);
    try {
        const Status s = (*database)->run(
            [&](SQLite::Database& db) { return restore_trials(db, spsa, [](std::uint64_t) {}); });
        if (!s) return s.error();
    } catch (const std::exception& e) {
        return Error{fmt::format("database '{}': {}", path, e.what()), "start a new run"};
    }
    return spsa;
}

Expected<std::unique_ptr<Climb>> Climb::make(const match::MatchConfig& config,
                                             const std::string& base, const SpsaOptions& options,
                                             const std::string& database) {
    std::unique_ptr<Climb> climb(new Climb(options));
    climb->done_.resize(static_cast<std::size_t>(options.trials));
    climb->config_ = config;
    climb->base_ = base;
    auto spec = match::parse_engine(tuned_text(config.game, base, {}));
    if (!spec) return spec.error();
    climb->spec_ = std::move(*spec);
    if (const Status s = climb->prepare(database); !s) return s.error();
    return climb;
}

Status Climb::prepare(const std::string& database) {
    apply_defaults(spec_, config_);
    if (spec_.time.empty()) {
        return Error{"there is no limit", "give --move-time, --clock, --nodes, --depth or --level"};
    }
    auto referee = match::make_referee(config_.game, config_.rules);
    if (!referee) return referee.error();
    auto openings = match::Openings::make(config_.openings, std::move(*referee));
    if (!openings) return openings.error();
    openings_ = std::move(*openings);
    const auto player = match::make_player(spec_, {config_.game, config_.rules});
    if (!player) return player.error();
    identity_ = (*player)->identity();
    const Spsa::Trial first = spsa_.start(0);
    for (const auto& point : {first.plus, first.minus}) {
        if (const Status s = (*player)->adjust(settings_of(point)); !s) return s;
    }
    auto opened = Database::open(database, {"tune", kFormat, kTables});
    if (!opened) return opened.error();
    database_ = std::move(*opened);
    return agree_with_database();
}

Status Climb::agree_with_database() {
    const Json config = {{"match", to_json(config_)},
                         {"base", base_},
                         {"spsa", to_json(spsa_.options())},
                         {"identity", to_json(identity_)}};
    const Json recorded = database_->get("config");
    if (!recorded.is_null() && recorded != config) {
        for (const auto& [key, value] : config.items()) {
            if (recorded.value(key, Json(nullptr)) == value) continue;
            return Error{fmt::format("the database holds a run with another '{}'", key),
                         "use another --db"};
        }
    }
    database_->set("config", config);
    database_->set("machine", lab::machine_json());
    database_->set("runner", {{"version", kVersion}, {"commit", kCommit}});
    const Status restored = database_->run([&](SQLite::Database& db) {
        return restore_trials(db, spsa_, [&](std::uint64_t number) {
            done_[static_cast<std::size_t>(number)] = true;
        });
    });
    if (!restored) return restored;
    games_ = 2 * spsa_.options().pairs * spsa_.finished();
    run_id_ = match::run_id_of(*database_);
    return {};
}

EngineSpec::Pairs Climb::settings_of(const std::vector<double>& values) const {
    EngineSpec::Pairs settings;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const SpsaParam& p = spsa_.options().params[i];
        settings.emplace_back("set", p.integer ? fmt::format("{}={:.0f}", p.path, values[i])
                                               : fmt::format("{}={:.9g}", p.path, values[i]));
    }
    return settings;
}

// ---- Playing ------------------------------------------------------------------------------------

Expected<bool> Climb::run(queue::JobQueue& queue, const Watch& watch, const StopToken& stop) {
    watch_ = watch;
    const Status climbed = climb(queue, stop);
    queue.cancel();
    if (!climbed) return climbed.error();
    return spsa_.finished() >= spsa_.options().trials;
}

Status Climb::climb(queue::JobQueue& queue, const StopToken& stop) {
    constexpr std::size_t kPerSlot = 1;  // a trial begins where the last ones have led
    return queue::run(queue, {stop,
                              {},
                              [&] { return next_job(); },
                              [&](const queue::Done& done) { return check(done); },
                              [&](const queue::Done& done) { return merge(done); },
                              under_way_,
                              kPerSlot});
}

bool Climb::is_done(std::uint64_t trial) const {
    return done_[static_cast<std::size_t>(trial)];
}

/// A trial is pairs of games between its two points, each with colours swapped.
std::optional<queue::Job> Climb::next_job() {
    const SpsaOptions& options = spsa_.options();
    while (next_ < options.trials && is_done(next_)) ++next_;
    if (next_ >= options.trials) return std::nullopt;
    const Spsa::Trial trial = spsa_.start(next_++);
    match::GamesJob job;
    for (const auto& values : {trial.plus, trial.minus}) {
        job.players.push_back({spec_.text, identity_, settings_of(values)});
    }
    for (std::uint64_t k = 0; k < options.pairs; ++k) {
        const std::uint64_t pair = trial.number * options.pairs + k;
        const Opening opening = openings_->get(static_cast<std::size_t>(pair));
        job.games.push_back({2 * pair, 0, 1, opening});
        job.games.push_back({2 * pair + 1, 1, 0, opening});
    }
    job.tag = {{"trial", trial.number}, {"plus", trial.plus}, {"minus", trial.minus}};
    return queue::Job{fmt::format("t{}", trial.number), match::kGamesJob, payload_of(config_, job)};
}

namespace {

/// A trial that a worker has played.
struct Played {
    std::uint64_t number = 0;
    std::vector<double> plus;
    std::vector<double> minus;
    std::vector<match::GameRow> games;
};

Expected<Played> played_of(const Json& done, const SpsaOptions& options, std::size_t parameters) {
    auto result = match::games_of(done);
    if (!result) return result.error();
    return strict::read_strictly("a worker's result", "are all workers of this version?", [&] {
        constexpr double kMostValue = 1e15;
        const Json& tag = result->tag;
        const auto point = [&](const char* name) {
            auto values = strict::reals(tag, name, parameters, -kMostValue, kMostValue);
            if (values.size() != parameters) {
                throw strict::StrictError(fmt::format("'{}' has too few members", name));
            }
            return values;
        };
        Played p{strict::natural(tag, "trial", options.trials - 1), point("plus"), point("minus"),
                 std::move(result->games)};
        if (p.games.size() != 2 * options.pairs) {
            throw strict::StrictError("not the games of a trial");
        }
        return p;
    });
}

}  // namespace

Status Climb::check(const queue::Done& done) const {
    const auto played = played_of(done.result, spsa_.options(), spsa_.theta().size());
    return played ? Status() : Status(played.error());
}

/// A trial that is known already is left out: a job may have been done twice.
Status Climb::merge(const queue::Done& done) {
    under_way_.erase(done.id);
    if (done.error) return *done.error;
    const auto played = played_of(done.result, spsa_.options(), spsa_.theta().size());
    if (!played) return played.error();
    if (is_done(played->number)) return {};
    Spsa::Trial trial = spsa_.start(played->number);  // for its directions
    trial.plus = played->plus;
    trial.minus = played->minus;
    double won = 0;  // minus lost, by the plus point
    for (const match::GameRow& row : played->games) {
        if (is_fault(row.result.end)) ++faults_;
        if (row.result.winner == Winner::Nobody) continue;
        const bool plus_first = row.slot.first == 0;
        won += (row.result.winner == Winner::First) == plus_first ? 1 : -1;
    }
    finish(trial, won);
    return {};
}

void Climb::finish(const Spsa::Trial& trial, double result) {
    spsa_.finish(trial, result);
    games_ += 2 * spsa_.options().pairs;
    done_[static_cast<std::size_t>(trial.number)] = true;
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(db,
                            "INSERT INTO trials (position, number, plus, minus, result, theta) "
                            "VALUES (?,?,?,?,?,?)");
        q.bind(1, static_cast<std::int64_t>(spsa_.finished()));
        q.bind(2, static_cast<std::int64_t>(trial.number));
        q.bind(3, Json(trial.plus).dump());
        q.bind(4, Json(trial.minus).dump());
        q.bind(5, result);
        q.bind(6, Json(spsa_.theta()).dump());
        q.exec();
    });
    if (watch_) watch_({spsa_, games_});
}

}  // namespace karikomi::tune
