/// Legal moves, generated directly: pins and checks restrict the target squares beforehand, so no
/// move has to be tried out. The same code writes moves or only counts them, as the sink likes.
#pragma once

#include "karikomi/games/shogi/board.hpp"

namespace karikomi::shogi {

enum class Stage : std::uint8_t {
    All,
    Tactical,  ///< captures
    Quiet,     ///< the rest, drops included
    Board,     ///< all but drops
    Drops,
};

/// Promotions that lose nothing but in the rarest cases: not promoting a pawn, a bishop or a rook,
/// nor a lance that goes to its last rank but one, is legal but useless.
enum class Promotions : std::uint8_t { Useful, Every };

/// Counts moves without looking at them.
class MoveCounter {
public:
    int count() const { return count_; }
    void moves(Square /*from*/, Bitboard to) { count_ += to.count(); }
    void promotions(Square /*from*/, Bitboard to) { count_ += to.count(); }
    template <int step> void pawn_moves(Bitboard to) { count_ += to.count(); }
    template <int step> void pawn_promotions(Bitboard to) { count_ += to.count(); }
    void drops(const PieceType* /*kinds*/, int n, Bitboard to) { count_ += n * to.count(); }

private:
    int count_ = 0;
};

/// Writes moves into any list with push(Move).
template <class List> class MoveWriter {
public:
    explicit MoveWriter(List& list) : list_(list) {}
    void moves(Square from, Bitboard to) {
        for_each(to, [&](Square s) { list_.push(Move::board(from, s)); });
    }
    void promotions(Square from, Bitboard to) {
        for_each(to, [&](Square s) { list_.push(Move::board(from, s, true)); });
    }
    /// `step` leads from the target back to the pawn.
    template <int step> void pawn_moves(Bitboard to) {
        for_each(to, [&](Square s) { list_.push(Move::board(s + step, s)); });
    }
    template <int step> void pawn_promotions(Bitboard to) {
        for_each(to, [&](Square s) { list_.push(Move::board(s + step, s, true)); });
    }
    void drops(const PieceType* kinds, int n, Bitboard to) {
        for_each(to, [&](Square s) {
            for (int i = 0; i < n; ++i) list_.push(Move::drop(kinds[i], s));
        });
    }

private:
    List& list_;
};

template <Colour Us, Stage S, Promotions P, class Sink> class Generator {
public:
    Generator(const Board& board, Sink& sink)
        : b_(board),
          sink_(sink),
          occupied_(board.occupied()),
          enemies_(board.pieces(kThem)),
          king_(board.king(Us)) {}

    void run() {
        const Bitboard checkers = b_.checkers();
        if constexpr (S != Stage::Drops) king_moves();
        if (checkers.has_two()) return;
        Bitboard free = kAllSquares - occupied_;
        Bitboard targets = kAllSquares - b_.pieces(Us);
        if (checkers) {
            free = between(king_, checkers.first());
            targets = free | checkers;
        }
        if constexpr (S != Stage::Drops) board_moves(targets, static_cast<bool>(checkers));
        if constexpr (S == Stage::All || S == Stage::Quiet || S == Stage::Drops) drops(free);
    }

private:
    static constexpr Colour kThem = opposite(Us);
    static constexpr int kBack = Us == kBlack ? 1 : -1;  ///< from a pawn's target to the pawn
    static constexpr Bitboard kZone = far_ranks(Us, 3);
    static constexpr Bitboard kLast = far_ranks(Us, 1);
    static constexpr Bitboard kLastTwo = far_ranks(Us, 2);

    /// The part of the targets that this stage asks for.
    Bitboard wanted(Bitboard to) const {
        if constexpr (S == Stage::Tactical) return to & enemies_;
        if constexpr (S == Stage::Quiet) return to - enemies_;
        return to;
    }

    void king_moves() {
        const Bitboard to = wanted(king_attacks(king_) - b_.pieces(Us));
        if (!to) return;
        // The king itself hides no square behind it.
        sink_.moves(king_, to - b_.danger_near<kThem>(king_, occupied_ ^ bit(king_)));
    }

    void board_moves(Bitboard targets, bool in_check) {
        const Bitboard pinned = b_.pinned(Us);
        const Bitboard movers = b_.pieces(Us) - pinned;
        pawns(ahead<Us>(movers & b_.pieces(kPawn)) & targets);
        each<kLance>(movers & b_.pieces(kLance), targets);
        each<kKnight>(movers & b_.pieces(kKnight), targets);
        each<kSilver>(movers & b_.pieces(kSilver), targets);
        each<kGold>(movers & b_.golds(Us), targets);
        each<kBishop>(movers & b_.pieces(kBishop), targets);
        each<kRook>(movers & b_.pieces(kRook), targets);
        each<kHorse>(movers & b_.pieces(kHorse), targets);
        each<kDragon>(movers & b_.pieces(kDragon), targets);
        // A pinned piece can neither take nor block another piece that gives check.
        if (!in_check) for_each(pinned, [&](Square s) { pinned_piece(s, targets); });
    }

    template <PieceType T> void each(Bitboard from, Bitboard targets) {
        for_each(from, [&](Square s) { piece<T>(s, attacks_of<Us, T>(s, occupied_) & targets); });
    }

    void pinned_piece(Square s, Bitboard targets) {
        targets &= line_through(king_, s);
        switch (type_of(b_.on(s))) {
            case kPawn:
                return pawns(ahead<Us>(bit(s)) & targets);
            case kLance:
                return each<kLance>(bit(s), targets);
            case kKnight:
                return;
            case kSilver:
                return each<kSilver>(bit(s), targets);
            case kBishop:
                return each<kBishop>(bit(s), targets);
            case kRook:
                return each<kRook>(bit(s), targets);
            case kHorse:
                return each<kHorse>(bit(s), targets);
            case kDragon:
                return each<kDragon>(bit(s), targets);
            default:
                return each<kGold>(bit(s), targets);
        }
    }

    void pawns(Bitboard to) {
        sink_.template pawn_promotions<kBack>(wanted(to & kZone));
        sink_.template pawn_moves<kBack>(wanted(to - kZone));
        if constexpr (P == Promotions::Every) {
            sink_.template pawn_moves<kBack>(wanted((to & kZone) - kLast));
        }
    }

    template <PieceType T> void piece(Square from, Bitboard to) {
        if constexpr (T == kGold || T == kHorse || T == kDragon) {
            sink_.moves(from, wanted(to));
        } else {
            const Bitboard zone = T != kKnight && kZone.has(from) ? to : to & kZone;
            if constexpr (T == kBishop || T == kRook) {
                sink_.promotions(from, wanted(zone));
                sink_.moves(from, wanted(P == Promotions::Every ? to : to - zone));
            } else {
                constexpr Bitboard kDead = T == kKnight             ? kLastTwo
                                           : T != kLance            ? Bitboard{}
                                           : P == Promotions::Every ? kLast
                                                                    : kLastTwo;
                sink_.promotions(from, wanted(zone));
                sink_.moves(from, wanted(to - kDead));
            }
        }
    }

    void drops(Bitboard to) {
        const Hand hand = b_.hand(Us);
        if (hand.empty() || !to) return;
        if (hand.has(kPawn)) drop_pawns(to - kLast);
        // Other kinds go everywhere but lances to the last rank and knights to the last two: the
        // list begins with the knight and the lance, so that fewer kinds are its tail.
        PieceType kinds[6];
        int n = 0;
        if (hand.has(kKnight)) kinds[n++] = kKnight;
        const int after_knight = n;
        if (hand.has(kLance)) kinds[n++] = kLance;
        const int after_lance = n;
        for (const PieceType t : {kSilver, kBishop, kRook, kGold}) {
            if (hand.has(t)) kinds[n++] = t;
        }
        if (n == 0) return;
        if (after_lance == 0) return sink_.drops(kinds, n, to);
        sink_.drops(kinds, n, to - kLastTwo);
        sink_.drops(kinds + after_knight, n - after_knight, to & (kLastTwo - kLast));
        sink_.drops(kinds + after_lance, n - after_lance, to & kLast);
    }

    void drop_pawns(Bitboard to) {
        to = to - fill_files(b_.pieces(Us, kPawn));  // nifu
        const Bitboard head = step_attacks(make_piece(kThem, kPawn), b_.king(kThem)) & to;
        if (head && b_.is_pawn_drop_mate(head.first())) to = to - head;
        constexpr PieceType kKind[] = {kPawn};
        sink_.drops(kKind, 1, to);
    }

    const Board& b_;
    Sink& sink_;
    Bitboard occupied_;
    Bitboard enemies_;
    Square king_;
};

template <Stage S, Promotions P, class Sink> void generate_into(const Board& b, Sink& sink) {
    if (b.side() == kBlack) {
        Generator<kBlack, S, P, Sink>(b, sink).run();
    } else {
        Generator<kWhite, S, P, Sink>(b, sink).run();
    }
}

/// Appends the legal moves of the side to move.
template <Stage S, Promotions P, class List> void generate_moves(const Board& b, List& list) {
    MoveWriter<List> writer(list);
    generate_into<S, P>(b, writer);
}

/// Lines of `depth` legal moves, useless non-promotions included. The last ply is only counted.
std::uint64_t perft(Board& b, int depth);

}  // namespace karikomi::shogi
