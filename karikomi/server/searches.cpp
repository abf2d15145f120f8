#include "karikomi/server/searches.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/server/guard.hpp"

namespace karikomi::server {
namespace {

constexpr std::size_t kMostEvents = 4'000;  ///< of one search; an endless one has some hundreds
constexpr std::chrono::milliseconds kWatchPause{100};

std::string to_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

// ---- One search ---------------------------------------------------------------------------------

void Search::add(const std::string& name, const Json& data) {
    const std::lock_guard lock(mutex_);
    if (finished_ || events_.size() >= kMostEvents) return;
    events_.push_back({name, to_line(data)});
    changed_.notify_all();
}

void Search::finish(const std::string& name, const Json& data) {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    events_.push_back({name, to_line(data)});
    finished_ = true;
    running_ = false;
    ended_ = Steady::now();
    changed_.notify_all();
}

bool Search::finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
}

std::vector<Event> Search::events_from(std::size_t from, std::chrono::milliseconds patience,
                                       bool& ended) const {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return finished_ || events_.size() > from; });
    ended = finished_;
    if (from >= events_.size()) return {};
    return {events_.begin() + static_cast<std::ptrdiff_t>(from), events_.end()};
}

void Search::listen(int change) {
    const std::lock_guard lock(mutex_);
    listeners_ += change;
    was_heard_ = true;
    since_ = Steady::now();
}

bool Search::is_abandoned(const QueueLimits& limits) const {
    const std::lock_guard lock(mutex_);
    if (finished_ || listeners_ > 0) return false;
    return Steady::now() - since_ > (was_heard_ ? limits.left : limits.unheard);
}

bool Search::is_forgotten(const QueueLimits& limits) const {
    const std::lock_guard lock(mutex_);
    return finished_ && listeners_ == 0 && Steady::now() - ended_ > limits.kept;
}

void Search::stop(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        if (finished_) return;
        if (stop_reason_.empty()) stop_reason_ = why;
    }
    stop_.request_stop();
}

bool Search::stop_requested() const {
    const std::lock_guard lock(mutex_);
    return !stop_reason_.empty();
}

std::string Search::stop_reason() const {
    const std::lock_guard lock(mutex_);
    return stop_reason_;
}

bool Search::ran_longer_than(std::chrono::milliseconds time) const {
    const std::lock_guard lock(mutex_);
    return running_ && Steady::now() - started_ > time;
}

void Search::mark_started() {
    const std::lock_guard lock(mutex_);
    running_ = true;
    started_ = Steady::now();
}

void Search::run(Workshop& workshop) {
    const auto result =
        workshop.carry_out(order_, stop_.get_token(), [this](const char* event, const Json& data) {
            if (event == std::string_view("started")) mark_started();
            add(event, data);
        });
    if (!result) {
        finish("error", error_json(result.error()));
        return;
    }
    Json out = *result;
    const std::string why = stop_reason();
    if (!why.empty()) out["stopped"] = why;
    finish("result", out);
}

// ---- The queue ----------------------------------------------------------------------------------

Searches::Searches(QueueLimits limits) : limits_(limits) {
    for (int i = 0; i < limits_.at_once; ++i) workers_.emplace_back([this] { work(); });
    watcher_ = std::thread([this] { watch(); });
}

Searches::~Searches() {
    close();
    for (std::thread& t : workers_) t.join();
    watcher_.join();
}

Expected<std::shared_ptr<Search>> Searches::add(const std::string& client, Order order) {
    std::shared_ptr<Search> search;
    {
        const std::lock_guard lock(mutex_);
        if (closing_) return Error{"the server is stopping", "start it again"};
        std::size_t waiting = 0;
        for (const auto& [name, queue] : waiting_) waiting += queue.size();
        if (waiting >= limits_.waiting) {
            return Error{fmt::format("{} searches wait already", waiting), "try again later"};
        }
        const auto mine = [&](const auto& s) { return s->client() == client && !s->finished(); };
        auto count =
            static_cast<std::size_t>(std::count_if(running_.begin(), running_.end(), mine));
        if (const auto it = waiting_.find(client); it != waiting_.end()) count += it->second.size();
        if (count >= limits_.per_client) {
            return Error{fmt::format("this page has {} searches already", count),
                         "stop one of them"};
        }
        search = std::make_shared<Search>(random_id(), client, std::move(order));
        all_[search->id()] = search;
        auto& queue = waiting_[client];
        if (queue.empty()) turns_.push_back(client);
        queue.push_back(search);
    }
    changed_.notify_all();  // one might be the watcher, and then no worker would come
    tell_places();
    return search;
}

