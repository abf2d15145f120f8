/// What quiet moves gain in search over their static value (techniques.md section 3), and the
/// futility margins that follow.
#pragma once

#include <array>
#include <atomic>
#include <compare>

#include "karikomi/lab/samples.hpp"

namespace karikomi::lab {

struct GainCell {
    bool opponent = false;  ///< to move, as seen from the root
    int colour = 0;         ///< to move; 0: the player who moves first in the game
    Depth depth = 1;
    int stage = -1;  ///< -1: all
    auto operator<=>(const GainCell&) const = default;
};

/// A distribution of gains. Large ones are kept to three digits, rounded up.
class Gains {
public:
    void add(Value gain, std::uint64_t times = 1);
    void add(const Gains& other);
    std::uint64_t count() const { return count_; }
    double nonzero() const;  ///< share
    Value most() const { return counts_.empty() ? 0 : counts_.rbegin()->first; }
    /// Smallest gain that at least this share does not exceed.
    Value quantile(double q, Value below = kOutlier) const;
    std::uint64_t outliers() const;
    const std::map<Value, std::uint64_t>& counts() const { return counts_; }

    static constexpr Value kOutlier = 50'000;  ///< from here on: the source's bound

private:
    std::uint64_t count_ = 0;
    std::map<Value, std::uint64_t> counts_;
};

using GainTable = std::map<GainCell, Gains>;
Json to_json(const GainTable& table);
GainTable gains_of(const Json& json);
void merge(GainTable& to, const GainTable& from);
/// The same without the stages.
GainTable over_stages(const GainTable& table);

struct GainOptions {
    std::string game;
    std::string weights_file{};  ///< empty: the game's own
    std::vector<std::string> positions;
    Depth depth = 5;
    int threads = 1;
    int hash_mb = 16;
};
using GainWatch = std::function<void(std::size_t done)>;
/// Every position searched with all techniques off. Each position's gains are kept in the store, so
/// that a run that was killed goes on. False: stopped.
Expected<bool> measure_gains(const GainOptions& options, SampleStore& store, const StopToken& stop,
                             const GainWatch& watch);
/// All that the store has for these options.
GainTable stored_gains(const GainOptions& options, const SampleStore& store);

/// Margins at a quantile, for depths 1..3.
struct Margins {
    std::vector<std::string> settings;  ///< as `--set` takes them: "futility.self_first=[0,...]"
    /// Cells without samples, and whose margin they got: "self_first depth 3: as depth 2".
    std::vector<std::string> borrowed;
};
/// A cell without samples takes its neighbour's margin, never 0: that would prune everything. The
/// neighbour is the nearest depth of the same row, else the same depth of the other colour, else of
/// the other side; with no gain at all there are no margins.
Margins margins_at(const GainTable& over_stages, double quantile);

}  // namespace karikomi::lab
