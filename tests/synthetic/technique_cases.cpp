#include "tests/synthetic/technique_cases.hpp"

#include <stdexcept>

namespace karikomi::synthetic {
namespace {

/// Wrong moves cost little, the ordering knows little, and every ability turns up: techniques have
/// something to do, and their bets may go wrong.
constexpr Config kMessy{.rho = 0.98,
                        .drift = 10.0,
                        .tau = 40.0,
                        .gap = 0.5,
                        .gap_extra = 4.0,
                        .branching = 6,
                        .ordering = 0.4,
                        .tempo = 20.0,
                        .check_share = 0.05,
                        .pass_share = 0.05,
                        .tactical_share = 0.3};

/// Random moves from the empty board, until the game is not over after this many.
connect_four::Position random_position(std::uint64_t seed, int stones) {
    while (true) {
        connect_four::Position pos;
        while (!pos.outcome(0) && pos.stones() < stones) {
            seed = splitmix64(seed);
            const auto m = connect_four::Move::from_column(static_cast<int>(seed % 7));
            connect_four::Undo undo;
            if (pos.is_legal(m)) pos.make(m, undo);
        }
        if (!pos.outcome(0)) return pos;
    }
}

SelectiveParams& enable(SelectiveParams& s, Technique t) {
    s.enabled(t) = true;
    return s;
}

ProbCut::Params& probcut(SelectiveParams& s) {
    ProbCut::Params& p = enable(s, kTechnique<ProbCut>).of<ProbCut>();
    p.min_depth = 5;
    p.depth_reduction = 3;
    p.t = 1.0f;
    p.stage_t = {1.2f, 1.0f, 0.8f};
    p.by_phase = false;
    return p;
}

MultiProbCut::Params& mpc(SelectiveParams& s) {
    MultiProbCut::Params& p = enable(s, kTechnique<MultiProbCut>).of<MultiProbCut>();
    p.t = 1.0f;
    p.pair_shallow = {1, 2, 5};
    p.pair_deep = {3, 5, 7};
    return p;
}

Iid::Params& iid(SelectiveParams& s) {
    return enable(s, kTechnique<Iid>).of<Iid>();
}

void iid_preset(SelectiveParams& s, std::string_view wanted) {
    iid(s).presets([&](std::string_view name, auto&& apply) {
        if (name == wanted) apply();
    });
}

Singular::Params& singular(SelectiveParams& s) {
    Singular::Params& p = enable(s, kTechnique<Singular>).of<Singular>();
    p.min_depth = 4;
    p.margin_base = 10;
    p.margin_slope = 1;
    p.by_phase = false;
    return p;
}

NullMove::Params& null_move(SelectiveParams& s) {
    NullMove::Params& p = enable(s, kTechnique<NullMove>).of<NullMove>();
    p.verify_depth = kNever;
    return p;
}

LateMoves::Params& late_moves(SelectiveParams& s) {
    LateMoves::Params& p = enable(s, kTechnique<LateMoves>).of<LateMoves>();
    p.full_moves = 1;  // tactical moves come early
    return p;
}

/// Makes the nodes ask for static values, and never cuts.
void ask_for_static(SelectiveParams& p) {
    Futility::Params& f = enable(p, kTechnique<Futility>).of<Futility>();
    f.max_depth = 0;
    f.reverse_max_depth = 8;
    f.reverse_margin = 20'000;
}

std::uint64_t sum(const std::array<std::uint64_t, MultiProbCut::kPairs>& a) {
    std::uint64_t total = 0;
    for (const std::uint64_t n : a) total += n;
    return total;
}

// ---- The variants, one list a technique -----------------------------------------------------

using P = SelectiveParams;
using S = SelectiveStats;

std::vector<Variant> probcut_variants() {
    return {
        {"probcut_basic", kTechnique<ProbCut>, [](P& p) { probcut(p); },
         [](const S& s) { return std::min(s.of<ProbCut>().cut_high, s.of<ProbCut>().cut_low); }},
        {"probcut_by_phase", kTechnique<ProbCut>, [](P& p) { probcut(p).by_phase = true; },
         [](const S& s) { return s.of<ProbCut>().succeeded; }, "probcut_basic"},
        {"probcut_quantile", kTechnique<ProbCut>,
         [](P& p) { probcut(p).bound = BoundForm::Quantile; },
         [](const S& s) { return s.of<ProbCut>().succeeded; }, "probcut_basic"},
        {"probcut_staged", kTechnique<ProbCut>,
         [](P& p) { probcut(p).variant = ProbCut::Variant::Staged; },
         [](const S& s) { return s.of<ProbCut>().cut_high; }, "probcut_basic"},
        {"probcut_captures", kTechnique<ProbCut>,
         [](P& p) { probcut(p).variant = ProbCut::Variant::Captures; },
         [](const S& s) { return s.of<ProbCut>().cut_high; }, "probcut_basic", true},
        {"probcut_pv_nodes", kTechnique<ProbCut>, [](P& p) { probcut(p).pv_nodes = true; },
         [](const S& s) { return s.of<ProbCut>().succeeded; }, "probcut_basic"},
        {"probcut_after_null_move", kTechnique<ProbCut>, [](P& p) { probcut(p), null_move(p); },
         [](const S& s) { return std::min(s.of<ProbCut>().succeeded, s.of<NullMove>().succeeded); },
         "probcut_basic", false, true},
        {"probcut_before_null_move", kTechnique<ProbCut>,
         [](P& p) { probcut(p).before_null_move = true, null_move(p); },
         [](const S& s) { return std::min(s.of<ProbCut>().succeeded, s.of<NullMove>().succeeded); },
         "probcut_after_null_move", false, true},
    };
}

std::vector<Variant> mpc_variants() {
    return {
        {"mpc_pairs_null", kTechnique<MultiProbCut>, [](P& p) { mpc(p); },
         [](const S& s) {
             return std::min(sum(s.of<MultiProbCut>().pair_high),
                             sum(s.of<MultiProbCut>().pair_low));
         }},
        {"mpc_pairs_full", kTechnique<MultiProbCut>,
         [](P& p) { mpc(p).window = MultiProbCut::Window::Full; },
         [](const S& s) {
             return std::min(s.of<MultiProbCut>().cut_high, s.of<MultiProbCut>().cut_low);
         },
         "mpc_pairs_null"},
        {"mpc_model_null", kTechnique<MultiProbCut>,
         [](P& p) { mpc(p).mode = MultiProbCut::Mode::Model; },
         [](const S& s) {
             return std::min(s.of<MultiProbCut>().cut_high, s.of<MultiProbCut>().cut_low);
         },
         "mpc_pairs_null"},
        {"mpc_model_full", kTechnique<MultiProbCut>,
         [](P& p) {
             mpc(p).mode = MultiProbCut::Mode::Model;
             p.of<MultiProbCut>().window = MultiProbCut::Window::Full;
         },
         [](const S& s) {
             return std::min(s.of<MultiProbCut>().cut_high, s.of<MultiProbCut>().cut_low);
         },
         "mpc_model_null"},
        {"mpc_pairs_quantile", kTechnique<MultiProbCut>,
         [](P& p) { mpc(p).bound = BoundForm::Quantile; },
         [](const S& s) { return s.of<MultiProbCut>().succeeded; }, "mpc_pairs_null"},
        {"mpc_model_quantile", kTechnique<MultiProbCut>,
         [](P& p) {
             mpc(p).mode = MultiProbCut::Mode::Model;
             p.of<MultiProbCut>().bound = BoundForm::Quantile;
         },
         [](const S& s) { return s.of<MultiProbCut>().succeeded; }, "mpc_model_null"},
        {"mpc_static_gate", kTechnique<MultiProbCut>, [](P& p) { mpc(p).static_gate = true; },
         [](const S& s) { return s.of<MultiProbCut>().succeeded; }, "mpc_pairs_null"},
        {"mpc_nesting_1", kTechnique<MultiProbCut>, [](P& p) { mpc(p).max_nesting = 1; },
         [](const S& s) { return s.of<MultiProbCut>().succeeded; }, "mpc_pairs_null"},
        {"mpc_pv_nodes", kTechnique<MultiProbCut>, [](P& p) { mpc(p).pv_nodes = true; },
         [](const S& s) { return s.of<MultiProbCut>().succeeded; }, "mpc_pairs_null"},
    };
}

std::vector<Variant> iid_variants() {
    return {
        {"iid_search", kTechnique<Iid>, [](P& p) { iid(p); },
         [](const S& s) { return s.of<Iid>().succeeded; }},
        {"iid_adaptive", kTechnique<Iid>, [](P& p) { iid(p).adaptive = true; },
         [](const S& s) { return s.of<Iid>().succeeded; }, "iid_search"},
        {"iid_multi_level", kTechnique<Iid>, [](P& p) { iid(p).multi_level = true; },
         [](const S& s) { return s.of<Iid>().succeeded; }, "iid_search"},
        {"iid_selective", kTechnique<Iid>, [](P& p) { iid(p).selective = true; },
         [](const S& s) { return s.of<Iid>().succeeded; }, "iid_search"},
        {"iid_delayed", kTechnique<Iid>,
         [](P& p) { iid(p).delayed = true, p.of<Iid>().delayed_min_depth = 5; },
         [](const S& s) { return s.of<Iid>().delayed; }, "iid_search"},
        // With the table trusted only at full depth the next iteration looks again, and remembers.
        {"iid_cached", kTechnique<Iid>,
         [](P& p) { iid(p).cached = true, p.of<Iid>().tt_margin = 0; },
         [](const S& s) { return s.of<Iid>().cache_hits; }, "iid_search"},
        {"iid_reduce", kTechnique<Iid>, [](P& p) { iid(p).variant = Iid::Variant::Reduce; },
         [](const S& s) { return s.of<Iid>().reduced; }, "iid_search"},
        {"iid_conservative", kTechnique<Iid>, [](P& p) { iid_preset(p, "conservative"); },
         [](const S& s) { return s.of<Iid>().attempts[0]; }, "iid_search"},
        {"iid_balanced", kTechnique<Iid>, [](P& p) { iid_preset(p, "balanced"); },
         [](const S& s) { return s.of<Iid>().succeeded; }},
        {"iid_aggressive", kTechnique<Iid>, [](P& p) { iid_preset(p, "aggressive"); },
         [](const S& s) { return s.of<Iid>().succeeded; }, "iid_search"},
    };
}

std::vector<Variant> futility_variants() {
    return {
        {"futility", kTechnique<Futility>,
         [](P& p) {
             Futility::Params& f = enable(p, kTechnique<Futility>).of<Futility>();
             f.self_first = f.self_second = {0, 30, 50, 70};
             f.opponent_first = f.opponent_second = {0, 50, 80, 110};
         },
         [](const S& s) {
             return std::min(s.of<Futility>().pruned_self, s.of<Futility>().pruned_opponent);
         }},
        {"futility_reverse", kTechnique<Futility>,
         [](P& p) {
             Futility::Params& f = enable(p, kTechnique<Futility>).of<Futility>();
             f.max_depth = 0;
             f.reverse_max_depth = 4;
             f.reverse_margin = 20;
         },
         [](const S& s) { return s.of<Futility>().reversed; }},
        {"futility_razor", kTechnique<Futility>,
         [](P& p) {
             Futility::Params& f = enable(p, kTechnique<Futility>).of<Futility>();
             f.max_depth = 0;
             f.razor_max_depth = 3;
             f.razor_base = 10;
             f.razor_slope = 5;
         },
         [](const S& s) { return s.of<Futility>().razored; }},
        {"futility_late", kTechnique<Futility>,
         [](P& p) {
             Futility::Params& f = enable(p, kTechnique<Futility>).of<Futility>();
             f.self_first = f.self_second = {0, 30, 50, 70};
             f.opponent_first = f.opponent_second = {0, 50, 80, 110};
             f.late_max_depth = 2;
             f.late_base = 0;
             f.late_slope = 10;
         },
         [](const S& s) { return s.of<Futility>().late; }, "futility"},
    };
}

std::vector<Variant> singular_and_null_variants() {
    return {
        {"singular", kTechnique<Singular>, [](P& p) { singular(p).multi_cut = false; },
         [](const S& s) { return s.of<Singular>().extended; }},
        {"singular_double", kTechnique<Singular>,
         [](P& p) {
             singular(p).multi_cut = false;
             p.of<Singular>().double_extension = true;
             p.of<Singular>().double_margin = 20;
         },
         [](const S& s) { return s.of<Singular>().doubled; }, "singular"},
        {"singular_by_phase", kTechnique<Singular>,
         [](P& p) { singular(p).multi_cut = false, p.of<Singular>().by_phase = true; },
         [](const S& s) { return s.of<Singular>().extended; }, "singular"},
        {"singular_history_filter", kTechnique<Singular>,
         [](P& p) { singular(p).multi_cut = false, p.of<Singular>().history_filter = true; },
         [](const S& s) { return s.of<Singular>().extended; }, "singular"},
        {"singular_multi_cut", kTechnique<Singular>, [](P& p) { singular(p).multi_cut = true; },
         [](const S& s) { return s.of<Singular>().multi_cut; }, "singular"},
        {"null_move", kTechnique<NullMove>, [](P& p) { null_move(p); },
         [](const S& s) { return s.of<NullMove>().succeeded; }, "", false, true},
        {"null_move_verified", kTechnique<NullMove>, [](P& p) { null_move(p).verify_depth = 4; },
         [](const S& s) { return std::min(s.of<NullMove>().verified, s.of<NullMove>().refuted); },
         "null_move", false, true},
    };
}

std::vector<Variant> late_variants() {
    return {
        {"late_moves", kTechnique<LateMoves>, [](P& p) { late_moves(p); },
         [](const S& s) {
             return std::min(s.of<LateMoves>().succeeded, s.of<LateMoves>().researched);
         }},
        {"late_moves_pruning", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).prune_max_depth = 2;
             p.of<LateMoves>().prune_base = 1;
         },
         [](const S& s) { return s.of<LateMoves>().pruned; }, "late_moves"},
        {"late_moves_exchange", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).exchange_max_depth = 4;
             p.of<LateMoves>().min_depth = kNever;  // no reductions: nothing else acts
             p.of<LateMoves>().exchange_quiet = 1;
             p.of<LateMoves>().exchange_tactical = 10;
         },
         [](const S& s) { return s.of<LateMoves>().by_exchange; }, "late_moves", true},
        {"late_moves_history", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).history_max_depth = 6;
             p.of<LateMoves>().history_least = -10;
         },
         [](const S& s) { return s.of<LateMoves>().by_history; }, "late_moves"},
        {"late_moves_trend", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).not_improving = 1.0f;
             ask_for_static(p);
         },
         [](const S& s) { return s.of<LateMoves>().succeeded; }, "late_moves"},
        {"late_moves_tactical", kTechnique<LateMoves>, [](P& p) { late_moves(p).tactical = true; },
         [](const S& s) { return s.of<LateMoves>().succeeded; }, "late_moves"},
    };
}

