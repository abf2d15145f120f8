#include "karikomi/lab/match/match.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "karikomi/games/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::match {
namespace {

using SteadyClock = std::chrono::steady_clock;

Json sprt_json(const Sprt& s) {
    return {{"elo0", s.elo0},
            {"elo1", s.elo1},
            {"alpha", s.alpha},
            {"beta", s.beta},
            {"model", s.logistic ? "logistic" : "normalised"}};
}

/// Engines that cannot keep a limit by their protocol are refused, not left to think forever.
Status check_limits(const EngineSpec& e, const TimeControl& t) {
    if (t.empty()) {
        return Error{fmt::format("engine '{}': has no limit", e.text),
                     "give --move-time, --clock, --nodes, --depth or --level"};
    }
    const bool only_nodes = t.depth == 0 && t.level < 0 && !t.is_timed();
    if (e.protocol == Protocol::Nboard && only_nodes) {
        return Error{fmt::format("engine '{}': nboard knows no limit of nodes", e.text),
                     "give it a depth: nboard?depth=12:COMMAND"};
    }
    return {};
}

}  // namespace

// ---- The configuration --------------------------------------------------------------------------

Json to_json(const MatchConfig& c) {
    Json engines = Json::array();
    for (const EngineSpec& e : c.engines) engines.push_back(e.text);
    Json out = {{"game", c.game},
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
                {"sprt", c.sprt ? sprt_json(*c.sprt) : Json(nullptr)}};
    return out;
}

