/// The side that has jobs.
#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/queue/nats_connection.hpp"

namespace karikomi::queue {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGone{6000};       // a worker that has said nothing for so long
constexpr milliseconds kLonely{3000};     // then the user is told that nobody works
constexpr std::size_t kMostRefusals = 4;  // by all workers, with no result between them
constexpr std::int64_t kStoreMs = 2000;

class NatsQueue final : public JobQueue {
public:
    NatsQueue(NatsOptions options, std::string run, Note note)
        : options_(std::move(options)), run_(std::move(run)), note_(std::move(note)) {}

    Status open() {
        auto opened = Connection::open(options_, "karikomi " + run_);
        if (!opened) return opened.error();
        connection_ = std::move(*opened);
        presence_ = connection_->listen(kPresence);
        refusals_ = connection_->listen(kRefusals);
        connection_->purge(kJobStream, job_subject());  // of a run that was killed
        return listen_for_results();
    }

    std::size_t slots() const override {
        std::size_t n = 0;
        for (const auto& [name, w] : workers_) n += w.slots;
        return n;
    }

    void submit(Job job) override {
        const Json text = {{"run", run_},
                           {"session", session_},
                           {"id", job.id},
                           {"kind", job.kind},
                           {"payload", std::move(job.payload)}};
        under_way_[job.id] = wire_text(text);
        unsent_.push_back(job.id);
    }

    Expected<std::optional<Done>> next(milliseconds patience) override {
        const auto end = Clock::now() + patience;
        if (const Status s = look_around(); !s) return s.error();
        while (fetched_.empty()) {
            const bool connected = check_connection();
            if (connected) send_jobs();
            const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
            if (left.count() <= 0) return std::optional<Done>();
            for (Message& m :
                 connection_->fetch(results_.get(), 16, std::max<std::int64_t>(left.count(), 1))) {
                fetched_.push_back(std::move(m));
            }
        }
        return read(take_fetched());
    }

    void confirm(const Done& done) override {
        const auto found = unconfirmed_.find(done.ticket);
        if (found == unconfirmed_.end()) return;
        (void)natsMsg_Ack(found->second.get(), nullptr);
        unconfirmed_.erase(found);
    }

    void cancel() override {
        if (!connection_->is_up()) return;
        connection_->purge(kJobStream, job_subject());
        connection_->say(kCancel, {{"run", run_}});
        connection_->flush();
        results_.reset();
        fetched_.clear();
        connection_->remove_consumer(kResultStream, consumer());
        connection_->purge(kResultStream, result_subject());
    }

    std::string state() const override {
        if (!connection_->is_up()) return "no connection";
        return fmt::format("{} workers, {} slots", workers_.size(), slots());
    }

private:
    struct Worker {
        std::size_t slots = 0;
        Clock::time_point seen;
    };

    std::string job_subject() const { return "karikomi.jobs." + run_; }
    std::string result_subject() const { return "karikomi.results." + run_; }
    std::string consumer() const { return "run_" + run_; }

    Status make_consumer() {
        constexpr std::int64_t kConfirmMs = 30'000;
        return connection_->add_consumer(kResultStream, consumer(), result_subject(), kConfirmMs);
    }
    Status listen_for_results() {
        // A run that was killed may have taken results that it did not keep. A new consumer gets
        // them at once.
        connection_->remove_consumer(kResultStream, consumer());
        if (const Status s = make_consumer(); !s) return s;
        auto results = connection_->pull(kResultStream, consumer());
        if (!results) return results.error();
        results_ = std::move(*results);
        return {};
    }

    /// True while the server is there. After a reconnect all open jobs are sent again: the server
    /// refuses those that it still knows, and one that came back empty gets what it lost.
    bool check_connection() {
        const bool up = connection_->is_up();
        if (!up && was_up_) note_("the connection to the NATS server is lost; trying again");
        if (const std::uint64_t n = connection_->reconnects(); up && n != reconnects_) {
            if (!connection_->make_streams(options_) || !make_consumer()) return false;
            unsent_.clear();
            for (const auto& [id, text] : under_way_) unsent_.push_back(id);
            note_("the NATS server is back");
            reconnects_ = n;
        }
        was_up_ = up;
        return up;
    }