std::shared_ptr<Search> Searches::find(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    const auto it = all_.find(id);
    return it == all_.end() ? nullptr : it->second;
}

Json Searches::state() const {
    const std::lock_guard lock(mutex_);
    std::size_t waiting = 0;
    for (const auto& [name, queue] : waiting_) waiting += queue.size();
    return {{"running", running_.size()},
            {"waiting", waiting},
            {"kept", all_.size()},
            {"at_once", limits_.at_once}};
}

void Searches::close() {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    const std::string why = "the server is stopping";
    for (const auto& [id, search] : all_) search->stop(why);
    for (const auto& [client, queue] : waiting_) {
        for (const auto& search : queue) {
            search->finish("result", {{"bestmove", nullptr}, {"stopped", why}});
        }
    }
    changed_.notify_all();
}

/// The next search in turn; nothing when the server stops. Call without the lock.
std::shared_ptr<Search> Searches::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closing_ || !turns_.empty(); });
    if (closing_) return nullptr;
    const std::string client = turns_.front();
    turns_.pop_front();
    auto& queue = waiting_[client];
    std::shared_ptr<Search> search = queue.front();
    queue.pop_front();
    if (queue.empty()) {
        waiting_.erase(client);
    } else {
        turns_.push_back(client);
    }
    running_.push_back(search);
    return search;
}

void Searches::work() {
    Workshop workshop;
    while (const std::shared_ptr<Search> search = next()) {
        tell_places();
        try {
            if (search->stop_requested()) {
                search->finish("result",
                               {{"bestmove", nullptr}, {"stopped", search->stop_reason()}});
            } else {
                search->run(workshop);
            }
        } catch (const std::exception& e) {
            workshop.clear();
            search->finish("error", {{"error", e.what()}, {"remedy", "please report it"}});
        }
        const std::lock_guard lock(mutex_);
        std::erase(running_, search);
    }
}

/// Tells those who wait how many are before them.
void Searches::tell_places() {
    const std::lock_guard lock(mutex_);
    std::size_t round = 0;
    std::size_t ahead = 0;
    for (bool more = true; more; ++round) {
        more = false;
        for (const std::string& client : turns_) {
            const auto& queue = waiting_[client];
            if (round >= queue.size()) continue;
            more = true;
            queue[round]->add("queued", {{"ahead", ahead++}});
        }
    }
}

void Searches::watch() {
    std::unique_lock lock(mutex_);
    while (!closing_) {
        changed_.wait_for(lock, kWatchPause, [&] { return closing_; });
        lock.unlock();
        watch_once();
        lock.lock();
    }
}

void Searches::watch_once() {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, search] : all_) {
        if (search->is_abandoned(limits_)) search->stop("nobody listens any more");
    }
    // Stopped while waiting: they need no worker.
    for (auto it = waiting_.begin(); it != waiting_.end();) {
        auto& queue = it->second;
        std::erase_if(queue, [](const std::shared_ptr<Search>& search) {
            if (!search->stop_requested()) return false;
            search->finish("result", {{"bestmove", nullptr}, {"stopped", search->stop_reason()}});
            return true;
        });
        if (!queue.empty()) {
            ++it;
            continue;
        }
        std::erase(turns_, it->first);
        it = waiting_.erase(it);
    }
    if (!turns_.empty()) {
        for (const auto& search : running_) {
            if (search->is_endless() && search->ran_longer_than(limits_.slice)) {
                search->stop("others are waiting");
                break;  // one place is enough for now
            }
        }
    }
    std::erase_if(all_, [&](const auto& entry) { return entry.second->is_forgotten(limits_); });
}

}  // namespace karikomi::server
