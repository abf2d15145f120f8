/// The NATS client's objects with owners, and the streams that our jobs go through.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <nats/nats.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/queue/nats.hpp"
#include "karikomi/lab/queue/wire.hpp"

namespace karikomi::queue {

inline constexpr const char* kJobStream = "KARIKOMI_JOBS";
inline constexpr const char* kResultStream = "KARIKOMI_RESULTS";
inline constexpr const char* kDeadStream = "KARIKOMI_DEAD";  ///< what nobody could read or do
inline constexpr const char* kWorkers = "workers";  ///< the consumer that all workers share
inline constexpr const char* kAllJobs = "karikomi.jobs.*";
inline constexpr const char* kAllResults = "karikomi.results.*";
inline constexpr const char* kDead = "karikomi.dead";
// Said to whoever listens; lost when nobody does.
inline constexpr const char* kPresence = "karikomi.workers";
inline constexpr const char* kRefusals = "karikomi.refusals";
inline constexpr const char* kCancel = "karikomi.cancel";
inline constexpr std::int64_t kPresenceMs = 500;

template <auto Destroy> struct Destroyer {
    template <class T> void operator()(T* object) const { Destroy(object); }
};
template <class T, auto Destroy> using Owned = std::unique_ptr<T, Destroyer<Destroy>>;

using Message = Owned<natsMsg, natsMsg_Destroy>;
using Subscription = Owned<natsSubscription, natsSubscription_Destroy>;

std::string data_of(const natsMsg* message);
std::string subject_of(const natsMsg* message);
/// How often the server has handed it out, this time included.
std::uint64_t deliveries_of(natsMsg* message);
std::string job_subject(const std::string& run);
std::string result_subject(const std::string& run);

/// May be used from several threads.
class Connection {
public:
    /// Connects, and makes the streams where they are not there.
    static Expected<std::unique_ptr<Connection>> open(const NatsOptions& options,
                                                      const std::string& name);
    /// Reconnects by itself, for ever.
    bool is_up() const;
    /// How often it has. A short absence shows here only.
    std::uint64_t reconnects() const;
    /// Makes streams and the workers' consumer where they are not there. A server that came back
    /// may have come back empty.
    Status make_streams(const NatsOptions& options);
    /// To a stream; waits until the server has it. NATS_OK, or what was wrong.
    natsStatus store(const std::string& subject, const std::string& text, const std::string& id,
                     std::int64_t wait_ms);
    void say(const char* subject, const Json& json);
    /// Takes a stream's message out of the queue for good and keeps it among the dead letters.
    void bury(natsMsg* message, const std::string& by, const std::string& reason);
    const Wire& wire() const { return wire_; }
    /// Bytes that the server takes in one message.
    std::size_t most_bytes() const;
    Subscription listen(const char* subject);
    /// What has come for `subscription` since the last call, up to 1000 messages; does not wait.
    /// What is none of ours is left out; `complaint` says why, where one is given.
    std::vector<Json> heard(natsSubscription* subscription, std::string* complaint = nullptr) const;
    /// To take jobs or results from a stream.
    Expected<Subscription> pull(const char* stream, const std::string& consumer);
    Status add_consumer(const char* stream, const std::string& name, const std::string& subject,
                        std::int64_t silence_ms);
    void remove_consumer(const char* stream, const std::string& name);
    /// Up to `most` messages, in at most this time.
    std::vector<Message> fetch(natsSubscription* from, int most, std::int64_t wait_ms) const;
    void purge(const char* stream, const std::string& subject);
    void flush();
    struct StreamState {
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
        std::uint64_t last = 0;  ///< number of the newest message
    };
    std::optional<StreamState> state_of(const char* stream);
    /// Jobs that workers have in hand.
    std::uint64_t in_hand(const char* stream, const std::string& consumer);
    /// The newest messages of a stream, up to `most`; none is taken out.
    std::vector<std::string> newest(const char* stream, std::size_t most);
    /// How long a consumer lets a worker be silent.
    std::int64_t silence_of(const char* stream, const std::string& consumer);

private:
    Connection() = default;
    Status connect(const NatsOptions& options, const std::string& name);
    Status add_stream(jsStreamConfig config, const NatsOptions& options);

    Wire wire_;
    Owned<natsOptions, natsOptions_Destroy> options_;
    Owned<natsConnection, natsConnection_Destroy> connection_;
    Owned<jsCtx, jsCtx_Destroy> streams_;
};

/// "host-1234".
std::string worker_name();
/// Sixteen random hexadecimal digits.
std::string random_id();

}  // namespace karikomi::queue
