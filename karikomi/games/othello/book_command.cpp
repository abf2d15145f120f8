/// karikomi book othello: the opening book shown, merged, imported, exported and checked;
/// book_build.cpp builds it.
#include "karikomi/games/othello/book_command.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/facets.hpp"
#include "karikomi/games/othello/records.hpp"

namespace karikomi::othello {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kImportPlies = 24;  // of a game
constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr std::size_t kShownProblems = 10;

std::string discs(Value v) {
    return fmt::format("{:+.2f}", v / double{kDisc});
}

std::string book_name(const BookOptions& o) {
    return o.files.empty() ? "(built in)" : o.files.front();
}

std::shared_ptr<const Book> open_for_reading(const BookOptions& o) {
    if (o.files.empty()) return shipped_book();
    return std::make_shared<const Book>(take(load_book(o.files.front())));
}

Json to_json(const BookResults& r) {
    return {{"games", r.games()},
            {"wins", r.wins},
            {"draws", r.draws},
            {"losses", r.losses},
            {"discs", r.discs}};
}

// ---- show ---------------------------------------------------------------------------------------

Json to_json(const BookMove& m) {
    return {{"move", format_square(m.square)},
            {"value", m.value / double{kDisc}},
            {"searched", m.searched == kNoValue ? Json(nullptr) : Json(m.searched / double{kDisc})},
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
        table.add({format_square(m.square), discs(m.value), searched ? discs(m.searched) : "-",
                   searched ? fmt::format("{}@{}%", depth, m.confidence) : "-",
                   m.in_book ? "goes on" : "ends", grouped(r.games()), grouped(r.wins),
                   grouped(r.draws), grouped(r.losses),
                   r.games() == 0 ? "-"
                                  : fmt::format("{:+.1f}", static_cast<double>(r.discs) /
                                                               static_cast<double>(r.games()))});
    }
    return table.text();
}

int show(const BookOptions& o, Console& console) {
    const Position position = book_position(o);
    const auto book = open_for_reading(o);
    const BookPlayer player(book, static_cast<int>(o.contempt));
    const auto moves = player.moves(position);
    std::vector<std::string> line;
    for (const Square s : player.line(position)) line.push_back(format_square(s));
    const BookEntry* entry = book->find(position.board);
    Json document = {{"book", book_name(o)},
                     {"positions", book->size()},
                     {"position", format_obf(position)},
                     {"in_book", entry != nullptr},
                     {"moves", Json::array()},
                     {"line", line}};
    for (const BookMove& m : moves) document["moves"].push_back(to_json(m));
    if (entry != nullptr) {
        document["results"] = to_json(entry->results);
        document["level"] = entry->level < 0 ? Json(nullptr) : Json(entry->level);
    }
    if (!console.json()) {
        console.print(fmt::format("{}\n", format_diagram(position)));
        if (moves.empty()) {
            console.print(fmt::format("The book {} has no move here ({} positions).\n",
                                      book_name(o), grouped(book->size())));
        } else {
            console.print(
                fmt::format("{}\nBest line: {}\n", move_table(moves), fmt::join(line, " ")));
        }
    }
    console.finish(document);
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
    for (const BookEntry* e : entries) text += format_book_line(*e) + "\n";
    return text;
}

int export_text(const BookOptions& o, Console& console) {
    if (o.out.empty() && console.json()) {
        throw Failure({"export: the text and --json cannot share stdout", "add --out FILE"});
    }
    const auto book = open_for_reading(o);
    const std::string text = as_text(*book);
    if (o.out.empty()) {
        console.print(text);
    } else {
        if (!write_file(o.out, text)) {
            throw Failure({fmt::format("--out: '{}' cannot be written", o.out),
                           "check the folder and the disk"},
                          kBroken);
        }
        if (!console.json())
            console.print(fmt::format("{}: {} positions\n", o.out, grouped(book->size())));
    }
    console.finish({{"book", book_name(o)}, {"out", o.out}, {"positions", book->size()}});
    return kDone;
}

// ---- merge and import ---------------------------------------------------------------------------

void merge_entry(Book& book, const BookEntry& entry) {
    const std::size_t at = book.index_of_canonical(entry.board);
    book.put(at == Book::kNone ? entry : merged(book.entry(at), entry));
}

int merge(const BookOptions& o, Console& console) {
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
        const Book other = take(load_book(o.files[i]));
        for (const BookEntry& e : other.entries()) merge_entry(all, e);
        for (const std::string& note : other.notes()) all.add_note(note);
    }
    const std::size_t size = all.size();
    require(file.replace(std::move(all)));
    if (!console.json()) {
        console.print(fmt::format("{}: {} positions, {} of them new\n", o.files.front(),
                                  grouped(size), grouped(size - before)));
    }
    console.finish({{"book", o.files.front()}, {"positions", size}, {"new", size - before}});
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
        const auto entry = parse_book_line(line);
        if (entry) {
            merge_entry(to.book, *entry);
            ++to.lines;
        } else {
            to.complain(fmt::format("{}: line {}: {}", file, number, entry.error().what));
        }
    }
}

