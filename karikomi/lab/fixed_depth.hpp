/// Searches that are measured: to a fixed depth, by the search alone.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "karikomi/engine/engine.hpp"

namespace karikomi::lab {

/// More nodes than any search gets to. A limit of nodes keeps a game's own solver out, which would
/// answer instead of the search that is to be measured.
inline constexpr std::uint64_t kEnoughNodes = 1'000'000'000'000'000;

inline SearchRequest fixed_depth(Depth depth, int lines = 1) {
    SearchRequest request;
    request.limits.depth = depth;
    request.limits.nodes = kEnoughNodes;
    request.limits.multi_pv = lines;
    return request;
}

/// Passes a stop on to whatever search the engine is in: one without techniques may take minutes.
class StopRelay {
public:
    StopRelay(Engine& engine, const std::atomic<bool>& stop)
        : watcher_([&engine, &stop](const std::stop_token& ended) {
              constexpr std::chrono::milliseconds kInterval{20};
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              while (
                  !wake.wait_for(lock, ended, kInterval, [&] { return ended.stop_requested(); })) {
                  if (stop) engine.stop();  // again and again: a search may only be beginning
              }
          }) {}

private:
    std::jthread watcher_;
};

}  // namespace karikomi::lab
