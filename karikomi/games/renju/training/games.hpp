/// Training games on disk: the moves with what the searches said, in chunk files that are either
/// whole or absent. Labels are made when the weights are fitted.
#pragma once

#include <filesystem>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/renju/types.hpp"

namespace karikomi::renju {

#pragma pack(push, 1)
struct Ply {
    static constexpr std::uint8_t kNoNumber = 255;

    std::uint8_t played = 0;        ///< row * 15 + column
    std::uint8_t best = kNoNumber;  ///< what the search chose; kNoNumber: not searched
    std::int16_t value = 0;         ///< of the search, for the side to move
};
#pragma pack(pop)
static_assert(sizeof(Ply) == 4);

struct TrainingGame {
    std::int8_t winner = 0;  ///< 1: Black, -1: White, 0: nobody
    bool held_out = false;   ///< kept for judging the fit
    std::vector<Ply> plies;
};

constexpr Cell cell_of_number(int n) {
    return cell_at(n % kUsualSize, n / kUsualSize);
}
constexpr std::uint8_t number_of_cell(Cell c) {
    return static_cast<std::uint8_t>(row_of(c) * kUsualSize + column_of(c));
}

/// DIR/chunk_000012.games and the like.
std::filesystem::path games_path(const std::filesystem::path& folder, int chunk);
Status write_games(const std::filesystem::path& folder, int chunk,
                   const std::vector<TrainingGame>& games);
/// All games of all chunks of the folder.
Expected<std::vector<TrainingGame>> read_games(const std::filesystem::path& folder);

}  // namespace karikomi::renju
