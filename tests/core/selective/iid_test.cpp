#include "karikomi/core/selective/iid.hpp"

#include "tests/core/selective/scripted_probe.hpp"

namespace karikomi::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::SizeIs;
using Found = Iid::Found;
using FinderScript = Script<Found>;

constexpr NodeKind kKinds[] = {NodeKind::Pv, NodeKind::Cut, NodeKind::All};

/// A search that failed low or high and names this move.
Found found(MoveCode move, Bound bound = Bound::Lower, Value value = 0) {
    return {value, bound, move};
}

struct Trial {
    Iid::Params params{};
    Iid::Memory memory{};
    Iid::Stats stats{};

    Trial() { forget(); }
    template <class Change> explicit Trial(Change&& change) {
        change(params);
        forget();
    }
    void forget() { memory.reset(params.adaptive_start, params.cached); }
    MoveCode find(const NodeView& n, FinderScript& probe) {
        return Iid::find_move(n, params, memory, stats, probe);
    }
    /// Does a node like this look for a move at all?
    bool looks(const NodeView& n) {
        bool probed = false;
        Iid::find_move(n, params, memory, stats, [&](Depth, Value, Value) {
            probed = true;
            return found(7);
        });
        return probed;
    }
    /// Depths of the searches at a node where none of them is good enough to stop.
    std::vector<Depth> depths(const NodeView& n) {
        std::vector<Depth> d;
        Iid::find_move(n, params, memory, stats, [&](Depth depth, Value, Value) {
            d.push_back(depth);
            return found(7);
        });
        return d;
    }
};

NodeView with_table_move(NodeView n, Depth tt_depth) {
    n.tt = {20, tt_depth, Bound::Upper, 33};
    return n;
}

// ---- when ------------------------------------------------------------------------------------

TEST(Iid, StartsWithTheBalancedNumbers) {
    const Iid::Params p;
    EXPECT_EQ(p.variant, Iid::Variant::Search);
    EXPECT_EQ(p.min_depth, 5);
    EXPECT_EQ(p.depth_reduction, 2);
    EXPECT_FALSE(p.pv_only);
    EXPECT_EQ(p.cut_node_reduction, 1);
    EXPECT_EQ(p.tt_margin, 2);
    EXPECT_THAT(p.adaptive_rates, ElementsAre(0.3f, 0.5f));
    EXPECT_THAT(p.adaptive_depths, ElementsAre(6, 5, 4));
    EXPECT_FLOAT_EQ(p.adaptive_weight, 0.1f);
    EXPECT_EQ(p.good_enough, 100);
    EXPECT_EQ(p.few_pieces, 10);
    EXPECT_EQ(p.many_moves, 50);
    EXPECT_EQ(p.delayed_min_depth, 8);
    EXPECT_EQ(p.cache_age, 100);
    EXPECT_EQ(p.after_failure, 1);
}

TEST(Iid, PresetsAreThoseOfTheSource) {
    const auto of = [](std::string_view name) {
        Iid::Params p;
        p.enabled = false;
        p.min_depth = 99, p.depth_reduction = 9, p.cut_node_reduction = 9;
        p.variant = Iid::Variant::Reduce;
        EXPECT_TRUE(apply_preset(p, name)) << name;
        EXPECT_TRUE(p.enabled);
        EXPECT_EQ(p.variant, Iid::Variant::Search);
        return std::tuple(p.min_depth, p.depth_reduction, p.pv_only, p.cut_node_reduction);
    };
    EXPECT_EQ(of("conservative"), std::tuple(6, 2, true, 0));
    EXPECT_EQ(of("balanced"), std::tuple(5, 2, false, 1));
    EXPECT_EQ(of("aggressive"), std::tuple(4, 3, false, 1));
}

TEST(Iid, PresetsUndoEachOther) {
    Iid::Params p;
    apply_preset(p, "conservative");
    apply_preset(p, "balanced");
    EXPECT_FALSE(p.pv_only);
    EXPECT_EQ(p.cut_node_reduction, 1);
}

TEST(Iid, LooksWhenTheTableHasNoMove) {
    Trial trial;
    NodeView n = node_at(8, 10, 60, NodeKind::Pv);
    FinderScript probe{found(42)};
    EXPECT_EQ(trial.find(n, probe), 42);
    EXPECT_THAT(probe.calls(), ElementsAre(search_call(6, 10, 60)));
    n.tt = {20, 12, Bound::Upper, kNoMove};  // deep enough, but without a move
    EXPECT_TRUE(trial.looks(n));
}

