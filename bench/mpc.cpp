/// Multi-ProbCut on Othello, measured:
///   build/bench/mpc table POSITIONS SEED [MAX_DEPTH]   nodes and time by depth, stage and level
/// One thread, fresh tables, all other techniques off. Markdown on stdout. Cuts that a full search
/// contradicts: `karikomi lab verify othello --only audit`.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/othello/engine.hpp"
#include "karikomi/version.hpp"

namespace {
using namespace karikomi;

struct Band {
    const char* name;
    std::uint64_t plies;
};
constexpr Band kBands[] = {{"16 discs", 12}, {"24 discs", 20}, {"32 discs", 28}, {"40 discs", 36}};

struct Level {
    const char* name;
    float t;  ///< 0: off
};
constexpr Level kLevels[] = {{"off", 0}, {"95 %", 1.645f}, {"87 %", 1.126f}, {"73 %", 0.613f}};

/// A random opening, then sensible play: neither side is more than eight discs ahead.
std::string position_at(Engine& engine, std::uint64_t plies, bench::Random& random) {
    SearchRequest request;
    request.limits.depth = 4;
    while (true) {
        if (!bench::play_randomly(engine, 8, random)) continue;
        for (std::uint64_t i = 8; i < plies && !engine.winner(); ++i) {
            const auto legal = engine.legal_moves();
            const bool at_random = random.below(4) == 0;
            (void)engine.play(at_random ? legal[random.below(legal.size())]
                                        : engine.search(request)->best_move);
        }
        if (engine.winner() || engine.legal_moves().size() < 2) continue;
        if (std::abs(engine.search(request)->lines.front().value) <= 800) {
            return engine.position_text();
        }
    }
}

SearchParams with_level(const SearchParams& shipped, float t) {
    SearchParams p = shipped;
    p.selective.disable_all();
    if (t > 0) {
        p.selective.of<MultiProbCut>().enabled = true;
        p.selective.of<MultiProbCut>().t = t;
    }
    return p;
}

struct Sum {
    double nodes = 0;
    double time_us = 0;
    std::vector<std::string> moves;
    std::vector<Value> values;
};

Sum measure(Engine& engine, const SearchParams& params, const std::vector<std::string>& positions,
            Depth depth) {
    Sum sum;
    (void)engine.set_params(params);
    SearchRequest request;
    request.limits.depth = depth;
    for (const std::string& text : positions) {
        (void)engine.set_position(text);
        engine.new_game();
        const auto r = engine.search(request);
        sum.nodes += static_cast<double>(r->nodes);
        sum.time_us += static_cast<double>(r->time_us);
        sum.moves.push_back(r->best_move);
        sum.values.push_back(r->lines.front().value);
    }
    return sum;
}

void print_table(Engine& engine, int count, bench::Random& random, Depth deepest) {
    const SearchParams shipped = engine.params();
    fmt::print(
        "| depth | stage | level | nodes | against off | time | same move | value moved by |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (Depth depth = 8; depth <= deepest; depth += 2) {
        for (const Band& band : kBands) {
            (void)engine.set_params(shipped);
            std::vector<std::string> positions;
            for (int i = 0; i < count; ++i) {
                positions.push_back(position_at(engine, band.plies, random));
            }
            Sum off;
            for (const Level& level : kLevels) {
                const Sum on = measure(engine, with_level(shipped, level.t), positions, depth);
                if (level.t == 0) off = on;
                double same = 0;
                double moved = 0;
                for (std::size_t i = 0; i < on.moves.size(); ++i) {
                    same += on.moves[i] == off.moves[i] ? 1 : 0;
                    moved += std::abs(on.values[i] - off.values[i]) / 100.0;
                }
                fmt::print("| {} | {} | {} | {:.0f} | {:.1f} % | {:.1f} % | {:.0f} % | {:.2f} |\n",
                           depth, band.name, level.name, on.nodes / count,
                           100 * on.nodes / off.nodes, 100 * on.time_us / off.time_us,
                           100 * same / count, moved / count);
                std::fflush(stdout);
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4 || std::strcmp(argv[1], "table") != 0) {
        fmt::print(stderr, "usage: mpc table POSITIONS SEED [MAX_DEPTH]\n");
        return 2;
    }
    const auto engine = std::move(*othello::make_engine());
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[3])));
    fmt::print("commit {}, evaluation {}, parameters {}\n\n", kCommit, engine->info().evaluation,
               fingerprint(engine->params(), engine->info()));
    const int count = std::atoi(argv[2]);
    const Depth depth = argc == 5 ? std::atoi(argv[4]) : 14;
    print_table(*engine, count, random, depth);
    return 0;
}
