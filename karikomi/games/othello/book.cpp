#include "karikomi/games/othello/book.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "karikomi/base/random.hpp"
#include "karikomi/games/othello/evaluator.hpp"

namespace karikomi::othello {
namespace {

double unit_random(std::uint64_t x) {
    return static_cast<double>(mixed(x) >> 11) * 0x1.0p-53;
}

Value draw_value(bool for_mover, Value draw) {
    return for_mover ? draw : -draw;
}

}  // namespace

// ---- Entries ------------------------------------------------------------------------------------

bool is_stronger(const BookLink& a, const BookLink& b) {
    const auto strength = [](const BookLink& l) {
        const bool proven = l.solved && l.confidence == 100;
        return std::make_tuple(proven, l.solved, l.depth, l.confidence);
    };
    return strength(a) > strength(b);
}

void BookResults::add(int result) {
    ++(result > 0 ? wins : result < 0 ? losses : draws);
    discs += result;
}

void BookResults::add(const BookResults& more) {
    wins += more.wins;
    draws += more.draws;
    losses += more.losses;
    discs += more.discs;
}

BookStep book_step(const Board& board, Square square) {
    BookStep step;
    step.board = board.after(square, board.flips(square));
    if (step.board.moves() != 0) return step;
    if (step.board.replies() != 0) {
        step.board.pass();
        step.same_mover = true;
        return step;
    }
    step.over = true;
    step.score = -final_score(step.board);
    return step;
}

std::vector<Square> distinct_moves(const Board& board) {
    std::vector<Square> moves;
    std::vector<Board> seen;
    for (Bits m = board.moves(); m != 0; m &= m - 1) {
        const Square square = lowest(m);
        // Without the passes of book_step: the picture right after the move tells moves apart.
        const Board next = canonical(board.after(square, board.flips(square))).board;
        if (std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
        seen.push_back(next);
        moves.push_back(square);
    }
    return moves;
}

namespace {

/// The square that stands for all those that the symmetries of a canonical board make equal.
Square representative(const Board& board, Square square) {
    Square best = square;
    for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
        if (transform(board, symmetry) != board) continue;
        best = std::min(best, transform_square(square, symmetry));
    }
    return best;
}

void sort_links(std::vector<BookLink>& links) {
    std::sort(links.begin(), links.end(), [](const BookLink& a, const BookLink& b) {
        return a.value != b.value ? a.value > b.value : a.square < b.square;
    });
}

void add_link(std::vector<BookLink>& links, const BookLink& link) {
    const auto at = std::find_if(links.begin(), links.end(),
                                 [&](const BookLink& l) { return l.square == link.square; });
    if (at == links.end()) {
        links.push_back(link);
    } else if (is_stronger(link, *at)) {
        *at = link;
    }
}

}  // namespace

BookEntry canonical_entry(const Board& board, const std::vector<BookLink>& links) {
    const Canonical c = canonical(board);
    BookEntry entry;
    entry.board = c.board;
    for (BookLink link : links) {
        const Square there = transform_square(link.square, c.symmetry);
        link.square = static_cast<std::uint8_t>(representative(c.board, there));
        add_link(entry.links, link);
    }
    sort_links(entry.links);
    return entry;
}

BookEntry merged(const BookEntry& a, const BookEntry& b) {
    BookEntry out = a;
    for (const BookLink& link : b.links) add_link(out.links, link);
    sort_links(out.links);
    out.level = std::max(a.level, b.level);
    out.results.add(b.results);
    return out;
}

// ---- The book -----------------------------------------------------------------------------------

std::size_t Book::index_of_canonical(const Board& board) const {
    const auto at = places_.find(board);
    return at == places_.end() ? kNone : at->second;
}

const BookEntry* Book::find(const Board& board) const {
    const std::size_t index = index_of(board);
    return index == kNone ? nullptr : &entries_[index];
}

void Book::put(BookEntry entry) {
    const auto place = static_cast<std::uint32_t>(entries_.size());
    const auto [at, fresh] = places_.try_emplace(entry.board, place);
    if (fresh) {
        entries_.push_back(std::move(entry));
    } else {
        entries_[at->second] = std::move(entry);
    }
}

void Book::add_note(const std::string& note) {
    std::erase(notes_, note);
    notes_.push_back(note);
    if (notes_.size() > kMostNotes) notes_.erase(notes_.begin());
}

// ---- Minimax ------------------------------------------------------------------------------------

BookValues::BookValues(const Book& book, Value draw) : book_(&book), draw_(draw) {
    std::vector<std::uint32_t> order(book.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto discs = [&](std::uint32_t i) { return 64 - book.entry(i).board.empties(); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return discs(a) != discs(b) ? discs(a) > discs(b) : a < b;
    });
    for (auto& side : values_) side.assign(book.size(), kNoValue);
    for (const std::uint32_t i : order) {
        const BookEntry& entry = book.entry(i);
        if (!entry.analysed()) continue;
        for (Bits m = entry.board.moves(); m != 0; m &= m - 1) {
            values_[0][i] = std::max(values_[0][i], move_value(entry, lowest(m), true));
            if (draw_ == 0) continue;
            values_[1][i] = std::max(values_[1][i], move_value(entry, lowest(m), false));
        }
        if (draw_ == 0) values_[1][i] = values_[0][i];
    }
}

Value BookValues::move_value(const BookEntry& entry, Square square, bool for_mover) const {
    const BookStep step = book_step(entry.board, square);
    if (step.over) return step.score == 0 ? draw_value(for_mover, draw_) : step.score * kDisc;
    if (const std::size_t next = book_->index_of(step.board); next != Book::kNone) {
        const Value v = value(next, step.same_mover == for_mover);
        if (v != kNoValue) return step.same_mover ? v : -v;
    }
    const Square known = representative(entry.board, square);
    for (const BookLink& link : entry.links) {
        if (link.square != known) continue;
        const bool proven_draw = link.value == 0 && link.solved && link.confidence == 100;
        return proven_draw ? draw_value(for_mover, draw_) : Value{link.value};
    }
    return kNoValue;
}

// ---- Moves --------------------------------------------------------------------------------------

std::vector<BookMove> book_moves(const Book& book, const BookValues& values,
                                 const Position& position) {
    const Canonical c = canonical(position.board);
    const std::size_t index = book.index_of_canonical(c.board);
    if (index == Book::kNone) return {};
    const BookEntry& entry = book.entry(index);
    const bool for_mover = position.to_move == Colour::Black;  // contempt is Black's
    std::vector<BookMove> moves;
    for (const Square square : distinct_moves(position.board)) {
        const Square there = transform_square(square, c.symmetry);
        BookMove move;
        move.square = square;
        move.value = values.move_value(entry, there, for_mover);
        const BookStep step = book_step(c.board, there);
        if (const BookEntry* next = step.over ? nullptr : book.find(step.board)) {
            move.in_book = next->analysed();
            move.results = step.same_mover ? next->results : next->results.turned();
        }
        const Square known = representative(c.board, there);
        for (const BookLink& link : entry.links) {
            if (link.square != known) continue;
            move.searched = link.value;
            move.depth = link.depth;
            move.confidence = link.confidence;
            move.solved = link.solved;
        }
        if (move.value != kNoValue) moves.push_back(move);
    }
    std::sort(moves.begin(), moves.end(), [](const BookMove& a, const BookMove& b) {
        return a.value != b.value ? a.value > b.value : a.square < b.square;
    });
    return moves;
}

std::optional<BookMove> choose_move(std::span<const BookMove> moves, const Board& board,
                                    double randomness, std::uint64_t seed) {
    if (moves.empty()) return std::nullopt;
    if (randomness <= 0) return moves.front();
    const std::uint64_t random = mixed(seed) ^ hash_key(canonical(board).board);
    std::vector<double> weights;
    for (const BookMove& m : moves) {
        const double loss = static_cast<double>(moves.front().value - m.value) / kDisc;
        weights.push_back(loss <= randomness ? std::exp(-2.0 * loss / randomness) : 0.0);
    }
    double at = unit_random(random) * std::accumulate(weights.begin(), weights.end(), 0.0);
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < moves.size() && at >= 0; ++i) {
        if (weights[i] > 0) chosen = i;
        at -= weights[i];
    }
    BookMove move = moves[chosen];
    // Any of the equal pictures of the position will do: so not every game begins with d3.
    std::vector<int> symmetries;
    for (int s = 0; s < kSymmetries; ++s) {
        if (transform(board, s) == board) symmetries.push_back(s);
    }
    move.square = transform_square(move.square, symmetries[mixed(random + 1) % symmetries.size()]);
    return move;
}

BookPlayer::BookPlayer(std::shared_ptr<const Book> book, int contempt)
    : book_(std::move(book)), contempt_(contempt), values_(*book_, contempt) {}

void BookPlayer::set_contempt(int contempt) {
    if (contempt == contempt_) return;
    *this = BookPlayer(book_, contempt);
}

std::vector<BookMove> BookPlayer::moves(const Position& position) const {
    return book_moves(*book_, values_, position);
}

std::optional<BookMove> BookPlayer::choose(const Position& position, double randomness,
                                           std::uint64_t seed) const {
    return choose_move(moves(position), position.board, randomness, seed);
}

std::vector<Square> BookPlayer::line(Position position, std::size_t most) const {
    std::vector<Square> squares;
    while (squares.size() < most) {
        Square square = kPass;
        if (!position.board.must_pass()) {
            const auto move = choose(position);
            if (!move) break;
            square = move->square;
        }
        const Board next = square == kPass
                               ? position.board.passed()
                               : position.board.after(square, position.board.flips(square));
        position = Position{next, opposite(position.to_move)};
        squares.push_back(square);
    }
    return squares;
}

}  // namespace karikomi::othello
