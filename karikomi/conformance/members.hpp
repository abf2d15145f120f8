/// How the members of a game's types that make up its abilities are looked for by name: each entry
/// knows how the member is called, and whether a type has any member of that name.
///
/// `call` is valid where the member can be called so. `Name` has a member of the same name, so that
/// in a class that inherits from both the name is ambiguous exactly where the game's type has it
/// too, whatever its shape (`only_in`).
#pragma once

#include <utility>

namespace karikomi::conformance::members {

struct AllowsNullMove {
    struct Name {
        int allows_null_move;
    };
    template <class B> static auto only_in() -> decltype(&B::allows_null_move);
    template <class T> static auto call(T&& t) -> decltype(t.allows_null_move());
};
struct MakeNull {
    struct Name {
        int make_null;
    };
    template <class B> static auto only_in() -> decltype(&B::make_null);
    template <class T, class U> static auto call(T&& t, U&& u) -> decltype(t.make_null(u));
};
struct UnmakeNull {
    struct Name {
        int unmake_null;
    };
    template <class B> static auto only_in() -> decltype(&B::unmake_null);
    template <class T, class U> static auto call(T&& t, U&& u) -> decltype(t.unmake_null(u));
};
struct IsTactical {
    struct Name {
        int is_tactical;
    };
    template <class B> static auto only_in() -> decltype(&B::is_tactical);
    template <class T, class M> static auto call(T&& t, M&& m) -> decltype(t.is_tactical(m));
};
struct ExchangeValue {
    struct Name {
        int exchange_value;
    };
    template <class B> static auto only_in() -> decltype(&B::exchange_value);
    template <class T, class M> static auto call(T&& t, M&& m) -> decltype(t.exchange_value(m));
};
struct CaptureGain {
    struct Name {
        int capture_gain;
    };
    template <class B> static auto only_in() -> decltype(&B::capture_gain);
    template <class T, class M> static auto call(T&& t, M&& m) -> decltype(t.capture_gain(m));
};
struct Retakes {
    struct Name {
        int retakes;
    };
    template <class B> static auto only_in() -> decltype(&B::retakes);
    template <class T, class M>
    static auto call(T&& t, M&& m, M&& last) -> decltype(t.retakes(m, last));
};
struct GenerateTactical {
    struct Name {
        int generate_tactical;
    };
    template <class B> static auto only_in() -> decltype(&B::generate_tactical);
    template <class T, class L> static auto call(T&& t, L&& l) -> decltype(t.generate_tactical(l));
};
struct GenerateQuiet {
    struct Name {
        int generate_quiet;
    };
    template <class B> static auto only_in() -> decltype(&B::generate_quiet);
    template <class T, class L> static auto call(T&& t, L&& l) -> decltype(t.generate_quiet(l));
};
struct InCheck {
    struct Name {
        int in_check;
    };
    template <class B> static auto only_in() -> decltype(&B::in_check);
    template <class T> static auto call(T&& t) -> decltype(t.in_check());
};
struct ThreatOf {
    struct Name {
        int threat;
    };
    template <class B> static auto only_in() -> decltype(&B::threat);
    template <class T> static auto call(T&& t) -> decltype(t.threat());
};
struct GivesCheck {
    struct Name {
        int gives_check;
    };
    template <class B> static auto only_in() -> decltype(&B::gives_check);
    template <class T, class M> static auto call(T&& t, M&& m) -> decltype(t.gives_check(m));
};
struct PhaseOf {
    struct Name {
        int phase;
    };
    template <class B> static auto only_in() -> decltype(&B::phase);
    template <class T> static auto call(T&& t) -> decltype(t.phase());
};
struct AfterPass {
    struct Name {
        int after_pass;
    };
    template <class B> static auto only_in() -> decltype(&B::after_pass);
    template <class T> static auto call(T&& t) -> decltype(t.after_pass());
};
struct PieceCount {
    struct Name {
        int piece_count;
    };
    template <class B> static auto only_in() -> decltype(&B::piece_count);
    template <class T> static auto call(T&& t) -> decltype(t.piece_count());
};
struct Mobility {
    struct Name {
        int mobility;
    };
    template <class B> static auto only_in() -> decltype(&B::mobility);
    template <class T> static auto call(T&& t) -> decltype(t.mobility());
};
struct EvaluateMove {
    struct Name {
        int evaluate_move;
    };
    template <class B> static auto only_in() -> decltype(&B::evaluate_move);
    template <class T, class P, class M>
    static auto call(T&& t, P&& p, M&& m) -> decltype(t.evaluate_move(p, m));
};
struct Reset {
    struct Name {
        int reset;
    };
    template <class B> static auto only_in() -> decltype(&B::reset);
    template <class T, class P> static auto call(T&& t, P&& p) -> decltype(t.reset(p));
};
struct Adopt {
    struct Name {
        int adopt;
    };
    template <class B> static auto only_in() -> decltype(&B::adopt);
    template <class T, class P> static auto call(T&& t, P&& p) -> decltype(t.adopt(p));
};
struct AfterMake {
    struct Name {
        int after_make;
    };
    template <class B> static auto only_in() -> decltype(&B::after_make);
    template <class T, class P, class M>
    static auto call(T&& t, P&& p, M&& m) -> decltype(t.after_make(p, m));
};
struct AfterUnmake {
    struct Name {
        int after_unmake;
    };
    template <class B> static auto only_in() -> decltype(&B::after_unmake);
    template <class T, class P, class M>
    static auto call(T&& t, P&& p, M&& m) -> decltype(t.after_unmake(p, m));
};
struct HasForcedReply {
    struct Name {
        int has_forced_reply;
    };
    template <class B> static auto only_in() -> decltype(&B::has_forced_reply);
    template <class T> static auto call(T&& t) -> decltype(t.has_forced_reply());
};
struct GenerateCandidates {
    struct Name {
        int generate_candidates;
    };
    template <class B> static auto only_in() -> decltype(&B::generate_candidates);
    template <class T, class L>
    static auto call(T&& t, L&& l) -> decltype(t.generate_candidates(l));
};
struct WinsAtOnce {
    struct Name {
        int wins_at_once;
    };
    template <class B> static auto only_in() -> decltype(&B::wins_at_once);
    template <class T> static auto call(T&& t) -> decltype(t.wins_at_once());
};
struct CaptureKind {
    struct Name {
        int capture_kind;
    };
    template <class B> static auto only_in() -> decltype(&B::capture_kind);
    template <class T, class M> static auto call(T&& t, M&& m) -> decltype(t.capture_kind(m));
};
struct StructureKey {
    struct Name {
        int structure_key;
    };
    template <class B> static auto only_in() -> decltype(&B::structure_key);
    template <class T> static auto call(T&& t, int which) -> decltype(t.structure_key(which));
};
struct MovesLeft {
    struct Name {
        int moves_left;
    };
    template <class B> static auto only_in() -> decltype(&B::moves_left);
    template <class T> static auto call(T&& t) -> decltype(t.moves_left());
};
struct CountLeaves {
    struct Name {
        int count_leaves;
    };
    template <class B> static auto only_in() -> decltype(&B::count_leaves);
    template <class T> static auto call(T&& t, int depth) -> decltype(t.count_leaves(depth));
};
struct SetRules {
    struct Name {
        int set_rules;
    };
    template <class B> static auto only_in() -> decltype(&B::set_rules);
    template <class T, class R> static auto call(T&& t, R&& r) -> decltype(t.set_rules(r));
};

// Static members, called through an object all the same.
struct StandsAlone {
    struct Name {
        int stands_alone;
    };
    template <class B> static auto only_in() -> decltype(&B::stands_alone);
    template <class T> static auto call(T&& t, int depth) -> decltype(t.stands_alone(depth));
};
struct DepthOfLevel {
    struct Name {
        int depth_of_level;
    };
    template <class B> static auto only_in() -> decltype(&B::depth_of_level);
    template <class T, class P>
    static auto call(T&& t, P&& p, int level) -> decltype(t.depth_of_level(p, level));
};
struct Format {
    struct Name {
        int format;
    };
    template <class B> static auto only_in() -> decltype(&B::format);
    template <class T, class P> static auto call(T&& t, P&& p) -> decltype(t.format(p));
};
struct SituationOf {
    struct Name {
        int situation;
    };
    template <class B> static auto only_in() -> decltype(&B::situation);
    template <class T, class P> static auto call(T&& t, P&& p) -> decltype(t.situation(p));
};
struct Forbidden {
    struct Name {
        int forbidden;
    };
    template <class B> static auto only_in() -> decltype(&B::forbidden);
    template <class T, class P> static auto call(T&& t, P&& p) -> decltype(t.forbidden(p));
};
struct SetRule {
    struct Name {
        int set_rule;
    };
    template <class B> static auto only_in() -> decltype(&B::set_rule);
    template <class T, class R, class S>
    static auto call(T&& t, R&& r, S&& name, S&& value) -> decltype(t.set_rule(r, name, value));
};

// Constants of the game.
struct CostlyEvaluation {
    struct Name {
        int kCostlyEvaluation;
    };
    template <class B> static auto only_in() -> decltype(&B::kCostlyEvaluation);
    template <class T> static auto call(T&& t) -> decltype(t.kCostlyEvaluation);
};
struct CaptureKinds {
    struct Name {
        int kCaptureKinds;
    };
    template <class B> static auto only_in() -> decltype(&B::kCaptureKinds);
    template <class T> static auto call(T&& t) -> decltype(t.kCaptureKinds);
};
struct Structures {
    struct Name {
        int kStructures;
    };
    template <class B> static auto only_in() -> decltype(&B::kStructures);
    template <class T> static auto call(T&& t) -> decltype(t.kStructures);
};
struct FarHistory {
    struct Name {
        int kFarHistory;
    };
    template <class B> static auto only_in() -> decltype(&B::kFarHistory);
    template <class T> static auto call(T&& t) -> decltype(t.kFarHistory);
};

}  // namespace karikomi::conformance::members
