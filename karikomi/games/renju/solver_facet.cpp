/// Wins by threats as `karikomi solve` and the page ask for them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/proof.hpp"
#include "karikomi/engine/report.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/games/renju/facets.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/solver.hpp"

namespace karikomi::renju {
namespace {

constexpr std::size_t kMostMb = 128;  // more than that is never filled
constexpr std::int64_t kMostNodes = std::int64_t{1} << 50;

std::vector<std::string> as_text(const std::vector<Cell>& line) {
    std::vector<std::string> text;
    text.reserve(line.size());
    for (const Cell c : line) text.push_back(Notation::format_cell(c));
    return text;
}

const char* name_of(Threats threats) {
    return threats == Threats::Fours ? "vcf" : threats == Threats::FoursThrees ? "vct" : "quiet";
}

class ThreatSolver final : public PositionSolver {
public:
    ThreatSolver(const SolverSetup& setup, const Rules& rules)
        : rules_(rules), solver_(std::min(setup.hash_mb, kMostMb)) {
        const std::string& kind = setup.options.text("--threats");
        limits_.threats = kind == "fours"    ? Threats::Fours
                          : kind == "threes" ? Threats::FoursThrees
                                             : Threats::Quiet;
        const std::int64_t nodes = setup.options.number("--nodes");
        limits_.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(nodes, 0));
    }

    Expected<Proof> solve(const SolveTask& task) override {
        auto position = Notation::parse(task.position);
        if (!position) return position.error();
        position->set_rules(rules_);
        limits_.time_ms = task.time_ms;
        limits_.stop = task.stop;
        const Solution s = solver_.solve(*position, limits_);
        const auto line = as_text(s.line);
        Proof proof;
        proof.solved = s.solved;
        proof.nodes = s.nodes;
        proof.time_us = s.time_us;
        proof.row = {{"position", Notation::format(*position)},
                     {"solved", s.solved},
                     {"complete", s.solved || s.complete},
                     {"by", s.solved ? Json(name_of(s.by)) : Json(nullptr)},
                     {"bestmove", line.empty() ? Json(nullptr) : Json(line.front())},
                     {"line", line},
                     {"nodes", s.nodes},
                     {"time_ms", static_cast<double>(s.time_us) / 1000.0},
                     {"nps", nodes_per_second(s.nodes, s.time_us)}};
        proof.answer = answer_json(s.solved     ? "win"
                                   : s.complete ? "none"
                                                : "unknown",
                                   line, s.nodes, s.time_us);
        if (s.solved) proof.answer["by"] = name_of(s.by);
        const std::string found =
            s.solved     ? fmt::format("win by {}: {}", name_of(s.by), fmt::join(line, " "))
            : s.complete ? std::string("no win by these threats")
                         : std::string("not solved");
        proof.text = fmt::format("{}  {} nodes, {}", found, grouped(s.nodes), duration(s.time_us));
        return proof;
    }

private:
    Rules rules_;
    Solver solver_;
    SolveLimits limits_;
};

Expected<std::unique_ptr<PositionSolver>> make_solver(const SolverSetup& setup, Rule rule) {
    const std::string& threats = setup.options.text("--threats");
    if (threats != "fours" && threats != "threes" && threats != "quiet") {
        return Error{fmt::format("--threats: '{}' is unknown", threats),
                     "use fours, threes or quiet"};
    }
    Rules rules;
    rules.rule = rule;
    for (const auto& [name, value] : setup.rules) {
        if (const Status s = Notation::set_rule(rules, name, value); !s) return s.error();
    }
    if (const std::string& other = setup.options.text("--rule"); !other.empty()) {
        if (const Status s = Notation::set_rule(rules, "rule", other); !s) return s.error();
    }
    return std::unique_ptr<PositionSolver>(new ThreatSolver(setup, rules));
}

}  // namespace

SolverFacet solver_facet(Rule rule) {
    SolverFacet facet;
    const std::string most = std::to_string(kMostNodes);
    facet.kinds = {{"threats", {{"--nodes", most}}},
                   {"fours", {{"--nodes", most}, {"--threats", "fours"}}}};
    facet.options = {
        text_option("--rule", "RULE", "renju, standard or freestyle"),
        text_option("--threats", "KIND", "'fours', 'threes' too, or 'quiet' threats too", "quiet"),
        number_option("--nodes", 0, 1, kMostNodes, "most nodes a position"),
    };
    if (rule == Rule::Renju) {
        facet.proves = "renju threats";
        facet.examples = {
            "karikomi solve renju --position "  // NOLINT: one example, in two pieces
            "'15/15/15/15/15/9O5/5XOOX6/4OXXX7/6X1X6/7O7/15/15/15/15/15 b' --json"};
    }
    facet.problems = [](const std::string& text, const std::string& name) {
        return problem_lines(text, name, ";#", [](const std::string& line) -> Status {
            const auto position = Notation::parse(line);
            return position ? Status() : Status(position.error());
        });
    };
    facet.make = [rule](const SolverSetup& setup) { return make_solver(setup, rule); };
    return facet;
}

}  // namespace karikomi::renju
