#include "karikomi/games/othello/book_builder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <unordered_map>

#include <fmt/format.h>

#include "karikomi/games/othello/evaluator.hpp"

namespace karikomi::othello {

namespace {

constexpr double kSyncSeconds = 0.1;  ///< the disk is asked to keep what is new this often

double now_seconds() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

int discs(const Board& board) {
    return 64 - board.empties();
}

// ---- The frontier -------------------------------------------------------------------------------

/// Walks the book from the root on and collects where it ends.
class Frontier {
public:
    Frontier(const Book& book, const BookBuildOptions& o)
        : book_(book), o_(o), values_(book), first_(discs(o.root.board)) {}

    std::vector<BookCandidate> find() {
        reach(o_.root.board, 0);
        // Discs only get more: when a layer's turn comes, all ways into it are known.
        for (const auto& layer : layers_) {
            for (const std::size_t index : layer) leave(index);
        }
        std::vector<BookCandidate> out;
        out.reserve(found_.size());
        for (const auto& [board, candidate] : found_) out.push_back(candidate);
        std::sort(out.begin(), out.end(), [&](const BookCandidate& a, const BookCandidate& b) {
            const double pa = priority(a);
            const double pb = priority(b);
            if (pa != pb) return pa < pb;
            return a.board.own != b.board.own ? a.board.own < b.board.own
                                              : a.board.other < b.board.other;
        });
        return out;
    }

private:
    struct Hash {
        std::size_t operator()(const Board& board) const { return hash_key(board); }
    };

    double priority(const BookCandidate& c) const {
        return c.deviation / double{kDisc} + o_.ply_cost * c.ply;
    }
    bool wants_more(const BookEntry& e) const {
        if (!e.analysed()) return true;
        if (!o_.deepen) return false;
        if (o_.limits.level >= 0) return e.level < o_.limits.level;
        const auto shallow = [&](const BookLink& l) {
            return !l.solved && l.depth < o_.limits.depth;
        };
        return o_.limits.depth > 0 && shallow(e.links.front());
    }
    void add(const Board& board, int ply, Value deviation) {
        BookCandidate& c =
            found_.try_emplace(board, BookCandidate{board, ply, deviation}).first->second;
        c.deviation = std::min(c.deviation, deviation);
    }
    void reach(const Board& any_picture, Value deviation) {
        const Board board = canonical(any_picture).board;
        const int ply = discs(board) - first_;
        if (ply >= o_.plies || deviation > o_.max_loss * kDisc) return;
        const std::size_t index = book_.index_of_canonical(board);
        const bool known = index != Book::kNone && book_.entry(index).analysed();
        if (index == Book::kNone || wants_more(book_.entry(index))) add(board, ply, deviation);
        if (!known) return;
        const auto [at, fresh] = deviation_.try_emplace(index, deviation);
        if (fresh) layers_[static_cast<std::size_t>(ply)].push_back(index);
        at->second = std::min(at->second, deviation);
    }
    void leave(std::size_t index) {
        const BookEntry& entry = book_.entry(index);
        const Value best = values_.value(index);
        for (const Square square : distinct_moves(entry.board)) {
            const Value v = values_.move_value(entry, square);
            const BookStep step = book_step(entry.board, square);
            if (v == kNoValue || step.over) continue;
            reach(step.board, deviation_.at(index) + best - v);
        }
    }

