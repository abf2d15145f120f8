#include "karikomi/lab/curve/move_report.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/curve/plot.hpp"
#include "karikomi/lab/match/match_config.hpp"

namespace karikomi::curve {
namespace {

/// Who moves first from a position, asked once for each.
class StartSides {
public:
    explicit StartSides(std::unique_ptr<Engine> referee) : referee_(std::move(referee)) {}
    int of(const std::string& position) {
        const auto known = sides_.find(position);
        if (known != sides_.end()) return known->second;
        const int side = referee_->set_position(position) ? referee_->side_to_move() : 0;
        return sides_[position] = side;
    }

private:
    std::unique_ptr<Engine> referee_;
    std::map<std::string, int> sides_;
};

Json block_json(const MoveBlock& b) {
    return {{"moves", b.moves},
            {"depth", b.with_depth > 0 ? Json(b.depth()) : Json(nullptr)},
            {"nodes", b.with_nodes > 0 ? Json(b.nodes()) : Json(nullptr)},
            {"time_ms", b.time_ms()},
            {"slowest_ms", b.slowest_ms}};
}

}  // namespace

void MoveBlock::add(const match::MoveNote& note) {
    ++moves;
    time_ms_sum += static_cast<double>(note.time_ms);
    slowest_ms = std::max(slowest_ms, note.time_ms);
    if (note.depth > 0) {
        ++with_depth;
        depth_sum += note.depth;
    }
    if (note.nodes > 0) {
        ++with_nodes;
        nodes_sum += static_cast<double>(note.nodes);
    }
}

std::size_t MoveReport::block_count() const {
    std::size_t most = 0;
    for (const auto& b : blocks) most = std::max(most, b.size());
    return most;
}

const MoveBlock& MoveReport::at(std::size_t engine, std::size_t block) const {
    static const MoveBlock kNone;
    return block < blocks[engine].size() ? blocks[engine][block] : kNone;
}

MoveBlock MoveReport::whole(std::size_t engine) const {
    MoveBlock sum;
    for (const MoveBlock& b : blocks[engine]) {
        sum.moves += b.moves;
        sum.with_depth += b.with_depth;
        sum.with_nodes += b.with_nodes;
        sum.depth_sum += b.depth_sum;
        sum.nodes_sum += b.nodes_sum;
        sum.time_ms_sum += b.time_ms_sum;
        sum.slowest_ms = std::max(sum.slowest_ms, b.slowest_ms);
    }
    return sum;
}

Expected<MoveReport> move_report(const match::Store& store, int plies) {
    const auto config = match::config_of(store.get("config"));
    if (!config) return config.error();
    auto referee = match::make_referee(config->game, config->rules);
    if (!referee) return referee.error();
    StartSides sides(std::move(*referee));
    MoveReport report;
    report.plies = plies;
    report.names = store.get("names").get<std::vector<std::string>>();
    report.blocks.resize(report.names.size());
    store.each_game([&](const match::GameRow& row) {
        ++report.games;
        int side = sides.of(row.opening.position);
        std::size_t ply = 0;
        for (const match::MoveNote& note : row.result.moves) {
            const int engine = side == 0 ? row.slot.first : row.slot.second;
            auto& blocks = report.blocks.at(static_cast<std::size_t>(engine));
            const std::size_t block = ply / static_cast<std::size_t>(plies);
            if (note.asked) {
                if (blocks.size() <= block) blocks.resize(block + 1);
                blocks[block].add(note);
            }
            side = 1 - side;
            ++ply;
        }
    });
    return report;
}

Json to_json(const MoveReport& r) {
    Json engines = Json::array();
    for (std::size_t e = 0; e < r.names.size(); ++e) {
        Json blocks = Json::array();
        for (std::size_t b = 0; b < r.blocks[e].size(); ++b) {
            if (r.blocks[e][b].moves == 0) continue;
            Json row = {{"from_ply", b * static_cast<std::size_t>(r.plies)}};
            row.update(block_json(r.blocks[e][b]));
            blocks.push_back(std::move(row));
        }
        engines.push_back(
            {{"engine", r.names[e]}, {"all", block_json(r.whole(e))}, {"blocks", blocks}});
    }
    return {{"games", r.games}, {"plies_in_a_block", r.plies}, {"engines", engines}};
}

std::string move_chart(const MoveReport& r) {
    Panel depth{"mean depth by ply", {}, {}};
    Panel time{"mean time of a move by ply, ms", {}, {}};
    for (std::size_t e = 0; e < r.names.size(); ++e) {
        Series depths{r.names[e], {}, true};
        Series times{r.names[e], {}, true};
        for (std::size_t b = 0; b < r.blocks[e].size(); ++b) {
            const MoveBlock& block = r.blocks[e][b];
            const double x = (static_cast<double>(b) + 0.5) * r.plies;
            if (block.with_depth > 0) depths.points.push_back({x, block.depth(), {}, {}});
            if (block.moves > 0) times.points.push_back({x, block.time_ms(), {}, {}});
        }
        depth.series.push_back(std::move(depths));
        time.series.push_back(std::move(times));
    }
    for (std::size_t b = 0; b <= r.block_count(); b += std::max<std::size_t>(1, b > 20 ? 5 : 2)) {
        const double x = static_cast<double>(b) * r.plies;
        for (Panel* p : {&depth, &time}) p->ticks.push_back({x, fmt::format("{:.0f}", x)});
    }
    return svg_of({depth, time});
}

}  // namespace karikomi::curve
