#include "karikomi/cli/match_moves.hpp"

#include <cmath>

#include <fmt/format.h>

#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/curve/move_report.hpp"

namespace karikomi::cli {
namespace {

std::string block_name(const curve::MoveReport& r, std::size_t block) {
    const auto plies = static_cast<std::size_t>(r.plies);
    return fmt::format("{}..{}", block * plies, (block + 1) * plies - 1);
}

void add_block(std::vector<std::string>& row, const curve::MoveBlock& b) {
    row.push_back(std::to_string(b.moves));
    row.push_back(b.with_depth > 0 ? fmt::format("{:.1f}", b.depth()) : "");
    row.push_back(b.with_nodes > 0 ? grouped(static_cast<std::uint64_t>(std::llround(b.nodes())))
                                   : "");
    row.push_back(b.moves > 0 ? fmt::format("{:.1f}", b.time_ms()) : "");
    row.push_back(b.moves > 0 ? std::to_string(b.slowest_ms) : "");
}

void print_moves(const curve::MoveReport& r) {
    for (std::size_t e = 0; e < r.names.size(); ++e) {
        fmt::print("{}, {}\n", bold(r.names[e]),
                   counted(static_cast<std::int64_t>(r.games), "game"));
        Table table({{"plies"}, {"moves"}, {"depth"}, {"nodes"}, {"ms"}, {"slowest ms"}});
        for (std::size_t b = 0; b < r.blocks[e].size(); ++b) {
            if (r.blocks[e][b].moves == 0) continue;
            std::vector<std::string> row = {block_name(r, b)};
            add_block(row, r.blocks[e][b]);
            table.add(std::move(row));
        }
        table.add_rule();
        std::vector<std::string> row = {"all"};
        add_block(row, r.whole(e));
        table.add(std::move(row));
        fmt::print("{}\n", table.text());
    }
}

}  // namespace

int show_moves(const std::string& database, int plies, const std::string& chart, Session& session) {
    const auto store = take(match::Store::read(database));
    session.begin(store->get("engines"));
    const curve::MoveReport report = take(curve::move_report(*store, plies));
    if (!chart.empty()) write_output("--chart", chart, curve::move_chart(report));
    Json result = {{"event", "result"}, {"database", database}};
    result.update(curve::to_json(report));
    if (!session.json()) print_moves(report);
    session.finish(result);
    return kDone;
}

}  // namespace karikomi::cli