/// The forms of modern searches, each against the plain form of its technique.
std::vector<Variant> modern_variants() {
    const auto reduced = [](const S& s) { return s.of<LateMoves>().succeeded; };
    return {
        {"late_moves_in_check", kTechnique<LateMoves>, [](P& p) { late_moves(p).in_check = true; },
         reduced, "late_moves", false, false, true},
        {"late_moves_extra", kTechnique<LateMoves>, [](P& p) { late_moves(p).extra = 1.0f; },
         reduced, "late_moves"},
        {"late_moves_cut_without_move", kTechnique<LateMoves>,
         [](P& p) { late_moves(p).cut_without_move = 1.0f; }, reduced, "late_moves"},
        {"late_moves_table_pv", kTechnique<LateMoves>, [](P& p) { late_moves(p).table_pv = -2.0f; },
         reduced, "late_moves"},
        {"late_moves_child_cuts", kTechnique<LateMoves>,
         [](P& p) { late_moves(p).child_cuts = 1.0f; }, reduced, "late_moves"},
        {"late_moves_expect_cut", kTechnique<LateMoves>,
         [](P& p) { late_moves(p).expect_cut = true; }, reduced, "late_moves"},
        {"late_moves_deeper", kTechnique<LateMoves>, [](P& p) { late_moves(p).deeper = 5; },
         [](const S& s) { return s.of<LateMoves>().deeper; }, "late_moves"},
        {"late_moves_shallower", kTechnique<LateMoves>, [](P& p) { late_moves(p).shallower = 10; },
         [](const S& s) { return s.of<LateMoves>().shallower; }, "late_moves"},
        {"late_moves_skip_rest", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).prune_max_depth = 2;
             p.of<LateMoves>().prune_base = 1;
             p.of<LateMoves>().skip_rest = true;
         },
         [](const S& s) { return s.of<LateMoves>().pruned; }, "late_moves_pruning", false, false,
         true},
        {"late_moves_prune_pv", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).prune_max_depth = 2;
             p.of<LateMoves>().prune_base = 1;
             p.of<LateMoves>().prune_pv = true;
         },
         [](const S& s) { return s.of<LateMoves>().pruned; }, "late_moves_pruning"},
        {"late_moves_prune_in_check", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).prune_max_depth = 2;
             p.of<LateMoves>().prune_base = 1;
             p.of<LateMoves>().prune_in_check = true;
         },
         [](const S& s) { return s.of<LateMoves>().pruned; }, "late_moves_pruning", false, false,
         true},
        {"late_moves_judge_plainly", kTechnique<LateMoves>,
         [](P& p) {
             late_moves(p).history_max_depth = 6;
             p.of<LateMoves>().history_least = -10;
             p.of<LateMoves>().judge_plainly = true;
         },
         [](const S& s) { return s.of<LateMoves>().by_history; }, "late_moves_history"},
    };
}

