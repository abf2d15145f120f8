#include "karikomi/lab/curve/agreement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/match/games_job.hpp"
#include "karikomi/lab/match/scoreboard.hpp"

namespace karikomi::curve {
namespace {

using match::Interval;

constexpr double kZ95 = 1.96;
constexpr std::int64_t kLateMs = 10'000;

Interval wilson(std::uint64_t right, std::uint64_t all) {
    if (all == 0) return {0, 0, 1};
    const auto n = static_cast<double>(all);
    const double p = static_cast<double>(right) / n;
    const double z2 = kZ95 * kZ95;
    const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    const double half = kZ95 / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    return {p, std::max(centre - half, 0.0), std::min(centre + half, 1.0)};
}

Interval mean_of(const std::vector<double>& values) {
    if (values.empty()) return {};
    double mean = 0;
    double square = 0;
    const auto n = static_cast<double>(values.size());
    for (const double v : values) mean += v / n;
    for (const double v : values) square += (v - mean) * (v - mean);
    const double half = values.size() > 1 ? kZ95 * std::sqrt(square / (n - 1) / n) : 0;
    return {mean, mean - half, mean + half};
}

Interval ratio_of(const std::vector<double>& logs) {
    const Interval m = mean_of(logs);
    return {std::exp(m.value), std::exp(m.low), std::exp(m.high)};
}

double log_of(double v) {
    return std::log(std::max(v, 1e-3));
}

Expected<AgreementRow> ask(match::Player& player, const KnownPosition& p, int side,
                           const Budget& budget, std::int64_t hang_ms) {
    using SteadyClock = std::chrono::steady_clock;
    match::GameStart start;
    start.position = start.start_board = p.position;
    start.start_side = start.side = side;
    start.time = budget.limits();
    const match::Trouble trouble = player.new_game(start);
    const std::string& name = player.identity().name;
    if (trouble.fault != match::Fault::None) {
        return Error{fmt::format("engine '{}': {}", name, trouble.what), "look at its log"};
    }
    const std::vector<std::string> none;
    match::Turn turn{none, side, {}, {0, 0}, 0, hang_ms};
    turn.limits.nodes = start.time.nodes;
    turn.limits.depth = start.time.depth;
    turn.limits.move_time_ms = start.time.move_time_ms;
    if (budget.kind == BudgetKind::Time) {
        turn.lost_ms = budget.amount + kLateMs;
        turn.hang_ms = turn.lost_ms + kLateMs;
    }
    const auto begin = SteadyClock::now();
    const match::Answer answer = player.think(turn);
    const double used =
        std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
    if (answer.fault != match::Fault::None) {
        return Error{fmt::format("engine '{}' at '{}': {}", name, p.position, answer.detail),
                     "look at its log"};
    }
    AgreementRow row;
    row.budget = budget;
    row.move = answer.move;
    row.right = answer.move == p.move;
    row.depth = static_cast<Depth>(answer.depth);
    row.nodes = answer.nodes;
    row.time_ms = answer.time_ms >= 0 ? static_cast<double>(answer.time_ms) : used;
    return row;
}

/// A search by what was asked of whom, as its row in the file names it.
using Key = std::tuple<std::string, std::string, std::string>;

struct Asked {
    std::unique_ptr<match::Player> player;
    std::string name;  ///< specification and build: another build is another engine
};

Key key_of(const Asked& engine, const Budget& budget, const KnownPosition& p) {
    return {engine.name, budget.text(), p.position};
}

Json row_json(const AgreementRow& r, const Key& key) {
    return {{"engine", std::get<0>(key)},
            {"budget", std::get<1>(key)},
            {"position", std::get<2>(key)},
            {"move", r.move},
            {"right", r.right},
            {"depth", r.depth},
            {"nodes", r.nodes},
            {"time_ms", r.time_ms}};
}

/// Rows of an earlier run; a last line that was cut off is left out.
Expected<std::map<Key, AgreementRow>> read_rows(const std::string& file) {
    std::map<Key, AgreementRow> rows;
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const bool cut_off = in.eof();
        try {
            const Json j = Json::parse(line);
            AgreementRow r;
            r.move = j.at("move");
            r.right = j.at("right");
            r.depth = j.at("depth");
            r.nodes = j.at("nodes");
            r.time_ms = j.at("time_ms");
            rows[{j.at("engine"), j.at("budget"), j.at("position")}] = r;
        } catch (const Json::exception&) {
            if (cut_off) break;
            return Error{fmt::format("'{}', line {}: is no row of agreement", file, number),
                         "name another file"};
        }
    }
    return rows;
}

Expected<std::vector<Asked>> start_engines(const match::MatchConfig& config) {
    std::vector<Asked> engines;
    for (match::EngineSpec spec : config.engines) {
        match::apply_defaults(spec, config);
        auto player = match::make_player(spec, {config.game, config.rules});
        if (!player) return player.error();
        const match::Identity& id = (*player)->identity();
        std::string name =
            fmt::format("{} {} {} {}", spec.text, id.version, id.binary_hash, id.fingerprint);
        engines.push_back({std::move(*player), std::move(name)});
    }
    return engines;
}

}  // namespace

