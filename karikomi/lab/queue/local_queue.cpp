#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "karikomi/lab/queue/queue.hpp"

namespace karikomi::queue {
namespace {

class LocalQueue final : public JobQueue {
public:
    LocalQueue(Makers makers, int threads) : makers_(std::move(makers)) {
        const int n = std::max(threads, 1);
        threads_.reserve(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) threads_.emplace_back([this, i] { work(i); });
    }
    ~LocalQueue() override {
        LocalQueue::cancel();
        for (std::thread& t : threads_) t.join();
    }
    LocalQueue(const LocalQueue&) = delete;
    LocalQueue& operator=(const LocalQueue&) = delete;

    std::size_t slots() const override { return threads_.size(); }

    void submit(Job job) override {
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        new_job_.notify_one();
    }

    Expected<std::optional<Done>> next(std::chrono::milliseconds patience) override {
        std::unique_lock lock(mutex_);
        new_result_.wait_for(lock, patience, [&] { return !results_.empty(); });
        if (results_.empty()) return std::optional<Done>();
        std::optional<Done> first(std::move(results_.front()));
        results_.pop_front();
        return first;
    }

    void cancel() override {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
            jobs_.clear();
        }
        stop_.request_stop();
        new_job_.notify_all();
    }

private:
    void work(int slot) {
        std::map<std::string, std::unique_ptr<Handler>> own;
        while (auto job = take()) {
            Done done{job->id, fmt::format("slot {}", slot), {}, {}, 0};
            try {
                if (Handler* h = handler_for(own, job->kind, slot)) {
                    const Status good = h->check(job->payload);
                    auto result = good ? h->run(job->payload, stop_.get_token())
                                       : Expected<Json>(good.error());
                    if (result) {
                        done.result = std::move(*result);
                    } else {
                        done.error = result.error();
                        // It stays on this machine.
                        if (const std::string more = h->details(); !more.empty()) {
                            done.error->what = more;
                        }
                    }
                } else {
                    done.error =
                        Error{fmt::format("jobs of kind '{}' are unknown", job->kind), "update"};
                }
            } catch (const std::exception& e) {
                done.error = Error{fmt::format("slot {}: {}", slot, e.what()),
                                   "what was done before is kept"};
            }
            give(std::move(done));
        }
    }

    std::optional<Job> take() {
        std::unique_lock lock(mutex_);
        new_job_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
        if (ending_) return std::nullopt;
        std::optional<Job> job(std::move(jobs_.front()));
        jobs_.pop_front();
        return job;
    }
    void give(Done done) {
        {
            const std::lock_guard lock(mutex_);
            if (ending_) return;
            results_.push_back(std::move(done));
        }
        new_result_.notify_one();
    }
    Handler* handler_for(std::map<std::string, std::unique_ptr<Handler>>& own,
                         const std::string& kind, int slot) {
        if (const auto found = own.find(kind); found != own.end()) return found->second.get();
        const auto maker = makers_.find(kind);
        if (maker == makers_.end()) return nullptr;
        return (own[kind] = maker->second(slot)).get();
    }

    Makers makers_;
    StopSource stop_;
    std::mutex mutex_;  ///< guards all below but the threads
    std::condition_variable new_job_;
    std::condition_variable new_result_;
    std::deque<Job> jobs_;
    std::deque<Done> results_;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<JobQueue> make_local_queue(const Makers& makers, int threads) {
    return std::make_unique<LocalQueue>(makers, threads);
}

}  // namespace karikomi::queue
