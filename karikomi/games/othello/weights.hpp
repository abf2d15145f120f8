/// The trained numbers of the evaluation: one table a pattern and phase, in files and in the
/// program.
///
/// File: a header, then the weights compressed with zstd. A pattern that is its own mirror image
/// has equal weights for mirrored contents; the file holds each such weight once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/othello/patterns.hpp"

namespace karikomi::othello {

inline constexpr int kPhases = 30;        ///< of two discs each
inline constexpr int kWeightScale = 128;  ///< weights are in this many parts of a disc
inline constexpr int kMobilities = 40;    ///< numbers of moves that the evaluation tells apart

/// Four and five discs are too few positions to learn from: the weights of six and seven serve.
constexpr int phase_of(int discs) {
    return std::clamp((discs - 4) / 2, 1, kPhases - 1);
}

/// Where things stand in the weights of one phase, as the evaluation uses them.
struct WeightLayout {
    std::array<int, kFeatureSlots> centre{};  ///< of each instance's table
    int own_mobility = 0;                     ///< two tables: for even and for odd numbers of discs
    int other_mobility = 0;
    int size = 0;
};
constexpr WeightLayout make_weight_layout() {
    WeightLayout layout;
    std::array<int, kPatternCount> centre{};
    for (int p = 0; p < kPatternCount; ++p) {
        const int half = half_of(kPatterns[at(p)]);
        centre[at(p)] = layout.size + half;
        layout.size += 2 * half + 1;
    }
    for (int i = 0; i < kInstances.count; ++i) {
        layout.centre[at(i)] = centre[at(kInstances.list[at(i)].pattern)];
    }
    layout.own_mobility = layout.size;
    layout.other_mobility = layout.size + 2 * kMobilities;
    layout.size += 4 * kMobilities;
    // Slots without an instance always hold 0; a weight that is 0 stands there.
    for (int i = kInstances.count; i < kFeatureSlots; ++i) layout.centre[at(i)] = layout.size;
    ++layout.size;
    return layout;
}
inline constexpr WeightLayout kWeightLayout = make_weight_layout();

/// Who has the last move matters more and more: the two plies of a phase have a table each.
constexpr int own_mobility_place(int discs, int moves) {
    return kWeightLayout.own_mobility + (discs % 2) * kMobilities + moves;
}
constexpr int other_mobility_place(int discs, int moves) {
    return kWeightLayout.other_mobility + (discs % 2) * kMobilities + moves;
}

/// For each place of the layout the free weight that stands there: mirrored contents share one.
struct Ties {
    std::vector<std::int32_t> free_of;  ///< kWeightLayout.size entries; -1: always 0
    int count = 0;                      ///< of free weights in a phase
};
const Ties& ties();

class Weights {
public:
    Weights() : expanded_(static_cast<std::size_t>(kPhases) * at(kWeightLayout.size)) {}

    /// From free weights, phase by phase: kPhases * ties().count numbers.
    static Weights from_free(std::span<const std::int16_t> free);
    std::vector<std::int16_t> free() const;
    static Expected<Weights> from_bytes(std::span<const std::byte> bytes, const std::string& name);
    static Expected<Weights> load(const std::filesystem::path& file);
    std::vector<std::byte> to_bytes() const;
    Status save(const std::filesystem::path& file) const;

    const std::int16_t* phase(int p) const {
        return expanded_.data() + at(p) * at(kWeightLayout.size);
    }
    /// Names these numbers and no others: "othello-patterns-0123abcd".
    const std::string& id() const { return id_; }

private:
    void name_it();

    std::vector<std::int16_t> expanded_;
    std::string id_;
};

/// Those built into the program, which are read once.
const std::shared_ptr<const Weights>& built_in_weights();

}  // namespace karikomi::othello
