#include "karikomi/games/renju/training/games.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/base/files.hpp"

namespace karikomi::renju {
namespace {

namespace fs = std::filesystem;

#pragma pack(push, 1)
struct GameHeader {
    std::int8_t winner;
    std::uint8_t held_out;
    std::uint16_t plies;
};
#pragma pack(pop)

/// False when the bytes do not end with a game.
bool parse(const std::string& bytes, std::vector<TrainingGame>& out) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        GameHeader header{};
        if (bytes.size() - at < sizeof header) return false;
        std::memcpy(&header, bytes.data() + at, sizeof header);
        at += sizeof header;
        const std::size_t size = header.plies * sizeof(Ply);
        if (bytes.size() - at < size) return false;
        TrainingGame& game = out.emplace_back();
        game.winner = header.winner;
        game.held_out = header.held_out != 0;
        game.plies.resize(header.plies);
        std::memcpy(game.plies.data(), bytes.data() + at, size);
        at += size;
    }
    return true;
}

}  // namespace

fs::path games_path(const fs::path& folder, int chunk) {
    return folder / fmt::format("chunk_{:06}.games", chunk);
}

Status write_games(const fs::path& folder, int chunk, const std::vector<TrainingGame>& games) {
    std::string bytes;
    for (const TrainingGame& g : games) {
        const GameHeader header{g.winner, static_cast<std::uint8_t>(g.held_out),
                                static_cast<std::uint16_t>(g.plies.size())};
        bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
        bytes.append(reinterpret_cast<const char*>(g.plies.data()), g.plies.size() * sizeof(Ply));
    }
    const fs::path file = games_path(folder, chunk);
    if (!write_file(file, std::as_bytes(std::span(bytes)))) {
        return Error{fmt::format("{}: cannot be written", file.string()), "check the disk"};
    }
    return {};
}

Expected<std::vector<TrainingGame>> read_games(const fs::path& folder) {
    std::error_code trouble;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, trouble)) {
        if (entry.path().extension() == ".games") files.push_back(entry.path());
    }
    if (trouble) {
        return Error{fmt::format("{}: cannot be read", folder.string()), "check the path"};
    }
    std::sort(files.begin(), files.end());
    std::vector<TrainingGame> all;
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)),
                                std::istreambuf_iterator<char>());
        if (!in || !parse(bytes, all)) {
            return Error{fmt::format("{}: damaged", file.string()), "delete it; it is made again"};
        }
    }
    return all;
}

}  // namespace karikomi::renju
