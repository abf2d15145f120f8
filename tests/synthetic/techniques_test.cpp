// Each technique in each of its forms, in the real search, on two games: left out of the build it
// equals switched off; switched on it acts; and with all of them off the search is the plain one.
#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "karikomi/core/legacy.hpp"
#include "tests/synthetic/technique_cases.hpp"

namespace karikomi::synthetic {
namespace {

template <Game G> const Calibration& calibration() {
    return Arena<G>::calibration();
}

/// Can the game use this form of the technique at all?
template <Game G> bool is_usable(const Variant& v) {
    if (!can_use<G>(v.technique)) return false;
    if (v.needs_null_move && !can_use<G>(kTechnique<NullMove>)) return false;
    return !v.needs_exchange || HasExchange<G>;
}

/// Most tests compare with the full search; it is done once.
template <Game G> const Examined& full_search() {
    static const Examined kFull = examine<G>(all_off(calibration<G>()));
    return kFull;
}

template <Game G> const Examined& examine_only(const Variant& v) {
    static std::map<std::string_view, Examined> known;
    const auto [at, is_new] = known.try_emplace(v.name);
    if (is_new) at->second = examine<G>(only(v, calibration<G>()));
    return at->second;
}

// ---- Left out of the build == switched off --------------------------------------------------

template <Game G> void expect_compiled_out_equals_off(const Variant& v) {
    for (const bool others : {true, false}) {
        SCOPED_TRACE(others ? "all others on" : "all others off");
        SearchParams on = others ? all_on(calibration<G>()) : all_off(calibration<G>());
        v.set(on.selective);
        SearchParams off = on;
        off.selective.enabled(v.technique) = false;
        const Examined without = examine_without<G>(v.technique, on);
        EXPECT_EQ(without.outcomes, examine<G>(off).outcomes);
    }
}

template <Game G> void expect_acts(const Variant& v) {
    const Examined& on = examine_only<G>(v);
    if (v.trees_only && !std::is_same_v<G, Tree>) return;
    if (!is_usable<G>(v)) {
        // What the game cannot do must change nothing, and count nothing.
        if (!v.needs_null_move || v.technique == kTechnique<NullMove>) {
            EXPECT_EQ(on.outcomes, full_search<G>().outcomes);
        }
        EXPECT_EQ(v.acted(on.stats), 0u);
        return;
    }
    EXPECT_GT(v.acted(on.stats), 0u);
    EXPECT_NE(on.outcomes, full_search<G>().outcomes);
    if (v.plain.empty()) return;
    EXPECT_NE(on.outcomes, examine_only<G>(variant(v.plain)).outcomes)
        << "no different from " << v.plain;
}

class SyntheticVariants : public testing::TestWithParam<Variant> {};

TEST_P(SyntheticVariants, CompiledOutEqualsOffOnTrees) {
    expect_compiled_out_equals_off<Tree>(GetParam());
}
TEST_P(SyntheticVariants, CompiledOutEqualsOffOnConnectFour) {
    expect_compiled_out_equals_off<ConnectFour>(GetParam());
}
TEST_P(SyntheticVariants, ActsOnTrees) {
    ASSERT_TRUE(is_usable<Tree>(GetParam())) << "the synthetic game has every ability";
    expect_acts<Tree>(GetParam());
}
TEST_P(SyntheticVariants, ActsOnConnectFourWhereItCan) {
    expect_acts<ConnectFour>(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, SyntheticVariants, testing::ValuesIn(variants()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SyntheticTechniques, ConnectFourSaysWhatItCannotUse) {
    EXPECT_FALSE(can_use<ConnectFour>(kTechnique<NullMove>));
    EXPECT_FALSE(HasExchange<ConnectFour>);
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        EXPECT_TRUE(can_use<Tree>(Technique(i))) << kTechniqueNames[i];
        if (Technique(i) == kTechnique<NullMove>) continue;
        EXPECT_TRUE(can_use<ConnectFour>(Technique(i))) << kTechniqueNames[i];
    }
}

TEST(SyntheticTechniques, EveryTechniqueHasAVariant) {
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        const auto is_of = [&](const Variant& v) { return v.technique == Technique(i); };
        EXPECT_TRUE(std::any_of(variants().begin(), variants().end(), is_of)) << kTechniqueNames[i];
    }
}

/// Off must also mean: no counter moves, nothing is booked.
std::uint64_t sum_of_counters(SelectiveStats stats) {
    std::uint64_t sum = 0;
    stats.describe([&](std::string_view, auto& s) {
        s.describe([&](std::string_view, std::uint64_t& n, std::size_t = 0) { sum += n; });
    });
    return sum;
}

template <class G> class SyntheticSearch : public testing::Test {};
using Games = testing::Types<Tree, ConnectFour>;
TYPED_TEST_SUITE(SyntheticSearch, Games);

TYPED_TEST(SyntheticSearch, NothingBuiltEqualsNothingOn) {
    EXPECT_EQ(examine_without_all<TypeParam>(all_on(calibration<TypeParam>())).outcomes,
              full_search<TypeParam>().outcomes);
    EXPECT_EQ(sum_of_counters(full_search<TypeParam>().stats), 0u);
    EXPECT_GT(sum_of_counters(examine<TypeParam>(all_on(calibration<TypeParam>())).stats), 0u);
}

TYPED_TEST(SyntheticSearch, ValueWithAllOffIsThePlainOne) {
    using G = TypeParam;
    Searcher<G> searcher(1);
    for (const auto& pos : Arena<G>::positions()) {
        for (Depth depth = 1; depth <= 7; ++depth) {
            searcher.set_params(all_off(calibration<G>()));
            Limits limits;
            limits.depth = depth;
            const auto found = searcher.search(pos, limits);
            const auto plain = Legacy<G>(pos).best_move(depth);
            EXPECT_EQ(found.lines.at(0).value, plain.value) << "depth " << depth;
            EXPECT_LT(found.nodes, 10 * plain.nodes + 1000);
        }
    }
}

TYPED_TEST(SyntheticSearch, OneThreadIsDeterministic) {
    using G = TypeParam;
    const SearchParams params = all_on(calibration<G>());
    const Examined first = examine<G>(params);
    EXPECT_EQ(first.outcomes, examine<G>(params).outcomes);
    EXPECT_NE(first.outcomes, full_search<G>().outcomes);
}

TYPED_TEST(SyntheticSearch, TwoThreadsGiveALegalMove) {
    using G = TypeParam;
    Searcher<G> searcher(1);
    searcher.set_threads(2);
    for (const auto& pos : Arena<G>::positions()) {
        searcher.set_params(all_on(calibration<G>()));
        Limits limits;
        limits.depth = Arena<G>::kDepth;
        const auto r = searcher.search(pos, limits);
        ASSERT_EQ(r.lines.size(), 1u);
        ASSERT_FALSE(r.lines[0].pv.empty());
        EXPECT_TRUE(pos.is_legal(r.lines[0].pv[0]));
        EXPECT_GE(r.lines[0].depth, 1);
        auto walk = pos;
        for (const auto& m : r.lines[0].pv) {
            ASSERT_TRUE(!walk.outcome(0) && walk.is_legal(m));
            typename G::Undo undo{};
            walk.make(m, undo);
        }
    }
}

// ---- What the combinations brought to light -------------------------------------------------
// Each of these failed once.

/// Internal iterative reduction may bring a node into futility's depths. It needs a static value
/// there; without one every quiet move looks hopeless. These margins can never prune.
TEST(SyntheticRegressions, AReducedNodeHasAStaticValueForFutility) {
    SearchParams p = all_off(calibration<ConnectFour>());
    Futility::Params& f = p.selective.of<Futility>();
    f.enabled = true;
    f.self_first = f.self_second = f.opponent_first = f.opponent_second = {0, 20000, 20000, 20000};
    p.selective.of<Iid>().enabled = true;
    p.selective.of<Iid>().variant = Iid::Variant::Reduce;
    p.selective.of<Iid>().reduce_min_depth = 4;
    const Examined e = examine<ConnectFour>(p);
    EXPECT_GT(e.stats.of<Iid>().reduced, 0u);
    EXPECT_EQ(e.stats.of<Futility>().succeeded, 0u);
}

/// Delayed IID may find a quiet move while the tactical ones are still being handed out.
TEST(SyntheticRegressions, APromotedMoveComesFirstOfItsKindEvenIfNotYetGenerated) {
    constexpr Config kTactical{.branching = 12, .tactical_share = 0.4};
    const History<Tree> history;
    const Frame<Tree> frame;
    const Tree::Evaluator evaluator{};
    int promoted = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Position pos(kTactical, seed);
        MovesOf<Tree> quiet;
        pos.generate_quiet(quiet);
        MovePicker<Tree> picker(pos, kNoMove, {frame, history, evaluator, {}}, 5);
        Move m;
        if (quiet.empty() || !picker.next(m) || !pos.is_tactical(m)) continue;
        const Move wanted = quiet[quiet.size() - 1].move;
        picker.promote(wanted.raw());
        while (picker.next(m) && pos.is_tactical(m)) continue;
        EXPECT_EQ(m, wanted) << "seed " << seed;
        ++promoted;
    }
    EXPECT_GT(promoted, 5);
}

/// No technique acts on decisive windows, and the open window of a first iteration is one.
TEST(SyntheticRegressions, DelayedIidStaysOutOfDecisiveWindows) {
    SearchParams p = only(variant("iid_delayed"), calibration<ConnectFour>());
    p.aspiration.enabled = false;
    p.selective.of<Iid>().pv_only = true;
    p.selective.of<Iid>().tt_margin = 0;
    Limits limits;
    limits.depth = 9;
    Searcher<ConnectFour> searcher(1);
    searcher.set_params(p);
    EXPECT_EQ(searcher.search({}, limits).selective.of<Iid>().tried, 0u);
}

/// A root move that fails high without a second search has no line of its own: it must not get
/// that of another move. (Seen when the search is stopped before the retry.)
TEST(SyntheticRegressions, TheBestLineIsLegalWhenTheSearchIsStopped) {
    SearchParams p = all_off(calibration<ConnectFour>());
    p.aspiration.delta = 2;
    Searcher<ConnectFour> searcher(1);
    for (const std::string_view text : {"", "12344", "7654", "4444", "334455"}) {
        const connect_four::Position pos = *connect_four::Notation::parse(text);
        for (std::uint64_t nodes = 50; nodes < 10'000; nodes += nodes / 7 + 1) {
            searcher.set_params(p);
            Limits limits;
            limits.nodes = nodes;
            const auto found = searcher.search(pos, limits);
            auto walk = pos;
            for (const auto& m : found.lines.at(0).pv) {
                ASSERT_TRUE(!walk.outcome(0) && walk.is_legal(m)) << text << ", nodes " << nodes;
                connect_four::Undo undo;
                walk.make(m, undo);
            }
        }
    }
}

}  // namespace
}  // namespace karikomi::synthetic
