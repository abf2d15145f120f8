#include "karikomi/games/shogi/book_builder.hpp"

#include <algorithm>
#include <queue>
#include <sstream>

#include <fmt/format.h>

#include "karikomi/base/files.hpp"

namespace karikomi::shogi {
namespace {

constexpr int kMostRounds = 200;  // of backing up: longer lines than any book has

void turn(std::vector<BookMove>& moves) {
    for (BookMove& m : moves) {
        m.move = flipped(m.move);
        m.answer = flipped(m.answer);
    }
}

Value best_value(const std::vector<BookMove>& moves) {
    Value best = -kInfinity;
    for (const BookMove& m : moves) {
        if (m.depth > 0) best = std::max(best, m.value);
    }
    return best;
}

Board after(const Board& b, Move m) {
    Board next = b;
    BoardUndo undo;
    next.do_move(m, undo);
    return next;
}

/// The best first; what was never searched last.
void sort_moves(std::vector<BookMove>& moves) {
    std::sort(moves.begin(), moves.end(), [](const BookMove& a, const BookMove& b) {
        if ((a.depth > 0) != (b.depth > 0)) return a.depth > 0;
        if (a.depth > 0 && a.value != b.value) return a.value > b.value;
        return a.count != b.count ? a.count > b.count : a.move.raw() < b.move.raw();
    });
}

}  // namespace

// ---- The file -----------------------------------------------------------------------------------

Expected<BookDraft> BookDraft::load(const std::filesystem::path& file) {
    BookDraft draft;
    std::error_code trouble;
    if (!std::filesystem::exists(file, trouble)) return draft;
    auto bytes = read_file(file);
    if (!bytes) return Error{fmt::format("{}: cannot be read", file.string()), "check the path"};
    const bool torn = !bytes->empty() && bytes->back() != '\n';
    if (const auto at = bytes->rfind("sfen "); torn && at != std::string::npos) bytes->resize(at);
    std::istringstream in(*bytes);
    Entry entry;
    bool open = false;
    const auto close = [&] {
        if (open && !entry.moves.empty()) draft.put(entry.board, entry.ply, entry.moves);
    };
    long number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line == kBookHead || line.starts_with("//")) continue;
        if (line.starts_with('#')) {
            draft.notes.insert(line.substr(std::min(line.find_first_not_of("# "), line.size())));
        } else if (line.starts_with("sfen ")) {
            close();
            const auto diagram = parse_sfen(std::string_view(line).substr(5));
            if (!diagram) {
                return Error{
                    fmt::format("{}, line {}: {}", file.string(), number, diagram.error().what),
                    "give a book in YaneuraOu's text form"};
            }
            entry = {diagram->board, diagram->move_number, {}};
            open = true;
        } else if (const auto m = parse_book_move(line)) {
            if (open && entry.board.is_legal(m->move)) entry.moves.push_back(*m);
        }
    }
    close();
    return draft;
}

std::string BookDraft::text_of(const Entry& entry) {
    std::string text = fmt::format("sfen {} {}\n", book_text(entry.board), entry.ply);
    for (const BookMove& m : entry.moves) text += format_book_move(m) + '\n';
    return text;
}

std::string BookDraft::text() const {
    std::string text = fmt::format("{}\n", kBookHead);
    for (const std::string& note : notes) text += fmt::format("# {}\n", note);
    for (const auto& [key, entry] : entries_) text += text_of(entry);
    return text;
}

// ---- Positions ----------------------------------------------------------------------------------

BookDraft::Entry* BookDraft::find(const Board& b, bool& turned) {
    turned = false;
    auto at = entries_.find(book_text(b));
    if (at == entries_.end()) {
        at = entries_.find(book_text(flipped(b)));
        turned = at != entries_.end();
    }
    return at == entries_.end() ? nullptr : &at->second;
}

std::vector<BookMove> BookDraft::moves(const Board& b) const {
    if (const auto at = entries_.find(book_text(b)); at != entries_.end()) return at->second.moves;
    const auto at = entries_.find(book_text(flipped(b)));
    if (at == entries_.end()) return {};
    std::vector<BookMove> out = at->second.moves;
    turn(out);
    return out;
}

void BookDraft::put(const Board& b, int ply, std::vector<BookMove> moves) {
    sort_moves(moves);
    bool turned = false;
    if (Entry* there = find(b, turned)) {
        if (turned) turn(moves);
        there->moves = std::move(moves);
        return;
    }
    entries_[book_text(b)] = {b, ply, std::move(moves)};
}

void BookDraft::merge(const BookDraft& other) {
    for (const auto& [key, entry] : other.entries_) {
        std::vector<BookMove> all = moves(entry.board);
        for (const BookMove& theirs : entry.moves) {
            const auto ours = std::find_if(
                all.begin(), all.end(), [&](const BookMove& m) { return m.move == theirs.move; });
            if (ours == all.end()) {
                all.push_back(theirs);
                continue;
            }
            const long count = ours->count + theirs.count;
            if (theirs.depth > ours->depth) *ours = theirs;
            ours->count = count;
        }
        put(entry.board, entry.ply, std::move(all));
    }
    notes.insert(other.notes.begin(), other.notes.end());
}

