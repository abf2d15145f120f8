/// What each technique and variant does at fixed depth: nodes and time against all techniques off,
/// agreement of the best move, first-move cut rate. Random quiet positions, one thread, fresh
/// tables each time; or the positions of a file, one a line.
///   build/bench/techniques GAME DEPTH POSITIONS SEED [markdown]
///   build/bench/techniques shogi 7 bench/shogi_positions.sfen 1 markdown
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "bench/settings.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/registry.hpp"

namespace {
using namespace karikomi;

using bench::Setting;

/// A position, or moves from the start.
struct Start {
    std::string position;
    std::string moves;
};

struct Measured {
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    double log_nodes = 0;  ///< sum of logarithms, for the mean ratio
    double cut_rate = 0;
    std::uint64_t extended = 0;  ///< by singular extension
    std::vector<std::string> moves;
};

Measured measure(Engine& engine, const SearchParams& params, const std::vector<Start>& positions,
                 Depth depth) {
    Measured m;
    (void)engine.set_params(params);
    for (const Start& start : positions) {
        (void)engine.set_position(start.position, start.moves);
        engine.new_game();
        SearchRequest request;
        request.limits.depth = depth;
        const auto r = engine.search(request);
        m.nodes += r->nodes;
        m.time_us += r->time_us;
        m.log_nodes += std::log(static_cast<double>(r->nodes));
        m.cut_rate += r->first_move_cut_rate / static_cast<double>(positions.size());
        m.extended += r->techniques.singular.extended;
        m.moves.push_back(r->best_move);
    }
    return m;
}

/// Undecided at the full depth with all techniques off: decided positions measure nothing.
std::vector<Start> quiet_positions(Engine& engine, int count, Depth depth, std::uint64_t seed) {
    bench::Random random(seed);
    std::vector<Start> out;
    while (static_cast<int>(out.size()) < count) {
        std::string moves;
        if (!bench::play_randomly(engine, 4 + random.below(14), random, &moves)) continue;
        SearchRequest request;
        request.limits.depth = depth;
        engine.new_game();
        if (is_decisive(engine.search(request)->lines.front().value)) continue;
        out.push_back({"", moves});
    }
    return out;
}

std::vector<Start> positions_of(Engine& engine, const char* which, Depth depth,
                                std::uint64_t seed) {
    std::ifstream in(which);
    if (!in) return quiet_positions(engine, std::atoi(which), depth, seed);
    std::vector<Start> out;
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#') out.push_back({line, ""});
    }
    return out;
}

void print_row(const std::string& name, const Measured& off, const Measured& on, bool markdown) {
    const auto n = static_cast<double>(off.moves.size());
    double same = 0;
    for (std::size_t i = 0; i < off.moves.size(); ++i) same += off.moves[i] == on.moves[i] ? 1 : 0;
    const double nodes = static_cast<double>(on.nodes) / static_cast<double>(off.nodes);
    const double mean = std::exp((on.log_nodes - off.log_nodes) / n);
    const double time = static_cast<double>(on.time_us) / static_cast<double>(off.time_us);
    if (markdown) {
        fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} % | {:.3f} | {} |\n", name, nodes,
                   mean, time, 100 * same / n, on.cut_rate, on.extended);
    } else {
        fmt::print(
            "{{\"setting\":\"{}\",\"node_ratio\":{:.4f},\"mean_node_ratio\":{:.4f},"
            "\"time_ratio\":{:.4f},\"same_move\":{:.4f},\"first_move_cut_rate\":{:.4f},"
            "\"extended\":{}}}\n",
            name, nodes, mean, time, same / n, on.cut_rate, on.extended);
    }
}
}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        fmt::print(stderr, "usage: techniques GAME DEPTH POSITIONS SEED [markdown]\n");
        return 2;
    }
    auto made = make_engine(argv[1]);
    if (!made) {
        fmt::print(stderr, "techniques: {}; {}\n", made.error().what, made.error().remedy);
        return 2;
    }
    Engine& engine = **made;
    const SearchParams shipped = engine.params();
    SearchParams off = shipped;
    off.selective.disable_all();
    (void)engine.set_params(off);
    const Depth depth = std::atoi(argv[2]);
    const auto seed = static_cast<std::uint64_t>(std::atoll(argv[4]));
    const auto positions = positions_of(engine, argv[3], depth, seed);
    const bool markdown = argc > 5 && std::strcmp(argv[5], "markdown") == 0;
    if (markdown) {
        fmt::print(
            "| setting | nodes | mean of node ratios | time | same move | first-move cuts "
            "| extensions |\n|---|---|---|---|---|---|---|\n");
    }
    const Measured base = measure(engine, off, positions, depth);
    print_row("all off", base, base, markdown);
    for (const Setting& s : bench::settings()) {
        SearchParams p = off;
        if (const Status status = bench::apply(s, p); !status) {
            fmt::print(stderr, "{}\n", status.error().what);
            return 3;
        }
        if (!bench::can_use(engine, p) || !engine.set_params(p)) continue;
        print_row(s.name, base, measure(engine, p, positions, depth), markdown);
    }
    print_row("as shipped", base, measure(engine, shipped, positions, depth), markdown);
    return 0;
}
