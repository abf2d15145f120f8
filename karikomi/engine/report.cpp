#include "karikomi/engine/report.hpp"

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi {
namespace {
constexpr std::string_view bound_name(Bound b) {
    switch (b) {
        case Bound::Upper:
            return "upper";
        case Bound::Lower:
            return "lower";
        case Bound::Exact:
            return "exact";
        case Bound::None:
            break;
    }
    return "none";
}
double milliseconds(std::int64_t us) {
    return static_cast<double>(us) / 1000.0;
}
}  // namespace

Json to_json(const SelectiveStats& stats) {
    Json out = Json::object();
    SelectiveStats copy = stats;
    copy.describe([&](std::string_view technique, auto& counters) {
        Json& t = out[std::string(technique)] = Json::object();
        counters.describe([&](std::string_view name, std::uint64_t& n, auto... index) {
            if constexpr (sizeof...(index) == 0) {
                t[std::string(name)] = n;
            } else {
                t[std::string(name)].push_back(n);  // indexed counters form a list
            }
        });
    });
    return out;
}

Json to_json(const Line& line) {
    if (line.bound == Bound::None) {
        // Stopped before anything was known: a move, but no value.
        return {{"value", nullptr},
                {"decisive", false},
                {"bound", "none"},
                {"depth", 0},
                {"pv", line.pv}};
    }
    Json out = {{"value", line.value},
                {"decisive", is_decisive(line.value)},
                {"bound", bound_name(line.bound)},
                {"depth", line.depth},
                {"pv", line.pv}};
    if (line.solved) out["solved"] = true;
    if (line.confidence < 100) out["confidence"] = line.confidence;
    if (is_decisive(line.value)) {
        out["plies_to_end"] = plies_to_end(line.value);
    }
    return out;
}

Json to_json(const Info& i) {
    Json out = to_json(i.line);
    out["multipv"] = i.multi_pv;
    out["seldepth"] = i.seldepth;
    out["nodes"] = i.nodes;
    out["total_nodes"] = i.total_nodes;
    out["time_ms"] = milliseconds(i.time_us);
    out["nps"] = nodes_per_second(i.total_nodes, i.time_us);
    out["hash_permille"] = i.hash_permille;
    out["first_move_cut_rate"] = i.first_move_cut_rate;
    out["techniques"] = to_json(i.techniques);
    return out;
}

Json to_json(const Result& r) {
    Json out = Json::object();
    out["bestmove"] = r.best_move.empty() ? Json(nullptr) : Json(r.best_move);
    out["ponder"] = r.ponder_move.empty() ? Json(nullptr) : Json(r.ponder_move);
    if (!r.lines.empty()) out.update(to_json(r.lines.front()));
    out["seldepth"] = r.seldepth;
    out["nodes"] = r.nodes;
    out["time_ms"] = milliseconds(r.time_us);
    out["nps"] = nodes_per_second(r.nodes, r.time_us);
    out["first_move_cut_rate"] = r.first_move_cut_rate;
    if (r.lines.size() > 1) {
        out["lines"] = Json::array();
        for (const Line& l : r.lines) out["lines"].push_back(to_json(l));
    }
    out["techniques"] = to_json(r.techniques);
    return out;
}

std::uint64_t nodes_per_second(std::uint64_t nodes, std::int64_t time_us) {
    return time_us <= 0 ? 0 : nodes * 1'000'000 / static_cast<std::uint64_t>(time_us);
}

std::string describe_value(Value v) {
    if (is_decisive(v)) return fmt::format("{} in {}", v > 0 ? "win" : "loss", plies_to_end(v));
    return fmt::format("{:+}", v);
}

}  // namespace karikomi
