// `karikomi curve` and `karikomi match moves` as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::curve {
namespace {

using match::Words;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::TemporaryFolder;
using namespace std::chrono_literals;

Words command(const Words& words) {
    return match::with({KARIKOMI_BINARY, "curve", "--json"}, words);
}

// The result; 1 means that the curve falls, which is an answer too.
Json curve(const Words& words) {
    const tests::Output o = tests::run(command(words));
    EXPECT_THAT(o.exit_code, AnyOf(0, 1)) << o.err;
    EXPECT_THAT(o.err, IsEmpty());
    return match::parse_played(o.out).result;
}

std::string refusal(const Words& words) {
    const tests::Output o = tests::run(command(words));
    EXPECT_EQ(o.exit_code, 2) << o.out << o.err;
    return o.err;
}

const Words kEngines = {"internal:connect_four?hash=1&name=ours",
                        "internal:connect_four?hash=1&off=all&name=plain", "--opening-depth", "2"};

TEST(CurveRun, PlaysEveryBudgetAndShowsIt) {
    const TemporaryFolder folder;
    const std::string db = folder.file("c");
    const Json r =
        curve(match::with(kEngines, {"--budgets", "100,800,d2", "--games", "6,4,2", "--db", db,
                                     "--concurrency", "2", "--chart", folder.file("c.svg")}));
    ASSERT_THAT(r["points"], SizeIs(3));
    EXPECT_EQ(r["points"][0]["budget"], "100");
    EXPECT_EQ(r["points"][0]["games"], 6);
    EXPECT_EQ(r["points"][1]["games"], 4);
    EXPECT_EQ(r["points"][2]["limits"]["depth"], 2);
    EXPECT_LE(r["points"][0]["elo"]["low"], r["points"][0]["elo"]["value"]);
    EXPECT_EQ(r["complete"], true);
    EXPECT_THAT(r["verdict"].get<std::string>(), AnyOf("unknown", "falls", "rises", "level"));
    EXPECT_TRUE(r["slope"].is_object());
    EXPECT_TRUE(r["slope_by_time"].is_null());
    // More nodes, more depth, on both sides.
    for (const std::size_t e : {0U, 1U}) {
        const auto depth = [&](std::size_t point) {
            return r["points"][point]["moves"]["engines"][e]["all"]["depth"].get<double>();
        };
        EXPECT_GT(depth(1), depth(0));
    }
    EXPECT_THAT(tests::read_file(folder.file("c.svg")), HasSubstr("by nodes a move"));
    const tests::Output shown = tests::run({KARIKOMI_BINARY, "curve", "show", db});
    EXPECT_THAT(shown.out, HasSubstr("800"));
    EXPECT_THAT(shown.out, HasSubstr("Elo for each doubling"));
    // Each budget is a match that `match` understands.
    const tests::Output moves =
        tests::run({KARIKOMI_BINARY, "match", "moves", db + "/800.db", "--json", "--chart",
                    folder.file("m.svg"), "--plies", "10"});
    EXPECT_EQ(moves.exit_code, 0) << moves.err;
    const Json m = Json::parse(moves.out);
    EXPECT_EQ(m["games"], 4);
    EXPECT_GT(m["engines"][0]["blocks"][1]["depth"], 0);
    EXPECT_THAT(tests::read_file(folder.file("m.svg")), HasSubstr("mean time of a move"));
    const tests::Output text = tests::run({KARIKOMI_BINARY, "match", "moves", db + "/800.db"});
    EXPECT_THAT(text.out, HasSubstr("10..19"));
}

TEST(CurveRun, GoesOnAfterItWasKilledAndTakesMoreBudgets) {
    const TemporaryFolder folder;
    const std::string db = folder.file("c");
    const Words words = match::with(kEngines, {"--games", "40", "--db", db});
    {
        tests::Process process(command(match::with(words, {"--budgets", "500,900"})));
        ASSERT_TRUE(process.wait_for_output("\"game\":5", 30s));
        process.send(SIGKILL);
        ASSERT_TRUE(process.wait(10s));
    }
    const Json r = curve({"--resume", db, "--concurrency", "2"});
    ASSERT_THAT(r["points"], SizeIs(2));
    for (const Json& p : r["points"]) EXPECT_EQ(p["games"], 40);
    EXPECT_EQ(r["complete"], true);
    // One budget more: what is there is not played again.
    const tests::Output more = tests::run(command(match::with(words, {"--budgets", "500,900,d1"})));
    const match::Played played = match::parse_played(more.out);
    EXPECT_THAT(played.games, SizeIs(40));
    for (const Json& g : played.games) EXPECT_EQ(g["budget"], "d1");
    EXPECT_THAT(played.result["points"], SizeIs(3));
}

TEST(CurveRun, PlaysOtherPrograms) {
    const TemporaryFolder folder;
    const Json r = curve({"internal:connect_four?hash=1&name=ours",
                          match::mock("usi", "", "name=mock"), "--opening-depth", "2", "--budgets",
                          "200,30ms", "--games", "4", "--db", folder.file("c")});
    ASSERT_THAT(r["points"], SizeIs(2));
    for (const Json& p : r["points"]) {
        EXPECT_EQ(p["games"], 4);
        EXPECT_EQ(p["moves"]["engines"][1]["engine"], "mock");
        EXPECT_GT(p["moves"]["engines"][1]["all"]["moves"], 0);
    }
    EXPECT_TRUE(r["slope"].is_null()) << "one budget of each kind";
}

TEST(CurveRun, RefusesNonsense) {
    EXPECT_THAT(refusal({"internal:othello"}), HasSubstr("two engines"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello", "--nodes", "100"}),
                HasSubstr("--budgets"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello?nodes=9"}),
                HasSubstr("limit of its own"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello", "--budgets", "5x"}),
                HasSubstr("'5x' is no budget"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello", "--games", "2,2"}),
                HasSubstr("2 numbers for 5 budgets"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello", "--db", "none"}),
                HasSubstr("keeps its games"));
    EXPECT_THAT(refusal({"show", "/no/such/folder"}), HasSubstr("there is no curve"));
}

}  // namespace
}  // namespace karikomi::curve
