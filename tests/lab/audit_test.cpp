// The audit of cuts: looking on changes nothing, and what it counts adds up.
#include "karikomi/lab/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/fixed_depth.hpp"
#include "karikomi/lab/verify.hpp"

namespace karikomi::lab {
namespace {

Result search(Engine& engine, Depth depth, CutAudit* audit) {
    SearchRequest request = fixed_depth(depth, {});
    request.audit = audit;
    engine.new_game();
    auto r = engine.search(request);
    EXPECT_TRUE(r);
    return *r;
}

TEST(CutAudit, LookingOnChangesNothingInAnyGame) {
    for (const GameModule* module : games()) {
        auto engine = make_engine(module->name, {});
        ASSERT_TRUE(engine);
        (*engine)->set_hash(4);
        constexpr Depth kDepth = 7;
        const Result plain = search(**engine, kDepth, nullptr);
        CutAudit audit;
        audit.full = (*engine)->params();
        audit.full.selective.disable_all();
        audit.by_stratum = true;
        audit.most = 1;
        audit.deepest = 1;
        audit.check_nodes = 2000;
        const Result watched = search(**engine, kDepth, &audit);
        EXPECT_EQ(watched.nodes, plain.nodes) << module->name;
        EXPECT_EQ(watched.lines.front().value, plain.lines.front().value) << module->name;
        EXPECT_EQ(watched.best_move, plain.best_move) << module->name;
        std::uint64_t seen = 0;
        for (const CutAudit::Seen& s : audit.strata) seen += s.cuts;
        EXPECT_EQ(seen, audit.seen) << module->name;
        EXPECT_GT(seen, 0U) << module->name;
        for (const CheckedCut& c : audit.checked) EXPECT_LE(c.depth, 1);
    }
}

ShippedAuditOptions options_for(const std::string& game, int searches) {
    ShippedAuditOptions o;
    o.search.game = game;
    o.search.depth = 7;
    o.search.hash_mb = 4;
    o.cuts_a_depth = 3;
    o.deepest = 3;
    o.check_nodes = 20'000;
    auto engine = make_engine(game, {});
    for (int i = 0; i < searches; ++i) {
        o.search.positions.push_back((*engine)->position_text());
        const Result r = search(**engine, 3, nullptr);
        EXPECT_TRUE((*engine)->play(r.best_move));
    }
    return o;
}

TEST(CutAudit, CountsNodesAndMovesOfEveryTechniqueByDepth) {
    auto engine = make_engine("connect_four", {});
    ASSERT_TRUE(engine);
    SearchParams params = (*engine)->params();
    params.selective.of<Futility>().enabled = true;
    params.selective.of<LateMoves>().enabled = true;
    params.selective.of<LateMoves>().prune_max_depth = 4;
    const ShippedAuditOptions o = options_for("connect_four", 6);
    const auto rows = run_shipped_audit(o, params, {}, {});
    ASSERT_TRUE(rows) << rows.error().what;
    bool nodes = false, moves = false;
    for (const ShippedAuditRow& row : *rows) {
        (row.of_moves ? moves : nodes) = true;
        std::uint64_t made = 0;
        std::int64_t checked = 0;
        for (const DepthAudit& d : row.depths) {
            made += d.made, checked += d.checked;
            EXPECT_LE(d.checked + d.unfinished, 6 * 3);
            EXPECT_LE(d.checked + d.unfinished, static_cast<std::int64_t>(d.made));
            EXPECT_LE(d.wrong, d.checked);
            if (d.depth > o.deepest) EXPECT_EQ(d.checked + d.unfinished, 0);
            std::int64_t by_pair = 0;
            for (const DepthAudit::Pair& p : d.pairs) by_pair += p.checked;
            EXPECT_EQ(by_pair, d.checked);
        }
        EXPECT_EQ(made, row.made) << row.technique;
        EXPECT_EQ(checked, row.checked) << row.technique;
        EXPECT_LE(row.share.low, row.share.value);
        EXPECT_GE(row.share.high, row.share.value);
        EXPECT_EQ(row.allowed.has_value(), row.technique == "multi_probcut") << row.technique;
    }
    EXPECT_TRUE(nodes);
    EXPECT_TRUE(moves);
    for (const Bar& bar : audit_bars(*rows)) EXPECT_EQ(bar.technique, "multi_probcut");
}

/// A search that throws good moves away is found out.
TEST(CutAudit, RecklessPruningIsFoundOut) {
    auto engine = make_engine("connect_four", {});
    ASSERT_TRUE(engine);
    SearchParams params = (*engine)->params();
    params.selective.disable_all();
    auto& f = params.selective.of<Futility>();
    f.enabled = true;
    const ShippedAuditOptions o = options_for("connect_four", 8);
    const auto share_with = [&](Value margin) {
        f.max_depth = 0;
        f.reverse_max_depth = 3;
        f.reverse_margin = margin;
        const auto rows = run_shipped_audit(o, params, {}, {});
        EXPECT_TRUE(rows);
        return rows->empty() ? 0.0 : rows->front().share.value;
    };
    EXPECT_GT(share_with(1), share_with(400) + 0.03);
}

}  // namespace
}  // namespace karikomi::lab
