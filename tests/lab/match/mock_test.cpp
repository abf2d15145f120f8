// Matches against a program that plays by each protocol, and against one that misbehaves: every
// fault must end as the right result, with the program's last lines, and the run goes on.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::match {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

std::string opponent(const std::string& protocol) {
    return protocol == "usi" ? "internal:connect_four?hash=1&name=ours"
                             : "internal:othello?hash=1&name=ours";
}

struct Dialect {
    const char* protocol;
    const char* arguments;
};

class MatchByProtocol : public testing::TestWithParam<Dialect> {};

TEST_P(MatchByProtocol, NoGameIsLost) {
    const auto [protocol, arguments] = GetParam();
    const Played p = play({opponent(protocol), mock(protocol, arguments, "name=mock"), "--depth",
                           "1", "--opening-depth", "1", "--openings", "random:4", "--games", "10",
                           "--concurrency", "2", "--db", "none"});
    ASSERT_THAT(p.games, SizeIs(10));
    for (const Json& g : p.games) EXPECT_EQ(g["reason"], "rules") << g.dump(1);
    EXPECT_EQ(p.result["ends"], Json({{"rules", 10}})) << p.result["ends"];
}

INSTANTIATE_TEST_SUITE_P(
    All, MatchByProtocol,
    testing::Values(Dialect{"nboard", ""}, Dialect{"nboard", "dialect=edax"}, Dialect{"gtp", ""},
                    Dialect{"gtp", "dialect=edax"}, Dialect{"usi", ""}, Dialect{"gomocup", ""},
                    Dialect{"gomocup", "dialect=edax"}, Dialect{"nboard", "fault=junk"},
                    Dialect{"gtp", "fault=junk"}, Dialect{"usi", "fault=junk"},
                    Dialect{"gomocup", "fault=junk"}, Dialect{"nboard", "fault=twice"}),
    [](const auto& which) {
        std::string name = std::string(which.param.protocol) + "_" + which.param.arguments;
        for (char& c : name) {
            if (c == '=') c = '_';
        }
        return name;
    });

struct Misdeed {
    const char* fault;
    const char* reason;  // of the game's end
    const char* detail;  // somewhere in the explanation
};
const std::vector<Misdeed> kMisdeeds = {
    {"crash", "crash", "killed by signal 6"},
    {"exit", "crash", "ended with code 3"},
    {"hang", "hang", "in time"},
    {"illegal", "illegal_move", ""},
    {"slow", "time", "ms used"},
    {"flood", "hang", "in time"},
    {"half", "hang", "in time"},
};

class MatchFaults : public testing::TestWithParam<const char*> {};

