#include "karikomi/lab/match/games_job.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/store/machine.hpp"

namespace karikomi::match {
namespace {

constexpr std::size_t kTablesKept = 4;  // of internal engines that do not play now
// What a job may hold.
constexpr std::size_t kMostPlayers = 16;
constexpr std::size_t kMostGames = 10'000;
constexpr std::size_t kMostSettings = 1'000;
constexpr std::size_t kMostText = 4'000;    // bytes of a name, an engine, a position
constexpr std::size_t kMostMoves = 10'000;  // of an opening
constexpr std::size_t kMostMoveText = 64;   // bytes

Json pairs_json(const EngineSpec::Pairs& pairs) {
    Json out = Json::array();
    for (const auto& [key, value] : pairs) out.push_back({key, value});
    return out;
}

EngineSpec::Pairs pairs_of(const Json& of, const char* name) {
    EngineSpec::Pairs out;
    for (const Json& p : strict::list(of, name, kMostSettings)) {
        const bool pair = p.is_array() && p.size() == 2 && p[0].is_string() && p[1].is_string();
        if (!pair)
            throw strict::StrictError(fmt::format("'{}' has a member that is no pair", name));
        out.emplace_back(p[0].get<std::string>(), p[1].get<std::string>());
    }
    return out;
}

JobPlayer player_of(const Json& p) {
    const auto identity = identity_of(strict::object(p, "identity"));
    if (!identity) throw strict::StrictError(identity.error().what);
    return {strict::text(p, "engine", kMostText), *identity, pairs_of(p, "settings")};
}

JobGame game_of(const Json& g, std::size_t players) {
    const auto player = [&](const char* name) {
        return static_cast<std::size_t>(
            strict::whole(g, name, 0, static_cast<std::int64_t>(players) - 1));
    };
    JobGame game{strict::natural(g, "game", static_cast<std::uint64_t>(strict::kMostExact)),
                 player("first"),
                 player("second"),
                 {}};
    if (game.first == game.second) throw strict::StrictError("a game of one player");
    game.opening.position = strict::text(g, "position", kMostText);
    game.opening.moves = strict::texts(g, "moves", kMostMoves, kMostMoveText);
    return game;
}

/// Throws StrictError.
GamesJob job_of(const Json& payload) {
    GamesJob job;
    for (const Json& p : strict::list(payload, "players", kMostPlayers)) {
        job.players.push_back(player_of(p));
    }
    for (const Json& g : strict::list(payload, "games", kMostGames)) {
        job.games.push_back(game_of(g, job.players.size()));
    }
    if (job.games.empty()) throw strict::StrictError("'games' is empty");
    job.tag = strict::member(payload, "tag");
    return job;
}

Expected<GamesJob> read_job(const Json& payload) {
    return strict::read_strictly("job of games", "is the worker of the same version?",
                                 [&] { return job_of(payload); });
}

class GamesHandler final : public queue::Handler {
public:
    GamesHandler(const WorkPlace& place, int slot) : place_(place), slot_(slot) {}

    Status check(const Json& payload) const override {
        const auto job = read_job(payload);
        if (!job) return job.error();
        const auto match = strict::read_strictly("job of games", "is the worker of this version?",
                                                 [&] { return strict::object(payload, "match"); });
        if (!match) return match.error();
        const auto config = config_of(*match);
        if (!config) return config.error();
        for (const JobPlayer& p : job->players) {
            if (const auto spec = parse_engine(p.engine); !spec) return spec.error();
        }
        return {};
    }

    Expected<Json> run(const Json& payload, const StopToken& stop) override {
        details_.clear();
        return play_all(payload, stop);
    }
    std::string details() const override { return details_; }
    Json progress() const override {
        return {{"games_done", games_done_.load()}, {"games", games_.load()}};
    }

private:
    /// A player that is kept for the next job.
    struct Seat {
        std::string engine;
        std::size_t twin = 0;  ///< of players with the same text: which
        EngineSpec spec;
        EngineSpec::Pairs settings;
        std::unique_ptr<Player> player;
    };

    Expected<Json> play_all(const Json& payload, const StopToken& stop) {
        if (const Status s = prepare(payload.at("match")); !s) return s.error();
        const auto job = read_job(payload);
        if (!job) return job.error();
        games_done_ = 0;
        games_ = job->games.size();
        auto seats = seat(*job);
        if (!seats) return seats.error();
        Json out = {{"games", Json::array()}, {"tag", job->tag}};
        for (const JobGame& g : job->games) {
            GameRow row = play_one(g, {(*seats)[g.first], (*seats)[g.second]}, stop);
            if (stop.stop_requested()) return Error{"stopped", ""};
            out["games"].push_back(pack(row));
            ++games_done_;
        }
        return out;
    }

