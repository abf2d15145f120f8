/// Mates by checks (tsume) as `karikomi solve` and the page ask for them: proven or denied.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/proof.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/notation.hpp"
#include "karikomi/games/shogi/tsume.hpp"

namespace karikomi::shogi {
namespace {

constexpr std::size_t kMostMb = 1 << 16;

std::string sfen_of(const std::string& text) {
    return text.starts_with("sfen ") ? text.substr(5) : text;
}

constexpr std::string_view verdict_of(TsumeVerdict v) {
    switch (v) {
        case TsumeVerdict::Mate:
            return "mate";
        case TsumeVerdict::NoMate:
            return "nomate";
        default:
            return "unknown";
    }
}

class TsumeSolver final : public PositionSolver {
public:
    explicit TsumeSolver(const SolverSetup& setup)
        : shortest_(setup.options.flag("--shortest")), hash_mb_(std::min(setup.hash_mb, kMostMb)) {}

    Expected<Proof> solve(const SolveTask& task) override {
        const auto diagram = parse_sfen(sfen_of(task.position));
        if (!diagram) return diagram.error();
        TsumeOptions t;
        t.time_ms = task.time_ms;
        t.hash_mb = hash_mb_;
        t.shortest = shortest_;
        t.stop = task.stop;
        const TsumeResult r = solve_tsume(diagram->board, t);
        std::vector<std::string> line;
        for (const Move m : r.line) line.push_back(format_usi(m));
        const std::string sfen = format_sfen(diagram->board, diagram->move_number);
        Proof proof;
        proof.solved = r.verdict != TsumeVerdict::Unknown;
        proof.nodes = r.nodes;
        proof.time_us = r.time_us;
        proof.row = {{"position", sfen},
                     {"solved", proof.solved},
                     {"value", std::string(verdict_of(r.verdict))},
                     {"plies", r.line.size()},
                     {"shortest", r.is_shortest},
                     {"line", line},
                     {"nodes", r.nodes},
                     {"time_ms", static_cast<double>(r.time_us) / 1000.0}};
        const std::string answer = r.verdict == TsumeVerdict::NoMate
                                       ? std::string("none")
                                       : std::string(verdict_of(r.verdict));
        proof.answer = answer_json(answer, line, r.nodes, r.time_us);
        proof.answer["shortest"] = r.is_shortest;
        proof.text = fmt::format("{:>7} {:>4} {:>12} nodes {:>10}  {}  {}", verdict_of(r.verdict),
                                 r.line.empty() ? "" : fmt::format("{}", r.line.size()),
                                 grouped(r.nodes), duration(r.time_us), sfen, fmt::join(line, " "));
        return proof;
    }

private:
    bool shortest_;
    std::size_t hash_mb_;
};

}  // namespace

SolverFacet solver_facet() {
    SolverFacet facet;
    facet.kinds = {{"mate"}, {"shortest", {{"--shortest", "true"}}}};
    facet.options = {switch_option("--shortest", "look for the shortest mate")};
    facet.proves = "shogi mates";
    facet.problems_help = "Shogi: SFEN";
    facet.examples = {"karikomi solve shogi --position '7kl/9/6G2/9/9/9/9/9/9 b RG 1' --shortest"};
    facet.problems = [](const std::string& text, const std::string& name) {
        return problem_lines(text, name, "#", [](const std::string& line) -> Status {
            const auto diagram = parse_sfen(sfen_of(line));
            return diagram ? Status() : Status(diagram.error());
        });
    };
    facet.make = [](const SolverSetup& setup) -> Expected<std::unique_ptr<PositionSolver>> {
        return std::unique_ptr<PositionSolver>(new TsumeSolver(setup));
    };
    return facet;
}

}  // namespace karikomi::shogi
