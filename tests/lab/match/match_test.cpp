// Whole matches as a user runs them: the real program, its lines and its database.
#include "karikomi/lab/match/match.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::match {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using tests::TemporaryFolder;

const Words kQuick = {"internal:othello?hash=1",
                      "internal:othello?hash=1&depth=1&name=weak",
                      "--depth",
                      "3",
                      "--opening-depth",
                      "2"};

TEST(MatchRun, PlaysPairsAndCountsThem) {
    const Played p = play(with(kQuick, {"--games", "20", "--concurrency", "2", "--db", "none"}));
    ASSERT_THAT(p.games, SizeIs(20));
    std::map<int, std::vector<Json>> pairs;
    int points = 0;  // half points of the first engine
    for (const Json& g : p.games) {
        pairs[g["pair"]].push_back(g);
        const bool first = g["first"] != "weak";
        const std::string r = g["result"];
        points += r == "1/2-1/2" ? 1 : (r == "1-0") == first ? 2 : 0;
        EXPECT_EQ(g["reason"], "rules");
    }
    for (const auto& [number, games] : pairs) {
        ASSERT_THAT(games, SizeIs(2)) << number;
        EXPECT_NE(games[0]["first"], games[1]["first"]);
        const auto opening = [](const Json& g) {
            return g["moves"].get<std::string>().substr(0, 23);
        };
        EXPECT_EQ(opening(games[0]), opening(games[1]));
    }
    const Json& r = p.result;
    EXPECT_EQ(r["games"], 20);
    EXPECT_EQ(2 * r["wins"].get<int>() + r["draws"].get<int>(), points);
    EXPECT_EQ(r["pairs"], 10);
    EXPECT_EQ(r["complete"], true);
    EXPECT_EQ(r["openings"]["source"], "random:8");
    EXPECT_EQ(r["engines"][0]["identity"]["fingerprint"].get<std::string>().size(), 16U);
}

TEST(MatchRun, SameSeedSameGames) {
    const Words words = with(kQuick, {"--games", "8", "--db", "none", "--seed", "5"});
    const auto moves = [](const Played& p) {
        std::map<int, std::string> out;
        for (const Json& g : p.games) out[g["game"]] = g["moves"];
        return out;
    };
    EXPECT_EQ(moves(play(words)), moves(play(with(words, {"--concurrency", "3"}))));
}

TEST(MatchRun, ResumesAndRefusesOtherConditions) {
    const TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    const Played first = play(with(kQuick, {"--games", "4", "--db", db}));
    EXPECT_EQ(first.result["played_now"], 4);
    const Played again = play(with(kQuick, {"--games", "4", "--db", db}));
    EXPECT_EQ(again.result["played_now"], 0);
    EXPECT_EQ(again.result["wins"], first.result["wins"]);
    const Played more = play({"--resume", db, "--games", "10"});
    EXPECT_THAT(more.games, SizeIs(6));
    EXPECT_EQ(more.result["games"], 10);
    EXPECT_THAT(refusal(with(kQuick, {"--games", "4", "--db", db, "--seed", "2"})),
                HasSubstr("another 'openings'"));
}

const std::string kStrong = "internal:connect_four?hash=1&depth=7&name=strong";
const std::string kWeak = "internal:connect_four?hash=1&depth=1&name=weak";

TEST(MatchRun, TheTestEndsTheMatch) {
    const Words test = {"--sprt", "elo0=0,elo1=40",  "--db", "none", "--concurrency",
                        "2",      "--opening-depth", "2"};
    const Played better = play(with({kStrong, kWeak}, test));
    EXPECT_EQ(better.result["sprt"]["verdict"], "H1");
    EXPECT_GE(better.result["sprt"]["llr"], 2.94);
    EXPECT_EQ(better.result["elo_biased"], true) << "it ended because one side was ahead";
    EXPECT_LT(better.result["games"], 300);
    const Played worse = play(with({kWeak, kStrong}, test), 1);
    EXPECT_EQ(worse.result["sprt"]["verdict"], "H0");
    const Played logistic =
        play(with({kStrong, kWeak}, {"--sprt", "elo0=0,elo1=40,model=logistic", "--db", "none"}));
    EXPECT_EQ(logistic.result["sprt"]["model"], "logistic");
    EXPECT_EQ(logistic.result["sprt"]["verdict"], "H1");
    // Too few games to tell: no verdict, and so nothing shown.
    const Played short_one = play(with({kStrong, kWeak}, with(test, {"--games", "2"})), 1);
    EXPECT_EQ(short_one.result["sprt"]["verdict"], "continue");
    EXPECT_EQ(short_one.result["elo_biased"], false);
}