    const Book& book_;
    const BookBuildOptions& o_;
    BookValues values_;
    int first_;
    std::array<std::vector<std::size_t>, 64> layers_;  ///< indices of the book, by ply
    std::unordered_map<std::size_t, Value> deviation_;
    std::unordered_map<Board, BookCandidate, Hash> found_;
};

BookLink to_link(const Line& line, Square square) {
    BookLink link;
    link.square = static_cast<std::uint8_t>(square);
    link.value = static_cast<std::int16_t>(std::clamp(line.value, -kMostDiscs, kMostDiscs));
    link.depth = static_cast<std::uint8_t>(std::clamp(line.depth, 0, 255));
    link.confidence = static_cast<std::uint8_t>(std::clamp(line.confidence, 0, 100));
    link.solved = line.solved;
    return link;
}

/// A new analysis of a position that the book has. Moves that only the weaker, earlier one valued
/// are dropped: the new search has seen them too and found `width` better ones.
BookEntry renewed(const BookEntry& old, const BookEntry& fresh) {
    BookEntry kept = old;
    std::erase_if(kept.links, [&](const BookLink& l) {
        return !fresh.links.empty() && !is_stronger(l, fresh.links.front());
    });
    return merged(fresh, kept);
}

std::uint64_t move_seed(std::uint64_t seed, std::uint64_t game, int ply) {
    return (seed * 0x9e3779b97f4a7c15ULL + game) * 64 + static_cast<std::uint64_t>(ply);
}

}  // namespace

std::vector<BookCandidate> book_candidates(const Book& book, const BookBuildOptions& o) {
    return Frontier(book, o).find();
}

// ---- Building -----------------------------------------------------------------------------------

bool BookBuilder::stopped() {
    if (stop_.stop_requested()) outcome_.stopped = true;
    return outcome_.stopped;
}

Expected<BookOutcome> BookBuilder::run() {
    started_ = synced_ = now_seconds();
    if (o_.root.board.must_pass()) {
        o_.root = Position{o_.root.board.passed(), opposite(o_.root.to_move)};
    }
    if (o_.root.board.over()) return outcome_;
    safe_positions_ = file_.book().size();
    if (const Status s = expand_all(); !s) return s.error();
    const BookEntry* root = file_.book().find(o_.root.board);
    const std::uint64_t played = root == nullptr ? 0 : root->results.games();
    for (std::uint64_t n = played; n < o_.games && !stopped(); ++n) {
        if (const Status s = play_game(n); !s) return s.error();
    }
    if (const Status s = settle("", true); !s) return s.error();
    if (file_.loose() > 0) {
        if (const Status s = file_.compact(); !s) return s.error();
    }
    outcome_.waiting = candidates().size();
    return outcome_;
}

/// Without what this run has analysed: a search that was told to go deeper may not have got there.
std::vector<BookCandidate> BookBuilder::candidates() const {
    auto all = book_candidates(file_.book(), o_);
    std::erase_if(all, [&](const BookCandidate& c) {
        return done_.contains({c.board.own, c.board.other});
    });
    return all;
}

/// The book's values change with every analysis, but to ask for the best candidate anew each time
/// would take longer than a quick search. A part of the size keeps both in proportion.
Status BookBuilder::expand_all() {
    for (;;) {
        const auto found = candidates();
        outcome_.waiting = found.size();
        if (found.empty()) return {};
        const std::size_t most = std::min(found.size(), 1 + file_.book().size() / 64);
        for (std::size_t i = 0; i < most; ++i) {
            if (stopped() || enough()) return {};
            const auto done = analyse(found[i].board);
            if (!done) return done.error();
            --outcome_.waiting;
        }
    }
}

Expected<Result> BookBuilder::search(const Position& position, SearchRequest request) {
    if (const Status s = engine_.set_position(format_obf(position)); !s) return s.error();
    // Without what earlier positions left in the tables, a value depends on its position alone.
    engine_.new_game();
    request.stop = stop_;
    auto result = search_ ? search_(engine_, request) : engine_.search(request);
    if (result) outcome_.nodes += result->nodes;
    return result;
}

/// Values the best moves of a position and puts it into the book. False: it was stopped.
Expected<bool> BookBuilder::analyse(const Board& board) {
    const Position position{board, Colour::Black};
    std::vector<std::string> left;
    for (const Square s : distinct_moves(board)) left.push_back(format_square(s));
    const std::size_t wanted = std::min(left.size(), static_cast<std::size_t>(o_.width));
    std::vector<BookLink> links;
    while (links.size() < wanted) {  // a solver may answer with one line at a time
        SearchRequest request;
        request.limits = o_.limits;
        request.limits.multi_pv = static_cast<int>(wanted - links.size());
        request.only_moves = left;
        const auto result = search(position, request);
        if (!result) return result.error();
        if (stopped()) return false;
        const std::size_t before = links.size();
        for (const Line& line : result->lines) {
            const bool valued = line.bound != Bound::None && !line.pv.empty();
            const auto square = valued ? parse_square(line.pv.front()) : Expected<Square>(kPass);
            const auto at =
                valued ? std::find(left.begin(), left.end(), line.pv.front()) : left.end();
            if (!square || at == left.end()) continue;
            left.erase(at);
            links.push_back(to_link(line, *square));
        }
        if (links.empty()) {
            return Error{fmt::format("the search of {} gave no value", format_obf(position)),
                         "allow more time or depth"};
        }
        if (links.size() == before) break;
    }
    BookEntry entry = canonical_entry(board, links);
    entry.level = o_.limits.level;
    if (const BookEntry* old = file_.book().find(board)) entry = renewed(*old, entry);
    ++outcome_.analysed;
    done_.insert({entry.board.own, entry.board.other});
    if (const Status s = save(entry, fmt::format("{} discs", discs(board))); !s) return s.error();
    return true;
}

// ---- Games --------------------------------------------------------------------------------------

struct BookBuilder::Played {
    Position position;
    int first = 0;  ///< discs of the root
    std::uint64_t number = 0;
    struct Stop {
        Board board;
        Colour to_move;
    };
    std::vector<Stop> stops;  ///< positions of the book that it came through
};

/// From the book with some randomness; where the book ends, what the search finds.
Expected<Square> BookBuilder::game_move(const Played& game, std::uint64_t seed) {
    const Book& book = file_.book();
    const int ply = discs(game.position.board) - game.first;
    const BookEntry* entry = book.find(game.position.board);
    if (ply < o_.plies && (entry == nullptr || !entry->analysed()) && !enough()) {
        const auto done = analyse(canonical(game.position.board).board);
        if (!done) return done.error();
    }
    const auto moves = book_moves(book, BookValues(book), game.position);
    if (const auto m = choose_move(moves, game.position.board, o_.randomness, seed)) {
        return m->square;
    }
    SearchRequest request;
    request.limits = o_.limits;
    const auto result = search(game.position, request);
    if (!result) return result.error();
    return parse_square(result->best_move);
}

Status BookBuilder::play_game(std::uint64_t number) {
    Played game;
    game.position = o_.root;
    game.first = discs(o_.root.board);
    game.number = number;
    while (!game.position.board.over()) {
        const Board board = game.position.board;
        const Colour mover = game.position.to_move;
        if (board.must_pass()) {
            game.position = Position{board.passed(), opposite(mover)};
            continue;
        }
        const auto square = game_move(game, move_seed(o_.seed, number, discs(board)));
        if (stopped()) return {};  // half a game has no result
        if (!square) return square.error();
        if (file_.book().find(board) != nullptr) game.stops.push_back({board, mover});
        game.position = Position{board.after(*square, board.flips(*square)), opposite(mover)};
    }
    const int score = final_score(game.position.board);
    const int black = game.position.to_move == Colour::Black ? score : -score;
    std::vector<BookEntry> entries;
    for (const auto& stop : game.stops) {
        BookEntry entry = *file_.book().find(stop.board);
        entry.results.add(stop.to_move == Colour::Black ? black : -black);
        entries.push_back(std::move(entry));
    }
    if (Status s = file_.put(entries); !s) return s;
    ++outcome_.games;
    return settle(fmt::format("game {}: {:+}", number + 1, black), false);
}

// ---- Saving -------------------------------------------------------------------------------------

Status BookBuilder::save(const BookEntry& entry, const std::string& now) {
    if (Status s = file_.put(std::span(&entry, 1)); !s) return s;
    return settle(now, false);
}

/// Now and then, and at the end, the disk is made to have it all; only then it is called saved.
Status BookBuilder::settle(const std::string& now, bool at_once) {
    const double time = now_seconds();
    const bool due = at_once || time - synced_ >= kSyncSeconds;
    if (due) {
        if (Status s = file_.sync(); !s) return s;
        synced_ = time;
        safe_positions_ = file_.book().size();
    }
    if (sink_) {
        sink_({safe_positions_, outcome_.analysed, outcome_.waiting, outcome_.games,
               time - started_, now, due});
    }
    return {};
}

}  // namespace karikomi::othello