TEST(Iid, LooksWhenTheTableMoveIsShallowerThanDepthMinusTwo) {
    Trial trial;
    for (const Depth depth : {5, 8, 20}) {
        const NodeView n = node_at(depth, 10, 60, NodeKind::Pv);
        EXPECT_TRUE(trial.looks(with_table_move(n, depth - 3)));
        EXPECT_FALSE(trial.looks(with_table_move(n, depth - 2)));
        EXPECT_FALSE(trial.looks(with_table_move(n, depth)));
        EXPECT_FALSE(trial.looks(with_table_move(n, depth + 5)));
    }
}

TEST(Iid, DoesNotLookBelowItsMinimumDepth) {
    Trial trial;
    for (Depth depth = 1; depth <= 10; ++depth) {
        EXPECT_EQ(trial.looks(node_at(depth, 10, 60, NodeKind::Pv)), depth >= 5) << depth;
    }
}

TEST(Iid, ANodeOfDepthOneHasNothingShallower) {
    Trial trial([](auto& p) { p.min_depth = 1; });
    EXPECT_FALSE(trial.looks(node_at(1, 10, 60, NodeKind::Pv)));
    EXPECT_TRUE(trial.looks(node_at(2, 10, 60, NodeKind::Pv)));
}

TEST(Iid, LooksInAllKindsOfNodesUnlessPvOnly) {
    for (const NodeKind kind : kKinds) {
        Trial everywhere;
        EXPECT_TRUE(everywhere.looks(node_at(8, 10, 11, kind)));
        Trial pv_only([](auto& p) { p.pv_only = true; });
        EXPECT_EQ(pv_only.looks(node_at(8, 10, 11, kind)), kind == NodeKind::Pv);
    }
}

TEST(Iid, FindsNothingWhenTheSearchFindsNothing) {
    Trial trial;
    FinderScript probe{found(kNoMove)};
    EXPECT_EQ(trial.find(node_at(8, 10, 11), probe), kNoMove);
}

TEST(Iid, OffNeverProbes) {
    for (const bool by_depth : {false, true}) {
        Trial trial([&](auto& p) {
            if (by_depth)
                p.min_depth = kNever;
            else
                p.enabled = false;
            p.adaptive = true, p.cached = true;
        });
        for (const NodeKind kind : kKinds) EXPECT_FALSE(trial.looks(node_at(12, 10, 11, kind)));
        EXPECT_EQ(trial.stats.tried, 0u);
        EXPECT_EQ(Iid::lowest_depth(trial.params), kNever);
    }
}

TEST(Iid, SwitchedOffByDepthDoesNotLookLateEither) {
    Trial trial([](auto& p) { p.delayed = true, p.min_depth = kNever; });
    EXPECT_FALSE(Iid::is_delayed_now(node_at(12, 10, 60, NodeKind::Pv), trial.params, 3));
}

TEST(IidDelayed, LowestDepthLetsDelayedNodesThrough) {
    Iid::Params p;
    p.min_depth = 20;
    p.delayed = true;
    ASSERT_TRUE(Iid::is_delayed_now(node_at(8, 10, 60, NodeKind::Pv), p, p.delayed_after));
    EXPECT_LE(Iid::lowest_depth(p), 8);
}

TEST(Iid, LowestDepthIsNeverAboveANodeThatLooks) {
    for (const bool adaptive : {false, true}) {
        for (const bool selective : {false, true}) {
            for (const int pieces : {5, 30}) {
                Trial trial([&](auto& p) {
                    p.adaptive = adaptive, p.selective = selective, p.adaptive_start = 1.0f;
                });
                const Depth gate = Iid::lowest_depth(trial.params);
                for (Depth depth = 1; depth <= 8; ++depth) {
                    NodeView n = node_at(depth, 10, 11);
                    n.piece_count = pieces;
                    n.mobility = 80;
                    const bool looks = trial.looks(n);
                    EXPECT_TRUE(depth >= gate || !looks) << depth;
                }
            }
        }
    }
}

// ---- how deep --------------------------------------------------------------------------------