TEST(MatchRun, RoundRobinAndGauntlet) {
    const std::string middle = "internal:connect_four?hash=1&depth=3&name=middle";
    const Words options = {"--games", "8", "--db", "none", "--opening-depth", "2"};
    const Played all = play(with({kStrong, middle, kWeak}, options));
    EXPECT_THAT(all.games, SizeIs(24));
    ASSERT_THAT(all.result["pairings"], SizeIs(3));
    for (const Json& row : all.result["pairings"]) {
        EXPECT_EQ(row["games"], 8);
        EXPECT_EQ(row["pairs"], 4);
    }
    EXPECT_GT(all.result["ratings"]["strong"], all.result["ratings"]["weak"]);
    const Played gauntlet = play(with({kStrong, middle, kWeak}, with(options, {"--gauntlet"})));
    EXPECT_THAT(gauntlet.games, SizeIs(16));
    for (const Json& g : gauntlet.games) {
        EXPECT_TRUE(g["first"] == "strong" || g["second"] == "strong");
    }
}

TEST(MatchRun, CountsFirstPlayersAndLengths) {
    const Played p = play(with({kStrong, kWeak}, {"--games", "6", "--db", "none"}));
    int wins = 0;
    int plies = 0;
    for (const Json& g : p.games) wins += g["result"] == "1-0", plies += g["plies"].get<int>();
    EXPECT_EQ(p.result["first_player"]["wins"], wins);
    EXPECT_NEAR(p.result["plies"]["mean"].get<double>(), plies / 6.0, 0.01);
}

TEST(MatchRun, AdjudicatesByMoveCount) {
    const Played p =
        play(with({kStrong, kWeak}, {"--games", "2", "--max-plies", "9", "--db", "none"}));
    for (const Json& g : p.games) {
        EXPECT_EQ(g["reason"], "move_limit");
        EXPECT_EQ(g["plies"], 9);
    }
    EXPECT_EQ(p.result["draws"], 2);
}

TEST(MatchRun, RefusesNonsense) {
    EXPECT_THAT(refusal({"internal:othello", "--depth", "2"}), HasSubstr("two engines"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello"}), HasSubstr("no limit"));
    EXPECT_THAT(refusal({"internal:othello", "internal:connect_four", "--depth", "2"}),
                HasSubstr("plays connect_four"));
    for (const Words& engines :
         {Words{"internal:othello", "internal:foo"}, Words{"internal:foo", "internal:othello"},
          Words{"internal:foo", "internal:foo"}}) {
        EXPECT_THAT(refusal(with(engines, {"--depth", "1"})),
                    HasSubstr("unknown game 'foo'; use one of connect_four, "));
    }
    EXPECT_THAT(refusal({"internal:othello", "internal:othello", "--level", "61"}),
                HasSubstr("level: 61 outside 0..60"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello?level=99", "--depth", "1"}),
                HasSubstr("level: 99 outside 0..60"));
    EXPECT_THAT(refusal({"internal:connect_four", "internal:connect_four", "--level", "3"}),
                HasSubstr("level: connect_four has none"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello?set=iid.x=1", "--depth", "2"}),
                HasSubstr("iid.x"));
    EXPECT_THAT(refusal({"internal:othello", "nboard:/no/such/program", "--depth", "2"}),
                HasSubstr("ended with code 127"));
    EXPECT_THAT(refusal({"internal:othello", "nboard:cat", "--nodes", "9"}),
                HasSubstr("no limit of nodes"));
    EXPECT_THAT(refusal({"--sprt", "elo0=5,elo1=0", "internal:othello", "internal:othello"}),
                HasSubstr("makes no test"));
    EXPECT_THAT(refusal({"--resume", "/no/such.db"}), HasSubstr("/no/such.db"));
}

}  // namespace
}  // namespace karikomi::match
