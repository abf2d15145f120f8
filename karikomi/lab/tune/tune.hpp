/// Finding good values for declared parameters by playing games: a grid, which is a gauntlet of the
/// start against every point, or SPSA, which climbs.
#pragma once

#include <atomic>
#include <functional>
#include <set>

#include "karikomi/lab/match/match.hpp"
#include "karikomi/lab/tune/spsa.hpp"

namespace karikomi::tune {

// ---- The grid -----------------------------------------------------------------------------------

struct GridAxis {
    std::string path;
    std::vector<std::string> values;
};

/// "iid.min_depth=4,5,6" or "multi_probcut.t=1.0..2.0:0.25".
Expected<GridAxis> parse_axis(const std::string& text);
/// Ready-made grids by name ("iid"); empty: there is none.
std::vector<GridAxis> preset_grid(const std::string& name);
/// Settings that switch on what a ready-made grid is about: "iid.variant=search".
std::vector<std::string> preset_needs(const std::string& name);
std::vector<std::string> preset_names();

/// The text of the engine that is tuned, with more settings (set=PATH=VALUE, name=...). `base`:
/// settings of our own engine such as "off=probcut&hash=16", or another program as matches take
/// it, usi?option.NAME=VALUE:COMMAND.
std::string tuned_text(const std::string& game, const std::string& base,
                       const match::EngineSpec::Pairs& more);
/// Is this base another program?
bool is_program(const std::string& base);

/// Every combination, as indices into the axes' values; the first axis changes quickest.
std::vector<std::vector<std::size_t>> grid_points(const std::vector<GridAxis>& axes);
/// The engine text of a point.
std::string point_engine(const std::string& game, const std::string& base,
                         const std::vector<GridAxis>& axes, const std::vector<std::size_t>& point);
/// The match that measures it: the start against each point.
Expected<match::MatchConfig> grid_match(match::MatchConfig config, const std::string& base,
                                        const std::vector<GridAxis>& axes);

struct GridPoint {
    std::vector<std::size_t> at;
    match::Interval elo;  ///< against the start
    std::uint64_t games = 0;
};
struct GridResult {
    std::vector<GridPoint> points;
    std::size_t best = 0;
    /// By axis: values that are in a point not clearly worse than the best (95 %).
    std::vector<std::vector<bool>> plausible;
};
GridResult grid_result(const match::Scoreboard& board, const std::vector<GridAxis>& axes);

// ---- SPSA ---------------------------------------------------------------------------------------

/// "multi_probcut.t", "multi_probcut.t=1.5", with ",min=1", ",max=2": the range to stay in, and
/// ",c=0.2", ",r=0.002": step and rate at the end of the run. What is not said comes from the
/// declared parameter; a rate of 0 is left to the run.
Expected<SpsaParam> parse_climb(const std::string& text, const SearchParams& params);
/// The same, and "late_moves.*" for all numbers of a section.
Expected<std::vector<SpsaParam>> parse_climbs(const std::string& text, const SearchParams& params);

/// The same for an option of another program. Where its protocol lists no options (`known` is
/// empty), start, min and max must be given.
Expected<SpsaParam> parse_program_climb(const std::string& text,
                                        const std::vector<match::ProgramOption>& known);
/// An error where the program has no such option, or not such a value of it.
Status check_program_value(const std::string& path, const std::string& value,
                           const std::vector<match::ProgramOption>& known);

struct ClimbView {
    const Spsa& spsa;
    std::uint64_t games = 0;
};

class Climb {
public:
    using Watch = std::function<void(const ClimbView&)>;

    /// `config` has no engines; `base` are settings of the engine that is tuned.
    static Expected<std::unique_ptr<Climb>> make(const match::MatchConfig& config,
                                                 const std::string& base,
                                                 const SpsaOptions& options,
                                                 const std::string& database);
    /// True: all trials are done. Watch is called from the calling thread.
    Expected<bool> run(queue::JobQueue& queue, const Watch& watch, const StopToken& stop);

    const Spsa& spsa() const { return spsa_; }
    const match::Identity& identity() const { return identity_; }
    /// The same for all runs on one database.
    const std::string& run_id() const { return run_id_; }
    std::uint64_t games() const { return games_; }
    std::uint64_t faults() const { return faults_; }

private:
    explicit Climb(const SpsaOptions& options) : spsa_(options) {}
    Status prepare(const std::string& database);
    Status agree_with_database();
    Status climb(queue::JobQueue& queue, const StopToken& stop);
    std::optional<queue::Job> next_job();
    Status check(const queue::Done& done) const;
    Status merge(const queue::Done& done);
    void finish(const Spsa::Trial& trial, double result);
    bool is_done(std::uint64_t trial) const;
    match::EngineSpec::Pairs settings_of(const std::vector<double>& values) const;

    match::MatchConfig config_;
    std::string base_;
    match::EngineSpec spec_;
    match::Identity identity_;
    Spsa spsa_;
    std::unique_ptr<match::Openings> openings_;
    std::unique_ptr<lab::Database> database_;
    std::string run_id_;
    std::vector<bool> done_;           ///< by number of the trial
    std::set<std::string> under_way_;  ///< jobs
    std::uint64_t next_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t faults_ = 0;
    Watch watch_;
};

/// Configuration of a climb as it is recorded, and back.
struct ClimbConfig {
    match::MatchConfig match;
    std::string base;
    SpsaOptions options;
};
Expected<ClimbConfig> read_climb(const std::string& database);
/// A run as far as its database knows it, also while it goes on.
Expected<Spsa> read_course(const std::string& database);
Json to_json(const SpsaOptions& options);

}  // namespace karikomi::tune
