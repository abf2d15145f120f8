/// karikomi nboard, karikomi gtp, karikomi usi: Othello and shogi for graphical programs.
#include <fmt/format.h>
#include <unistd.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/games/othello/book_file.hpp"
#include "karikomi/protocols/gtp.hpp"
#include "karikomi/protocols/nboard.hpp"
#include "karikomi/protocols/usi.hpp"

namespace karikomi::cli {
namespace {

constexpr std::int64_t kHighestLevel = 60;  // as Othello players count

struct ProtocolOptions {
    std::string game;
    std::int64_t level = -1;  // not given
    bool ponder = false;
    std::string book_file;  // empty: the built-in one
    bool no_book = false;
    double randomness = 0;
    EngineOptions engine;
    TuningOptions tuning;
};

using Run = protocols::Summary (*)(Engine&, const protocols::Settings&, const protocols::Streams&);

std::shared_ptr<const othello::Book> book_of(const ProtocolOptions& options) {
    if (options.no_book) return nullptr;
    if (options.book_file.empty()) return othello::shipped_book();
    return std::make_shared<const othello::Book>(take(othello::load_book(options.book_file)));
}

int run(const ProtocolOptions& options, Run talk, Session& session) {
    const auto engine = ready_engine(options.game, options.engine, options.tuning);
    session.begin(fingerprint(engine->params(), engine->info()));
    protocols::Settings settings;
    if (options.level >= 0) settings.level = static_cast<int>(options.level);
    settings.ponder = options.ponder;
    settings.book = book_of(options);
    settings.randomness = options.randomness;
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
    add_name(command, "--book", o->book_file, "FILE", "Opening book (default: the built-in one)");
    add_switch(command, "--no-book", o->no_book, "Search from the first move on");
    command.add_option("--randomness", o->randomness, "What a book move may lose for variety")
        ->type_name("DISCS")
        ->default_str("0")
        ->check(CLI::Range(0.0, 64.0));
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.callback([&program, o, talk] {
        program.job = [o, talk](Session& session) { return run(*o, talk, session); };
    });
}

struct UsiCommandOptions {
    EngineOptions engine;
    TuningOptions tuning;
};

int run_shogi(const UsiCommandOptions& options, Session& session) {
    const auto engine = ready_engine("shogi", options.engine, options.tuning);
    session.begin(fingerprint(engine->params(), engine->info()));
    protocols::UsiOptions usi;
    usi.hash_mb = static_cast<long>(options.engine.hash_mb);
    usi.threads = static_cast<long>(options.engine.threads);
    const auto transcript = [&session](protocols::Direction direction, std::string_view line) {
        session.log(direction == protocols::Direction::In ? "in" : "out", {{"line", line}});
    };
    const protocols::Summary summary =
        protocols::run_usi(*engine, usi, transcript, {STDIN_FILENO, stdout});
    session.finish({{"lines_read", summary.lines_read}, {"searches", summary.searches}});
    return kDone;
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

void add_usi(Program& program) {
    CLI::App& command = program.add(
        "usi", "Play shogi by USI on stdin and stdout (docs/gui/shogi.md)",
        {R"(printf 'usi\nisready\nposition startpos\ngo depth 5\nquit\n' | karikomi usi)"});
    command.remove_option(command.get_option("--json"));  // stdout belongs to the protocol
    const auto o = std::make_shared<UsiCommandOptions>();
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.callback(
        [&program, o] { program.job = [o](Session& session) { return run_shogi(*o, session); }; });
}

}  // namespace karikomi::cli
