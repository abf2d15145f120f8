#include "karikomi/lab/queue/nats_connection.hpp"

#include <algorithm>
#include <ctime>
#include <random>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "karikomi/engine/strict.hpp"

namespace karikomi::queue {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kResultAgeMs = 7LL * 24 * 3600 * 1000;  // that nobody asks for
constexpr std::int64_t kSecondTimeMs = 3600 * 1000;  // the same id within this time is refused
constexpr std::int64_t kJobAgeMs = 30LL * 24 * 3600 * 1000;
constexpr std::int64_t kMostDead = 1000;  // letters
constexpr std::int64_t kMostDeadBytes = 16LL << 20;
constexpr std::size_t kLetterBytes = 1000;  // of a message that are kept
constexpr std::int64_t kBuryMs = 1000;
constexpr std::size_t kHeadBytes = 1024;  // that a message has beside its text, at most

// The client would print them to stderr; a reconnect mends them.
void ignore_errors(natsConnection* /*nc*/, natsSubscription* /*sub*/, natsStatus /*err*/,
                   void* /*closure*/) {}

/// The client's words, without the place in its source.
std::string reason(natsStatus status) {
    const std::string text = natsStatus_GetText(status);
    const char* said = nats_GetLastError(nullptr);
    std::string last = said == nullptr ? "" : said;
    if (last.starts_with('(')) last.erase(0, std::min(last.find("): "), last.size() - 3) + 3);
    return last.empty() || last.find(text) != std::string::npos ? text : text + ": " + last;
}

Error no_server(const NatsOptions& options, natsStatus status) {
    const std::string what =
        fmt::format("NATS server '{}': {}", public_url(options.url), reason(status));
    switch (status) {
        case NATS_NO_SERVER:
        case NATS_IO_ERROR:
        case NATS_TIMEOUT:
            return {what,
                    "start one with `nats-server --jetstream --addr 127.0.0.1`, or give its "
                    "URL with --nats"};
        case NATS_CONNECTION_AUTH_FAILED:
        case NATS_NOT_PERMITTED:
            return {what, "give --nats-token, --nats-creds or nats://USER:PASSWORD@HOST"};
        case NATS_SECURE_CONNECTION_REQUIRED:
        case NATS_SECURE_CONNECTION_WANTED:
        case NATS_SSL_ERROR:
            return {what, "check --nats-tls, --nats-ca, --nats-cert and --nats-key"};
        default:
            return {what, "check the URL and the server's log"};
    }
}

std::vector<std::string> split_urls(const std::string& text) {
    std::vector<std::string> urls;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        if (comma > at) urls.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return urls;
}

}  // namespace

std::string public_url(const std::string& text) {
    std::string out;
    for (const std::string& url : split_urls(text)) {
        const std::size_t scheme = url.find("://");
        const std::size_t host = scheme == std::string::npos ? 0 : scheme + 3;
        const std::size_t at = url.rfind('@');
        const bool secret = at != std::string::npos && at >= host;
        out += (out.empty() ? "" : ",") + url.substr(0, host) + url.substr(secret ? at + 1 : host);
    }
    return out;
}

std::string data_of(const natsMsg* message) {
    const int size = natsMsg_GetDataLength(message);
    return size <= 0 ? std::string()
                     : std::string(natsMsg_GetData(message), static_cast<std::size_t>(size));
}

std::string subject_of(const natsMsg* message) {
    const char* subject = natsMsg_GetSubject(message);
    return subject == nullptr ? std::string() : std::string(subject);
}

std::uint64_t deliveries_of(natsMsg* message) {
    jsMsgMetaData* made = nullptr;
    if (natsMsg_GetMetaData(&made, message) != NATS_OK) return 1;
    const std::uint64_t n = made->NumDelivered;
    jsMsgMetaData_Destroy(made);
    return n;
}

std::string job_subject(const std::string& run) {
    return "karikomi.jobs." + run;
}
std::string result_subject(const std::string& run) {
    return "karikomi.results." + run;
}

std::string worker_name() {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    return fmt::format("{}-{}", host, getpid());
}

std::string random_id() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}", device(), device());
}

// ---- Connecting ---------------------------------------------------------------------------------

Expected<std::unique_ptr<Connection>> Connection::open(const NatsOptions& options,
                                                       const std::string& name) {
    std::unique_ptr<Connection> connection(new Connection);
    connection->wire_ = Wire(options.job_key);
    if (const Status s = connection->connect(options, name); !s) return s.error();
    if (const Status s = connection->make_streams(options); !s) return s.error();
    return connection;
}

