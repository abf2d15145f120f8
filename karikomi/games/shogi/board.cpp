#include "karikomi/games/shogi/board.hpp"

#include <fmt/format.h>

#include "karikomi/base/random.hpp"
#include "karikomi/games/shogi/movegen.hpp"
#include "karikomi/games/shogi/notation.hpp"

namespace karikomi::shogi {
namespace {

/// Random numbers of a fixed seed: keys are the same in every build.
struct Zobrist {
    Table<Table<Key, kSquares>, kPieces> board{};
    Table<Table<Key, 8>, 2> hand{};  ///< added once for every piece in hand
    Key side = 0;

    constexpr Zobrist() {
        Random random(0x6b6172696b6f6d69ULL);
        for (auto& piece : board.items) {
            for (Key& k : piece.items) k = random.next();
        }
        for (auto& colour : hand.items) {
            for (Key& k : colour.items) k = random.next();
        }
        side = random.next();
    }
};
constexpr Zobrist kZobrist;

}  // namespace

// ---- Attacks ------------------------------------------------------------------------------------
Bitboard Board::attackers_of(Square s, Bitboard occupied) const {
    const Bitboard golds = by_type_[kGold] | by_type_[kProPawn] | by_type_[kProLance] |
                           by_type_[kProKnight] | by_type_[kProSilver];
    // A piece of one colour attacks s from where the other colour's piece on s would attack it.
    const auto of_colour = [&](Colour c) {
        const auto from = [&](PieceType t) { return step_attacks(make_piece(opposite(c), t), s); };
        const Bitboard lance =
            c == kBlack ? lance_attacks<kWhite>(s, occupied) : lance_attacks<kBlack>(s, occupied);
        return by_colour_[c] & ((from(kPawn) & by_type_[kPawn]) | (lance & by_type_[kLance]) |
                                (from(kKnight) & by_type_[kKnight]) |
                                (from(kSilver) & by_type_[kSilver]) | (from(kGold) & golds));
    };
    const Bitboard around = by_type_[kKing] | by_type_[kHorse] | by_type_[kDragon];
    return of_colour(kBlack) | of_colour(kWhite) | (king_attacks(s) & around) |
           (bishop_attacks(s, occupied) & (by_type_[kBishop] | by_type_[kHorse])) |
           (rook_attacks(s, occupied) & (by_type_[kRook] | by_type_[kDragon]));
}

Bitboard Board::snipers_at(Square s, Colour c) const {
    return by_colour_[c] &
           ((kAttacks.reach[kBishop][s] & (by_type_[kBishop] | by_type_[kHorse])) |
            (kAttacks.reach[kRook][s] & (by_type_[kRook] | by_type_[kDragon])) |
            (kAttacks.reach[make_piece(opposite(c), kLance)][s] & by_type_[kLance]));
}

Bitboard Board::pinned(Colour c) const {
    const Square king = kings_[c];
    const Bitboard all = occupied();
    Bitboard pinned;
    for_each(snipers_at(king, opposite(c)), [&](Square s) {
        const Bitboard blockers = between(king, s) & all;
        if (blockers.is_single()) pinned |= blockers;
    });
    return pinned & by_colour_[c];
}

Bitboard Board::compute_checkers() const {
    const Square king = kings_[side_];
    if (king == kNowhere) return {};
    return attackers_of(king, occupied()) & by_colour_[opposite(side_)];
}

/// Checks to the other side after a move that is already on the bitboards; side_ is still the
/// mover's.
Bitboard Board::checkers_after(Move m, Piece placed) const {
    const Square king = kings_[opposite(side_)];
    const Bitboard all = occupied();
    Bitboard checkers;
    if (attacks(placed, m.to(), king, all)) checkers = bit(m.to());
    if (m.is_drop()) return checkers;
    // Nothing is uncovered unless one of our sliders looks along the line that was left.
    const Bitboard behind = line_through(king, m.from()) & snipers_at(king, side_);
    for_each(behind, [&](Square s) {
        if (!(between(king, s) & all)) checkers |= bit(s);
    });
    return checkers;
}

bool Board::gives_check(Move m) const {
    const Square king = kings_[opposite(side_)];
    if (m.is_drop()) {
        return attacks(make_piece(side_, m.dropped()), m.to(), king, occupied());
    }
    Piece p = on(m.from());
    if (m.promotes()) p = static_cast<Piece>(p | kPromoted);
    const Bitboard all = (occupied() ^ bit(m.from())) | bit(m.to());
    if (attacks(p, m.to(), king, all)) return true;
    const Bitboard line = line_through(king, m.from());
    if (!line || line.has(m.to())) return false;
    bool found = false;
    for_each(line & (snipers_at(king, side_) - bit(m.from())),
             [&](Square s) { found |= !(between(king, s) & all); });
    return found;
}

// ---- Legality -----------------------------------------------------------------------------------
bool Board::is_legal_drop(Move m) const {
    const PieceType t = m.dropped();
    const Square to = m.to();
    if (m.promotes() || t < kPawn || t > kGold || !hands_[side_].has(t) || on(to) != kNoPiece) {
        return false;
    }
    const int rank = relative_rank(side_, to);
    if (rank == 0 && (t == kPawn || t == kLance || t == kKnight)) return false;
    if (rank == 1 && t == kKnight) return false;
    if (checkers_.has_two()) return false;
    if (checkers_ && !between(kings_[side_], checkers_.first()).has(to)) return false;
    if (t != kPawn) return true;
    if (fill_files(pieces(side_, kPawn)).has(to)) return false;
    const Square king = kings_[opposite(side_)];
    return !step_attacks(make_piece(side_, kPawn), to).has(king) || !is_pawn_drop_mate(to);
}

/// A move on the board that the piece can make, whatever becomes of the king.
bool Board::is_pseudo_legal(Move m) const {
    const Square from = m.from();
    const Square to = m.to();
    if (!is_square(from)) return false;
    const Piece p = on(from);
    if (p == kNoPiece || colour_of(p) != side_ || by_colour_[side_].has(to)) return false;
    if (!attacks(p, from, to, occupied())) return false;
    const PieceType t = type_of(p);
    const int rank = relative_rank(side_, to);
    if (m.promotes()) return can_promote(t) && (rank < 3 || relative_rank(side_, from) < 3);
    if (t == kPawn || t == kLance) return rank >= 1;
    return t != kKnight || rank >= 2;
}

bool Board::is_legal(Move m) const {
    if (m.raw() >= 0x8000 || !is_square(m.to())) return false;
    if (m.is_drop()) return is_legal_drop(m);
    if (!is_pseudo_legal(m)) return false;
    const Square king = kings_[side_];
    const Square from = m.from();
    const Square to = m.to();
    if (from == king) {
        return !(attackers_of(to, occupied() ^ bit(king)) & by_colour_[opposite(side_)]);
    }
    if (checkers_) {
        if (checkers_.has_two()) return false;
        const Square checker = checkers_.first();
        if (to != checker && !between(king, checker).has(to)) return false;
    }
    const Bitboard line = line_through(king, from);
    return !line || line.has(to) || !pinned(side_).has(from);
}

bool Board::is_pawn_drop_mate(Square to) const {
    const Colour them = opposite(side_);
    const Square king = kings_[them];
    const Bitboard all = occupied() | bit(to);
    // Taken by a piece that may move?
    const Bitboard takers = (attackers_of(to, all) & by_colour_[them]) - bit(king);
    if (takers) {
        const Bitboard held = pinned(them);
        bool taken = false;
        for_each(takers, [&](Square s) { taken |= !held.has(s) || line_through(king, s).has(to); });
        if (taken) return false;
    }
    // Somewhere to go? The pawn attacks only the king, and may stand in its own side's way.
    const Bitboard escapes = king_attacks(king) - by_colour_[them];
    const Bitboard without_king = all ^ bit(king);
    const Bitboard danger = side_ == kBlack ? danger_near<kBlack>(king, without_king)
                                            : danger_near<kWhite>(king, without_king);
    return !(escapes - danger);
}

int Board::count_moves() const {
    MoveCounter counter;
    generate_into<Stage::All, Promotions::Every>(*this, counter);
    return counter.count();
}

bool Board::has_legal_move() const {
    return count_moves() != 0;
}

// ---- Moving -------------------------------------------------------------------------------------
void Board::do_move(Move m, BoardUndo& undo) {
    undo.board_key = board_key_;
    undo.hand_key = hand_key_;
    undo.checkers = checkers_;
    undo.captured = kNoPiece;
    const Square to = m.to();
    Piece placed;
    if (m.is_drop()) {
        const PieceType t = m.dropped();
        placed = make_piece(side_, t);
        hands_[side_].remove(t);
        hand_key_ -= kZobrist.hand[side_][t];
    } else {
        const Square from = m.from();
        const Piece p = pieces_on_[from];
        placed = m.promotes() ? static_cast<Piece>(p | kPromoted) : p;
        if (const Piece captured = pieces_on_[to]; captured != kNoPiece) {
            undo.captured = captured;
            const PieceType t = demoted(type_of(captured));
            toggle(captured, to);
            board_key_ ^= kZobrist.board[captured][to];
            hands_[side_].add(t);
            hand_key_ += kZobrist.hand[side_][t];
        }
        toggle(p, from);
        pieces_on_[from] = kNoPiece;
        board_key_ ^= kZobrist.board[p][from];
        if (from == kings_[side_]) kings_[side_] = to;
    }
    toggle(placed, to);
    pieces_on_[to] = placed;
    board_key_ ^= kZobrist.board[placed][to] ^ kZobrist.side;
    checkers_ = checkers_after(m, placed);
    side_ = opposite(side_);
}

void Board::undo_move(Move m, const BoardUndo& undo) {
    side_ = opposite(side_);
    board_key_ = undo.board_key;
    hand_key_ = undo.hand_key;
    checkers_ = undo.checkers;
    const Square to = m.to();
    const Piece placed = pieces_on_[to];
    toggle(placed, to);
    pieces_on_[to] = undo.captured;
    if (m.is_drop()) {
        hands_[side_].add(m.dropped());
        return;
    }
    const Square from = m.from();
    const Piece p = m.promotes() ? static_cast<Piece>(placed & ~kPromoted) : placed;
    toggle(p, from);
    pieces_on_[from] = p;
    if (to == kings_[side_]) kings_[side_] = from;
    if (undo.captured != kNoPiece) {
        toggle(undo.captured, to);
        hands_[side_].remove(demoted(type_of(undo.captured)));
    }
}

void Board::do_pass(BoardUndo& undo) {
    undo.board_key = board_key_;
    undo.hand_key = hand_key_;
    undo.checkers = checkers_;
    board_key_ ^= kZobrist.side;
    checkers_ = {};
    side_ = opposite(side_);
}

void Board::undo_pass(const BoardUndo& undo) {
    board_key_ = undo.board_key;
    checkers_ = undo.checkers;
    side_ = opposite(side_);
}

// ---- Setting up ---------------------------------------------------------------------------------
void Board::put(Piece p, Square s) {
    toggle(p, s);
    pieces_on_[s] = p;
    if (type_of(p) == kKing) kings_[colour_of(p)] = s;
}

Status Board::check_counts() const {
    for (int t = kPawn; t <= kKing; ++t) {
        const auto type = static_cast<PieceType>(t);
        int n = by_type_[t].count();
        if (can_promote(type)) n += by_type_[promoted(type)].count();
        if (type != kKing) n += hands_[kBlack].count(type) + hands_[kWhite].count(type);
        const int most = kFullSet[static_cast<std::size_t>(t)];
        if (n > most) {
            return Error{fmt::format("{} of {}, a set has {}", n, letter_of(type), most),
                         "count the pieces on the board and in both hands"};
        }
    }
    for (const Colour c : {kBlack, kWhite}) {
        if (pieces(c, kKing).has_two()) {
            return Error{fmt::format("{} has two kings", name_of(c)), "give each side one king"};
        }
    }
    if (!by_type_[kKing]) return Error{"there is no king at all", "put one on the board"};
    return {};
}

Status Board::check_squares() const {
    for (const Colour c : {kBlack, kWhite}) {
        const Bitboard pawns = pieces(c, kPawn);
        for (int file = 1; file <= 9; ++file) {
            const Bitboard in_file = pawns & fill_files(bit(square_at(file, 0)));
            if (in_file.has_two()) {
                return Error{fmt::format("{} has two pawns in file {}", name_of(c), file),
                             "only one unpromoted pawn may stand in a file"};
            }
        }
        const Bitboard dead = ((pawns | pieces(c, kLance)) & far_ranks(c, 1)) |
                              (pieces(c, kKnight) & far_ranks(c, 2));
        if (dead) {
            const Square s = dead.first();
            return Error{fmt::format("{}'s {} on {} could never move", name_of(c),
                                     letter_of(type_of(on(s))), format_square(s)),
                         "promote it or move it"};
        }
    }
    return {};
}

Status Board::finish(Colour to_move) {
    if (const Status s = check_counts(); !s) return s;
    if (const Status s = check_squares(); !s) return s;
    side_ = to_move;
    board_key_ = to_move == kWhite ? kZobrist.side : 0;
    hand_key_ = 0;
    for_each(occupied(), [&](Square s) { board_key_ ^= kZobrist.board[on(s)][s]; });
    for (const Colour c : {kBlack, kWhite}) {
        for (const PieceType t : kHandOrder) {
            hand_key_ += static_cast<Key>(hands_[c].count(t)) * kZobrist.hand[c][t];
        }
    }
    checkers_ = compute_checkers();
    const Colour other = opposite(to_move);
    if (kings_[other] != kNowhere && attackers_of(kings_[other], to_move)) {
        return Error{fmt::format("{} to move could take the king", name_of(to_move)),
                     "give the move to the side in check"};
    }
    return {};
}

bool Board::is_consistent() const {
    Board fresh;
    for (Square s = 0; s < kSquares; ++s) {
        if (on(s) != kNoPiece) fresh.put(on(s), s);
    }
    fresh.hands_ = hands_;
    return fresh.finish(side_) && fresh == *this;
}

// ---- Counting lines -----------------------------------------------------------------------------
namespace {

/// Bare moves: a quarter of the size of what the search's list holds, and not cleared.
struct PlainList {
    PlainList() {}  // NOLINT(modernize-use-equals-default): `= default` may clear the moves
    MoveCode codes[kMaxMoves];
    int size = 0;
    void push(Move m) { codes[size++] = m.raw(); }
};

template <Colour Us> std::uint64_t count_lines(Board& b, int depth) {
    if (depth == 1) {
        MoveCounter counter;
        Generator<Us, Stage::All, Promotions::Every, MoveCounter>(b, counter).run();
        return static_cast<std::uint64_t>(counter.count());
    }
    PlainList list;
    MoveWriter<PlainList> writer(list);
    Generator<Us, Stage::All, Promotions::Every, MoveWriter<PlainList>>(b, writer).run();
    std::uint64_t n = 0;
    for (int i = 0; i < list.size; ++i) {
        const Move m = Move::from_raw(list.codes[i]);
        BoardUndo undo;
        b.do_move(m, undo);
        n += count_lines<opposite(Us)>(b, depth - 1);
        b.undo_move(m, undo);
    }
    return n;
}

}  // namespace

std::uint64_t perft(Board& b, int depth) {
    if (depth <= 0) return 1;
    return b.side() == kBlack ? count_lines<kBlack>(b, depth) : count_lines<kWhite>(b, depth);
}

}  // namespace karikomi::shogi
