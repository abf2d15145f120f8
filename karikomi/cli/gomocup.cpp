/// karikomi gomocup: renju and gomoku for graphical programs and tournament managers.
#include "karikomi/protocols/gomocup.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kHighestLevel = 12;

struct GomocupOptions {
    std::int64_t level = -1;  // not given
    EngineOptions engine;
    TuningOptions tuning;
};

int run(const GomocupOptions& options, Session& session) {
    // Which rule is played is said later; each has its own parameters. A file is for one of them.
    constexpr std::array<const char*, 3> kGames = {"gomoku", "standard_gomoku", "renju"};
    EngineOptions engine_options = options.engine;
    const auto engine = ready_engine("renju", engine_options, {});
    protocols::GomocupSettings settings;
    for (std::size_t i = 0; i < kGames.size(); ++i) {
        const auto game = take(make_engine(kGames[i]));
        settings.params[i] = options.tuning.apply(game->params(), game->info());
    }
    if (options.level >= 0) settings.level = static_cast<int>(options.level);
    settings.threads = static_cast<int>(options.engine.threads);
    settings.hash_mb = static_cast<int>(options.engine.hash_mb);
    settings.transcript = [&session](protocols::Direction direction, std::string_view line) {
        session.log(direction == protocols::Direction::In ? "in" : "out", {{"line", line}});
    };
    session.begin(fingerprint(engine->params(), engine->info()));
    const protocols::Summary summary =
        protocols::run_gomocup(*engine, settings, {STDIN_FILENO, stdout});
    session.finish({{"lines_read", summary.lines_read}, {"searches", summary.searches}});
    return kDone;
}

}  // namespace

void add_gomocup(Program& program) {
    CLI::App& command =
        program.add("gomocup", "Play renju and gomoku by the Gomocup protocol (docs/gui/renju.md)",
                    {R"(printf 'START 15\nINFO rule 4\nINFO timeout_turn 500\nTURN 7,7\nEND\n')"
                     " | karikomi gomocup"});
    // stdout belongs to the protocol.
    command.remove_option(command.get_option("--json"));
    const auto o = std::make_shared<GomocupOptions>();
    add_number(command, "--level", o->level, {0, kHighestLevel},
               fmt::format("Strength, 0..{} (default: the time decides)", kHighestLevel));
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.callback(
        [&program, o] { program.job = [o](Session& session) { return run(*o, session); }; });
}

}  // namespace karikomi::cli
