/// karikomi book: opening books, as each game's own facet keeps them.
#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/facets.hpp"

namespace karikomi::cli {
namespace {

struct BookOptions {
    std::string game;
    std::vector<std::string> words;  ///< the action, then files
    EngineOptions engine;
    TuningOptions tuning;
    FacetOptions own;
};

std::vector<OptionInfo> options_of(const GameModule& m) {
    return m.book ? m.book->options : std::vector<OptionInfo>();
}

int run(const BookOptions& o, Session& session) {
    const GameModule& module =
        module_with(&GameModule::book, o.game, "book: '{}' has no opening book");
    const auto engine = [&] { return ready_engine(module.name, o.engine, o.tuning); };
    return module.book->run({o.own.values_for(module, options_of), o.words, session, engine});
}

}  // namespace

void add_book(Program& program) {
    std::vector<std::string> summaries;
    std::string footer;
    for (const GameModule* m : games()) {
        if (!m->book) continue;
        summaries.push_back(m->book->summary);
        footer += m->book->footer;
    }
    Command command =
        program.add("book",
                    summaries.empty() ? std::string("Opening books (no game here has one)")
                                      : fmt::format("{}", fmt::join(summaries, "; ")),
                    examples_of([](const GameModule& m) {
                        return m.book ? m.book->examples : std::vector<std::string>();
                    }));
    command.add_footer(footer);
    const auto o = std::make_shared<BookOptions>();
    add_game(command, o->game, names_with(&GameModule::book));
    add_list(command, "ACTION", o->words, "", "What to do, the book, then other files; see below")
        .required();
    o->engine.add_to(command);
    o->own.add_to(command, options_of);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
