/// One thread of a search: it owns its position, stack, histories and counters, and shares with the
/// others only the table, the stop flag, the clock and constant parameters.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "karikomi/core/clock.hpp"
#include "karikomi/core/correction.hpp"
#include "karikomi/core/frame.hpp"
#include "karikomi/core/history.hpp"
#include "karikomi/core/observer.hpp"
#include "karikomi/core/params.hpp"
#include "karikomi/core/picker.hpp"
#include "karikomi/core/quiescence.hpp"
#include "karikomi/core/selective/child_futility.hpp"
#include "karikomi/core/tt.hpp"

namespace karikomi {

/// What the threads of one search have in common.
struct Shared {
    TranspositionTable& tt;
    const SearchParams& params;
    Clock clock{};
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> nodes{0};  ///< reserved by all threads so far
    std::uint64_t node_limit = 0;         ///< 0: none
    int threads = 1;
};

/// The counters of one worker that are not a single technique's.
struct NodeStats {
    std::uint64_t nodes = 0;
    std::uint64_t cuts = 0;        ///< beta cut-offs in the move loop
    std::uint64_t first_cuts = 0;  ///< ... by the first move
    std::uint64_t tt_hits = 0;
    int seldepth = 0;

    NodeStats& operator+=(const NodeStats& o) {
        nodes += o.nodes, cuts += o.cuts, first_cuts += o.first_cuts, tt_hits += o.tt_hits;
        seldepth = std::max(seldepth, o.seldepth);
        return *this;
    }
    double first_move_cut_rate() const {
        return cuts == 0 ? 0.0 : static_cast<double>(first_cuts) / static_cast<double>(cuts);
    }
};

/// What happens at the root inside an iteration.
struct RootEvent {
    std::size_t index = 0;      ///< of the root move
    int number = 0;             ///< of the move in its order, from 1
    Bound bound = Bound::None;  ///< its new value is this; None: its search begins
    Depth depth = 0;
};

template <Game G> struct RootMove {
    typename G::Move move{};
    Value value = -kInfinity;
    Bound bound = Bound::None;  ///< None: not searched yet
    Depth depth = 0;            ///< of the iteration that the value comes from
    std::vector<typename G::Move> pv;
    std::uint64_t effort = 0;  ///< nodes spent on it in the last iteration
    Value mean = kNoValue;     ///< running mean of its values, kNoValue: none yet
    float square = 0.0f;       ///< ... and of their squares, with the sign of the value
    void add_value(Value v) {
        const float now = static_cast<float>(v) * static_cast<float>(std::abs(v));
        square = mean == kNoValue ? now : (square + now) / 2;
        mean = mean == kNoValue ? v : (mean + v) / 2;
    }
};

/// `Built` says which techniques are compiled in; tests compare a build without one against the
/// same technique switched off.
template <Game G, class Built = AllTechniques> class Worker {
public:
    using Move = typename G::Move;
    using Position = typename G::Position;

    explicit Worker(typename G::Evaluator evaluator = typename G::Evaluator())
        : evaluator_(std::move(evaluator)), frames_(kStackSize) {}

    /// Forgets everything learned in earlier games.
    void new_game();
    /// Gets ready for one search of `pos`. The shared part must outlive the search.
    void prepare(Shared& shared, const Position& pos);

    /// Searches the prepared position to a fixed depth with a given window, techniques and all, no
    /// iterative deepening: for verification, audits and tests. Uses ply 1, so that the techniques,
    /// which stay out of the root, may act.
    Value search_window(Value alpha, Value beta, Depth depth);

    /// Root moves from index `from` on, with PVS; the best one comes to that index.
    Value search_root(Value alpha, Value beta, Depth depth, std::size_t from, const Lineage& line);

    /// The node function: node.hpp.
    template <NodeKind K> Value search(Value alpha, Value beta, Depth depth, int ply, Lineage line);

    // For horizons and solvers.
    Position& position() { return pos_; }
    Value evaluate() {
        if constexpr (HasCostlyEvaluation<G>) return evaluate_once();
        return clamp_eval(evaluator_.evaluate(pos_));
    }
    /// Counts a node and tells whether the search must end.
    bool enter_node(int ply);
    bool stopped() const { return stopped_; }
    void resume() { stopped_ = false; }  ///< after a solver's attempt, between iterations
    void make(Move m, int ply, bool prefetch = false);  ///< prefetch: the table's entry
    void unmake(Move m, int ply);
    const QuiescenceParams& quiescence() const { return shared_->params.quiescence; }
    Depth iteration() const { return root_depth_; }  ///< depth of the search from the root
    /// What the table says about the node beyond the horizon at this ply.
    HorizonView view_horizon(int ply);
    void store_horizon(const HorizonView& view, TtData data, int ply);
    /// A static value with what the search learned about such positions.
    Value corrected(Value raw, int ply) const {
        return correction_.is_on() ? clamp_eval(raw + correction_.of(pos_, line_of(ply))) : raw;
    }
    /// Adds what histories say to the order of captures and evasions beyond the horizon.
    void order_horizon(std::span<ScoredMove<Move>> moves, int ply);
    /// Does this move take what the last one has moved?
    bool retakes(Move m, int ply) const;

    const NodeStats& stats() const { return stats_; }
    const SelectiveStats& selective_stats() const { return selective_stats_; }
    std::vector<RootMove<G>>& root_moves() { return root_moves_; }
    /// The principal variation of the last iteration.
    void set_last_line(const std::vector<Move>& line) {
        last_line_.clear();
        for (const Move m : line) last_line_.push_back(m.raw());
    }
    /// Calls this for every root move, on the worker's thread; empty: nobody.
    void watch_root(std::function<void(const RootEvent&)> watch) { watch_ = std::move(watch); }
    MoveCode best_of_last_window() const { return frames_[1].best; }
    void observe(Observer<G>* observer) { observer_ = observer; }

private:
    using HistoryContext = typename History<G>::Context;

    static constexpr bool has(Technique t) { return Built::has(t) && can_use<G>(t); }
    /// Is any technique compiled in? Where none is, the node has no trace of them.
    static constexpr bool kSelective = [] {
        for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
            if (has(Technique(i))) return true;
        }
        return false;
    }();
    template <class T> const typename T::Params& params() const {
        return shared_->params.selective.template of<T>();
    }
    template <class T> typename T::Stats& counters() { return selective_stats_.template of<T>(); }

