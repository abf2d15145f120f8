/// karikomi book: the opening book shown, merged, imported, exported and checked; book_build.cpp
/// builds it.
#include "karikomi/cli/book.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/records.hpp"

namespace karikomi::cli {

using othello::Book;
using othello::BookEntry;
using othello::BookFile;
using othello::BookMove;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kImportPlies = 24;  // of a game
constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr std::size_t kShownProblems = 10;

std::string discs(Value v) {
    return fmt::format("{:+.2f}", v / double{othello::kDisc});
}

std::string book_name(const BookOptions& o) {
    return o.files.empty() ? "(built in)" : o.files.front();
}

std::shared_ptr<const Book> open_for_reading(const BookOptions& o) {
    if (o.files.empty()) return othello::shipped_book();
    return std::make_shared<const Book>(take(othello::load_book(o.files.front())));
}

Json to_json(const othello::BookResults& r) {
    return {{"games", r.games()},
            {"wins", r.wins},
            {"draws", r.draws},
            {"losses", r.losses},
            {"discs", r.discs}};
}

// ---- show ---------------------------------------------------------------------------------------

Json to_json(const BookMove& m) {
    return {{"move", othello::format_square(m.square)},
            {"value", m.value / double{othello::kDisc}},
            {"searched",
             m.searched == kNoValue ? Json(nullptr) : Json(m.searched / double{othello::kDisc})},
            {"depth", m.depth},
            {"confidence", m.confidence},
            {"solved", m.solved},
            {"in_book", m.in_book},
            {"results", to_json(m.results)}};
}

std::string move_table(const std::vector<BookMove>& moves) {
    Table table({{"move", false},
                 {"value"},
                 {"searched"},
                 {"depth"},
                 {"book", false},
                 {"games"},
                 {"won"},
                 {"drawn"},
                 {"lost"},
                 {"mean"}});
    for (const BookMove& m : moves) {
        const auto& r = m.results;
        const std::string depth = m.solved ? "end" : std::to_string(m.depth);
        const bool searched = m.searched != kNoValue;
        table.add({othello::format_square(m.square), discs(m.value),
                   searched ? discs(m.searched) : "-",
                   searched ? fmt::format("{}@{}%", depth, m.confidence) : "-",
                   m.in_book ? "goes on" : "ends", grouped(r.games()), grouped(r.wins),
                   grouped(r.draws), grouped(r.losses),
                   r.games() == 0 ? "-"
                                  : fmt::format("{:+.1f}", static_cast<double>(r.discs) /
                                                               static_cast<double>(r.games()))});
    }
    return table.text();
}

int show(const BookOptions& o, Session& session) {
    const othello::Position position = book_position(o);
    const auto book = open_for_reading(o);
    const othello::BookPlayer player(book, static_cast<int>(o.contempt));
    const auto moves = player.moves(position);
    std::vector<std::string> line;
    for (const othello::Square s : player.line(position)) line.push_back(othello::format_square(s));
    const BookEntry* entry = book->find(position.board);
    Json document = {{"book", book_name(o)},
                     {"positions", book->size()},
                     {"position", othello::format_obf(position)},
                     {"in_book", entry != nullptr},
                     {"moves", Json::array()},
                     {"line", line}};
    for (const BookMove& m : moves) document["moves"].push_back(to_json(m));
    if (entry != nullptr) {
        document["results"] = to_json(entry->results);
        document["level"] = entry->level < 0 ? Json(nullptr) : Json(entry->level);
    }
    if (!session.json()) {
        fmt::print("{}\n", othello::format_diagram(position));
        if (moves.empty()) {
            fmt::print("The book {} has no move here ({} positions).\n", book_name(o),
                       grouped(book->size()));
        } else {
            fmt::print("{}\nBest line: {}\n", move_table(moves), fmt::join(line, " "));
        }
    }
    session.finish(document);
    return moves.empty() ? kNo : kDone;
}

// ---- export -------------------------------------------------------------------------------------

std::string as_text(const Book& book) {
    std::string text = fmt::format("# karikomi opening book, {} positions\n", book.size());
    for (const std::string& note : book.notes()) text += fmt::format("# {}\n", note);
    std::vector<const BookEntry*> entries;
    for (const BookEntry& e : book.entries()) entries.push_back(&e);
    std::sort(entries.begin(), entries.end(), [](const BookEntry* a, const BookEntry* b) {
        const int more = a->board.empties() - b->board.empties();
        if (more != 0) return more > 0;
        return a->board.own != b->board.own ? a->board.own < b->board.own
                                            : a->board.other < b->board.other;
    });
    for (const BookEntry* e : entries) text += othello::format_book_line(*e) + "\n";
    return text;
}

int export_text(const BookOptions& o, Session& session) {
    if (o.out.empty() && session.json()) {
        throw Failure({"export: the text and --json cannot share stdout", "add --out FILE"});
    }
    const auto book = open_for_reading(o);
    const std::string text = as_text(*book);
    if (o.out.empty()) {
        fmt::print("{}", text);
    } else {
        const std::string fresh = o.out + ".new";
        std::ofstream out(fresh, std::ios::binary);
        out << text;
        out.close();
        std::error_code trouble;
        if (out) fs::rename(fresh, o.out, trouble);
        if (!out || trouble) {
            throw Failure({fmt::format("--out: '{}' cannot be written", o.out),
                           "check the folder and the disk"},
                          kBroken);
        }
        if (!session.json()) fmt::print("{}: {} positions\n", o.out, grouped(book->size()));
    }
    session.finish({{"book", book_name(o)}, {"out", o.out}, {"positions", book->size()}});
    return kDone;
}

// ---- merge and import ---------------------------------------------------------------------------

void merge_entry(Book& book, const BookEntry& entry) {
    const std::size_t at = book.index_of_canonical(entry.board);
    book.put(at == Book::kNone ? entry : merged(book.entry(at), entry));
}

int merge(const BookOptions& o, Session& session) {
    if (o.files.size() < 2) {
        throw Failure({"merge: name the book and at least one other",
                       "karikomi book othello merge BOOK OTHER..."});
    }
    BookFile file = take(BookFile::open(o.files.front(), BookFile::Missing::Create));
    Book all = file.book();
    const std::size_t before = all.size();
    for (std::size_t i = 1; i < o.files.size(); ++i) {
        std::error_code trouble;
        if (fs::equivalent(o.files[i], o.files.front(), trouble)) {
            throw Failure({fmt::format("merge: {} is the book itself", o.files[i]),
                           "its games would count twice"});
        }
        const Book other = take(othello::load_book(o.files[i]));
        for (const BookEntry& e : other.entries()) merge_entry(all, e);
        for (const std::string& note : other.notes()) all.add_note(note);
    }
    const std::size_t size = all.size();
    require(file.replace(std::move(all)));
    if (!session.json()) {
        fmt::print("{}: {} positions, {} of them new\n", o.files.front(), grouped(size),
                   grouped(size - before));
    }
    session.finish({{"book", o.files.front()}, {"positions", size}, {"new", size - before}});
    return kDone;
}

/// What an import has done so far.
struct Import {
    Book book;
    std::size_t lines = 0;
    std::size_t games = 0;
    std::size_t without_result = 0;
    std::vector<std::string> errors;
    std::size_t error_count = 0;

