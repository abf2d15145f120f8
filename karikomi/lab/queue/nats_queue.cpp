/// The side that has jobs.
#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "karikomi/lab/queue/nats_connection.hpp"

namespace karikomi::queue {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGone{6000};       // a worker that has said nothing for so long
constexpr milliseconds kLonely{3000};     // then the user is told that nobody works
constexpr std::size_t kMostRefusals = 4;  // by all workers, with no result between them
constexpr std::int64_t kStoreMs = 2000;
constexpr milliseconds kAgain{2000};   // before a job that came to nothing is sent again
constexpr std::size_t kMostTold = 50;  // different complaints that the user sees

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
        connection_->purge(kJobStream, job_subject(run_));  // of a run that was killed
        return listen_for_results();
    }

    std::size_t slots() const override {
        std::size_t n = 0;
        for (const auto& [name, w] : workers_) n += w.slots;
        return n;
    }

    void submit(Job job) override {
        const std::string subject = job_subject(run_);
        Sent sent;
        sent.digest = digest_of(job.kind, job.payload);
        sent.text = connection_->wire().write(
            subject, to_json(JobMessage{run_, session_, job.id, job.kind, std::move(job.payload)}));
        if (const std::size_t most = connection_->most_bytes(); sent.text.size() > most) {
            broken_ = Error{fmt::format("job {} has {} bytes, and the NATS server takes {}", job.id,
                                        sent.text.size(), most),
                            "choose a smaller --batch, or a larger max_payload in its settings"};
            return;
        }
        under_way_[job.id] = std::move(sent);
        unsent_.push_back(job.id);
    }

    Expected<std::optional<Done>> next(milliseconds patience) override {
        const auto end = Clock::now() + patience;
        if (broken_) return *broken_;
        if (const Status s = look_around(); !s) return s.error();
        send_again();
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
        under_way_.erase(done.id);
        again_.erase(done.id);
        refused_ = 0;
        refused_by_.clear();
    }

    Status reject(const Done& done, const Error& why) override {
        const auto found = unconfirmed_.find(done.ticket);
        if (found == unconfirmed_.end()) return {};
        connection_->bury(found->second.get(), name_, why.what);
        unconfirmed_.erase(found);
        complain(fmt::format("a result of job {} was put aside: {}", done.id, why.what));
        once_more(done.id);
        return {};
    }

    void cancel() override {
        if (!connection_->is_up()) return;
        connection_->purge(kJobStream, job_subject(run_));
        connection_->say(kCancel, {{"run", run_}});
        connection_->flush();
        results_.reset();
        fetched_.clear();
        connection_->remove_consumer(kResultStream, consumer());
        connection_->purge(kResultStream, result_subject(run_));
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

    /// A job that was sent.
    struct Sent {
        std::string text;
        std::string digest;  ///< of its payload
        /// By which the server knows it when it comes twice. Nobody can guess it and send something
        /// else by it first.
        std::string number = random_id();
    };

    std::string consumer() const { return "run_" + run_; }

    Status make_consumer() {
        constexpr std::int64_t kConfirmMs = 30'000;
        return connection_->add_consumer(kResultStream, consumer(), result_subject(run_),
                                         kConfirmMs);
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
            for (const auto& [id, sent] : under_way_) unsent_.push_back(id);
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
                const Sent& sent = job->second;
                const natsStatus s =
                    connection_->store(job_subject(run_), sent.text, sent.number, kStoreMs);
                if (s == NATS_MAX_PAYLOAD) {
                    broken_ = Error{fmt::format("the NATS server does not take job {}, of {} bytes",
                                                id, sent.text.size()),
                                    "choose a smaller --batch, or a larger max_payload there"};
                }
                if (s != NATS_OK) return;
            }
            unsent_.pop_front();
        }
    }

    /// The user hears each complaint once, and not thousands of a stranger's.
    void complain(const std::string& text) {
        if (told_.size() < kMostTold && told_.insert(text).second) note_(text);
    }

    /// A job that came to nothing, to be sent again in a moment.
    void once_more(const std::string& id) {
        if (under_way_.contains(id)) again_.try_emplace(id, Clock::now() + kAgain);
    }
    void send_again() {
        const auto now = Clock::now();
        std::erase_if(again_, [&](const auto& entry) {
            if (entry.second > now) return false;
            const auto job = under_way_.find(entry.first);
            if (job != under_way_.end()) {
                job->second.number = random_id();
                unsent_.push_back(entry.first);
            }
            return true;
        });
    }

    /// Who is there, and what they complain of.
    Status look_around() {
        const auto now = Clock::now();
        std::string complaint;
        for (const Json& j : connection_->heard(presence_.get(), &complaint)) {
            const auto there = presence_of(j);
            if (!there) {
                complaint = there.error().what;
                continue;
            }
            if (workers_.size() >= kMostWorkers && !workers_.contains(there->worker)) continue;
            workers_[there->worker] = {there->slots, now};
        }
        std::erase_if(workers_, [&](const auto& w) { return now - w.second.seen > kGone; });
        if (!workers_.empty()) alone_since_ = now;
        if (now - alone_since_ > kLonely && !told_alone_) {
            told_alone_ = true;
            note_(fmt::format("no worker is there; start some: karikomi worker --nats {}",
                              public_url(options_.url)));
        }
        const Status refused = hear_refusals(complaint);
        if (!complaint.empty()) complain(complaint);
        return refused;
    }

    Status hear_refusals(std::string& complaint) {
        for (const Json& j : connection_->heard(refusals_.get(), &complaint)) {
            const auto r = refusal_of(j);
            if (!r) {
                complaint = r.error().what;
                continue;
            }
            const auto job = under_way_.find(r->job);
            const bool ours = r->run == run_ && r->session == session_ && job != under_way_.end() &&
                              job->second.digest == r->digest;
            if (!ours) continue;
            const std::string text = fmt::format("worker {}: {}", r->worker, r->error);
            complain(text);
            if (r->dead) once_more(r->job);
            if (workers_.contains(r->worker)) refused_by_.insert(r->worker);
            ++refused_;
            const bool all = std::all_of(workers_.begin(), workers_.end(), [&](const auto& w) {
                return refused_by_.contains(w.first);
            });
            if (all && refused_ >= kMostRefusals) {
                return Error{fmt::format("no worker can do the jobs: {}", text), r->remedy};
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
        auto json = connection_->wire().read(subject_of(message.get()), data_of(message.get()));
        auto result =
            json ? result_message(std::move(*json)) : Expected<ResultMessage>(json.error());
        if (result && result->run != run_) result = Error{"it is of another run"};
        if (!result) {
            connection_->bury(message.get(), name_, result.error().what);
            complain(fmt::format("a result was put aside: {}", result.error().what));
            return std::nullopt;
        }
        Done done{result->id, result->worker, std::move(result->result),
                  {},         ++tickets_,     result->digest};
        unconfirmed_[done.ticket] = std::move(message);
        const auto job = under_way_.find(done.id);
        if (result->session == session_ && job != under_way_.end() &&
            job->second.digest != done.digest) {
            (void)reject(done, {"it is of another job than the one that was sent"});
            return std::nullopt;
        }
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
    std::string name_ = worker_name();
    std::unordered_map<std::string, Sent> under_way_;  ///< by id
    std::map<std::string, Clock::time_point> again_;   ///< when they are sent again
    std::optional<Error> broken_;                      ///< ends the run
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