/// Counts the game at each of its positions of the first plies.
void import_game(const GameRecord& game, std::int64_t plies, Import& to) {
    const auto ruled = final_result(game);
    if (!ruled && !game.result) {
        ++to.without_result;
        return;
    }
    const int black = ruled ? *ruled : static_cast<int>(*game.result);
    GameRecord played;
    played.start = game.start;
    Replay replay(played);
    for (const RecordMove& m : game.moves) {
        if (static_cast<std::int64_t>(played.moves.size()) >= plies) break;
        if (m.square != kPass) {
            const Position& p = replay.position();
            BookEntry entry = canonical_entry(p.board, {});
            entry.results.add(p.to_move == Colour::Black ? black : -black);
            merge_entry(to.book, entry);
        }
        if (!replay.play(m)) break;
    }
    ++to.games;
}

void import_file(const std::string& file, const BookOptions& o, Import& to) {
    const auto records = take(load_records(file));
    if (records.format == RecordFormat::Obf) return import_lines(file, to);
    for (const auto& p : records.errors) {
        to.complain(fmt::format("{}: {}", file, describe(p)));
    }
    to.error_count += records.error_count - records.errors.size();
    const std::int64_t plies = o.plies > 0 ? o.plies : kImportPlies;
    for (const auto& game : records.games) import_game(game, plies, to);
}

