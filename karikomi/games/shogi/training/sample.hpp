/// Training positions on disk: records of 52 bytes in chunk files that are either whole or absent.
/// docs/games/shogi-network.md describes them for other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "karikomi/games/shogi/position.hpp"

namespace karikomi::shogi {

/// One place for each of the 40 pieces of a set, kind by kind: P18 L4 N4 S4 B2 R2 G4 K2.
#pragma pack(push, 1)
struct Sample {
    static constexpr std::uint8_t kWhiteBit = 128;
    static constexpr std::uint8_t kInHand = 81;
    static constexpr std::uint8_t kMissing = 127;  ///< handicaps
    static constexpr std::uint8_t kWhiteToMove = 1;
    static constexpr std::uint8_t kHeldOut = 2;  ///< of a game kept for judging the fit
    static constexpr std::uint8_t kStrayed = 4;  ///< a random move follows: the result says little

    std::uint8_t place[40];    ///< square 0 .. 80 ((file - 1) * 9 + rank), or as above
    std::uint8_t promoted[5];  ///< bit i % 8 of byte i / 8: piece i is promoted
    std::uint8_t flags;
    std::int16_t score;  ///< of the search, for the side to move
    std::int8_t result;  ///< of the game, for the side to move: 1, 0, -1
    std::uint8_t reserved;
    std::uint16_t ply;  ///< of the game
};
#pragma pack(pop)
static_assert(sizeof(Sample) == 52);

/// Board and side; the other fields are 0.
Sample pack(const Board& board);
Expected<Board> unpack(const Sample& sample);

std::filesystem::path chunk_path(const std::filesystem::path& folder, int chunk);
/// Positions without values that belong to the chunk.
std::filesystem::path leaves_path(const std::filesystem::path& folder, int chunk);
Status write_samples(const std::filesystem::path& file, const std::vector<Sample>& samples);

}  // namespace karikomi::shogi
