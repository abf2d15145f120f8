// Whole matches as a user runs them: the real program, its lines and its database.
#include "karikomi/lab/match/match.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/process.hpp"

namespace karikomi::match {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::Output;
using tests::TemporaryFolder;
using Words = std::vector<std::string>;

Output karikomi(Words words) {
    words.insert(words.begin(), KARIKOMI_BINARY);
    return tests::run(words);
}

struct Played {
    std::vector<Json> games;
    Json result;
};

// A match in JSON that must work.
Played play(Words words, int exit_code = 0) {
    words.insert(words.begin(), "match");
    words.emplace_back("--json");
    const Output o = karikomi(words);
    EXPECT_EQ(o.exit_code, exit_code) << o.err;
    EXPECT_THAT(o.err, IsEmpty());
    Played played;
    for (const std::string& line : tests::lines_of(o.out)) {
        Json j = Json::parse(line);
        if (j["event"] == "game") {
            played.games.push_back(std::move(j));
        } else {
            played.result = std::move(j);
        }
    }
    return played;
}

std::string refusal(Words words) {
    words.insert(words.begin(), "match");
    const Output o = karikomi(words);
    EXPECT_EQ(o.exit_code, 2) << o.out << o.err;
    EXPECT_THAT(o.out, IsEmpty());
    EXPECT_THAT(tests::lines_of(o.err), SizeIs(1));
    return o.err;
}

const Words kQuick = {"internal:othello?hash=1",
                      "internal:othello?hash=1&depth=1&name=weak",
                      "--depth",
                      "3",
                      "--opening-depth",
                      "2"};

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

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

TEST(MatchRun, RefusesNonsense) {
    EXPECT_THAT(refusal({"internal:othello", "--depth", "2"}), HasSubstr("two engines"));
    EXPECT_THAT(refusal({"internal:othello", "internal:othello"}), HasSubstr("no limit"));
    EXPECT_THAT(refusal({"internal:othello", "internal:connect_four", "--depth", "2"}),
                HasSubstr("plays connect_four"));
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
