/// Jobs through a NATS server with JetStream (docs/cluster.md). A job stays in the server until a
/// worker has handed in its result; a worker that falls silent loses the job to another. A result
/// stays until whoever asked for it has kept it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "karikomi/lab/queue/queue.hpp"

namespace karikomi::queue {

struct NatsOptions {
    std::string url = "nats://127.0.0.1:4222";  ///< several: separated by commas
    std::string token;
    std::string job_key;      ///< signs all that karikomi says there; empty: nothing is signed
    std::string credentials;  ///< file with a user's JWT and seed
    std::string ca_file;      ///< certificates to trust
    std::string cert_file;    ///< our own certificate and key
    std::string key_file;
    bool tls = false;
    int replicas = 1;  ///< of the streams, when they are made: 3 in a cluster of three
    /// A job whose worker says nothing for so long goes to another.
    std::int64_t silence_ms = 30'000;
};
/// Without user and password, to be shown.
std::string public_url(const std::string& url);

using Note = std::function<void(const std::string& text)>;

/// `run` names the run on the server: whoever goes on with it takes the same name, and finds the
/// results that came in between. Notes come from inside next().
Expected<std::unique_ptr<JobQueue>> make_nats_queue(const NatsOptions& options,
                                                    const std::string& run, Note note);

struct WorkerOptions {
    NatsOptions nats;
    int slots = 1;
    std::uint64_t most_jobs = 0;   ///< leave after so many; 0: never
    std::int64_t idle_ms = 0;      ///< leave after so long without a job; 0: never
    std::int64_t patience_ms = 0;  ///< wait so long for the server at the start
    std::int64_t most_job_ms = 0;  ///< a job that takes longer is ended; 0: none is
};

/// What a worker tells of.
struct WorkerEvent {
    enum class Kind : std::uint8_t { Ready, Started, Done, Refused, Dropped, Trouble };
    Kind kind = Kind::Ready;
    std::string job;
    std::string text;
    double seconds = 0;
};

class NatsWorker {
public:
    using Watch = std::function<void(const WorkerEvent&)>;

    virtual ~NatsWorker() = default;
    static Expected<std::unique_ptr<NatsWorker>> make(const WorkerOptions& options,
                                                      const Makers& makers);
    /// Until `stop`, or until the options end it; jobs in hand go back to the queue. Watch is
    /// called from one thread at a time.
    virtual Status run(const Watch& watch, const StopToken& stop) = 0;
    virtual std::uint64_t done() const = 0;
    virtual const std::string& name() const = 0;
};

/// What a server holds, for people.
struct ClusterState {
    std::string url;
    std::size_t most_bytes = 0;  ///< of a message
    std::uint64_t jobs = 0;      ///< that are not done
    std::uint64_t in_hand = 0;   ///< of these: that workers are at
    std::uint64_t results = 0;   ///< that nobody has fetched
    struct Worker {
        std::string name;
        std::size_t slots = 0;
        std::size_t busy = 0;
        std::uint64_t done = 0;
    };
    std::vector<Worker> workers;
    std::uint64_t dead = 0;  ///< messages that were put aside
    struct Letter {
        std::string when;
        std::string subject;
        std::string worker;  ///< who put it aside
        std::string reason;
        std::string text;  ///< its beginning
        std::uint64_t bytes = 0;
    };
    std::vector<Letter> letters;   ///< the newest of them
    std::uint64_t unreadable = 0;  ///< that came meanwhile from no worker of ours
};
/// Listens for workers for `wait_ms`.
Expected<ClusterState> look_at_cluster(const NatsOptions& options, std::int64_t wait_ms,
                                       std::size_t letters);
/// Deletes the messages that were put aside; how many they were.
Expected<std::uint64_t> forget_dead_letters(const NatsOptions& options);

}  // namespace karikomi::queue