TEST(Iid, CutNodesAreSearchedLessDeep) {
    Trial trial;
    EXPECT_THAT(trial.depths(node_at(8, 10, 11, NodeKind::Pv)), ElementsAre(6));
    EXPECT_THAT(trial.depths(node_at(8, 10, 11, NodeKind::All)), ElementsAre(6));
    EXPECT_THAT(trial.depths(node_at(8, 10, 11, NodeKind::Cut)), ElementsAre(5));
}

TEST(Iid, ReductionNeverGoesBelowDepthOne) {
    Trial trial([](auto& p) { p.min_depth = 2, p.depth_reduction = 4, p.cut_node_reduction = 3; });
    EXPECT_THAT(trial.depths(node_at(2, 10, 11)), ElementsAre(1));
    EXPECT_THAT(trial.depths(node_at(7, 10, 11)), ElementsAre(1));
    EXPECT_THAT(trial.depths(node_at(8, 10, 11)), ElementsAre(1));
    EXPECT_THAT(trial.depths(node_at(9, 10, 11)), ElementsAre(2));
}

TEST(Iid, LooksOnePlyDeeperAfterAnAspirationFailure) {
    Trial trial;
    NodeView n = node_at(8, 10, 60, NodeKind::Pv);
    n.aspiration_failed = true;
    EXPECT_THAT(trial.depths(n), ElementsAre(7));
    n.kind = NodeKind::Cut;
    EXPECT_THAT(trial.depths(n), ElementsAre(6));
}

TEST(Iid, NeverSearchesAsDeepAsTheNodeItself) {
    Trial trial([](auto& p) { p.depth_reduction = 1, p.after_failure = 4; });
    NodeView n = node_at(8, 10, 60, NodeKind::Pv);
    n.aspiration_failed = true;
    EXPECT_THAT(trial.depths(n), ElementsAre(7));
}

// ---- adaptive --------------------------------------------------------------------------------

TEST(IidAdaptive, RatesFollowAnExponentialMovingAverageForAllThreeKinds) {
    for (const NodeKind kind : kKinds) {
        Trial trial([](auto& p) { p.adaptive = true; });
        const auto book = [&](bool success) {
            Iid::book_result(kind, trial.params, trial.memory, trial.stats, success);
        };
        book(true);
        EXPECT_NEAR(trial.memory.rate(kind), 0.55, 1e-6);  // 0.9 * 0.5 + 0.1
        book(true);
        EXPECT_NEAR(trial.memory.rate(kind), 0.595, 1e-6);
        book(false);
        EXPECT_NEAR(trial.memory.rate(kind), 0.5355, 1e-6);
        for (const NodeKind other : kKinds) {
            if (other == kind) continue;
            EXPECT_FLOAT_EQ(trial.memory.rate(other), 0.5f);
        }
        EXPECT_EQ(trial.stats.hits[static_cast<std::size_t>(kind)], 2u);
        EXPECT_EQ(trial.stats.succeeded, 2u);
    }
}

TEST(IidAdaptive, RatesStayBetweenZeroAndOne) {
    Trial trial;
    for (int i = 0; i < 1000; ++i) {
        Iid::book_result(NodeKind::Pv, trial.params, trial.memory, trial.stats, true);
        Iid::book_result(NodeKind::All, trial.params, trial.memory, trial.stats, false);
    }
    EXPECT_LE(trial.memory.rate(NodeKind::Pv), 1.0f);
    EXPECT_GT(trial.memory.rate(NodeKind::Pv), 0.99f);
    EXPECT_GE(trial.memory.rate(NodeKind::All), 0.0f);
    EXPECT_LT(trial.memory.rate(NodeKind::All), 0.01f);
}

TEST(IidAdaptive, MinimumDepthFollowsTheSuccessRate) {
    const std::pair<float, Depth> cases[] = {{0.0f, 6}, {0.29f, 6}, {0.3f, 5}, {0.49f, 5},
                                             {0.5f, 4}, {0.9f, 4},  {1.0f, 4}};
    for (const auto& [rate, limit] : cases) {
        Trial trial([&](auto& p) { p.adaptive = true, p.adaptive_start = rate; });
        for (const NodeKind kind : kKinds) {
            for (Depth depth = 2; depth <= 8; ++depth) {
                EXPECT_EQ(trial.looks(node_at(depth, 10, 11, kind)), depth >= limit)
                    << "rate " << rate << " depth " << depth;
            }
        }
    }
}