    void complain(std::string what) {
        ++error_count;
        if (errors.size() < kShownProblems) errors.push_back(std::move(what));
    }
};

void import_lines(const std::string& file, Import& to) {
    std::ifstream in(file, std::ios::binary);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#' || line[first] == '%') continue;
        const auto entry = othello::parse_book_line(line);
        if (entry) {
            merge_entry(to.book, *entry);
            ++to.lines;
        } else {
            to.complain(fmt::format("{}: line {}: {}", file, number, entry.error().what));
        }
    }
}

/// Counts the game at each of its positions of the first plies.
void import_game(const othello::GameRecord& game, std::int64_t plies, Import& to) {
    const auto ruled = othello::final_result(game);
    if (!ruled && !game.result) {
        ++to.without_result;
        return;
    }
    const int black = ruled ? *ruled : static_cast<int>(*game.result);
    othello::GameRecord played;
    played.start = game.start;
    othello::Replay replay(played);
    for (const othello::RecordMove& m : game.moves) {
        if (static_cast<std::int64_t>(played.moves.size()) >= plies) break;
        if (m.square != othello::kPass) {
            const othello::Position& p = replay.position();
            BookEntry entry = othello::canonical_entry(p.board, {});
            entry.results.add(p.to_move == othello::Colour::Black ? black : -black);
            merge_entry(to.book, entry);
        }
        if (!replay.play(m)) break;
    }
    ++to.games;
}