Expected<MatchConfig> config_of(const Json& j) {
    MatchConfig c;
    try {
        c.game = j.at("game");
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

// ---- Making ready -------------------------------------------------------------------------------

Expected<std::unique_ptr<Match>> Match::make(const MatchConfig& config,
                                             const std::string& database) {
    std::unique_ptr<Match> match(new Match);
    match->config_ = config;
    if (config.engines.size() < 2) {
        return Error{"a match needs two engines", "name them: internal:othello, nboard:COMMAND"};
    }
    if (config.sprt && config.engines.size() > 2) {
        return Error{"--sprt: compares two engines", "leave out the others"};
    }
    if (const Status s = match->prepare(database); !s) return s.error();
    return match;
}

Status Match::prepare(const std::string& database) {
    for (EngineSpec& e : config_.engines) {
        if (!e.game.empty() && e.game != config_.game) {
            return Error{
                fmt::format("engine '{}': plays {}, the match is {}", e.text, e.game, config_.game),
                "all engines must play one game"};
        }
        if (e.time.empty()) e.time = config_.time;
        if (e.threads == 0) e.threads = config_.threads;
        if (e.hash_mb == 0) e.hash_mb = config_.hash_mb;
        if (const Status s = check_limits(e, e.time); !s) return s;
    }
    auto openings = Openings::make(config_.openings, config_.game);
    if (!openings) return openings.error();
    openings_ = std::move(*openings);
    if (const Status s = identify(); !s) return s;
    pairings_ = pairings_of(static_cast<int>(config_.engines.size()), config_.gauntlet);
    board_ = Scoreboard(pairings_);
    auto store = Store::open(database);
    if (!store) return store.error();
    store_ = std::move(*store);
    if (const Status s = agree_with_store(); !s) return s;
    done_ = store_->done();
    store_->each_game([&](const GameRow& row) { board_.add(summary_of(row)); });
    if (config_.sprt) verdict_ = verdict(llr(), *config_.sprt);
    return {};
}

Status Match::identify() {
    for (const EngineSpec& e : config_.engines) {
        PlayerSetup setup;
        setup.game = config_.game;
        const auto player = make_player(e, setup);
        if (!player) return player.error();
        identities_.push_back((*player)->identity());
    }
    name_engines();
    return {};
}

/// Short names that differ. Where all is internal, the settings are what differs.
void Match::name_engines() {
    for (std::size_t i = 0; i < identities_.size(); ++i) {
        std::string name = identities_[i].name;
        const auto clash = [&](const std::string& n) {
            return std::find(names_.begin(), names_.end(), n) != names_.end();
        };
        for (int k = 2; clash(name); ++k) name = fmt::format("{} #{}", identities_[i].name, k);
        names_.push_back(name);
    }
}

/// A database that holds games of other conditions must not be mixed with ours.
Status Match::agree_with_store() {
    Json wanted = to_json(config_);
    wanted["openings_hash"] = openings_->file_hash();
    Json engines = Json::array();
    for (const Identity& id : identities_) engines.push_back(to_json(id));
    const Json recorded = store_->get("config");
    if (!recorded.is_null()) {
        for (const auto& [key, value] : wanted.items()) {
            if (key == "games" || recorded.value(key, Json(nullptr)) == value) continue;
            return Error{fmt::format("the database holds a match with another '{}'", key),
                         "use another --db, or --resume alone to go on with that match"};
        }
        if (store_->get("engines") != engines) {
            return Error{"an engine has changed since the database's games were played",
                         "use another --db: games of different programs do not add up"};
        }
    }
    store_->set("config", wanted);
    store_->set("engines", engines);
    store_->set("names", names_);
    // Games may be played on several machines, one after the other.
    Json machines = store_->get("machines");
    const Json here = machine_json();
    machines[here["host"].get<std::string>()] = here;
    store_->set("machines", machines);
    store_->set("runner", {{"version", kVersion}, {"commit", kCommit}, {"compiler", kCompiler}});
    if (!store_->has("created")) store_->set("created", utc_now());
    return {};
}

std::uint64_t Match::total_games() const {
    const std::uint64_t even = config_.games + config_.games % 2;
    return even * pairings_.size();
}

// ---- Playing ------------------------------------------------------------------------------------

Expected<Outcome> Match::run(const Watch& watch) {
    watch_ = watch;
    const auto start = SteadyClock::now();
    if (verdict_ == Verdict::Continue) {
        std::vector<std::thread> threads;
        const int slots = std::max(config_.concurrency, 1);
        threads.reserve(static_cast<std::size_t>(slots));
        for (int i = 0; i < slots; ++i) threads.emplace_back([this, i] { play_slot(i); });
        for (std::thread& t : threads) t.join();
    }
    seconds_ = std::chrono::duration<double>(SteadyClock::now() - start).count();
    if (error_) return *error_;
    if (verdict_ != Verdict::Continue) {
        return verdict_ == Verdict::H1 ? Outcome::H1 : Outcome::H0;
    }
    return stopped_by_user_ ? Outcome::Stopped : Outcome::Finished;
}

void Match::stop() {
    stopped_by_user_ = true;
    stop_players();
}

void Match::stop_players() {
    stop_ = true;
    const std::lock_guard lock(players_mutex_);
    for (Player* p : players_) p->stop();
}

void Match::fail(const Error& error) {
    {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = error;
    }
    stop_players();
}

Player* Match::player_for(std::vector<std::unique_ptr<Player>>& players, int engine, int slot) {
    auto& player = players[static_cast<std::size_t>(engine)];
    if (player) return player.get();
    PlayerSetup setup;
    setup.game = config_.game;
    if (config_.affinity) {
        setup.cpu = slot % static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    }
    auto made = make_player(config_.engines[static_cast<std::size_t>(engine)], setup);
    if (!made) {
        fail(made.error());
        return nullptr;
    }
    player = std::move(*made);
    const std::lock_guard lock(players_mutex_);
    players_.push_back(player.get());
    if (stop_) player->stop();
    return player.get();
}

std::optional<Slot> Match::next_slot(Opening& opening) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t total = total_games();
    while (next_ < done_.size() && done_[static_cast<std::size_t>(next_)]) ++next_;
    if (stop_ || (total > 0 && next_ >= total)) return std::nullopt;
    const Slot slot = slot_of(next_++, pairings_);
    opening = openings_->get(static_cast<std::size_t>(slot.round));
    return slot;
}

void Match::play_slot(int number) {
    std::vector<std::unique_ptr<Player>> players(config_.engines.size());
    try {
        const auto referee = make_engine(config_.game);
        if (!referee) return fail(referee.error());
        (*referee)->set_hash(1);
        const std::string host = machine_json()["host"];
        Opening opening;
        while (const auto slot = next_slot(opening)) {
            GameRules rules;
            rules.margin_ms = config_.margin_ms;
            rules.hang_ms = config_.hang_ms;
            rules.adjudication = config_.adjudication;
            std::array<Player*, 2> sides{};
            for (std::size_t s = 0; s < 2; ++s) {
                const int engine = s == 0 ? slot->first : slot->second;
                rules.time[s] = config_.engines[static_cast<std::size_t>(engine)].time;
                sides[s] = player_for(players, engine, number);
                if (sides[s] == nullptr) break;
            }
            if (sides[0] == nullptr || sides[1] == nullptr) break;
            GameRow row{*slot, opening, {}, utc_now(), host, {}};
            row.result = play_game(**referee, sides, opening, rules, stop_);
            if (row.result.end == End::Stopped) break;
            if (row.result.end == End::Rules) {
                row.margin = margin_of(config_.game, row.result.final_position);
            }
            finish(std::move(row));
        }
    } catch (const std::exception& e) {
        fail({fmt::format("game slot {}: {}", number, e.what()), "the games so far are kept"});
    }
    const std::lock_guard lock(players_mutex_);
    for (const auto& p : players) std::erase(players_, p.get());
}

void Match::finish(GameRow row) {
    bool decided = false;
    {
        const std::lock_guard lock(mutex_);
        if (verdict_ != Verdict::Continue) return;  // decided while this game was being played
        store_->save(row);
        board_.add(summary_of(row));
        ++played_;
        const double ratio = llr();
        if (config_.sprt) verdict_ = verdict(ratio, *config_.sprt);
        decided = verdict_ != Verdict::Continue;
        if (watch_) watch_({board_, row, 0, played_, ratio});
    }
    if (decided) stop_players();
}

double Match::llr() const {
    if (!config_.sprt) return 0;
    return log_likelihood_ratio(board_.row(0).pairs, *config_.sprt);
}

// ---- The result ---------------------------------------------------------------------------------

Json result_json(const MatchConfig& config, const Scoreboard& board,
                 const std::vector<std::string>& names) {
    Json out = board.to_json(names);
    if (!config.sprt) return out;
    const double llr = log_likelihood_ratio(board.row(0).pairs, *config.sprt);
    const Verdict v = verdict(llr, *config.sprt);
    Json test = sprt_json(*config.sprt);
    test["llr"] = llr;
    test["lower"] = config.sprt->lower();
    test["upper"] = config.sprt->upper();
    test["verdict"] = v == Verdict::Continue ? "continue" : v == Verdict::H1 ? "H1" : "H0";
    out["sprt"] = std::move(test);
    return out;
}

Json Match::result() const {
    Json engines = Json::array();
    for (std::size_t i = 0; i < names_.size(); ++i) {
        Json e = {{"name", names_[i]},
                  {"engine", config_.engines[i].text},
                  {"identity", to_json(identities_[i])},
                  {"limits", config_.engines[i].time.text()},
                  {"threads", config_.engines[i].threads},
                  {"hash_mb", config_.engines[i].hash_mb}};
        engines.push_back(std::move(e));
    }
    Json out = {{"event", "result"}, {"game", config_.game}, {"engines", engines}};
    out.update(result_json(config_, board_, names_));
    out["openings"] = to_json(config_.openings);
    out["margin_ms"] = config_.margin_ms;
    out["concurrency"] = config_.concurrency;
    out["seconds"] = seconds_;
    out["played_now"] = played_;
    out["machine"] = machine_json();
    out["commit"] = kCommit;
    return out;
}

std::optional<int> margin_of(const std::string& game, const std::string& final_position) {
    if (game != "othello" || final_position.size() < 64) return std::nullopt;
    const auto cells = final_position.begin();
    const auto black = static_cast<int>(std::count(cells, cells + 64, 'X'));
    const auto white = static_cast<int>(std::count(cells, cells + 64, 'O'));
    const int empty = 64 - black - white;  // they go to the winner
    if (black == white) return 0;
    return black > white ? black - white + empty : black - white - empty;
}

Json machine_json() {
    utsname system{};
    uname(&system);
    std::string model;
    std::ifstream cpu("/proc/cpuinfo");
    for (std::string line; model.empty() && std::getline(cpu, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            model = line.substr(colon + 2);
        }
    }
    return {{"host", system.nodename},
            {"system", fmt::format("{} {}", system.sysname, system.release)},
            {"cpu", model},
            {"cores", std::thread::hardware_concurrency()}};
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace karikomi::match
