/// Every form that shogi's parameters switch on does something in shogi, and so does every form of
/// ProbCut, IID and singular extension that a source document describes for shogi. A number that
/// changes no tree would be tuned in vain.
#include <gtest/gtest.h>

#include "karikomi/engine/params.hpp"
#include "karikomi/games/shogi/engine.hpp"

namespace karikomi::shogi {
namespace {

const std::vector<std::string> kPositions = {
    "k4g2l/lr1sg2b1/npppspn2/p3p1ppp/9/2P1P1PP1/PPNPBPN1P/2RSG2SL/L4G2K w - 34",
    "l1k2gs1l/1rsg3b1/2pppppP1/p3n2Rp/1p7/2PB5/P1NPPPP1P/2S2S3/L1KG1G1NL w N2p 30",
    "lns2k3/4g2r1/ppp+B1pnl+L/9/7n1/2P6/PP1PPPP2/3S1SGR1/1+b1G2K2 w GSL3Pn4p 66",
    "3g1g2l/9/l3+P1Sr1/2ppp1nSp/2k2P1n1/1P1+sP1PRP/+p2n2nP1/3B1G1K1/3G2S1L w B4Pl2p 106",
};

/// Nodes to a fixed depth, all positions together, with these assignments on top of what ships.
std::uint64_t nodes_with(Engine& engine, const std::vector<std::string>& assignments, Depth depth) {
    const SearchParams shipped = engine.params();
    SearchParams p = shipped;
    for (const std::string& a : assignments) EXPECT_TRUE(set_param(p, a)) << a;
    EXPECT_TRUE(engine.set_params(p));
    std::uint64_t nodes = 0;
    for (const std::string& sfen : kPositions) {
        engine.new_game();
        EXPECT_TRUE(engine.set_position(sfen));
        SearchRequest request;
        request.limits.depth = depth;
        nodes += engine.search(request)->nodes;
    }
    EXPECT_TRUE(engine.set_params(shipped));
    return nodes;
}

TEST(ShogiForms, EachShippedFormActs) {
    constexpr Depth kDepth = 11;
    auto engine = std::move(*make_engine());
    const std::uint64_t shipped = nodes_with(*engine, {}, kDepth);
    EXPECT_EQ(nodes_with(*engine, {}, kDepth), shipped) << "the same search twice";
    for (const char* off : {"history.expectation=0",
                            "history.killers=true",
                            "history.learn_exact=false",
                            "history.spare_quiet=false",
                            "history.surprise=0",
                            "history.from_table=0",
                            "history.research=0",
                            "history.ordering_check=0",
                            "history.expectation_worst=20",
                            "history.expectation_best=20",
                            "history.expectation_usual=0",
                            "history.far_shares=[8,8,8,8]",
                            "history.sort_after=1",
                            "late_moves.skip_silently=false",
                            "late_moves.judge_history=0",
                            "late_moves.prune_slope=1",
                            "late_moves.table_tactical=0",
                            "late_moves.count_skipped=false",
                            "late_moves.deeper=0",
                            "late_moves.shallower=0",
                            "late_moves.expect_cut=false",
                            "late_moves.child_cuts=0",
                            "singular.double_extension=false",
                            "singular.negative=0",
                            "hindsight.enabled=false",
                            "node.above_improves=false",
                            "node.after_raise=0",
                            "node.blend_cuts=false",
                            "node.correction=0",
                            "node.far_continuation=false",
                            "node.refine_static=false",
                            "node.tactical_history=false",
                            "aspiration.high_reduction=0",
                            "aspiration.low_narrows=false",
                            "quiescence.table=false",
                            "quiescence.least_exchange=1",
                            "quiescence.max_plies=2",
                            "quiescence.spare_retakes=false",
                            "root.reduce=false",
                            "root.order_by_effort=false",
                            "probcut.enabled=false",
                            "iid.enabled=false",
                            "singular.enabled=false",
                            "futility.tactical_max_depth=0"}) {
        EXPECT_NE(nodes_with(*engine, {off}, kDepth), shipped) << off;
    }
}

/// Forms that are there to be measured: each changes the tree when it is switched on.
TEST(ShogiForms, EachFormThatIsOffCanAct) {
    constexpr Depth kDepth = 11;
    auto engine = std::move(*make_engine());
    const std::uint64_t shipped = nodes_with(*engine, {}, kDepth);
    for (const char* on : {"aspiration.low_to_alpha=true",
                           "node.table_agrees=6",
                           "node.table_deeper=true",
                           "node.after_raise_below=6",
                           "node.spread_pv=true",
                           "history.penalty_slope=400",
                           "history.penalty_fade=0.9",
                           "history.blame_parent=0.6",
                           "history.blame_table=2000",
                           "history.plain_most=7000",
                           "history.continuation_most=30000",
                           "history.counter_moves=false",
                           "history.judge_near=true",
                           "futility.reverse_spares_quiet=true",
                           "futility.reverse_unknown=20",
                           "futility.reverse_beta=2",
                           "iid.reduce_prior=0",
                           "singular.quiet_margin=200",
                           "singular.node_deeper=true",
                           "singular.multi_cut_by_value=true",
                           "late_moves.per_move=0.06",
                           "late_moves.not_improving_scale=0.4",
                           "late_moves.all_scale=1",
                           "late_moves.table_pv_value=-0.9",
                           "late_moves.table_pv_depth=-0.9",
                           "late_moves.deeper_most=2",
                           "late_moves.first_less=4",
                           "late_moves.judge_table_pv=1"}) {
        EXPECT_NE(nodes_with(*engine, {on}, kDepth), shipped) << on;
    }
}

/// A probe inside a probe needs a deep node above both, and some other forms act seldom.
TEST(ShogiForms, SomeFormsActInDeepSearchesOnly) {
    constexpr Depth kDepth = 16;
    auto engine = std::move(*make_engine());
    const std::uint64_t shipped = nodes_with(*engine, {}, kDepth);
    for (const char* form : {"singular.nested=false", "null_move.nested=false",
                             "aspiration.high_raises=true", "probcut.min_depth=4"}) {
        EXPECT_NE(nodes_with(*engine, {form}, kDepth), shipped) << form;
    }
}

/// A number of a form that is off in shogi: it acts where the form does.
TEST(ShogiForms, NumbersOfFormsAct) {
    constexpr Depth kDepth = 11;
    auto engine = std::move(*make_engine());
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{}, "history.tactical_most=3000"},
        {{}, "node.correction_step=16"},
        {{}, "node.after_raise_above=6"},
        {{"node.spread_pv=true"}, "node.spread_pv_above=1"},
        {{"history.judge_near=true"}, "history.judge_own=6"},
        {{"history.blame_parent=0.6"}, "history.blame_parent_number=8"},
        {{"history.blame_table=2000"}, "history.blame_table_number=1"},
        {{"null_move.eval_step=60"}, "null_move.eval_step_most=1"},
        {{"late_moves.first_less=4"}, "late_moves.first_twice_above=8"},
        {{"late_moves.prune_by_trend=true"}, "late_moves.prune_trend_share=0.9"},
        {{"probcut.enabled=true", "probcut.variant=staged"}, "probcut.stage_least=4"},
        {{"singular.min_depth=6"}, "singular.depth_share=0.3"},
        {{"singular.min_depth=6", "singular.by_phase=true", "singular.opening_depth=0"},
         "singular.opening_slope=6"},
        {{"singular.min_depth=6", "singular.by_phase=true", "singular.margin_base=40"},
         "singular.endgame_base=4"},
    };
    for (const auto& [form, number] : cases) {
        std::vector<std::string> both = form;
        both.emplace_back(number);
        EXPECT_NE(nodes_with(*engine, both, kDepth), nodes_with(*engine, form, kDepth)) << number;
    }
}