    void poll();
    [[gnu::noinline]] NodeView look(Value alpha, Value beta, Depth depth, int ply, NodeKind kind,
                                    Value known_static);
    HistoryContext history_context(int ply) const;
    typename Correction<G>::Line line_of(int ply) const;
    bool gives_check(Move m) const {
        if constexpr (HasCheckMoves<G>) return pos_.gives_check(m);
        (void)m;
        return false;
    }
    /// The position at `ply` + 1, which is on the board, is worth this.
    void know_next(int ply, Value value) {
        Frame<G>& next = frames_[static_cast<std::size_t>(ply) + 1];
        next.known_key = pos_.key();
        next.known_value = value;
    }
    /// The static value, unless this frame has it: a probe comes to the same position again.
    Value evaluate_here(Frame<G>& f, Key key) {
        if (f.known_key != key || f.known_value == kNoValue) {
            f.known_value = evaluate();
            f.known_key = key;
        }
        return f.known_value;
    }
    [[gnu::noinline]] Value static_value_of_move(Move m, NodeView& n);
    Value evaluate_once();
    Value refine(const NodeView& n) const;
    Value horizon(Value alpha, Value beta, int ply, const Lineage& line);
    /// Is this all that a search of the node would find out?
    template <NodeKind K>
    bool table_decides(const TtData& entry, Value value, Value alpha, Value beta,
                       Depth depth) const {
        const NodeParams& p = shared_->params.node;
        const bool expected = depth >= p.table_agrees || (K == NodeKind::Cut) == (value >= beta);
        const Depth needed = depth + (p.table_deeper && value > beta ? 1 : 0);
        return entry.depth >= needed && expected && decides(entry.bound, value, alpha, beta);
    }
    /// Narrows the window to ends that can still come; nothing is left: a nearer one is known.
    bool no_win_is_nearer(Value& alpha, Value& beta, int ply) const {
        if (!shared_->params.node.mate_distance) return false;
        alpha = std::max(alpha, loss_in(ply));
        beta = std::min(beta, win_in(ply + 1));
        return alpha >= beta;
    }
    /// A value above beta, drawn towards it: the less so, the deeper the search that found it.
    Value blended(Value best, Value beta, Depth depth) const {
        if (!shared_->params.node.blend_cuts || is_decisive(best) || is_decisive(beta)) return best;
        return (best * depth + beta) / (depth + 1);
    }
    /// Does a node that failed low count as on a principal variation, because its parent does?
    bool spreads_pv(Depth depth, int ply) const {
        const NodeParams& p = shared_->params.node;
        return p.spread_pv && depth > p.spread_pv_above &&
               frames_[static_cast<std::size_t>(ply) - 1].table_pv;
    }
    /// Plies that a node with one reply does not use up.
    Depth forced_reply(const Lineage& line) const {
        if constexpr (HasForcedReply<G> && has(kTechnique<Singular>)) {
            const auto& p = params<Singular>();
            return p.enabled && line.extensions < p.max_extensions && pos_.has_forced_reply();
        }
        (void)line;
        return 0;
    }
    Value remember_win(const TranspositionTable::Writer& writer, Depth depth, int ply,
                       const Lineage& line) const;
    void remember_static(const NodeView& n, const TranspositionTable::Probe& tt,
                         const Lineage& line) const;
    /// How table moves do: +1 cut, -1 another cut, -2 others would have cut as well.
    void learn_table_move(int steps) {
        const int points = steps * params<Singular>().table_move_step;
        table_moves_ = static_cast<std::int16_t>(
            table_moves_ + points - table_moves_ * std::abs(points) / Singular::kTableMovesMost);
    }
    /// Least depth of a search with the open window after the table's move, whose entry is so deep:
    /// a line of play should not end where it is known to go on.
    Depth least_open(Depth known) const {
        return shared_->params.node.confirm_high && known > 1 ? 1 : 0;
    }
    /// `open`: the window is, and a line of play is wanted.
    bool wins_at_once(bool known, bool open) const {
        if constexpr (HasQuickWin<G>) {
            const NodeParams& p = shared_->params.node;
            if (known || !p.quick_win || (open && p.win_deeper == 0)) return false;
            return pos_.wins_at_once();
        }
        (void)known, (void)open;
        return false;
    }
    /// A null-window node of depth 1, all of it; nothing: it has to be searched as usual.
    [[gnu::noinline]] std::optional<Value> search_last_ply(Value beta, int ply, MoveCode first,
                                                           const TranspositionTable::Writer& writer,
                                                           Value raw_static);
    /// What part 4a of the node decides about a move.
    struct Judgement {
        bool skip = false;
        bool skip_rest = false;   ///< ... and all quiet moves after it
        Value most = -kInfinity;  ///< that a skipped move can be worth, as far as anybody knows
        Value move_value = kNoValue;
        int history = 0;  ///< that it was judged by
        Depth reduction = 0;
        bool late = false;                     ///< its reduction was asked for
        Technique by = kTechnique<LateMoves>;  ///< that skips it
    };
    [[gnu::noinline]] Judgement judge(Move m, NodeView& n, LateMoves::MoveFacts facts,
                                      const HistoryContext& context);
    [[gnu::noinline]] bool judge_late(Move m, const NodeView& n, const LateMoves::MoveFacts& facts,
                                      bool prunable, Judgement& j);
    /// Plies by which the first move of a node outside the PV is searched less deep; `history`
    /// becomes what it is judged by.
    Depth reduce_first(LateMoves::MoveFacts facts, Move m, const NodeView& n,
                       const HistoryContext& context, int& history);
    /// Plies less for the other moves of a PV node whose alpha has risen.
    Depth after_raise(Depth depth, Value value) const;
    /// Is the node at this ply where the last iteration's principal variation leads?
    bool continues_last_line(int ply) const {
        if (ply == 0) return true;
        const Frame<G>& parent = frames_[static_cast<std::size_t>(ply) - 1];
        const auto at = static_cast<std::size_t>(ply) - 1;
        return parent.follows_pv && at < last_line_.size() && last_line_[at] == parent.move;
    }
    int history_of(Move m, bool quiet, const HistoryContext& context) const;
    /// Fills in what histories say of a move that is to be judged.
    void add_histories(LateMoves::MoveFacts& facts, Move m, const HistoryContext& context) const;
    bool is_quiet(Move m) const {
        if constexpr (HasTactics<G>) return !pos_.is_tactical(m);
        (void)m;
        return true;
    }
    /// How a move is to be searched: part 4c of the node.
    struct MovePlan {
        int number = 1;  ///< of moves searched, this one included
        Depth next = 0;  ///< full depth after the move
        Depth reduction = 0;
        Value best = -kInfinity;  ///< of the moves before
        bool late = false;        ///< its depth is that of a late move
        Move move{};
        bool quiet = true;
        Value value_after = kNoValue;  ///< static, for the opponent, where it is known
        int count = 1;                 ///< of moves, those skipped included
        int history = 0;               ///< that it was judged by
        Depth least = 0;               ///< of a search with the open window
    };
    void plan_root_move(const NodeView& n, Move m, MovePlan& plan);
    NodeView look_at_root(Value alpha, Value beta, Depth depth, std::size_t from);
    /// In which order the root moves from `from` on are searched: their places.
    void order_root(Depth depth, std::size_t from);
    void learn_at_root(const NodeView& view, Value best, Value alpha, Value beta, Move best_move,
                       const FailedMoves<G>& failed);
    template <NodeKind K>
    Value play(Value alpha, Value beta, const MovePlan& plan, int ply, const Lineage& child,
               bool& opened);
    /// Value of the move just made; tells whether it was searched with the open window.
    template <NodeKind K>
    Value search_move(Value alpha, Value beta, const MovePlan& plan, int ply, const Lineage& child,
                      bool& opened);
    void record_cut(Technique t, const NodeView& n, Depth shallow, Value result);
    /// A move that is not searched claims that its value is not above alpha. `rest`: so do all the
    /// quiet ones that the picker has left.
    [[gnu::noinline]] void record_skips(const Judgement& j, Move m, const NodeView& n,
                                        const MovePicker<G>& picker);
    [[gnu::noinline]] void record_gain(const NodeView& n, Value static_value, Value value,
                                       Bound bound);
    /// Histories, after `best` has cut. `failed` are the moves before it.
    void learn(Move best, bool quiet, const FailedMoves<G>& failed, Depth depth, int ply,
               MoveCode table_move);
    void blame_parent(int ply, int points);
    void learn_from_table(MoveCode code, Depth depth, int ply);
    void learn_surprise(Depth depth, Value best, int ply);
    void learn_expectation(const NodeView& n, int ply);
    void learn_research(int ply);
    void learn_correction(const NodeView& n, Value best, Bound bound, bool quiet);

