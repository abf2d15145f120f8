/// A match: many games at once, done by whoever the queue finds, until the number is reached, the
/// sequential test has decided or somebody stops it.
#pragma once

#include <atomic>
#include <functional>
#include <set>

#include "karikomi/lab/match/games_job.hpp"
#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/match/scoreboard.hpp"
#include "karikomi/lab/match/store.hpp"
#include "karikomi/lab/store/machine.hpp"

namespace karikomi::match {

struct MatchView {  ///< for whoever watches, after each game
    const Scoreboard& board;
    const GameRow& last;
    double seconds = 0;
    std::uint64_t played = 0;  ///< in this run
    double llr = 0;
    std::string workers;  ///< who plays; may be empty
};

enum class Outcome : std::uint8_t { Finished, Stopped, H0, H1 };

class Match {
public:
    using Watch = std::function<void(const MatchView&)>;

    /// Starts every engine once. `database` may be ":memory:".
    static Expected<std::unique_ptr<Match>> make(const MatchConfig& config,
                                                 const std::string& database);
    /// Plays what is left. Watch is called from the calling thread.
    Expected<Outcome> run(queue::JobQueue& queue, const Watch& watch, const StopToken& stop);

    const MatchConfig& config() const { return config_; }
    const std::vector<std::string>& names() const { return names_; }
    const std::vector<Identity>& identities() const { return identities_; }
    const Scoreboard& board() const { return board_; }
    /// The same for all runs on one database.
    const std::string& run_id() const { return run_id_; }
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
    Status play(queue::JobQueue& queue, const StopToken& stop);
    std::optional<queue::Job> next_job();
    Json payload_for(const std::vector<std::uint64_t>& games);
    Status check(const queue::Done& done);
    Status merge(const queue::Done& done, const queue::JobQueue& queue);
    void finish(const GameRow& row, const std::string& workers);
    bool is_done(std::uint64_t game) const;
    bool is_over() const;  ///< enough is known, however many games are left

    MatchConfig config_;
    std::vector<std::string> names_;
    std::vector<Identity> identities_;
    std::vector<Pairing> pairings_;
    std::unique_ptr<Openings> openings_;
    std::unique_ptr<Store> store_;
    Json shipped_;  ///< parameters and evaluation of the game as it is now, for the record
    std::string run_id_;
    Scoreboard board_;
    std::vector<bool> done_;
    std::set<std::string> under_way_;  ///< jobs
    std::uint64_t next_ = 0;
    std::uint64_t played_ = 0;
    double seconds_ = 0;
    std::chrono::steady_clock::time_point start_;
    Verdict verdict_ = Verdict::Continue;
    Watch watch_;
};

/// Counts, estimates and the test.
Json result_json(const MatchConfig& config, const Scoreboard& board,
                 const std::vector<std::string>& names);
/// The name of the run that a database belongs to, made where there is none.
std::string run_id_of(lab::Database& database);

}  // namespace karikomi::match
