/// The endgame solver as `karikomi solve` and the page ask for it: exact, by result or selective.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/proof.hpp"
#include "karikomi/engine/report.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/games/othello/facets.hpp"
#include "karikomi/games/othello/problems.hpp"
#include "karikomi/games/othello/solver.hpp"
#include "karikomi/games/othello/weights.hpp"

namespace karikomi::othello {
namespace {

constexpr int kMostEmpties = 34;  // more are hopeless on a desk
/// The rows are printed as they come, so their widths are fixed.
constexpr std::string_view kRow = "{:>7} {:>6} {:>5} {:>8} {:>5} {:>15} {:>11} {:>11}  {}";

std::vector<std::string> as_text(const std::vector<Square>& line) {
    std::vector<std::string> text;
    text.reserve(line.size());
    for (const Square square : line) text.push_back(format_square(square));
    return text;
}

int sign(int score) {
    return (score > 0) - (score < 0);
}

std::string shown_value(int score, bool by_result) {
    if (!by_result) return fmt::format("{:+}", score);
    return score > 0 ? "win" : score < 0 ? "loss" : "draw";
}

/// One position's answer, and how it compares with what the file says.
struct Answer {
    Problem problem;
    SolveResult result;
    std::optional<int> expected;
    bool by_result = false;
    bool contradicted() const { return result.complete && expected && *expected != result.score; }
};

Json row_of(const Answer& a) {
    const SolveResult& r = a.result;
    Json out = {
        {"position", format_obf(a.problem.position)},
        {"empties", a.problem.position.board.empties()},
        {"solved", r.complete},
        {"value", r.known ? Json(r.score) : Json(nullptr)},
        {"selectivity", r.known ? Json(percent_of(r.selectivity)) : Json(nullptr)},
        {"bestmove", r.known && r.best != kNoSquare ? Json(format_square(r.best)) : Json(nullptr)},
        {"line", as_text(r.line)},
        {"nodes", r.nodes},
        {"time_ms", static_cast<double>(r.time_us) / 1000.0},
        {"nps", nodes_per_second(r.nodes, r.time_us)}};
    if (r.lines.size() > 1) {
        for (const SolveLine& l : r.lines) {
            out["lines"].push_back({{"value", l.score},
                                    {"bestmove", format_square(l.best)},
                                    {"line", as_text(l.line)}});
        }
    }
    if (a.expected) {
        out["expected"] = *a.expected;
        out["matches"] = r.complete ? Json(!a.contradicted()) : Json(nullptr);
    }
    return out;
}

std::string text_of(const Answer& a) {
    const SolveResult& r = a.result;
    std::string expected = a.expected ? shown_value(*a.expected, a.by_result) : "";
    if (a.contradicted()) expected += " !";
    std::string out = fmt::format(
        kRow, a.problem.position.board.empties(), r.known ? shown_value(r.score, a.by_result) : "-",
        r.known ? fmt::format("{}%", percent_of(r.selectivity)) : "-", expected,
        r.known ? format_square(r.best) : "-", grouped(r.nodes), duration(r.time_us),
        grouped(nodes_per_second(r.nodes, r.time_us)), fmt::join(as_text(r.line), " "));
    for (std::size_t i = 1; i < r.lines.size(); ++i) {
        out +=
            fmt::format("\n{:>14} {:>20}  {}", shown_value(r.lines[i].score, a.by_result),
                        format_square(r.lines[i].best), fmt::join(as_text(r.lines[i].line), " "));
    }
    return out;
}

Json page_answer(const SolveResult& r, bool by_result) {
    const std::string answer = !r.known    ? "unknown"
                               : by_result ? shown_value(r.score, true)
                                           : "score";
    Json out = answer_json(answer, as_text(r.line), r.nodes, r.time_us);
    if (!r.known) return out;
    out["solved"] = r.complete;
    out["confidence"] = percent_of(r.selectivity);
    if (!by_result) out["value"] = r.score;
    return out;
}

class EndgameSolver final : public PositionSolver {
public:
    EndgameSolver(const SolverSetup& setup, Selectivity selectivity,
                  std::shared_ptr<const Weights> weights)
        : o_(setup.options),
          hash_mb_(setup.hash_mb),
          solver_({.hash_megabytes = setup.hash_mb,
                   .threads = o_.integer("--threads"),
                   .weights = std::move(weights)}) {
        request_.mode = o_.flag("--wld") ? SolveMode::WinLossDraw : SolveMode::Exact;
        request_.selectivity = selectivity;
        request_.lines = o_.integer("--multipv");
    }

