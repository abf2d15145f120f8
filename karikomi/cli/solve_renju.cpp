/// karikomi solve renju: wins by threats, one position or a file of them.
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/interrupt.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/solve.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/solver.hpp"

namespace karikomi::cli {
namespace {

using renju::Solution;

constexpr std::int64_t kMostMb = 128;  // more than that is never filled

struct Problem {
    std::string text;
    renju::Position position;
};

/// The rules that the game's name and the options ask for.
renju::Rules rules_of(const SolveOptions& o) {
    renju::Rules rules;
    const auto engine = take(make_engine(o.game));
    for (const RuleInfo& r : engine->info().rule_options) {
        require(renju::Notation::set_rule(rules, r.name, r.value));
    }
    if (!o.rule.empty()) require(renju::Notation::set_rule(rules, "rule", o.rule));
    return rules;
}

Problem read_problem(const std::string& text, const renju::Rules& rules, const std::string& where) {
    auto pos = renju::Notation::parse(text);
    if (!pos) throw Failure({where + pos.error().what, pos.error().remedy});
    pos->set_rules(rules);
    return {text, *pos};
}

/// One position a line; what follows a ';' or a '#' is a remark.
std::vector<Problem> read_problems(const SolveOptions& o, const renju::Rules& rules) {
    if (o.file.empty()) return {read_problem(o.position, rules, "")};
    std::ifstream in(o.file);
    if (!in) throw Failure({fmt::format("--file: cannot read '{}'", o.file), "check the name"});
    std::vector<Problem> problems;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = line.substr(0, line.find_first_of(";#\r"));
        while (!line.empty() && line.back() == ' ') line.pop_back();
        if (line.empty()) continue;
        problems.push_back(read_problem(line, rules, fmt::format("{}:{}: ", o.file, number)));
    }
    if (problems.empty()) {
        throw Failure({fmt::format("solve: no positions in '{}'", o.file), "one position a line"});
    }
    return problems;
}

std::vector<std::string> as_text(const std::vector<renju::Cell>& line) {
    std::vector<std::string> text;
    text.reserve(line.size());
    for (const renju::Cell c : line) text.push_back(renju::Notation::format_cell(c));
    return text;
}

const char* name_of(renju::Threats threats) {
    return threats == renju::Threats::Fours ? "vcf" : "vct";
}

Json to_json(const Problem& problem, const Solution& s) {
    const auto line = as_text(s.line);
    return {{"position", renju::Notation::format(problem.position)},
            {"solved", s.solved},
            {"complete", s.solved || s.complete},
            {"by", s.solved ? Json(name_of(s.by)) : Json(nullptr)},
            {"bestmove", line.empty() ? Json(nullptr) : Json(line.front())},
            {"line", line},
            {"nodes", s.nodes},
            {"time_ms", static_cast<double>(s.time_us) / 1000.0},
            {"nps", nodes_per_second(s.nodes, s.time_us)}};
}

}  // namespace

int solve_renju(const SolveOptions& o, Session& session) {
    if (o.threats != "fours" && o.threats != "threes") {
        throw Failure(
            {fmt::format("--threats: '{}' is unknown", o.threats), "use fours or threes"});
    }
    const auto problems = read_problems(o, rules_of(o));
    session.begin(nullptr);
    renju::Solver solver(static_cast<std::size_t>(std::min<std::int64_t>(o.hash_mb, kMostMb)));
    Interrupt interrupt;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    int solved = 0;
    for (const Problem& problem : problems) {
        renju::SolveLimits limits;
        limits.threats = o.threats == "fours" ? renju::Threats::Fours : renju::Threats::FoursThrees;
        limits.nodes = static_cast<std::uint64_t>(o.nodes);
        limits.time_ms = o.time_ms;
        limits.stop = &interrupt.flag();
        const Solution s = solver.solve(problem.position, limits);
        nodes += s.nodes, time_us += s.time_us, solved += s.solved ? 1 : 0;
        const Json row = to_json(problem, s);
        session.stream(row);
        if (!session.json()) {
            fmt::print("{}  {} nodes, {}\n",
                       s.solved     ? fmt::format("win by {}: {}", name_of(s.by),
                                                  fmt::join(as_text(s.line), " "))
                       : s.complete ? std::string("no win by these threats")
                                    : std::string("not solved"),
                       grouped(s.nodes), duration(s.time_us));
        }
        session.log("position", row);
        if (interrupt.requested()) break;
    }
    if (!session.json()) {
        fmt::print("{} of {} solved, {} nodes in {}\n", solved, problems.size(), grouped(nodes),
                   duration(time_us));
    }
    session.finish({{"totals",
                     {{"positions", problems.size()},
                      {"solved", solved},
                      {"nodes", nodes},
                      {"time_ms", static_cast<double>(time_us) / 1000.0},
                      {"nps", nodes_per_second(nodes, time_us)}}},
                    {"interrupted", interrupt.requested()}});
    return solved == static_cast<int>(problems.size()) ? kDone : kNo;
}

}  // namespace karikomi::cli
