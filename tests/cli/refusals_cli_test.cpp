// What the program refuses, and in which words.
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/call.hpp"

namespace karikomi::tests {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// ---- Bad input ----------------------------------------------------------------------------------

struct Bad {
    Words arguments;
    std::string says;  // part of the complaint
};

TEST(BadInput, IsRefusedInOneLine) {
    const std::vector<Bad> kTable = {
        // Names
        {{}, "no command"},
        {{"analyse"}, "did you mean 'analyze'?"},
        {{"xyzzy"}, "use one of games, show"},
        {{"analyze"}, "GAME is required"},
        {{"analyze", "connect_fuor"}, "did you mean 'connect_four'?"},
        {{"show", "chess960"}, "unknown game 'chess960'"},
        {{"bench", "--game", "chess960"}, "unknown game"},
        {{"bench", "--game", ""}, "--game"},
        {{"params", "chess960"}, "unknown game"},
        {{"analyze", "connect_four", "--dpeth", "3"}, "did you mean '--depth'?"},
        {{"analyze", "--dpeth", "3", "connect_four"}, "did you mean '--depth'?"},
        {{"games", "--jsn"}, "did you mean '--json'?"},
        {{"demo", "--quik"}, "did you mean '--quick'?"},
        {{"--versoin"}, "did you mean '--version'?"},
        {{"perft", "connect_four", "-z"}, "unknown option '-z'"},
        {{"analyze", "connect_four", "4453"}, "unexpected argument '4453'"},
        {{"bench", "connect_four"}, "unexpected argument"},
        {{"analyze", "connect_four", "--depth"}, "--depth: takes one value"},
        {{"analyze", "connect_four", "--depth", "3", "--depth", "4"}, "given once"},
        {{"perft", "connect_four"}, "--depth is required"},
        // Positions and rules
        {{"show", "connect_four", "--position", "8"}, "move 1: '8' is not a column"},
        {{"show", "connect_four", "--position", "1111111"}, "move 7: column 1 is full"},
        {{"show", "connect_four", "--position", "12121212"}, "already over"},
        {{"show", "connect_four", "--position", "4\n4"}, "move 2"},
        {{"show", "connect_four", "--position", "\xff\xfe"}, "move 1"},
        {{"analyze", "connect_four", "--moves", "4x"}, "move 2: 'x' is not a column"},
        {{"perft", "connect_four", "--depth", "3", "--position", "-1"}, "is not a column"},
        {{"show", "othello", "--rule", "renju"}, "--rule is for renju and gomoku"},
        {{"analyze", "shogi", "--rule", "try"}, "--rule is for renju and gomoku"},
        {{"show", "connect_four", "--size", "9"}, "--size is for renju and gomoku"},
        // Limits
        {{"analyze", "connect_four", "--depth", "0"}, "--depth: 0 outside 1..120"},
        {{"analyze", "connect_four", "--depth", "500"}, "--depth: 500 outside 1..120"},
        {{"analyze", "connect_four", "--depth", "-3"}, "outside 1..120"},
        {{"analyze", "connect_four", "--depth", "1.5"}, "'1.5' is not a whole number"},
        {{"analyze", "connect_four", "--depth", "ten"}, "not a whole number"},
        {{"analyze", "connect_four", "--depth", ""}, "not a whole number"},
        {{"analyze", "connect_four", "--nodes", "-1"}, "--nodes: -1 outside 1.."},
        {{"analyze", "connect_four", "--nodes", "99999999999999999999999"}, "outside 1.."},
        {{"analyze", "connect_four", "--time-ms", "0"}, "--time-ms: 0 outside 1.."},
        {{"analyze", "connect_four", "--multipv", "0"}, "--multipv: 0 outside 1.."},
        {{"analyze", "connect_four", "--threads", "0"}, "--threads: 0 outside 1.."},
        {{"bench", "--threads", "100000"}, "--threads: 100000 outside 1.."},
        {{"demo", "--hash", "0"}, "--hash: 0 outside 1.."},
        {{"analyze", "connect_four", "--hash", "1000000000"}, "outside 1.."},
        {{"perft", "connect_four", "--depth", "500"}, "outside 0..120"},
        {{"bench", "--depth-limit", "0"}, "--depth-limit: 0 outside 1..120"},
        // Techniques and parameters
        {{"analyze", "connect_four", "--off", "multi_probcat"}, "did you mean 'multi_probcut'?"},
        {{"analyze", "connect_four", "--only", "nul_move"}, "did you mean 'null_move'?"},
        {{"analyze", "connect_four", "--only", "null_move"}, "cannot use this technique"},
        {{"analyze", "connect_four", "--off", ""}, "no technique named"},
        {{"analyze", "connect_four", "--set", "iid.min_depth=1000"}, "iid.min_depth: 1000 outside"},
        {{"analyze", "connect_four", "--set", "iid.min_dept=4"}, "did you mean 'iid.min_depth'?"},
        {{"analyze", "connect_four", "--set", "idi.min_depth=4"}, "did you mean 'iid'?"},
        {{"analyze", "connect_four", "--set", "iid.min_depth=deep"}, "not a whole number"},
        {{"analyze", "connect_four", "--set", "iid"}, "not section.name=value"},
        {{"analyze", "connect_four", "--profile", "fast"}, "use one of default, legacy"},
        {{"analyze", "connect_four", "--profile", "legacy", "--only", "iid"}, "no techniques"},
        {{"analyze", "connect_four", "--profile", "legacy", "--multipv", "2"}, "--multipv"},
        {{"analyze", "connect_four", "--profile", "legacy", "--threads", "2"}, "--threads"},
        // Files
        {{"analyze", "connect_four", "--params", "/no/such/file"}, "cannot read"},
        {{"analyze", "connect_four", "--params", "/"}, "is a directory"},
        {{"analyze", "connect_four", "--params", ""}, "--params"},
        {{"games", "--log", "/dev/null/log"}, "--log: cannot write '/dev/null/log'"},
        {{"games", "--log", "/"}, "--log: cannot write"},
        // Combinations
        {{"analyze", "connect_four", "--stream"}, "add --json"},
        {{"params", "--json", "--markdown"}, "exclude each other"},
        {{"params", "--file"}, "need a game"},
    };
    for (const Bad& bad : kTable) {
        EXPECT_THAT(refusal(bad.arguments), HasSubstr(bad.says));
    }
}

TEST(BadInput, ParameterFilesAreReadStrictly) {
    const TemporaryFolder folder;
    const Json good = Json::parse(text_of("params connect_four --file"));
    const auto refused = [&](const std::string& text) {
        const std::string file = folder.write("p.json", text);
        return refusal({"analyze", "connect_four", "--depth", "2", "--params", file});
    };
    const auto with = [&](const std::string& pointer, const Json& value) {
        Json changed = good;
        changed[Json::json_pointer(pointer)] = value;
        return changed.dump();
    };
    EXPECT_THAT(refused(with("/iid/min_depth", "5")),
                HasSubstr("connect_four.iid.min_depth: \"5\""));
    EXPECT_THAT(refused(with("/iid/enabled", 1)), HasSubstr("is not true or false"));
    EXPECT_THAT(refused(with("/probcut/t", 99)), HasSubstr("probcut.t: 99 outside 0..5"));
    EXPECT_THAT(refused(with("/iid/min_detph", 5)), HasSubstr("did you mean 'min_depth'?"));
    EXPECT_THAT(refused(with("/idi", Json::object())), HasSubstr("unknown section"));
    EXPECT_THAT(refused(with("/game", "chess")), HasSubstr("the file is for 'chess'"));
    EXPECT_THAT(refused(with("/evaluation", "other-1")), HasSubstr("other-1"));
    EXPECT_THAT(refused("{\"game\": "), HasSubstr("not valid JSON"));
    EXPECT_THAT(refused(""), HasSubstr("not valid JSON"));
    EXPECT_THAT(refused("[1, 2]"), HasSubstr("not a JSON object"));
}

TEST(BadInput, WeightsNamedInTheEnvironment) {
    const TemporaryFolder folder;
    const std::string broken = folder.write("broken.bin", "not weights");
    for (const auto& [variable, game] :
         std::vector<std::pair<std::string, std::string>>{{"KARIKOMI_OTHELLO_WEIGHTS", "othello"},
                                                          {"KARIKOMI_SHOGI_WEIGHTS", "shogi"},
                                                          {"KARIKOMI_RENJU_WEIGHTS", "renju"}}) {
        for (const std::string& file : {broken, folder.file("absent"), folder.file("")}) {
            const Output out = run({"/usr/bin/env", variable + "=" + file, KARIKOMI_BINARY,
                                    "analyze", game, "--depth", "1"});
            EXPECT_EQ(out.exit_code, 2) << variable << " " << file << "\n" << out.err;
            EXPECT_THAT(out.err, HasSubstr("KARIKOMI_")) << file;
            EXPECT_THAT(out.err, Not(HasSubstr("internal error"))) << file;
        }
    }
}

TEST(Weights, DifferentOnesMeetInOneMatch) {
    const Output out =
        run({KARIKOMI_BINARY, "match", "internal:renju", "internal:renju?weights=hand", "--games",
             "2", "--nodes", "50", "--json"});
    EXPECT_EQ(out.exit_code, 0) << out.err;
    EXPECT_THAT(out.out, HasSubstr("\"renju-tables-1\""));
    EXPECT_THAT(out.out, HasSubstr("\"renju-tables-da881751\""));
    const Output one =
        run({KARIKOMI_BINARY, "analyze", "shogi", "--weights", "none", "--depth", "2", "--json"});
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("\"shogi-starter-2\""));
    EXPECT_THAT(call("bench --weights x.bin").err, HasSubstr("no game is chosen"));
}

