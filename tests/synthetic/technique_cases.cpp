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
    ProbCut::Params& p = enable(s, Technique::ProbCut).probcut;
    p.min_depth = 5;
    p.depth_reduction = 3;
    p.t = 1.0f;
    p.stage_t = {1.2f, 1.0f, 0.8f};
    p.by_phase = false;
    return p;
}

MultiProbCut::Params& mpc(SelectiveParams& s) {
    MultiProbCut::Params& p = enable(s, Technique::MultiProbCut).multi_probcut;
    p.t = 1.0f;
    p.pair_shallow = {1, 2, 5};
    p.pair_deep = {3, 5, 7};
    return p;
}

Iid::Params& iid(SelectiveParams& s) {
    return enable(s, Technique::Iid).iid;
}

void iid_preset(SelectiveParams& s, std::string_view wanted) {
    iid(s).presets([&](std::string_view name, auto&& apply) {
        if (name == wanted) apply();
    });
}

Singular::Params& singular(SelectiveParams& s) {
    Singular::Params& p = enable(s, Technique::Singular).singular;
    p.min_depth = 4;
    p.margin_base = 10;
    p.margin_slope = 1;
    p.by_phase = false;
    return p;
}

NullMove::Params& null_move(SelectiveParams& s) {
    NullMove::Params& p = enable(s, Technique::NullMove).null_move;
    p.verify_depth = kNever;
    return p;
}

LateMoves::Params& late_moves(SelectiveParams& s) {
    LateMoves::Params& p = enable(s, Technique::LateMoves).late_moves;
    p.full_moves = 1;  // tactical moves come early
    return p;
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
        {"probcut_basic", Technique::ProbCut, [](P& p) { probcut(p); },
         [](const S& s) { return std::min(s.probcut.cut_high, s.probcut.cut_low); }},
        {"probcut_by_phase", Technique::ProbCut, [](P& p) { probcut(p).by_phase = true; },
         [](const S& s) { return s.probcut.succeeded; }, "probcut_basic"},
        {"probcut_staged", Technique::ProbCut,
         [](P& p) { probcut(p).variant = ProbCut::Variant::Staged; },
         [](const S& s) { return s.probcut.cut_high; }, "probcut_basic"},
        {"probcut_captures", Technique::ProbCut,
         [](P& p) { probcut(p).variant = ProbCut::Variant::Captures; },
         [](const S& s) { return s.probcut.cut_high; }, "probcut_basic", true},
        {"probcut_pv_nodes", Technique::ProbCut, [](P& p) { probcut(p).pv_nodes = true; },
         [](const S& s) { return s.probcut.succeeded; }, "probcut_basic"},
        {"probcut_after_null_move", Technique::ProbCut, [](P& p) { probcut(p), null_move(p); },
         [](const S& s) { return std::min(s.probcut.succeeded, s.null_move.succeeded); },
         "probcut_basic", false, true},
        {"probcut_before_null_move", Technique::ProbCut,
         [](P& p) { probcut(p).before_null_move = true, null_move(p); },
         [](const S& s) { return std::min(s.probcut.succeeded, s.null_move.succeeded); },
         "probcut_after_null_move", false, true},
    };
}

