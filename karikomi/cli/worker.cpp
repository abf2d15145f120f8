/// karikomi worker: does the jobs of match, tune and lab, wherever they were asked for.
#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/nats_options.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/collect.hpp"
#include "karikomi/lab/match/games_job.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using queue::NatsWorker;
using queue::WorkerEvent;

struct WorkerSettings {
    NatsSettings nats;
    std::int64_t concurrency = 1;
    std::int64_t jobs = 0;
    std::int64_t idle_s = 0;
    std::int64_t patience_s = 0;
    std::int64_t job_s = 86'400;
    std::int64_t hash_mb = 0;
    std::int64_t threads = 0;
    bool affinity = false;
    bool commands = false;
};

/// A quarter of the memory, shared by those who play at once.
std::int64_t usual_hash_mb(std::int64_t concurrency) {
    const std::int64_t memory = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
                                static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
    return std::max<std::int64_t>((memory >> 20) / 4 / std::max<std::int64_t>(concurrency, 1), 16);
}

std::int64_t usual_threads() {
    return std::max<std::int64_t>(std::thread::hardware_concurrency(), 16);
}

const char* name_of(WorkerEvent::Kind kind) {
    switch (kind) {
        case WorkerEvent::Kind::Ready:
            return "ready";
        case WorkerEvent::Kind::Started:
            return "started";
        case WorkerEvent::Kind::Done:
            return "done";
        case WorkerEvent::Kind::Refused:
            return "refused";
        case WorkerEvent::Kind::Dropped:
            return "dropped";
        case WorkerEvent::Kind::Trouble:
            break;
    }
    return "trouble";
}

void show(const WorkerEvent& event, const NatsWorker& worker, Session& session) {
    Json line = {{"event", name_of(event.kind)}, {"worker", worker.name()}};
    if (!event.job.empty()) line["job"] = event.job;
    if (!event.text.empty()) line["text"] = event.text;
    if (event.seconds > 0) line["seconds"] = event.seconds;
    session.log(name_of(event.kind), line);
    session.stream(line);
    if (session.json()) return;
    switch (event.kind) {
        case WorkerEvent::Kind::Ready:
            fmt::print("worker {} waits for jobs from {}\n", worker.name(), event.text);
            break;
        case WorkerEvent::Kind::Done:
            fmt::print("{} {}: {:.1f} s\n", event.text, event.job, event.seconds);
            break;
        case WorkerEvent::Kind::Refused:
            fmt::print("{} refused: {}\n", event.job, event.text);
            break;
        case WorkerEvent::Kind::Dropped:
            fmt::print("{} given back: {}\n", event.job, event.text);
            break;
        case WorkerEvent::Kind::Trouble:
            fmt::print("{}\n", event.text);
            break;
        case WorkerEvent::Kind::Started:
            break;
    }
    std::fflush(stdout);
}

int run(const WorkerSettings& s, Session& session) {
    queue::WorkerOptions options;
    options.nats = s.nats.read();
    options.slots = static_cast<int>(s.concurrency);
    options.most_jobs = static_cast<std::uint64_t>(s.jobs);
    options.idle_ms = 1000 * s.idle_s;
    options.patience_ms = 1000 * s.patience_s;
    const StopToken stop = session.stop();
    options.most_job_ms = 1000 * s.job_s;
    const std::int64_t hash_mb = s.hash_mb > 0 ? s.hash_mb : usual_hash_mb(s.concurrency);
    const std::int64_t threads = s.threads > 0 ? s.threads : usual_threads();
    const match::WorkPlace place{s.affinity, s.commands, static_cast<int>(hash_mb),
                                 static_cast<int>(threads)};
    queue::Makers makers = match::game_makers(place);
    makers.merge(lab::sample_makers(place));
    auto made = NatsWorker::make(options, makers);
    if (!made) throw Failure(made.error(), kBroken);
    NatsWorker& worker = **made;
    session.begin({{"version", kVersion}, {"commit", kCommit}});
    const Status status = worker.run([&](const WorkerEvent& e) { show(e, worker, session); }, stop);
    if (!status) throw Failure(status.error(), kBroken);
    session.finish({{"event", "result"}, {"worker", worker.name()}, {"jobs", worker.done()}});
    if (!session.json())
        fmt::print("{} done\n", counted(static_cast<std::int64_t>(worker.done()), "job"));
    return kDone;
}

}  // namespace

void add_worker(Program& program) {
    Command command = program.add(
        "worker", "Do jobs of match, tune and lab that a NATS server holds; see docs/cluster.md",
        {"karikomi worker --nats nats://127.0.0.1:4222 --concurrency 2  # after: nats-server "
         "--jetstream --addr 127.0.0.1"});
    const auto s = std::make_shared<WorkerSettings>();
    add_number(command, "--concurrency", s->concurrency, {1, 512}, "Jobs at once");
    add_switch(command, "--affinity", s->affinity, "Tie programs to processors");
    add_switch(command, "--allow-commands", s->commands,
               "Also run engines that are commands (usi:, gtp:, ...): whoever can send jobs to the "
               "server can then run anything here");
    add_number(command, "--jobs", s->jobs, {1, 1'000'000'000}, "Leave after so many");
    add_number(command, "--idle", s->idle_s, {1, 1'000'000},
               "Leave after so many seconds without a job");
    add_number(command, "--job-time", s->job_s, {1, 10'000'000},
               "End jobs that take longer, in seconds");
    add_number(command, "--max-hash", s->hash_mb, {1, 1 << 20},
               "Refuse engines with a larger table, in MB (default: a quarter of the memory, by "
               "--concurrency)");
    add_number(command, "--max-threads", s->threads, {1, 512},
               "Refuse engines with more threads (default: the processors, at least 16)");
    add_number(command, "--wait", s->patience_s, {1, 1'000'000},
               "Wait so many seconds for the server to appear");
    s->nats.add_to(command, "The server (default: nats://127.0.0.1:4222)");
    command.does([s](Session& session) { return run(*s, session); });
}

}  // namespace karikomi::cli