    void send_jobs() {
        while (!unsent_.empty()) {
            const std::string& id = unsent_.front();
            const auto job = under_way_.find(id);
            if (job != under_way_.end()) {
                const std::string unique = fmt::format("{}.{}.{}", run_, session_, id);
                const natsStatus s =
                    connection_->store(job_subject(), job->second, unique, kStoreMs);
                if (s != NATS_OK) return;
            }
            unsent_.pop_front();
        }
    }

    /// Who is there, and what they complain of.
    Status look_around() {
        const auto now = Clock::now();
        for (const Json& j : connection_->heard(presence_.get())) {
            if (!j.is_object()) continue;
            workers_[j.value("worker", "")] = {j.value("slots", std::size_t{0}), now};
        }
        std::erase_if(workers_, [&](const auto& w) { return now - w.second.seen > kGone; });
        if (!workers_.empty()) alone_since_ = now;
        if (now - alone_since_ > kLonely && !told_alone_) {
            told_alone_ = true;
            note_(fmt::format("no worker is there; start some: karikomi worker --nats {}",
                              public_url(options_.url)));
        }
        for (const Json& j : connection_->heard(refusals_.get())) {
            if (!j.is_object() || j.value("run", "") != run_) continue;
            const std::string text =
                fmt::format("worker {}: {}", j.value("worker", "?"), j.value("error", "?"));
            if (told_.insert(text).second) note_(text);
            refused_by_.insert(j.value("worker", ""));
            ++refused_;
            const bool all = std::all_of(workers_.begin(), workers_.end(), [&](const auto& w) {
                return refused_by_.contains(w.first);
            });
            if (all && refused_ >= kMostRefusals) {
                return Error{fmt::format("no worker can do the jobs: {}", text),
                             j.value("remedy", "see docs/cluster.md")};
            }
        }
        return {};
    }

    Message take_fetched() {
        Message first = std::move(fetched_.front());
        fetched_.pop_front();
        return first;
    }

    std::optional<Done> read(Message message) {
        Json j = parse_wire(message.get());
        if (!j.is_object() || !j.contains("result")) {
            (void)natsMsg_Ack(message.get(), nullptr);  // not ours: away with it
            return std::nullopt;
        }
        refused_ = 0;
        refused_by_.clear();
        Done done;
        done.id = j.value("id", "");
        done.worker = j.value("worker", "");
        done.result = std::move(j["result"]);
        done.ticket = ++tickets_;
        under_way_.erase(done.id);
        unconfirmed_[done.ticket] = std::move(message);
        return done;
    }

    NatsOptions options_;
    std::string run_;
    std::string session_ = random_id();  ///< a job that is asked for again is a new message
    Note note_;
    std::unique_ptr<Connection> connection_;
    Subscription presence_;
    Subscription refusals_;
    Subscription results_;
    std::map<std::string, Worker> workers_;
    std::unordered_map<std::string, std::string> under_way_;  ///< by id: the message
    std::deque<std::string> unsent_;
    std::deque<Message> fetched_;
    std::unordered_map<std::uint64_t, Message> unconfirmed_;
    std::uint64_t tickets_ = 0;
    std::size_t refused_ = 0;           ///< since the last result
    std::set<std::string> refused_by_;  ///< by these
    std::set<std::string> told_;
    Clock::time_point alone_since_ = Clock::now();
    bool told_alone_ = false;
    bool was_up_ = true;
    std::uint64_t reconnects_ = 0;  ///< that have been dealt with
};

}  // namespace

Expected<std::unique_ptr<JobQueue>> make_nats_queue(const NatsOptions& options,
                                                    const std::string& run, Note note) {
    auto made = std::make_unique<NatsQueue>(options, run, std::move(note));
    if (const Status s = made->open(); !s) return s.error();
    return std::unique_ptr<JobQueue>(std::move(made));
}

}  // namespace karikomi::queue
