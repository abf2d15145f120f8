/// karikomi solve shogi: mates by checks (tsume), proven or denied.
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/interrupt.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/solve.hpp"
#include "karikomi/games/shogi/notation.hpp"
#include "karikomi/games/shogi/tsume.hpp"

namespace karikomi::cli {
namespace {

struct Problem {
    std::string sfen;
    shogi::Board board;
};

Problem read_problem(const std::string& text, const std::string& where) {
    std::string sfen = text;
    if (sfen.starts_with("sfen ")) sfen = sfen.substr(5);
    auto diagram = shogi::parse_sfen(sfen);
    if (!diagram) throw Failure({where + diagram.error().what, diagram.error().remedy});
    return {shogi::format_sfen(diagram->board, diagram->move_number), diagram->board};
}

std::vector<Problem> read_problems(const SolveOptions& o) {
    if (o.file.empty()) return {read_problem(o.position, "")};
    std::ifstream in(o.file);
    if (!in) throw Failure({fmt::format("solve: cannot read '{}'", o.file), "check the path"});
    std::vector<Problem> problems;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        problems.push_back(read_problem(line, fmt::format("{}:{}: ", o.file, number)));
    }
    if (problems.empty()) {
        throw Failure({fmt::format("solve: no positions in '{}'", o.file), "one SFEN a line"});
    }
    return problems;
}

constexpr std::string_view verdict_of(shogi::TsumeVerdict v) {
    switch (v) {
        case shogi::TsumeVerdict::Mate:
            return "mate";
        case shogi::TsumeVerdict::NoMate:
            return "nomate";
        default:
            return "unknown";
    }
}

}  // namespace

int solve_shogi(const SolveOptions& o, Session& session) {
    const auto problems = read_problems(o);
    session.begin(nullptr);
    const Interrupt interrupt;
    Json rows = Json::array();
    int solved = 0;
    for (const Problem& p : problems) {
        if (interrupt.requested()) break;
        shogi::TsumeOptions t;
        t.time_ms = o.time_ms;
        t.hash_mb = static_cast<std::size_t>(std::min<std::int64_t>(o.hash_mb, 1 << 16));
        t.shortest = o.shortest;
        t.stop = [&] { return interrupt.requested(); };
        const shogi::TsumeResult r = shogi::solve_tsume(p.board, t);
        const bool known = r.verdict != shogi::TsumeVerdict::Unknown;
        solved += known ? 1 : 0;
        std::vector<std::string> line;
        for (const shogi::Move m : r.line) line.push_back(shogi::format_usi(m));
        const Json row = {{"position", p.sfen},
                          {"solved", known},
                          {"value", std::string(verdict_of(r.verdict))},
                          {"plies", r.line.size()},
                          {"shortest", r.is_shortest},
                          {"line", line},
                          {"nodes", r.nodes},
                          {"time_ms", static_cast<double>(r.time_us) / 1000.0}};
        session.stream(row);
        session.log("position", row);
        if (session.json()) continue;
        fmt::print("{:>7} {:>4} {:>12} nodes {:>10}  {}  {}\n", verdict_of(r.verdict),
                   r.line.empty() ? "" : fmt::format("{}", r.line.size()), grouped(r.nodes),
                   duration(r.time_us), p.sfen, fmt::join(line, " "));
        std::fflush(stdout);
    }
    session.log("result", {{"positions", problems.size()}, {"solved", solved}});
    return solved == static_cast<int>(problems.size()) ? kDone : kNo;
}

}  // namespace karikomi::cli
