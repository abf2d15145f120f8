/// The reference: plain fail-soft alpha-beta to a fixed depth. No table, no ordering but the
/// generator's, no technique. Every result of the real search is checked against it.
#pragma once

#include <atomic>
#include <vector>

#include "karikomi/core/clock.hpp"
#include "karikomi/core/concepts.hpp"

namespace karikomi {

template <Game G> class Legacy {
public:
    using Move = typename G::Move;
    using Position = typename G::Position;

    struct Answer {
        Move move{};
        Value value = -kInfinity;
        std::uint64_t nodes = 0;
        bool finished = true;  ///< false: stopped, or out of nodes
    };

    explicit Legacy(const Position& pos, const std::atomic<bool>* stop = nullptr,
                    const Clock* clock = nullptr, std::uint64_t node_limit = 0,
                    typename G::Evaluator evaluator = typename G::Evaluator())
        : pos_(pos),
          evaluator_(std::move(evaluator)),
          stop_(stop),
          clock_(clock),
          node_limit_(node_limit) {
        adopt<G>(evaluator_, pos_);
    }

    /// Best of the legal moves at this depth, counted from the root.
    Answer best_move(Depth depth) {
        Answer a;
        best_ = Move{};
        a.value = search(-kInfinity, kInfinity, depth, 0);
        a.move = best_;
        a.nodes = nodes_;
        a.finished = !stopped_;
        return a;
    }

    Value search(Value alpha, Value beta, Depth depth, int ply) {
        if (enter_node(ply)) return 0;
        if (const auto v = pos_.outcome(ply)) return *v;
        static_assert(HorizonFor<typename G::Horizon, Legacy>);
        if (depth <= 0 || ply >= kMaxPly) return G::Horizon::search(*this, alpha, beta, ply);
        MovesOf<G> moves;
        generate_for_search<G>(pos_, moves);
        if (moves.empty()) return pos_.no_moves_value(ply);
        Value best = -kInfinity;
        for (const auto& m : moves) {
            make(m.move, ply);
            const Value v = -search(-beta, -alpha, depth - 1, ply + 1);
            unmake(m.move, ply);
            if (stopped_) return 0;
            if (v > best) {
                best = v;
                if (ply == 0) best_ = m.move;
                alpha = std::max(alpha, v);
                if (alpha >= beta) break;
            }
        }
        return best;
    }

    void set_quiescence(const QuiescenceParams& p) { quiescence_ = p; }

    // What a horizon may ask for, as of Worker.
    const QuiescenceParams& quiescence() const { return quiescence_; }
    Depth iteration() const { return 0; }
    Position& position() { return pos_; }
    Value evaluate() { return clamp_eval(evaluator_.evaluate(pos_)); }
    bool stopped() const { return stopped_; }
    bool enter_node(int /*ply*/) {
        if (is_out_of_limits()) stopped_ = true;
        nodes_ += stopped_ ? 0 : 1;
        return stopped_;
    }
    void make(Move m, int ply) {
        pos_.make(m, undo_[static_cast<std::size_t>(ply)]);
        if constexpr (HasIncrementalEvaluator<G>) evaluator_.after_make(pos_, m);
    }
    void unmake(Move m, int ply) {
        pos_.unmake(m, undo_[static_cast<std::size_t>(ply)]);
        if constexpr (HasIncrementalEvaluator<G>) evaluator_.after_unmake(pos_, m);
    }

private:
    bool is_out_of_limits() const {
        if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return true;
        if (node_limit_ > 0 && nodes_ >= node_limit_) return true;
        return clock_ != nullptr && nodes_ % 1024 == 0 && clock_->is_over();
    }

    Position pos_;
    typename G::Evaluator evaluator_;
    std::vector<typename G::Undo> undo_ = std::vector<typename G::Undo>(kStackSize);
    const std::atomic<bool>* stop_;
    const Clock* clock_;
    std::uint64_t node_limit_;
    QuiescenceParams quiescence_;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
    Move best_{};
};

}  // namespace karikomi
