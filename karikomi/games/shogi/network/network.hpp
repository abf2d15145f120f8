/// A small efficiently-updated network: features -> 256 for each player -> 32 -> 32 -> 1, in whole
/// numbers, so that every machine computes the same value. docs/games/shogi-network.md
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "karikomi/core/huge_pages.hpp"
#include "karikomi/games/shogi/network/features.hpp"
#include "karikomi/games/shogi/network/kernels.hpp"

namespace karikomi::shogi {

inline constexpr int kValueScale = 600;  ///< evaluation units in an output of 1

/// The first layer's sums.
struct Accumulator {
    Row half[2];  ///< by player
};

class Network {
public:
    static Expected<std::shared_ptr<const Network>> from_bytes(std::span<const std::byte> bytes,
                                                               const std::string& name);
    static Expected<std::shared_ptr<const Network>> load(const std::filesystem::path& file);
    /// Random weights, for tests.
    static std::shared_ptr<const Network> random(std::uint64_t seed);
    /// As train/ writes it, or compressed.
    enum class Form : std::uint8_t { Plain, Compressed };
    std::vector<std::byte> to_bytes(Form form) const;
    Status save(const std::filesystem::path& file) const;  ///< compressed

    /// Names these numbers and no others: "shogi-net-0123abcd".
    const std::string& id() const { return id_; }

    const Row& bias() const { return first_bias_.front(); }
    const Row& weights(int feature) const { return first_[static_cast<std::size_t>(feature)]; }
    /// One by one from all pieces: what every quicker way must come to.
    void refresh(const Board& b, Colour player, Row& half) const;

    /// For the side to move, within +-kMaxEval. All kernels give the same number.
    Value evaluate(const Accumulator& a, Colour to_move) const {
        return evaluate(a, to_move, kernels_);
    }
    Value evaluate(const Accumulator& a, Colour to_move, const Kernels& by) const;
    const Kernels& kernels() const { return kernels_; }

private:
    struct Header;
    Network();
    std::vector<std::span<std::byte>> parts();
    std::vector<std::span<const std::byte>> parts() const;
    void name_it();
    void arrange();  ///< after all weights are there

    const Kernels& kernels_ = shogi::kernels();
    std::vector<Row, HugePages<Row>> first_;  ///< [set * feature]
    std::vector<Row> first_bias_;             ///< one
    std::vector<std::int8_t> second_;         ///< [kHidden][2 * kHalf]
    std::vector<Group> second_groups_;        ///< the same, by groups of inputs
    std::vector<std::int32_t> second_bias_;
    std::vector<std::int8_t> third_;  ///< [kHidden][kHidden]
    std::vector<Group> third_groups_;
    std::vector<std::int32_t> third_bias_;
    std::vector<std::int8_t> last_;  ///< [kHidden]
    std::vector<std::int32_t> last_bias_;
    std::string id_;
};

/// The one built into the program, which is read once; null where there is none.
const std::shared_ptr<const Network>& built_in_network();

}  // namespace karikomi::shogi
