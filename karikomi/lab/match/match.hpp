/// A match: many games at once, each in a thread of its own, until the number is reached, the
/// sequential test has decided or somebody stops it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "karikomi/lab/match/scoreboard.hpp"
#include "karikomi/lab/match/store.hpp"

namespace karikomi::match {

struct MatchConfig {
    std::string game;
    std::vector<EngineSpec> engines;
    TimeControl time;  ///< of engines that have none of their own
    std::int64_t margin_ms = 200;
    std::int64_t hang_ms = 60'000;
    Adjudication adjudication;
    OpeningOptions openings;
    std::uint64_t games = 100;  ///< for each pairing; 0: until the test decides
    int concurrency = 1;
    bool gauntlet = false;  ///< the first engine against each other one
    int threads = 1;        ///< of engines that say nothing of it
    int hash_mb = 64;
    bool affinity = false;  ///< each game on a processor of its own
    std::optional<Sprt> sprt;
};
/// All that decides what the games are; a match goes on only under the same.
Json to_json(const MatchConfig& config);
Expected<MatchConfig> config_of(const Json& json);

struct MatchView {  ///< for whoever watches, after each game
    const Scoreboard& board;
    const GameRow& last;
    double seconds = 0;
    std::uint64_t played = 0;  ///< in this run
    double llr = 0;
};

enum class Outcome : std::uint8_t { Finished, Stopped, H0, H1 };

class Match {
public:
    using Watch = std::function<void(const MatchView&)>;

    /// Starts every engine once. `database` may be ":memory:".
    static Expected<std::unique_ptr<Match>> make(const MatchConfig& config,
                                                 const std::string& database);
    /// Plays what is left. Watch is called from one thread at a time.
    Expected<Outcome> run(const Watch& watch);
    void stop();  ///< from any thread

    const MatchConfig& config() const { return config_; }
    const std::vector<std::string>& names() const { return names_; }
    const std::vector<Identity>& identities() const { return identities_; }
    const Scoreboard& board() const { return board_; }
    std::uint64_t total_games() const;  ///< 0: no end in sight
    double llr() const;
    /// The result, with its conditions.
    Json result() const;
    Store& store() { return *store_; }

private:
    Match() = default;
    Status prepare(const std::string& database);
    Status identify();
    Status agree_with_store();
    void name_engines();
    void play_slot(int number);
    Player* player_for(std::vector<std::unique_ptr<Player>>& players, int engine, int slot);
    std::optional<Slot> next_slot(Opening& opening);
    void finish(GameRow row);
    void fail(const Error& error);
    void stop_players();

    MatchConfig config_;
    std::vector<std::string> names_;
    std::vector<Identity> identities_;
    std::vector<Pairing> pairings_;
    std::unique_ptr<Openings> openings_;
    std::unique_ptr<Store> store_;
    Scoreboard board_;
    std::vector<bool> done_;
    std::uint64_t next_ = 0;
    std::uint64_t played_ = 0;
    double seconds_ = 0;
    Verdict verdict_ = Verdict::Continue;
    Watch watch_;
    std::optional<Error> error_;
    std::atomic<bool> stop_{false};
    std::atomic<bool> stopped_by_user_{false};
    std::mutex mutex_;  ///< guards what the threads share: all above from openings_ on
    std::mutex players_mutex_;
    std::vector<Player*> players_;  ///< all that run, for stop()
};

/// Counts, estimates and the test.
Json result_json(const MatchConfig& config, const Scoreboard& board,
                 const std::vector<std::string>& names);
/// The difference of discs at the end, for the first player; nothing for other games.
std::optional<int> margin_of(const std::string& game, const std::string& final_position);
/// Name, cores and system of this machine.
Json machine_json();
std::string utc_now();

}  // namespace karikomi::match