std::vector<Variant> modern_node_variants() {
    return {
        {"singular_exact_entries", kTechnique<Singular>,
         [](P& p) { singular(p).multi_cut = false, p.of<Singular>().exact_entries = true; },
         [](const S& s) { return s.of<Singular>().extended; }, "singular"},
        {"singular_triple", kTechnique<Singular>,
         [](P& p) {
             singular(p).multi_cut = false;
             p.of<Singular>().double_extension = p.of<Singular>().triple_extension = true;
             p.of<Singular>().double_margin = 20;
             p.of<Singular>().triple_margin = 30;
         },
         [](const S& s) { return s.of<Singular>().tripled; }, "singular_double"},
        {"singular_negative", kTechnique<Singular>,
         [](P& p) {
             singular(p).multi_cut = false;
             p.of<Singular>().negative = p.of<Singular>().negative_cut = 1;
         },
         [](const S& s) { return s.of<Singular>().negative; }, "singular"},
        {"singular_not_in_all_nodes", kTechnique<Singular>,
         [](P& p) { singular(p).multi_cut = false, p.of<Singular>().all_nodes = false; },
         [](const S& s) { return s.of<Singular>().extended; }, "singular"},
        {"probcut_captures_stored", kTechnique<ProbCut>,
         [](P& p) {
             probcut(p).variant = ProbCut::Variant::Captures;
             p.of<ProbCut>().store = true;
         },
         [](const S& s) { return s.of<ProbCut>().cut_high; }, "probcut_captures", true},
        {"probcut_small", kTechnique<ProbCut>, [](P& p) { probcut(p).small_margin = 20; },
         [](const S& s) { return s.of<ProbCut>().by_table; }, "probcut_basic"},
        {"probcut_beside_null_move", kTechnique<ProbCut>,
         [](P& p) { probcut(p).exclusive = false, null_move(p); },
         [](const S& s) { return std::min(s.of<ProbCut>().succeeded, s.of<NullMove>().succeeded); },
         "probcut_after_null_move", false, true},
        {"null_move_cut_nodes_only", kTechnique<NullMove>,
         [](P& p) { null_move(p).cut_nodes_only = true; },
         [](const S& s) { return s.of<NullMove>().succeeded; }, "null_move", false, true},
        {"iid_not_in_all_nodes", kTechnique<Iid>, [](P& p) { iid(p).all_nodes = false; },
         [](const S& s) { return s.of<Iid>().succeeded; }, "iid_search"},
        {"iid_non_pv_deeper", kTechnique<Iid>, [](P& p) { iid(p).non_pv_depth = 2; },
         [](const S& s) { return s.of<Iid>().succeeded; }, "iid_search"},
        {"hindsight", kTechnique<Hindsight>,
         [](P& p) {
             enable(p, kTechnique<Hindsight>).of<Hindsight>() = {true, 1, 1, 10};
             late_moves(p);
             ask_for_static(p);
         },
         [](const S& s) { return std::min(s.of<Hindsight>().deeper, s.of<Hindsight>().shallower); },
         "", false, false, true},
    };
}

