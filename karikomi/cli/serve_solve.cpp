#include "karikomi/cli/serve_solve.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/othello/solver.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/solver.hpp"
#include "karikomi/games/shogi/notation.hpp"
#include "karikomi/games/shogi/tsume.hpp"

namespace karikomi::cli {
namespace {

using server::JobView;
using server::SolveOrder;
using Words = std::vector<std::string>;

constexpr int kMostEmpties = 34;           // more are hopeless on a desk
constexpr std::size_t kMostRenjuMb = 128;  // more than that is never filled
constexpr std::uint64_t kNoNodeLimit = 1ULL << 50U;

double milliseconds(std::int64_t us) {
    return static_cast<double>(us) / 1000.0;
}

/// What every answer has. `answer` is what the page says in words.
Json answer_json(const SolveOrder& order, const std::string& answer, const Words& line,
                 std::uint64_t nodes, std::int64_t time_us) {
    return {{"kind", order.kind}, {"answer", answer}, {"solved", answer != "unknown"},
            {"line", line},       {"nodes", nodes},   {"time_ms", milliseconds(time_us)}};
}

// ---- Othello ------------------------------------------------------------------------------------

Json othello_json(const SolveOrder& order, const othello::SolveResult& r) {
    const bool exact = order.kind == "exact";
    const std::string answer = !r.known      ? "unknown"
                               : exact       ? "score"
                               : r.score > 0 ? "win"
                               : r.score < 0 ? "loss"
                                             : "draw";
    Words line;
    for (const othello::Square s : r.line) line.push_back(othello::format_square(s));
    Json out = answer_json(order, answer, line, r.nodes, r.time_us);
    if (!r.known) return out;
    out["solved"] = r.complete;
    out["confidence"] = percent_of(r.selectivity);
    if (exact) out["value"] = r.score;
    return out;
}

Expected<Json> solve_othello(const SolveOrder& order, const JobView& view) {
    const auto position = othello::parse_obf(order.position);
    if (!position) return position.error();
    const int empties = position->board.empties();
    if (empties > kMostEmpties) {
        return Error{fmt::format("{} empty squares are too many to solve", empties),
                     fmt::format("play on to {} or fewer", kMostEmpties)};
    }
    othello::Solver solver({.hash_megabytes = order.hash_mb, .threads = 1});
    othello::SolveRequest request;
    request.stop = &view.stop;
    if (order.time_ms > 0) {
        request.deadline =
            std::chrono::steady_clock::now() + std::chrono::milliseconds(order.time_ms);
    }
    if (order.kind == "result") {
        request.mode = othello::SolveMode::WinLossDraw;
        return othello_json(order, solver.solve(position->board, request));
    }
    const auto report = [&](const othello::SolveResult& r) { view.report(othello_json(order, r)); };
    return othello_json(
        order, solver.solve_ladder(position->board, {.solve = request, .on_step = report}));
}

// ---- Renju and gomoku ---------------------------------------------------------------------------

Expected<renju::Position> stones_of(const SolveOrder& order) {
    const auto engine = make_engine(order.place.game);
    if (!engine) return engine.error();
    renju::Rules rules;
    for (const RuleInfo& r : (*engine)->info().rule_options) {
        const auto chosen = order.place.rules.find(r.name);
        const std::string& value = chosen == order.place.rules.end() ? r.value : chosen->second;
        if (const Status s = renju::Notation::set_rule(rules, r.name, value); !s) return s.error();
    }
    auto position = renju::Notation::parse(order.position);
    if (position) position->set_rules(rules);
    return position;
}

Expected<Json> solve_renju(const SolveOrder& order, const JobView& view) {
    const auto position = stones_of(order);
    if (!position) return position.error();
    renju::Solver solver(std::min(order.hash_mb, kMostRenjuMb));
    renju::SolveLimits limits;
    limits.threats = order.kind == "fours" ? renju::Threats::Fours : renju::Threats::FoursThrees;
    limits.nodes = kNoNodeLimit;
    limits.time_ms = order.time_ms;
    limits.stop = &view.stop;
    const renju::Solution s = solver.solve(*position, limits);
    Words line;
    for (const renju::Cell c : s.line) line.push_back(renju::Notation::format_cell(c));
    Json out = answer_json(order,
                           s.solved     ? "win"
                           : s.complete ? "none"
                                        : "unknown",
                           line, s.nodes, s.time_us);
    if (s.solved) out["by"] = s.by == renju::Threats::Fours ? "vcf" : "vct";
    return out;
}

// ---- Shogi --------------------------------------------------------------------------------------

Expected<Json> solve_shogi(const SolveOrder& order, const JobView& view) {
    const auto diagram = shogi::parse_sfen(order.position);
    if (!diagram) return diagram.error();
    shogi::TsumeOptions options;
    options.time_ms = order.time_ms;
    options.hash_mb = order.hash_mb;
    options.shortest = order.kind == "shortest";
    options.stop = [&] { return view.stop.load(); };
    const shogi::TsumeResult r = shogi::solve_tsume(diagram->board, options);
    Words line;
    for (const shogi::Move m : r.line) line.push_back(shogi::format_usi(m));
    const std::string answer = r.verdict == shogi::TsumeVerdict::Mate     ? "mate"
                               : r.verdict == shogi::TsumeVerdict::NoMate ? "none"
                                                                          : "unknown";
    Json out = answer_json(order, answer, line, r.nodes, r.time_us);
    out["shortest"] = r.is_shortest;
    return out;
}

// -------------------------------------------------------------------------------------------------

Words kinds(const std::string& game) {
    if (game == "othello") return {"exact", "result"};
    if (game == "renju" || game == "gomoku") return {"threats", "fours"};
    if (game == "shogi") return {"mate", "shortest"};
    return {};
}

Expected<Json> solve(const SolveOrder& order, const JobView& view) {
    if (order.place.game == "othello") return solve_othello(order, view);
    if (order.place.game == "shogi") return solve_shogi(order, view);
    return solve_renju(order, view);
}

}  // namespace

server::Solving page_solving() {
    return {kinds, solve};
}

}  // namespace karikomi::cli
