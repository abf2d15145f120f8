// Budgets as words, the slope of a curve, plots, and depth by move number.
#include "karikomi/lab/curve/curve.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/curve/move_report.hpp"
#include "karikomi/lab/curve/plot.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::curve {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using tests::TemporaryFolder;

TEST(Budget, ReadsAndWritesShortWords) {
    const std::vector<std::pair<const char*, const char*>> words = {
        {"5k", "5k"},      {"40000", "40k"},   {"300k", "300k"}, {"1.5k", "1500"}, {"2M", "2M"},
        {"0.1s", "100ms"}, {"100ms", "100ms"}, {"1s", "1s"},     {"2min", "2min"}, {"d10", "d10"}};
    for (const auto& [given, written] : words) {
        const auto b = parse_budget(given);
        ASSERT_TRUE(b) << given;
        EXPECT_EQ(b->text(), written);
        EXPECT_EQ(*parse_budget(b->text()), *b);
    }
    EXPECT_EQ(parse_budget("40k")->limits().nodes, 40000U);
    EXPECT_EQ(parse_budget("1s")->limits().move_time_ms, 1000);
    EXPECT_EQ(parse_budget("d7")->limits().depth, 7);
    for (const char* wrong :
         {"", "k", "0", "-5k", "5x", "d", "d0", "d5k", "d1000", "5k5", "1e30"}) {
        EXPECT_FALSE(parse_budget(wrong)) << wrong;
    }
    EXPECT_THAT(*parse_budgets("5k,1s,d4"), SizeIs(3));
    EXPECT_FALSE(parse_budgets("5k,5000"));
    EXPECT_FALSE(parse_budgets("5k,"));
}

// A point of a curve with so many pairs won, split and lost.
CurvePoint point(const char* budget, std::uint64_t won, std::uint64_t split, std::uint64_t lost) {
    CurvePoint p;
    p.budget = *parse_budget(budget);
    p.games = {2 * lost + split, 0, 2 * won + split};
    p.pairs.n = {lost, 0, split, 0, won};
    return p;
}

TEST(Curve, SaysWhetherItFalls) {
    const Slope falls =
        slope_of({point("5k", 40, 40, 20), point("40k", 25, 40, 35), point("300k", 10, 30, 60)});
    EXPECT_EQ(falls.trend, Trend::Falls);
    EXPECT_LT(falls.elo.high, 0);
    EXPECT_NEAR(falls.elo.value, -43, 12) << "about 260 Elo in six doublings";
    const Slope rises = slope_of({point("5k", 20, 40, 40), point("40k", 40, 40, 20)});
    EXPECT_EQ(rises.trend, Trend::Rises);
    const Slope level = slope_of(
        {point("5k", 400, 300, 300), point("40k", 400, 300, 300), point("1M", 400, 300, 300)});
    EXPECT_EQ(level.trend, Trend::Level);
    const Slope unknown = slope_of({point("5k", 3, 2, 2), point("40k", 2, 2, 3)});
    EXPECT_EQ(unknown.trend, Trend::Unknown);
    EXPECT_TRUE(unknown.known);
    EXPECT_FALSE(slope_of({point("5k", 3, 2, 2)}).known);
    EXPECT_FALSE(slope_of({}).known);
    EXPECT_FALSE(slope_of({point("5k", 3, 2, 2), point("1s", 1, 1, 1)}).known)
        << "a number of nodes and a time have no common scale";
}

TEST(Curve, KindsOfBudgetsShareASlopeButNoLevel) {
    const std::vector<CurvePoint> points = {point("5k", 40, 40, 20), point("40k", 30, 40, 30),
                                            point("100ms", 10, 30, 60), point("800ms", 5, 25, 70)};
    EXPECT_EQ(slope_of(points).trend, Trend::Falls);
    EXPECT_TRUE(slope_of(points, BudgetKind::Time).known);
    EXPECT_FALSE(slope_of(points, BudgetKind::Depth).known);
    const Slope nodes = slope_of(points, BudgetKind::Nodes);
    const Slope all = slope_of(points);
    EXPECT_LT(all.elo.high - all.elo.low, nodes.elo.high - nodes.elo.low);
}

TEST(Curve, OneSidedResultsGiveFiniteNumbers) {
    const Slope s = slope_of({point("5k", 4, 0, 11), point("40k", 0, 0, 10)});
    EXPECT_TRUE(std::isfinite(s.elo.low) && std::isfinite(s.elo.high));
    EXPECT_LT(s.elo.value, 0);
    const Slope never = slope_of({point("5k", 0, 0, 10), point("40k", 0, 0, 10)});
    EXPECT_NEAR(never.elo.value, 0, 1e-6);
    EXPECT_EQ(never.trend, Trend::Unknown);
}