void import_file(const std::string& file, const BookOptions& o, Import& to) {
    const auto records = take(othello::load_records(file));
    if (records.format == othello::RecordFormat::Obf) return import_lines(file, to);
    for (const auto& p : records.errors) {
        to.complain(fmt::format("{}: {}", file, othello::describe(p)));
    }
    to.error_count += records.error_count - records.errors.size();
    const std::int64_t plies = o.plies > 0 ? o.plies : kImportPlies;
    for (const auto& game : records.games) import_game(game, plies, to);
}

int import_text(const BookOptions& o, Session& session) {
    if (o.files.size() < 2) {
        throw Failure({"import: name the book and at least one file",
                       "karikomi book othello import BOOK FILE..."});
    }
    BookFile file = take(BookFile::open(o.files.front(), BookFile::Missing::Create));
    const std::size_t before = file.book().size();
    Import work;
    work.book = file.book();
    for (std::size_t i = 1; i < o.files.size(); ++i) import_file(o.files[i], o, work);
    const std::size_t size = work.book.size();
    // In one piece: half an import could not be told from none, and games would count twice.
    require(file.replace(std::move(work.book)));
    if (!session.json()) {
        fmt::print("{}: {} positions, {} of them new; {} lines and {} games read\n",
                   o.files.front(), grouped(size), grouped(size - before), grouped(work.lines),
                   grouped(work.games));
        if (work.without_result > 0) {
            fmt::print("{} games without a result left out\n", grouped(work.without_result));
        }
        for (const std::string& e : work.errors) fmt::print("error: {}\n", e);
        if (work.error_count > work.errors.size()) {
            fmt::print("... and {} more\n", work.error_count - work.errors.size());
        }
    }
    session.finish({{"book", o.files.front()},
                    {"positions", size},
                    {"new", size - before},
                    {"lines", work.lines},
                    {"games", work.games},
                    {"without_result", work.without_result},
                    {"error_count", work.error_count},
                    {"errors", work.errors}});
    return work.error_count == 0 ? kDone : kNo;
}

// ---- check --------------------------------------------------------------------------------------

/// Positions by number of discs, and how many of them play from the start can reach in the book.
struct Shape {
    std::array<std::size_t, 65> by_discs{};
    std::size_t links = 0;
    std::size_t analysed = 0;
    std::size_t reachable = 0;
};

Shape shape_of(const Book& book) {
    Shape s;
    std::vector<bool> seen(book.size());
    std::vector<std::size_t> open;
    const auto visit = [&](const othello::Board& board) {
        const std::size_t at = book.index_of(board);
        if (at == Book::kNone || seen[at]) return;
        seen[at] = true;
        open.push_back(at);
    };
    visit(othello::start_position().board);
    while (!open.empty()) {
        const BookEntry& e = book.entry(open.back());
        open.pop_back();
        ++s.reachable;
        for (const othello::Square square : othello::distinct_moves(e.board)) {
            const auto step = othello::book_step(e.board, square);
            if (!step.over) visit(step.board);
        }
    }
    for (const BookEntry& e : book.entries()) {
        ++s.by_discs[static_cast<std::size_t>(64 - e.board.empties())];
        s.links += e.links.size();
        s.analysed += e.analysed() ? 1 : 0;
    }
    return s;
}

