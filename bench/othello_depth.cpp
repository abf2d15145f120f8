/// Othello's middle game as shipped: what a search to a fixed depth costs.
///   build/bench/othello_depth make COUNT SEED > FILE      even games, 20 to 40 discs
///   build/bench/othello_depth FILE DEPTH [KEY=VALUE ...]      parameters as in --set
/// Rows of: discs nodes cpu_us value move; then the sums and the geometric means. One thread, fresh
/// tables. CPU time, because the machine is seldom free; nodes do not depend on it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/game.hpp"

namespace {
using namespace karikomi;

constexpr int kFewest = 20;
constexpr int kMost = 40;
constexpr Value kEven = 800;
constexpr std::size_t kMegabytes = 64;

/// A random opening, then sensible play that keeps the game open.
void make_positions(Engine& engine, int count, bench::Random& random) {
    SearchRequest request;
    request.limits.nodes = 5000;
    for (int made = 0; made < count;) {
        const int discs = kFewest + made * (kMost - kFewest) / std::max(count - 1, 1);
        if (!bench::play_randomly(engine, 8, random)) continue;
        Value value = 0;
        while (!engine.winner() && 64 - *engine.moves_left() < discs) {
            const auto found = engine.search(request);
            value = found->lines.front().value;
            (void)engine.play(found->best_move);
        }
        if (engine.winner() || engine.legal_moves().size() < 2 || std::abs(value) > kEven) continue;
        fmt::print("{}\n", engine.position_text());
        ++made;
    }
}

std::vector<std::string> read_positions(const char* file) {
    std::vector<std::string> positions;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.front() != '#') positions.push_back(line);
    }
    return positions;
}

double cpu_us() {
    return 1e6 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void measure(Engine& engine, const std::vector<std::string>& positions, Depth depth) {
    double nodes = 0;
    double time = 0;
    double log_nodes = 0;
    double log_time = 0;
    double first_cuts = 0;
    engine.set_hash(kMegabytes);
    SearchRequest request;
    request.limits.depth = depth;
    for (const std::string& text : positions) {
        (void)engine.set_position(text);
        engine.new_game();
        const double before = cpu_us();
        const auto r = engine.search(request);
        const double took = cpu_us() - before;
        const auto n = static_cast<double>(r->nodes);
        fmt::print("{} {} {:.0f} {} {}\n", 64 - *engine.moves_left(), r->nodes, took,
                   r->lines.front().value, r->best_move);
        nodes += n, time += took;
        log_nodes += std::log(n), log_time += std::log(std::max(took, 1.0));
        first_cuts += r->first_move_cut_rate;
    }
    const auto count = static_cast<double>(positions.size());
    fmt::print(
        "sum {:.0f} nodes {:.0f} ms {:.2f} M/s; mean {:.0f} nodes {:.2f} ms; first cuts {:.1f} %\n",
        nodes, time / 1000, nodes / time, std::exp(log_nodes / count),
        std::exp(log_time / count) / 1000, 100 * first_cuts / count);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || (std::strcmp(argv[1], "make") == 0 && argc != 4)) {
        fmt::print(stderr, "usage: othello_depth make COUNT SEED | FILE DEPTH [KEY=VALUE ...]\n");
        return 2;
    }
    const auto engine = std::move(*othello::make_engine({}));
    if (std::strcmp(argv[1], "make") == 0) {
        bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[3])));
        make_positions(*engine, std::atoi(argv[2]), random);
        return 0;
    }
    SearchParams params = engine->params();
    for (int i = 3; i < argc; ++i) {
        if (const auto set = set_param(params, argv[i]); !set) {
            fmt::print(stderr, "{}\n", set.error().what);
            return 2;
        }
    }
    (void)engine->set_params(params);
    measure(*engine, read_positions(argv[1]), std::atoi(argv[2]));
    return 0;
}
