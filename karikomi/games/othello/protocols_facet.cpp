/// NBoard and GTP, as the program starts them.
#include <fmt/format.h>

#include "karikomi/games/othello/book_file.hpp"
#include "karikomi/games/othello/facets.hpp"
#include "karikomi/games/othello/game.hpp"
#include "karikomi/games/othello/protocols/gtp.hpp"
#include "karikomi/games/othello/protocols/nboard.hpp"

namespace karikomi::othello {
namespace {

constexpr int kHighestLevel = Game::kMaxLevel;

std::vector<OptionInfo> options() {
    constexpr double kMostDiscs = 64;
    return {number_option("--level", -1, 0, kHighestLevel,
                          fmt::format("Strength, 0..{} (default: {}, unless a clock decides)",
                                      kHighestLevel, protocols::kDefaultLevel)),
            switch_option("--ponder", "Think on the opponent's time too"),
            text_option("--book", "FILE", "Opening book (default: the built-in one)"),
            switch_option("--no-book", "Search from the first move on"),
            real_option("--randomness", 0, 0, kMostDiscs, "DISCS",
                        "What a book move may lose for variety")};
}

using Talk = Summary (*)(Engine&, const protocols::OthelloSettings&, const Streams&);

Expected<Summary> run(const ProtocolCall& call, Talk talk) {
    const OptionValues& o = call.options;
    protocols::OthelloSettings settings;
    if (o.number("--level") >= 0) settings.level = o.integer("--level");
    settings.ponder = o.flag("--ponder");
    if (!o.text("--book").empty()) {
        auto book = load_book(o.text("--book"));
        if (!book) return book.error();
        settings.book = std::make_shared<const Book>(std::move(*book));
    } else {
        settings.book = shipped_book();
    }
    if (o.flag("--no-book")) settings.book = nullptr;
    settings.randomness = o.real("--randomness");
    settings.transcript = call.transcript;
    return talk(call.engine, settings, call.streams);
}

ProtocolFacet facet_of(std::string name, std::string summary, std::string example, std::string link,
                       Talk talk) {
    ProtocolFacet facet;
    facet.name = std::move(name);
    facet.summary = std::move(summary);
    facet.options = options();
    facet.examples = {std::move(example)};
    facet.links = {std::move(link)};
    facet.run = [talk](const ProtocolCall& call) { return run(call, talk); };
    return facet;
}

}  // namespace

std::vector<ProtocolFacet> protocol_facets() {
    return {facet_of("nboard",
                     "Play Othello by NBoard's protocol on stdin and stdout (docs/gui/othello.md)",
                     R"(printf 'nboard 2\nset depth 6\ngo\n' | karikomi nboard)",
                     "karikomi-othello", protocols::run_nboard),
            facet_of("gtp", "Play Othello by GTP 2 on stdin and stdout (docs/gui/othello.md)",
                     R"(printf 'play b f5\ngenmove w\nquit\n' | karikomi gtp --level 6)",
                     "karikomi-othello-gtp", protocols::run_gtp)};
}

}  // namespace karikomi::othello
