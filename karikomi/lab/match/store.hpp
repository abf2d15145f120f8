/// The system of record: one SQLite database (WAL) a match. A game is in it as soon as it is over,
/// so a run that is killed loses the games in flight and nothing else.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "karikomi/lab/match/scoreboard.hpp"

namespace SQLite {
class Database;
}

namespace karikomi::match {

/// A game as it is kept.
struct GameRow {
    Slot slot;
    Opening opening;
    GameResult result;
    std::string started;  ///< UTC, ISO 8601
    std::string host;     ///< the machine that played it
    std::optional<int> margin;
};
GameSummary summary_of(const GameRow& row);
/// One line for programs. `names` by engine.
Json to_json(const GameRow& row, const std::vector<std::string>& names);

class Store {
public:
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Creates it, or opens an existing one for more games. `path` ":memory:" keeps nothing.
    /// Another run on the same file is refused.
    static Expected<std::unique_ptr<Store>> open(const std::string& path);
    /// For reading only, also while a match runs on it.
    static Expected<std::unique_ptr<Store>> read(const std::string& path);

    bool has(const std::string& key) const;
    Json get(const std::string& key) const;  ///< null when it is not there
    void set(const std::string& key, const Json& value);

    void save(const GameRow& row);
    std::vector<bool> done() const;  ///< by number of the game
    void each_game(const std::function<void(const GameRow&)>& see) const;

private:
    Store() = default;
    void create_tables();

    int lock_ = -1;  ///< a lock of the file that a kill releases
    std::unique_ptr<SQLite::Database> db_;
};

}  // namespace karikomi::match
