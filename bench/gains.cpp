/// What quiet moves gain in search over their static value, by depth, side and colour
/// (techniques.md section 3): the distribution from which futility margins are read. Futility off,
/// random positions, fixed depth; with `stages` also by the stage of the game.
///   build/bench/gains GAME DEPTH POSITIONS SEED [stages]
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/registry.hpp"

namespace {
using namespace karikomi;
using Cell = std::tuple<bool, int, Depth, int>;  ///< opponent to move, colour, depth, stage
constexpr std::size_t kManyMoves = 100;          ///< games with more legal moves: most are nonsense

Value quantile(const std::vector<Value>& sorted, double q) {
    const auto at = static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1));
    return sorted[at];
}
}  // namespace

int main(int argc, char** argv) {
    auto made = argc == 5 || argc == 6 ? make_engine(argv[1])
                                       : Error{"usage", "gains GAME DEPTH POSITIONS SEED"};
    if (!made) {
        fmt::print(stderr, "gains: {}; {}\n", made.error().what, made.error().remedy);
        return 2;
    }
    Engine& engine = **made;
    SearchParams params = engine.params();
    params.selective.disable_all();
    (void)engine.set_params(params);
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[4])));
    std::map<Cell, std::vector<Value>> gains;
    const bool by_stage = argc == 6;
    (void)engine.set_position({});
    const bool many = engine.legal_moves().size() > kManyMoves;
    for (int done = 0; done < std::atoi(argv[3]);) {
        const std::uint64_t plies = 4 + random.below(many ? 40 : 14);
        if (!(many ? bench::play_sensibly(engine, plies, random)
                   : bench::play_randomly(engine, plies, random))) {
            continue;
        }
        ++done;
        std::vector<GainSample> samples;
        SearchRequest request;
        request.limits.depth = std::atoi(argv[2]);
        request.gains = &samples;
        engine.new_game();
        (void)engine.search(request);
        for (const GainSample& s : samples)
            gains[{s.opponent, s.colour, s.depth, by_stage ? s.stage : 0}].push_back(s.gain());
    }
    fmt::print(
        "| to move | colour | depth | {}samples | non-zero | P90 | P95 | P99 | max |\n"
        "|---|---|---|{}---|---|---|---|---|---|\n",
        by_stage ? "stage | " : "", by_stage ? "---|" : "");
    for (auto& [cell, values] : gains) {
        std::sort(values.begin(), values.end());
        const auto& [opponent, colour, depth, stage] = cell;
        const auto zero = std::upper_bound(values.begin(), values.end(), 0) - values.begin();
        const double nonzero =
            100.0 * (1.0 - static_cast<double>(zero) / static_cast<double>(values.size()));
        fmt::print("| {} | {} | {} | {}{} | {:.0f} % | {} | {} | {} | {} |\n",
                   opponent ? "opponent" : "self", colour == 0 ? "first" : "second", depth,
                   by_stage ? fmt::format("{} | ", stage) : "", values.size(), nonzero,
                   quantile(values, 0.90), quantile(values, 0.95), quantile(values, 0.99),
                   values.back());
    }
    return 0;
}
