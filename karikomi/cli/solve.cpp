/// karikomi solve: proves what a position is worth, one position or a file of them.
#include <ctime>

#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/facets.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/solve_answers.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/proof.hpp"
#include "karikomi/engine/report.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t kMostHashMb = 1 << 20;

struct SolveOptions {
    std::string game;
    std::string position;
    std::string file;
    std::string out;
    std::int64_t hash_mb = 512;
    std::int64_t time_ms = 0;  ///< for each position; 0: no limit
    FacetOptions own;          ///< of the games' solvers
};

double cpu_ms() {
    return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Totals {
    std::size_t done = 0;
    std::size_t solved = 0;
    std::size_t matched = 0;
    std::size_t contradicted = 0;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;

    void add(const Proof& p) {
        ++done;
        solved += p.solved ? 1 : 0;
        matched += p.matches.value_or(false) ? 1 : 0;
        contradicted += p.matches.value_or(true) ? 0 : 1;
        nodes += p.nodes;
        time_us += p.time_us;
    }
    /// Of an earlier run.
    void add(const Json& row) {
        ++done;
        ++solved;
        const Json matches = row.value("matches", Json());
        matched += matches == true ? 1 : 0;
        contradicted += matches == false ? 1 : 0;
        nodes += row.value("nodes", std::uint64_t{0});
        time_us += static_cast<std::int64_t>(1000.0 * row.value("time_ms", 0.0));
    }
};

/// The first line no longer than the terminal; the others as they are.
void print_row(std::size_t number, const std::string& text) {
    std::string row = fmt::format("{:>4} {}", number, text);
    const std::size_t width = terminal_width();
    const std::size_t end = std::min(row.find('\n'), row.size());
    if (width > 20 && end > width) row = shortened(row.substr(0, end), width) + row.substr(end);
    fmt::print("{}\n", row);
    std::fflush(stdout);
}

/// Solves one position after the other and keeps the totals.
class Run {
public:
    Run(const SolveOptions& o, const SolverFacet& facet, PositionSolver& solver, Session& session)
        : o_(o), facet_(facet), solver_(solver), session_(session), stop_(session.stop()) {}

    /// Answers go there, and those that are there are not asked for again.
    void keep_in(SolveAnswers& answers) { answers_ = &answers; }

    int work(const std::vector<std::string>& problems) {
        const double cpu_before = cpu_ms();
        if (!session_.json() && !facet_.head.empty()) {
            fmt::print("{}\n", dim(fmt::format("{:>4} {}", "#", facet_.head)));
        }
        skip_answered(problems);
        Progress progress("solve", problems.size(), totals_.done);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const std::string& problem = problems[i];
            if (answers_ != nullptr && answers_->find(problem) != nullptr) continue;
            progress.show(static_cast<double>(totals_.done), problem);
            SolveTask task;
            task.position = problem;
            task.time_ms = o_.time_ms;
            task.stop = stop_;
            const Proof proof = take(solver_.solve(task));
            totals_.add(proof);
            if (answers_ != nullptr) answers_->add(problem, proof.row);
            session_.log("position", proof.row);
            progress.clear();
            session_.stream(proof.row);
            if (!session_.json()) print_row(i + 1, proof.text);
            if (stop_.stop_requested()) break;
        }
        finish(problems.size(), cpu_ms() - cpu_before);
        return totals_.solved == problems.size() && totals_.contradicted == 0 ? kDone : kNo;
    }

private:
    void skip_answered(const std::vector<std::string>& problems) {
        if (answers_ == nullptr) return;
        for (const std::string& problem : problems) {
            if (const Json* row = answers_->find(problem)) totals_.add(*row);
        }
        before_ = totals_.done;
        if (before_ > 0 && !session_.json()) {
            fmt::print("{} of {} were solved before: {}\n", before_, problems.size(), o_.out);
        }
    }

    void finish(std::size_t wanted, double cpu) {
        const Totals& t = totals_;
        Json out = {{"totals",
                     {{"positions", wanted},
                      {"done", t.done},
                      {"before", before_},
                      {"solved", t.solved},
                      {"matched", t.matched},
                      {"contradicted", t.contradicted},
                      {"nodes", t.nodes},
                      {"time_ms", static_cast<double>(t.time_us) / 1000.0},
                      {"cpu_ms", cpu},
                      {"nps", nodes_per_second(t.nodes, t.time_us)}}},
                    {"interrupted", stop_.stop_requested()},
                    {"hash_mb", o_.hash_mb},
                    {"commit", kCommit}};
        out.update(solver_.conditions());
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
    const SolverFacet& facet_;
    PositionSolver& solver_;
    Session& session_;
    StopToken stop_;
    Totals totals_;
    SolveAnswers* answers_ = nullptr;
    std::size_t before_ = 0;  ///< done by earlier runs
};

std::vector<OptionInfo> options_of(const GameModule& m) {
    return m.solver ? m.solver->options : std::vector<OptionInfo>();
}

/// What an answer depends on; how fast it came does not count.
Json conditions_of(const GameModule& module, const OptionValues& options,
                   const PositionSolver& solver) {
    Json out = {{"game", module.name}, {"options", Json::object()}};
    for (const OptionInfo& option : module.solver->options) {
        if (option.name != "--threads") out["options"][option.name] = options.text(option.name);
    }
    out.update(solver.conditions());
    out.erase("threads");
    out.erase("hash_mb");
    return out;
}

int run(const SolveOptions& o, Session& session) {
    if (o.position.empty() == o.file.empty()) {
        throw Failure({"solve: give --position or --file, and not both", "see `solve --help`"});
    }
    const GameModule& module =
        module_with(&GameModule::solver, o.game, "solve: there is no solver for '{}'");
    const SolverFacet& facet = *module.solver;
    SolverSetup setup;
    setup.options = o.own.values_for(module, options_of);
    setup.hash_mb = static_cast<std::size_t>(o.hash_mb);
    const std::string text = o.file.empty() ? o.position : take(read_bytes(o.file));
    const auto problems = take(facet.problems(text, o.file.empty() ? "--position" : o.file));
    const auto solver = take(facet.make(setup));
    std::optional<SolveAnswers> answers;
    if (!o.out.empty()) answers.emplace(o.out, conditions_of(module, setup.options, *solver));
    session.begin(nullptr);
    Run work(o, facet, *solver, session);
    if (answers) work.keep_in(*answers);
    return work.work(problems);
}

/// The texts of all solvers that have one.
std::string joined(std::string SolverFacet::*text, const char* between) {
    std::vector<std::string> parts;
    for (const GameModule* m : games()) {
        if (m->solver && !((*m->solver).*text).empty()) parts.push_back((*m->solver).*text);
    }
    return fmt::format("{}", fmt::join(parts, between));
}

}  // namespace

void add_solve(Program& program) {
    Command command =
        program.add("solve", fmt::format("Prove positions: {}", joined(&SolverFacet::proves, ", ")),
                    examples_of([](const GameModule& m) {
                        return m.solver ? m.solver->examples : std::vector<std::string>();
                    }));
    const auto o = std::make_shared<SolveOptions>();
    add_game(command, o->game, names_with(&GameModule::solver));
    add_text(command, "--position", o->position, "P", "Position in the game's notation");
    add_name(command, "--file", o->file, "FILE",
             fmt::format("Positions, one a line; {}", joined(&SolverFacet::problems_help, "; ")));
    add_name(command, "--out", o->out, "FILE",
             "Append answers to FILE as JSON lines; what it holds is not solved again");
    add_number(command, "--time-ms", o->time_ms, {1, kWeekMs}, "Most time for each position");
    add_number(command, "--hash", o->hash_mb, {1, kMostHashMb},
               "Size of the table of positions, MB")
        .type_name("MB");
    o->own.add_to(command, options_of);
    command.add_footer(
        "\n\nExit code 1: a position was not solved, or a known score was contradicted.");
    command.takes_evidence();
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
