/// Depth, nodes and time by move number, from the records of a match.
#pragma once

#include "karikomi/lab/match/store.hpp"

namespace karikomi::curve {

/// Moves of one engine in one stretch of the game. Opening moves and forced passes do not count.
struct MoveBlock {
    std::uint64_t moves = 0;
    std::uint64_t with_depth = 0;  ///< not every engine says how deep it searched
    std::uint64_t with_nodes = 0;
    double depth_sum = 0;
    double nodes_sum = 0;
    double time_ms_sum = 0;
    std::int64_t slowest_ms = 0;

    void add(const match::MoveNote& note);
    double depth() const { return with_depth > 0 ? depth_sum / double(with_depth) : 0; }
    double nodes() const { return with_nodes > 0 ? nodes_sum / double(with_nodes) : 0; }
    double time_ms() const { return moves > 0 ? time_ms_sum / double(moves) : 0; }
};

struct MoveReport {
    int plies = 10;  ///< in a block
    std::vector<std::string> names;
    /// By engine and number of the block, from ply 0.
    std::vector<std::vector<MoveBlock>> blocks;
    std::uint64_t games = 0;

    std::size_t block_count() const;
    const MoveBlock& at(std::size_t engine, std::size_t block) const;
    MoveBlock whole(std::size_t engine) const;  ///< all its moves
};

/// Of the games of a store. An engine's records are those of all its games.
Expected<MoveReport> move_report(const match::Store& store, int plies);
Json to_json(const MoveReport& report);
/// Depth and time by ply, one line for each engine.
std::string move_chart(const MoveReport& report);

}  // namespace karikomi::curve
