/// Mate by checks alone (tsume): a depth-first proof-number search.
///
/// A repetition is a failure of the attacker, but only on the line where it happens: a refutation
/// that rests on a position further up is remembered for that line alone, so no mate is denied
/// because a shorter way round was looked at first.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "karikomi/base/stop.hpp"
#include "karikomi/games/shogi/board.hpp"

namespace karikomi::shogi {

enum class TsumeVerdict : std::uint8_t { Mate, NoMate, Unknown };

/// How far a search has come, for people who wait.
struct TsumeProgress {
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    int hash_permille = 0;
    int deepest = 0;             ///< plies, so far
    std::uint32_t proof = 0;     ///< of the whole problem: the smaller, the nearer to a mate
    std::uint32_t disproof = 0;  ///< the smaller, the nearer to a denial
    std::vector<Move> line{};    ///< that is being looked at
};

struct TsumeOptions {
    std::int64_t time_ms = 0;     ///< 0: no limit
    std::uint64_t max_nodes = 0;  ///< 0: no limit
    std::size_t hash_mb = 64;
    bool shortest = false;  ///< look for a shorter mate as long as there is time
    StopToken stop{};
    std::function<void(const TsumeProgress&)> report{};
    std::int64_t report_ms = 1000;  ///< between reports
};

struct TsumeResult {
    TsumeVerdict verdict = TsumeVerdict::Unknown;
    std::vector<Move> line;    ///< to the mate, with a defence that lasts
    bool is_shortest = false;  ///< proven: no mate is shorter
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
};

/// The side to move is the attacker; it may lack a king.
TsumeResult solve_tsume(const Board& board, const TsumeOptions& options);

/// Does the line consist of legal moves, checks of the first player, and end in mate?
bool is_mating_line(const Board& board, const std::vector<Move>& line);

}  // namespace karikomi::shogi
