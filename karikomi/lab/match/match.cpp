#include "karikomi/lab/match/match.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/queue/feed.hpp"
#include "karikomi/lab/queue/wire.hpp"
#include "karikomi/version.hpp"

namespace karikomi::match {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Games that an earlier run of a match without end may have been ahead of this one.
constexpr std::uint64_t kFarAhead = 2'000;

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

/// Of two names that differ, one may be of no game at all.
Error different_games(const EngineSpec& e, const std::string& game) {
    for (const std::string& name : {game, e.game}) {
        if (const auto known = make_engine(name); !known) return known.error();
    }
    return {fmt::format("engine '{}': plays {}, the match is {}", e.text, e.game, game),
            "all engines must play one game"};
}

}  // namespace

// ---- Making ready -------------------------------------------------------------------------------

Expected<std::unique_ptr<Match>> Match::make(const MatchConfig& config,
                                             const std::string& database) {
    std::unique_ptr<Match> match(new Match);
    match->config_ = config;
    if (config.engines.size() < 2) {
        return Error{"a match needs two engines", "name them: internal:GAME, or PROTOCOL:COMMAND"};
    }
    if (config.sprt && config.engines.size() > 2) {
        return Error{"--sprt: compares two engines", "leave out the others"};
    }
    if (config.half_width > 0 && (config.sprt || config.engines.size() > 2)) {
        return Error{"--half-width: measures one engine against another, without --sprt",
                     "leave out the others"};
    }
    if (const Status s = match->prepare(database); !s) return s.error();
    return match;
}

Status Match::prepare(const std::string& database) {
    for (EngineSpec& e : config_.engines) {
        if (!e.game.empty() && e.game != config_.game) return different_games(e, config_.game);
        apply_defaults(e, config_);
        if (const Status s = check_limits(e, e.time); !s) return s;
    }
    auto referee = make_referee(config_.game, config_.rules);
    if (!referee) return referee.error();
    const GameInfo& info = (*referee)->info();
    shipped_ = {{"parameters", fingerprint((*referee)->params(), info)},
                {"evaluation", info.evaluation}};
    auto openings = Openings::make(config_.openings, std::move(*referee));
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
        setup.rules = config_.rules;
        const auto player = make_player(e, setup);
        if (!player) return player.error();
        identities_.push_back((*player)->identity());
    }
    name_engines();
    return {};
}