std::vector<Variant> mpc_variants() {
    return {
        {"mpc_pairs_null", Technique::MultiProbCut, [](P& p) { mpc(p); },
         [](const S& s) {
             return std::min(sum(s.multi_probcut.pair_high), sum(s.multi_probcut.pair_low));
         }},
        {"mpc_pairs_full", Technique::MultiProbCut,
         [](P& p) { mpc(p).window = MultiProbCut::Window::Full; },
         [](const S& s) { return std::min(s.multi_probcut.cut_high, s.multi_probcut.cut_low); },
         "mpc_pairs_null"},
        {"mpc_model_null", Technique::MultiProbCut,
         [](P& p) { mpc(p).mode = MultiProbCut::Mode::Model; },
         [](const S& s) { return std::min(s.multi_probcut.cut_high, s.multi_probcut.cut_low); },
         "mpc_pairs_null"},
        {"mpc_model_full", Technique::MultiProbCut,
         [](P& p) {
             mpc(p).mode = MultiProbCut::Mode::Model;
             p.multi_probcut.window = MultiProbCut::Window::Full;
         },
         [](const S& s) { return std::min(s.multi_probcut.cut_high, s.multi_probcut.cut_low); },
         "mpc_model_null"},
        {"mpc_static_gate", Technique::MultiProbCut, [](P& p) { mpc(p).static_gate = true; },
         [](const S& s) { return s.multi_probcut.succeeded; }, "mpc_pairs_null"},
        {"mpc_nesting_1", Technique::MultiProbCut, [](P& p) { mpc(p).max_nesting = 1; },
         [](const S& s) { return s.multi_probcut.succeeded; }, "mpc_pairs_null"},
        {"mpc_pv_nodes", Technique::MultiProbCut, [](P& p) { mpc(p).pv_nodes = true; },
         [](const S& s) { return s.multi_probcut.succeeded; }, "mpc_pairs_null"},
    };
}

std::vector<Variant> iid_variants() {
    return {
        {"iid_search", Technique::Iid, [](P& p) { iid(p); },
         [](const S& s) { return s.iid.succeeded; }},
        {"iid_adaptive", Technique::Iid, [](P& p) { iid(p).adaptive = true; },
         [](const S& s) { return s.iid.succeeded; }, "iid_search"},
        {"iid_multi_level", Technique::Iid, [](P& p) { iid(p).multi_level = true; },
         [](const S& s) { return s.iid.succeeded; }, "iid_search"},
        {"iid_selective", Technique::Iid, [](P& p) { iid(p).selective = true; },
         [](const S& s) { return s.iid.succeeded; }, "iid_search"},
        {"iid_delayed", Technique::Iid,
         [](P& p) { iid(p).delayed = true, p.iid.delayed_min_depth = 5; },
         [](const S& s) { return s.iid.delayed; }, "iid_search"},
        // With the table trusted only at full depth the next iteration looks again, and remembers.
        {"iid_cached", Technique::Iid, [](P& p) { iid(p).cached = true, p.iid.tt_margin = 0; },
         [](const S& s) { return s.iid.cache_hits; }, "iid_search"},
        {"iid_reduce", Technique::Iid, [](P& p) { iid(p).variant = Iid::Variant::Reduce; },
         [](const S& s) { return s.iid.reduced; }, "iid_search"},
        {"iid_conservative", Technique::Iid, [](P& p) { iid_preset(p, "conservative"); },
         [](const S& s) { return s.iid.attempts[0]; }, "iid_search"},
        {"iid_balanced", Technique::Iid, [](P& p) { iid_preset(p, "balanced"); },
         [](const S& s) { return s.iid.succeeded; }},
        {"iid_aggressive", Technique::Iid, [](P& p) { iid_preset(p, "aggressive"); },
         [](const S& s) { return s.iid.succeeded; }, "iid_search"},
    };
}

std::vector<Variant> futility_variants() {
    return {
        {"futility", Technique::Futility,
         [](P& p) {
             Futility::Params& f = enable(p, Technique::Futility).futility;
             f.self_first = f.self_second = {0, 30, 50, 70};
             f.opponent_first = f.opponent_second = {0, 50, 80, 110};
         },
         [](const S& s) { return std::min(s.futility.pruned_self, s.futility.pruned_opponent); }},
        {"futility_reverse", Technique::Futility,
         [](P& p) {
             Futility::Params& f = enable(p, Technique::Futility).futility;
             f.max_depth = 0;
             f.reverse_max_depth = 4;
             f.reverse_margin = 20;
         },
         [](const S& s) { return s.futility.reversed; }},
        {"futility_razor", Technique::Futility,
         [](P& p) {
             Futility::Params& f = enable(p, Technique::Futility).futility;
             f.max_depth = 0;
             f.razor_max_depth = 3;
             f.razor_base = 10;
             f.razor_slope = 5;
         },
         [](const S& s) { return s.futility.razored; }},
        {"futility_late", Technique::Futility,
         [](P& p) {
             Futility::Params& f = enable(p, Technique::Futility).futility;
             f.self_first = f.self_second = {0, 30, 50, 70};
             f.opponent_first = f.opponent_second = {0, 50, 80, 110};
             f.late_max_depth = 2;
             f.late_base = 0;
             f.late_slope = 10;
         },
         [](const S& s) { return s.futility.late; }, "futility"},
    };
}