// One gauntlet against all of them: a fault in one game does not disturb another.
TEST_P(MatchFaults, EndAsTheRightResult) {
    const std::string protocol = GetParam();
    std::vector<Misdeed> misdeeds = kMisdeeds;
    if (protocol == "gtp") misdeeds.push_back({"refuse", "illegal_move", "I do not want to"});
    if (protocol == "gtp" || protocol == "usi") misdeeds.push_back({"resign", "resigned", ""});
    Words words = {opponent(protocol),
                   "--gauntlet",
                   "--depth",
                   "1",
                   "--hang",
                   "500",
                   "--margin",
                   "150",
                   "--openings",
                   "random:2",
                   "--opening-depth",
                   "1",
                   "--games",
                   "2",
                   "--concurrency",
                   "3",
                   "--db",
                   "none"};
    for (const Misdeed& m : misdeeds) {
        const std::string own = m.fault == std::string("slow") ? "&move-time=100" : "";
        words.push_back(
            mock(protocol, std::string("fault=") + m.fault, std::string("name=") + m.fault + own));
    }
    const Played p = play(words);
    ASSERT_THAT(p.games, SizeIs(2 * misdeeds.size()));
    for (const Json& g : p.games) {
        EXPECT_EQ(g["winner"], "ours");
        const std::string name = g["first"] == "ours" ? g["second"] : g["first"];
        const auto m = std::find_if(misdeeds.begin(), misdeeds.end(),
                                    [&](const Misdeed& x) { return name == x.fault; });
        ASSERT_NE(m, misdeeds.end());
        EXPECT_EQ(g["reason"], m->reason) << name << ": " << g["detail"] << g["last_lines"];
        EXPECT_LE(g["plies"], 12);
        if (std::string(m->reason) == "resigned") continue;
        EXPECT_THAT(g["detail"].get<std::string>(), HasSubstr(m->detail));
        EXPECT_THAT(g["last_lines"].get<Words>(), Contains(HasSubstr("> "))) << name;
    }
    for (std::size_t i = 0; i < misdeeds.size(); ++i) {
        const Json& faults = p.result["faults"][i + 1];
        if (std::string(misdeeds[i].reason) != "resigned") {
            EXPECT_EQ(faults[misdeeds[i].reason], 2) << faults;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, MatchFaults, testing::Values("nboard", "gtp", "usi", "gomocup"),
                         [](const auto& which) { return std::string(which.param); });

TEST(MatchFaultsAtTheStart, AreRefusedAtOnce) {
    // A program that never answers would take 30 s to be found out; one that ends is found at once.
    EXPECT_THAT(refusal({"internal:othello", "gtp:sh -c 'exit 7'", "--depth", "1"}),
                HasSubstr("ended with code 7"));
    EXPECT_THAT(refusal({"internal:connect_four", "usi:echo hello", "--depth", "1"}),
                HasSubstr("< hello"));
    EXPECT_THAT(refusal({"internal:othello", "nboard?dir=/no/such:cat", "--depth", "1"}),
                HasSubstr("no such folder"));
    EXPECT_THAT(refusal({"internal:connect_four", "gtp:cat", "--depth", "1"}),
                HasSubstr("gtp is no protocol of connect_four"));
}

// What the drivers say, word by word.
Words sent_to(const std::string& protocol, const Words& options, const std::string& settings = "") {
    const tests::TemporaryFolder folder;
    const std::string log = folder.file("log");
    (void)play(
        with({opponent(protocol), mock(protocol, "log=" + log, settings), "--openings", "start",
              "--games", "2", "--max-plies", "10", "--margin", "30000", "--db", "none"},
             options));
    return tests::lines_of(tests::read_file(log));
}

TEST(MatchDialogue, Usi) {
    const Words clock = sent_to("usi", {"--clock", "5+0.5"}, "option.Foo=bar&hash=7");
    EXPECT_THAT(clock, Contains("usi"));
    EXPECT_THAT(clock, Contains("setoption name USI_Ponder value false"));
    EXPECT_THAT(clock, Contains("setoption name USI_Hash value 7"));
    EXPECT_THAT(clock, Contains("setoption name Threads value 1"));
    EXPECT_THAT(clock, Contains("setoption name Foo value bar"));
    EXPECT_THAT(clock, Contains("isready"));
    EXPECT_THAT(clock, Contains("usinewgame"));
    EXPECT_THAT(clock, Contains("go btime 5000 wtime 5000 binc 500 winc 500"));
    EXPECT_THAT(clock, Contains("position startpos"));
    EXPECT_THAT(clock, Contains(HasSubstr("position startpos moves ")));
    EXPECT_THAT(clock, Contains(AnyOf("gameover win", "gameover lose", "gameover draw")));
    EXPECT_EQ(clock.back(), "quit");
    EXPECT_THAT(sent_to("usi", {"--move-time", "30"}), Contains("go btime 0 wtime 0 byoyomi 30"));
    EXPECT_THAT(sent_to("usi", {"--nodes", "99"}), Contains("go nodes 99"));
    EXPECT_THAT(sent_to("usi", {"--clock", "1", "--byoyomi", "40"}),
                Contains("go btime 1000 wtime 1000 byoyomi 40"));
}

TEST(MatchDialogue, Gtp) {
    const Words lines = sent_to("gtp", {"--move-time", "30"});
    EXPECT_THAT(lines, Contains("boardsize 8"));
    EXPECT_THAT(lines, Contains("clear_board"));
    EXPECT_THAT(lines, Contains("time_settings 0 0.030 1"));
    EXPECT_THAT(lines, Contains("genmove b"));
    EXPECT_THAT(lines, Contains("genmove w"));
    EXPECT_EQ(lines.back(), "quit");
    const Words clock = sent_to("gtp", {"--clock", "2"});
    EXPECT_THAT(clock, Contains("time_settings 2 0 0"));
    EXPECT_THAT(clock, Contains("time_left b 2 0"));
}

TEST(MatchDialogue, Nboard) {
    const Words lines = sent_to("nboard", {"--depth", "2"});
    EXPECT_EQ(lines.front(), "nboard 2");
    EXPECT_THAT(lines, Contains("set depth 2"));
    EXPECT_THAT(lines, Contains(HasSubstr("set game (;GM[Othello]")));
    EXPECT_THAT(lines,
                Contains(HasSubstr(
                    "BO[8 ---------------------------O*------*O--------------------------- *]")));
    EXPECT_THAT(lines, Contains("go"));
    // A time for the move is kept by ending a hint with a ping.
    const Words timed = sent_to("nboard", {"--move-time", "20"});
    EXPECT_THAT(timed, Contains("hint 1"));
    EXPECT_THAT(timed, testing::Not(Contains("go")));
}

TEST(MatchDialogue, Gomocup) {
    const Words lines = sent_to("gomocup", {"--depth", "2"}, "option.rule=1&threads=2&hash=3");
    EXPECT_EQ(lines.front(), "ABOUT");
    for (const char* line :
         {"START 8", "INFO rule 1", "INFO timeout_match 0", "INFO max_depth 2", "INFO thread_num 2",
          "INFO max_memory 3145728", "INFO time_left 2147483647", "BEGIN", "RESTART"}) {
        EXPECT_THAT(lines, Contains(line));
    }
    EXPECT_THAT(lines, Contains(HasSubstr("TURN ")));
    EXPECT_EQ(lines.back(), "END");
    EXPECT_THAT(sent_to("gomocup", {"--move-time", "30"}), Contains("INFO timeout_turn 30"));
}

}  // namespace
}  // namespace karikomi::match
