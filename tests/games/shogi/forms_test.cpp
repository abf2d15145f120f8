/// Every form that shogi's parameters switch on does something in shogi, and so does every form of
/// ProbCut, IID and singular extension that a source document describes for shogi. A number that
/// changes no tree would be tuned in vain.
#include <set>

#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/param_list.hpp"
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

bool is_of_search(const std::string& name) {
    return !name.starts_with("time.") && !name.starts_with("multi_probcut.");
}

/// Numbers of forms that shogi leaves off, or that need what these short searches have not: a game
/// clock, an odd kind of position, or so much depth that a test of them would take long.
const std::set<std::string> kQuietHere = {
    "aspiration.max_retries",    "aspiration.store_on_retry", "singular.max_extensions",
    "singular.exact_entries",    "singular.forced",           "null_move.verify_depth",
    "null_move.nested",          "node.after_raise_below",    "late_moves.spare_lost",
    "late_moves.prune_decisive", "futility.late_decisive",    "late_moves.pv_deeper",
    "node.correction_depth",     "node.mate_distance",        "singular.nested",
    "null_move.min_depth",       "iid.reduce_spares_line",
};

/// Every number in which shogi's file differs from the library changes a tree: put back, alone, it
/// makes another search. What does nothing would be tuned in vain.
TEST(ShogiForms, EachShippedNumberActs) {
    constexpr Depth kDepth = 11;
    auto engine = std::move(*make_engine());
    const std::uint64_t shipped = nodes_with(*engine, {}, kDepth);
    EXPECT_EQ(nodes_with(*engine, {}, kDepth), shipped) << "the same search twice";
    const auto ours = list_params(engine->params());
    const auto usual = list_params(SearchParams{});
    ASSERT_EQ(ours.size(), usual.size());
    int tried = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const std::string& name = ours[i].path;
        if (!is_of_search(name) || kQuietHere.contains(name)) continue;
        if (ours[i].value == usual[i].value) continue;
        const std::string back = name + "=" + usual[i].value.dump();
        EXPECT_NE(nodes_with(*engine, {back}, kDepth), shipped) << back;
        ++tried;
    }
    EXPECT_GT(tried, 100);
}

/// Forms that are there to be measured: each changes the tree when it is switched on or off.
TEST(ShogiForms, EachFormThatIsOffCanAct) {
    constexpr Depth kDepth = 12;
    auto engine = std::move(*make_engine());
    const std::uint64_t shipped = nodes_with(*engine, {}, kDepth);
    for (const char* form :
         {"history.killers=true", "history.counter_moves=true", "node.horizon_table=true",
          "late_moves.not_improving=1", "late_moves.check=1", "late_moves.prune_trend_share=0.9",
          "null_move.eval_step=60", "probcut.before_null_move=true", "probcut.exclusive=true",
          "singular.depth_share=0.3", "node.correction_step=16", "quiescence.max_plies=2",
          "history.sort_after=1"}) {
        EXPECT_NE(nodes_with(*engine, {form}, kDepth), shipped) << form;
    }
}

TEST(ShogiForms, EachFormOfTheDocumentsActs) {
    constexpr Depth kDepth = 9;
    auto engine = std::move(*make_engine());
    const auto differ = [&](const std::vector<std::string>& form,
                            const std::vector<std::string>& without) {
        return nodes_with(*engine, form, kDepth) != nodes_with(*engine, without, kDepth);
    };
    // ProbCut with the document's own numbers: inside its own probes it would have no end.
    const std::vector<std::string> no_probcut = {"probcut.enabled=false"};
    for (const char* form :
         {"probcut.variant=basic", "probcut.variant=staged", "probcut.variant=captures"}) {
        EXPECT_TRUE(differ({form, "probcut.min_depth=7", "probcut.depth_reduction=4",
                            "probcut.nested=false", "probcut.pv_nodes=false"},
                           no_probcut))
            << form;
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