Status Connection::make_streams(const NatsOptions& options) {
    const char* jobs[] = {kAllJobs};
    const char* results[] = {kAllResults};
    const char* dead[] = {kDead};
    const auto stream = [](const char* name, const char** subjects, std::int64_t age_ms) {
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        config.Name = name;
        config.Subjects = subjects;
        config.SubjectsLen = 1;
        config.Retention = js_WorkQueuePolicy;
        config.Storage = js_FileStorage;
        config.Duplicates = kSecondTimeMs * kNsPerMs;
        config.MaxAge = age_ms * kNsPerMs;
        return config;
    };
    if (const Status s = add_stream(stream(kJobStream, jobs, kJobAgeMs), options); !s) return s;
    if (const Status s = add_stream(stream(kResultStream, results, kResultAgeMs), options); !s) {
        return s;
    }
    jsStreamConfig letters = stream(kDeadStream, dead, kJobAgeMs);
    letters.Retention = js_LimitsPolicy;  // the oldest go first
    letters.MaxMsgs = kMostDead;
    letters.MaxBytes = kMostDeadBytes;
    if (const Status s = add_stream(letters, options); !s) return s;
    return add_consumer(kJobStream, kWorkers, kAllJobs, options.silence_ms);
}

Status Connection::connect(const NatsOptions& o, const std::string& name) {
    natsOptions* made = nullptr;
    natsStatus s = natsOptions_Create(&made);
    options_.reset(made);
    const auto then = [&](auto function, auto... arguments) {
        if (s == NATS_OK) s = function(options_.get(), arguments...);
    };
    const std::vector<std::string> urls = split_urls(o.url);
    std::vector<const char*> servers;
    for (const std::string& url : urls) servers.push_back(url.c_str());
    if (servers.empty()) return Error{"--nats: no URL given", "write nats://HOST:4222"};
    then(natsOptions_SetServers, servers.data(), static_cast<int>(servers.size()));
    then(natsOptions_SetName, name.c_str());
    then(natsOptions_SetErrorHandler, ignore_errors, nullptr);
    then(natsOptions_SetTimeout, std::int64_t{5000});
    then(natsOptions_SetMaxReconnect, -1);
    then(natsOptions_SetReconnectWait, std::int64_t{500});
    then(natsOptions_SetPingInterval, std::int64_t{5000});
    then(natsOptions_SetMaxPingsOut, 3);
    if (!o.token.empty()) then(natsOptions_SetToken, o.token.c_str());
    if (!o.credentials.empty()) {
        then(natsOptions_SetUserCredentialsFromFiles, o.credentials.c_str(), nullptr);
    }
    const bool secure = o.tls || !o.ca_file.empty() || !o.cert_file.empty();
    if (secure) then(natsOptions_SetSecure, true);
    if (!o.ca_file.empty()) then(natsOptions_LoadCATrustedCertificates, o.ca_file.c_str());
    if (!o.cert_file.empty()) {
        then(natsOptions_LoadCertificatesChain, o.cert_file.c_str(), o.key_file.c_str());
    }
    if (s != NATS_OK) {
        return Error{fmt::format("options of the NATS connection: {}", reason(s)),
                     "check the URL and the files that are named"};
    }
    natsConnection* connected = nullptr;
    s = natsConnection_Connect(&connected, options_.get());
    connection_.reset(connected);
    if (s != NATS_OK) return no_server(o, s);
    jsOptions js;
    jsOptions_Init(&js);
    js.Wait = 5000;
    jsCtx* streams = nullptr;
    s = natsConnection_JetStream(&streams, connection_.get(), &js);
    streams_.reset(streams);
    if (s != NATS_OK) return no_server(o, s);
    return {};
}