/// A smooth model beside the cells, for Multi-ProbCut's second mode.
Calibration with_model(const Calibration& cells, int stages, double sigma) {
    CalibrationModel m;
    m.log_sigma[0] = std::log(sigma);
    // Heavy tails, another one on each side; only the forms with bound = quantile read them.
    ErrorLaws laws;
    for (ErrorLaw* law : {&laws.cells, &laws.model}) {
        law->high = {TailForm::Power, {-0.2}, {-1.5}, {-5}};
        law->low = {TailForm::Sinh, {-0.3}, {-0.5}, {-6}};
    }
    return Calibration(stages, cells.cells(), m, "", laws);
}

}  // namespace

template <> const std::vector<Position>& Arena<Tree>::positions() {
    static const std::vector<Position> kPositions = {
        {kMessy, 1, 0}, {kMessy, 2, 5}, {kMessy, 3, 12}, {kMessy, 4, 21}};
    return kPositions;
}
template <> const Calibration& Arena<Tree>::calibration() {
    static const Calibration kCalibration =
        with_model(true_calibration(kMessy, kStages, 16), kStages, 2.0 * kMessy.tau);
    return kCalibration;
}

template <> const std::vector<connect_four::Position>& Arena<ConnectFour>::positions() {
    static const std::vector<connect_four::Position> kPositions = {
        {}, random_position(1, 6), random_position(2, 12), random_position(3, 20)};
    return kPositions;
}
/// Rough numbers: nothing here depends on their being right.
template <> const Calibration& Arena<ConnectFour>::calibration() {
    constexpr Config kRough{.tau = 10.0};
    static const Calibration kCalibration =
        with_model(true_calibration(kRough, ConnectFour::kStages, 16), ConnectFour::kStages, 20.0);
    return kCalibration;
}

