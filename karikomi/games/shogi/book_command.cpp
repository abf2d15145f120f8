/// karikomi book shogi: a book built from our own searches and games, and from records; shown,
/// merged, checked. The file is the common text form all the time, so that any program can read it
/// while it grows: a new position is appended, and the end of a run sorts the whole.
#include <algorithm>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/files.hpp"
#include "karikomi/base/hash.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/games/shogi/book_builder.hpp"
#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/game.hpp"
#include "karikomi/version.hpp"

namespace karikomi::shogi {
namespace {

namespace fs = std::filesystem;

constexpr int kDefaultPlies = 16;
constexpr int kDefaultDepth = 10;
constexpr int kImportPlies = 40;  // of a game
constexpr int kGamePlies = 320;   // then a game of our own is a draw
constexpr std::uint64_t kGameNodes = 2000;
constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;
constexpr double kMostPawns = 128;
constexpr std::string_view kGamesNote = "games of its own: ";

Value units(double pawns) {
    return static_cast<Value>(std::lround(pawns * kPawnValue));
}

fs::path book_of(const CommandCall& call) {
    if (call.words.size() < 2) {
        throw Failure({fmt::format("book: {}: which book?", call.words.front()),
                       "karikomi book shogi build my.db"});
    }
    return call.words[1];
}

void save(const BookDraft& draft, const fs::path& file) {
    if (write_file(file, draft.text())) return;
    throw Failure(
        {fmt::format("'{}' cannot be written", file.string()), "check the folder and the disk"},
        kBroken);
}

Diagram start_of(const CommandCall& call) {
    const std::string text = call.options.text("--position");
    auto pos = take(Notation::parse(text));
    for (const std::string& word : Notation::split_moves(call.options.text("--moves"))) {
        const Move m = take(Notation::parse_move(pos, word));
        Position::Undo undo;
        pos.make(m, undo);
    }
    return {pos.board(), pos.move_number()};
}

// ---- import -------------------------------------------------------------------------------------

struct Imported {
    std::size_t games = 0;
    std::size_t skipped_files = 0;
    std::size_t errors = 0;
};

/// A file that is already in the book is left out: the same command can be given again.
void import_file(const std::string& file, int plies, BookDraft& draft, Imported& done) {
    const std::string bytes = take(read_bytes(file));
    const std::string note =
        fmt::format("counted: {} {}", fs::path(file).filename().string(), Fnv().add(bytes).text());
    if (!draft.notes.insert(note).second) {
        ++done.skipped_files;
        return;
    }
    const auto records = take(records_facet().load(file, ""));
    done.errors += records->error_count();
    for (std::size_t i = 0; i < records->size(); ++i) {
        const PlayedGame game = records->game(i);
        const auto start =
            take(parse_sfen(game.start.empty() ? std::string(kStartSfen) : game.start));
        std::vector<Move> moves;
        for (const PlayedMove& m : game.moves) moves.push_back(take(parse_usi(m.move)));
        draft.count_game(start, moves, game.winner, plies);
        ++done.games;
    }
}

Imported import_files(const CommandCall& call, BookDraft& draft) {
    const auto asked = call.options.integer("--plies");
    Imported done;
    for (std::size_t i = 2; i < call.words.size(); ++i) {
        import_file(call.words[i], asked > 0 ? asked : kImportPlies, draft, done);
    }
    return done;
}

int import_records(const CommandCall& call) {
    const fs::path file = book_of(call);
    if (call.words.size() < 3) {
        throw Failure({"import: name at least one file of games",
                       "karikomi book shogi import my.db games.csa"});
    }
    call.console.begin(nullptr);
    BookDraft draft = take(BookDraft::load(file));
    const std::size_t before = draft.size();
    const Imported done = import_files(call, draft);
    save(draft, file);
    if (!call.console.json()) {
        call.console.print(fmt::format("{}: {} positions, {} of them new; {} games counted\n",
                                       file.string(), grouped(draft.size()),
                                       grouped(draft.size() - before), grouped(done.games)));
        if (done.skipped_files > 0) {
            call.console.print(
                fmt::format("{} left out: counted before\n",
                            counted(static_cast<std::int64_t>(done.skipped_files), "file")));
        }
    }
    call.console.finish({{"book", file.string()},
                         {"positions", draft.size()},
                         {"new", draft.size() - before},
                         {"games", done.games},
                         {"skipped_files", done.skipped_files},
                         {"errors", done.errors}});
    return done.errors == 0 ? kDone : kNo;
}

// ---- build --------------------------------------------------------------------------------------

class Builder {
public:
    explicit Builder(const CommandCall& call)
        : call_(call), file_(book_of(call)), draft_(take(BookDraft::load(file_))) {
        const OptionValues& o = call.options;
        growth_.start = start_of(call);
        growth_.plies = o.integer("--plies") > 0 ? o.integer("--plies") : kDefaultPlies;
        growth_.max_loss = units(o.real("--max-loss"));
        how_.width = o.integer("--width");
        how_.limits.depth = static_cast<Depth>(o.number("--depth"));
        how_.limits.nodes = static_cast<std::uint64_t>(o.number("--nodes"));
        how_.limits.move_time_ms = o.number("--time-ms");
        const Limits& l = how_.limits;
        if (l.depth == 0 && l.nodes == 0 && l.move_time_ms == 0) how_.limits.depth = kDefaultDepth;
    }