TEST(Curve, IntervalOfTheSlopeHolds) {
    // A true slope of -20 Elo a doubling; the 95 % interval must hold it about as often.
    std::mt19937_64 random(3);
    int held = 0;
    for (int run = 0; run < 400; ++run) {
        std::vector<CurvePoint> points;
        for (const char* budget : {"5k", "40k", "320k"}) {
            CurvePoint p = point(budget, 0, 0, 0);
            const double doublings = std::log2(static_cast<double>(p.budget.amount) / 5000);
            std::bernoulli_distribution wins(match::score_of_elo(60 - 20 * doublings));
            for (int pair = 0; pair < 50; ++pair) {
                const int won = (wins(random) ? 1 : 0) + (wins(random) ? 1 : 0);
                ++p.pairs.n[static_cast<std::size_t>(2 * won)];
                p.games.wins += static_cast<std::uint64_t>(won);
                p.games.losses += static_cast<std::uint64_t>(2 - won);
            }
            points.push_back(p);
        }
        const Slope s = slope_of(points);
        held += s.elo.low <= -20 && -20 <= s.elo.high ? 1 : 0;
    }
    EXPECT_GT(held, 365);
    EXPECT_LT(held, 396);
}

TEST(Curve, KeepsItsConfigurationAndRefusesAnother) {
    const TemporaryFolder folder;
    const std::string place = folder.file("c");
    CurveConfig c;
    c.match.game = "othello";
    c.match.engines = {*match::parse_engine("internal:othello?name=a"),
                       *match::parse_engine("internal:othello?name=b")};
    c.budgets = {{*parse_budget("5k"), 200}, {*parse_budget("1s"), 60}};
    ASSERT_TRUE(write_curve(place, c));
    const auto read = read_curve(place);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(to_json(*read), to_json(c));
    c.budgets.push_back({*parse_budget("40k"), 100});
    EXPECT_TRUE(write_curve(place, c)) << "a budget more";
    c.match.hash_mb = 1;
    const Status other = write_curve(place, c);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().what, HasSubstr("another 'hash_mb'"));
    c.match.engines[0] = *match::parse_engine("internal:othello?nodes=100");
    EXPECT_FALSE(match_at(c, c.budgets[0])) << "a limit of its own";
    EXPECT_FALSE(read_curve(folder.file("nothing")));
}

TEST(Plot, DrawsTextAndPictures) {
    const std::string text =
        text_plot({{"5k", {50, 20, 80}}, {"40k", {-100, -150, -50}}, {"1s", {0, -800, 800}}});
    EXPECT_THAT(tests::lines_of(text), SizeIs(4));
    EXPECT_THAT(text, HasSubstr("---o---"));
    EXPECT_THAT(text, HasSubstr("40k"));
    EXPECT_THAT(text_plot({}), HasSubstr("+"));
    const std::string svg =
        svg_of({{"a<b", {{"one", {{0, 1, 0.5, 1.5}, {1, 2, {}, {}}}, true}}, {{0, "x"}}}});
    EXPECT_THAT(svg, HasSubstr("a&lt;b"));
    EXPECT_THAT(svg, HasSubstr("polyline"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg_of({{"empty", {}, {}}}), Not(HasSubstr("nan")));
}

match::GameRow game_of(std::uint64_t number, int first, const std::vector<int>& depths) {
    match::GameRow row;
    row.slot = {number, number / 2, number / 2, 0, first, 1 - first};
    row.opening.moves = {"a"};
    row.result.moves.push_back({"a", {}, 0, 0, 0, false});
    for (const int d : depths) {
        row.result.moves.push_back({"m", {}, d, static_cast<std::uint64_t>(100 * d), 10 * d, true});
    }
    return row;
}

TEST(MoveReport, GivesDepthByPlyForBothSides) {
    const TemporaryFolder folder;
    const auto store = std::move(*match::Store::open(folder.file("m.db")));
    match::MatchConfig config;
    config.game = "connect_four";
    config.engines = {*match::parse_engine("internal:connect_four?name=a"),
                      *match::parse_engine("internal:connect_four?name=b")};
    store->set("config", to_json(config));
    store->set("names", std::vector<std::string>{"a", "b"});
    // Ply 0 is of the opening; from ply 1 on the second player, the first, ...
    store->save(game_of(0, 0, {5, 6, 7, 0}));
    store->save(game_of(1, 1, {9, 4}));
    const auto r = move_report(*store, 2);
    ASSERT_TRUE(r) << r.error().what;
    EXPECT_EQ(r->games, 2U);
    ASSERT_EQ(r->block_count(), 3U);
    EXPECT_EQ(r->at(0, 0).moves, 1U) << "a moved at ply 1 of the second game";
    EXPECT_DOUBLE_EQ(r->at(0, 0).depth(), 9);
    EXPECT_DOUBLE_EQ(r->at(1, 0).depth(), 5);
    EXPECT_DOUBLE_EQ(r->at(0, 1).depth(), 6);
    EXPECT_DOUBLE_EQ(r->at(1, 1).depth(), 5.5) << "7 and 4";
    EXPECT_EQ(r->at(0, 2).moves, 1U);
    EXPECT_EQ(r->at(0, 2).with_depth, 0U) << "it did not say";
    EXPECT_EQ(r->whole(1).slowest_ms, 70);
    EXPECT_DOUBLE_EQ(r->whole(1).nodes(), (500 + 700 + 400) / 3.0);
    EXPECT_EQ(to_json(*r)["engines"][1]["blocks"][1]["depth"], 5.5);
    EXPECT_THAT(move_chart(*r), HasSubstr("mean depth by ply"));
    EXPECT_THAT(move_chart(*r), Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace karikomi::curve
