// What the records of a game say together: a table, interactions, curves.
#include <algorithm>
#include <cmath>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/curve/plot.hpp"
#include "karikomi/lab/evidence/worth.hpp"

namespace karikomi::evidence {
namespace {

using curve::Budget;
using curve::BudgetKind;

bool is_of(const Json& record, const std::string& game) {
    return record.value("kind", "") == "worth" && record.value("game", "") == game &&
           record.contains("worth") && record["worth"].is_object();
}

/// Nodes before times before depths, the smaller first.
bool comes_before(const std::string& a, const std::string& b) {
    const auto x = curve::parse_budget(a);
    const auto y = curve::parse_budget(b);
    if (!x || !y) return a < b;
    return std::pair(x->kind, x->amount) < std::pair(y->kind, y->amount);
}

std::optional<match::Interval> elo_of(const Json& record) {
    const Json result = record.value("result", Json(nullptr));
    if (!result.is_object() || !result.contains("value")) return std::nullopt;
    return match::Interval{result["value"], result["low"], result["high"]};
}

/// Of two independent figures; half-widths add up as errors do, each side for itself.
match::Interval difference(const match::Interval& a, const match::Interval& b) {
    const double value = a.value - b.value;
    return {value, value - std::hypot(a.value - a.low, b.high - b.value),
            value + std::hypot(a.high - a.value, b.value - b.low)};
}

const Json* find(const Records& records, const std::string& game, const std::string& subject,
                 const std::string& budget) {
    for (const auto& [id, r] : records) {
        if (is_of(r, game) && r["worth"]["subject"] == subject && r["worth"]["budget"] == budget)
            return &r;
    }
    return nullptr;
}

}  // namespace

WorthTable worth_table(const std::string& game, const Records& records) {
    WorthTable table;
    for (const auto& [id, r] : records) {
        if (!is_of(r, game)) continue;
        const Json& w = r["worth"];
        const std::string subject = w["subject"];
        const std::string budget = w["budget"];
        auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                [&](const WorthRow& x) { return x.subject == subject; });
        if (row == table.rows.end()) {
            table.rows.push_back({subject, w["kind"], w["shipped"], {}});
            row = table.rows.end() - 1;
        }
        row->by_budget[budget] = r;
        auto& budgets = table.budgets;
        if (std::find(budgets.begin(), budgets.end(), budget) == budgets.end()) {
            budgets.push_back(budget);
        }
    }
    std::sort(table.budgets.begin(), table.budgets.end(), comes_before);
    const auto order = [](const WorthRow& r) {
        const int kind = r.kind == "technique" ? 0 : r.kind == "combination" ? 1 : 2;
        return std::tuple(kind, !r.shipped, r.subject);
    };
    std::sort(table.rows.begin(), table.rows.end(),
              [&](const WorthRow& a, const WorthRow& b) { return order(a) < order(b); });
    return table;
}

std::vector<Interaction> interactions_of(const std::string& game, const Records& records) {
    std::vector<Interaction> out;
    for (const auto& [id, r] : records) {
        if (!is_of(r, game) || r["worth"]["kind"] != "interaction") continue;
        const Json& w = r["worth"];
        if (!w["flipped"].is_string() || w["techniques"].empty()) continue;
        const Json* const alone = find(records, game, w["techniques"][0], w["budget"]);
        if (alone == nullptr) continue;
        const auto shipped = elo_of(*alone);
        const auto flipped = elo_of(r);
        if (!shipped || !flipped) continue;
        // The other technique is on where it ships and off in the flipped match, or the reverse.
        const bool on = w.value("other_ships", true);
        out.push_back({w["subject"], w["budget"], *shipped, *flipped,
                       on ? difference(*shipped, *flipped) : difference(*flipped, *shipped)});
    }
    return out;
}

std::string worth_svg(const WorthTable& table) {
    std::vector<curve::Panel> panels;
    for (const auto& [kind, title] :
         {std::pair{BudgetKind::Nodes, "Elo by nodes for each move, 95 % intervals"},
          std::pair{BudgetKind::Time, "Elo by time for each move, 95 % intervals"}}) {
        curve::Panel panel{title, {}, {}};
        for (const std::string& text : table.budgets) {
            const auto budget = curve::parse_budget(text);
            if (budget && budget->kind == kind) panel.ticks.push_back({budget->doublings(), text});
        }
        double shift = 0;  // so that bars of one budget do not hide each other
        for (const WorthRow& row : table.rows) {
            curve::Series series{row.subject, {}, true};
            for (const auto& [text, record] : row.by_budget) {
                const auto budget = curve::parse_budget(text);
                const auto elo = elo_of(record);
                if (!budget || budget->kind != kind || !elo) continue;
                series.points.push_back(
                    {budget->doublings() + shift, elo->value, elo->low, elo->high});
            }
            std::sort(series.points.begin(), series.points.end(),
                      [](const auto& a, const auto& b) { return a.x < b.x; });
            if (series.points.empty()) continue;
            shift += 0.05;
            panel.series.push_back(std::move(series));
        }
        if (!panel.series.empty()) panels.push_back(std::move(panel));
    }
    return curve::svg_of(panels);
}

}  // namespace karikomi::evidence