    int run() {
        const auto engine = call_.make_engine();
        call_.console.begin(fingerprint(engine->params(), engine->info()));
        const Imported imported = import_files(call_, draft_);
        note_provenance(*engine);
        save(draft_, file_);
        analyse_all(*engine);
        if (!call_.console.stop().stop_requested()) play_games(*engine);
        draft_.back_up();
        save(draft_, file_);
        call_.console.end_progress();
        const bool whole = !call_.console.stop().stop_requested();
        if (!call_.console.json()) {
            call_.console.print(fmt::format("{}: {} positions, {} analysed now, {} played{}\n",
                                            file_.string(), grouped(draft_.size()),
                                            grouped(analysed_),
                                            counted(static_cast<std::int64_t>(played_), "game"),
                                            whole ? "" : "; stopped, the same command goes on"));
        }
        call_.console.finish({{"book", file_.string()},
                              {"positions", draft_.size()},
                              {"analysed", analysed_},
                              {"imported", imported.games},
                              {"games", played_},
                              {"complete", whole}});
        return whole ? kDone : kNo;
    }

private:
    void note_provenance(const Engine& engine) {
        const Limits& l = how_.limits;
        draft_.notes.insert(
            fmt::format("karikomi {} (commit {}), {}, parameters {}; depth {}, nodes {}, {} ms; "
                        "plies {}, loss {}, width {}",
                        kVersion, kCommit, engine.info().evaluation,
                        fingerprint(engine.params(), engine.info()), l.depth, l.nodes,
                        l.move_time_ms, growth_.plies, growth_.max_loss, how_.width));
    }
    /// Appended at once: a killed run loses the position it was at, and no other.
    void analyse_all(Engine& engine) {
        const auto most = static_cast<std::size_t>(call_.options.number("--positions"));
        const StopToken stop = call_.console.stop();
        std::ofstream out(file_, std::ios::app | std::ios::binary);
        while (!stop.stop_requested() && (most == 0 || draft_.size() < most)) {
            draft_.back_up();
            // A few at a time: what the last one says may change which is next.
            std::size_t batch = 1 + draft_.size() / 50;
            if (most > 0) batch = std::min(batch, most - draft_.size());
            const auto next = frontier(draft_, growth_, batch);
            if (next.empty()) return;
            for (const Diagram& d : next) {
                const auto total = static_cast<double>(most > 0 ? most : draft_.size() + batch);
                call_.console.progress("book", static_cast<double>(draft_.size()), total,
                                       book_text(d.board));
                auto moves = take(analyse(engine, d, how_, draft_.moves(d.board), stop));
                if (stop.stop_requested()) return;
                draft_.put(d.board, d.move_number, moves);
                out << BookDraft::text_of({d.board, d.move_number, draft_.moves(d.board)});
                out.flush();
                ++analysed_;
                call_.console.stream({{"event", "saved"}, {"positions", draft_.size()}});
            }
        }
    }