Status Connection::add_stream(jsStreamConfig config, const NatsOptions& options) {
    const char* const name = config.Name;
    config.Replicas = options.replicas;
    natsStatus s = NATS_OK;
    jsErrCode code{};
    // A server that has just started needs a moment before its streams answer.
    for (int attempt = 0; attempt < 20; ++attempt) {
        jsStreamInfo* info = nullptr;
        s = js_GetStreamInfo(&info, streams_.get(), name, nullptr, &code);
        jsStreamInfo_Destroy(info);
        if (s == NATS_OK) return {};
        if (s == NATS_NOT_FOUND) {
            s = js_AddStream(nullptr, streams_.get(), &config, nullptr, &code);
            if (s == NATS_OK || code == JSStreamNameExistErr) return {};
        }
        if (s == NATS_NOT_PERMITTED || code == JSNotEnabledErr) break;
        if (s == NATS_NO_RESPONDERS && attempt >= 5) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    const std::string what =
        fmt::format("NATS server '{}': stream {}: {}", public_url(options.url), name, reason(s));
    if (s == NATS_NO_RESPONDERS || code == JSNotEnabledErr) {
        return Error{what, "JetStream is off there: start it with `nats-server --jetstream`"};
    }
    return Error{what, "check the server's log"};
}

Status Connection::add_consumer(const char* stream, const std::string& name,
                                const std::string& subject, std::int64_t silence_ms) {
    jsErrCode code{};
    jsConsumerInfo* info = nullptr;
    natsStatus s = js_GetConsumerInfo(&info, streams_.get(), stream, name.c_str(), nullptr, &code);
    jsConsumerInfo_Destroy(info);
    if (s == NATS_OK) return {};
    jsConsumerConfig config;
    jsConsumerConfig_Init(&config);
    config.Durable = name.c_str();
    config.FilterSubject = subject.c_str();
    config.AckPolicy = js_AckExplicit;
    config.AckWait = silence_ms * kNsPerMs;
    config.MaxDeliver = -1;
    config.MaxAckPending = 100'000;
    config.MaxWaiting = 8192;
    s = js_AddConsumer(nullptr, streams_.get(), stream, &config, nullptr, &code);
    if (s == NATS_OK || code == JSConsumerNameExistErr) return {};
    return Error{fmt::format("NATS consumer {}: {}", name, reason(s)), "check the server's log"};
}

void Connection::remove_consumer(const char* stream, const std::string& name) {
    jsErrCode code{};
    (void)js_DeleteConsumer(streams_.get(), stream, name.c_str(), nullptr, &code);
}

std::int64_t Connection::silence_of(const char* stream, const std::string& consumer) {
    jsErrCode code{};
    jsConsumerInfo* info = nullptr;
    const natsStatus s =
        js_GetConsumerInfo(&info, streams_.get(), stream, consumer.c_str(), nullptr, &code);
    const std::int64_t ms =
        s == NATS_OK && info->Config != nullptr ? info->Config->AckWait / kNsPerMs : 0;
    jsConsumerInfo_Destroy(info);
    return ms > 0 ? ms : 30'000;
}

// ---- Messages -----------------------------------------------------------------------------------

bool Connection::is_up() const {
    return natsConnection_Status(connection_.get()) == NATS_CONN_STATUS_CONNECTED;
}

std::uint64_t Connection::reconnects() const {
    natsStatistics* made = nullptr;
    if (natsStatistics_Create(&made) != NATS_OK) return 0;
    const std::unique_ptr<natsStatistics, void (*)(natsStatistics*)> counts(made,
                                                                            natsStatistics_Destroy);
    std::uint64_t messages_in = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t messages_out = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t reconnects = 0;
    if (natsConnection_GetStats(connection_.get(), made) != NATS_OK) return 0;
    (void)natsStatistics_GetCounts(made, &messages_in, &bytes_in, &messages_out, &bytes_out,
                                   &reconnects);
    return reconnects;
}

natsStatus Connection::store(const std::string& subject, const std::string& text,
                             const std::string& id, std::int64_t wait_ms) {
    if (!is_up()) return NATS_CONNECTION_DISCONNECTED;
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MsgId = id.c_str();
    options.MaxWait = wait_ms;
    jsErrCode code{};
    return js_Publish(nullptr, streams_.get(), subject.c_str(), text.data(),
                      static_cast<int>(text.size()), &options, &code);
}

void Connection::say(const char* subject, const Json& json) {
    if (!is_up()) return;
    const std::string text = wire_.write(subject, json);
    (void)natsConnection_Publish(connection_.get(), subject, text.data(),
                                 static_cast<int>(text.size()));
}

Subscription Connection::listen(const char* subject) {
    natsSubscription* made = nullptr;
    (void)natsConnection_SubscribeSync(&made, connection_.get(), subject);
    return Subscription(made);
}

std::size_t Connection::most_bytes() const {
    const auto most = static_cast<std::size_t>(
        std::max<std::int64_t>(natsConnection_GetMaxPayload(connection_.get()), 0));
    return most > kHeadBytes ? most - kHeadBytes : most;
}

void Connection::bury(natsMsg* message, const std::string& by, const std::string& reason) {
    const std::string text = data_of(message);
    const std::time_t now = std::time(nullptr);
    const DeadLetter letter{subject_of(message),
                            by,
                            reason.substr(0, kLetterBytes),
                            fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)),
                            strict::printable(text, kLetterBytes),
                            text.size()};
    // Whoever looks at them may have no key.
    const std::string kept = Wire().write(kDead, to_json(letter));
    // Where it cannot be kept now it comes again.
    if (store(kDead, kept, random_id(), kBuryMs) == NATS_OK) (void)natsMsg_Term(message, nullptr);
}

