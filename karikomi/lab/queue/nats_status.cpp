/// What a server holds, for people.
#include <map>
#include <thread>

#include "karikomi/lab/queue/nats_connection.hpp"

namespace karikomi::queue {
namespace {

void listen_for_workers(Connection& connection, std::int64_t wait_ms, ClusterState& state) {
    const Subscription presence = connection.listen(kPresence);
    connection.flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    std::map<std::string, ClusterState::Worker> workers;
    std::string complaint;
    for (const Json& j : connection.heard(presence.get(), &complaint)) {
        const auto there = presence_of(j);
        if (there && (workers.size() < kMostWorkers || workers.contains(there->worker))) {
            workers[there->worker] = {there->worker, there->slots, there->busy.size(), there->done};
        } else {
            ++state.unreadable;
        }
    }
    if (!complaint.empty()) ++state.unreadable;
    for (auto& [name, worker] : workers) state.workers.push_back(std::move(worker));
}

}  // namespace

Expected<ClusterState> look_at_cluster(const NatsOptions& options, std::int64_t wait_ms,
                                       std::size_t letters) {
    auto opened = Connection::open(options, "karikomi cluster");
    if (!opened) return opened.error();
    Connection& connection = **opened;
    ClusterState state;
    state.url = public_url(options.url);
    state.most_bytes = connection.most_bytes();
    listen_for_workers(connection, wait_ms, state);
    if (const auto jobs = connection.state_of(kJobStream)) state.jobs = jobs->messages;
    state.in_hand = connection.in_hand(kJobStream, kWorkers);
    if (const auto results = connection.state_of(kResultStream)) state.results = results->messages;
    if (const auto dead = connection.state_of(kDeadStream)) state.dead = dead->messages;
    for (const std::string& text : connection.newest(kDeadStream, letters)) {
        auto json = Wire().read(kDead, text);  // never signed: whoever looks may have no key
        const auto letter = json ? dead_letter_of(*json) : Expected<DeadLetter>(json.error());
        if (!letter) {
            ++state.unreadable;
            continue;
        }
        state.letters.push_back({letter->when, letter->subject, letter->worker, letter->reason,
                                 letter->text, letter->bytes});
    }
    return state;
}

Expected<std::uint64_t> forget_dead_letters(const NatsOptions& options) {
    auto opened = Connection::open(options, "karikomi cluster");
    if (!opened) return opened.error();
    const auto held = (*opened)->state_of(kDeadStream);
    (*opened)->purge(kDeadStream, kDead);
    return held ? held->messages : 0;
}

}  // namespace karikomi::queue
