/// karikomi book build and extend: positions analysed and games played until the book is as asked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/games/othello/book_builder.hpp"
#include "karikomi/games/othello/book_command.hpp"
#include "karikomi/version.hpp"

namespace karikomi::othello {
namespace {

constexpr int kDefaultDepth = 12;
constexpr int kDefaultPlies = 12;
constexpr std::uint64_t kExtendPositions = 100;

BookBuildOptions options_of(const BookOptions& o) {
    BookBuildOptions b;
    b.limits.level = static_cast<int>(o.level);
    b.limits.depth = static_cast<Depth>(o.depth);
    b.limits.move_time_ms = o.time_ms;
    b.limits.nodes = static_cast<std::uint64_t>(o.nodes);
    const bool limited = o.level >= 0 || o.depth > 0 || o.time_ms > 0 || o.nodes > 0;
    if (!limited) b.limits.depth = kDefaultDepth;
    b.root = book_position(o);
    b.plies = o.plies > 0 ? static_cast<int>(o.plies) : kDefaultPlies;
    b.max_loss = o.max_loss;
    b.width = static_cast<int>(o.width);
    b.positions = static_cast<std::uint64_t>(o.positions);
    b.games = static_cast<std::uint64_t>(o.games);
    b.randomness = o.randomness;
    b.seed = static_cast<std::uint64_t>(o.seed);
    b.deepen = o.deepen;
    if (o.action == "extend") {
        // As deep as the analyses lead, so many positions.
        if (o.plies == 0) b.plies = 60;
        if (o.positions == 0) b.positions = kExtendPositions;
    }
    return b;
}

std::string describe(const Limits& l) {
    std::vector<std::string> parts;
    if (l.level >= 0) parts.push_back(fmt::format("level {}", l.level));
    if (l.depth > 0) parts.push_back(fmt::format("depth {}", l.depth));
    if (l.move_time_ms > 0) parts.push_back(fmt::format("{} ms", l.move_time_ms));
    if (l.nodes > 0) parts.push_back(fmt::format("{} nodes", l.nodes));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Where the values come from, kept in the book itself.
std::string provenance(const BookBuildOptions& b, const Engine& engine) {
    return fmt::format(
        "analysed by karikomi {} (commit {}), evaluation {}, parameters {}; {}; "
        "plies {}, loss {}, width {}",
        kVersion, kCommit, engine.info().evaluation, fingerprint(engine.params(), engine.info()),
        describe(b.limits), b.plies, b.max_loss, b.width);
}

/// Shows how far it is: a line on the terminal, or JSON lines of what is safe on disk.
class Watcher {
public:
    Watcher(Console& console, const BookBuildOptions& b) : console_(console), b_(b) {}

    void see(const BookProgress& p) {
        if (p.saved) {
            console_.stream({{"event", "saved"},
                             {"positions", p.positions},
                             {"analysed", p.analysed},
                             {"waiting", p.waiting},
                             {"games", p.games}});
        }
        // What waits now is the least that is to come: analyses find new candidates.
        const double left =
            b_.positions > 0
                ? static_cast<double>(b_.positions - p.analysed)
                : static_cast<double>(p.waiting + (b_.games - std::min(b_.games, p.games)));
        const double done = static_cast<double>(p.analysed + p.games);
        console_.progress("book", done, std::max(done + left, 1.0),
                          fmt::format("{} in the book, {} waiting, {} games", grouped(p.positions),
                                      grouped(p.waiting), grouped(p.games)));
    }
    void done() { console_.end_progress(); }

private:
    Console& console_;
    const BookBuildOptions& b_;
};

Json to_document(const BookOptions& o, const BookOutcome& r, std::size_t positions,
                 const Engine& engine) {
    return {{"book", o.files.front()},
            {"positions", positions},
            {"analysed", r.analysed},
            {"games", r.games},
            {"nodes", r.nodes},
            {"waiting", r.waiting},
            {"interrupted", r.stopped},
            {"evaluation", engine.info().evaluation},
            {"fingerprint", fingerprint(engine.params(), engine.info())}};
}

}  // namespace

int build_book(const BookOptions& o, const CommandCall& call) {
    Console& console = call.console;
    if (o.files.empty()) {
        throw Failure({fmt::format("{}: which book?", o.action),
                       fmt::format("karikomi book othello {} FILE", o.action)});
    }
    const BookBuildOptions b = options_of(o);
    const auto engine = call.make_engine();
    console.begin(fingerprint(engine->params(), engine->info()));
    const auto missing =
        o.action == "build" ? BookFile::Missing::Create : BookFile::Missing::Refuse;
    BookFile file = take(BookFile::open(o.files.front(), missing));
    require(file.put_note(provenance(b, *engine)));
    Watcher watcher(console, b);
    BookBuilder builder(file, *engine, b);
    builder.stop_on(console.stop());
    builder.report_to([&](const BookProgress& p) { watcher.see(p); });
    const BookOutcome r = take(builder.run());
    watcher.done();
    if (!console.json()) {
        console.print(fmt::format(
            "{}: {} positions; {} analysed and {} games played now, {} nodes\n", o.files.front(),
            grouped(file.book().size()), grouped(r.analysed), grouped(r.games), grouped(r.nodes)));
        if (r.stopped) {
            console.print(fmt::format("Stopped; all is saved. To go on: karikomi {}\n",
                                      fmt::join(console.arguments(), " ")));
        } else if (r.waiting > 0) {
            console.print(
                fmt::format("{} more positions within these limits wait.\n", grouped(r.waiting)));
        }
    }
    console.finish(to_document(o, r, file.book().size(), *engine));
    return r.stopped ? kNo : kDone;
}

}  // namespace karikomi::othello