    /// Another match: nothing of the last one stays.
    Status prepare(const Json& match) {
        if (referee_ && match == match_) return {};
        seats_.clear();
        auto config = config_of(match);
        if (!config) return config.error();
        config_ = std::move(*config);
        auto referee = make_referee(config_.game, config_.rules);
        if (!referee) return referee.error();
        referee_ = std::move(*referee);
        match_ = match;
        return {};
    }

    /// The players of a job, made where they are not there, with the job's settings.
    Expected<std::vector<std::size_t>> seat(const GamesJob& job) {
        std::vector<std::size_t> taken;
        forget_others(job);
        for (std::size_t i = 0; i < job.players.size(); ++i) {
            const JobPlayer& wanted = job.players[i];
            const auto twin = static_cast<std::size_t>(
                std::count_if(job.players.begin(), job.players.begin() + static_cast<long>(i),
                              [&](const JobPlayer& p) { return p.engine == wanted.engine; }));
            const auto found = std::find_if(seats_.begin(), seats_.end(), [&](const Seat& s) {
                return s.engine == wanted.engine && s.twin == twin;
            });
            if (found == seats_.end()) {
                if (const Status s = add_seat(wanted, twin); !s) return s.error();
                taken.push_back(seats_.size() - 1);
            } else {
                taken.push_back(static_cast<std::size_t>(found - seats_.begin()));
            }
            Seat& s = seats_[taken.back()];
            if (s.settings == wanted.settings) continue;
            if (const Status a = s.player->adjust(wanted.settings); !a) return a.error();
            s.settings = wanted.settings;
        }
        return taken;
    }

    Status add_seat(const JobPlayer& wanted, std::size_t twin) {
        auto spec = parse_engine(wanted.engine);
        if (!spec) return spec.error();
        if (spec->protocol != Protocol::Internal && !place_.commands) {
            return Error{fmt::format("engine '{}': this worker runs no commands", wanted.engine),
                         "start it with --allow-commands where you trust whoever sends jobs"};
        }
        apply_defaults(*spec, config_);
        if (const Status s = check_place(*spec); !s) return s;
        PlayerSetup setup;
        setup.game = config_.game;
        setup.rules = config_.rules;
        if (place_.affinity) {
            setup.cpu = cpu_of_slot(slot_);
        }
        auto player = make_player(*spec, setup);
        if (!player) return refusal(*spec, player.error());
        const Identity& here = (*player)->identity();
        if (!same_engine(here, wanted.identity)) {
            return refusal(*spec,
                           {fmt::format("engine '{}' is another one here: version '{}', "
                                        "parameters '{}'; wanted '{}', '{}'",
                                        wanted.engine, here.version, here.fingerprint,
                                        wanted.identity.version, wanted.identity.fingerprint),
                            "use one build everywhere: games of different programs do not "
                            "add up"});
        }
        seats_.push_back({wanted.engine, twin, std::move(*spec), {}, std::move(*player)});
        return {};
    }

    /// More than this machine gives to a job.
    Status check_place(const EngineSpec& spec) const {
        if (place_.most_hash_mb > 0 && spec.hash_mb > place_.most_hash_mb) {
            return Error{fmt::format("engine '{}': a table of {} MB, and this worker gives {}",
                                     spec.text, spec.hash_mb, place_.most_hash_mb),
                         "choose a smaller --hash, or start the worker with a larger --max-hash"};
        }
        if (place_.most_threads > 0 && spec.threads > place_.most_threads) {
            return Error{fmt::format("engine '{}': {} threads, and this worker gives {}", spec.text,
                                     spec.threads, place_.most_threads),
                         "choose fewer --threads, or start the worker with more --max-threads"};
        }
        return {};
    }

    /// What is said of an engine that needs files or programs tells nothing of them: whoever sends
    /// jobs could look around on this machine. The whole text stays here.
    Error refusal(const EngineSpec& spec, const Error& why) {
        const bool files = spec.protocol != Protocol::Internal || !spec.params_file.empty() ||
                           !spec.weights_file.empty();
        if (!files) return why;
        details_ = why.what;
        return {fmt::format("engine '{}': cannot play here as it is wanted", spec.text),
                "the worker says more on its own machine: are program and files there, and the "
                "same?"};
    }