int import_text(const BookOptions& o, Console& console) {
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
    if (!console.json()) {
        console.print(fmt::format("{}: {} positions, {} of them new; {} lines and {} games read\n",
                                  o.files.front(), grouped(size), grouped(size - before),
                                  grouped(work.lines), grouped(work.games)));
        if (work.without_result > 0) {
            console.print(
                fmt::format("{} games without a result left out\n", grouped(work.without_result)));
        }
        for (const std::string& e : work.errors) console.print(fmt::format("error: {}\n", e));
        if (work.error_count > work.errors.size()) {
            console.print(fmt::format("... and {} more\n", work.error_count - work.errors.size()));
        }
    }
    console.finish({{"book", o.files.front()},
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
    const auto visit = [&](const Board& board) {
        const std::size_t at = book.index_of(board);
        if (at == Book::kNone || seen[at]) return;
        seen[at] = true;
        open.push_back(at);
    };
    visit(start_position().board);
    while (!open.empty()) {
        const BookEntry& e = book.entry(open.back());
        open.pop_back();
        ++s.reachable;
        for (const Square square : distinct_moves(e.board)) {
            const auto step = book_step(e.board, square);
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

Json to_json(const std::vector<BookScan::Problem>& problems) {
    Json out = Json::array();
    for (const auto& p : problems) out.push_back({{"offset", p.offset}, {"what", p.what}});
    return out;
}

void print_check(const BookOptions& o, const BookScan& scan, const Shape& shape, Console& console) {
    console.print(fmt::format(
        "{}: {} positions ({} analysed, {} to be reached from the start), {} valued moves\n",
        book_name(o), grouped(scan.book.size()), grouped(shape.analysed), grouped(shape.reachable),
        grouped(shape.links)));
    Table table({{"discs"}, {"positions"}});
    for (std::size_t n = 0; n < shape.by_discs.size(); ++n) {
        if (shape.by_discs[n] > 0) table.add({std::to_string(n), grouped(shape.by_discs[n])});
    }
    if (!table.empty()) console.print(table.text());
    for (const std::string& note : scan.book.notes())
        console.print(fmt::format("note: {}\n", note));
    if (scan.superseded > 0) {
        console.print(fmt::format("{} entries are superseded; the next build packs them\n",
                                  grouped(scan.superseded)));
    }
    if (scan.torn_bytes > 0) {
        console.print(fmt::format(
            "the last {} bytes are of a writer that was killed; they hold nothing saved\n",
            scan.torn_bytes));
    }
    for (const auto& p : scan.damage)
        console.print(fmt::format("damage at byte {}: {}\n", p.offset, p.what));
    for (const auto& p : scan.invalid)
        console.print(fmt::format("wrong at byte {}: {}\n", p.offset, p.what));
}

int check(const BookOptions& o, Console& console) {
    if (o.files.empty() && !o.repair.empty()) {
        throw Failure({"--repair: the built-in book is not damaged", "name a book"});
    }
    if (!o.repair.empty() && fs::exists(o.repair)) {
        throw Failure({fmt::format("--repair: '{}' exists", o.repair), "name a new file"});
    }
    BookScan scan;
    if (o.files.empty()) {
        scan.book = *shipped_book();
    } else {
        scan = take(scan_book_file(o.files.front()));
    }
    const bool good = scan.damage.empty() && scan.invalid.empty();
    const Shape shape = shape_of(scan.book);
    if (!o.repair.empty()) require(save_book(scan.book, o.repair));
    if (!console.json()) {
        print_check(o, scan, shape, console);
        if (!o.repair.empty()) console.print(fmt::format("{}: all that is good\n", o.repair));
        console.print(fmt::format("{}\n", good ? "The book is in order." : "The book is damaged."));
    }
    console.finish({{"book", book_name(o)},
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

BookOptions options_of(const CommandCall& call) {
    const OptionValues& v = call.options;
    if (call.words.empty())
        throw Failure({"book: what is to be done?", "see `karikomi book --help`"});
    BookOptions o;
    o.action = call.words.front();
    o.files.assign(call.words.begin() + 1, call.words.end());
    o.position = v.text("--position");
    o.moves = v.text("--moves");
    o.out = v.text("--out");
    o.repair = v.text("--repair");
    o.contempt = v.number("--contempt");
    o.level = v.number("--level");
    o.depth = v.number("--depth");
    o.time_ms = v.number("--time-ms");
    o.nodes = v.number("--nodes");
    o.plies = v.number("--plies");
    o.width = v.number("--width");
    o.positions = v.number("--positions");
    o.games = v.number("--games");
    o.seed = v.number("--seed");
    o.max_loss = v.real("--max-loss");
    o.randomness = v.real("--randomness");
    o.deepen = v.flag("--deepen");
    return o;
}

int run(const CommandCall& call) {
    const BookOptions o = options_of(call);
    Console& console = call.console;
    const bool many = o.action == "merge" || o.action == "import";
    if (!many && o.files.size() > 1) {
        throw Failure({fmt::format("{}: one book only, not '{}'", o.action, o.files[1]),
                       "see `karikomi book --help`"});
    }
    if (o.action == "build" || o.action == "extend") return build_book(o, call);
    console.begin(nullptr);
    if (o.action == "show") return show(o, console);
    if (o.action == "export") return export_text(o, console);
    if (o.action == "merge") return merge(o, console);
    if (o.action == "import") return import_text(o, console);
    if (o.action == "check") return check(o, console);
    const std::vector<std::string> known = {"build",  "extend", "show", "merge",
                                            "import", "export", "check"};
    const std::string near = nearest_name(o.action, known);
    throw Failure({fmt::format("book: '{}' is unknown", o.action),
                   near.empty() ? fmt::format("use one of {}", fmt::join(known, ", "))
                                : fmt::format("did you mean '{}'?", near)});
}

std::vector<OptionInfo> building_options() {
    constexpr double kMostDiscs = 128;
    std::vector<OptionInfo> options = {
        number_option("--plies", 0, 1, 60,
                      "moves for this many plies (default: build 12, import 24 of each game)"),
        real_option("--max-loss", 3.0, 0, kMostDiscs, "DISCS",
                    "discs that both sides together may give away"),
        number_option("--width", 4, 1, 32, "moves of a position that get a value"),
        number_option("--level", -1, 0, 60, "analyse at this level (default: --depth 12)"),
        number_option("--depth", 0, 1, kMaxDepth, "analyse to this depth"),
        number_option("--time-ms", 0, 1, kWeekMs, "analyse for this time a position"),
        number_option("--nodes", 0, 1, 1'000'000'000'000,
                      "analyse with this many nodes a position"),
        number_option("--positions", 0, 1, 1'000'000'000, "stop after this many positions"),
        number_option("--games", 0, 0, 1'000'000'000, "then play until there are this many games"),
        real_option("--randomness", 1.0, 0, kMostDiscs, "DISCS",
                    "how far games stray from the best move"),
        number_option("--seed", 1, 0, 1'000'000'000'000, "seed of the games"),
        switch_option("--deepen", "analyse again what came from a weaker search")};
    for (OptionInfo& o : options) o.group = "build and extend";
    return options;
}

}  // namespace

std::optional<Repair> examine_book(const std::string& file) {
    const auto scan = scan_book_file(file);
    if (!scan) return std::nullopt;
    Repair r;
    r.kind = "Othello book";
    for (const auto* problems : {&scan->damage, &scan->invalid}) {
        for (const auto& p : *problems) {
            r.faults.push_back(fmt::format("at byte {}: {}", p.offset, p.what));
        }
    }
    if (scan->book.size() > 0) r.good = fmt::format("{} positions", grouped(scan->book.size()));
    r.save = [book = scan->book](const std::string& to) { return save_book(book, to); };
    return r;
}

Position book_position(const BookOptions& o) {
    const auto engine = take(make_engine());
    require(engine->set_position(o.position, o.moves));
    return take(parse_obf(engine->position_text()));
}

CommandFacet book_facet() {
    CommandFacet facet;
    facet.summary = "Othello's opening book";
    facet.examples = {"karikomi book othello show", "karikomi book othello check",
                      "karikomi book othello export"};
    facet.footer = R"(

What an action takes:
  build BOOK            makes a book or goes on with it: positions, then games
  extend BOOK           the next --positions (100) most promising positions, however deep
  show [BOOK]           the moves of a position (--moves, --position)
  merge BOOK OTHER...   deeper analyses win, games add up
  import BOOK FILE...   lines as export writes them, or games of any record format
  export [BOOK]         one line a position
  check [BOOK]          reads every byte; `karikomi repair` saves what is good of a damaged one
As in: karikomi book othello build my.book --depth 10 --plies 8 --max-loss 2)";
    facet.options = {text_option("--position", "P", "show: this position; build: begin there"),
                     text_option("--moves", "M", "moves to play from there"),
                     number_option("--contempt", 0, -6400, 6400,
                                   "show: what a draw is worth to Black, 1/100 disc"),
                     text_option("--out", "FILE", "export: write there (default: stdout)"),
                     text_option("--repair", "FILE", "check: write what is good to a new book")};
    for (OptionInfo& o : building_options()) facet.options.push_back(std::move(o));
    facet.run = run;
    return facet;
}

}  // namespace karikomi::othello