Json to_json(const std::vector<othello::BookScan::Problem>& problems) {
    Json out = Json::array();
    for (const auto& p : problems) out.push_back({{"offset", p.offset}, {"what", p.what}});
    return out;
}

void print_check(const BookOptions& o, const othello::BookScan& scan, const Shape& shape) {
    fmt::print("{}: {} positions ({} analysed, {} to be reached from the start), {} valued moves\n",
               book_name(o), grouped(scan.book.size()), grouped(shape.analysed),
               grouped(shape.reachable), grouped(shape.links));
    Table table({{"discs"}, {"positions"}});
    for (std::size_t n = 0; n < shape.by_discs.size(); ++n) {
        if (shape.by_discs[n] > 0) table.add({std::to_string(n), grouped(shape.by_discs[n])});
    }
    if (!table.empty()) fmt::print("{}", table.text());
    for (const std::string& note : scan.book.notes()) fmt::print("note: {}\n", note);
    if (scan.superseded > 0) {
        fmt::print("{} entries are superseded; the next build packs them\n",
                   grouped(scan.superseded));
    }
    if (scan.torn_bytes > 0) {
        fmt::print("the last {} bytes are of a writer that was killed; they hold nothing saved\n",
                   scan.torn_bytes);
    }
    for (const auto& p : scan.damage) fmt::print("damage at byte {}: {}\n", p.offset, p.what);
    for (const auto& p : scan.invalid) fmt::print("wrong at byte {}: {}\n", p.offset, p.what);
}

int check(const BookOptions& o, Session& session) {
    if (o.files.empty() && !o.repair.empty()) {
        throw Failure({"--repair: the built-in book is not damaged", "name a book"});
    }
    if (!o.repair.empty() && fs::exists(o.repair)) {
        throw Failure({fmt::format("--repair: '{}' exists", o.repair), "name a new file"});
    }
    othello::BookScan scan;
    if (o.files.empty()) {
        scan.book = *othello::shipped_book();
    } else {
        scan = take(othello::scan_book_file(o.files.front()));
    }
    const bool good = scan.damage.empty() && scan.invalid.empty();
    const Shape shape = shape_of(scan.book);
    if (!o.repair.empty()) require(othello::save_book(scan.book, o.repair));
    if (!session.json()) {
        print_check(o, scan, shape);
        if (!o.repair.empty()) fmt::print("{}: all that is good\n", o.repair);
        fmt::print("{}\n", good ? "The book is in order." : "The book is damaged.");
    }
    session.finish({{"book", book_name(o)},
                    {"good", good},
                    {"positions", scan.book.size()},
                    {"analysed", shape.analysed},
                    {"reachable", shape.reachable},
                    {"links", shape.links},
                    {"superseded", scan.superseded},
                    {"torn_bytes", scan.torn_bytes},
                    {"damage", to_json(scan.damage)},
                    {"invalid", to_json(scan.invalid)},
                    {"notes", scan.book.notes()}});
    return good ? kDone : kNo;
}

// ---- The command --------------------------------------------------------------------------------

int run(const BookOptions& o, Session& session) {
    if (o.game != "othello") {
        throw Failure({fmt::format("book: '{}' has no opening book", o.game), "use othello"});
    }
    const bool many = o.action == "merge" || o.action == "import";
    if (!many && o.files.size() > 1) {
        throw Failure({fmt::format("{}: one book only, not '{}'", o.action, o.files[1]),
                       "see `karikomi book --help`"});
    }
    if (o.action == "build" || o.action == "extend") return build_book(o, session);
    session.begin(nullptr);
    if (o.action == "show") return show(o, session);
    if (o.action == "export") return export_text(o, session);
    if (o.action == "merge") return merge(o, session);
    if (o.action == "import") return import_text(o, session);
    if (o.action == "check") return check(o, session);
    const std::vector<std::string> known = {"build",  "extend", "show", "merge",
                                            "import", "export", "check"};
    const std::string near = nearest_name(o.action, known);
    throw Failure({fmt::format("book: '{}' is unknown", o.action),
                   near.empty() ? fmt::format("use one of {}", fmt::join(known, ", "))
                                : fmt::format("did you mean '{}'?", near)});
}

