/// The side that does jobs.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/queue/nats_connection.hpp"

namespace karikomi::queue {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::int64_t kFetchMs = 1000;
constexpr std::int64_t kStoreMs = 2000;
constexpr std::int64_t kRefuseMs = 1000;  // before a refused job is offered again

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A job in a slot's hands.
struct Task {
    Message message;
    std::string run;
    std::string session;
    std::string id;
    std::string kind;
    Json payload;
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
        bool cancelled = false;
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
            const std::string run = j.is_object() ? j.value("run", "") : "";
            const std::lock_guard lock(mutex_);
            for (Slot& s : slots_) {
                if (s.id.empty() || s.run != run) continue;
                s.cancelled = true;
                s.stop.request_stop();
            }
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

    std::optional<Task> read(Message message) {
        Json j = parse_wire(message.get());
        if (!j.is_object() || !j.contains("payload")) {
            (void)natsMsg_Term(message.get(), nullptr);
            tell({WorkerEvent::Kind::Trouble, "", "a job that is none was thrown away", 0});
            return std::nullopt;
        }
        Task task{std::move(message), j.value("run", ""),  j.value("session", ""),
                  j.value("id", ""),  j.value("kind", ""), std::move(j["payload"])};
        return task;
    }

    void do_job(std::size_t number, Message message) {
        const auto task = read(std::move(message));
        if (!task) return;
        const auto start = Clock::now();
        tell({WorkerEvent::Kind::Started, task->id, task->kind, 0});
        const LinkedStop stop(stop_.get_token());
        Handler* handler = begin(number, *task, stop.source());
        Expected<Json> result = Error{fmt::format("jobs of kind '{}' are unknown", task->kind),
                                      "take a newer karikomi for the worker"};
        if (handler != nullptr) {
            try {
                result = handler->run(task->payload, stop.token());
            } catch (const std::exception& e) {
                result = Error{e.what(), "see the worker's machine"};
            }
        }
        const bool cancelled = end_work(number);
        const double seconds = seconds_since(start);
        if (cancelled || ending()) {
            // Nobody wants it any more; or another worker shall have it, at once.
            hand_back(number, *task, cancelled);
            tell({WorkerEvent::Kind::Dropped, task->id, cancelled ? "cancelled" : "stopped",
                  seconds});
        } else if (!result) {
            refuse(number, *task, result.error());
            tell({WorkerEvent::Kind::Refused, task->id, result.error().what, seconds});
        } else {
            deliver(number, *task, *result, seconds);
        }
    }

    /// Marks the slot as busy. The handler, made where it is needed; nothing: nobody knows how.
    Handler* begin(std::size_t number, const Task& task, const StopSource& stop) {
        const auto maker = makers_.find(task.kind);
        std::unique_ptr<Handler> made;
        {
            const std::lock_guard lock(mutex_);
            const Slot& s = slots_[number];
            if (s.handler && s.kind == task.kind && !s.cancelled) {
                made = std::move(slots_[number].handler);
            }
        }
        if (!made && maker != makers_.end()) made = maker->second(static_cast<int>(number));
        const std::lock_guard lock(mutex_);
        Slot& s = slots_[number];
        s.message = task.message.get();
        s.run = task.run;
        s.id = task.id;
        s.kind = task.kind;
        s.cancelled = false;
        s.stop = stop;
        s.handler = std::move(made);
        return s.handler.get();
    }

    /// True when the job was cancelled meanwhile. The message stays in hand.
    bool end_work(std::size_t number) {
        const std::lock_guard lock(mutex_);
        Slot& s = slots_[number];
        const bool cancelled = s.cancelled;
        if (cancelled || ending()) s.handler.reset();  // it has been stopped for good
        return cancelled;
    }

    /// From here on the message is no more kept alive.
    void let_go(std::size_t number) {
        const std::lock_guard lock(mutex_);
        Slot& s = slots_[number];
        s.message = nullptr;
        s.id.clear();
    }

    void hand_back(std::size_t number, const Task& task, bool cancelled) {
        let_go(number);
        if (cancelled) {
            (void)natsMsg_Term(task.message.get(), nullptr);
        } else {
            (void)natsMsg_Nak(task.message.get(), nullptr);
        }
    }

    void refuse(std::size_t number, const Task& task, const Error& error) {
        let_go(number);
        connection_->say(kRefusals, {{"run", task.run},
                                     {"job", task.id},
                                     {"worker", name_},
                                     {"error", error.what},
                                     {"remedy", error.remedy}});
        (void)natsMsg_NakWithDelay(task.message.get(), kRefuseMs, nullptr);
        // It must not come back to us at once for ever.
        std::this_thread::sleep_for(milliseconds(200));
    }

    /// Until the server has it: a result is worth the wait.
    void deliver(std::size_t number, const Task& task, const Json& result, double seconds) {
        const std::string text = wire_text({{"run", task.run},
                                            {"session", task.session},
                                            {"id", task.id},
                                            {"worker", name_},
                                            {"result", result}});
        const std::string subject = "karikomi.results." + task.run;
        const std::string unique = fmt::format("{}.{}.{}", task.run, task.session, task.id);
        for (;;) {
            const natsStatus s = connection_->store(subject, text, unique, kStoreMs);
            if (s == NATS_OK) break;
            if (s == NATS_MAX_PAYLOAD) {
                return refuse(number, task,
                              {fmt::format("its result of {} bytes is more than the server takes",
                                           text.size()),
                               "choose a smaller --batch, or a larger max_payload there"});
            }
            if (ending()) return hand_back(number, task, false);
            std::this_thread::sleep_for(milliseconds(100));
        }
        let_go(number);
        (void)natsMsg_Ack(task.message.get(), nullptr);
        ++done_;
        tell({WorkerEvent::Kind::Done, task.id, task.kind, seconds});
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