    std::size_t games_so_far() const {
        std::size_t most = 0;
        for (const std::string& note : draft_.notes) {
            if (!note.starts_with(kGamesNote)) continue;
            most = std::max<std::size_t>(most, std::stoull(note.substr(kGamesNote.size())));
        }
        return most;
    }
    /// The book's own lines played out: moves of sides that did not lose are played more often.
    void play_games(Engine& engine) {
        const auto wanted = static_cast<std::size_t>(call_.options.number("--games"));
        const StopToken stop = call_.console.stop();
        for (std::size_t n = games_so_far(); n < wanted && !stop.stop_requested(); ++n) {
            call_.console.progress("games", static_cast<double>(n), static_cast<double>(wanted),
                                   "");
            play_game(engine, n, stop);
            if (stop.stop_requested()) return;
            std::erase_if(draft_.notes,
                          [](const std::string& s) { return s.starts_with(kGamesNote); });
            draft_.notes.insert(fmt::format("{}{}", kGamesNote, n + 1));
            ++played_;
            save(draft_, file_);
        }
    }
    void play_game(Engine& engine, std::size_t number, const StopToken& stop) {
        const auto seed = static_cast<std::uint64_t>(call_.options.number("--seed"));
        std::mt19937_64 random(seed * 1'000'003 + number);
        engine.new_game();
        require(engine.set_position(format_sfen(growth_.start.board, growth_.start.move_number)));
        std::vector<Move> moves;
        Board board = growth_.start.board;
        int in_book = 0;
        while (!engine.winner() && moves.size() < kGamePlies) {
            const auto m = next_move(engine, board, random, in_book, stop);
            if (!m || m->is_declaration() || stop.stop_requested()) break;
            require(engine.play(format_usi(*m)));
            BoardUndo undo;
            board.do_move(*m, undo);
            moves.push_back(*m);
        }
        if (stop.stop_requested()) return;
        draft_.count_game(growth_.start, moves, engine.winner().value_or(Winner::Nobody), in_book);
    }
    std::optional<Move> next_move(Engine& engine, const Board& board, std::mt19937_64& random,
                                  int& in_book, const StopToken& stop) const {
        auto moves = draft_.moves(board);
        std::erase_if(moves, [](const BookMove& m) { return m.depth == 0; });
        if (!moves.empty()) {
            const Value margin = units(call_.options.real("--randomness"));
            const Value best = moves.front().value;
            std::erase_if(moves, [&](const BookMove& m) { return m.value < best - margin; });
            ++in_book;
            return moves[random() % moves.size()].move;
        }
        SearchRequest request;
        request.limits.nodes = kGameNodes;
        request.stop = stop;
        const auto r = engine.search(request);
        if (!r || r->best_move.empty()) return std::nullopt;
        const auto m = parse_usi(r->best_move);
        return m ? std::optional(*m) : std::nullopt;
    }

