/// The loop of whoever has jobs.
#pragma once

#include <algorithm>
#include <set>

#include "karikomi/lab/queue/queue.hpp"

namespace karikomi::queue {

struct Feed {
    StopToken stop;
    std::function<bool()> go_on;                   ///< false: enough is known
    std::function<std::optional<Job>()> next_job;  ///< nothing: there are no more
    /// Is it an answer to what was asked? Results may come from strangers.
    std::function<Status(const Done& done)> check;
    std::function<Status(const Done& done)> merge;  ///< keeps the result for good
    std::set<std::string>& under_way;               ///< ids; merge() takes them out
    /// Jobs under way for each that can be worked on: two, so that nobody waits for one to be made.
    std::size_t per_slot = 2;
};

inline Status run(JobQueue& queue, const Feed& feed) {
    constexpr std::chrono::milliseconds kLook{50};  // how soon a stop is noticed
    constexpr std::size_t kMostUnderWay = 16'384;   // however many slots are claimed
    bool more = true;
    const auto go_on = [&] { return !feed.stop.stop_requested() && (!feed.go_on || feed.go_on()); };
    while (go_on()) {
        const std::size_t wanted =
            std::min(feed.per_slot * std::max<std::size_t>(queue.slots(), 1), kMostUnderWay);
        while (more && go_on() && feed.under_way.size() < wanted) {
            auto job = feed.next_job();
            more = job.has_value();
            if (!more) break;
            feed.under_way.insert(job->id);
            queue.submit(std::move(*job));
        }
        if (feed.under_way.empty()) break;
        const auto done = queue.next(kLook);
        if (!done) return done.error();
        if (!*done) continue;
        if (!(**done).error) {
            if (const Status good = feed.check(**done); !good) {
                if (const Status s = queue.reject(**done, good.error()); !s) return s;
                continue;
            }
        }
        if (const Status s = feed.merge(**done); !s) return s;
        queue.confirm(**done);
    }
    return {};
}

}  // namespace karikomi::queue
