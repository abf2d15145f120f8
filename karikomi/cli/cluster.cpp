/// karikomi cluster: what a NATS server holds, who works, and what was put aside.
#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/nats_options.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kListenMs = 1200;  // a worker says every half second that it is there

struct ClusterOptions {
    NatsSettings nats;
    std::int64_t letters = 10;
};

Json to_json(const queue::ClusterState& s) {
    Json workers = Json::array();
    for (const auto& w : s.workers) {
        workers.push_back(
            {{"worker", w.name}, {"slots", w.slots}, {"busy", w.busy}, {"done", w.done}});
    }
    Json letters = Json::array();
    for (const auto& l : s.letters) {
        letters.push_back({{"when", l.when},
                           {"subject", l.subject},
                           {"worker", l.worker},
                           {"reason", l.reason},
                           {"bytes", l.bytes},
                           {"text", l.text}});
    }
    return {{"event", "result"},           {"server", s.url},
            {"max_message", s.most_bytes}, {"jobs", s.jobs},
            {"in_hand", s.in_hand},        {"results", s.results},
            {"workers", workers},          {"dead", s.dead},
            {"dead_letters", letters},     {"unreadable", s.unreadable}};
}

void print(const queue::ClusterState& s) {
    fmt::print("{}\n", bold(s.url));
    fmt::print("  jobs            {} ({} in hand)\n", s.jobs, s.in_hand);
    fmt::print("  results         {} that nobody has fetched\n", s.results);
    fmt::print("  largest message {} bytes\n", s.most_bytes);
    if (s.workers.empty()) fmt::print("  workers         none\n");
    for (const auto& w : s.workers) {
        fmt::print("  worker          {}: {} of {} slots busy, {} done\n", w.name, w.busy, w.slots,
                   counted(static_cast<std::int64_t>(w.done), "job"));
    }
    if (s.unreadable > 0) {
        fmt::print("  not ours        messages that are none of karikomi's, or signed otherwise\n");
    }
    fmt::print("  put aside       {}\n", counted(static_cast<std::int64_t>(s.dead), "message"));
    for (const auto& l : s.letters) {
        fmt::print("    {} {} by {}: {}\n      {} bytes: {:.120}\n", l.when, l.subject, l.worker,
                   l.reason, l.bytes, l.text);
    }
    if (s.dead > 0) fmt::print("  delete them by: karikomi cluster forget\n");
}

int status(const ClusterOptions& o, Session& session) {
    const auto state =
        queue::look_at_cluster(o.nats.read(), kListenMs, static_cast<std::size_t>(o.letters));
    if (!state) throw Failure(state.error(), kBroken);
    session.begin(nullptr);
    if (!session.json()) print(*state);
    session.finish(to_json(*state));
    return kDone;
}

int forget(const ClusterOptions& o, Session& session) {
    const auto gone = queue::forget_dead_letters(o.nats.read());
    if (!gone) throw Failure(gone.error(), kBroken);
    session.begin(nullptr);
    if (!session.json()) {
        fmt::print("{} deleted\n", counted(static_cast<std::int64_t>(*gone), "message"));
    }
    session.finish({{"event", "result"}, {"deleted", *gone}});
    return kDone;
}

}  // namespace

void add_cluster(Program& program) {
    Command cluster = program.add(
        "cluster", "What a NATS server holds: jobs, workers, messages that were put aside",
        {"karikomi cluster status --nats nats://127.0.0.1:4222  # after: nats-server --jetstream "
         "--addr 127.0.0.1"});
    cluster.has_commands();
    const auto o = std::make_shared<ClusterOptions>();
    Command show = program.add_to(
        cluster, "status", "Jobs, workers, and the newest messages that nobody could read or do",
        {"karikomi cluster status --nats nats://127.0.0.1:4222  # after: nats-server --jetstream "
         "--addr 127.0.0.1"});
    add_number(show, "--letters", o->letters, {0, 1000}, "Show so many of the messages put aside");
    o->nats.add_to(show, "The server (default: nats://127.0.0.1:4222)");
    show.does([o](Session& session) { return status(*o, session); });
    Command away = program.add_to(
        cluster, "forget", "Delete the messages that were put aside",
        {"karikomi cluster forget --nats nats://127.0.0.1:4222  # after: nats-server --jetstream "
         "--addr 127.0.0.1"});
    o->nats.add_to(away, "The server (default: nats://127.0.0.1:4222)");
    away.does([o](Session& session) { return forget(*o, session); });
}

}  // namespace karikomi::cli
