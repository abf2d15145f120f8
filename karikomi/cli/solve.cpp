/// karikomi solve: proves what a position is worth, one position or a file of them.
#include "karikomi/cli/solve.hpp"

#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/games/registry.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostNodes = std::int64_t{1} << 50;
constexpr std::int64_t kMostHashMb = 1 << 20;

int run(const SolveOptions& o, Session& session) {
    if (o.position.empty() == o.file.empty()) {
        throw Failure({"solve: give --position or --file, and not both", "see `solve --help`"});
    }
    if (o.game == "othello") return solve_othello(o, session);
    if (o.game == "shogi") return solve_shogi(o, session);
    const auto engine = take(make_engine(o.game));  // an unknown game is another mistake
    for (const RuleInfo& r : engine->info().rule_options) {
        if (r.name == "rule") return solve_renju(o, session);
    }
    throw Failure({fmt::format("solve: there is no solver for '{}'", o.game),
                   "use othello, shogi, renju or gomoku"});
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
    add_game(command, o->game);
    add_text(command, "--position", o->position, "P", "Position in the game's notation");
    add_name(command, "--file", o->file, "FILE",
             "Positions, one a line (Othello: OBF; scores behind a ';' are checked; shogi: SFEN)");
    add_switch(command, "--shortest", o->shortest, "Shogi: look for the shortest mate");
    add_switch(command, "--wld", o->by_result, "Only who wins: value 1, 0 or -1");
    add_number(command, "--selectivity", o->selectivity, {73, 100},
               "Confidence of each cut, percent: 73, 87, 95, 98, 99 or 100 (exact)");
    add_number(command, "--multipv", o->multi_pv, {1, 64}, "Find this many best moves");
    add_number(command, "--time-ms", o->time_ms, {1, kWeekMs}, "Most time for each position");
    add_number(command, "--threads", o->threads, {1, kMostThreads}, "Threads that search");
    add_number(command, "--hash", o->hash_mb, {1, kMostHashMb},
               "Size of the table of positions, MB")
        ->type_name("MB");
    add_name(command, "--weights", o->weights, "FILE", "Othello: use this evaluation");
    o->rules.add_to(command);
    add_name(command, "--threats", o->threats, "KIND",
             "Renju, gomoku: 'fours' only, or 'threes' too (default: threes)");
    add_number(command, "--nodes", o->nodes, {1, kMostNodes},
               "Renju, gomoku: most nodes a position");
    command.footer(
        command.get_footer() +
        "\n\nExit code 1: a position was not solved, or a known score was contradicted.");
    command.callback(
        [&program, o] { program.job = [o](Session& session) { return run(*o, session); }; });
}

}  // namespace karikomi::cli