void BookDraft::count_game(const Diagram& start, const std::vector<Move>& moves,
                           std::optional<Winner> winner, int plies) {
    Board b = start.board;
    for (std::size_t i = 0; i < moves.size() && static_cast<int>(i) < plies; ++i) {
        if (!b.is_legal(moves[i])) return;
        const Winner mover = b.side() == kBlack ? Winner::First : Winner::Second;
        const bool lost = winner && *winner != Winner::Nobody && *winner != mover;
        if (!lost) {
            std::vector<BookMove> all = this->moves(b);
            auto at = std::find_if(all.begin(), all.end(),
                                   [&](const BookMove& m) { return m.move == moves[i]; });
            if (at == all.end()) {
                BookMove fresh;
                fresh.move = moves[i];
                fresh.count = 0;
                at = all.insert(all.end(), fresh);
            }
            ++at->count;
            put(b, start.move_number + static_cast<int>(i), std::move(all));
        }
        b = after(b, moves[i]);
    }
}

void BookDraft::back_up() {
    for (int round = 0; round < kMostRounds; ++round) {
        bool changed = false;
        for (auto& [key, entry] : entries_) {
            for (BookMove& m : entry.moves) {
                const auto answers = moves(after(entry.board, m.move));
                const Value best = best_value(answers);
                if (best == -kInfinity || m.depth == 0) continue;
                const auto reply =
                    std::find_if(answers.begin(), answers.end(),
                                 [&](const BookMove& a) { return a.depth > 0 && a.value == best; });
                if (m.value == -best) continue;
                m.value = -best;
                m.answer = reply->move;
                changed = true;
            }
            sort_moves(entry.moves);
        }
        if (!changed) return;
    }
}

// ---- Growth -------------------------------------------------------------------------------------

std::vector<Diagram> frontier(const BookDraft& book, const Growth& growth, std::size_t most) {
    struct Place {
        Value cost;
        int plies;
        Board board;
        bool operator<(const Place& o) const {  // the cheapest on top, then the nearest
            return cost != o.cost ? cost > o.cost : plies > o.plies;
        }
    };
    std::vector<Diagram> out;
    std::priority_queue<Place> open;
    std::set<std::string> seen;
    open.push({0, 0, growth.start.board});
    while (!open.empty() && out.size() < most) {
        const Place here = open.top();
        open.pop();
        if (!seen.insert(book_text(here.board)).second) continue;
        const auto moves = book.moves(here.board);
        const Value best = best_value(moves);
        if (best == -kInfinity) {
            if (here.board.has_legal_move())
                out.push_back({here.board, growth.start.move_number + here.plies});
            continue;
        }
        if (here.plies + 1 >= growth.plies) continue;
        for (const BookMove& m : moves) {
            if (m.depth == 0 || is_decisive(m.value)) continue;
            const Value cost = here.cost + best - m.value + growth.step_cost;
            if (cost - growth.step_cost * (here.plies + 1) > growth.max_loss) continue;
            open.push({cost, here.plies + 1, after(here.board, m.move)});
        }
    }
    return out;
}

Expected<std::vector<BookMove>> analyse(Engine& engine, const Diagram& position,
                                        const Analysis& how, const std::vector<BookMove>& known,
                                        const StopToken& stop) {
    engine.new_game();
    if (const Status s = engine.set_position(format_sfen(position.board, position.move_number));
        !s) {
        return s.error();
    }
    std::vector<BookMove> out;
    const auto search = [&](const std::vector<std::string>& only, int width) -> Status {
        SearchRequest request;
        request.limits = how.limits;
        request.limits.multi_pv = width;
        request.only_moves = only;
        request.stop = stop;
        const auto r = engine.search(request);
        if (!r) return r.error();
        for (const Line& line : r->lines) {
            if (line.pv.empty() || line.bound == Bound::None) continue;
            BookMove m;
            m.move = *parse_usi(line.pv.front());
            if (line.pv.size() > 1) m.answer = *parse_usi(line.pv[1]);
            m.value = line.value;
            m.depth = std::max(line.depth, 1);
            m.count = 1;
            if (!m.move.is_declaration()) out.push_back(m);
        }
        return {};
    };
    if (const Status s = search({}, how.width); !s) return s.error();
    std::vector<std::string> rest;
    for (const BookMove& k : known) {
        const auto at = std::find_if(out.begin(), out.end(),
                                     [&](const BookMove& m) { return m.move == k.move; });
        if (at == out.end()) rest.push_back(format_usi(k.move));
    }
    if (!rest.empty()) {
        if (const Status s = search(rest, static_cast<int>(rest.size())); !s) return s.error();
    }
    for (BookMove& m : out) {
        const auto k = std::find_if(known.begin(), known.end(),
                                    [&](const BookMove& o) { return o.move == m.move; });
        if (k != known.end()) m.count = std::max(k->count, 1L);
    }
    return out;
}

}  // namespace karikomi::shogi
