/// The system of record: one SQLite database (WAL) a match. A game is in it as soon as it is over,
/// so a run that is killed loses the games in flight and nothing else.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/match/scoreboard.hpp"
#include "karikomi/lab/store/database.hpp"

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

/// For the way from whoever played it; unpack() throws what nlohmann's library throws.
Json pack(const GameRow& row);
GameRow unpack(const Json& json);

class Store {
public:
    static Expected<std::unique_ptr<Store>> open(const std::string& path);
    static Expected<std::unique_ptr<Store>> read(const std::string& path);

    Json get(const std::string& key) const { return database_->get(key); }
    void set(const std::string& key, const Json& value) { database_->set(key, value); }

    lab::Database& database() { return *database_; }

    void save(const GameRow& row);
    std::vector<bool> done() const;  ///< by number of the game
    void each_game(const std::function<void(const GameRow&)>& see) const;
    /// Only what is counted: a hundred times quicker.
    void each_summary(const std::function<void(const GameSummary&)>& see) const;

private:
    explicit Store(std::unique_ptr<lab::Database> database) : database_(std::move(database)) {}

    std::unique_ptr<lab::Database> database_;
};

}  // namespace karikomi::match
