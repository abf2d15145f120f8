// What is to be measured again, and in which order.
#include <algorithm>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/evidence/worth.hpp"

namespace karikomi::evidence {
namespace {

/// Matches that are quoted come after the first budget of what ships.
constexpr int kMatchRank = 2;

/// Empty: nothing is to be done.
std::string why_of(const Cell& cell, const Json& record, const Shipped& now) {
    if (record.is_null()) return "missing";
    if (const Age age = age_of(record, now); age != Age::Current) return std::string(name_of(age));
    if (!record.value("complete", false)) return "not complete";
    const double half_width = record["worth"].value("half_width", 0.0);
    return half_width > cell.at.half_width ? "too wide an interval" : "";
}

}  // namespace

std::vector<Todo> todo_of(const std::vector<Cell>& plan, const std::string& game,
                          const Records& records, const Shipped& now, const std::string& file) {
    std::vector<Todo> all;
    const auto file_of = [&](const Json& record) {
        return record.is_object() ? record.value("file", file) : file;
    };
    for (const Cell& cell : plan) {
        const auto at = records.find(cell.id);
        const Json record = at == records.end() ? Json(nullptr) : at->second;
        const std::string why = why_of(cell, record, now);
        if (!why.empty()) all.push_back({cell.id, why, file_of(record), cell.rank, cell, record});
    }
    for (const auto& [id, record] : records) {
        if (record.value("kind", "") != "match" || record.value("game", Json()) != game) continue;
        // What compares two named versions of the past is no figure of what ships.
        if (record.value("independent", false)) continue;
        const Age age = age_of(record, now);
        const bool can = record.contains("config") && record["config"].is_object();
        if (age == Age::Current) continue;
        std::string why(name_of(age));
        all.push_back({id, why, file_of(record), kMatchRank, std::nullopt, record, can});
    }
    std::sort(all.begin(), all.end(), [](const Todo& a, const Todo& b) {
        const auto place = [](const Todo& t) {
            return std::tuple(!t.can, t.rank, t.cell ? t.cell->number : 0, t.id);
        };
        return place(a) < place(b);
    });
    return all;
}

}  // namespace karikomi::evidence
