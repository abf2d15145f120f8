/// What each technique and form does to a search: nodes, processor time, value and move at fixed
/// depth, depth at fixed time.
#pragma once

#include <atomic>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/coverage.hpp"

namespace karikomi::lab {

/// What a way to search is compared with.
enum class Baseline : std::uint8_t { Off, Shipped };
constexpr std::string_view name_of(Baseline b) {
    return b == Baseline::Off ? "off" : "shipped";
}

/// One way to search, against another.
struct Setting {
    std::string name;
    std::string technique;             ///< that it is about; "" = all
    std::vector<std::string> changes;  ///< on top of what it is put into
    SearchParams params{};             ///< what comes of it
    Baseline against = Baseline::Off;
};
/// What the forms of the techniques are put into.
enum class Around : std::uint8_t {
    Nothing,  ///< everything else off: what a technique does by itself
    Shipped,  ///< the shipped search: what it is worth there, and as deep as that gets
};
/// The baselines ("all off" where the forms are put into nothing, "as shipped"), the shipped search
/// without each technique that it uses, and every technique in each of its forms, with the shipped
/// numbers otherwise. Only what the game can use.
std::vector<Setting> settings_for(const Engine& engine, const SearchParams& params,
                                  Around around = Around::Nothing,
                                  const std::string& weights_file = {});

/// Results by number: those of an earlier run that was stopped, and where new ones go.
struct Notebook {
    std::map<std::uint64_t, Json> known;
    std::function<void(std::uint64_t, const Json&)> write;
};

struct AblationOptions {
    std::string game;
    std::string weights_file{};  ///< empty: the game's own
    std::vector<std::string> positions;
    Depth depth = 8;
    std::int64_t move_time_ms = 0;  ///< for the depth at fixed time; 0: not measured
    int threads = 1;
    int hash_mb = 16;
    const Notebook* notebook = nullptr;  ///< none: nothing is kept
};

/// Geometric mean over the positions, with a 95 % interval by bootstrap over them.
struct Ratio {
    double mean = 1;
    double low = 1;
    double high = 1;
};
Ratio ratio_of(const std::vector<double>& logs, std::uint64_t seed);

struct AblationRow {
    std::string name;
    std::string technique;
    Baseline against = Baseline::Off;
    double node_ratio = 1;  ///< all nodes over all nodes: single positions may rule it
    Ratio nodes;
    Ratio time;
    double value_difference = 0;  ///< mean, in evaluation units; decisive values left out
    double same_move = 1;
    double first_move_cut_rate = 0;
    double depth_at_time = 0;  ///< mean; 0: not measured
    double depth_gained = 0;   ///< against the other one
};
struct AblationView {
    std::size_t done = 0;
    std::size_t of = 0;
    std::string name;  ///< of what is at work
};
using AblationWatch = std::function<void(const AblationView&)>;
/// Every setting's baseline must be among the settings. Fresh tables for every search, one thread
/// each. All settings take turns on a position, in an order drawn for it, so that the times of a
/// row and of what it is compared with were measured side by side.
Expected<std::vector<AblationRow>> run_ablation(const AblationOptions& options,
                                                const std::vector<Setting>& settings,
                                                const StopToken& stop, const AblationWatch& watch);
Json to_json(const AblationRow& row);

/// Nodes with one setting over nodes with another, at fixed depth: the geometric mean.
Expected<double> node_ratio(const AblationOptions& options, const SearchParams& without,
                            const SearchParams& with, const StopToken& stop);

/// Undecided positions of the samples, spread over the stages; held-out ones first.
std::vector<std::string> positions_of(const SampleStore& store, std::size_t count,
                                      int held_out_percent, std::uint64_t seed);

}  // namespace karikomi::lab
