/// The whole search: hooks, counters and limits that no single part shows.
#include "karikomi/core/searcher.hpp"

#include <gtest/gtest.h>

#include "examples/connect_four/connect_four.hpp"

namespace karikomi {
namespace {

using Four = connect_four::Game;

/// Connect Four with a "solver" that claims every position with 16 stones or more.
struct FourWithSolver : Four {
    struct Solver {
        static std::optional<SearchResult<FourWithSolver>> solve(const Position& pos,
                                                                 const Limits& limits,
                                                                 Shared& shared) {
            if (pos.stones() < 16) return std::nullopt;
            std::atomic<int> ran{0};
            run_crew(shared.threads, [&](int) { ++ran; });
            SearchResult<FourWithSolver> r;
            r.nodes = static_cast<std::uint64_t>(ran.load());
            MovesOf<FourWithSolver> moves;
            pos.generate(moves);
            r.lines.push_back({1234, Bound::Exact, limits.depth, {moves[0].move}});
            return r;
        }
    };
};
static_assert(HasSolver<FourWithSolver> && !HasSolver<Four>);

TEST(Searcher, AGamesOwnSolverAnswersFirstAndGetsTheThreads) {
    Searcher<FourWithSolver> searcher(1);
    searcher.set_threads(3);
    Limits limits;
    limits.depth = 5;
    const auto late = *connect_four::Notation::parse("7157365235632235");
    EXPECT_EQ(searcher.search(late, limits).lines.front().value, 1234);
    EXPECT_EQ(searcher.search(late, limits).nodes, 3u);
    const auto early = *connect_four::Notation::parse("44");
    EXPECT_NE(searcher.search(early, limits).lines.front().value, 1234);
}

TEST(Searcher, IterationCountersAddUpToTheTotals) {
    Searcher<Four> searcher(4);
    Limits limits;
    limits.depth = 12;
    SelectiveStats sum;
    const auto pos = *connect_four::Notation::parse("4453");
    const auto result =
        searcher.search(pos, limits, [&](const Iteration<Four>& it) { sum += it.selective; });
    EXPECT_GT(result.selective.late_moves.tried, 0u);
    EXPECT_EQ(sum.late_moves.tried, result.selective.late_moves.tried);
    EXPECT_EQ(sum.probcut.probe_nodes, result.selective.probcut.probe_nodes);
}

TEST(Searcher, RetriesMayBeKeptOutOfTheTable) {
    // A window of one unit fails at nearly every iteration, so both policies must differ in nodes
    // and agree in value.
    std::uint64_t nodes[2];
    Value value[2];
    for (const bool store : {false, true}) {
        Searcher<Four> searcher(4);
        SearchParams p;
        p.selective.disable_all();
        p.aspiration.delta = 1;
        p.aspiration.store_on_retry = store;
        searcher.set_params(p);
        Limits limits;
        limits.depth = 11;
        const auto r = searcher.search(*connect_four::Notation::parse("4453"), limits);
        nodes[store] = r.nodes;
        value[store] = r.lines.front().value;
    }
    EXPECT_NE(nodes[0], nodes[1]);
    EXPECT_EQ(value[0], value[1]);
}

TEST(Searcher, AStrictProbeSearchesMore) {
    std::uint64_t nodes[2];
    for (const bool strict : {false, true}) {
        Searcher<Four> searcher(4);
        SearchParams p;
        p.table.strict_probes = strict;
        searcher.set_params(p);
        Limits limits;
        limits.depth = 13;
        nodes[strict] = searcher.search(*connect_four::Notation::parse("4453"), limits).nodes;
    }
    EXPECT_NE(nodes[0], nodes[1]);
}

TEST(Searcher, GainsAreMeasuredOnlyOnRequest) {
    Searcher<Four> searcher(4);
    SearchParams p;
    p.selective.disable_all();
    searcher.set_params(p);
    Limits limits;
    limits.depth = 8;
    const auto pos = *connect_four::Notation::parse("4453");
    const std::uint64_t plain = searcher.search(pos, limits).nodes;
    Observer<Four> observer;
    observer.wants_gains = true;
    searcher.new_game();
    searcher.main_worker().observe(&observer);
    EXPECT_EQ(searcher.search(pos, limits).nodes, plain) << "measuring must not change the tree";
    ASSERT_FALSE(observer.gains.empty());
    bool both_sides[2] = {false, false};
    for (const GainSample& g : observer.gains) {
        both_sides[g.opponent] = true;
        EXPECT_GE(g.depth, 1);
        EXPECT_LE(g.depth, 3);
        EXPECT_GE(g.gain(), 0);
    }
    EXPECT_TRUE(both_sides[0] && both_sides[1]);
}

TEST(Searcher, AWonPositionIsAnsweredAtTheDepthOfItsProof) {
    Searcher<Four> searcher(4);
    Limits limits;
    limits.depth = 30;
    const auto r = searcher.search(*connect_four::Notation::parse("121212"), limits);
    EXPECT_EQ(r.lines.front().value, win_in(1));
    EXPECT_EQ(r.lines.front().depth, 1);
}

}  // namespace
}  // namespace karikomi
