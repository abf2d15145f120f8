/// Searches that clients asked for: a fair queue, a few at once, each with a log of its events.
///
/// Fair: clients take turns, whoever asked first within each. A search that nobody listens to is
/// stopped; an endless one makes room when others wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "karikomi/engine/json.hpp"
#include "karikomi/services/work.hpp"

namespace karikomi::server {

using namespace services;  // what is asked of the server, and its answers

struct QueueLimits {
    int at_once = 2;                            ///< searches that run at the same time
    std::size_t waiting = 64;                   ///< in all
    std::size_t per_client = 8;                 ///< waiting or running
    std::chrono::milliseconds unheard{10'000};  ///< time to the first listener
    std::chrono::milliseconds left{3'000};      ///< time after the last one has gone
    std::chrono::milliseconds slice{15'000};    ///< of an endless search while others wait
    std::chrono::milliseconds kept{60'000};     ///< a finished search can be read for so long
};

struct Event {
    std::string name;  ///< queued, started, info, result, error
    std::string data;  ///< JSON in one line
};

/// One search. Everything but `id` and the order is guarded by its mutex.
class Search {
public:
    Search(std::string id, std::string client, Order order)
        : id_(std::move(id)), client_(std::move(client)), order_(std::move(order)) {}

    using Steady = std::chrono::steady_clock;

    const std::string& id() const { return id_; }
    const std::string& client() const { return client_; }
    const Order& order() const { return order_; }
    bool is_endless() const { return order_.request.limits.infinite; }

    void add(const std::string& name, const Json& data);
    void finish(const std::string& name, const Json& data);
    bool finished() const;
    /// Events from number `from` on; waits for one, but not longer than `patience`. `ended` says
    /// that there will be no more.
    std::vector<Event> events_from(std::size_t from, std::chrono::milliseconds patience,
                                   bool& ended) const;

    void listen(int change);
    bool is_abandoned(const QueueLimits& limits) const;
    bool is_forgotten(const QueueLimits& limits) const;

    /// Ends it wherever it is; `why` goes into its result.
    void stop(const std::string& why);
    bool stop_requested() const;
    std::string stop_reason() const;
    bool ran_longer_than(std::chrono::milliseconds time) const;

    /// Until its end; what goes wrong is its result.
    void run(Workshop& workshop);

private:
    void mark_started();

    std::string id_;
    std::string client_;
    Order order_;

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::vector<Event> events_;
    bool finished_ = false;
    bool running_ = false;
    std::string stop_reason_;
    int listeners_ = 0;
    bool was_heard_ = false;
    Steady::time_point since_ = Steady::now();    ///< of the last change of listeners
    Steady::time_point started_ = Steady::now();  ///< while running_
    Steady::time_point ended_ = Steady::now();    ///< when finished_
    StopSource stop_;
};

class Searches {
public:
    explicit Searches(QueueLimits limits);
    ~Searches();
    Searches(const Searches&) = delete;
    Searches& operator=(const Searches&) = delete;

    /// The new search's id, or why it is refused.
    Expected<std::shared_ptr<Search>> add(const std::string& client, Order order);
    std::shared_ptr<Search> find(const std::string& id) const;
    /// {"running": n, "waiting": n, ...}
    Json state() const;
    /// Stops everything and takes no more.
    void close();

private:
    void work();
    void watch();
    void watch_once();
    std::shared_ptr<Search> next();
    void tell_places();

    QueueLimits limits_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool closing_ = false;
    std::map<std::string, std::shared_ptr<Search>> all_;
    std::map<std::string, std::deque<std::shared_ptr<Search>>> waiting_;  ///< by client
    std::deque<std::string> turns_;  ///< clients that wait, next first
    std::vector<std::shared_ptr<Search>> running_;
    std::vector<std::thread> workers_;
    std::thread watcher_;
};

}  // namespace karikomi::server
