/// Collecting samples: games are played or read, positions of them are searched at every depth.
/// What a unit (a game, a position of a file) gives depends on the plan and its number alone, so
/// that a run that was killed goes on as if nothing had happened.
#pragma once

#include <atomic>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/match/games_job.hpp"
#include "karikomi/lab/match/openings.hpp"
#include "karikomi/lab/match/spec.hpp"
#include "karikomi/lab/queue/queue.hpp"
#include "karikomi/lab/samples.hpp"
#include "karikomi/lab/subject.hpp"

namespace karikomi::lab {

inline constexpr const char* kSamplesJob = "samples";

/// How games are played that give positions.
struct PlayStyle {
    int random_plies = 8;  ///< at most, at the start
    Depth depth = 2;       ///< of the searches that choose the moves after that
    int noise = 20;        ///< percent of moves that are not the best one
    /// At most so many random moves before a position is taken: most nodes of a tree come from
    /// moves that nobody would play.
    int stray = 2;
    int most_plies = 300;
};
Json to_json(const PlayStyle& s);

/// All that decides what the samples are.
struct CollectPlan {
    std::string game;
    std::string weights_file{};  ///< empty: the game's own; whoever searches must have the file
    match::EngineSpec::Pairs rules;
    SearchParams params;  ///< of the searches that are sampled
    /// Not our own but this program's searches are sampled (usi:COMMAND, ...); then `params` only
    /// choose the moves of games that are played.
    std::string engine{};
    Depth depth = 8;
    int hash_mb = 16;
    PlayStyle style;
    int per_game = 8;  ///< positions taken of a game
    bool balance = false;
    std::uint64_t seed = 1;
    std::uint64_t games = 100;  ///< units wanted, in all runs together
    /// Games that were read, or positions (without moves); empty: games are played.
    std::vector<match::Opening> given;
    std::string given_name;  ///< "records" or "positions"
};

/// The game's own parameters with every technique off but those named.
Expected<SearchParams> measuring_params(const Engine& engine, const SearchParams& base,
                                        const std::vector<std::string>& with);

/// Games of record files, by the readers of the game.
Expected<std::vector<match::Opening>> read_games(const std::string& game,
                                                 const std::vector<std::string>& files);
/// One position a line, or POSITION moves M1 M2; lines with # are comments.
Expected<std::vector<match::Opening>> read_positions(Engine& referee, const std::string& file);

/// Does jobs of this kind.
queue::Makers sample_makers(const match::WorkPlace& place = {});

class Collector {
public:
    struct View {
        std::uint64_t units = 0;  ///< done, of plan.games
        std::size_t samples = 0;  ///< in the file
        std::string workers;
    };
    using Watch = std::function<void(const View&)>;

    static Expected<std::unique_ptr<Collector>> make(CollectPlan plan, const std::string& database);
    /// Does what is left. True when all is done, false when it was stopped.
    Expected<bool> run(queue::JobQueue& queue, const Watch& watch, const StopToken& stop);

    const CollectPlan& plan() const { return plan_; }
    SampleStore& store() { return *store_; }
    std::uint64_t units_done() const { return done_.size(); }
    std::size_t fresh() const { return fresh_; }  ///< samples that this run has added
    /// Positions that were left out because the program that is measured failed on them.
    const std::vector<std::string>& faults() const { return faults_; }
    Json result() const;

private:
    Collector() = default;
    std::optional<queue::Job> next_job();
    Json wanted_stages() const;
    Status check(const queue::Done& done) const;
    Status merge(const queue::Done& done);

    CollectPlan plan_;
    Json setup_;  ///< the part of a job that is the same for all
    std::string source_;
    int stages_ = 1;
    std::unique_ptr<SampleStore> store_;
    std::set<std::uint64_t> done_;
    std::set<std::string> under_way_;
    std::map<int, std::size_t> by_stage_;
    std::vector<std::string> faults_;
    std::uint64_t next_ = 0;
    std::size_t fresh_ = 0;
    std::size_t before_ = 0;
};

}  // namespace karikomi::lab
