/// karikomi solve: proves what a position is worth, one position or a file of them.
#include "karikomi/cli/solve.hpp"

#include <array>

#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostNodes = std::int64_t{1} << 50;
constexpr std::int64_t kMostHashMb = 1 << 20;

enum class Solver : std::uint8_t { Othello, Shogi, Renju };

Solver solver_of(const std::string& game) {
    if (game == "othello") return Solver::Othello;
    if (game == "shogi") return Solver::Shogi;
    const auto engine = take(make_engine(game));  // an unknown game is another mistake
    for (const RuleInfo& r : engine->info().rule_options) {
        if (r.name == "rule") return Solver::Renju;
    }
    throw Failure({fmt::format("solve: there is no solver for '{}'", game),
                   "use othello, shogi, renju, gomoku or standard_gomoku"});
}

/// An option that one solver alone has a use for would do nothing for the others, in silence.
void refuse_foreign(const CLI::App& command, Solver solver, const std::string& game) {
    struct Own {
        const char* option;
        Solver solver;
    };
    constexpr Own kOwn[] = {
        {"--wld", Solver::Othello},     {"--selectivity", Solver::Othello},
        {"--multipv", Solver::Othello}, {"--threads", Solver::Othello},
        {"--weights", Solver::Othello}, {"--shortest", Solver::Shogi},
        {"--rule", Solver::Renju},      {"--threats", Solver::Renju},
        {"--nodes", Solver::Renju},
    };
    constexpr std::array<const char*, 3> kNames = {"othello", "shogi", "renju and gomoku"};
    for (const Own& own : kOwn) {
        if (own.solver == solver || command.count(own.option) == 0) continue;
        throw Failure(
            {fmt::format("{} is for {}", own.option, kNames[static_cast<std::size_t>(own.solver)]),
             fmt::format("drop it for {}", game)});
    }
}

int run(const SolveOptions& o, const CLI::App& command, Session& session) {
    if (o.position.empty() == o.file.empty()) {
        throw Failure({"solve: give --position or --file, and not both", "see `solve --help`"});
    }
    const Solver solver = solver_of(o.game);
    refuse_foreign(command, solver, o.game);
    if (solver == Solver::Othello) return solve_othello(o, session);
    return solver == Solver::Shogi ? solve_shogi(o, session) : solve_renju(o, session);
}

}  // namespace

void add_solve(Program& program) {
    CLI::App& command = program.add(
        "solve", "Prove positions: Othello to the last disc, shogi mates, renju threats",
        {"karikomi solve othello --position "  // NOLINT: one example, in two pieces
         "'-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X'",
         "karikomi solve othello --file positions.obf --threads 2 --json",
         "karikomi solve othello --file positions.obf --wld",
         "karikomi solve othello --file positions.obf --selectivity 95 --time-ms 1000",
         "karikomi solve shogi --position '7kl/9/6G2/9/9/9/9/9/9 b RG 1' --shortest",
         "karikomi solve renju --position "
         "'15/15/15/15/15/9O5/5XOOX6/4OXXX7/6X1X6/7O7/15/15/15/15/15 b' --json"});
    const auto o = std::make_shared<SolveOptions>();
    add_game(command, o->game, {"othello", "shogi", "renju", "gomoku", "standard_gomoku"});
    add_text(command, "--position", o->position, "P", "Position in the game's notation");
    add_name(command, "--file", o->file, "FILE",
             "Positions, one a line (Othello: OBF; scores behind a ';' are checked; shogi: SFEN)");
    add_switch(command, "--shortest", o->shortest, "Shogi: look for the shortest mate");
    add_switch(command, "--wld", o->by_result, "Othello: only who wins: value 1, 0 or -1");
    add_number(command, "--selectivity", o->selectivity, {73, 100},
               "Othello: sureness of cuts, %: 73, 87, 95, 98, 99, 100 (exact)");
    add_number(command, "--multipv", o->multi_pv, {1, 64}, "Othello: find this many best moves");
    add_number(command, "--time-ms", o->time_ms, {1, kWeekMs}, "Most time for each position");
    add_number(command, "--threads", o->threads, {1, kMostThreads}, "Othello: threads that search");
    add_number(command, "--hash", o->hash_mb, {1, kMostHashMb},
               "Size of the table of positions, MB")
        ->type_name("MB");
    add_name(command, "--weights", o->weights, "FILE", "Othello: use this evaluation");
    add_name(command, "--rule", o->rule, "RULE", "Renju, gomoku: renju, standard or freestyle");
    add_name(command, "--threats", o->threats, "KIND",
             "Renju, gomoku: 'fours' only, or 'threes' too (default: threes)");
    add_number(command, "--nodes", o->nodes, {1, kMostNodes},
               "Renju, gomoku: most nodes a position");
    command.footer(
        command.get_footer() +
        "\n\nExit code 1: a position was not solved, or a known score was contradicted.");
    command.callback([&program, &command, o] {
        program.job = [&command, o](Session& session) { return run(*o, command, session); };
    });
}

}  // namespace karikomi::cli
