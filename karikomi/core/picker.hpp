/// Hands out a node's moves, best guess first, doing no more work than the node asks for: the table
/// move costs nothing, generation comes next, sorting happens one move at a time.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "karikomi/core/frame.hpp"
#include "karikomi/core/history.hpp"

namespace karikomi {

/// Generates tactical and quiet moves separately, so that a capture that cuts saves the rest.
template <class G>
concept HasStagedGeneration = HasTactics<G> &&
    requires(const typename G::Position pos, MovesOf<G>& moves) {
    {pos.generate_tactical(moves)};
    {pos.generate_quiet(moves)};
};

template <Game G> class MovePicker {
    using Move = typename G::Move;
    using Position = typename G::Position;

public:
    /// Where a move stands before any other: what the picker asks.
    struct Sources {
        const Frame<G>& frame;
        const History<G>& history;
        const typename G::Evaluator& evaluator;
        typename History<G>::Context context;
    };

    MovePicker(const Position& pos, MoveCode first, const Sources& sources, Depth depth)
        : pos_(pos), first_(first), sources_(sources), depth_(depth) {
        if (first_ != kNoMove && !pos_.is_legal(Move::from_raw(first_))) first_ = kNoMove;
    }

    /// The next move, or false when there are no more.
    bool next(Move& out) {
        value_after_ = kNoValue;
        if (stage_ == Stage::First) {
            stage_ = Stage::Tactical;
            if (first_ != kNoMove) {
                out = Move::from_raw(first_);
                if constexpr (HasTactics<G>) quiet_ = !pos_.is_tactical(out);
                return true;
            }
        }
        while (true) {
            while (at_ < moves_.size()) {
                select_best();
                // Losing captures wait until the quiet moves are out.
                if (stage_ == Stage::Quiet && moves_[at_].score < kBadTactical) break;
                if (moves_[at_].move.raw() == first_) {
                    ++at_;
                    continue;
                }
                if (turns_out_to_lose()) continue;
                quiet_ = is_quiet_score(moves_[at_].score);
                value_after_ = moves_[at_].value_after;
                out = moves_[at_++].move;
                return true;
            }
            if (!advance()) return false;
        }
    }

    /// Was the move just handed out a quiet one? (Known from scoring; asking the game again costs.)
    /// A game that does not tell its tactical moves has only quiet ones.
    bool last_is_quiet() const { return quiet_; }

    /// The static value after the move just handed out, for the opponent; kNoValue: not known.
    Value value_after() const { return value_after_; }

    /// Puts a move that is still to come in front of all others of its kind.
    void promote(MoveCode code) {
        promoted_ = code;  // it may not have been generated yet
        sorted_ = false;
        sorted_up_to_ = 0;
        for (std::size_t i = at_; i < moves_.size(); ++i) {
            if (moves_[i].move.raw() != code) continue;
            moves_[i].score = is_quiet_score(moves_[i].score) ? kPromotedQuiet : kPromotedTactical;
        }
    }

    /// No quiet move is wanted any more: what is left are tactical ones.
    void skip_quiet() {
        skips_quiet_ = true;
        const auto unwanted = [](const ScoredMove<Move>& m) { return is_quiet_score(m.score); };
        if (at_ < sorted_up_to_) {
            sorted_up_to_ -= static_cast<std::size_t>(
                std::count_if(moves_.begin() + at_, moves_.begin() + sorted_up_to_, unwanted));
        }
        const auto end = std::remove_if(moves_.begin() + at_, moves_.end(), unwanted);
        moves_.shrink(static_cast<std::size_t>(end - moves_.begin()));
    }

    /// What is left may come in any order: most of it will be skipped.
    void stop_sorting() { sorted_ = true; }

private:
    enum class Stage : std::uint8_t { First, Tactical, Quiet, Done };
    // Tactical moves lie beyond +-2^23, quiet ones within: the score tells them apart.
    static constexpr std::int32_t kPromotedTactical = 1 << 28;
    static constexpr std::int32_t kPromotedQuiet = (1 << 23) - 1;
    static constexpr std::int32_t kTactical = 1 << 24;
    static constexpr std::int32_t kKiller = 1 << 22;
    static constexpr std::int32_t kCounter = 1 << 21;
    static constexpr std::int32_t kBadTactical = -(1 << 23);
    static constexpr std::int32_t kLateQuiet = -(1 << 27);  ///< after the losing captures

    /// Out of check every move is an answer: captures first, then by the simplest histories.
    bool evades() const {
        return sources_.context.in_check && sources_.history.params().plain_evasions;
    }

    static bool is_quiet_score(std::int32_t score) {
        return (score > kBadTactical && score < -kBadTactical) || score < kLateQuiet / 2;
    }

    /// Appends the moves of the next stage; false when all is done.
    bool advance() {
        if (stage_ == Stage::Done) return false;
        const std::size_t from = moves_.size();
        sorted_ = false;
        sorted_up_to_ = 0;
        selected_ = 0;
        if constexpr (HasStagedGeneration<G>) {
            if (stage_ == Stage::Tactical) {
                pos_.generate_tactical(moves_);
                stage_ = Stage::Quiet;
                score(from);
                return true;
            }
            if (!skips_quiet_) pos_.generate_quiet(moves_);
        } else {
            generate_for_search<G>(pos_, moves_);
        }
        stage_ = Stage::Done;
        score(from);
        return true;
    }

    void score(std::size_t from) {
        const std::span<ScoredMove<Move>> fresh(moves_.begin() + from, moves_.end());
        if constexpr (OrdersByEvaluator<G>) {
            G::Ordering::score(pos_, sources_.evaluator, fresh, depth_);
        } else {
            G::Ordering::score(pos_, fresh, depth_);
        }
        if constexpr (OrdersAlone<G>) {
            if (promoted_ == kNoMove && G::Ordering::stands_alone(depth_)) return;
        }
        const auto& [frame, history, evaluator, context] = sources_;
        const MoveCode counter = history.counter_move(context);
        for (std::size_t i = from; i < moves_.size(); ++i) {
            ScoredMove<Move>& m = moves_[i];
            if constexpr (HasTactics<G>) {
                if (pos_.is_tactical(m.move)) {
                    m.score += kTactical;  // unless it turns out to lose
                    if constexpr (HasCaptureKinds<G>) {
                        m.score += history.tactical_score(context.side, pos_.history_slot(m.move),
                                                          pos_.capture_kind(m.move));
                    }
                    if (m.move.raw() == promoted_) m.score = kPromotedTactical;
                    continue;
                }
            }
            const MoveCode code = m.move.raw();
            const HistoryParams& p = history.params();
            if (evades()) {
                m.score += history.evasion_score(context, pos_.history_slot(m.move));
                if (code == promoted_) m.score = kPromotedQuiet;
                continue;
            }
            m.score += history.score(context, pos_.history_slot(m.move));
            if constexpr (HasCheckMoves<G> && HasExchange<G>) {
                if (p.ordering_check > 0 && pos_.gives_check(m.move) &&
                    pos_.exchange_value(m.move) >= -p.check_losing) {
                    m.score += p.ordering_check;
                }
            }
            if (p.late_quiet < 0 && m.score < p.late_quiet) m.score += kLateQuiet;
            if (code == promoted_)
                m.score = kPromotedQuiet;
            else if (code == frame.killers[0])
                m.score += kKiller + 1;
            else if (code == frame.killers[1])
                m.score += kKiller;
            else if (code == counter)
                m.score += kCounter;
        }
    }

    /// Exchanges are looked at only when a capture's turn has come: most nodes end before. A losing
    /// one goes back to the end of the queue.
    bool turns_out_to_lose() {
        if constexpr (HasExchange<G>) {
            if (evades()) return false;
            ScoredMove<Move>& m = moves_[at_];
            if (is_quiet_score(m.score) || m.score < 0 || m.score >= kPromotedTactical)
                return false;
            const float share = sources_.history.params().losing_share;
            const auto most = static_cast<Value>(share * static_cast<float>(m.score - kTactical));
            if (pos_.exchange_value(m.move) >= -most) return false;
            m.score -= 2 * kTactical;
            // Sorted moves keep their order; beyond them it is sorted later.
            const auto begin = moves_.begin() + at_;
            if (sorted_) {
                std::rotate(begin, begin + 1, moves_.end());
            } else if (at_ < sorted_up_to_) {
                std::rotate(begin, begin + 1, moves_.begin() + sorted_up_to_--);
            }
            return true;
        }
        return false;
    }

    void select_best() {
        if constexpr (HasStagedGeneration<G>) {
            if (sorted_ || at_ < sorted_up_to_) return;
            if (++selected_ > sources_.history.params().sort_after) return sort_some();
        }
        std::size_t best = at_;
        for (std::size_t i = at_ + 1; i < moves_.size(); ++i) {
            if (moves_[i].score > moves_[best].score) best = i;
        }
        std::swap(moves_[at_], moves_[best]);
    }

    /// A node that asks for so many will ask for more, but often not for all: the next best few,
    /// then the rest.
    void sort_some() {
        // By score, then by code, in one comparison.
        const auto rank = [](const ScoredMove<Move>& m) {
            return static_cast<std::int64_t>(m.score) * (std::int64_t{1} << 32) -
                   static_cast<std::int64_t>(m.move.raw());
        };
        const auto before = [&](const ScoredMove<Move>& a, const ScoredMove<Move>& b) {
            return rank(a) > rank(b);
        };
        constexpr std::size_t kSome = 16;
        const auto begin = moves_.begin() + at_;
        const bool rest = sorted_up_to_ > 0 || moves_.size() - at_ <= 2 * kSome;
        if (!rest) {
            sorted_up_to_ = at_ + kSome;
            std::nth_element(begin, begin + kSome, moves_.end(), before);
        }
        std::sort(begin, rest ? moves_.end() : begin + kSome, before);
        sorted_ = rest;
    }

    const Position& pos_;
    MoveCode first_;
    Sources sources_;
    Depth depth_;
    Stage stage_ = Stage::First;
    bool quiet_ = true;             ///< of the move handed out last
    Value value_after_ = kNoValue;  ///< ... and the static value after it
    bool sorted_ = false;           ///< what is left needs no more sorting
    bool skips_quiet_ = false;
    int selected_ = 0;
    std::size_t sorted_up_to_ = 0;  ///< not 0: the moves before it are sorted
    MoveCode promoted_ = kNoMove;
    std::size_t at_ = 0;
    MovesOf<G> moves_;
};

}  // namespace karikomi