std::vector<Json> Connection::heard(natsSubscription* subscription, std::string* complaint) const {
    std::vector<Json> out;
    for (int i = 0; i < 1000 && subscription != nullptr; ++i) {
        int waiting = 0;
        if (natsSubscription_GetPending(subscription, &waiting, nullptr) != NATS_OK) break;
        natsMsg* message = nullptr;
        if (waiting == 0 || natsSubscription_NextMsg(&message, subscription, 1) != NATS_OK) break;
        const Message owner(message);
        auto json = wire_.read(subject_of(message), data_of(message));
        if (json) {
            out.push_back(std::move(*json));
        } else if (complaint != nullptr) {
            *complaint = fmt::format("a message on {} was ignored: {}", subject_of(message),
                                     json.error().what);
        }
    }
    return out;
}

Expected<Subscription> Connection::pull(const char* stream, const std::string& consumer) {
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = stream;
    options.Consumer = consumer.c_str();
    natsSubscription* made = nullptr;
    jsErrCode code{};
    const natsStatus s = js_PullSubscribe(&made, streams_.get(), nullptr, consumer.c_str(), nullptr,
                                          &options, &code);
    if (s != NATS_OK) {
        return Error{fmt::format("NATS consumer {}: {}", consumer, reason(s)),
                     "check the server's log"};
    }
    return Subscription(made);
}

std::vector<Message> Connection::fetch(natsSubscription* from, int most,
                                       std::int64_t wait_ms) const {
    std::vector<Message> out;
    const auto start = std::chrono::steady_clock::now();
    natsMsgList list{};
    jsErrCode code{};
    const natsStatus s = natsSubscription_Fetch(&list, from, most, wait_ms, &code);
    for (int i = 0; i < list.Count; ++i) {
        out.emplace_back(list.Msgs[i]);
        list.Msgs[i] = nullptr;
    }
    natsMsgList_Destroy(&list);
    if (s != NATS_OK && s != NATS_TIMEOUT && out.empty()) {
        // No server: the call comes back at once, and asking again and again would be a busy loop.
        std::this_thread::sleep_until(
            start + std::chrono::milliseconds(std::min<std::int64_t>(wait_ms, 200)));
    }
    return out;
}

void Connection::purge(const char* stream, const std::string& subject) {
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Purge.Subject = subject.c_str();
    jsErrCode code{};
    (void)js_PurgeStream(streams_.get(), stream, &options, &code);
}

std::optional<Connection::StreamState> Connection::state_of(const char* stream) {
    jsErrCode code{};
    jsStreamInfo* info = nullptr;
    const natsStatus s = js_GetStreamInfo(&info, streams_.get(), stream, nullptr, &code);
    std::optional<StreamState> state;
    if (s == NATS_OK) state = {info->State.Msgs, info->State.Bytes, info->State.LastSeq};
    jsStreamInfo_Destroy(info);
    return state;
}

std::uint64_t Connection::in_hand(const char* stream, const std::string& consumer) {
    jsErrCode code{};
    jsConsumerInfo* info = nullptr;
    const natsStatus s =
        js_GetConsumerInfo(&info, streams_.get(), stream, consumer.c_str(), nullptr, &code);
    const std::int64_t n = s == NATS_OK ? info->NumAckPending : 0;
    jsConsumerInfo_Destroy(info);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0));
}

std::vector<std::string> Connection::newest(const char* stream, std::size_t most) {
    std::vector<std::string> out;
    const auto state = state_of(stream);
    if (!state) return out;
    const std::uint64_t held = std::min<std::uint64_t>(state->messages, most);
    for (std::uint64_t i = 0; i < held && i < state->last; ++i) {
        natsMsg* made = nullptr;
        jsErrCode code{};
        if (js_GetMsg(&made, streams_.get(), stream, state->last - i, nullptr, &code) != NATS_OK) {
            continue;
        }
        const Message owner(made);
        out.push_back(data_of(made));
    }
    return out;
}

void Connection::flush() {
    (void)natsConnection_FlushTimeout(connection_.get(), 1000);
}

}  // namespace karikomi::queue