    template <class T, class Test>
    std::optional<Value> booked(const NodeView& n, const Depth& shallow, Test&& test);

    // One thin adaptor for each technique: builds its probe, books its nodes. techniques.hpp
    // Kept out of line: inside the node they would take its registers even when they are off.
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_futility(const NodeView&, int ply, const Lineage&);
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_null_move(const NodeView&, int ply, const Lineage&,
                                                         bool& tried);
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_probcut(const NodeView&, int ply, const Lineage&,
                                                       bool& tried,
                                                       const TranspositionTable::Writer&);
    [[gnu::noinline]] Depth try_hindsight(NodeView&, int ply, const Lineage&);
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_first_bet(const NodeView&, int ply, const Lineage&,
                                                         const TranspositionTable::Writer&,
                                                         bool& tried);
    /// In the search of the moves beside the table's.
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_bet_without(NodeView&, int ply, const Lineage&,
                                                           const TranspositionTable::Writer&);
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_second_bet(const NodeView&, int ply, const Lineage&,
                                                          const TranspositionTable::Writer&,
                                                          bool& tried);
    template <NodeKind K>
    [[gnu::noinline]] std::optional<Value> try_multi_probcut(const NodeView&, int ply,
                                                             const Lineage&);
    template <NodeKind K>
    [[gnu::noinline]] MoveCode try_iid(const NodeView&, int ply, const Lineage&, bool delayed);
    template <NodeKind K>
    [[gnu::noinline]] Singular::Verdict try_singular(const NodeView&, int ply, const Lineage&);
    Value probe_captures(const NodeView&, int ply, const Lineage&, Depth depth, Value bound,
                         MoveCode& reached);
    void book_iid(NodeKind kind, bool success) {
        Iid::book_result(kind, params<Iid>(), iid_memory_, counters<Iid>(), success);
    }
    Singular::Histories histories_for(MoveCode move, int ply) const;

