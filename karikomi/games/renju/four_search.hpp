/// Victory by continuous fours (VCF): every attacking move makes a four, so that the defender has
/// one answer, or none. Complete up to its limits, and what it claims is proven: a counter-four is
/// answered by a four on the same cell or not at all, and an answer that is forbidden for Black is
/// no answer.
#pragma once

#include <algorithm>
#include <utility>

#include "karikomi/games/renju/position.hpp"

namespace karikomi::renju {

/// `W` makes and unmakes moves by ply and counts nodes, as the search's worker does. One that also
/// offers `refuted()` (fours that did not suffice here; -1: not known), `refute(fours)` and
/// `note(ply, cell)` remembers what failed and gets the winning line.
template <class W> class FourSearch {
public:
    /// Nodes that this search may spend.
    FourSearch(W& worker, std::int64_t budget) : worker_(worker), budget_(budget) {}

    /// Plies to the win of the side to move with at most so many fours before the last one; 0 when
    /// there is no such win, or none was found within the budget.
    int attack(int ply, int fours) {
        const Position& pos = worker_.position();
        const int me = pos.side();
        if (pos.count(me, Point::Five) > 0) return win_by_five(pos, ply);
        const int threats = pos.count(1 - me, Point::Five);
        if (threats > 1) return 0;
        if (threats == 0) {
            if (const int plies = open_four(pos, ply)) return plies;
        }
        if (!pos.has_four(me)) return 0;
        if (fours <= 0) {
            was_cut_ = true;
            return 0;
        }
        if constexpr (kRemembers) {
            if (const int known = worker_.refuted(); known >= fours) {
                was_cut_ = was_cut_ || known < kForever;
                return 0;
            }
        }
        const bool outer = std::exchange(was_cut_, false);
        const int plies = try_fours(pos, ply, fours, threats > 0);
        if constexpr (kRemembers) {
            if (plies == 0 && !gave_up() && !worker_.stopped()) {
                worker_.refute(was_cut_ ? fours : kForever);
            }
        }
        was_cut_ = was_cut_ || outer;
        return plies;
    }
    /// The budget was too small to be sure.
    bool gave_up() const { return budget_ <= 0; }
    /// Some line was given up only because it had no fours left.
    bool was_cut() const { return was_cut_; }

    static constexpr int kForever = 1 << 14;  ///< no number of fours suffices

private:
    static constexpr bool kRemembers = requires(W & w) { w.refuted(); };
    static constexpr int kMostFours = 64;

    struct Candidate {
        int score = 0;
        Cell cell = kNoCell;
    };
    struct List {
        std::array<Candidate, kMostFours> moves;
        std::size_t size = 0;
        void add(const Position& pos, Cell c, int me) {
            if (size == moves.size()) return;
            const int class_score = 1000 * static_cast<int>(pos.point(c, me));
            moves[size++] = {class_score + pos.cell_value_at(c, me), c};
        }
        void sort() {
            std::sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(size),
                      [](const Candidate& a, const Candidate& b) {
                          return a.score != b.score ? a.score > b.score : a.cell < b.cell;
                      });
        }
    };

    void note(int ply, Cell c) {
        if constexpr (requires { worker_.note(ply, c); }) worker_.note(ply, c);
    }
    int win_by_five(const Position& pos, int ply) {
        pos.each_five(pos.side(), [&](Cell c) { note(ply, c); });
        return 1;
    }
    /// The defender has no five of his own: a straight four cannot be stopped.
    int open_four(const Position& pos, int ply) {
        const int me = pos.side();
        if (!pos.has_open_four(me)) return 0;
        Cell found = kNoCell;
        pos.each_four(me, [&](Cell c) {
            if (found == kNoCell && makes_open_four(pos.point(c, me)) && !pos.is_forbidden(c)) {
                found = c;
            }
        });
        if (found == kNoCell) return 0;
        note(ply, found);
        return 3;
    }

    int try_fours(const Position& pos, int ply, int fours, bool threatened) {
        const int me = pos.side();
        List list;
        if (threatened) {  // the four must also stop the other side's five
            pos.each_five(1 - me, [&](Cell c) {
                if (makes_four(pos.point(c, me))) list.add(pos, c, me);
            });
        } else {
            pos.each_four(me, [&](Cell c) { list.add(pos, c, me); });
            list.sort();
        }
        for (std::size_t i = 0; i < list.size; ++i) {
            const Cell c = list.moves[i].cell;
            if (pos.is_forbidden(c)) continue;
            if (budget_ <= 0 || ply + 4 >= kStackSize) return 0;
            --budget_;
            worker_.make(Move::from_cell(c), ply);
            const int plies = worker_.enter_node(ply + 1) ? 0 : defend(ply + 1, fours - 1);
            worker_.unmake(Move::from_cell(c), ply);
            if (worker_.stopped()) return 0;
            if (plies > 0) {
                note(ply, c);
                return plies + 1;
            }
        }
        return 0;
    }

    /// Plies to the attacker's win after his four, the defender to move; 0 when there is none.
    int defend(int ply, int fours) {
        const Position& pos = worker_.position();
        const int attacker = 1 - pos.side();
        if (pos.count(pos.side(), Point::Five) > 0) return 0;
        if (pos.count(attacker, Point::Five) > 1) return 2;
        Cell answer = kNoCell;
        pos.each_five(attacker, [&](Cell c) { answer = c; });
        if (answer == kNoCell) return 0;  // cannot be: the attacker has made a four
        if (pos.is_forbidden(answer)) return 2;
        if (budget_ <= 0) return 0;
        --budget_;
        worker_.make(Move::from_cell(answer), ply);
        const int plies = worker_.enter_node(ply + 1) ? 0 : attack(ply + 1, fours);
        worker_.unmake(Move::from_cell(answer), ply);
        if (plies == 0) return 0;
        note(ply, answer);
        return plies + 1;
    }

    W& worker_;
    std::int64_t budget_;
    bool was_cut_ = false;
};

}  // namespace karikomi::renju
