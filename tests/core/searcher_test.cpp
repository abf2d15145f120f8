/// The whole search: hooks, counters and limits that no single part shows.
#include "karikomi/core/searcher.hpp"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "examples/connect_four/connect_four.hpp"

namespace karikomi {
namespace {

using Four = connect_four::Game;

/// Connect Four with a "solver" that claims every position with 16 stones or more, and others from
/// depth 4 on if they have 8.
struct FourWithSolver : Four {
    struct Solver {
        int threads = 1;
        bool wants(const Position& pos, Depth depth, const Limits&) const {
            return pos.stones() >= 16 || (pos.stones() >= 8 && depth >= 4);
        }
        void set_threads(int n) { threads = n; }
        void set_hash(std::size_t) {}
        void new_game() {}
        SolverVerdict solve(const SolverTask<FourWithSolver>& task) const {
            std::atomic<int> ran{0};
            run_crew(threads, [&](int) { ++ran; });
            if (task.limits.depth == 99) {  // never ends by itself
                while (!task.stop.stop_requested()) std::this_thread::yield();
                return {};
            }
            SearchLine<FourWithSolver> line;
            line.value = 1234;
            line.pv = {task.order.front()};
            line.solved = true;
            const auto nodes = static_cast<std::uint64_t>(ran.load());
            task.report({line}, nodes);
            return {nodes, false};
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

TEST(Searcher, TheSolverTakesOverBetweenIterationsWithTheSearchsMoveFirst) {
    Searcher<FourWithSolver> searcher(1);
    const auto pos = *connect_four::Notation::parse("12532115374");
    Limits limits;
    limits.depth = 3;
    const auto before = Searcher<Four>(1).search(pos, limits);
    EXPECT_FALSE(before.lines.front().solved);
    limits.depth = 9;
    std::vector<Depth> depths;
    const auto after = searcher.search(pos, limits, [&](const auto& it) {
        depths.push_back(it.line.solved ? -1 : it.line.depth);
    });
    EXPECT_TRUE(after.lines.front().solved);
    EXPECT_EQ(depths, (std::vector<Depth>{1, 2, 3, -1}));
    EXPECT_EQ(after.lines.front().pv, std::vector{before.lines.front().pv.front()});
}

TEST(Searcher, TheClockStopsASolverAndTheSearchsResultStands) {
    Searcher<FourWithSolver> searcher(1);
    const auto pos = *connect_four::Notation::parse("12532115374");
    Limits limits;
    limits.depth = 99;
    limits.move_time_ms = 60;
    const auto r = searcher.search(pos, limits);
    ASSERT_FALSE(r.lines.empty());
    EXPECT_FALSE(r.lines.front().solved);
    EXPECT_EQ(r.lines.front().depth, 3);
    EXPECT_LT(r.time_us, 2'000'000);
}

/// Tries twice and gives back; at depth 7 it answers.
struct FourWithShySolver : Four {
    struct Solver {
        bool wants(const Position&, Depth depth, const Limits&) const {
            return depth == 3 || depth == 5 || depth == 7;
        }
        void set_threads(int) {}
        void set_hash(std::size_t) {}
        void new_game() {}
        SolverVerdict solve(const SolverTask<FourWithShySolver>& task) {
            SearchLine<FourWithShySolver> line;
            line.value = 1000 + task.next;
            line.pv = {task.order.back()};
            line.solved = true;
            task.report({line}, 10);
            const bool last = task.next == 7;
            return {last ? 30u : 100u, !last};
        }
    };
};

TEST(Searcher, ASolverThatGivesBackIsAskedAgainAndItsNodesCount) {
    const auto pos = *connect_four::Notation::parse("4453");
    for (const int threads : {1, 3}) {
        Searcher<FourWithShySolver> searcher(1);
        searcher.set_threads(threads);
        std::vector<Depth> depths;
        const auto note = [&](const Iteration<FourWithShySolver>& it) {
            depths.push_back(it.line.solved ? -it.line.depth : it.line.depth);
        };
        Limits limits;
        limits.depth = 5;  // what was reported before a give-back is forgotten
        const auto five = searcher.search(pos, limits, note);
        EXPECT_FALSE(five.lines.front().solved);
        EXPECT_EQ(five.lines.front().depth, 5);
        if (threads == 1) EXPECT_EQ(five.nodes, five.stats.nodes + 200);
        EXPECT_EQ(std::count(depths.begin(), depths.end(), 0), 2);
        for (Depth d = 1; d <= 5; ++d) {
            EXPECT_EQ(std::count(depths.begin(), depths.end(), d), 1) << d;
        }
        limits.depth = 9;
        const auto nine = searcher.search(pos, limits);
        EXPECT_EQ(nine.lines.front().value, 1007);
        EXPECT_EQ(nine.nodes, nine.stats.nodes + 230);
    }
}

TEST(Searcher, ANodeLimitHoldsForSearchAndSolverTogether) {
    const auto pos = *connect_four::Notation::parse("4453");
    for (const std::uint64_t nodes : {150u, 400u, 1000u}) {
        Searcher<FourWithShySolver> searcher(1);
        Limits limits;
        limits.nodes = nodes;
        EXPECT_LE(searcher.search(pos, limits).nodes, nodes + 100);
    }
}

TEST(Searcher, IterationCountersAddUpToTheTotals) {
    Searcher<Four> searcher(4);
    Limits limits;
    limits.depth = 12;
    SelectiveStats sum;
    const auto pos = *connect_four::Notation::parse("4453");
    const auto result =
        searcher.search(pos, limits, [&](const Iteration<Four>& it) { sum += it.selective; });
    EXPECT_GT(result.selective.of<LateMoves>().tried, 0u);
    EXPECT_EQ(sum.of<LateMoves>().tried, result.selective.of<LateMoves>().tried);
    EXPECT_EQ(sum.of<ProbCut>().probe_nodes, result.selective.of<ProbCut>().probe_nodes);
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

TEST(Searcher, AMoveWithoutChoiceIsNotSearchedLongOnAClock) {
    const auto depth_with = [](Depth single_move_depth) {
        Searcher<Four> searcher(1);
        SearchParams p;
        p.time.single_move_depth = single_move_depth;
        searcher.set_params(p);
        const auto pos = *connect_four::Notation::parse("12532115374");
        Limits limits;
        limits.depth = 8;
        limits.has_clock = true;
        limits.main_ms = 10'000'000;
        limits.root_moves = {searcher.search(pos, limits).lines.front().pv.front().raw()};
        return searcher.search(pos, limits).lines.front().depth;
    };
    EXPECT_EQ(depth_with(TimeParams{}.single_move_depth), 4);
    EXPECT_EQ(depth_with(6), 6);
}

}  // namespace
}  // namespace karikomi
