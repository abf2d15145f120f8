/// Makes an Engine of any game that also brings a Notation. A game's engine.cpp instantiates it,
/// and nothing else does: it is where all the templates are compiled.
#pragma once

#include <algorithm>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "karikomi/core/legacy.hpp"
#include "karikomi/core/searcher.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi {

template <class N, class G>
concept NotationOf = requires(const typename G::Position& pos, typename G::Move m,
                              std::string_view text) {
    { N::parse(text) } -> std::same_as<Expected<typename G::Position>>;
    { N::parse_move(pos, text) } -> std::same_as<Expected<typename G::Move>>;
    { N::format_move(pos, m) } -> std::same_as<std::string>;
    { N::split_moves(text) } -> std::same_as<std::vector<std::string>>;
    { N::draw(pos) } -> std::same_as<std::string>;
};

/// Writes a position as `parse` reads it. A notation that is a list of moves from the start does
/// not need it: the engine remembers the moves.
template <class N, class G>
concept WritesPositions = requires(const typename G::Position& pos) {
    { N::format(pos) } -> std::same_as<std::string>;
};

/// Has rules that can be set otherwise.
template <class G>
concept HasRules = requires(typename G::Rules& rules, typename G::Position pos,
                            std::string_view text) {
    { G::Notation::set_rule(rules, text, text) } -> std::same_as<Status>;
    {pos.set_rules(rules)};
};
struct NoRules {};
template <class G> struct RulesOf { using Type = NoRules; };
template <HasRules G> struct RulesOf<G> { using Type = typename G::Rules; };

/// Forbids some moves to one player, and tells which.
template <class G>
concept HasForbidden = requires(const typename G::Position& pos) {
    { G::Notation::forbidden(pos) } -> std::same_as<std::vector<std::string>>;
};

/// Says more of a position than its legal moves.
template <class G>
concept HasSituation = requires(const typename G::Position& pos) {
    { G::Notation::situation(pos) } -> std::same_as<Situation>;
};

/// Has a faster perft than make and unmake through the search's interface.
template <class P>
concept CountsLeaves = requires(P pos, Depth depth) {
    { pos.count_leaves(depth) } -> std::same_as<std::uint64_t>;
};

/// Knows how many moves the game can still have: every one fills a cell.
template <class P>
concept CountsMovesLeft = requires(const P& pos) {
    { pos.moves_left() } -> std::same_as<int>;
};

/// Weak levels misjudge what they see: by so much, as a standard deviation in evaluation units.
template <class G>
concept Misjudges = HasLevels<G> && requires(int level) {
    { G::misjudgement_of_level(level) } -> std::convertible_to<double>;
};