TEST(IidAdaptive, EachKindHasALimitOfItsOwn) {
    Trial trial([](auto& p) { p.adaptive = true; });
    for (int i = 0; i < 20; ++i) {
        Iid::book_result(NodeKind::All, trial.params, trial.memory, trial.stats, false);
    }
    EXPECT_FALSE(trial.looks(node_at(5, 10, 11, NodeKind::All)));
    EXPECT_TRUE(trial.looks(node_at(6, 10, 11, NodeKind::All)));
    EXPECT_TRUE(trial.looks(node_at(4, 10, 11, NodeKind::Cut)));
    EXPECT_TRUE(trial.looks(node_at(4, 10, 11, NodeKind::Pv)));
}

// ---- multi-level -----------------------------------------------------------------------------

TEST(IidMultiLevel, DepthsAreThoseOfTheSource) {
    const std::pair<Depth, std::vector<Depth>> cases[] = {
        {5, {3}},         {7, {5}},          {8, {4, 6}},       {11, {7, 9}},
        {12, {6, 8, 10}}, {15, {9, 11, 13}}, {16, {8, 11, 14}}, {30, {22, 25, 28}}};
    for (const auto& [depth, expected] : cases) {
        Trial trial([](auto& p) { p.multi_level = true; });
        EXPECT_THAT(trial.depths(node_at(depth, 10, 60, NodeKind::Pv)), ElementsAreArray(expected))
            << "depth " << depth;
    }
}

TEST(IidMultiLevel, LevelsBelowOneAreDropped) {
    Trial trial([](auto& p) { p.multi_level = true, p.min_depth = 2; });
    EXPECT_THAT(trial.depths(node_at(2, 10, 60, NodeKind::Pv)), IsEmpty());
    EXPECT_THAT(trial.depths(node_at(3, 10, 60, NodeKind::Pv)), ElementsAre(1));
}

TEST(IidMultiLevel, ShallowLevelsUseANullWindow) {
    Trial trial([](auto& p) { p.multi_level = true; });
    FinderScript probe{found(1), found(2), found(3)};
    EXPECT_EQ(trial.find(node_at(16, 10, 60, NodeKind::Pv), probe), 3);
    EXPECT_THAT(probe.calls(), ElementsAre(search_call(8, 10, 11), search_call(11, 10, 11),
                                           search_call(14, 10, 60)));
    FinderScript shorter{found(1), found(2), found(3)};
    trial.find(node_at(12, 10, 60, NodeKind::Pv), shorter);
    EXPECT_THAT(shorter.calls(), ElementsAre(search_call(6, 10, 11), search_call(8, 10, 60),
                                             search_call(10, 10, 60)));
}

TEST(IidMultiLevel, StopsEarlyOnAnExactValueWellAboveAlpha) {
    Trial trial([](auto& p) { p.multi_level = true; });
    const NodeView n = node_at(12, 10, 500, NodeKind::Pv);
    FinderScript good{found(1), found(2, Bound::Exact, 111)};
    EXPECT_EQ(trial.find(n, good), 2);
    EXPECT_THAT(good.calls(), SizeIs(2));
    FinderScript not_enough{found(1), found(2, Bound::Exact, 110), found(3)};
    EXPECT_EQ(trial.find(n, not_enough), 3);
    FinderScript only_a_bound{found(1), found(2, Bound::Lower, 900), found(3)};
    EXPECT_EQ(trial.find(n, only_a_bound), 3);
}

TEST(IidMultiLevel, KeepsTheMoveOfAnEarlierLevelWhenALaterOneFindsNone) {
    Trial trial([](auto& p) { p.multi_level = true; });
    FinderScript probe{found(5), found(kNoMove), found(kNoMove)};
    EXPECT_EQ(trial.find(node_at(12, 10, 60, NodeKind::Pv), probe), 5);
}

// ---- selective -------------------------------------------------------------------------------

Depth first_depth(Trial& trial, NodeView n) {
    for (n.depth = 1; n.depth <= 40; ++n.depth) {
        if (trial.looks(n)) return n.depth;
    }
    return kNever;
}

