/// The side that does jobs.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "karikomi/lab/queue/nats_connection.hpp"

namespace karikomi::queue {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::int64_t kFetchMs = 1000;
constexpr std::int64_t kStoreMs = 2000;
constexpr std::int64_t kRefuseMs = 1000;  // before a refused job is offered again
/// A job that so many were given without coming to an end goes to the dead letters.
constexpr std::uint64_t kMostDeliveries = 5;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A job in a slot's hands.
struct Task {
    Message message;
    JobMessage job;
    bool last = false;  ///< who refuses it now refuses it for good
};

class Worker final : public NatsWorker {
public:
    Worker(const WorkerOptions& options, Makers makers)
        : options_(options),
          makers_(std::move(makers)),
          slots_(static_cast<std::size_t>(std::max(options.slots, 1))) {}

    Status open() {
        const auto end = Clock::now() + milliseconds(options_.patience_ms);
        for (;;) {
            auto opened = Connection::open(options_.nats, "karikomi worker " + name_);
            if (opened) {
                connection_ = std::move(*opened);
                cancels_ = connection_->listen(kCancel);
                silence_ms_ = connection_->silence_of(kJobStream, kWorkers);
                return {};
            }
            if (Clock::now() >= end) return opened.error();
            std::this_thread::sleep_for(milliseconds(500));
        }
    }

    Status run(const Watch& watch, const StopToken& stop) override {
        watch_ = watch;
        const auto pass_on = [this] { end(); };
        const OnStop<decltype(pass_on)> listening(stop, pass_on);
        idle_since_ = Clock::now();
        tell({WorkerEvent::Kind::Ready, "", public_url(options_.nats.url), 0});
        std::vector<std::thread> threads;
        threads.reserve(slots_.size());
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            threads.emplace_back([this, i] { work(i); });
        }
        keep_alive();
        for (std::thread& t : threads) t.join();
        connection_->flush();  // the last acknowledgements
        return {};
    }

    std::uint64_t done() const override { return done_; }
    const std::string& name() const override { return name_; }

private:
    struct Slot {
        natsMsg* message = nullptr;  ///< in hand
        std::string run;
        std::string id;
        std::string kind;
        std::unique_ptr<Handler> handler;   ///< of that kind
        StopSource stop{std::nostopstate};  ///< of the job in hand
        Clock::time_point begun;
        bool cancelled = false;
        bool overdue = false;
    };

    void end() {
        stop_.request_stop();
        const std::lock_guard lock(mutex_);
        wake_.notify_all();
    }
    bool ending() const { return stop_.stop_requested(); }

    void tell(const WorkerEvent& event) {
        const std::lock_guard lock(watch_mutex_);
        if (watch_) watch_(event);
    }

    // ---- The thread that keeps in touch ---------------------------------------------------------

