// How often techniques act within a budget, and whether they do at all.
#include <fmt/format.h>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"
#include "karikomi/lab/evidence/worth.hpp"
#include "karikomi/lab/match/player.hpp"

namespace karikomi::evidence {
namespace {

/// Both sides of a cell in one engine.
struct Sides {
    std::unique_ptr<Engine> engine;
    std::array<SearchParams, 2> params;  ///< with, without
};

Expected<Sides> sides_of(const match::MatchConfig& c) {
    Sides sides;
    auto engine = make_engine(match::name_by_rules(c.game, c.rules));
    if (!engine) return engine.error();
    sides.engine = std::move(*engine);
    for (const auto& [name, value] : c.rules) {
        if (const Status s = sides.engine->set_rule(name, value); !s) return s.error();
    }
    for (std::size_t i = 0; i < 2; ++i) {
        auto params = match::internal_params(c.engines.at(i), *sides.engine);
        if (!params) return params.error();
        sides.params[i] = std::move(*params);
    }
    sides.engine->set_hash(static_cast<std::size_t>(c.hash_mb));
    return sides;
}

Expected<Result> search(Sides& sides, std::size_t side, const match::TimeControl& time,
                        const StopToken& stop) {
    if (const Status s = sides.engine->set_params(sides.params[side]); !s) return s.error();
    sides.engine->new_game();
    SearchRequest request;
    request.limits.nodes = time.nodes;
    request.limits.depth = time.depth;
    request.limits.move_time_ms = time.move_time_ms;
    request.stop = stop;
    return sides.engine->search(request);
}

/// What two searches of one tree have in common.
std::string trace_of(const Result& r) {
    const bool any = !r.lines.empty();
    return fmt::format("{} {} {} {} {} {}", r.nodes, r.best_move, any ? r.lines[0].value : 0,
                       any ? r.lines[0].depth : 0, r.seldepth, r.first_move_cut_rate);
}

struct Position {
    std::string start;
    std::string moves;
};

/// Spread over the games, each at a random place behind its opening.
std::vector<Position> positions_of(const match::Store& store, std::size_t count) {
    std::uint64_t games = 0;
    store.each_summary([&](const match::GameSummary&) { ++games; });
    const std::uint64_t step = std::max<std::uint64_t>(games / std::max<std::size_t>(count, 1), 1);
    Random random(1);
    std::vector<Position> out;
    store.each_game([&](const match::GameRow& row) {
        const std::size_t opening = row.opening.moves.size();
        const std::size_t plies = row.result.moves.size();
        if (row.slot.game % step != 0 || plies <= opening + 1 || out.size() >= count) return;
        const std::size_t at = opening + random.next() % (plies - opening - 1);
        Position p{row.opening.position, ""};
        for (std::size_t i = 0; i < at; ++i) p.moves += row.result.moves[i].move + " ";
        out.push_back(std::move(p));
    });
    return out;
}

double rounded(double x) {
    return std::round(1000 * x) / 1000;
}

/// Sums of all that was searched.
struct Acts {
    std::size_t positions = 0;
    std::size_t other_move = 0;
    std::uint64_t nodes = 0;  ///< of the side that has it
    std::array<double, 2> depth{};
    SelectiveStats stats;
};

Json to_json(const Acts& a, const Cell& cell) {
    const auto n = static_cast<double>(std::max<std::size_t>(a.positions, 1));
    const Json all = karikomi::to_json(a.stats);
    Json techniques = Json::object();
    for (const Technique t : cell.subject.techniques) {
        const std::string name(karikomi::name_of(t));
        Json one = all.at(name);
        const double acted = one.value("succeeded", 0.0);
        one["in_1000_nodes"] =
            rounded(1000 * acted / static_cast<double>(std::max<std::uint64_t>(a.nodes, 1)));
        techniques[name] = std::move(one);
    }
    return {{"positions", a.positions},
            {"nodes", a.nodes},
            {"techniques", techniques},
            {"depth", {rounded(a.depth[0] / n), rounded(a.depth[1] / n)}},
            {"other_move", rounded(static_cast<double>(a.other_move) / n)}};
}

}  // namespace

Expected<bool> changes_search(const match::MatchConfig& config) {
    auto sides = sides_of(config);
    if (!sides) return sides.error();
    match::TimeControl time = config.time;
    // Times make no two trees alike; so many nodes are about a tenth of a second.
    if (time.nodes == 0 && time.depth == 0) time = {.nodes = 100'000};
    for (const SamplePosition& at : sides->engine->info().samples) {
        if (const Status s = sides->engine->set_position(at.text); !s) return s.error();
        const auto with = search(*sides, 0, time, {});
        const auto without = search(*sides, 1, time, {});
        if (!with) return with.error();
        if (!without) return without.error();
        if (trace_of(*with) != trace_of(*without)) return true;
    }
    return false;
}

Expected<Json> acts_of(const match::MatchConfig& config, const Cell& cell,
                       const match::Store& store, const ActsOptions& options) {
    auto sides = sides_of(config);
    if (!sides) return sides.error();
    Acts acts;
    for (const Position& p : positions_of(store, options.positions)) {
        if (const Status s = sides->engine->set_position(p.start, p.moves); !s) return s.error();
        const auto with = search(*sides, 0, config.time, options.stop);
        const auto without = search(*sides, 1, config.time, options.stop);
        if (!with) return with.error();
        if (!without) return without.error();
        if (options.stop.stop_requested()) return Error{"stopped"};
        if (with->lines.empty() || without->lines.empty()) continue;
        ++acts.positions;
        acts.nodes += with->nodes;
        acts.stats += with->techniques;
        acts.depth[0] += with->lines.front().depth;
        acts.depth[1] += without->lines.front().depth;
        if (with->best_move != without->best_move) ++acts.other_move;
    }
    return to_json(acts, cell);
}

}  // namespace karikomi::evidence