std::vector<Variant> singular_and_null_variants() {
    return {
        {"singular", Technique::Singular, [](P& p) { singular(p).multi_cut = false; },
         [](const S& s) { return s.singular.extended; }},
        {"singular_double", Technique::Singular,
         [](P& p) {
             singular(p).multi_cut = false;
             p.singular.double_extension = true;
             p.singular.double_margin = 20;
         },
         [](const S& s) { return s.singular.doubled; }, "singular"},
        {"singular_by_phase", Technique::Singular,
         [](P& p) { singular(p).multi_cut = false, p.singular.by_phase = true; },
         [](const S& s) { return s.singular.extended; }, "singular"},
        {"singular_history_filter", Technique::Singular,
         [](P& p) { singular(p).multi_cut = false, p.singular.history_filter = true; },
         [](const S& s) { return s.singular.extended; }, "singular"},
        {"singular_multi_cut", Technique::Singular, [](P& p) { singular(p).multi_cut = true; },
         [](const S& s) { return s.singular.multi_cut; }, "singular"},
        {"null_move", Technique::NullMove, [](P& p) { null_move(p); },
         [](const S& s) { return s.null_move.succeeded; }, "", false, true},
        {"null_move_verified", Technique::NullMove, [](P& p) { null_move(p).verify_depth = 4; },
         [](const S& s) { return std::min(s.null_move.verified, s.null_move.refuted); },
         "null_move", false, true},
    };
}

std::vector<Variant> late_variants() {
    return {
        {"late_moves", Technique::LateMoves, [](P& p) { late_moves(p); },
         [](const S& s) { return std::min(s.late_moves.succeeded, s.late_moves.researched); }},
        {"late_moves_pruning", Technique::LateMoves,
         [](P& p) {
             late_moves(p).prune_max_depth = 2;
             p.late_moves.prune_base = 1;
         },
         [](const S& s) { return s.late_moves.pruned; }, "late_moves"},
        {"late_moves_exchange", Technique::LateMoves,
         [](P& p) {
             late_moves(p).exchange_max_depth = 4;
             p.late_moves.min_depth = kNever;  // no reductions: nothing else acts
             p.late_moves.exchange_quiet = 1;
             p.late_moves.exchange_tactical = 10;
         },
         [](const S& s) { return s.late_moves.by_exchange; }, "late_moves", true},
        {"late_moves_history", Technique::LateMoves,
         [](P& p) {
             late_moves(p).history_max_depth = 6;
             p.late_moves.history_least = -10;
         },
         [](const S& s) { return s.late_moves.by_history; }, "late_moves"},
        {"late_moves_trend", Technique::LateMoves,
         [](P& p) {
             late_moves(p).not_improving = 1.0f;
             // Asks for static values, and never cuts.
             Futility::Params& f = enable(p, Technique::Futility).futility;
             f.max_depth = 0;
             f.reverse_max_depth = 8;
             f.reverse_margin = 20'000;
         },
         [](const S& s) { return s.late_moves.succeeded; }, "late_moves"},
        {"late_moves_tactical", Technique::LateMoves, [](P& p) { late_moves(p).tactical = true; },
         [](const S& s) { return s.late_moves.succeeded; }, "late_moves"},
    };
}

/// A smooth model beside the cells, for Multi-ProbCut's second mode.
Calibration with_model(const Calibration& cells, int stages, double sigma) {
    CalibrationModel m;
    m.log_sigma[0] = std::log(sigma);
    return Calibration(stages, cells.cells(), m, "");
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
        for (const auto& list :
             {probcut_variants(), mpc_variants(), iid_variants(), futility_variants(),
              singular_and_null_variants(), late_variants()}) {
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