TEST(ShogiForms, EachFormOfTheDocumentsActs) {
    constexpr Depth kDepth = 11;
    auto engine = std::move(*make_engine());
    const auto differ = [&](const std::vector<std::string>& form,
                            const std::vector<std::string>& without) {
        return nodes_with(*engine, form, kDepth) != nodes_with(*engine, without, kDepth);
    };
    const std::vector<std::string> no_probcut = {"probcut.enabled=false"};
    for (const char* form :
         {"probcut.variant=basic", "probcut.variant=staged", "probcut.variant=captures"}) {
        EXPECT_TRUE(differ({form}, no_probcut)) << form;
    }
    const std::vector<std::string> no_iid = {"iid.enabled=false"};
    for (const char* form : {"iid.preset=conservative", "iid.preset=balanced",
                             "iid.preset=aggressive", "iid.variant=reduce"}) {
        EXPECT_TRUE(differ({form}, no_iid)) << form;
    }
    const std::vector<std::string> balanced = {"iid.preset=balanced"};
    for (const char* more :
         {"iid.adaptive=true", "iid.multi_level=true", "iid.selective=true", "iid.delayed=true"}) {
        EXPECT_TRUE(differ({"iid.preset=balanced", more}, balanced)) << more;
    }
    const std::vector<std::string> no_singular = {"singular.enabled=false"};
    const std::vector<std::string> source = {"singular.min_depth=7", "singular.margin_base=80",
                                             "singular.margin_slope=10"};
    EXPECT_TRUE(differ(source, no_singular));
    for (const char* more : {"singular.double_extension=false", "singular.history_filter=true",
                             "singular.by_phase=true", "singular.multi_cut=false"}) {
        std::vector<std::string> form = source;
        form.emplace_back(more);
        EXPECT_TRUE(differ(form, source)) << more;
    }
}

}  // namespace
}  // namespace karikomi::shogi
