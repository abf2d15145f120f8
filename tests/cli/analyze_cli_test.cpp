// `karikomi analyze`, and signals that end it.
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/cli/call.hpp"

namespace karikomi::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

// ---- analyze ------------------------------------------------------------------------------------

const Words kAnalyzeKeys = {"bestmove", "value", "decisive", "depth",      "nodes",      "time_ms",
                            "nps",      "pv",    "game",     "techniques", "fingerprint"};

TEST(Analyze, AsJson) {
    const Json found = json_of("analyze connect_four --position 4453 --depth 8");
    expect_keys(found, kAnalyzeKeys);
    EXPECT_EQ(found["depth"], 8);
    EXPECT_EQ(found["pv"][0], found["bestmove"]);
    EXPECT_THAT(found["techniques"], SizeIs(8));
    for (const Json& technique : found["techniques"]) {
        expect_keys(technique, {"tried", "succeeded", "probe_nodes"});
    }
}

TEST(Analyze, AsText) {
    const std::string text = text_of("analyze connect_four --position 4453 --depth 8");
    EXPECT_THAT(text, HasSubstr("    1/1 "));
    EXPECT_THAT(text, HasSubstr("    8/"));
    EXPECT_THAT(text, HasSubstr("\nbest move "));
    EXPECT_THAT(text, HasSubstr("technique "));
    EXPECT_THAT(text_of("analyze connect_four --depth 6 --off all"),
                HasSubstr("No selective technique did anything."));
}

TEST(Analyze, StreamsIterations) {
    const Output o = call("analyze connect_four --depth 6 --json --stream");
    const Words lines = lines_of(o.out);
    ASSERT_THAT(lines, SizeIs(7));
    for (std::size_t i = 0; i < 6; ++i) {
        const Json iteration = Json::parse(lines[i]);
        EXPECT_EQ(iteration["depth"], i + 1);
        EXPECT_FALSE(iteration.contains("final"));
    }
    const Json last = Json::parse(lines[6]);
    EXPECT_EQ(last["final"], true);
    expect_keys(last, kAnalyzeKeys);
}

TEST(Analyze, FindsSeveralLines) {
    const Json found = json_of("analyze connect_four --depth 6 --multipv 3");
    ASSERT_THAT(found["lines"], SizeIs(3));
    std::set<std::string> first_moves;
    for (const Json& line : found["lines"]) first_moves.insert(line["pv"][0].get<std::string>());
    EXPECT_THAT(first_moves, SizeIs(3));
    EXPECT_THAT(text_of("analyze connect_four --depth 6 --multipv 3"), HasSubstr("\n#  value"));
}

TEST(Analyze, ALevelFixesTheWork) {
    const Json low = json_of("analyze othello --moves f5d6c3 --level 3");
    EXPECT_EQ(low["depth"], 3);
    EXPECT_EQ(low["level"], 3);
    EXPECT_EQ(json_of("analyze othello --moves f5d6c3 --level 5")["depth"], 5);
    EXPECT_THAT(text_of("analyze othello --level 3"), HasSubstr("up to level 3;"));
    // Without one there is none to report.
    EXPECT_FALSE(json_of("analyze othello --depth 3").contains("level"));
}

TEST(Analyze, ALevelThatTheGameDoesNotHaveIsRefused) {
    const Output beyond = call("analyze othello --level 61");
    EXPECT_EQ(beyond.exit_code, 2);
    EXPECT_THAT(beyond.err, HasSubstr("--level: 61 is outside 0..60"));
    const Output none = call("analyze connect_four --level 3");
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("--level: connect_four has none"));
    EXPECT_THAT(none.err, HasSubstr("give --depth or --nodes"));
    EXPECT_THAT(call("analyze othello --profile legacy --level 3").err,
                HasSubstr("--profile legacy has none"));
}

TEST(Analyze, SaysWhenTheGameIsOver) {
    const Json over = json_of("analyze connect_four --position 1212121");
    expect_keys(over, kAnalyzeKeys);
    EXPECT_TRUE(over["bestmove"].is_null());
    EXPECT_TRUE(over["value"].is_null());
    EXPECT_EQ(over["result"], "first");
    EXPECT_THAT(text_of("analyze connect_four --position 1212121"), HasSubstr("game is over"));
}

