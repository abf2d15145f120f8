/// Work whose results are files, for self-play: threads take the next chunk that is not there yet,
/// so that a run that was ended goes on where it stood.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/base/stop.hpp"

namespace karikomi {

struct ChunkOptions {
    std::filesystem::path folder;  ///< where the chunks go
    int chunks = 16;
    int threads = 1;
    std::uint64_t seed = 1;
    double seconds = 0;  ///< no new game after this time; 0: no limit
    StopToken stop{};
    std::function<void(int done, int chunks)> progress;
};

class ChunkRun {
public:
    explicit ChunkRun(const ChunkOptions& options) : o_(options) {}

    /// Each thread makes itself a player; `fill(player, chunk)` writes the file `path(chunk)`, or
    /// nothing when the time is over. Returns the number of chunks in the folder afterwards.
    template <class MakePlayer, class PathOf, class Fill>
    Expected<int> work(const MakePlayer& make_player, const PathOf& path, const Fill& fill) {
        std::error_code ignored;  // a folder that is not there is told by the first chunk
        std::filesystem::create_directories(o_.folder, ignored);
        std::vector<std::thread> threads;
        threads.reserve(static_cast<std::size_t>(o_.threads));
        for (int i = 0; i < o_.threads; ++i) {
            threads.emplace_back([&] { work_one(make_player(), path, fill); });
        }
        for (std::thread& t : threads) t.join();
        if (!trouble_) return trouble_.error();
        return done_;
    }
    bool over() const {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
        return o_.stop.stop_requested() || (o_.seconds > 0 && spent.count() > o_.seconds);
    }
    /// The same for the same chunk, whoever fills it.
    std::mt19937_64 random_of(int chunk) const {
        return std::mt19937_64(o_.seed * 1'000'003 + static_cast<std::uint64_t>(chunk));
    }

private:
    template <class Player, class PathOf, class Fill>
    void work_one(Player player, const PathOf& path, const Fill& fill) {
        for (int chunk = next_++; chunk < o_.chunks; chunk = next_++) {
            const auto file = path(chunk);
            if (!std::filesystem::exists(file)) {
                const Status s = fill(*player, chunk);
                const std::lock_guard lock(mutex_);
                if (!s) trouble_ = s;
                if (!s || !std::filesystem::exists(file)) return;
            }
            const std::lock_guard lock(mutex_);
            ++done_;
            if (o_.progress) o_.progress(done_, o_.chunks);
        }
    }

    const ChunkOptions& o_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<int> next_{0};
    std::mutex mutex_;
    int done_ = 0;
    Status trouble_;
};

}  // namespace karikomi
