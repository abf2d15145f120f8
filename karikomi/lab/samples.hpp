/// Samples: positions with their value at every depth, in a SQLite file that a run may be killed
/// over at any moment. No position is in it twice.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::lab {

class Database;

struct Sample {
    std::string key;       ///< of what the board looks like: two ways to one position are one
    std::string position;  ///< as the engine reads it
    int stage = 0;
    int side = 0;  ///< to move; 0: the player who moves first in the game
    int ply = -1;  ///< from the start of its game; -1: not known
    Value static_value = 0;
    std::vector<Value> values;         ///< by depth from 1 on; kNoValue: not reached
    std::vector<std::uint64_t> nodes;  ///< of the iteration of each depth
    /// Those of one game have the same number, which the store tells with each; 0: not known.
    std::uint64_t game = 0;

    /// kNoValue where there is none or where it is decisive. Depth 0 is the static value.
    Value value(Depth depth) const;
    /// The same, but decisive values are told.
    Value any_value(Depth depth) const;
};
Json to_json(const Sample& sample);
Sample sample_of(const Json& json);  ///< of a stranger; throws StrictError

/// Position, side to move and nothing else.
std::string key_of(const Engine& engine);

class SampleStore {
public:
    ~SampleStore();
    SampleStore(const SampleStore&) = delete;
    SampleStore& operator=(const SampleStore&) = delete;

    /// `conditions` must be those of all samples in the file: game, evaluation, parameters, depth.
    static Expected<std::unique_ptr<SampleStore>> open(const std::string& file,
                                                       const Json& conditions);
    /// To write results of the laboratory into it.
    static Expected<std::unique_ptr<SampleStore>> open(const std::string& file);
    static Expected<std::unique_ptr<SampleStore>> read(const std::string& file);

    Json conditions() const { return fact("config"); }
    Json fact(const std::string& key) const;
    void set_fact(const std::string& key, const Json& value);
    /// The name of the run, the same for all runs on one file.
    std::string run_id();

    /// Where samples come from: what decides them, by the name of the source.
    void add_source(const std::string& name, const Json& facts);
    Json sources() const;
    /// Numbers of the games (or positions) of a source that are done.
    std::set<std::uint64_t> done(const std::string& source) const;

    /// One unit of a source with all its samples, or nothing of it. Returns how many were new; a
    /// unit that is known already changes nothing.
    std::size_t save(const std::string& source, std::uint64_t number,
                     const std::vector<Sample>& samples);

    std::size_t size() const;
    std::map<int, std::size_t> by_stage() const;
    /// In a fixed order. `held_out` says whether it belongs to the share (percent) that fits must
    /// not see. All samples of one game are on the same side.
    using Visit = std::function<void(const Sample&, bool held_out)>;
    void for_each(int held_out_percent, const Visit& visit) const;

    /// Tables of other parts of the laboratory: text by number, under a name.
    void save_record(const std::string& name, std::uint64_t number, const Json& record);
    std::map<std::uint64_t, Json> records(const std::string& name) const;
    void clear_records(const std::string& name);

private:
    SampleStore() = default;
    std::unique_ptr<Database> database_;
};

}  // namespace karikomi::lab
