#include <algorithm>
#include <charconv>
#include <cmath>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "karikomi/lab/queue/feed.hpp"
#include "karikomi/lab/tune/tune.hpp"
#include "karikomi/version.hpp"

namespace karikomi::tune {
namespace {

using lab::Database;
using match::EngineSpec;
using match::Opening;

constexpr int kFormat = 1;
constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS trials (position INTEGER PRIMARY KEY, number INTEGER NOT NULL,"
    " plus TEXT NOT NULL, minus TEXT NOT NULL, result REAL NOT NULL, theta TEXT NOT NULL)";

Expected<double> number(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || stop != end) {
        return Error{fmt::format("--param: '{}' is no number", text), "give one"};
    }
    return value;
}

std::string engine_text(const std::string& game, const std::string& base) {
    return base.empty() ? "internal:" + game : fmt::format("internal:{}?{}", game, base);
}

/// A step that can be felt, where nobody says.
double usual_step(const SpsaParam& p) {
    const double share = 0.2 * std::abs(p.start);
    return std::max(share, p.integer ? 0.75 : (p.max - p.min) / 50);
}

}  // namespace

Expected<SpsaParam> parse_climb(const std::string& text, const SearchParams& params) {
    SpsaParam p;
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    const std::size_t equals = std::min(parts[0].find('='), parts[0].size());
    p.path = parts[0].substr(0, equals);
    std::vector<std::string> paths;
    bool found = false;
    for (const ParamInfo& info : list_params(params)) {
        paths.push_back(info.path);
        if (info.path != p.path) continue;
        found = true;
        if (info.type != ParamType::Integer && info.type != ParamType::Real) {
            return Error{fmt::format("--param: {} is no number", p.path), "use a grid for it"};
        }
        p.integer = info.type == ParamType::Integer;
        p.min = info.min, p.max = info.max;
        p.start = info.value.get<double>();
    }
    if (!found) {
        const std::string near = nearest_name(p.path, paths);
        return Error{
            fmt::format("--param: there is no parameter '{}'", p.path),
            near.empty() ? "see `karikomi params`" : fmt::format("did you mean '{}'?", near)};
    }
    p.c_end = 0;
    const bool has_start = equals < parts[0].size();
    if (has_start) parts[0] = "start=" + parts[0].substr(equals + 1);
    for (std::size_t i = has_start ? 0 : 1; i < parts.size(); ++i) {
        const std::string key = parts[i].substr(0, parts[i].find('='));
        double* to = key == "start" ? &p.start
                     : key == "c"   ? &p.c_end
                     : key == "r"   ? &p.r_end
                                    : nullptr;
        if (to == nullptr || key.size() == parts[i].size()) {
            return Error{fmt::format("--param: '{}' in '{}' is unknown", parts[i], text),
                         "write PATH=START,c=STEP,r=RATE"};
        }
        const auto value = number(parts[i].substr(key.size() + 1));
        if (!value) return value.error();
        *to = *value;
    }
    if (p.start < p.min || p.start > p.max) {
        return Error{fmt::format("--param: {}: {} outside {}..{}", p.path, p.start, p.min, p.max),
                     "choose a value inside"};
    }
    if (p.c_end == 0) p.c_end = usual_step(p);
    if (!(p.c_end > 0) || !(p.r_end > 0)) {
        return Error{fmt::format("--param: {}: c and r must be above 0", p.path), "give others"};
    }
    return p;
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
    return {{"params", params}, {"trials", o.trials}, {"seed", o.seed}};
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
        SQLite::Statement q((*database)->sql(), "SELECT theta FROM trials ORDER BY position");
        while (q.executeStep()) {
            auto theta = Json::parse(q.getColumn(0).getString()).get<std::vector<double>>();
            if (theta.size() != config->options.params.size()) {
                return Error{"recorded trials are of another run", "start a new run"};
            }
            spsa.restore(theta);
        }
    } catch (const std::exception& e) {
        return Error{fmt::format("database '{}': {}", path, e.what()), "start a new run"};
    }
    return spsa;
}