void PrintTo(const Variant& v, std::ostream* out) {
    *out << v.name;
}
void PrintTo(const Outcome& o, std::ostream* out) {
    *out << "{nodes " << o.nodes << ", value " << o.value << ", move " << o.move << "}";
}

const std::vector<Variant>& variants() {
    static const std::vector<Variant> kAll = [] {
        std::vector<Variant> all;
        for (const auto& list : {probcut_variants(), mpc_variants(), iid_variants(),
                                 futility_variants(), singular_and_null_variants(), late_variants(),
                                 modern_variants(), modern_node_variants()}) {
            all.insert(all.end(), list.begin(), list.end());
        }
        return all;
    }();
    return kAll;
}

const Variant& variant(std::string_view name) {
    for (const Variant& v : variants()) {
        if (v.name == name) return v;
    }
    throw std::invalid_argument("no variant " + std::string(name));
}

SearchParams all_off(const Calibration& c) {
    SearchParams p;
    p.selective.disable_all();
    p.calibration = c;
    return p;
}

SearchParams all_on(const Calibration& c) {
    SearchParams p;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        p.selective.enabled(Technique(i)) = true;
    }
    p.calibration = c;
    return p;
}

SearchParams only(const Variant& v, const Calibration& c) {
    SearchParams p = all_off(c);
    v.set(p.selective);
    return p;
}

}  // namespace karikomi::synthetic