    const CommandCall& call_;
    fs::path file_;
    BookDraft draft_;
    Growth growth_;
    Analysis how_;
    std::size_t analysed_ = 0;
    std::size_t played_ = 0;
};

// ---- merge, show, check -------------------------------------------------------------------------

int merge(const CommandCall& call) {
    const fs::path file = book_of(call);
    if (call.words.size() < 3) {
        throw Failure({"merge: name the book and at least one other",
                       "karikomi book shogi merge my.db other.db"});
    }
    call.console.begin(nullptr);
    BookDraft all = take(BookDraft::load(file));
    const std::size_t before = all.size();
    for (std::size_t i = 2; i < call.words.size(); ++i) {
        std::error_code trouble;
        if (!fs::exists(call.words[i], trouble)) {
            throw Failure({fmt::format("{}: cannot be read", call.words[i]), "check the path"});
        }
        if (fs::equivalent(call.words[i], file, trouble)) {
            throw Failure({fmt::format("merge: {} is the book itself", call.words[i]),
                           "its games would count twice"});
        }
        all.merge(take(BookDraft::load(call.words[i])));
    }
    save(all, file);
    if (!call.console.json()) {
        call.console.print(fmt::format("{}: {} positions, {} of them new\n", file.string(),
                                       grouped(all.size()), grouped(all.size() - before)));
    }
    call.console.finish(
        {{"book", file.string()}, {"positions", all.size()}, {"new", all.size() - before}});
    return kDone;
}

int show(const CommandCall& call) {
    call.console.begin(nullptr);
    const Diagram d = start_of(call);
    const bool own = call.words.size() < 2;
    const auto book =
        own ? built_in_book() : std::make_shared<const Book>(take(Book::load(call.words[1])));
    const auto moves = book->moves_either_way(d.board);
    Json rows = Json::array();
    karikomi::Table table({{"move", false}, {"answer", false}, {"value"}, {"depth"}, {"played"}});
    for (const BookMove& m : moves) {
        const std::string answer = m.answer.raw() == kNoMove ? "" : format_usi(m.answer);
        rows.push_back({{"move", format_usi(m.move)},
                        {"answer", answer},
                        {"value", m.value},
                        {"depth", m.depth},
                        {"count", m.count}});
        table.add({format_usi(m.move), answer, std::to_string(m.value), std::to_string(m.depth),
                   std::to_string(m.count)});
    }
    if (!call.console.json()) {
        call.console.print(draw_board(d.board) + "\n");
        call.console.print(moves.empty() ? fmt::format("The book has no move here ({} positions)\n",
                                                       grouped(book->size()))
                                         : table.text());
    }
    call.console.finish({{"book", own ? "(built in)" : call.words[1]},
                         {"positions", book->size()},
                         {"position", format_sfen(d.board, d.move_number)},
                         {"moves", rows}});
    return moves.empty() ? kNo : kDone;
}

int check(const CommandCall& call) {
    const fs::path file = book_of(call);
    call.console.begin(nullptr);
    const Book whole = take(Book::load(file));
    const BookDraft draft = take(BookDraft::load(file));
    const bool sorted = static_cast<bool>(Book::open(file));
    std::size_t moves = 0;
    std::size_t searched = 0;
    for (const auto& [key, entry] : draft.entries()) {
        moves += entry.moves.size();
        searched += std::any_of(entry.moves.begin(), entry.moves.end(),
                                [](const BookMove& m) { return m.depth > 0; })
                        ? 1
                        : 0;
    }
    if (!call.console.json()) {
        call.console.print(fmt::format(
            "{}: {} positions ({} searched, {} from games only), {} moves, {}\n", file.string(),
            grouped(draft.size()), grouped(searched), grouped(draft.size() - searched),
            grouped(moves), sorted ? "sorted" : "not sorted: merge it into a new one"));
        for (const std::string& note : draft.notes) call.console.print("note: " + note + "\n");
    }
    call.console.finish({{"book", file.string()},
                         {"positions", draft.size()},
                         {"positions_in_file", whole.size()},
                         {"searched", searched},
                         {"moves", moves},
                         {"sorted", sorted},
                         {"notes", draft.notes}});
    return sorted ? kDone : kNo;
}

int run(const CommandCall& call) {
    if (call.words.empty())
        throw Failure({"book: what is to be done?", "see `karikomi book --help`"});
    const std::string& action = call.words.front();
    if (action == "build") return Builder(call).run();
    if (action == "import") return import_records(call);
    if (action == "merge") return merge(call);
    if (action == "show") return show(call);
    if (action == "check") return check(call);
    const std::vector<std::string> known = {"build", "import", "merge", "show", "check"};
    const std::string near = nearest_name(action, known);
    throw Failure({fmt::format("book: '{}' is unknown for shogi", action),
                   near.empty() ? fmt::format("use one of {}", fmt::join(known, ", "))
                                : fmt::format("did you mean '{}'?", near)});
}

}  // namespace

CommandFacet book_facet() {
    CommandFacet facet;
    facet.summary = "shogi's opening books (.db)";
    facet.examples = {"karikomi book shogi show --moves '7g7f'"};
    facet.footer = R"(

Shogi (--max-loss, 1.5, and --randomness, 0.3, are pawns; --positions counts the whole book):
  build BOOK [GAMES...]  counts the games, analyses the most promising positions, plays --games
  import BOOK GAMES...   counts the moves of games (KIF, CSA, USI) that did not lose
  merge BOOK OTHER...    deeper searches win, counts add up; the result is sorted
  show [BOOK]            the moves of a position (--moves, --position)
  check BOOK             reads all of it
As in: karikomi book shogi build my.db --nodes 100000 --plies 16 --max-loss 1 --positions 500)";
    facet.options = {
        text_option("--position", "P", "show: this position; build: begin there"),
        text_option("--moves", "M", "moves to play from there"),
        number_option("--plies", 0, 1, 60, "this many plies (build 16, import 40)"),
        real_option("--max-loss", 1.5, 0, kMostPawns, "PAWNS",
                    "what both sides together may give away"),
        number_option("--width", 4, 1, 32, "moves of a position that get a value"),
        number_option("--depth", 0, 1, kMaxDepth, "analyse to this depth (default: 10)"),
        number_option("--time-ms", 0, 1, kWeekMs, "analyse for this time a position"),
        number_option("--nodes", 0, 1, 1'000'000'000'000,
                      "analyse with this many nodes a position"),
        number_option("--positions", 0, 1, 1'000'000'000, "stop when there are so many positions"),
        number_option("--games", 0, 0, 1'000'000'000, "then play until there are this many games"),
        real_option("--randomness", 0.3, 0, kMostPawns, "PAWNS",
                    "how far games stray from the best move"),
        number_option("--seed", 1, 0, 1'000'000'000'000, "seed of the games")};
    facet.run = run;
    return facet;
}

}  // namespace karikomi::shogi