template <Game G>
requires NotationOf<typename G::Notation, G>
class GameEngine final : public Engine {
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Notation = typename G::Notation;

public:
    /// `shipped_params` is the text of the game's file in params/: a broken one is a broken build.
    GameEngine(GameInfo info, std::string_view shipped_params,
               typename G::Evaluator evaluator = typename G::Evaluator())
        : info_(std::move(info)), searcher_(Searcher<G>::kUsualMegabytes, std::move(evaluator)) {
        if (info_.name.empty()) info_.name = G::kName;  // a game may go by several names
        info_.evaluation = searcher_.evaluator().id();
        info_.stages = G::kStages;
        for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
            if (can_use<G>(Technique(i))) info_.techniques.push_back(Technique(i));
        }
        auto params = parse_params(shipped_params, info_);
        if (!params) throw std::logic_error("shipped parameters: " + params.error().what);
        searcher_.set_params(*params);
        (void)set_position({}, {});
    }

    const GameInfo& info() const override { return info_; }

    Status set_position(std::string_view text, std::string_view moves) override {
        auto parsed = Notation::parse(text);
        if (!parsed) return parsed.error();
        Position pos = *parsed;
        if constexpr (HasRules<G>) pos.set_rules(rules_);
        std::string played(text);
        int number = 0;
        for (const std::string& m : Notation::split_moves(moves)) {
            ++number;
            if (const Status s = play_on(pos, m, played); !s) {
                return Error{fmt::format("moves, move {}: {}", number, s.error().what),
                             s.error().remedy};
            }
        }
        pos_ = pos;
        text_ = std::move(played);
        return {};
    }
    Status play(std::string_view move) override { return play_on(pos_, move, text_); }

    std::string position_text() const override {
        if constexpr (WritesPositions<Notation, G>) return Notation::format(pos_);
        return text_;
    }
    std::string draw_board() const override { return Notation::draw(pos_); }
    int side_to_move() const override { return pos_.side(); }
    std::vector<std::string> legal_moves() const override {
        std::vector<std::string> out;
        for (const auto& m : legal(pos_)) out.push_back(Notation::format_move(pos_, m.move));
        return out;
    }
    std::optional<std::vector<std::string>> forbidden_moves() const override {
        if constexpr (HasForbidden<G>) return Notation::forbidden(pos_);
        return std::nullopt;
    }
    Situation situation() const override {
        if constexpr (HasSituation<G>) return Notation::situation(pos_);
        return {};
    }
    std::optional<Winner> winner() const override {
        std::optional<Value> v = pos_.outcome(0);
        if (!v && legal(pos_).empty()) v = pos_.no_moves_value(0);
        if (!v) return std::nullopt;
        if (*v == 0) return Winner::Nobody;
        const bool mover_wins = *v > 0;
        return mover_wins == (pos_.side() == 0) ? Winner::First : Winner::Second;
    }
    Value static_value() const override {
        auto evaluator = searcher_.evaluator();
        auto pos = pos_;
        adopt<G>(evaluator, pos);
        return evaluator.evaluate(pos);
    }
    int stage() const override { return pos_.stage(); }
    std::optional<int> moves_left() const override {
        if constexpr (CountsMovesLeft<Position>) return pos_.moves_left();
        return std::nullopt;
    }
    std::vector<PerftRow> perft(Depth depth) const override {
        std::vector<PerftRow> rows;
        for (const auto& m : legal(pos_)) {
            Position pos = pos_;
            typename G::Undo undo{};
            pos.make(m.move, undo);
            rows.push_back({Notation::format_move(pos_, m.move), count_leaves(pos, depth - 1)});
        }
        return rows;
    }

    Status set_params(const SearchParams& params) override {
        const std::string& fitted_for = params.calibration.evaluation();
        if (!fitted_for.empty() && fitted_for != info_.evaluation) {
            return Error{fmt::format("calibration was fitted for evaluation '{}', not '{}'",
                                     fitted_for, info_.evaluation),
                         "refit it"};
        }
        const Calibration& fitted = params.calibration;
        if (params.selective.of<MultiProbCut>().enabled && fitted.cells().empty() &&
            !fitted.smooth_model()) {
            return Error{"multi_probcut: there is no calibration, so it could never cut",
                         "fit one (docs/adding-a-game.md), or start from the source's: "
                         "\"calibration\": \"multi_probcut\""};
        }
        if (!fitted.laws() && asks_for_law(params.selective)) {
            return Error{"bound = quantile: the calibration has no law of errors",
                         "fit one: karikomi lab fit (--only-law keeps all other numbers)"};
        }
        if (!HasExchange<G> &&
            params.selective.of<ProbCut>().variant == ProbCut::Variant::Captures) {
            return Error{fmt::format("probcut.variant: {} has no captures", info_.name),
                         "use basic or staged"};
        }
        searcher_.set_params(params);
        return {};
    }
    const SearchParams& params() const override { return searcher_.params(); }
    void set_threads(int threads) override { searcher_.set_threads(threads); }
    void set_hash(std::size_t megabytes) override { searcher_.set_hash(megabytes); }
    void new_game() override { searcher_.new_game(); }
    Status set_rule(std::string_view name, std::string_view value) override {
        if constexpr (HasRules<G>) {
            auto rules = rules_;
            if (const Status s = Notation::set_rule(rules, name, value); !s) return s;
            rules_ = rules;
            pos_.set_rules(rules);
            searcher_.new_game();  // what was searched was searched by other rules
            return {};
        }
        return Engine::set_rule(name, value);
    }

    void arm(const SearchRequest& request) override {
        Limits limits = request.limits;
        plan_moves(limits);
        searcher_.arm(limits);
    }
    Expected<Result> search(const SearchRequest& request, const InfoSink& sink) override {
        Limits limits = request.limits;
        plan_moves(limits);
        for (const std::string& text : request.only_moves) {
            const auto m = Notation::parse_move(pos_, text);
            if (!m) {
                searcher_.disarm();
                return m.error();
            }
            limits.root_moves.push_back(m->raw());
        }
        if constexpr (HasLevels<G>) {
            if (limits.level >= 0) weaken(limits);
        }
        if (request.legacy) return search_plainly(limits, sink, request.stop);
        Observer<G> observer;
        observer.wants_gains = request.gains != nullptr;
        if (request.audit != nullptr) {
            observer.wants_cuts = true;
            observer.cut_capacity = request.audit->most;
            observer.seed = request.audit->seed;
            observer.by_stratum = request.audit->by_stratum;
        }
        const bool observed = observer.wants_gains || observer.wants_cuts;
        searcher_.main_worker().observe(observed ? &observer : nullptr);
        full_lines_ = request.full_lines;
        const auto pass_on = [&](const Iteration<G>& it) {
            if (sink) sink(to_info(it));
        };
        const auto found = searcher_.search(pos_, limits, pass_on, request.stop);
        searcher_.main_worker().observe(nullptr);
        if (request.gains != nullptr) *request.gains = std::move(observer.gains);
        if (request.audit != nullptr) check_cuts(observer, *request.audit, request.stop);
        Result result = to_result(found);
        if constexpr (Misjudges<G>) {
            if (limits.level >= 0) misjudge(G::misjudgement_of_level(limits.level), result);
        }
        return result;
    }
    void ponder_hit(const Limits* limits) override { searcher_.ponder_hit(limits); }

