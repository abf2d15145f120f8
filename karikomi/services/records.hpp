/// Record files for the page: what people paste, and what they take away. The formats are those of
/// the games' own facets; positions and lists of moves work for every game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "karikomi/engine/params.hpp"
#include "karikomi/engine/record.hpp"

namespace karikomi::services {

/// A game as it is kept. `document` is the page's own: settings, branches, comments.
struct KeptGame {
    std::int64_t id = 0;
    std::string game;
    std::string title;
    std::string start;  ///< position; empty: the game's own start
    std::string moves;  ///< the main line, separated by spaces
    std::string result;
    std::string created;  ///< UTC, ISO 8601
    std::string updated;
    std::string document = "{}";
    /// Of what is kept. Whoever changes a game says which version of it, so that two pages do not
    /// silently overwrite each other.
    std::string version() const;
};

/// A game read from a record file.
struct ReadGame {
    std::string start;  ///< position; empty: the game's own start
    std::vector<std::string> moves;
    std::string title;
    std::string format;     ///< what it was read as
    std::size_t games = 1;  ///< in the file
    PlayedGame whole;       ///< of a record: names, times, comments, branches
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

// A game with everything around it, as the page keeps it: its moves are a tree. Each node has "m",
// a move, and "p", the number of the node before it (0: the start; the first node is 1). There may
// be "t", the time in ms; "c", a comment; and "e", how the game ended after it.
Json nodes_of(const PlayedGame& game);
/// Names, event, date, facts and the comment before the first move.
Json heading_of(const PlayedGame& game);
/// The document of a kept game ("tree" and "record") back into a game. Its moves may be wrong.
Expected<PlayedGame> game_of(const Json& document);
/// Formats that write_game() knows for this game.
std::vector<std::string> record_formats(const std::string& game);

}  // namespace karikomi::services
