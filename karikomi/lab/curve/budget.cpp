#include "karikomi/lab/curve/budget.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace karikomi::curve {
namespace {

struct Unit {
    std::string_view suffix;
    BudgetKind kind;
    double factor;
};
constexpr std::array<Unit, 7> kUnits = {{{"", BudgetKind::Nodes, 1},
                                         {"k", BudgetKind::Nodes, 1e3},
                                         {"M", BudgetKind::Nodes, 1e6},
                                         {"G", BudgetKind::Nodes, 1e9},
                                         {"ms", BudgetKind::Time, 1},
                                         {"s", BudgetKind::Time, 1e3},
                                         {"min", BudgetKind::Time, 6e4}}};
constexpr double kMost = 1e12;

}  // namespace

std::string Budget::text() const {
    if (kind == BudgetKind::Depth) return fmt::format("d{}", amount);
    const Unit* best = nullptr;
    for (const Unit& u : kUnits) {
        if (u.kind == kind && amount % static_cast<std::int64_t>(u.factor) == 0) best = &u;
    }
    return fmt::format("{}{}", amount / static_cast<std::int64_t>(best->factor), best->suffix);
}

match::TimeControl Budget::limits() const {
    match::TimeControl t;
    if (kind == BudgetKind::Nodes) t.nodes = static_cast<std::uint64_t>(amount);
    if (kind == BudgetKind::Time) t.move_time_ms = amount;
    if (kind == BudgetKind::Depth) t.depth = static_cast<Depth>(amount);
    return t;
}

double Budget::doublings() const {
    const auto n = static_cast<double>(amount);
    return kind == BudgetKind::Depth ? n : std::log2(n);
}

Expected<Budget> parse_budget(const std::string& text) {
    const Error wrong{fmt::format("'{}' is no budget", text),
                      "write nodes as 40k or 1M, time as 100ms or 1s, depth as d10"};
    const bool depth = text.starts_with('d');
    const std::string rest = depth ? text.substr(1) : text;
    double number = 0;
    const char* const end = rest.data() + rest.size();
    const auto [stop, code] = std::from_chars(rest.data(), end, number);
    if (code != std::errc() || !(number > 0)) return wrong;
    const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const Unit& u) { return u.suffix == suffix; });
    if (unit == kUnits.end() || (depth && !suffix.empty())) return wrong;
    const double amount = number * unit->factor;
    const double most = depth ? kMaxDepth : kMost;
    if (amount < 1 || amount > most) return wrong;
    return Budget{depth ? BudgetKind::Depth : unit->kind, std::llround(amount)};
}

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return parts;
}

Expected<std::vector<Budget>> parse_budgets(const std::string& text) {
    std::vector<Budget> budgets;
    for (const std::string& part : split_list(text)) {
        const auto budget = parse_budget(part);
        if (!budget) return budget.error();
        if (std::find(budgets.begin(), budgets.end(), *budget) != budgets.end()) {
            return Error{fmt::format("budget {} is named twice", part), "name it once"};
        }
        budgets.push_back(*budget);
    }
    return budgets;
}

}  // namespace karikomi::curve