Expected<std::vector<AgreementRow>> measure_agreement(
    const AgreementOptions& o, const StopToken& stop,
    const std::function<void(std::size_t)>& on_count) {
    auto known = read_rows(o.rows_file);
    if (!known) return known.error();
    auto referee = match::make_referee(o.config.game, o.config.rules);
    if (!referee) return referee.error();
    const auto engines = start_engines(o.config);
    if (!engines) return engines.error();
    for (const Asked& engine : *engines) engine.player->stop_on(stop);
    std::ofstream file;
    if (!o.rows_file.empty()) {
        file.open(o.rows_file, std::ios::trunc);  // without what a crash has cut off
        for (const auto& [key, row] : *known) file << row_json(row, key).dump() << "\n";
    }
    std::vector<AgreementRow> rows;
    for (const Budget& budget : o.budgets) {
        for (std::size_t i = 0; i < o.positions.size(); ++i) {
            const KnownPosition& position = o.positions[i];
            if (const Status s = (*referee)->set_position(position.position); !s) return s.error();
            for (std::size_t e = 0; e < engines->size(); ++e) {
                if (stop.stop_requested()) return rows;
                const Key key = key_of((*engines)[e], budget, position);
                auto found = known->find(key);
                if (found == known->end()) {
                    const auto row = ask(*(*engines)[e].player, position,
                                         (*referee)->side_to_move(), budget, o.config.hang_ms);
                    if (stop.stop_requested()) return rows;  // half an answer is none
                    if (!row) return row.error();
                    found = known->emplace(key, *row).first;
                    if (file.is_open()) file << row_json(*row, key).dump() << std::endl;
                }
                rows.push_back(found->second);
                rows.back().engine = e, rows.back().budget = budget, rows.back().position = i;
                on_count(rows.size());
            }
        }
    }
    if (file.is_open() && !file) {
        return Error{fmt::format("'{}': cannot be written", o.rows_file), "name another file"};
    }
    return rows;
}

AgreementCell cell_of(const std::vector<AgreementRow>& rows, std::size_t engine,
                      const Budget& budget) {
    std::map<std::size_t, const AgreementRow*> first;
    for (const AgreementRow& r : rows) {
        if (r.engine == 0 && r.budget == budget) first[r.position] = &r;
    }
    AgreementCell cell;
    std::vector<double> depths, nodes, times, gains, node_logs, time_logs;
    for (const AgreementRow& r : rows) {
        if (r.engine != engine || !(r.budget == budget)) continue;
        ++cell.searches;
        cell.right += r.right ? 1 : 0;
        depths.push_back(r.depth);
        nodes.push_back(log_of(static_cast<double>(r.nodes)));
        times.push_back(log_of(r.time_ms));
        const auto other = first.find(r.position);
        if (other == first.end()) continue;
        gains.push_back((r.right ? 1.0 : 0.0) - (other->second->right ? 1.0 : 0.0));
        node_logs.push_back(nodes.back() - log_of(static_cast<double>(other->second->nodes)));
        time_logs.push_back(times.back() - log_of(other->second->time_ms));
    }
    cell.rate = wilson(cell.right, cell.searches);
    cell.depth = mean_of(depths).value;
    cell.nodes = nodes.empty() ? 0 : std::exp(mean_of(nodes).value);
    cell.time_ms = times.empty() ? 0 : std::exp(mean_of(times).value);
    cell.rate_difference = mean_of(gains);
    cell.nodes_ratio = ratio_of(node_logs);
    cell.time_ratio = ratio_of(time_logs);
    return cell;
}

Json to_json(const AgreementCell& c, bool compared) {
    Json out = {{"searches", c.searches}, {"right", c.right}, {"rate", match::to_json(c.rate)},
                {"depth", c.depth},       {"nodes", c.nodes}, {"time_ms", c.time_ms}};
    if (compared) {
        out["rate_difference"] = match::to_json(c.rate_difference);
        out["nodes_ratio"] = match::to_json(c.nodes_ratio);
        out["time_ratio"] = match::to_json(c.time_ratio);
    }
    return out;
}

}  // namespace karikomi::curve
