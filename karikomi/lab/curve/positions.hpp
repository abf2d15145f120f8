/// Positions with the move that a long search chooses: a measure of search that needs no games.
/// Kept as JSON lines, one position a line.
#pragma once

#include <atomic>
#include <functional>

#include "karikomi/lab/curve/budget.hpp"
#include "karikomi/lab/match/openings.hpp"

namespace karikomi::curve {

struct KnownPosition {
    std::string game;  ///< "shogi"
    std::string position;
    std::string move;  ///< of the long search
    Value value = 0;
    Depth depth = 0;
    std::uint64_t nodes = 0;
    /// The move has been the best one from here on: how hard the position is.
    std::uint64_t since_nodes = 0;
    std::uint64_t number = 0;  ///< of the self-play game that it comes from
    int ply = 0;
    std::string evaluation;
    std::string fingerprint;
};
Json to_json(const KnownPosition& p);
/// The lines of a file; a last line that a crash has cut off is left out.
Expected<std::vector<KnownPosition>> read_positions(const std::string& file);

struct PositionOptions {
    std::string game;
    match::OpeningOptions openings;
    Budget play{BudgetKind::Nodes, 2000};       ///< of the moves of self-play
    Budget search{BudgetKind::Nodes, 1000000};  ///< of the search that chooses the move
    std::size_t count = 200;
    int per_game = 4;
    int threads = 1;
    int hash_mb = 64;
};

/// Plays games against itself and searches some positions of each for long, until the file holds
/// `count`. What it holds already is kept, so that a run goes on after a crash. Left out: positions
/// with one legal move, decided ones (many moves win), and those whose best move changed in the
/// second half of the search (nobody knows the right one). True: complete.
Expected<bool> make_positions(const PositionOptions& options, const std::string& file,
                              const StopToken& stop,
                              const std::function<void(std::size_t)>& on_count);

}  // namespace karikomi::curve