    void keep_alive() {
        auto said = Clock::now() - milliseconds(silence_ms_);
        while (!ending() || busy() > 0) {
            hear_cancels();
            end_overdue();
            connection_->say(kPresence, presence());
            if (Clock::now() - said > milliseconds(silence_ms_ / 4)) {
                said = Clock::now();
                const std::lock_guard lock(mutex_);
                for (Slot& s : slots_) {
                    if (s.message != nullptr) (void)natsMsg_InProgress(s.message, nullptr);
                }
            }
            watch_connection();
            const bool idle = options_.idle_ms > 0 && busy() == 0 &&
                              Clock::now() - idle_since_.load() > milliseconds(options_.idle_ms);
            if (idle) end();
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, milliseconds(std::min(kPresenceMs, silence_ms_ / 5)));
        }
    }

    std::size_t busy() {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(),
                                                      [](const Slot& s) { return !s.id.empty(); }));
    }

    Json presence() {
        const std::lock_guard lock(mutex_);
        Json busy = Json::array();
        for (const Slot& s : slots_) {
            if (s.id.empty()) continue;
            busy.push_back({{"run", s.run},
                            {"job", s.id},
                            {"progress", s.handler ? s.handler->progress() : Json(nullptr)}});
        }
        // One that leaves offers no slots any more.
        const std::size_t slots = ending() ? 0 : slots_.size();
        return {{"worker", name_}, {"slots", slots}, {"busy", busy}, {"done", done_.load()}};
    }

    void hear_cancels() {
        for (const Json& j : connection_->heard(cancels_.get())) {
            const auto run = cancelled_run(j);
            if (!run) continue;
            const std::lock_guard lock(mutex_);
            for (Slot& s : slots_) {
                if (s.id.empty() || s.run != *run) continue;
                s.cancelled = true;
                s.stop.request_stop();
            }
        }
    }

    void end_overdue() {
        if (options_.most_job_ms == 0) return;
        const auto now = Clock::now();
        const std::lock_guard lock(mutex_);
        for (Slot& s : slots_) {
            if (s.id.empty() || now - s.begun <= milliseconds(options_.most_job_ms)) continue;
            s.overdue = true;
            s.stop.request_stop();
        }
    }

    void watch_connection() {
        const bool up = connection_->is_up();
        if (!up && was_up_) {
            tell({WorkerEvent::Kind::Trouble, "", "the connection is lost; trying again", 0});
        }
        if (const std::uint64_t n = connection_->reconnects(); up && n != reconnects_) {
            if (!connection_->make_streams(options_.nats)) return;
            tell({WorkerEvent::Kind::Trouble, "", "the server is back", 0});
            reconnects_ = n;
        }
        was_up_ = up;
    }

    // ---- The threads that work ------------------------------------------------------------------

    void work(std::size_t number) {
        Subscription jobs;
        while (!ending()) {
            if (!jobs) {
                auto pulled = connection_->pull(kJobStream, kWorkers);
                if (!pulled) {
                    std::this_thread::sleep_for(milliseconds(200));
                    continue;
                }
                jobs = std::move(*pulled);
            }
            auto messages = connection_->fetch(jobs.get(), 1, kFetchMs);
            if (messages.empty()) continue;
            do_job(number, std::move(messages.front()));
            idle_since_ = Clock::now();
            if (options_.most_jobs > 0 && done_ >= options_.most_jobs) end();
        }
    }

    /// What nobody can do is taken out of the queue; what others might do is left to them.
    std::optional<Task> read(Message message) {
        natsMsg* const raw = message.get();
        const std::string subject = subject_of(raw);
        const bool last = deliveries_of(raw) >= kMostDeliveries;
        const std::string text = data_of(raw);
        auto json = connection_->wire().read(subject, text);
        if (!json && Wire::is_of_karikomi(text) && !last) {
            (void)natsMsg_NakWithDelay(raw, kRefuseMs, nullptr);
            tell({WorkerEvent::Kind::Trouble, "", "a job was left to others: " + json.error().what,
                  0});
            return std::nullopt;
        }
        auto job = json ? job_message(std::move(*json)) : Expected<JobMessage>(json.error());
        if (job && job_subject(job->run) != subject) job = Error{"its run is that of another"};
        if (!job) {
            connection_->bury(raw, name_, job.error().what);
            tell({WorkerEvent::Kind::Trouble, "",
                  "a job that is none was put aside: " + job.error().what, 0});
            return std::nullopt;
        }
        return Task{std::move(message), std::move(*job), last};
    }

    void do_job(std::size_t number, Message message) {
        const auto task = read(std::move(message));
        if (!task) return;
        const auto start = Clock::now();
        tell({WorkerEvent::Kind::Started, task->job.id, task->job.kind, 0});
        const LinkedStop stop(stop_.get_token());
        Handler* handler = begin(number, *task, stop.source());
        if (deliveries_of(task->message.get()) > kMostDeliveries) {
            return refuse(number, *task, {"it was given to many and never came to an end", ""},
                          true);
        }
        if (handler == nullptr) {
            return refuse(number, *task,
                          {fmt::format("jobs of kind '{}' are unknown", task->job.kind),
                           "take a newer karikomi for the worker"},
                          task->last);
        }
        const Outcome outcome = run(*handler, *task, stop.token());
        const auto [cancelled, overdue] = end_work(number);
        const double seconds = seconds_since(start);
        if (overdue) {
            refuse(number, *task,
                   {fmt::format("it took more than {} s", options_.most_job_ms / 1000),
                    "give the worker a longer --job-time, or choose a smaller --batch"},
                   true);
        } else if (cancelled || ending()) {
            // Another worker shall have it, at once. (Whoever cancels also empties the queue.)
            hand_back(number, *task);
            tell({WorkerEvent::Kind::Dropped, task->job.id, cancelled ? "cancelled" : "stopped",
                  seconds});
        } else if (!outcome.result) {
            refuse(number, *task, outcome.result.error(), outcome.hopeless || task->last,
                   outcome.details);
        } else {
            deliver(number, *task, *outcome.result, seconds);
        }
    }

    struct Outcome {
        Expected<Json> result;
        bool hopeless = false;  ///< nobody can do it
        std::string details;    ///< that stay on this machine
    };

    Outcome run(Handler& handler, const Task& task, const StopToken& stop) {
        try {
            if (const Status good = handler.check(task.job.payload); !good) {
                return {good.error(), true, {}};
            }
            auto result = handler.run(task.job.payload, stop);
            std::string details = result ? std::string() : handler.details();
            return {std::move(result), false, std::move(details)};
        } catch (const std::exception& e) {
            return {Error{"it broke off", "see what the worker says on its own machine"}, false,
                    e.what()};
        }
    }

    /// Marks the slot as busy. The handler, made where it is needed; nothing: nobody knows how.
    Handler* begin(std::size_t number, const Task& task, const StopSource& stop) {
        const auto maker = makers_.find(task.job.kind);
        std::unique_ptr<Handler> made;
        {
            const std::lock_guard lock(mutex_);
            const Slot& s = slots_[number];
            if (s.handler && s.kind == task.job.kind && !s.cancelled && !s.overdue) {
                made = std::move(slots_[number].handler);
            }
        }
        if (!made && maker != makers_.end()) made = maker->second(static_cast<int>(number));
        const std::lock_guard lock(mutex_);
        Slot& s = slots_[number];
        s.message = task.message.get();
        s.run = task.job.run;
        s.id = task.job.id;
        s.kind = task.job.kind;
        s.begun = Clock::now();
        s.cancelled = false;
        s.overdue = false;
        s.stop = stop;
        s.handler = std::move(made);
        return s.handler.get();
    }

    /// Was the job cancelled meanwhile, or did it take too long? The message stays in hand.
    std::pair<bool, bool> end_work(std::size_t number) {
        const std::lock_guard lock(mutex_);
        Slot& s = slots_[number];
        if (s.cancelled || s.overdue || ending()) s.handler.reset();  // stopped for good
        return {s.cancelled, s.overdue};
    }

    /// From here on the message is no more kept alive.
    void let_go(std::size_t number) {
        const std::lock_guard lock(mutex_);
        Slot& s = slots_[number];
        s.message = nullptr;
        s.id.clear();
    }

    void hand_back(std::size_t number, const Task& task) {
        let_go(number);
        (void)natsMsg_Nak(task.message.get(), nullptr);
    }

    /// `dead`: nobody else gets it. `details` are for whoever sits at this machine.
    void refuse(std::size_t number, const Task& task, const Error& error, bool dead,
                const std::string& details = {}) {
        let_go(number);
        tell({WorkerEvent::Kind::Refused, task.job.id, details.empty() ? error.what : details, 0});
        if (dead) {
            connection_->bury(task.message.get(), name_, error.what);
        } else {
            (void)natsMsg_NakWithDelay(task.message.get(), kRefuseMs, nullptr);
        }
        const JobMessage& job = task.job;
        connection_->say(kRefusals,
                         to_json(Refusal{job.run, job.session, job.id, name_, error.what,
                                         error.remedy, digest_of(job.kind, job.payload), dead}));
        // It must not come back to us at once for ever.
        if (!dead) std::this_thread::sleep_for(milliseconds(200));
    }

    /// Until the server has it: a result is worth the wait.
    void deliver(std::size_t number, const Task& task, const Json& result, double seconds) {
        const JobMessage& job = task.job;
        const std::string subject = result_subject(job.run);
        const std::string text = connection_->wire().write(
            subject, to_json(ResultMessage{job.run, job.session, job.id, name_,
                                           digest_of(job.kind, job.payload), result}));
        const std::string unique = random_id();
        const Error too_large = {
            fmt::format("its result of {} bytes is more than the server takes", text.size()),
            "choose a smaller --batch, or a larger max_payload there"};
        if (text.size() > connection_->most_bytes()) return refuse(number, task, too_large, true);
        for (;;) {
            const natsStatus s = connection_->store(subject, text, unique, kStoreMs);
            if (s == NATS_OK) break;
            if (s == NATS_MAX_PAYLOAD) return refuse(number, task, too_large, true);
            if (ending()) return hand_back(number, task);
            std::this_thread::sleep_for(milliseconds(100));
        }
        let_go(number);
        (void)natsMsg_Ack(task.message.get(), nullptr);
        ++done_;
        tell({WorkerEvent::Kind::Done, job.id, job.kind, seconds});
    }

    WorkerOptions options_;
    Makers makers_;
    std::string name_ = worker_name();
    std::unique_ptr<Connection> connection_;
    Subscription cancels_;
    std::int64_t silence_ms_ = 30'000;
    std::vector<Slot> slots_;
    std::mutex mutex_;  ///< guards the slots
    std::condition_variable wake_;
    std::mutex watch_mutex_;
    Watch watch_;
    StopSource stop_;
    std::atomic<std::uint64_t> done_{0};
    std::atomic<Clock::time_point> idle_since_{Clock::time_point()};
    bool was_up_ = true;
    std::uint64_t reconnects_ = 0;  ///< that have been dealt with
};

}  // namespace

Expected<std::unique_ptr<NatsWorker>> NatsWorker::make(const WorkerOptions& options,
                                                       const Makers& makers) {
    auto made = std::make_unique<Worker>(options, makers);
    if (const Status s = made->open(); !s) return s.error();
    return std::unique_ptr<NatsWorker>(std::move(made));
}

}  // namespace karikomi::queue