TEST(IidSelective, LimitDependsOnThePosition) {
    Trial trial([](auto& p) { p.selective = true; });
    NodeView n = node_at(0, 10, 11);
    n.piece_count = 20;
    n.mobility = 30;
    EXPECT_EQ(first_depth(trial, n), 5);
    n.mobility = 50;
    EXPECT_EQ(first_depth(trial, n), 5);
    n.mobility = 51;
    EXPECT_EQ(first_depth(trial, n), 4);
    n.piece_count = 10;
    EXPECT_EQ(first_depth(trial, n), 4);
    n.piece_count = 9;
    EXPECT_EQ(first_depth(trial, n), 3);
}

TEST(IidSelective, NeverLooksInCheck) {
    Trial trial([](auto& p) { p.selective = true; });
    NodeView n = node_at(0, 10, 11);
    n.piece_count = 20;
    n.in_check = true;
    for (const int mobility : {2, 80}) {
        n.mobility = mobility;
        EXPECT_EQ(first_depth(trial, n), kNever);
    }
}

TEST(IidSelective, NeverLooksInCheckNotEvenLate) {
    Trial trial([](auto& p) { p.selective = true, p.delayed = true; });
    NodeView n = node_at(12, 10, 60, NodeKind::Pv);
    n.piece_count = 20;
    ASSERT_TRUE(Iid::is_delayed_now(n, trial.params, 3));
    n.in_check = true;
    EXPECT_FALSE(Iid::is_delayed_now(n, trial.params, 3));
}

// ---- delayed ---------------------------------------------------------------------------------

TEST(IidDelayed, DeepPvNodesWaitUntilTheFirstMovesFailed) {
    Trial trial([](auto& p) { p.delayed = true; });
    EXPECT_FALSE(trial.looks(node_at(8, 10, 60, NodeKind::Pv)));
    EXPECT_TRUE(trial.looks(node_at(7, 10, 60, NodeKind::Pv)));
    EXPECT_TRUE(trial.looks(node_at(8, 10, 11, NodeKind::Cut)));
    EXPECT_TRUE(trial.looks(node_at(8, 10, 11, NodeKind::All)));
}

TEST(IidDelayed, LooksOnceAfterTheFirstMoves) {
    Trial trial([](auto& p) { p.delayed = true, p.delayed_after = 3; });
    const NodeView n = node_at(8, 10, 60, NodeKind::Pv);
    for (int moves = 0; moves <= 20; ++moves) {
        EXPECT_EQ(Iid::is_delayed_now(n, trial.params, moves), moves == 3) << moves;
    }
}

TEST(IidDelayed, OnlyInDeepPvNodesWithoutAGoodTableMove) {
    Trial trial([](auto& p) { p.delayed = true; });
    const auto now = [&](const NodeView& n) {
        return Iid::is_delayed_now(n, trial.params, trial.params.delayed_after);
    };
    EXPECT_FALSE(now(node_at(7, 10, 60, NodeKind::Pv)));
    EXPECT_TRUE(now(node_at(8, 10, 60, NodeKind::Pv)));
    EXPECT_FALSE(now(node_at(8, 10, 11, NodeKind::Cut)));
    EXPECT_FALSE(now(node_at(8, 10, 11, NodeKind::All)));
    EXPECT_FALSE(now(with_table_move(node_at(8, 10, 60, NodeKind::Pv), 6)));
    EXPECT_TRUE(now(with_table_move(node_at(8, 10, 60, NodeKind::Pv), 5)));
}

TEST(IidDelayed, NeedsToBeSwitchedOn) {
    const NodeView n = node_at(8, 10, 60, NodeKind::Pv);
    Iid::Params p;
    EXPECT_FALSE(Iid::is_delayed_now(n, p, 3));
    p.delayed = true;
    EXPECT_TRUE(Iid::is_delayed_now(n, p, 3));
    p.enabled = false;
    EXPECT_FALSE(Iid::is_delayed_now(n, p, 3));
    p.enabled = true;
    p.variant = Iid::Variant::Reduce;
    EXPECT_FALSE(Iid::is_delayed_now(n, p, 3));
}

