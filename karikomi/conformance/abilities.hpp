/// Which abilities a game has, and which it nearly has: a member of the right name and the wrong
/// shape (not const, another result, other arguments) is lost without a word from the compiler.
#pragma once

#include <type_traits>

#include "karikomi/conformance/members.hpp"
#include "karikomi/conformance/report.hpp"
#include "karikomi/core/picker.hpp"
#include "karikomi/engine/game_engine.hpp"

namespace karikomi::conformance {

enum class Shape : std::uint8_t { Absent, Right, NotConst, WrongResult, WrongArguments };

/// What a member may return.
template <class R> struct Exactly {
    template <class T> static constexpr bool kAccepts = std::is_same_v<std::remove_cv_t<T>, R>;
};
template <class R> struct ConvertibleTo {
    template <class T> static constexpr bool kAccepts = std::is_convertible_v<T, R>;
};
struct Anything {
    template <class T> static constexpr bool kAccepts = true;
};

template <class T, class Name> struct Both : T, Name {};

/// Has the type any member of this name, also an overloaded or a private one?
template <class Member, class T> constexpr bool has_name() {
    if constexpr (std::is_class_v<T> && !std::is_final_v<T>) {
        return !requires {
            Member::template only_in<Both<T, typename Member::Name>>();
        };
    }
    return false;
}

template <class Member, class Object, class... Args>
concept Calls = requires(Object& object, Args... args) {
    Member::call(object, args...);
};

/// How `Member` looks when it is called on an `Object`, which may be const.
template <class Member, class Result, class Object, class... Args> constexpr Shape shape_of() {
    using Plain = std::remove_const_t<Object>;
    if constexpr (Calls<Member, Object, Args...>) {
        using R = decltype(Member::call(std::declval<Object&>(),
                                        std::declval<std::add_lvalue_reference_t<Args>>()...));
        return Result::template kAccepts<R> ? Shape::Right : Shape::WrongResult;
    } else if constexpr (Calls<Member, Plain, Args...>) {
        return Shape::NotConst;
    } else {
        return has_name<Member, Plain>() ? Shape::WrongArguments : Shape::Absent;
    }
}

/// A member that an ability needs: how it should be written, and how it was found.
struct Wanted {
    std::string_view declaration;  ///< "bool Position::is_tactical(Move) const"
    Shape shape = Shape::Absent;
};

inline std::string describe(const Wanted& w) {
    const std::string wanted = "'" + std::string(w.declaration) + "'";
    switch (w.shape) {
        case Shape::NotConst:
            return "the member is there but not const; write " + wanted;
        case Shape::WrongResult:
            return "the member is there but returns another type; write " + wanted;
        case Shape::WrongArguments:
            return "the member is there but cannot be called so, or is private; write " + wanted;
        case Shape::Absent:
            return "a part of it is missing: " + wanted;
        case Shape::Right:
            break;
    }
    return {};
}

/// `needs` names another ability without which this one does not count; empty where all is well.
inline Ability judge_ability(std::string_view name, std::string_view effect, bool found,
                             const std::vector<Wanted>& members, std::string_view needs = {}) {
    Ability a{std::string(name), std::string(effect), found, {}};
    bool any = false;
    for (const Wanted& w : members) any = any || w.shape != Shape::Absent;
    if (found || !any) return a;
    for (const Wanted& w : members) {
        if (w.shape != Shape::Right) a.near_misses.push_back(describe(w));
    }
    if (!needs.empty())
        a.near_misses.push_back("it counts only together with " + std::string(needs));
    return a;
}

/// The abilities of moves and captures.
template <Game G> void list_tactics(std::vector<Ability>& out) {
    using P = const typename G::Position;
    using Move = typename G::Move;
    const std::string_view tactics = HasTactics<G> ? "" : "HasTactics";
    out.push_back(judge_ability(
        "HasTactics", "futility and reductions spare tactical moves; without it all are quiet",
        HasTactics<G>,
        {{"bool Position::is_tactical(Move) const",
          shape_of<members::IsTactical, Exactly<bool>, P, Move>()}}));
    out.push_back(judge_ability("HasExchange", "losing captures last, ProbCut over captures",
                                HasExchange<G>,
                                {{"Value Position::exchange_value(Move) const",
                                  shape_of<members::ExchangeValue, Exactly<Value>, P, Move>()}},
                                tactics));
    out.push_back(judge_ability(
        "HasCaptureGain", "quiescence and futility know what a capture takes", HasCaptureGain<G>,
        {{"Value Position::capture_gain(Move) const",
          shape_of<members::CaptureGain, Exactly<Value>, P, Move>()}},
        tactics));
    out.push_back(judge_ability("HasRetakes", "quiescence spares captures of what has just moved",
                                HasRetakes<G>,
                                {{"bool Position::retakes(Move, Move) const",
                                  shape_of<members::Retakes, Exactly<bool>, P, Move, Move>()}}));
    out.push_back(judge_ability("HasCaptureKinds",
                                "histories for tactical moves (node.tactical_history)",
                                HasCaptureKinds<G>,
                                {{"int Position::capture_kind(Move) const",
                                  shape_of<members::CaptureKind, ConvertibleTo<int>, P, Move>()},
                                 {"static constexpr int Game::kCaptureKinds",
                                  shape_of<members::CaptureKinds, ConvertibleTo<int>, G>()}},
                                tactics));
    out.push_back(judge_ability("HasStagedGeneration", "quiet moves are generated only when needed",
                                HasStagedGeneration<G>,
                                {{"void Position::generate_tactical(MoveList&) const",
                                  shape_of<members::GenerateTactical, Anything, P, MovesOf<G>&>()},
                                 {"void Position::generate_quiet(MoveList&) const",
                                  shape_of<members::GenerateQuiet, Anything, P, MovesOf<G>&>()}},
                                tactics));
    out.push_back(judge_ability(
        "HasCheck", "techniques stay out of check", HasCheck<G>,
        {{"bool Position::in_check() const", shape_of<members::InCheck, Exactly<bool>, P>()}}));
    out.push_back(judge_ability(
        "HasThreats", "techniques can stay out of grave threats below check", HasThreats<G>,
        {{"Threat Position::threat() const", shape_of<members::ThreatOf, Exactly<Threat>, P>()}}));
    out.push_back(judge_ability("HasCheckMoves", "quiet moves that give check are not pruned",
                                HasCheckMoves<G>,
                                {{"bool Position::gives_check(Move) const",
                                  shape_of<members::GivesCheck, Exactly<bool>, P, Move>()}}));
    out.push_back(judge_ability("HasQuickWin", "a win by the next move is seen (node.quick_win)",
                                HasQuickWin<G>,
                                {{"bool Position::wins_at_once() const",
                                  shape_of<members::WinsAtOnce, Exactly<bool>, P>()}}));
    out.push_back(judge_ability("HasForcedReply", "one ply deeper where only one answer counts",
                                HasForcedReply<G>,
                                {{"bool Position::has_forced_reply() const",
                                  shape_of<members::HasForcedReply, Exactly<bool>, P>()}}));
    out.push_back(
        judge_ability("HasCandidates", "the search looks at these moves instead of all legal ones",
                      HasCandidates<G>,
                      {{"void Position::generate_candidates(MoveList&) const",
                        shape_of<members::GenerateCandidates, Anything, P, MovesOf<G>&>()}}));
}

/// The abilities of positions.
template <Game G> void list_positions(std::vector<Ability>& out) {
    using P = const typename G::Position;
    using Undo = typename G::Undo;
    out.push_back(
        judge_ability("HasNullMove", "null move", HasNullMove<G>,
                      {{"bool Position::allows_null_move() const",
                        shape_of<members::AllowsNullMove, Exactly<bool>, P>()},
                       {"void Position::make_null(Undo&)",
                        shape_of<members::MakeNull, Anything, typename G::Position, Undo&>()},
                       {"void Position::unmake_null(const Undo&)",
                        shape_of<members::UnmakeNull, Anything, typename G::Position, Undo&>()}}));
    out.push_back(judge_ability(
        "HasPhase", "opening and endgame values of ProbCut and singular extension", HasPhase<G>,
        {{"Phase Position::phase() const", shape_of<members::PhaseOf, Exactly<Phase>, P>()}}));
    out.push_back(judge_ability(
        "HasPass", "no Multi-ProbCut right after a pass", HasPass<G>,
        {{"bool Position::after_pass() const", shape_of<members::AfterPass, Exactly<bool>, P>()}}));
    out.push_back(judge_ability("HasPieceCount", "selective IID", HasPieceCount<G>,
                                {{"int Position::piece_count() const",
                                  shape_of<members::PieceCount, ConvertibleTo<int>, P>()}}));
    out.push_back(judge_ability("HasMobility", "selective IID", HasMobility<G>,
                                {{"int Position::mobility() const",
                                  shape_of<members::Mobility, ConvertibleTo<int>, P>()}}));
    out.push_back(judge_ability("HasStructures", "correction histories (node.correction)",
                                HasStructures<G>,
                                {{"Key Position::structure_key(int) const",
                                  shape_of<members::StructureKey, Exactly<Key>, P, int>()},
                                 {"static constexpr int Game::kStructures",
                                  shape_of<members::Structures, ConvertibleTo<int>, G>()}}));
    out.push_back(judge_ability(
        "CountsMovesLeft", "lab collect leaves out depths that see the end",
        CountsMovesLeft<typename G::Position>,
        {{"int Position::moves_left() const", shape_of<members::MovesLeft, Exactly<int>, P>()}}));
    out.push_back(judge_ability(
        "CountsLeaves", "a faster perft", CountsLeaves<typename G::Position>,
        {{"std::uint64_t Position::count_leaves(Depth)",
          shape_of<members::CountLeaves, Exactly<std::uint64_t>, typename G::Position, Depth>()}}));
}

/// The abilities of the evaluation, the ordering and the game as a whole.
template <Game G> void list_others(std::vector<Ability>& out) {
    using P = const typename G::Position;
    using E = typename G::Evaluator;
    using Move = typename G::Move;
    out.push_back(judge_ability(
        "HasMoveEvaluation", "futility on the value after the move", HasMoveEvaluation<G>,
        {{"Value Evaluator::evaluate_move(const Position&, Move)",
          shape_of<members::EvaluateMove, Exactly<Value>, E, P&, Move>()}}));
    out.push_back(judge_ability(
        "HasIncrementalEvaluator", "the evaluation hears of every move", HasIncrementalEvaluator<G>,
        {{"void Evaluator::reset(const Position&)", shape_of<members::Reset, Anything, E, P&>()},
         {"void Evaluator::after_make(const Position&, Move)",
          shape_of<members::AfterMake, Anything, E, P&, Move>()},
         {"void Evaluator::after_unmake(const Position&, Move)",
          shape_of<members::AfterUnmake, Anything, E, P&, Move>()}}));
    out.push_back(
        judge_ability("HasWeightsInPosition", "positions keep sums of the evaluator's weights",
                      HasWeightsInPosition<G>,
                      {{"void Evaluator::adopt(Position&) const",
                        shape_of<members::Adopt, Anything, const E, typename G::Position&>()}}));
    out.push_back(judge_ability("HasCostlyEvaluation", "each thread remembers its last values",
                                HasCostlyEvaluation<G>,
                                {{"static constexpr bool Game::kCostlyEvaluation",
                                  shape_of<members::CostlyEvaluation, Exactly<bool>, G>()}}));
    out.push_back(judge_ability("WantsFarHistory", "continuation history at four plies",
                                WantsFarHistory<G>,
                                {{"static constexpr bool Game::kFarHistory",
                                  shape_of<members::FarHistory, Exactly<bool>, G>()}}));
    out.push_back(judge_ability("OrdersByEvaluator", "orders moves with the evaluator's help",
                                OrdersByEvaluator<G>, {}));
    out.push_back(judge_ability(
        "OrdersAlone", "the game's own order without killers and histories", OrdersAlone<G>,
        {{"static bool Ordering::stands_alone(Depth)",
          shape_of<members::StandsAlone, Exactly<bool>, typename G::Ordering, Depth>()}}));
    out.push_back(
        judge_ability("HasLastPly", "the last ply without making moves", HasLastPly<G>, {}));
    out.push_back(judge_ability("HasSolver", "finishes positions by itself", HasSolver<G>, {}));
    out.push_back(
        judge_ability("HasLevels", "strength levels", HasLevels<G>,
                      {{"static Depth Game::depth_of_level(const Position&, int)",
                        shape_of<members::DepthOfLevel, ConvertibleTo<Depth>, G, P&, int>()}}));
}

/// What the notation can do beyond reading and writing moves.
template <Game G> void list_notation(std::vector<Ability>& out) {
    using P = const typename G::Position;
    using N = typename G::Notation;
    using Rules = typename RulesOf<G>::Type;
    out.push_back(judge_ability("WritesPositions",
                                "writes positions; otherwise a position is its list of moves",
                                WritesPositions<N, G>,
                                {{"static std::string Notation::format(const Position&)",
                                  shape_of<members::Format, Exactly<std::string>, N, P&>()}}));
    out.push_back(judge_ability("HasSituation", "says more of a position than its legal moves",
                                HasSituation<G>,
                                {{"static Situation Notation::situation(const Position&)",
                                  shape_of<members::SituationOf, Exactly<Situation>, N, P&>()}}));
    out.push_back(judge_ability(
        "HasForbidden", "moves that a rule forbids to one player are shown", HasForbidden<G>,
        {{"static std::vector<std::string> Notation::forbidden(const Position&)",
          shape_of<members::Forbidden, Exactly<std::vector<std::string>>, N, P&>()}}));
    out.push_back(judge_ability(
        "HasRules", "rules that players choose", HasRules<G>,
        {{"static Status Notation::set_rule(Game::Rules&, std::string_view, std::string_view)",
          shape_of<members::SetRule, Exactly<Status>, N, Rules&, std::string_view,
                   std::string_view>()},
         {"void Position::set_rules(const Game::Rules&)",
          shape_of<members::SetRules, Anything, typename G::Position, Rules&>()}}));
}

template <Game G> std::vector<Ability> list_abilities() {
    std::vector<Ability> out;
    list_tactics<G>(out);
    list_positions<G>(out);
    list_others<G>(out);
    if constexpr (requires { typename G::Notation; }) list_notation<G>(out);
    return out;
}

}  // namespace karikomi::conformance
