/// Training positions on disk: fixed-size records in chunk files that are either whole or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

#pragma pack(push, 1)
struct Sample {
    Bits own = 0;
    Bits other = 0;
    std::int16_t value = 0;     ///< for the side to move, in 1/100 disc
    std::uint8_t exact = 0;     ///< 1: the solver's word
    std::uint8_t held_out = 0;  ///< 1: of a game kept for judging the fit
};
#pragma pack(pop)
static_assert(sizeof(Sample) == 20);

/// DIR/chunk_000012.pos and the like.
std::filesystem::path chunk_path(const std::filesystem::path& folder, int chunk);
Status write_chunk(const std::filesystem::path& folder, int chunk,
                   const std::vector<Sample>& samples);
/// All samples of all chunks of the folders.
Expected<std::vector<Sample>> read_chunks(const std::vector<std::filesystem::path>& folders);

}  // namespace karikomi::othello