    Expected<Proof> solve(const SolveTask& task) override {
        const auto problems = parse_problems(task.position, "position");
        if (!problems) return problems.error();
        if (problems->empty()) return Error{"there is no position", "give an OBF position"};
        Answer a{problems->front(), {}, problems->front().expected(), o_.flag("--wld")};
        const Board& board = a.problem.position.board;
        if (task.report && board.empties() > kMostEmpties) {
            return Error{fmt::format("{} empty squares are too many to solve", board.empties()),
                         fmt::format("play on to {} or fewer", kMostEmpties)};
        }
        request_.stop = task.stop;
        request_.deadline = {};
        if (task.time_ms > 0) {
            request_.deadline =
                std::chrono::steady_clock::now() + std::chrono::milliseconds(task.time_ms);
        }
        if (a.expected && a.by_result) a.expected = sign(*a.expected);
        a.result = result_of(board, task, a.by_result);
        Proof proof;
        proof.solved = a.result.complete;
        if (proof.solved && a.expected) proof.matches = !a.contradicted();
        proof.nodes = a.result.nodes;
        proof.time_us = a.result.time_us;
        proof.row = row_of(a);
        proof.answer = page_answer(a.result, a.by_result);
        proof.text = text_of(a);
        return proof;
    }
    Json conditions() const override {
        return {{"threads", o_.number("--threads")},
                {"hash_mb", hash_mb_},
                {"selectivity", o_.number("--selectivity")},
                {"evaluation", solver_.evaluation()}};
    }

private:
    /// With a time limit, or before somebody's eyes, a value that is less sure is better than none.
    SolveResult result_of(const Board& board, const SolveTask& task, bool by_result) {
        const bool watched = task.report && !by_result;
        const bool in_steps = watched || (task.time_ms > 0 && !task.report);
        if (!in_steps) return solver_.solve(board, request_);
        LadderRequest ladder{.solve = request_};
        if (watched) {
            ladder.on_step = [&](const SolveResult& r) { task.report(page_answer(r, by_result)); };
        }
        return solver_.solve_ladder(board, ladder);
    }

    OptionValues o_;
    std::size_t hash_mb_;
    Solver solver_;
    SolveRequest request_;
};

Expected<std::unique_ptr<PositionSolver>> make_solver(const SolverSetup& setup) {
    const OptionValues& o = setup.options;
    const auto selectivity = selectivity_of(o.integer("--selectivity"));
    if (!selectivity) {
        return Error{fmt::format("--selectivity: {} is no level", o.number("--selectivity")),
                     "use 73, 87, 95, 98, 99 or 100"};
    }
    if (o.flag("--wld") && o.number("--multipv") > 1) {
        return Error{"--multipv: --wld finds one move only", "drop one of them"};
    }
    std::shared_ptr<const Weights> weights;
    if (!o.text("--weights").empty()) {
        auto loaded = Weights::load(o.text("--weights"));
        if (!loaded) return loaded.error();
        weights = std::make_shared<const Weights>(std::move(*loaded));
    }
    return std::unique_ptr<PositionSolver>(
        new EndgameSolver(setup, *selectivity, std::move(weights)));
}

/// Lines as they are: what follows the position is what is known of its moves.
Expected<std::vector<std::string>> read_lines(const std::string& text, const std::string& name) {
    const auto all = parse_problems(text, name);
    if (!all) return all.error();
    if (all->empty()) {
        return Error{fmt::format("solve: no positions in '{}'", name), "give OBF positions"};
    }
    std::vector<std::string> lines;
    for (const Problem& p : *all) {
        std::string line = format_obf(p.position) + ";";
        for (const ScoredSquare& s : p.scores) {
            line += fmt::format(" {}:{:+};", format_square(s.square), s.score);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

SolverFacet solver_facet() {
    constexpr std::int64_t kMostThreads = 1024;
    SolverFacet facet;
    facet.kinds = {{"exact"}, {"result", {{"--wld", "true"}}}};
    facet.options = {
        switch_option("--wld", "only who wins: value 1, 0 or -1"),
        number_option("--selectivity", 100, 73, 100,
                      "sureness of cuts, %: 73, 87, 95, 98, 99, 100 (exact)"),
        number_option("--multipv", 1, 1, 64, "find this many best moves"),
        number_option("--threads", 1, 1, kMostThreads, "threads that search"),
        text_option("--weights", "FILE", "use this evaluation"),
    };
    facet.proves = "Othello to the last disc";
    facet.problems_help = "Othello: OBF, scores are checked";
    facet.examples = {
        "karikomi solve othello --position "  // NOLINT: one example, in two pieces
        "'-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X'",
        "karikomi solve othello --file positions.obf --threads 2 --json",
        "karikomi solve othello --file positions.obf --out answers.jsonl",
        "karikomi solve othello --file positions.obf --wld",
        "karikomi solve othello --file positions.obf --selectivity 95 --time-ms 1000"};
    facet.head = fmt::format(kRow, "empties", "value", "sure", "expected", "best", "nodes", "time",
                             "nodes/s", "line");
    facet.problems = read_lines;
    facet.make = make_solver;
    return facet;
}

}  // namespace karikomi::othello
