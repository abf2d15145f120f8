/// What protocols and the command line rely on, for every game of the build.
#include "karikomi/engine/engine.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi {
namespace {

class EngineTest : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override { engine_ = std::move(*make_engine(GetParam())); }
    bool is_legal(const std::string& move) const {
        const auto moves = engine_->legal_moves();
        return std::find(moves.begin(), moves.end(), move) != moves.end();
    }
    std::string sample(std::size_t i) const { return engine_->info().samples.at(i).text; }
    /// A depth that the game's tree allows in a test.
    Depth depth_for(std::size_t i, Depth wanted) const {
        return std::min(wanted, engine_->info().samples.at(i).depth);
    }
    Result search(const SearchRequest& request) {
        auto r = engine_->search(request);
        EXPECT_TRUE(r);
        return *r;
    }
    std::unique_ptr<Engine> engine_;
};

TEST_P(EngineTest, OneThreadIsDeterministic) {
    std::vector<std::uint64_t> nodes[2];
    for (auto& run : nodes) {
        engine_->new_game();
        for (std::size_t i = 0; i < engine_->info().samples.size(); ++i) {
            SearchRequest request;
            request.limits.depth = depth_for(i, 9);
            ASSERT_TRUE(engine_->set_position(sample(i)));
            run.push_back(search(request).nodes);
        }
    }
    EXPECT_EQ(nodes[0], nodes[1]);
}