Expected<std::unique_ptr<Climb>> Climb::make(const match::MatchConfig& config,
                                             const std::string& base, const SpsaOptions& options,
                                             const std::string& database) {
    std::unique_ptr<Climb> climb(new Climb(options));
    climb->config_ = config;
    auto spec = match::parse_engine(engine_text(config.game, base));
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
    const std::string& text = spec_.text;
    const std::size_t mark = text.find('?');
    const Json config = {{"match", to_json(config_)},
                         {"base", mark == std::string::npos ? "" : text.substr(mark + 1)},
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
    SQLite::Statement q(database_->sql(), "SELECT number, theta FROM trials ORDER BY position");
    while (q.executeStep()) {
        const auto done = static_cast<std::size_t>(q.getColumn(0).getInt64());
        if (done_.size() <= done) done_.resize(done + 1);
        done_[done] = true;
        spsa_.restore(Json::parse(q.getColumn(1).getString()).get<std::vector<double>>());
    }
    games_ = 2 * spsa_.finished();
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

Expected<bool> Climb::run(queue::JobQueue& queue, const Watch& watch) {
    watch_ = watch;
    const Status climbed = climb(queue);
    queue.cancel();
    if (!climbed) return climbed.error();
    return spsa_.finished() >= spsa_.options().trials;
}

Status Climb::climb(queue::JobQueue& queue) {
    constexpr std::size_t kPerSlot = 1;  // a trial begins where the last ones have led
    return queue::run(queue,
                      {[&] { return !stop_; }, [&] { return next_job(); },
                       [&](const queue::Done& done) { return merge(done); }, under_way_, kPerSlot});
}

bool Climb::is_done(std::uint64_t trial) const {
    return trial < done_.size() && done_[static_cast<std::size_t>(trial)];
}

/// A trial is a pair of games between its two points, with colours swapped.
std::optional<queue::Job> Climb::next_job() {
    while (is_done(next_)) ++next_;
    if (next_ >= spsa_.options().trials) return std::nullopt;
    const Spsa::Trial trial = spsa_.start(next_++);
    match::GamesJob job;
    for (const auto& values : {trial.plus, trial.minus}) {
        job.players.push_back({spec_.text, identity_, settings_of(values)});
    }
    const Opening opening = openings_->get(static_cast<std::size_t>(trial.number));
    job.games = {{2 * trial.number, 0, 1, opening}, {2 * trial.number + 1, 1, 0, opening}};
    job.tag = {{"trial", trial.number}, {"plus", trial.plus}, {"minus", trial.minus}};
    return queue::Job{fmt::format("t{}", trial.number), match::kGamesJob, payload_of(config_, job)};
}

/// A trial that is known already is left out: a job may have been done twice.
Status Climb::merge(const queue::Done& done) {
    under_way_.erase(done.id);
    if (done.error) return *done.error;
    const auto result = match::games_of(done.result);
    if (!result) return result.error();
    const Json& tag = result->tag;
    if (!tag.is_object() || result->games.size() != 2) {
        return Error{"a worker's result is no trial", "are all workers of this version?"};
    }
    const std::uint64_t number = tag.value("trial", spsa_.options().trials);
    if (number >= spsa_.options().trials || is_done(number)) return {};
    Spsa::Trial trial = spsa_.start(number);  // for its directions
    trial.plus = tag.at("plus").get<std::vector<double>>();
    trial.minus = tag.at("minus").get<std::vector<double>>();
    double won = 0;  // minus lost, by the plus point
    for (const match::GameRow& row : result->games) {
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
    games_ += 2;
    if (done_.size() <= trial.number) done_.resize(static_cast<std::size_t>(trial.number) + 1);
    done_[static_cast<std::size_t>(trial.number)] = true;
    SQLite::Statement q(database_->sql(), "INSERT INTO trials VALUES (?,?,?,?,?,?)");
    q.bind(1, static_cast<std::int64_t>(spsa_.finished()));
    q.bind(2, static_cast<std::int64_t>(trial.number));
    q.bind(3, Json(trial.plus).dump());
    q.bind(4, Json(trial.minus).dump());
    q.bind(5, result);
    q.bind(6, Json(spsa_.theta()).dump());
    q.exec();
    if (watch_) watch_({spsa_, games_});
}

}  // namespace karikomi::tune
