/// karikomi solve othello: the exact, by-result or selective endgame solver on OBF positions.
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/interrupt.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/solve.hpp"
#include "karikomi/engine/report.hpp"
#include "karikomi/games/othello/problems.hpp"
#include "karikomi/games/othello/solver.hpp"
#include "karikomi/games/othello/weights.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using othello::Problem;
using othello::Selectivity;
using othello::SolveResult;
using othello::Square;

double cpu_ms() {
    return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<std::string> as_text(const std::vector<Square>& line) {
    std::vector<std::string> text;
    text.reserve(line.size());
    for (const Square square : line) text.push_back(othello::format_square(square));
    return text;
}

int sign(int score) {
    return (score > 0) - (score < 0);
}

/// One position's answer, and how it compares with what the file says.
struct Answer {
    const Problem& problem;
    SolveResult result;
    std::optional<int> expected;
    bool solved() const { return result.complete; }
    bool contradicted() const { return solved() && expected && *expected != result.score; }
};

struct Totals {
    int positions = 0;
    int solved = 0;
    int matched = 0;
    int contradicted = 0;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;

    void add(const Answer& a) {
        ++positions;
        solved += a.solved() ? 1 : 0;
        contradicted += a.contradicted() ? 1 : 0;
        matched += a.solved() && a.expected && !a.contradicted() ? 1 : 0;
        nodes += a.result.nodes;
        time_us += a.result.time_us;
    }
};

Json to_json(const Answer& a) {
    const SolveResult& r = a.result;
    Json out = {
        {"position", othello::format_obf(a.problem.position)},
        {"empties", a.problem.position.board.empties()},
        {"solved", a.solved()},
        {"value", r.known ? Json(r.score) : Json(nullptr)},
        {"selectivity", r.known ? Json(percent_of(r.selectivity)) : Json(nullptr)},
        {"bestmove", r.known && r.best != othello::kNoSquare ? Json(othello::format_square(r.best))
                                                             : Json(nullptr)},
        {"line", as_text(r.line)},
        {"nodes", r.nodes},
        {"time_ms", static_cast<double>(r.time_us) / 1000.0},
        {"nps", nodes_per_second(r.nodes, r.time_us)}};
    if (r.lines.size() > 1) {
        for (const othello::SolveLine& l : r.lines) {
            out["lines"].push_back({{"value", l.score},
                                    {"bestmove", othello::format_square(l.best)},
                                    {"line", as_text(l.line)}});
        }
    }
    if (a.expected) {
        out["expected"] = *a.expected;
        out["matches"] = a.solved() ? Json(!a.contradicted()) : Json(nullptr);
    }
    return out;
}

/// The rows are printed as they come, so their widths are fixed.
constexpr std::string_view kRow = "{:>4} {:>7} {:>6} {:>5} {:>8} {:>5} {:>15} {:>11} {:>11}  {}\n";

void print_head() {
    fmt::print("{}", dim(fmt::format(kRow, "#", "empties", "value", "sure", "expected", "best",
                                     "nodes", "time", "nodes/s", "line")));
    std::fflush(stdout);
}

std::string shown_value(int score, bool by_result) {
    if (!by_result) return fmt::format("{:+}", score);
    return score > 0 ? "win" : score < 0 ? "loss" : "draw";
}

void print_row(int number, const Answer& a, bool by_result) {
    const SolveResult& r = a.result;
    std::string expected = a.expected ? shown_value(*a.expected, by_result) : "";
    if (a.contradicted()) expected += " !";
    std::string row = fmt::format(
        kRow, number, a.problem.position.board.empties(),
        r.known ? shown_value(r.score, by_result) : "-",
        r.known ? fmt::format("{}%", percent_of(r.selectivity)) : "-", expected,
        r.known ? othello::format_square(r.best) : "-", grouped(r.nodes), duration(r.time_us),
        grouped(nodes_per_second(r.nodes, r.time_us)), fmt::join(as_text(r.line), " "));
    const std::size_t width = terminal_width();
    if (width > 20 && row.size() > width) row = shortened(row, width) + "\n";
    fmt::print("{}", row);
    for (std::size_t i = 1; i < r.lines.size(); ++i) {
        fmt::print("{:>19} {:>20}  {}\n", shown_value(r.lines[i].score, by_result),
                   othello::format_square(r.lines[i].best),
                   fmt::join(as_text(r.lines[i].line), " "));
    }
    std::fflush(stdout);
}

std::shared_ptr<const othello::Weights> weights_of(const SolveOptions& o) {
    if (o.weights.empty()) return nullptr;  // those of the program
    return std::make_shared<const othello::Weights>(take(othello::Weights::load(o.weights)));
}

/// Solves one position after the other and keeps the totals.
class Run {
public:
    Run(const SolveOptions& o, Session& session, Selectivity selectivity)
        : o_(o),
          session_(session),
          solver_({.hash_megabytes = static_cast<std::size_t>(o.hash_mb),
                   .threads = static_cast<int>(o.threads),
                   .weights = weights_of(o)}) {
        request_.mode = o.by_result ? othello::SolveMode::WinLossDraw : othello::SolveMode::Exact;
        request_.selectivity = selectivity;
        request_.lines = static_cast<int>(o.multi_pv);
        request_.stop = &interrupt_.flag();
    }

    int work(const std::vector<Problem>& problems) {
        const double cpu_before = cpu_ms();
        if (!session_.json()) print_head();
        for (const Problem& problem : problems) {
            const Answer answer = solve(problem);
            totals_.add(answer);
            const Json record = to_json(answer);
            session_.log("position", record);
            session_.stream(record);
            if (!session_.json()) print_row(totals_.positions, answer, o_.by_result);
            if (interrupt_.requested()) break;
        }
        finish(problems.size(), cpu_ms() - cpu_before);
        const bool whole = totals_.solved == static_cast<int>(problems.size());
        return whole && totals_.contradicted == 0 ? kDone : kNo;
    }

private:
    Answer solve(const Problem& problem) {
        if (o_.time_ms > 0) {
            request_.deadline =
                std::chrono::steady_clock::now() + std::chrono::milliseconds(o_.time_ms);
        }
        const othello::Board& board = problem.position.board;
        // With a time limit a value that is less sure is better than none.
        SolveResult r = o_.time_ms > 0 ? solver_.solve_ladder(board, {.solve = request_})
                                       : solver_.solve(board, request_);
        std::optional<int> expected = problem.expected();
        if (expected && o_.by_result) expected = sign(*expected);
        return {problem, std::move(r), expected};
    }

    void finish(std::size_t wanted, double cpu) {
        const Totals& t = totals_;
        const Json out = {{"totals",
                           {{"positions", wanted},
                            {"done", t.positions},
                            {"solved", t.solved},
                            {"matched", t.matched},
                            {"contradicted", t.contradicted},
                            {"nodes", t.nodes},
                            {"time_ms", static_cast<double>(t.time_us) / 1000.0},
                            {"cpu_ms", cpu},
                            {"nps", nodes_per_second(t.nodes, t.time_us)}}},
                          {"interrupted", interrupt_.requested()},
                          {"threads", o_.threads},
                          {"hash_mb", o_.hash_mb},
                          {"selectivity", o_.selectivity},
                          {"evaluation", solver_.evaluation()},
                          {"commit", kCommit}};
        if (!session_.json()) {
            fmt::print("\n{} of {} solved, {} nodes in {} ({:.2f} s CPU), {} nodes/s\n", t.solved,
                       wanted, grouped(t.nodes), duration(t.time_us), cpu / 1000.0,
                       grouped(nodes_per_second(t.nodes, t.time_us)));
            if (t.matched + t.contradicted > 0) {
                fmt::print("{} as expected, {} not\n", t.matched, t.contradicted);
            }
        }
        session_.finish(out);
    }

    const SolveOptions& o_;
    Session& session_;
    Interrupt interrupt_;
    othello::Solver solver_;
    othello::SolveRequest request_;
    Totals totals_;
};

std::vector<Problem> problems_of(const SolveOptions& o) {
    if (!o.file.empty()) return take(othello::read_problems(o.file));
    auto problems = take(othello::parse_problems(o.position, "--position"));
    if (problems.empty()) throw Failure({"--position: there is none", "give an OBF position"});
    return problems;
}

}  // namespace

int solve_othello(const SolveOptions& o, Session& session) {
    const auto selectivity = othello::selectivity_of(static_cast<int>(o.selectivity));
    if (!selectivity) {
        throw Failure({fmt::format("--selectivity: {} is no level", o.selectivity),
                       "use 73, 87, 95, 98, 99 or 100"});
    }
    if (o.by_result && o.multi_pv > 1) {
        throw Failure({"--multipv: --wld finds one move only", "drop one of them"});
    }
    const std::vector<Problem> problems = problems_of(o);
    session.begin(nullptr);
    return Run(o, session, *selectivity).work(problems);
}

}  // namespace karikomi::cli