/// Short names that differ. Where all is internal, the settings are what differs.
void Match::name_engines() {
    for (const Identity& identity : identities_) {
        std::string name = identity.name;
        const auto clash = [&](const std::string& n) {
            return std::find(names_.begin(), names_.end(), n) != names_.end();
        };
        for (int k = 2; clash(name); ++k) name = fmt::format("{} #{}", identity.name, k);
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
            if (key == "games" || key == "half_width" ||
                recorded.value(key, Json(nullptr)) == value)
                continue;
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
    const Json here = lab::machine_json();
    machines[here["host"].get<std::string>()] = here;
    store_->set("machines", machines);
    store_->set("runner", {{"version", kVersion}, {"commit", kCommit}, {"compiler", kCompiler}});
    if (store_->get("created").is_null()) {
        store_->set("created", lab::utc_now());
        store_->set("shipped", shipped_);
    }
    run_id_ = run_id_of(store_->database());
    return {};
}

std::uint64_t Match::total_games() const {
    const std::uint64_t even = config_.games + config_.games % 2;
    return even * pairings_.size();
}

// ---- Playing ------------------------------------------------------------------------------------

Expected<Outcome> Match::run(queue::JobQueue& queue, const Watch& watch, const StopToken& stop) {
    watch_ = watch;
    start_ = SteadyClock::now();
    const Status played = is_over() ? Status() : play(queue, stop);
    queue.cancel();
    seconds_ = std::chrono::duration<double>(SteadyClock::now() - start_).count();
    if (!played) return played.error();
    if (verdict_ != Verdict::Continue) {
        return verdict_ == Verdict::H1 ? Outcome::H1 : Outcome::H0;
    }
    const std::uint64_t total = total_games();
    const bool all = total > 0 && board_.games() >= total;
    return all || is_over() ? Outcome::Finished : Outcome::Stopped;
}

bool Match::is_over() const {
    if (verdict_ != Verdict::Continue) return true;
    return config_.half_width > 0 && is_precise(board_.row(0).pairs, config_.half_width);
}

Status Match::play(queue::JobQueue& queue, const StopToken& stop) {
    return queue::run(queue,
                      {stop, [&] { return !is_over(); }, [&] { return next_job(); },
                       [&](const queue::Done& done) { return check(done); },
                       [&](const queue::Done& done) { return merge(done, queue); }, under_way_});
}

bool Match::is_done(std::uint64_t game) const {
    return game < done_.size() && done_[static_cast<std::size_t>(game)];
}

/// The next games that nobody has played, up to a batch. One job, one pairing.
std::optional<queue::Job> Match::next_job() {
    const std::uint64_t total = total_games();
    const auto most = static_cast<std::size_t>(std::max(config_.batch, 1));
    std::vector<std::uint64_t> games;
    for (; games.size() < most && (total == 0 || next_ < total); ++next_) {
        if (is_done(next_)) continue;
        const auto pairing = [&](std::uint64_t game) { return slot_of(game, pairings_).pairing; };
        if (!games.empty() && pairing(games.front()) != pairing(next_)) break;
        games.push_back(next_);
    }
    if (games.empty()) return std::nullopt;
    std::string id = fmt::format("g{}-{}", games.front(), games.back());
    return queue::Job{std::move(id), kGamesJob, payload_for(games)};
}

/// All that is needed to play these games, which are of one pairing.
Json Match::payload_for(const std::vector<std::uint64_t>& games) {
    GamesJob job;
    const std::size_t pairing = slot_of(games.front(), pairings_).pairing;
    for (const int e : {pairings_[pairing].a, pairings_[pairing].b}) {
        const auto i = static_cast<std::size_t>(e);
        job.players.push_back({config_.engines[i].text, identities_[i], {}});
    }
    for (const std::uint64_t game : games) {
        const Slot slot = slot_of(game, pairings_);
        const std::size_t first = slot.first == pairings_[pairing].a ? 0 : 1;
        job.games.push_back(
            {game, first, 1 - first, openings_->get(static_cast<std::size_t>(slot.round))});
    }
    return payload_of(config_, job);
}

/// Are these games of ours, played as we want them? An answer to an earlier run of this match is
/// known by it too: the job is made once more and compared.
Status Match::check(const queue::Done& done) {
    const auto result = games_of(done.result);
    if (!result) return result.error();
    std::vector<std::uint64_t> games;
    for (const GameRow& row : result->games) {
        const std::uint64_t game = row.slot.game;
        const std::uint64_t total = total_games();
        const bool ours = total > 0 ? game < total : game < next_ + kFarAhead;
        if (!ours) return Error{fmt::format("game {} is none of this match", game)};
        games.push_back(game);
    }
    if (games.empty()) return Error{"a result without games"};
    for (const std::uint64_t game : games) {
        if (slot_of(game, pairings_).pairing != slot_of(games.front(), pairings_).pairing) {
            return Error{"games of several pairings in one result"};
        }
    }
    if (done.digest.empty() || queue::digest_of(kGamesJob, payload_for(games)) == done.digest)
        return {};
    return Error{"its games were played under other conditions"};
}

/// A game that is known already is left out: a job may have been done twice.
Status Match::merge(const queue::Done& done, const queue::JobQueue& queue) {
    under_way_.erase(done.id);
    if (done.error) return *done.error;
    auto result = games_of(done.result);
    if (!result) return result.error();
    for (GameRow& row : result->games) {
        const std::uint64_t number = row.slot.game;
        const std::uint64_t total = total_games();
        if (is_done(number) || (total > 0 && number >= total)) continue;
        if (is_over()) break;
        row.slot = slot_of(number, pairings_);
        finish(row, queue.state());
    }
    return {};
}

void Match::finish(const GameRow& row, const std::string& workers) {
    store_->save(row);
    const auto number = static_cast<std::size_t>(row.slot.game);
    if (done_.size() <= number) done_.resize(number + 1);
    done_[number] = true;
    board_.add(summary_of(row));
    ++played_;
    const double ratio = llr();
    if (config_.sprt) verdict_ = verdict(ratio, *config_.sprt);
    const double seconds = std::chrono::duration<double>(SteadyClock::now() - start_).count();
    if (watch_) watch_({board_, row, seconds, played_, ratio, workers});
}

double Match::llr() const {
    if (!config_.sprt) return 0;
    return log_likelihood_ratio(board_.row(0).pairs, *config_.sprt);
}

// ---- The result ---------------------------------------------------------------------------------

Json result_json(const MatchConfig& config, const Scoreboard& board,
                 const std::vector<std::string>& names) {
    Json out = board.to_json(names);
    if (config.half_width > 0) {
        out["half_width"] = {{"wanted", config.half_width},
                             {"reached", is_precise(board.row(0).pairs, config.half_width)}};
    }
    if (!config.sprt) return out;
    const double llr = log_likelihood_ratio(board.row(0).pairs, *config.sprt);
    const Verdict v = verdict(llr, *config.sprt);
    Json test = to_json(*config.sprt);
    test["llr"] = llr;
    test["lower"] = config.sprt->lower();
    test["upper"] = config.sprt->upper();
    test["verdict"] = v == Verdict::Continue ? "continue" : v == Verdict::H1 ? "H1" : "H0";
    // It ends when one side happens to be ahead, and so its Elo looks larger than it is.
    test["stopped"] = v != Verdict::Continue;
    out["elo_biased"] = v != Verdict::Continue;
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
    out["rules"] = to_json(config_)["rules"];
    out["openings"] = to_json(config_.openings);
    out["margin_ms"] = config_.margin_ms;
    out["concurrency"] = config_.concurrency;
    out["seconds"] = seconds_;
    out["played_now"] = played_;
    out["machine"] = lab::machine_json();
    out["commit"] = kCommit;
    return out;
}

std::string run_id_of(lab::Database& database) {
    const Json known = database.get("run");
    if (known.is_string()) return known;
    std::random_device device;
    const std::string made = fmt::format("{:08x}{:08x}", device(), device());
    database.set("run", made);
    return made;
}

}  // namespace karikomi::match
