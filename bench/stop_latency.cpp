/// How long a search takes to return after a stop from another thread, at any depth.
///   build/bench/stop_latency [trials]        prints one JSON object
#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"

namespace {
using namespace karikomi;
using Steady = std::chrono::steady_clock;

double milliseconds_until_return(Engine& engine, int delay_ms, bool& legal) {
    SearchRequest request;
    request.limits.infinite = true;
    StopSource source;
    request.stop = source.get_token();
    Expected<Result> result = Error{"not run"};
    std::thread thread([&] { result = engine.search(request); });
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    const auto stopped = Steady::now();
    source.request_stop();
    thread.join();
    const auto moves = engine.legal_moves();
    legal = result && std::find(moves.begin(), moves.end(), result->best_move) != moves.end();
    return std::chrono::duration<double, std::milli>(Steady::now() - stopped).count();
}
}  // namespace

int main(int argc, char** argv) {
    (void)register_games(shipped_games());
    const int trials = argc > 1 ? std::atoi(argv[1]) : 200;
    for (const std::string& name : game_names()) {
        auto engine = make_engine(name);
        std::vector<double> times;
        int illegal = 0;
        for (int i = 0; i < trials; ++i) {
            const auto& samples = (*engine)->info().samples;
            (void)(*engine)->set_position(
                samples[static_cast<std::size_t>(i) % samples.size()].text);
            bool legal = false;
            times.push_back(milliseconds_until_return(**engine, i % 40, legal));
            illegal += legal ? 0 : 1;
        }
        std::sort(times.begin(), times.end());
        fmt::print(
            "{{\"game\":\"{}\",\"trials\":{},\"median_ms\":{:.3f},\"p99_ms\":{:.3f},"
            "\"max_ms\":{:.3f},\"illegal\":{}}}\n",
            name, trials, times[times.size() / 2], times[times.size() * 99 / 100], times.back(),
            illegal);
    }
    return 0;
}