private:
    static bool asks_for_law(const SelectiveParams& p) {
        const auto asks = [](const auto& t) { return t.enabled && t.bound == BoundForm::Quantile; };
        return asks(p.of<MultiProbCut>()) || asks(p.of<ProbCut>());
    }
    static MovesOf<G> legal(const Position& pos) {
        MovesOf<G> moves;
        if (!pos.outcome(0)) pos.generate(moves);
        return moves;
    }
    static Status play_on(Position& pos, std::string_view text, std::string& played) {
        if (pos.outcome(0)) return Error{"the game is already over", "take back first"};
        const auto m = Notation::parse_move(pos, text);
        if (!m) return m.error();
        typename G::Undo undo{};
        if constexpr (!WritesPositions<Notation, G>) played += Notation::format_move(pos, *m);
        pos.make(*m, undo);
        return {};
    }
    static std::uint64_t count_leaves(Position& pos, Depth depth) {
        if (depth <= 0) return 1;
        if constexpr (CountsLeaves<Position>) return pos.count_leaves(depth);
        const auto moves = legal(pos);
        if (depth == 1) return moves.size();
        std::uint64_t n = 0;
        for (const auto& m : moves) {
            typename G::Undo undo{};
            pos.make(m.move, undo);
            n += count_leaves(pos, depth - 1);
            pos.unmake(m.move, undo);
        }
        return n;
    }

    /// A game that knows how many moves will still need time says so to the clock.
    void plan_moves(Limits& limits) const {
        if constexpr (requires { G::moves_to_plan(pos_); }) {
            if (limits.has_clock && limits.moves_to_go == 0) {
                limits.moves_to_go = G::moves_to_plan(pos_);
            }
        }
    }
    void weaken(Limits& limits) const {
        const Depth depth = G::depth_of_level(pos_, limits.level);
        limits.depth = limits.depth > 0 ? std::min(limits.depth, depth) : depth;
        if constexpr (Misjudges<G>) {
            constexpr int kLines = 24;  // moves that a misjudging player chooses from
            const bool sure = G::misjudgement_of_level(limits.level) <= 0;
            if (!sure) limits.multi_pv = std::max(limits.multi_pv, kLines);
        }
    }
    /// The line that looks best with an error on each becomes the first.
    void misjudge(double deviation, Result& result) {
        if (deviation <= 0 || result.lines.size() < 2) return;
        std::normal_distribution<double> error(0.0, deviation);
        auto best = result.lines.end();
        double most = 0;
        for (auto line = result.lines.begin(); line != result.lines.end(); ++line) {
            if (line->pv.empty() || line->bound == Bound::None) continue;
            const double value = line->value + error(dice_);
            if (best != result.lines.end() && value <= most) continue;
            best = line;
            most = value;
        }
        if (best == result.lines.end()) return;
        std::rotate(result.lines.begin(), best, best + 1);
        const auto& pv = result.lines.front().pv;
        result.best_move = pv.front();
        result.ponder_move = pv.size() > 1 ? pv[1] : std::string();
    }

    void check_cuts(const Observer<G>& observer, CutAudit& audit, const StopToken& stop) const {
        constexpr std::size_t kMegabytes = 32;
        audit.seen += observer.cuts_seen;
        if (audit.by_stratum) {
            for (const auto& [at, kept] : observer.strata) {
                audit.strata.push_back({at.technique, at.of_move, at.depth, kept.seen});
            }
        }
        if (observer.cuts.empty()) return;
        Searcher<G> full(kMegabytes, searcher_.evaluator());
        full.set_params(audit.full);
        Limits limits;
        limits.nodes = audit.check_nodes;
        for (const CutRecord<G>& cut : observer.cuts) {
            if (cut.depth > audit.deepest) continue;
            full.begin(limits);
            const auto listening = full.listen_to(stop);
            full.main_worker().prepare(full.shared(), cut.position);
            const Value bound = cut.high ? cut.beta : cut.alpha + 1;
            const Value v = full.main_worker().search_window(bound - 1, bound, cut.depth);
            if (stop.stop_requested()) return;  // half a search says nothing
            const bool finished = !full.main_worker().stopped();
            const bool wrong = finished && (cut.high ? v < cut.beta : v > cut.alpha);
            audit.checked.push_back({cut.technique, cut.stage, cut.depth, cut.shallow, cut.high,
                                     wrong, cut.of_move, finished});
        }
    }

    Line to_line(const SearchLine<G>& l) const {
        Line line;
        line.value = l.value, line.bound = l.bound, line.depth = l.depth;
        line.confidence = l.confidence, line.solved = l.solved;
        Position pos = pos_;
        for (const Move m : l.pv) {
            if (!pos.is_legal(m)) break;  // a table move of another position, at worst
            line.pv.push_back(Notation::format_move(pos, m));
            typename G::Undo undo{};
            pos.make(m, undo);
        }
        if (full_lines_ && l.bound == Bound::Exact) extend(pos, l.depth, line.pv);
        return line;
    }
    /// What the table thinks of the rest of a line, to the depth that was searched.
    void extend(Position& pos, Depth depth, std::vector<std::string>& pv) const {
        while (!pv.empty() && static_cast<Depth>(pv.size()) < depth && !pos.outcome(1)) {
            const MoveCode code = searcher_.table_move(pos.key());
            const auto moves = legal(pos);
            const auto m = std::find_if(moves.begin(), moves.end(), [&](const auto& x) {
                return code != kNoMove && x.move.raw() == code;
            });
            if (m == moves.end()) return;
            pv.push_back(Notation::format_move(pos, m->move));
            typename G::Undo undo{};
            pos.make(m->move, undo);
        }
    }
    /// A line of one move: the table may know the answer to it.
    void expect_answer(const SearchLine<G>& l, std::vector<std::string>& pv) const {
        Position pos = pos_;
        typename G::Undo undo{};
        pos.make(l.pv.front(), undo);
        extend(pos, 2, pv);
    }
    Info to_info(const Iteration<G>& it) const {
        return {to_line(it.line), it.multi_pv, it.stats.seldepth, it.nodes,
                it.total_nodes,   it.time_us,  it.fullness,       it.stats.first_move_cut_rate(),
                it.selective,     it.whole,    it.current_number};
    }
    Result to_result(const SearchResult<G>& found) const {
        Result r;
        for (const auto& l : found.lines) r.lines.push_back(to_line(l));
        if (!r.lines.empty()) {
            std::vector<std::string> pv = r.lines.front().pv;
            if (pv.size() == 1) expect_answer(found.lines.front(), pv);
            r.best_move = pv.front();
            if (pv.size() > 1) r.ponder_move = pv[1];
        }
        r.seldepth = found.stats.seldepth;
        r.nodes = found.nodes;
        r.time_us = found.time_us;
        r.hash_permille = searcher_.fullness();
        r.first_move_cut_rate = found.stats.first_move_cut_rate();
        r.techniques = found.selective;
        return r;
    }

    /// The reference search, deepened ply by ply so that it too can be stopped.
    Result search_plainly(const Limits& limits, const InfoSink& sink, const StopToken& stop) {
        searcher_.begin(limits);
        const auto listening = searcher_.listen_to(stop);
        Shared& shared = searcher_.shared();
        Result r;
        const auto moves = legal(pos_);
        if (moves.empty()) return r;
        r.best_move = Notation::format_move(pos_, moves[0].move);  // in case nothing is finished
        r.lines.emplace_back().pv = {r.best_move};
        const Depth last = limits.depth > 0 ? limits.depth : kMaxDepth;
        for (Depth depth = 1; depth <= last; ++depth) {
            if (limits.nodes > 0 && r.nodes >= limits.nodes) break;
            const std::uint64_t left = limits.nodes > 0 ? limits.nodes - r.nodes : 0;
            Legacy<G> plain(pos_, &shared.stop, &shared.clock, left, searcher_.evaluator());
            const auto answer = plain.best_move(depth);
            r.nodes += answer.nodes;
            if (!answer.finished) break;
            r.best_move = Notation::format_move(pos_, answer.move);
            Info info;
            info.line.value = answer.value;
            info.line.bound = Bound::Exact;
            info.line.depth = depth;
            info.line.pv = {r.best_move};
            r.lines = {info.line};
            info.seldepth = depth;
            info.nodes = answer.nodes;
            info.total_nodes = r.nodes;
            info.time_us = shared.clock.elapsed_us();
            if (sink) sink(info);
        }
        r.seldepth = r.lines.front().depth;
        r.time_us = shared.clock.elapsed_us();
        return r;
    }

    GameInfo info_;
    [[no_unique_address]] typename RulesOf<G>::Type rules_{};
    Position pos_{};
    bool full_lines_ = false;
    std::string text_;                              ///< of pos_, where the notation cannot write it
    std::mt19937_64 dice_{std::random_device()()};  ///< of weak play
    Searcher<G> searcher_;
};

}  // namespace karikomi
