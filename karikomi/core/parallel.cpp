#include "karikomi/core/parallel.hpp"

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace karikomi {

void run_crew(int threads, const std::function<void(int)>& job) {
    std::exception_ptr failure;
    std::mutex guard;
    const auto safely = [&](int i) {
        try {
            job(i);
        } catch (...) {
            const std::lock_guard lock(guard);
            failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    try {
        for (int i = 1; i < threads; ++i) others.emplace_back(safely, i);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
        // The machine has no more threads to give: go on with those there are.
    }
    safely(0);
    for (std::thread& t : others) t.join();
    if (failure) std::rethrow_exception(failure);
}

int helper_depth(int iteration, int thread) {
    if (thread == 0) return iteration;
    return iteration + 1 + (thread - 1) % 2;
}

}  // namespace karikomi