    /// In a match of many, tables of engines that do not play now would fill the memory. Internal
    /// ones are quickly made again.
    void forget_others(const GamesJob& job) {
        if (seats_.size() <= kTablesKept) return;
        std::erase_if(seats_, [&](const Seat& s) {
            const bool plays =
                std::any_of(job.players.begin(), job.players.end(),
                            [&](const JobPlayer& p) { return p.engine == s.engine; });
            return !plays && s.spec.protocol == Protocol::Internal;
        });
    }

    GameRow play_one(const JobGame& g, const std::array<std::size_t, 2>& who,
                     const StopToken& stop) {
        GameRules rules;
        rules.margin_ms = config_.margin_ms;
        rules.hang_ms = config_.hang_ms;
        rules.adjudication = config_.adjudication;
        std::array<Player*, 2> sides{};
        for (std::size_t s = 0; s < 2; ++s) {
            rules.time[s] = seats_[who[s]].spec.time;
            sides[s] = seats_[who[s]].player.get();
        }
        GameRow row;
        row.slot.game = g.number;
        row.slot.first = static_cast<int>(g.first);
        row.slot.second = static_cast<int>(g.second);
        row.opening = g.opening;
        row.started = lab::utc_now();
        row.host = host_;
        row.result = play_game(*referee_, sides, g.opening, rules, stop);
        if (row.result.end == End::ByRules) {
            const GameModule* const module = find_game(config_.game);
            if (module != nullptr && module->margin) {
                row.margin = module->margin(row.result.final_position);
            }
        }
        return row;
    }

    WorkPlace place_;
    int slot_;
    std::string details_;  ///< of the last refusal
    std::string host_ = lab::machine_json()["host"];
    Json match_;
    MatchConfig config_;
    std::unique_ptr<Engine> referee_;
    std::vector<Seat> seats_;
    std::atomic<std::uint64_t> games_done_{0};
    std::atomic<std::uint64_t> games_{0};
};

}  // namespace

Json payload_of(const MatchConfig& config, const GamesJob& job) {
    Json match = to_json(config);
    match["engines"] = Json::array();  // the job's players say what is needed
    // Not of the games: a run that goes on may ask for more of them.
    match["games"] = 0;
    match["sprt"] = nullptr;
    match.erase("half_width");
    Json players = Json::array();
    for (const JobPlayer& p : job.players) {
        players.push_back({{"engine", p.engine},
                           {"identity", to_json(p.identity)},
                           {"settings", pairs_json(p.settings)}});
    }
    Json games = Json::array();
    for (const JobGame& g : job.games) {
        games.push_back({{"game", g.number},
                         {"first", g.first},
                         {"second", g.second},
                         {"position", g.opening.position},
                         {"moves", g.opening.moves}});
    }
    return {{"match", match}, {"players", players}, {"games", games}, {"tag", job.tag}};
}

Expected<GamesResult> games_of(const Json& result) {
    return strict::read_strictly("a worker's result", "are all workers of this version?", [&] {
        GamesResult out;
        for (const Json& g : strict::list(result, "games", kMostGames)) {
            out.games.push_back(unpack(g));
        }
        out.tag = strict::member(result, "tag");
        return out;
    });
}

int cpu_of_slot(int slot) {
    return slot % static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

queue::Makers game_makers(const WorkPlace& place) {
    return {{kGamesJob, [place](int slot) { return std::make_unique<GamesHandler>(place, slot); }}};
}

void apply_defaults(EngineSpec& spec, const MatchConfig& config) {
    if (spec.time.empty()) spec.time = config.time;
    if (spec.threads == 0) spec.threads = config.threads;
    if (spec.hash_mb == 0) spec.hash_mb = config.hash_mb;
}

bool same_engine(const Identity& a, const Identity& b) {
    const bool internal = !a.fingerprint.empty() || !b.fingerprint.empty();
    return a.name == b.name && a.version == b.version && a.fingerprint == b.fingerprint &&
           a.evaluation == b.evaluation && (internal || a.binary_hash == b.binary_hash);
}

Expected<Identity> identity_of(const Json& json) {
    return strict::read_strictly("identity of an engine", "the record is damaged", [&] {
        const auto text = [&](const char* key) {
            return strict::text_or(json, key, "", kMostText);
        };
        return Identity{text("name"), text("version"), text("binary_hash"), text("fingerprint"),
                        text("evaluation")};
    });
}

}  // namespace karikomi::match
