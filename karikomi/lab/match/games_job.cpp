#include "karikomi/lab/match/games_job.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/store/machine.hpp"

namespace karikomi::match {
namespace {

constexpr std::size_t kTablesKept = 4;  // of internal engines that do not play now

Json pairs_json(const EngineSpec::Pairs& pairs) {
    Json out = Json::array();
    for (const auto& [key, value] : pairs) out.push_back({key, value});
    return out;
}

EngineSpec::Pairs pairs_of(const Json& json) {
    EngineSpec::Pairs out;
    for (const Json& p : json) {
        out.emplace_back(p.at(0).get<std::string>(), p.at(1).get<std::string>());
    }
    return out;
}

/// Throws what nlohmann's library throws.
GamesJob job_of(const Json& payload) {
    GamesJob job;
    for (const Json& p : payload.at("players")) {
        const auto identity = identity_of(p.at("identity"));
        if (!identity) throw std::runtime_error(identity.error().what);
        job.players.push_back({p.at("engine"), *identity, pairs_of(p.at("settings"))});
    }
    for (const Json& g : payload.at("games")) {
        JobGame game{g.at("game"), g.at("first"), g.at("second"), {}};
        game.opening.position = g.at("position");
        game.opening.moves = g.at("moves").get<std::vector<std::string>>();
        if (std::max(game.first, game.second) >= job.players.size()) {
            throw std::runtime_error("a game without players");
        }
        job.games.push_back(std::move(game));
    }
    job.tag = payload.value("tag", Json(nullptr));
    return job;
}

class GamesHandler final : public queue::Handler {
public:
    GamesHandler(const WorkPlace& place, int slot) : place_(place), slot_(slot) {}

    Expected<Json> run(const Json& payload, const StopToken& stop) override {
        try {
            return play_all(payload, stop);
        } catch (const Json::exception& e) {
            return Error{fmt::format("job of games: {}", e.what()),
                         "is the worker of the same version?"};
        }
    }
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
        const GamesJob job = job_of(payload);
        games_done_ = 0;
        games_ = job.games.size();
        auto seats = seat(job);
        if (!seats) return seats.error();
        Json out = {{"games", Json::array()}, {"tag", job.tag}};
        for (const JobGame& g : job.games) {
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
        PlayerSetup setup;
        setup.game = config_.game;
        setup.rules = config_.rules;
        if (place_.affinity) {
            setup.cpu = cpu_of_slot(slot_);
        }
        auto player = make_player(*spec, setup);
        if (!player) return player.error();
        const Identity& here = (*player)->identity();
        if (!same_engine(here, wanted.identity)) {
            return Error{fmt::format("engine '{}' is another one here: version '{}', parameters "
                                     "'{}'; wanted '{}', '{}'",
                                     wanted.engine, here.version, here.fingerprint,
                                     wanted.identity.version, wanted.identity.fingerprint),
                         "use one build everywhere: games of different programs do not add up"};
        }
        seats_.push_back({wanted.engine, twin, std::move(*spec), {}, std::move(*player)});
        return {};
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
    try {
        GamesResult out;
        for (const Json& g : result.at("games")) out.games.push_back(unpack(g));
        out.tag = result.value("tag", Json(nullptr));
        return out;
    } catch (const Json::exception& e) {
        return Error{fmt::format("a worker's result: {}", e.what()),
                     "are all workers of this version?"};
    }
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
    try {
        const auto text = [&](const char* key) { return json.value(key, std::string()); };
        return Identity{text("name"), text("version"), text("binary_hash"), text("fingerprint"),
                        text("evaluation")};
    } catch (const Json::exception& e) {
        return Error{fmt::format("identity of an engine: {}", e.what()), "the record is damaged"};
    }
}

}  // namespace karikomi::match
