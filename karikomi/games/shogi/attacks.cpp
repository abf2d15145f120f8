#include "karikomi/games/shogi/attacks.hpp"

#include <utility>
#include <vector>

namespace karikomi::shogi {
namespace {

struct Step {
    int file;
    int rank;  ///< negative is ahead for Black
};
using Steps = std::vector<Step>;

// Functions, because no other static object exists yet when the tables are filled.
Steps diagonals() {
    return {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
}
Steps straights() {
    return {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
}

Steps joined(Steps a, const Steps& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// Black's steps, one square far.
Steps short_steps(PieceType t) {
    switch (t) {
        case kPawn:
            return {{0, -1}};
        case kKnight:
            return {{1, -2}, {-1, -2}};
        case kSilver:
            return joined(diagonals(), {{0, -1}});
        case kKing:
            return joined(diagonals(), straights());
        case kHorse:
            return straights();
        case kDragon:
            return diagonals();
        default:
            return moves_like_gold(t) ? joined(straights(), {{1, -1}, {-1, -1}}) : Steps{};
    }
}

/// Black's directions without limit.
Steps long_steps(PieceType t) {
    switch (t) {
        case kLance:
            return {{0, -1}};
        case kBishop:
        case kHorse:
            return diagonals();
        case kRook:
        case kDragon:
            return straights();
        default:
            return {};
    }
}

/// The squares from s in one direction, as far as `occupied` lets it, the blocker included.
Bitboard walk(Square s, Step step, Bitboard occupied = {}) {
    Bitboard reached;
    int file = file_of(s) + step.file;
    int rank = rank_of(s) + step.rank;
    for (; is_on_board(file, rank); file += step.file, rank += step.rank) {
        const Square to = square_at(file, rank);
        reached |= bit(to);
        if (occupied.has(to)) break;
    }
    return reached;
}

Bitboard step_once(Square s, const Steps& steps) {
    Bitboard reached;
    for (const Step& step : steps) {
        const int file = file_of(s) + step.file;
        const int rank = rank_of(s) + step.rank;
        if (is_on_board(file, rank)) reached |= bit(square_at(file, rank));
    }
    return reached;
}

Steps turned_steps(Steps steps, Colour c) {
    if (c == kWhite) {
        for (Step& s : steps) s = {-s.file, -s.rank};
    }
    return steps;
}

void fill_pieces(AttackTables& t, Square s) {
    for (const Colour c : {kBlack, kWhite}) {
        for (int type = kPawn; type < kTypes; ++type) {
            const auto kind = static_cast<PieceType>(type);
            const Piece p = make_piece(c, kind);
            t.step[p][s] = step_once(s, turned_steps(short_steps(kind), c));
            t.reach[p][s] = t.step[p][s];
            for (const Step& step : turned_steps(long_steps(kind), c)) {
                t.reach[p][s] |= walk(s, step);
            }
        }
    }
}

void fill_lines(AttackTables& t, Square s) {
    for (const Step& step : joined(diagonals(), straights())) {
        const Bitboard ray = walk(s, step);
        const Bitboard whole = ray | bit(s) | walk(s, {-step.file, -step.rank});
        Bitboard passed;
        int file = file_of(s) + step.file;
        int rank = rank_of(s) + step.rank;
        for (; is_on_board(file, rank); file += step.file, rank += step.rank) {
            const Square to = square_at(file, rank);
            t.between[s][to] = passed;
            t.line[s][to] = whole;
            passed |= bit(to);
        }
    }
    t.above[s] = walk(s, {0, 1}).word_of(s);
    t.below[s] = walk(s, {0, -1}).word_of(s);
    t.file[s] = static_cast<std::uint8_t>(file_of(s) - 1);
    t.rank[s] = static_cast<std::uint8_t>(rank_of(s));
    // Towards higher files the bits of the low word rise.
    t.diagonal[s][0] = walk(s, {1, 1});
    t.diagonal[s][1] = walk(s, {1, -1});
    t.diagonal[s][2] = walk(s, {-1, 1});
    t.diagonal[s][3] = walk(s, {-1, -1});
}

void fill_rank(AttackTables& t, int file) {
    const Square s = square_at(file, 0);
    for (int index = 0; index < 128; ++index) {
        Bitboard occupied;
        for (int i = 0; i < 7; ++i) {
            if ((index >> i & 1) != 0) occupied |= bit(square_at(i + 2, 0));
        }
        t.along_rank[file - 1][index] = walk(s, {1, 0}, occupied) | walk(s, {-1, 0}, occupied);
    }
}

/// Returns the end of the part of the table used so far.
Bitboard* fill_bishop(AttackTables& t, Square s, Bitboard* attacks) {
    // Squares at the edge stop nothing behind them.
    const Bitboard inner = kAllSquares - rank_set(0) - rank_set(8);
    const std::uint64_t mask = (t.reach[kBishop][s] & inner).lo;
    t.bishop_mask[s] = mask;
    t.bishop[s] = attacks;
    std::uint64_t subset = 0;  // all subsets of the mask, in the order of their packed bits
    do {
        Bitboard reached;
        for (const Step& step : diagonals()) reached |= walk(s, step, {subset, 0});
        *attacks++ = reached;
        subset = (subset - mask) & mask;
    } while (subset != 0);
    return attacks;
}

void fill_near(AttackTables& t, Square s) {
    const Bitboard targets = t.step[kKing][s] | bit(s);
    for (const Colour c : {kBlack, kWhite}) {
        for (Square from = 0; from < kSquares; ++from) {
            for (int type = kPawn; type < kTypes; ++type) {
                const Piece p = make_piece(c, static_cast<PieceType>(type));
                if (t.step[p][from] & targets) t.near[c][s] |= bit(from);
            }
            if (t.reach[make_piece(c, kLance)][from] & targets) t.lance_near[c][s] |= bit(from);
        }
    }
}

void fill_may_check(AttackTables& t, Square king) {
    for (const Colour c : {kBlack, kWhite}) {
        for (int type = kPawn; type < kTypes; ++type) {
            const auto kind = static_cast<PieceType>(type);
            const Piece p = make_piece(c, kind);
            // A king gives no check, and a piece attacks the king from where its twin of the other
            // colour would be attacked by it.
            if (kind == kKing) continue;
            Bitboard goals = t.reach[make_piece(opposite(c), kind)][king];
            if (can_promote(kind)) goals |= t.reach[make_piece(opposite(c), promoted(kind))][king];
            for_each(goals, [&](Square goal) {
                t.may_check[p][king] |= t.reach[make_piece(opposite(c), kind)][goal];
            });
        }
    }
}

}  // namespace

AttackTables::AttackTables() {
    Bitboard* next = bishop_attacks.items;
    for (Square s = 0; s < kSquares; ++s) {
        bishop[s] = next;
        if (!is_square(s)) continue;
        fill_pieces(*this, s);
        fill_lines(*this, s);
        next = fill_bishop(*this, s, next);
    }
    for (int f = 1; f <= 9; ++f) fill_rank(*this, f);
    for (Square s = 0; s < kSquares; ++s) {
        if (!is_square(s)) continue;
        fill_near(*this, s);
        fill_may_check(*this, s);
    }
}

// Before every other static object, which may hold a position.
[[gnu::init_priority(101)]] const AttackTables kAttacks;

Bitboard attacks_of(Piece p, Square s, Bitboard occupied) {
    switch (type_of(p)) {
        case kLance:
            return colour_of(p) == kBlack ? lance_attacks<kBlack>(s, occupied)
                                          : lance_attacks<kWhite>(s, occupied);
        case kBishop:
        case kHorse:
            return bishop_attacks(s, occupied) | step_attacks(p, s);
        case kRook:
        case kDragon:
            return rook_attacks(s, occupied) | step_attacks(p, s);
        default:
            return step_attacks(p, s);
    }
}

}  // namespace karikomi::shogi