TEST(Weights, CanBeChosenInTheLaboratory) {
    const Json found =
        json_of("lab collect renju --weights hand --games 1 --depth 2 --per-game 1 --db none");
    EXPECT_EQ(found["conditions"]["evaluation"], "renju-tables-1");
    EXPECT_THAT(refusal(split("lab collect renju --weights missing.bin --games 1 --db none")),
                HasSubstr("missing.bin"));
}

TEST(CurveHelp, ListsNoLimits) {
    EXPECT_THAT(text_of("match --help"), HasSubstr("--move-time"));
    EXPECT_THAT(text_of("curve --help"), Not(HasSubstr("--move-time")));
    EXPECT_THAT(refusal(split("curve internal:renju internal:gomoku --move-time 5")),
                HasSubstr("a curve has budgets instead"));
}

TEST(BadInput, OutputThatCannotBeWrittenIsAnError) {
    for (const char* command :
         {"karikomi games", "karikomi --help", "karikomi show connect_four"}) {
        const Output o = paste(std::string(command) + " > /dev/full");
        EXPECT_EQ(o.exit_code, 3) << command;
        EXPECT_THAT(o.err, StartsWith("karikomi: cannot write")) << command;
    }
    const Output o = call("games --log /dev/full");
    EXPECT_EQ(o.exit_code, 3);
    EXPECT_THAT(o.err, StartsWith("karikomi: --log: "));
}

}  // namespace
}  // namespace karikomi::tests
