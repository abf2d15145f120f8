/// Connect Four is solved: how often does the search, with a given number of nodes, choose a move
/// that keeps the true result? Each technique alone and the shipped settings against all off, at
///   equal nodes. build/bench/connect_four_truth NODES POSITIONS SEED
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"
#include "karikomi/lab/ablation.hpp"
#include "tests/reference/connect_four_solver.hpp"

namespace {
using namespace karikomi;

/// A position where the choice matters: some moves keep the result, some do not.
struct Problem {
    std::string position;
    std::map<std::string, bool> keeps;
};

int result_after(const std::string& columns) {
    const auto status = test::status(columns);
    if (status == test::GameStatus::kWon) return 1;
    if (status == test::GameStatus::kDrawn) return 0;
    return -test::solve(columns)->result;
}

std::vector<Problem> make_problems(int count, std::uint64_t seed) {
    std::vector<Problem> out;
    for (const std::string& p : test::random_positions(count * 30, 12, 18, seed)) {
        if (static_cast<int>(out.size()) >= count) break;
        const auto solved = test::solve(p);
        if (solved->plies < 11) continue;  // too easy
        Problem problem{p, {}};
        int good = 0;
        for (char c = '1'; c <= '7'; ++c) {
            if (test::status(p + c) == test::GameStatus::kIllegal) continue;
            const bool keeps = result_after(p + c) == solved->result;
            problem.keeps[std::string(1, c)] = keeps;
            good += keeps ? 1 : 0;
        }
        if (good > 0 && good < static_cast<int>(problem.keeps.size())) out.push_back(problem);
    }
    return out;
}

double share_right(Engine& engine, const SearchParams& params, const std::vector<Problem>& problems,
                   std::uint64_t nodes) {
    (void)engine.set_params(params);
    int right = 0;
    for (const Problem& p : problems) {
        (void)engine.set_position(p.position);
        engine.new_game();
        SearchRequest request;
        request.limits.nodes = nodes;
        right += p.keeps.at(engine.search(request)->best_move) ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(problems.size());
}
}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        fmt::print(stderr, "usage: connect_four_truth NODES POSITIONS SEED\n");
        return 2;
    }
    const auto nodes = static_cast<std::uint64_t>(std::atoll(argv[1]));
    const auto problems =
        make_problems(std::atoi(argv[2]), static_cast<std::uint64_t>(std::atoll(argv[3])));
    (void)register_games(shipped_games());
    const auto engine = std::move(*make_engine("connect_four"));
    const SearchParams shipped = engine->params();
    const auto n = static_cast<double>(problems.size());
    const auto row = [&](const std::string& name, const SearchParams& p) {
        const double share = share_right(*engine, p, problems, nodes);
        fmt::print("| {} | {:.1f} % | +-{:.1f} |\n", name, 100 * share,
                   196 * std::sqrt(share * (1 - share) / n));
    };
    fmt::print("{} positions, {} nodes a move\n\n| setting | result kept | 95 % |\n|---|---|---|\n",
               problems.size(), nodes);
    for (const lab::Setting& s : lab::settings_for(*engine, shipped)) row(s.name, s.params);
    return 0;
}