double parse_discs(const std::string& name, const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code == std::errc() && stop == end && value >= 0 && value <= 128) return value;
    throw Failure({fmt::format("{}: '{}' is not a number of discs", name, text),
                   "give one in 0..128, such as 2.5"});
}

void add_building(CLI::App& command, BookOptions& o) {
    const std::string group = "build and extend";
    const auto number = [&](const char* name, std::int64_t& to, Range range, const char* help) {
        add_number(command, name, to, range, help)->group(group);
    };
    const auto real = [&](const char* name, double& to, const char* help) {
        const auto read = [&to, name](const std::string& text) { to = parse_discs(name, text); };
        command.add_option_function<std::string>(name, read, help)
            ->type_name("DISCS")
            ->default_str(fmt::format("{}", to))
            ->group(group);
    };
    number("--plies", o.plies, {1, 60},
           "Moves for this many plies (default: build 12, import 24 of each game)");
    real("--max-loss", o.max_loss, "Discs that both sides together may give away");
    number("--width", o.width, {1, 32}, "Moves of a position that get a value");
    number("--level", o.level, {0, 60}, "Analyse at this level (default: --depth 12)");
    number("--depth", o.depth, {1, kMaxDepth}, "Analyse to this depth");
    number("--time-ms", o.time_ms, {1, kWeekMs}, "Analyse for this time a position");
    number("--nodes", o.nodes, {1, 1'000'000'000'000}, "Analyse with this many nodes a position");
    number("--positions", o.positions, {1, 1'000'000'000}, "Stop after this many positions");
    number("--games", o.games, {0, 1'000'000'000}, "Then play until there are this many games");
    real("--randomness", o.randomness, "How far games stray from the best move");
    number("--seed", o.seed, {0, 1'000'000'000'000}, "Seed of the games");
    add_switch(command, "--deepen", o.deepen, "Analyse again what came from a weaker search")
        ->group(group);
}

}  // namespace

othello::Position book_position(const BookOptions& o) {
    const auto engine = take(make_engine("othello"));
    require(engine->set_position(o.position, o.moves));
    return take(othello::parse_obf(engine->position_text()));
}

void add_book(Program& program) {
    CLI::App& command = program.add(
        "book", "Othello's opening book: build, extend, show, merge, import, export, check",
        {"karikomi book othello show", "karikomi book othello check",
         "karikomi book othello export"});
    command.footer(command.get_footer() + R"(

What an action takes:
  build BOOK            makes a book or goes on with it: positions, then games
  extend BOOK           the next --positions (100) most promising positions, however deep
  show [BOOK]           the moves of a position (--moves, --position)
  merge BOOK OTHER...   deeper analyses win, games add up
  import BOOK FILE...   lines as export writes them, or games of any record format
  export [BOOK]         one line a position
  check [BOOK]          reads every byte; --repair NEW saves what is good of a damaged one
As in: karikomi book othello build my.book --depth 10 --plies 8 --max-loss 2)");
    const auto o = std::make_shared<BookOptions>();
    add_game(command, o->game, {"othello"});
    command.add_option("ACTION", o->action, "build, extend, show, merge, import, export or check")
        ->type_name("")
        ->required();
    command
        .add_option("BOOK", o->files,
                    "The book, then other files; show, export, check: the built-in one without")
        ->type_name("");
    add_text(command, "--position", o->position, "P", "show: this position; build: begin there");
    add_text(command, "--moves", o->moves, "M", "Moves to play from there");
    add_number(command, "--contempt", o->contempt, {-6400, 6400},
               "show: what a draw is worth to Black, 1/100 disc");
    add_name(command, "--out", o->out, "FILE", "export: write there (default: stdout)");
    add_name(command, "--repair", o->repair, "FILE", "check: write what is good to a new book");
    o->engine.add_to(command);
    add_building(command, *o);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.callback(
        [&program, o] { program.job = [o](Session& session) { return run(*o, session); }; });
}

}  // namespace karikomi::cli