TEST(IidDelayed, SearchesLikeAnyOtherIidAndIsCounted) {
    Trial trial([](auto& p) { p.delayed = true; });
    FinderScript probe{found(9)};
    const NodeView n = node_at(8, 10, 60, NodeKind::Pv);
    EXPECT_EQ(Iid::find_delayed(n, trial.params, trial.memory, trial.stats, probe), 9);
    EXPECT_THAT(probe.calls(), ElementsAre(search_call(6, 10, 60)));
    EXPECT_EQ(trial.stats.delayed, 1u);
    EXPECT_EQ(trial.stats.tried, 1u);
    EXPECT_EQ(trial.stats.attempts[0], 1u);
}

// ---- cached ----------------------------------------------------------------------------------

NodeView keyed_node(Key key, Depth depth) {
    NodeView n = node_at(depth, 10, 11);
    n.key = key;
    return n;
}

TEST(IidCache, ASecondVisitNeedsNoSearch) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(42)};
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 42);
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 42);
    EXPECT_THAT(probe.calls(), SizeIs(1));
    EXPECT_EQ(trial.stats.cache_hits, 1u);
    EXPECT_EQ(trial.stats.tried, 2u);
}

TEST(IidCache, AnotherPositionIsNotConfused) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(42), found(43), found(44)};
    trial.find(keyed_node(77, 8), probe);
    EXPECT_EQ(trial.find(keyed_node(78, 8), probe), 43);
    // Shares all low bits with the first, so it must lie in the same place of a power-of-two table.
    EXPECT_EQ(trial.find(keyed_node(77 + (Key{1} << 40), 8), probe), 44);
}

TEST(IidCache, AResultServesOnePlyDeeperAtMost) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(42), found(43)};
    trial.find(keyed_node(77, 8), probe);
    EXPECT_EQ(trial.find(keyed_node(77, 7), probe), 42);
    EXPECT_EQ(trial.find(keyed_node(77, 9), probe), 42);
    EXPECT_THAT(probe.calls(), SizeIs(1));
    EXPECT_EQ(trial.find(keyed_node(77, 10), probe), 43);
    EXPECT_THAT(probe.calls(), SizeIs(2));
    trial.params.cache_less = 4;
    EXPECT_EQ(trial.find(keyed_node(77, 14), probe), 43);
    EXPECT_THAT(probe.calls(), SizeIs(2));
}

TEST(IidCache, AResultGrowsStaleAfterAHundredSearches) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(42), found(43)};
    trial.find(keyed_node(77, 8), probe);
    for (int i = 0; i < 99; ++i) trial.memory.next_search();
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 42);
    trial.memory.next_search();
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 43);
}

TEST(IidCache, RemembersOnlyMovesAndForgetsAllOnReset) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(kNoMove), found(42), found(43)};
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), kNoMove);
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 42);
    trial.forget();
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 43);
}

TEST(IidCache, AFruitlessSearchDoesNotPushOutAnotherPositionsMove) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(42), found(kNoMove)};
    trial.find(keyed_node(77, 8), probe);
    trial.find(keyed_node(77 + (Key{1} << 40), 8), probe);  // shares the place in the table
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 42);
}

TEST(IidCache, IsNotUsedUnlessSwitchedOn) {
    Trial trial;
    FinderScript probe{found(42), found(43)};
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 42);
    EXPECT_EQ(trial.find(keyed_node(77, 8), probe), 43);
    EXPECT_EQ(trial.stats.cache_hits, 0u);
}

TEST(IidCache, KeyZeroIsAKeyLikeAnyOther) {
    Trial trial([](auto& p) { p.cached = true; });
    FinderScript probe{found(42)};
    EXPECT_EQ(trial.find(keyed_node(0, 8), probe), 42);
    EXPECT_EQ(trial.find(keyed_node(0, 8), probe), 42);
    EXPECT_EQ(trial.stats.cache_hits, 1u);
}

// ---- reduction instead of search (IIR) ------------------------------------------------------

Trial reducing_trial() {
    return Trial([](auto& p) { p.variant = Iid::Variant::Reduce; });
}

TEST(IidReduce, NodesWithoutATableMoveAreSearchedLessDeep) {
    Trial trial = reducing_trial();
    const auto plies = [&](const NodeView& n) {
        return Iid::reduction(n, trial.params, trial.stats);
    };
    EXPECT_EQ(plies(node_at(5, 10, 11)), 0);
    EXPECT_EQ(plies(node_at(6, 10, 11)), 1);
    EXPECT_EQ(plies(with_table_move(node_at(6, 10, 11), 0)), 0);
    trial.params.reduce_by = 2;
    EXPECT_EQ(plies(node_at(6, 10, 11)), 2);
    EXPECT_EQ(trial.stats.reduced, 2u);
    EXPECT_EQ(trial.stats.tried, 2u);
    EXPECT_EQ(trial.stats.succeeded, 2u);
}

