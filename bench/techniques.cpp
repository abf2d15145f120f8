/// What each technique and variant does at fixed depth: nodes and time, agreement of the best move,
/// first-move cut rate, how often it acted and extended, and the depth reached in a fixed time.
/// Random quiet positions, one thread, fresh tables each time; or the positions of a file, one a
/// line. Each setting is measured against all techniques off or, with `shipped`, against the
/// shipped parameters with that one technique off.
///   build/bench/techniques GAME DEPTH POSITIONS SEED [markdown] [shipped] [ms=N] [only=NAME]
///   build/bench/techniques shogi 10 bench/shogi_positions.sfen 1 markdown shipped ms=100
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
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
    std::uint64_t doubled = 0;
    std::uint64_t multi_cut = 0;
    double depth_in_time = 0;  ///< mean
    std::vector<std::string> moves;
};

/// What the command line asks for.
struct Job {
    Depth depth = 0;
    bool markdown = false;
    bool shipped = false;
    std::int64_t ms = 0;  ///< for the depth in fixed time; 0: not measured
    std::string only;     ///< technique; empty: all
};

Measured measure(Engine& engine, const SearchParams& params, const std::vector<Start>& positions,
                 const Job& job) {
    Measured m;
    (void)engine.set_params(params);
    for (const Start& start : positions) {
        (void)engine.set_position(start.position, start.moves);
        engine.new_game();
        SearchRequest request;
        request.limits.depth = job.depth;
        const auto r = engine.search(request);
        m.nodes += r->nodes;
        m.time_us += r->time_us;
        m.log_nodes += std::log(static_cast<double>(r->nodes));
        m.cut_rate += r->first_move_cut_rate / static_cast<double>(positions.size());
        m.extended += r->techniques.singular.extended;
        m.doubled += r->techniques.singular.doubled;
        m.multi_cut += r->techniques.singular.multi_cut;
        m.moves.push_back(r->best_move);
        if (job.ms == 0) continue;
        engine.new_game();
        SearchRequest timed;
        timed.limits.move_time_ms = job.ms;
        const auto t = engine.search(timed);
        m.depth_in_time +=
            static_cast<double>(t->lines.front().depth) / static_cast<double>(positions.size());
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

void print_head(const Job& job) {
    if (!job.markdown) return;
    fmt::print(
        "| setting | nodes | mean of node ratios | time | same move | first-move cuts "
        "(off → on) | extensions: all, double, multi-cuts |{}\n|---|---|---|---|---|---|---|{}\n",
        job.ms > 0 ? fmt::format(" depth in {} ms (off → on) |", job.ms) : "",
        job.ms > 0 ? "---|" : "");
}

void print_row(const std::string& name, const Measured& off, const Measured& on, const Job& job) {
    const auto n = static_cast<double>(off.moves.size());
    double same = 0;
    for (std::size_t i = 0; i < off.moves.size(); ++i) same += off.moves[i] == on.moves[i] ? 1 : 0;
    const double nodes = static_cast<double>(on.nodes) / static_cast<double>(off.nodes);
    const double mean = std::exp((on.log_nodes - off.log_nodes) / n);
    const double time = static_cast<double>(on.time_us) / static_cast<double>(off.time_us);
    if (job.markdown) {
        const std::string depths =
            job.ms > 0 ? fmt::format(" {:.2f} → {:.2f} |", off.depth_in_time, on.depth_in_time)
                       : "";
        fmt::print(
            "| {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} % | {:.3f} → {:.3f} | {}, {}, {} |{}\n", name,
            nodes, mean, time, 100 * same / n, off.cut_rate, on.cut_rate, on.extended, on.doubled,
            on.multi_cut, depths);
    } else {
        fmt::print(
            "{{\"setting\":\"{}\",\"node_ratio\":{:.4f},\"mean_node_ratio\":{:.4f},"
            "\"time_ratio\":{:.4f},\"same_move\":{:.4f},\"first_move_cut_rate_off\":{:.4f},"
            "\"first_move_cut_rate\":{:.4f},\"extended\":{},\"doubled\":{},\"multi_cut\":{},"
            "\"depth_off\":{:.3f},\"depth\":{:.3f}}}\n",
            name, nodes, mean, time, same / n, off.cut_rate, on.cut_rate, on.extended, on.doubled,
            on.multi_cut, off.depth_in_time, on.depth_in_time);
    }
    std::fflush(stdout);
}

Job read_job(int argc, char** argv) {
    Job job;
    job.depth = std::atoi(argv[2]);
    for (int i = 5; i < argc; ++i) {
        const std::string word = argv[i];
        job.markdown = job.markdown || word == "markdown";
        job.shipped = job.shipped || word == "shipped";
        if (word.starts_with("ms=")) job.ms = std::atoll(word.c_str() + 3);
        if (word.starts_with("only=")) job.only = word.substr(5);
    }
    return job;
}

/// Every setting against its own "off".
int compare(Engine& engine, const std::vector<Start>& positions, const Job& job) {
    const SearchParams shipped = engine.params();
    SearchParams off = shipped;
    off.selective.disable_all();
    std::map<std::string, Measured> bases;  // by the technique that is off
    const auto base_of = [&](const std::string& technique) -> const Measured& {
        const std::string key = job.shipped ? technique : "";
        if (const auto it = bases.find(key); it != bases.end()) return it->second;
        SearchParams p = job.shipped ? shipped : off;
        if (job.shipped) (void)switch_off(p, technique);
        return bases[key] = measure(engine, p, positions, job);
    };
    print_head(job);
    if (!job.shipped) print_row("all off", base_of(""), base_of(""), job);
    for (const Setting& s : bench::settings()) {
        const std::string technique = bench::technique_of(s);
        if (!job.only.empty() && technique != job.only) continue;
        SearchParams p = job.shipped ? shipped : off;
        if (job.shipped) (void)switch_off(p, technique);
        if (const Status status = bench::apply(s, p); !status) {
            fmt::print(stderr, "{}\n", status.error().what);
            return 3;
        }
        if (!bench::can_use(engine, p) || !engine.set_params(p)) continue;
        const Measured on = measure(engine, p, positions, job);
        print_row(s.name, base_of(technique), on, job);
    }
    if (!job.only.empty()) return 0;
    const Measured whole = measure(engine, shipped, positions, job);
    if (!job.shipped) {
        print_row("as shipped", base_of(""), whole, job);
        return 0;
    }
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        if (!shipped.selective.enabled(static_cast<Technique>(i))) continue;
        const std::string name(kTechniqueNames[i]);
        print_row(fmt::format("as shipped, against without {}", name), base_of(name), whole, job);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        fmt::print(stderr,
                   "usage: techniques GAME DEPTH POSITIONS SEED "
                   "[markdown] [shipped] [ms=N] [only=TECHNIQUE]\n");
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
    const Job job = read_job(argc, argv);
    const auto seed = static_cast<std::uint64_t>(std::atoll(argv[4]));
    const auto positions = positions_of(engine, argv[3], job.depth, seed);
    (void)engine.set_params(shipped);
    return compare(engine, positions, job);
}
