/// Games that the page keeps: one SQLite database.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "karikomi/engine/params.hpp"
#include "karikomi/services/records.hpp"

namespace SQLite {  // NOLINT: the library's name
class Database;
}

namespace karikomi::server {

using services::KeptGame;

Json to_json(const KeptGame& game, bool with_document);

class GameStore {
public:
    ~GameStore();
    GameStore(const GameStore&) = delete;
    GameStore& operator=(const GameStore&) = delete;

    /// ":memory:" keeps nothing. Folders that are missing are made.
    static Expected<std::unique_ptr<GameStore>> open(const std::string& path);

    /// A new game when its id is 0, else in the place of the old one, which must be `version`.
    /// Returns id and version of what is kept now.
    struct Saved {
        std::int64_t id = 0;
        std::string version;
        bool conflict = false;  ///< nothing was written: `version` is what somebody else has kept
    };
    Expected<Saved> save(const KeptGame& game, const std::string& version = {});
    Expected<KeptGame> load(std::int64_t id) const;
    Status remove(std::int64_t id);
    /// Newest first, without documents. `game` empty: all games.
    Json list(const std::string& game, int limit) const;

    static constexpr int kMostGames = 20'000;

private:
    GameStore() = default;
    std::optional<KeptGame> find(std::int64_t id) const;

    mutable std::mutex mutex_;  ///< one connection, many threads
    std::unique_ptr<SQLite::Database> db_;
};

}  // namespace karikomi::server
