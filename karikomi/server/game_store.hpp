/// Games that the page keeps: one SQLite database.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "karikomi/engine/params.hpp"

namespace SQLite {  // NOLINT: the library's name
class Database;
}

namespace karikomi::server {

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
};
Json to_json(const KeptGame& game, bool with_document);

class GameStore {
public:
    ~GameStore();
    GameStore(const GameStore&) = delete;
    GameStore& operator=(const GameStore&) = delete;

    /// ":memory:" keeps nothing. Folders that are missing are made.
    static Expected<std::unique_ptr<GameStore>> open(const std::string& path);

    /// A new game when its id is 0, else in the place of the old one. Returns the id.
    Expected<std::int64_t> save(const KeptGame& game);
    Expected<KeptGame> load(std::int64_t id) const;
    Status remove(std::int64_t id);
    /// Newest first, without documents. `game` empty: all games.
    Json list(const std::string& game, int limit) const;

    static constexpr int kMostGames = 20'000;

private:
    GameStore() = default;

    mutable std::mutex mutex_;  ///< one connection, many threads
    std::unique_ptr<SQLite::Database> db_;
};

}  // namespace karikomi::server
