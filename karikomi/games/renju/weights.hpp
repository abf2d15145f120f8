/// The numbers of the evaluation: one set a rule, by hand or trained. Everything is a table by the
/// class of an empty cell's code, or by which threats there are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/renju/patterns.hpp"

namespace karikomi::renju {

/// What an empty cell adds to its colour's sum, in 1/kFine units: hundreds of cells of one class
/// must not add up a rounding error.
inline constexpr int kFine = 16;
struct CellValue {
    std::int16_t moving = 0;   ///< when it is this colour's turn
    std::int16_t waiting = 0;  ///< when it is the other's
};
struct CellSum {
    std::int32_t moving = 0;
    std::int32_t waiting = 0;
    void add(const CellValue& v, int sign) {
        moving += sign * v.moving;
        waiting += sign * v.waiting;
    }
};

/// Of a move: what the cell is to the mover (make) and to the other side (take).
struct MoveTerms {
    std::int32_t order_make = 0;
    std::int32_t order_take = 0;
    std::int16_t gain_make = 0;  ///< of the mover's static value after it
    std::int16_t gain_take = 0;
};

/// Which threats there are, when neither side can make five and the mover no straight four.
inline constexpr std::size_t kThreatMasks = 2048;

struct ColourTables {
    std::array<CellValue, kCodeClasses> cells{};       ///< for the codes of this colour
    std::array<MoveTerms, kCodeClasses> moves{};       ///< when this colour moves
    std::array<std::int16_t, kThreatMasks> threats{};  ///< when this colour is to move
};

/// Too plain to train: the search sees them through.
inline constexpr Value kOwnFive = 9000;      ///< one's turn, and a five to make
inline constexpr Value kOwnOpenFour = 6000;  ///< ... a straight four
inline constexpr Value kOtherFive = -700;    ///< a four must be answered

class Weights {
public:
    using Tables = std::array<ColourTables, 2>;

    Weights(Rule rule, const Tables& tables);
    /// Set by hand: what was there before any training.
    static Weights by_hand(Rule rule);
    static Expected<Weights> from_bytes(std::span<const std::byte> bytes, const std::string& name);
    static Expected<Weights> load(const std::filesystem::path& file);
    std::vector<std::byte> to_bytes() const;
    Status save(const std::filesystem::path& file) const;

    Rule rule() const { return rule_; }
    const Tables& tables() const { return *tables_; }
    const ColourTables& of(int colour) const {
        return (*tables_)[static_cast<std::size_t>(colour)];
    }
    /// Names these numbers and no others: "renju-tables-0123abcd".
    const std::string& id() const { return id_; }

private:
    Rule rule_;
    std::shared_ptr<const Tables> tables_;
    std::string id_;
};

/// Those built into the program for a rule, which are read once.
const std::shared_ptr<const Weights>& built_in_weights(Rule rule);

}  // namespace karikomi::renju