TEST(IidReduce, StaysOutOfThreatsThatAreTooGrave) {
    Trial trial = reducing_trial();
    NodeView n = node_at(6, 10, 11);
    n.threat = Threat::Grave;
    EXPECT_EQ(Iid::reduction(n, trial.params, trial.stats), 1);
    trial.params.reduce_threat = static_cast<int>(Threat::Slow);
    EXPECT_EQ(Iid::reduction(n, trial.params, trial.stats), 0);
}

TEST(IidReduce, LeavesAtLeastOnePly) {
    Trial trial = reducing_trial();
    trial.params.reduce_min_depth = 2;
    trial.params.reduce_by = 4;
    EXPECT_EQ(Iid::reduction(node_at(2, 10, 11), trial.params, trial.stats), 1);
    EXPECT_EQ(Iid::reduction(node_at(5, 10, 11), trial.params, trial.stats), 4);
}

TEST(IidReduce, RespectsPvOnlyAndOff) {
    Trial trial = reducing_trial();
    trial.params.pv_only = true;
    EXPECT_EQ(Iid::reduction(node_at(8, 10, 11, NodeKind::Cut), trial.params, trial.stats), 0);
    EXPECT_EQ(Iid::reduction(node_at(8, 10, 60, NodeKind::Pv), trial.params, trial.stats), 1);
    trial.params.enabled = false;
    EXPECT_EQ(Iid::reduction(node_at(8, 10, 60, NodeKind::Pv), trial.params, trial.stats), 0);
    trial.params.enabled = true;
    trial.params.min_depth = kNever;
    EXPECT_EQ(Iid::reduction(node_at(8, 10, 60, NodeKind::Pv), trial.params, trial.stats), 0);
}

TEST(IidReduce, TheTwoVariantsExcludeEachOther) {
    Trial reducing = reducing_trial();
    EXPECT_FALSE(reducing.looks(node_at(8, 10, 11)));
    EXPECT_EQ(Iid::lowest_depth(reducing.params), 6);
    Trial searching;
    EXPECT_EQ(Iid::reduction(node_at(8, 10, 11), searching.params, searching.stats), 0);
}

// ---- counters and decisive windows ----------------------------------------------------------

TEST(Iid, CountsAttemptsByKind) {
    Trial trial;
    trial.looks(node_at(8, 10, 60, NodeKind::Pv));
    trial.looks(node_at(8, 10, 11, NodeKind::Cut));
    trial.looks(node_at(8, 10, 11, NodeKind::Cut));
    trial.looks(node_at(8, 10, 11, NodeKind::All));
    trial.looks(node_at(3, 10, 11, NodeKind::All));
    EXPECT_THAT(trial.stats.attempts, ElementsAre(1, 2, 1));
    EXPECT_EQ(trial.stats.tried, 4u);
    EXPECT_EQ(trial.stats.succeeded, 0u) << "success is known only when the node is done";
}

TEST(Iid, NeverLooksInDecisiveWindows) {
    for (const auto& [alpha, beta] : decisive_windows()) {
        Trial trial;
        EXPECT_FALSE(trial.looks(node_at(8, alpha, beta, NodeKind::Pv))) << alpha << " " << beta;
    }
}

TEST(IidDelayed, NeverLooksInDecisiveWindows) {
    Trial trial([](auto& p) { p.delayed = true; });
    for (const auto& [alpha, beta] : decisive_windows()) {
        const NodeView n = node_at(8, alpha, beta, NodeKind::Pv);
        EXPECT_FALSE(Iid::is_delayed_now(n, trial.params, 3)) << alpha << " " << beta;
    }
}

TEST(IidReduce, NeverReducesInDecisiveWindows) {
    Trial trial = reducing_trial();
    for (const auto& [alpha, beta] : decisive_windows()) {
        const NodeView n = node_at(8, alpha, beta, NodeKind::Pv);
        EXPECT_EQ(Iid::reduction(n, trial.params, trial.stats), 0) << alpha << " " << beta;
    }
}

}  // namespace
}  // namespace karikomi::test
