/// Record files for the page: what people paste, and what they take away. The formats are those of
/// the games' own facets; positions and lists of moves work for every game.
#pragma once

#include <string>
#include <vector>

#include "karikomi/server/game_store.hpp"

namespace karikomi::server {

/// A game read from a record file.
struct ReadGame {
    std::string start;  ///< position; empty: the game's own start
    std::vector<std::string> moves;
    std::string title;
    std::string format;     ///< what it was read as
    std::size_t games = 1;  ///< in the file
};
/// A game as a file.
struct WrittenGame {
    std::string bytes;
    std::string ending;   ///< of the file's name: "sgf"
    bool is_text = true;  ///< in UTF-8
};

/// `number`: which game of the file, from 0.
Expected<ReadGame> read_game(const std::string& game, const std::string& bytes, std::size_t number);
Expected<WrittenGame> write_game(const KeptGame& kept, const std::string& format);
/// Formats that write_game() knows for this game.
std::vector<std::string> record_formats(const std::string& game);

}  // namespace karikomi::server
