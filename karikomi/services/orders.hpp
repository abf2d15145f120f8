/// What a client may ask of a game, read strictly from JSON: positions, searches, parameters.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/opening.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::services {

/// Greatest values that a request may ask for.
struct OrderLimits {
    int threads = 1;
    std::size_t hash_mb = 64;
    std::int64_t max_time_ms = 3'600'000;
};

/// A position as a client names it.
struct Place {
    std::string game;
    std::string position;            ///< empty: the start of the game
    std::vector<std::string> moves;  ///< played from there
    std::map<std::string, std::string> rules;
};

/// What work that is no engine's search sees of the queue: it ends when told to, and may report.
struct JobView {
    StopToken stop;
    std::function<void(const Json&)> report;  ///< an "info" event
};
using Job = std::function<Expected<Json>(const JobView&)>;

/// A proof that is asked for: by which of the game's solvers, and of what.
struct SolveOrder {
    Place place;
    std::string position;  ///< where the moves have led, in the game's notation
    std::string kind;
    std::int64_t time_ms = 0;  ///< 0: until stopped
    std::size_t hash_mb = 64;
};

/// One search, checked: nothing in it can be refused later but for want of a legal move.
struct Order {
    Place place;
    SearchRequest request;
    SearchParams params;
    std::string fingerprint;
    int threads = 1;
    std::size_t hash_mb = 64;
    Job job;  ///< where it is set, it runs instead of the engine's search
};

/// Rules of all games, for checking and showing positions; shared by the server's threads.
class Desk {
public:
    explicit Desk(OrderLimits limits);
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    /// Every game with its techniques and their parameters.
    Json describe_games() const;
    /// The state after the last move; with "all": true the states after every move.
    Expected<Json> show(const Json& request) const;
    Expected<Order> read_order(const Json& request) const;
    Expected<Place> read_place(const Json& request) const;
    Expected<SolveOrder> read_solve(const Json& request) const;
    Expected<OpeningOrder> read_opening(const Json& request) const;

private:
    struct Table;
    /// Made when a game is first asked for: in the browser its weights must come first.
    Expected<Table*> table(const std::string& game) const;
    Status read_tuning(const Json& request, const Table& table, Order& order) const;

    OrderLimits limits_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::unique_ptr<Table>> tables_;
};

/// The game whose engine has the evaluation and the parameters for the place's rule.
std::string engine_of(const Place& place);
/// Puts the place onto an engine.
Status set_up(Engine& engine, const Place& place);
/// Side to move, legal moves and result, as the page reads them.
Json state_of(const Engine& engine);
/// {"error": ..., "remedy": ...}
Json error_json(const Error& error);

}  // namespace karikomi::services