TEST_P(EngineTest, ANodeLimitIsKeptWithinOnePercent) {
    for (const int threads : {1, 2, 4}) {
        engine_->set_threads(threads);
        for (const std::uint64_t limit : {1ull, 10ull, 1000ull, 5000ull, 77'777ull}) {
            engine_->new_game();
            ASSERT_TRUE(engine_->set_position(sample(0)));
            SearchRequest request;
            request.limits.nodes = limit;
            const Result r = search(request);
            const auto slack = std::max<std::uint64_t>(limit / 100, static_cast<unsigned>(threads));
            EXPECT_LE(r.nodes, limit + slack) << threads << " threads";
            EXPECT_TRUE(is_legal(r.best_move));
        }
    }
}

TEST_P(EngineTest, StopFromAnotherThreadEndsAnInfiniteSearch) {
    for (const int threads : {1, 3}) {
        engine_->set_threads(threads);
        SearchRequest request;
        request.limits.infinite = true;
        StopSource stop;
        request.stop = stop.get_token();
        Result r;
        std::thread thread([&] { r = *engine_->search(request); });
        stop.request_stop();  // at once: must not be lost
        thread.join();
        EXPECT_TRUE(is_legal(r.best_move));
    }
}

TEST_P(EngineTest, InfiniteDoesNotAnswerByItself) {
    SearchRequest request;
    request.limits.infinite = true;
    request.limits.depth = 2;
    StopSource stop;
    request.stop = stop.get_token();
    std::atomic<bool> done{false};
    std::thread thread([&] { (void)engine_->search(request), done = true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_FALSE(done);
    stop.request_stop();
    thread.join();
    EXPECT_TRUE(done);
}

TEST_P(EngineTest, PonderingWaitsForTheHitAndThenUsesTheClock) {
    SearchRequest request;
    request.limits.ponder = true;
    request.limits.move_time_ms = 40;
    std::atomic<bool> done{false};
    engine_->arm(request);
    std::thread thread([&] { (void)engine_->search(request), done = true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(done);
    engine_->ponder_hit();
    thread.join();
    EXPECT_TRUE(done);
}

/// Nothing selective, and nothing that draws values towards a bound: what the rules alone say.
SearchParams full_search() {
    SearchParams p;
    p.selective.disable_all();
    return p;
}

TEST_P(EngineTest, MultiPvGivesDifferentMovesInOrder) {
    ASSERT_TRUE(engine_->set_position(sample(1)));
    SearchRequest request;
    request.limits.depth = depth_for(1, 8);
    request.limits.multi_pv = 3;
    const Result r = search(request);
    ASSERT_EQ(r.lines.size(), std::min<std::size_t>(3, engine_->legal_moves().size()));
    for (std::size_t i = 1; i < r.lines.size(); ++i) {
        EXPECT_GE(r.lines[i - 1].value, r.lines[i].value);
        EXPECT_NE(r.lines[i - 1].pv.front(), r.lines[i].pv.front());
    }
    SearchRequest single;
    single.limits.depth = depth_for(1, 8);
    ASSERT_TRUE(engine_->set_params(full_search()));
    const Value best = search(single).lines.front().value;
    single.limits.multi_pv = 2;
    engine_->new_game();
    EXPECT_EQ(search(single).lines.front().value, best);
}

TEST_P(EngineTest, OnlyTheNamedRootMovesAreSearched) {
    ASSERT_TRUE(engine_->set_position({}));
    const std::string last = engine_->legal_moves().back();
    SearchRequest request;
    request.limits.depth = 6;
    request.only_moves = {last};
    EXPECT_EQ(search(request).best_move, last);
    request.only_moves = {"nonsense"};
    EXPECT_FALSE(engine_->search(request));
}

TEST_P(EngineTest, ADepthLimitHoldsForEveryThread) {
    ASSERT_TRUE(engine_->set_position(sample(1)));
    engine_->set_threads(4);
    for (int i = 0; i < 5; ++i) {
        engine_->new_game();
        SearchRequest request;
        request.limits.depth = depth_for(1, 7);
        EXPECT_LE(search(request).lines.front().depth, request.limits.depth);
    }
}

TEST_P(EngineTest, AnArmedSearchThatFailsDoesNotPoisonTheNext) {
    SearchRequest bad;
    bad.only_moves = {"nonsense"};
    bad.limits.nodes = 1;
    engine_->arm(bad);
    EXPECT_FALSE(engine_->search(bad));
    SearchRequest good;
    good.limits.depth = 6;
    EXPECT_EQ(search(good).lines.front().depth, 6);
}

TEST_P(EngineTest, AnUnfinishedIterationIsNotCalledExact) {
    ASSERT_TRUE(engine_->set_position(sample(0)));
    SearchRequest request;
    request.limits.nodes = 1;
    EXPECT_NE(search(request).lines.front().bound, Bound::Exact);
}

TEST_P(EngineTest, EveryIterationIsReported) {
    ASSERT_TRUE(engine_->set_position(sample(0)));
    SearchRequest request;
    request.limits.depth = 7;
    std::vector<Info> infos;
    const auto r = engine_->search(request, [&](const Info& i) { infos.push_back(i); });
    ASSERT_TRUE(r);
    ASSERT_EQ(infos.size(), 7u);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        EXPECT_EQ(infos[i].line.depth, static_cast<Depth>(i) + 1);
        sum += infos[i].nodes;
        EXPECT_EQ(infos[i].total_nodes, sum);
        ASSERT_FALSE(infos[i].line.pv.empty());
    }
    EXPECT_EQ(infos.back().line.value, r->lines.front().value);
    const Json j = to_json(*r);
    for (const char* key : {"bestmove", "value", "decisive", "depth", "nodes", "time_ms", "nps",
                            "pv", "techniques"}) {
        EXPECT_TRUE(j.contains(key)) << key;
    }
    for (const std::string_view t : kTechniqueNames) {
        for (const char* key : {"tried", "succeeded", "probe_nodes", "saved_nodes"}) {
            EXPECT_TRUE(j["techniques"][std::string(t)].contains(key)) << t << key;
        }
    }
}

TEST_P(EngineTest, LegacyAgreesWithTheSearchWhenAllIsOff) {
    ASSERT_TRUE(engine_->set_params(full_search()));
    for (const auto& s : engine_->info().samples) {
        ASSERT_TRUE(engine_->set_position(s.text));
        SearchRequest request;
        // Without ordering a wide game is out of reach soon.
        const bool wide = engine_->legal_moves().size() > 100;
        request.limits.depth = std::min(wide ? 3 : 6, s.depth - 2);
        engine_->new_game();
        const Result real = search(request);
        request.legacy = true;
        EXPECT_EQ(search(request).lines.front().value, real.lines.front().value) << s.text;
    }
}

TEST_P(EngineTest, LegacyKeepsItsLimits) {
    SearchRequest request;
    request.legacy = true;
    request.limits.nodes = 1;
    EXPECT_TRUE(is_legal(search(request).best_move));
    request.limits.nodes = 5000;
    EXPECT_LE(search(request).nodes, 5050u);
}

TEST_P(EngineTest, AFixedMoveTimeIsNotExceededByMuch) {
    ASSERT_TRUE(engine_->set_position(sample(0)));
    SearchRequest request;
    request.limits.move_time_ms = 100;
    EXPECT_LT(search(request).time_us, 1'000'000);  // generous: the machine may be busy
}

TEST_P(EngineTest, PerftOfDepthOneCountsTheLegalMoves) {
    for (const auto& s : engine_->info().samples) {
        ASSERT_TRUE(engine_->set_position(s.text));
        EXPECT_EQ(engine_->perft(1).size(), engine_->legal_moves().size());
    }
}

TEST_P(EngineTest, ABadPositionLeavesTheOldOne) {
    ASSERT_TRUE(engine_->set_position(sample(1)));
    const std::string before = engine_->draw_board();
    EXPECT_FALSE(engine_->set_position("\x01 not a position \xff"));
    EXPECT_FALSE(engine_->set_position(sample(1), "zz"));
    EXPECT_EQ(engine_->draw_board(), before);
}

TEST_P(EngineTest, WholeGamesEndByTheRules) {
    for (int game = 0; game < 4; ++game) {
        engine_->new_game();
        ASSERT_TRUE(engine_->set_position({}));
        int plies = 0;
        for (; !engine_->winner(); ++plies) {
            ASSERT_LT(plies, 2000);
            SearchRequest request;
            request.limits.nodes = 200 + 300 * static_cast<unsigned>(game);
            const Result r = search(request);
            ASSERT_TRUE(is_legal(r.best_move));
            ASSERT_TRUE(engine_->play(r.best_move));
        }
        EXPECT_TRUE(engine_->legal_moves().empty());
        EXPECT_TRUE(search({}).best_move.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, EngineTest, testing::ValuesIn(game_names()),
                         [](const auto& game) { return game.param; });

/// Pins the search itself: frozen parameters (tests/presets), so that retuning params/ does not
/// break it. A change here must be meant, and said in the commit.
TEST(Signature, FrozenParametersGiveTheSameTree) {
    auto engine = std::move(*make_engine("connect_four"));
    const std::string file = std::string(KARIKOMI_SOURCE_DIR) + "/tests/presets/connect_four.json";
    const auto params = load_params(file, engine->info());
    ASSERT_TRUE(params) << params.error().what;
    const auto nodes_of = [&](const SearchParams& p) {
        EXPECT_TRUE(engine->set_params(p));
        std::uint64_t nodes = 0;
        for (const char* text : {"", "4453", "437143", "12532115374", "7157365235632235"}) {
            EXPECT_TRUE(engine->set_position(text));
            engine->new_game();
            SearchRequest request;
            request.limits.depth = 11;
            nodes += engine->search(request)->nodes;
        }
        return nodes;
    };
    SearchParams everything = *params;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        everything.selective.enabled(Technique(i)) = true;
    }
    SearchParams nothing = *params;
    nothing.selective.disable_all();
    EXPECT_EQ(nodes_of(*params), 189'189u);
    EXPECT_EQ(nodes_of(everything), 192'845u);
    EXPECT_EQ(nodes_of(nothing), 366'198u);
}

/// The search for fours at the horizon: its two numbers change the tree.
TEST(Horizon, TheBudgetOfThreatsActs) {
    const auto nodes_with = [](const std::string& setting) {
        const auto engine = make_engine("renju");
        SearchParams params = (*engine)->params();
        if (!setting.empty()) EXPECT_TRUE(set_param(params, setting)) << setting;
        EXPECT_TRUE((*engine)->set_params(params));
        SearchRequest request;
        request.limits.depth = 6;
        std::uint64_t nodes = 0;
        for (const SamplePosition& sample : (*engine)->info().samples) {
            EXPECT_TRUE((*engine)->set_position(sample.text));
            nodes += (*engine)->search(request)->nodes;
        }
        return nodes;
    };
    const std::uint64_t usual = nodes_with("");
    EXPECT_EQ(nodes_with("quiescence.threat_nodes=48"), usual);
    EXPECT_NE(nodes_with("quiescence.threat_nodes=4"), usual);
    EXPECT_NE(nodes_with("quiescence.threat_moves=1"), usual);
}

TEST(Registry, AnUnknownGameGetsASuggestion) {
    EXPECT_EQ(make_engine("conect_four").error().remedy, "did you mean 'connect_four'?");
}

}  // namespace
}  // namespace karikomi