TEST(Analyze, KeepsTheNodeLimit) {
    for (const char* options : {"", " --threads 2", " --profile legacy", " --multipv 4"}) {
        const Json found = json_of(std::string("analyze connect_four --nodes 5000") + options);
        EXPECT_LE(found["nodes"].get<double>(), 5050) << options;
        EXPECT_GT(found["nodes"].get<double>(), 2000) << options;
    }
}

TEST(Analyze, SearchesFiveSecondsWithoutALimit) {
    EXPECT_THAT(text_of("analyze connect_four --nodes 10"), HasSubstr("up to 10 nodes"));
    Process process(karikomi({"analyze", "connect_four"}));
    EXPECT_TRUE(process.wait_for_output("up to 5.000 s", 10s));
}

TEST(Analyze, TwoThreadsFindALegalMove) {
    const Json found = json_of("analyze connect_four --threads 2 --time-ms 300");
    const Json legal = json_of("show connect_four")["legal"];
    EXPECT_THAT(legal.get<Words>(), Contains(found["bestmove"].get<std::string>()));
    EXPECT_EQ(found["threads"], 2);
}

TEST(Analyze, TechniquesOffIsTheReferenceSearch) {
    for (const char* position : {"", " --position 4453", " --position 43443555"}) {
        const std::string at = std::string("analyze connect_four --depth 8") + position;
        EXPECT_EQ(json_of(at + " --off all")["value"], json_of(at + " --profile legacy")["value"]);
    }
}

TEST(Analyze, SwitchesOffWhatTheGameCannotUse) {
    const Json with = json_of("analyze connect_four --depth 9");
    const Json without = json_of("analyze connect_four --depth 9 --off null_move");
    EXPECT_EQ(with["nodes"], without["nodes"]);
}

TEST(Analyze, OnlyLeavesOneTechniqueOn) {
    const Json found = json_of("analyze connect_four --depth 12 --only late_moves");
    for (const auto& [name, counters] : found["techniques"].items()) {
        EXPECT_EQ(counters["tried"].get<int>() > 0, name == "late_moves") << name;
    }
    EXPECT_EQ(json_of("analyze connect_four --depth 3 --only all")["game"], "connect_four");
}

class Signal : public testing::TestWithParam<int> {};

TEST_P(Signal, EndsAnalyzeWithTheBestSoFar) {
    Process process(
        karikomi(split("analyze connect_four --time-ms 60000 --json --stream --threads 2")));
    ASSERT_TRUE(process.wait_for_output("\"depth\":8", 20s));
    process.send(GetParam());
    const auto o = process.wait(2s);
    ASSERT_TRUE(o) << "still searching";
    EXPECT_EQ(o->exit_code, 0) << o->err;
    const Json last = Json::parse(lines_of(o->out).back());
    EXPECT_EQ(last["final"], true);
    EXPECT_EQ(last["interrupted"], true);
    EXPECT_TRUE(last["bestmove"].is_string());
}

INSTANTIATE_TEST_SUITE_P(All, Signal, testing::Values(SIGINT, SIGTERM));

TEST(Signals, EndTheTextAndTheReferenceSearchToo) {
    for (const char* options : {"", " --profile legacy"}) {
        const std::string line = std::string("analyze connect_four --time-ms 60000") + options;
        Process process(karikomi(split(line)));
        ASSERT_TRUE(process.wait_for_output("parameters", 20s));
        std::this_thread::sleep_for(300ms);
        process.send(SIGINT);
        const auto o = process.wait(2s);
        ASSERT_TRUE(o) << "still searching" << options;
        EXPECT_EQ(o->exit_code, 0);
        EXPECT_THAT(o->out, HasSubstr("best move "));
        EXPECT_THAT(o->out, HasSubstr("stopped early"));
    }
}

TEST(Analyze, SectionsThatAParameterFileLeavesOutAreNamedOnce) {
    const TemporaryFolder folder;
    Json document = Json::parse(text_of("params connect_four --file"));
    document.erase("iid");
    document.erase("time");
    const std::string file = folder.write("p.json", document.dump());
    const Output out =
        run({KARIKOMI_BINARY, "analyze", "connect_four", "--depth", "2", "--params", file});
    EXPECT_EQ(out.exit_code, 0);
    EXPECT_THAT(out.err, testing::EndsWith("p.json leaves out time, iid: the library's defaults "
                                           "are used\n"));
}

}  // namespace
}  // namespace karikomi::tests
