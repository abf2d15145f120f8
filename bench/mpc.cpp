/// Multi-ProbCut on Othello, measured:
///   build/bench/mpc table POSITIONS SEED [MAX_DEPTH]   nodes and time by depth, stage and level
///   build/bench/mpc audit POSITIONS SEED DEPTH         cuts that a full search contradicts
/// One thread, fresh tables, all other techniques off. Markdown on stdout.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/core/searcher.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/takeover.hpp"
#include "karikomi/version.hpp"

namespace {
using namespace karikomi;
using othello::Game;

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
        p.selective.multi_probcut.enabled = true;
        p.selective.multi_probcut.t = t;
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

struct Verdict {
    int cuts = 0;
    int wrong = 0;
};

/// Cuts of real searches, each searched again in full with a table of its own.
void print_audit(Engine& engine, int count, bench::Random& random, Depth depth) {
    constexpr std::size_t kAPosition = 60;  // cuts looked at in each search
    const SearchParams shipped = engine.params();
    fmt::print(
        "| level | allowed | stage | pair | cuts checked | contradicted |\n"
        "|---|---|---|---|---|---|\n");
    for (const Level& level : kLevels) {
        if (level.t == 0) continue;
        std::map<std::pair<int, std::pair<int, int>>, Verdict> by_cell;
        Verdict all;
        for (int i = 0; i < count; ++i) {
            const Band& band = kBands[static_cast<std::size_t>(i) % std::size(kBands)];
            const auto pos = *Game::Notation::parse(position_at(engine, band.plies, random));
            Searcher<Game> searcher(16);
            searcher.set_params(with_level(shipped, level.t));
            Observer<Game> observer;
            observer.wants_cuts = true;
            searcher.main_worker().observe(&observer);
            Limits limits;
            limits.depth = depth;
            (void)searcher.search(pos, limits);
            Searcher<Game> full(16);
            full.set_params(with_level(shipped, 0));
            for (std::size_t k = 0; k < kAPosition && !observer.cuts.empty(); ++k) {
                const auto& cut = observer.cuts[random.below(observer.cuts.size())];
                full.begin({});
                full.main_worker().prepare(full.shared(), cut.position);
                const Value bound = cut.high ? cut.beta : cut.alpha + 1;
                const Value v = full.main_worker().search_window(bound - 1, bound, cut.depth);
                const bool wrong = cut.high ? v < cut.beta : v > cut.alpha;
                Verdict& cell = by_cell[{cut.stage, {cut.shallow, cut.depth}}];
                ++cell.cuts, ++all.cuts;
                if (wrong) ++cell.wrong, ++all.wrong;
            }
        }
        const double allowed = 50 * std::erfc(level.t / std::sqrt(2.0));
        const auto row = [&](const std::string& stage, const std::string& pair, const Verdict& v) {
            fmt::print("| {} | {:.1f} % | {} | {} | {} | {:.1f} % |\n", level.name, allowed, stage,
                       pair, v.cuts, 100.0 * v.wrong / std::max(v.cuts, 1));
        };
        row("all", "all", all);
        for (const auto& [key, v] : by_cell) {
            if (v.cuts < 60) continue;
            row(fmt::format("{} discs", 4 + 4 * key.first),
                fmt::format("({}, {})", key.second.first, key.second.second), v);
        }
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bool table = argc >= 4 && std::strcmp(argv[1], "table") == 0;
    const bool audit = argc == 5 && std::strcmp(argv[1], "audit") == 0;
    if (!table && !audit) {
        fmt::print(stderr,
                   "usage: mpc table POSITIONS SEED [MAX_DEPTH] | audit POSITIONS SEED DEPTH\n");
        return 2;
    }
    const auto engine = othello::make_engine();
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[3])));
    fmt::print("commit {}, evaluation {}, parameters {}\n\n", kCommit, engine->info().evaluation,
               fingerprint(engine->params(), engine->info()));
    const int count = std::atoi(argv[2]);
    const Depth depth = argc == 5 ? std::atoi(argv[4]) : 14;
    if (table) print_table(*engine, count, random, depth);
    if (audit) print_audit(*engine, count, random, depth);
    return 0;
}