    /// Depths at which any technique can act, so that a node with all of them off pays one test.
    struct Gate {
        Depth from = kNever;  ///< techniques that need depth
        Depth up_to = 0;      ///< techniques of the last plies, and gain measurement
        Depth reduce_from = kNever;
        bool needs_static = false;
        bool static_in_check = false;  ///< ... even there
        bool judges_nodes = false;     ///< futility of whole nodes
        bool judges_children = false;  ///< ... by what their parent knows of them
        bool needs_mobility = false;
        bool horizon_asks_table = false;
        bool last_ply_is_plain = false;  ///< nothing judges its moves: the game may do it alone
        bool is_open(Depth depth) const { return depth >= from || depth <= up_to; }
    };
    void set_gate();

    Shared* shared_ = nullptr;
    Position pos_{};
    typename G::Evaluator evaluator_;
    std::vector<Frame<G>> frames_;
    History<G> history_;
    Correction<G> correction_;
    struct Evaluated {
        Key key = 0;
        Value value = kNoValue;
    };
    std::vector<Evaluated> evaluated_;  ///< by the key's low bits; empty where that is no use
    Iid::Memory iid_memory_;
    LateMoves::Table late_table_;
    Gate gate_;
    Observer<G>* observer_ = nullptr;
    std::vector<RootMove<G>> root_moves_;
    std::vector<std::size_t> root_order_;
    std::array<double, kNever> usual_nodes_{};  ///< running mean of a node's cost by depth

    NodeStats stats_;
    SelectiveStats selective_stats_;
    int root_side_ = 0;
    Depth root_depth_ = 0;
    float pressure_ = 0.0f;
    float root_window_ = 1.0f;         ///< of the iteration
    std::vector<MoveCode> last_line_;  ///< principal variation of the last iteration
    std::int16_t table_moves_ = 0;     ///< how well table moves did of late
    int countdown_ = 0;                ///< nodes until the next poll
    std::function<void(const RootEvent&)> watch_;
    bool stopped_ = false;
};

}  // namespace karikomi

#include "karikomi/core/node.hpp"
#include "karikomi/core/root.hpp"
#include "karikomi/core/techniques.hpp"
#include "karikomi/core/worker_impl.hpp"
