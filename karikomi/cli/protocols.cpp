/// karikomi nboard, karikomi gtp: Othello for graphical programs.
#include <fmt/format.h>
#include <unistd.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/protocols/gtp.hpp"
#include "karikomi/protocols/nboard.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kHighestLevel = 60;  // as Othello players count

struct ProtocolOptions {
    std::string game;
    std::int64_t level = -1;  // not given
    bool ponder = false;
    EngineOptions engine;
    TuningOptions tuning;
};

using Run = protocols::Summary (*)(Engine&, const protocols::Settings&, const protocols::Streams&);

int run(const ProtocolOptions& options, Run talk, Session& session) {
    const auto engine = ready_engine(options.game, options.engine, options.tuning);
    session.begin(fingerprint(engine->params(), engine->info()));
    protocols::Settings settings;
    if (options.level >= 0) settings.level = static_cast<int>(options.level);
    settings.ponder = options.ponder;
    settings.transcript = [&session](protocols::Direction direction, std::string_view line) {
        session.log(direction == protocols::Direction::In ? "in" : "out", {{"line", line}});
    };
    const protocols::Summary summary = talk(*engine, settings, {STDIN_FILENO, stdout});
    session.finish({{"lines_read", summary.lines_read}, {"searches", summary.searches}});
    return kDone;
}

void add_protocol(CLI::App& command, Program& program, const std::string& game, Run talk) {
    // stdout belongs to the protocol.
    command.remove_option(command.get_option("--json"));
    const auto o = std::make_shared<ProtocolOptions>();
    o->game = game;
    add_number(command, "--level", o->level, {0, kHighestLevel},
               fmt::format("Strength, 0..{} (default: {}, unless a clock decides)", kHighestLevel,
                           protocols::kDefaultLevel));
    add_switch(command, "--ponder", o->ponder, "Think on the opponent's time too");
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.callback([&program, o, talk] {
        program.job = [o, talk](Session& session) { return run(*o, talk, session); };
    });
}

}  // namespace

void add_nboard(Program& program) {
    CLI::App& command = program.add(
        "nboard", "Play Othello by NBoard's protocol on stdin and stdout (docs/gui/othello.md)",
        {R"(printf 'nboard 2\nset depth 6\ngo\n' | karikomi nboard)"});
    add_protocol(command, program, "othello", protocols::run_nboard);
}

void add_gtp(Program& program) {
    CLI::App& command =
        program.add("gtp", "Play Othello by GTP 2 on stdin and stdout (docs/gui/othello.md)",
                    {R"(printf 'play b f5\ngenmove w\nquit\n' | karikomi gtp --level 6)"});
    add_protocol(command, program, "othello", protocols::run_gtp);
}

}  // namespace karikomi::cli
