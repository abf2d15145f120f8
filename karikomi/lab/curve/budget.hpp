/// What a search may use, as one short word: "40k" nodes, "100ms", "1s", "d10".
#pragma once

#include "karikomi/lab/match/spec.hpp"

namespace karikomi::curve {

enum class BudgetKind : std::uint8_t { Nodes, Time, Depth };

struct Budget {
    BudgetKind kind = BudgetKind::Nodes;
    std::int64_t amount = 0;  ///< nodes, milliseconds or plies

    std::string text() const;  ///< the shortest word for it
    match::TimeControl limits() const;
    /// On a scale where one more is twice the work: a ply of depth counts as that too.
    double doublings() const;
    bool operator==(const Budget&) const = default;
};

Expected<Budget> parse_budget(const std::string& text);
/// "5k,40k,1s": in this order, none twice.
Expected<std::vector<Budget>> parse_budgets(const std::string& text);
/// Parts between commas.
std::vector<std::string> split_list(const std::string& text);

}  // namespace karikomi::curve
