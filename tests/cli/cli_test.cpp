// The program as a user meets it: help, the small commands, the log.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/cli/call.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using namespace std::chrono_literals;

const Words kCommands = {"games",  "show",    "perft",   "analyze", "bench", "demo",
                         "params", "match",   "curve",   "tune",    "lab",   "nboard",
                         "gtp",    "gomocup", "records", "book",    "man",   "completion"};

// ---- Help and version ---------------------------------------------------------------------------

Words examples_of(const std::string& help) {
    Words examples;
    for (const std::string& line : lines_of(help)) {
        const bool is_example = line.starts_with("  karikomi ") || line.starts_with("  printf ");
        if (is_example) examples.push_back(line.substr(2));
    }
    return examples;
}

class Help : public testing::TestWithParam<std::string> {};

TEST_P(Help, HasExamplesThatWork) {
    const std::string help = text_of(GetParam() + " --help");
    EXPECT_THAT(help, HasSubstr("Usage: karikomi"));
    EXPECT_THAT(help, HasSubstr("Example"));
    const Words examples = examples_of(help);
    EXPECT_THAT(examples, Not(IsEmpty()));
    for (const std::string& example : examples) {
        const Output o = paste(example);
        EXPECT_EQ(o.exit_code, 0) << example << "\n" << o.err;
        EXPECT_THAT(o.out, Not(IsEmpty())) << example;
        EXPECT_THAT(o.err, IsEmpty()) << example;
    }
}

TEST_P(Help, FitsIntoOneHundredColumns) {
    for (const std::string& line : lines_of(text_of(GetParam() + " --help"))) {
        EXPECT_LE(line.size(), 100U) << line;
    }
}

Words with_top_level(Words commands) {
    commands.insert(commands.begin(), "");
    return commands;
}
INSTANTIATE_TEST_SUITE_P(Commands, Help, testing::ValuesIn(with_top_level(kCommands)),
                         [](const auto& command) {
                             return command.param.empty() ? "karikomi" : command.param;
                         });

TEST(Cli, HelpListsEveryCommand) {
    const std::string help = text_of("--help");
    for (const std::string& command : kCommands) {
        EXPECT_THAT(help, HasSubstr("\n  " + command + " "));
    }
}

TEST(Cli, HelpShowsDefaults) {
    const std::string help = text_of("analyze --help");
    for (const char* text : {"(default: 1)", "(default: 64)", "(default: default)", "5 s"}) {
        EXPECT_THAT(help, HasSubstr(text));
    }
}

TEST(Cli, HelpNamesTheGamesOfEachCommand) {
    const std::map<std::string, std::string> kGames = {
        {"book", "othello, shogi"},
        {"records", "othello, renju, gomoku, standard_gomoku, shogi"},
        {"solve", "othello, renju, gomoku, standard_gomoku, shogi"},
        {"train", "othello, renju, gomoku, standard_gomoku, shogi"},
        {"show", "connect_four, othello, renju, gomoku, shogi"}};
    for (const auto& [command, games] : kGames) {
        EXPECT_THAT(text_of(command + " --help"), HasSubstr("One of: " + games + " (required)\n"));
    }
}

TEST(Cli, HelpSaysHowNumbersOfGamesAreRounded) {
    EXPECT_THAT(text_of("match --help"), HasSubstr("rounded up to pairs"));
    EXPECT_THAT(text_of("train --help"),
                HasSubstr("Games in a batch: Othello 256, renju and gomoku 128, shogi 16;"));
}

TEST(Cli, VersionNamesCommitAndCompiler) {
    EXPECT_THAT(text_of("--version"), testing::MatchesRegex("karikomi .+ \\(commit .+, .+\\)\n"));
}

// ---- games and show -----------------------------------------------------------------------------

TEST(Games, AsJson) {
    const Json games = json_of("games");
    ASSERT_FALSE(games.empty());
    for (const Json& game : games) {
        expect_keys(game, {"game", "protocols", "evaluation", "fingerprint"});
    }
    EXPECT_EQ(games[0]["game"], "connect_four");
    EXPECT_THAT(games[0]["fingerprint"].get<std::string>(), SizeIs(16));
}

TEST(Games, AsText) {
    const std::string text = text_of("games");
    EXPECT_THAT(text, HasSubstr("connect_four  Connect Four\n"));
    EXPECT_THAT(text, HasSubstr("\n  rules "));
}

TEST(Show, AsJson) {
    const Json shown = json_of("show connect_four --position 4453 --moves 4");
    expect_keys(shown, {"side", "legal", "result", "static_value", "board"});
    EXPECT_EQ(shown["side"], "second");
    EXPECT_THAT(shown["legal"], SizeIs(7));
    EXPECT_TRUE(shown["result"].is_null());
    EXPECT_TRUE(shown["static_value"].is_number_integer());
    EXPECT_THAT(shown["board"].get<std::string>(), HasSubstr("O X X"));
}

TEST(Show, SaysHowAGameEnded) {
    EXPECT_EQ(json_of("show connect_four --position 1212121")["result"], "first");
    EXPECT_EQ(json_of("show connect_four --position 21212171")["result"], "second");
    const std::string full = "547125662261271266215743771576315353334444";
    EXPECT_EQ(json_of("show connect_four --position " + full)["result"], "draw");
    EXPECT_THAT(text_of("show connect_four --position 1212121"), HasSubstr("first player wins"));
}

TEST(Show, AsText) {
    const std::string text = text_of("show connect_four --position 4453");
    EXPECT_THAT(text, HasSubstr("to move"));
    EXPECT_THAT(text, HasSubstr("first player"));
    EXPECT_THAT(text, HasSubstr("legal moves"));
    EXPECT_THAT(text, HasSubstr("static value"));
}

// ---- perft --------------------------------------------------------------------------------------

TEST(Perft, CountsConnectFour) {
    // Checked against an independent count on a plain two-dimensional board.
    const std::vector<std::uint64_t> kCounts = {1,     7,      49,     343,     2401,
                                                16807, 117649, 823536, 5673234, 39394572};
    for (std::size_t depth = 0; depth < kCounts.size(); ++depth) {
        const Json count = json_of("perft connect_four --depth " + std::to_string(depth));
        expect_keys(count, {"game", "depth", "nodes", "time_ms", "nps"});
        EXPECT_EQ(count["nodes"], kCounts[depth]) << "depth " << depth;
        EXPECT_EQ(count["depth"], depth);
    }
}

TEST(Perft, RowsAddUpToTheTotal) {
    for (const char* depth : {"4", "9"}) {  // counted at once, and in pieces
        const Json count =
            json_of(std::string("perft connect_four --position 4453 --divide --depth ") + depth);
        std::uint64_t sum = 0;
        for (const Json& row : count["divide"]) sum += row["nodes"].get<std::uint64_t>();
        EXPECT_THAT(count["divide"], SizeIs(7));
        EXPECT_EQ(count["nodes"], sum);
    }
}

TEST(Perft, AsText) {
    const std::string text = text_of("perft connect_four --depth 5 --divide");
    EXPECT_THAT(text, HasSubstr("connect_four depth 5: 16,807 nodes in "));
    EXPECT_THAT(text, HasSubstr("2,401"));
}

TEST(Perft, StopsOnASignal) {
    Process process(karikomi(split("perft connect_four --depth 20 --json")));
    std::this_thread::sleep_for(test::kSanitized ? 5s : 500ms);
    process.send(SIGINT);
    const auto o = process.wait(test::kSanitized ? 30s : 3s);
    ASSERT_TRUE(o) << "still counting";
    EXPECT_EQ(o->exit_code, 1);
    EXPECT_EQ(Json::parse(o->out)["complete"], false);
}

// ---- bench and demo -----------------------------------------------------------------------------

TEST(Bench, HasTheSameSignatureTwice) {
    const std::string command = "bench --game connect_four --depth-limit 8";
    const Json first = json_of(command);
    const Json second = json_of(command);
    expect_keys(first, {"games", "signature"});
    ASSERT_THAT(first["games"], SizeIs(1));
    expect_keys(first["games"][0], {"game", "nodes", "score_hash", "nps"});
    EXPECT_EQ(first["signature"], second["signature"]);
    EXPECT_EQ(first["games"][0]["nodes"], second["games"][0]["nodes"]);
    EXPECT_NE(first["signature"],
              json_of("bench --game connect_four --depth-limit 7")["signature"]);
}

TEST(Bench, AsTextWithTheSameSignature) {
    const std::string command = "bench --game connect_four --depth-limit 6";
    const std::string signature = json_of(command)["signature"];
    EXPECT_THAT(text_of(command), HasSubstr("signature " + signature));
}

TEST(Bench, WorksOnTwoThreads) {
    const std::string text = text_of("bench --game connect_four --depth-limit 6 --threads 2");
    EXPECT_THAT(text, HasSubstr("varies"));
}

TEST(Demo, AsJson) {
    const Json demo = json_of("demo --game connect_four --quick");
    expect_keys(demo, {"rows", "totals"});
    ASSERT_FALSE(demo["rows"].empty());
    std::uint64_t off_nodes = 0;
    for (const Json& row : demo["rows"]) {
        expect_keys(row, {"game", "position", "depth", "off", "on", "node_ratio", "time_ratio",
                          "same_move"});
        expect_keys(row["off"], {"nodes", "time_ms", "bestmove", "value"});
        expect_keys(row["on"], {"nodes", "time_ms", "bestmove", "value"});
        const double ratio = row["off"]["nodes"].get<double>() / row["on"]["nodes"].get<double>();
        EXPECT_NEAR(row["node_ratio"].get<double>(), ratio, 1e-9);
        off_nodes += row["off"]["nodes"].get<std::uint64_t>();
    }
    EXPECT_EQ(demo["totals"]["off"]["nodes"], off_nodes);
    EXPECT_EQ(demo["totals"]["positions"], demo["rows"].size());
}

TEST(Demo, AsText) {
    const std::string text = text_of("demo --game connect_four --quick");
    EXPECT_THAT(text, StartsWith("What selective search is worth\n"));
    EXPECT_THAT(text, HasSubstr("\ntotal "));
    EXPECT_THAT(text, HasSubstr("\nTogether: "));
}

// ---- params -------------------------------------------------------------------------------------

Json params_of(const std::string& arguments) {
    std::map<std::string, Json> values;
    const Json document = json_of("params connect_four " + arguments);
    for (const Json& p : document["parameters"]) values[p["path"]] = p["value"];
    return values;
}

TEST(Params, AsJson) {
    const Json all = json_of("params");
    EXPECT_TRUE(all["game"].is_null());
    for (const Json& p : all["parameters"])
        expect_keys(p, {"path", "type", "value", "unit", "meaning"});
    EXPECT_EQ(json_of("params connect_four")["fingerprint"], json_of("games")[0]["fingerprint"]);
}

TEST(Params, AsTextAndMarkdown) {
    const std::string text = text_of("params connect_four");
    EXPECT_THAT(text, HasSubstr("\nmulti_probcut\n"));
    EXPECT_THAT(text, HasSubstr("meaning"));
    EXPECT_THAT(text, Not(HasSubstr("0.1000000"))) << "bounds are shown as they were declared";
    EXPECT_THAT(text_of("params --markdown"), StartsWith("# Parameters\n"));
}

TEST(Params, AppliesOptionsInOrder) {
    EXPECT_EQ(params_of("--off iid")["iid.enabled"], false);
    EXPECT_EQ(params_of("--off iid --set iid.enabled=true")["iid.enabled"], true);
    EXPECT_EQ(params_of("--set iid.enabled=true --off iid")["iid.enabled"], true);
    EXPECT_EQ(params_of("--only iid,futility --off iid")["iid.enabled"], false);
    EXPECT_EQ(params_of("--only iid,futility --off iid")["futility.enabled"], true);
    EXPECT_EQ(params_of("--off all --off iid")["late_moves.enabled"], false);
    const Json twice = params_of("--set iid.min_depth=6 --set singular.min_depth=9");
    EXPECT_EQ(twice["iid.min_depth"], 6);
    EXPECT_EQ(twice["singular.min_depth"], 9);
}

TEST(Params, ItsFileReadsBackAsTheSame) {
    const TemporaryFolder folder;
    const std::string changes = " --set iid.min_depth=7 --off futility";
    const std::string file =
        folder.write("p.json", text_of("params connect_four --file" + changes));
    const Json direct = json_of("analyze connect_four --depth 8" + changes);
    const Json read = json_of("analyze connect_four --depth 8 --params " + file);
    EXPECT_EQ(direct["fingerprint"], read["fingerprint"]);
    EXPECT_EQ(direct["nodes"], read["nodes"]);
    // An option goes over what the file says.
    EXPECT_EQ(params_of("--params " + file + " --set iid.min_depth=5")["iid.min_depth"], 5);
}

// ---- The log ------------------------------------------------------------------------------------

std::vector<Json> read_log(const std::string& file) {
    std::vector<Json> records;
    for (const std::string& line : lines_of(read_file(file))) {
        const Json record = Json::parse(line, nullptr, false);
        EXPECT_FALSE(record.is_discarded()) << line;
        expect_keys(record, {"time", "event"});
        records.push_back(record);
    }
    return records;
}

TEST(Log, TellsTheWholeStory) {
    const TemporaryFolder folder;
    const std::string file = folder.file("log");
    const Json found = json_of("analyze connect_four --depth 5 --log " + file);
    const std::vector<Json> log = read_log(file);
    ASSERT_THAT(log, SizeIs(7));
    EXPECT_EQ(log[0]["event"], "start");
    EXPECT_EQ(log[0]["command"], "analyze");
    EXPECT_EQ(log[0]["arguments"][1], "connect_four");
    expect_keys(log[0], {"version", "commit", "compiler"});
    EXPECT_EQ(log[0]["fingerprint"], found["fingerprint"]);
    for (std::size_t i = 1; i <= 5; ++i) {
        EXPECT_EQ(log[i]["event"], "iteration");
        EXPECT_EQ(log[i]["depth"], i);
    }
    EXPECT_EQ(log[6]["event"], "result");
    EXPECT_EQ(log[6]["bestmove"], found["bestmove"]);
}

TEST(Log, IsAppendedToAndKeepsErrors) {
    const TemporaryFolder folder;
    const std::string file = folder.file("log");
    text_of("games --log " + file);
    EXPECT_THAT(read_log(file), SizeIs(2));
    refusal({"show", "connect_four", "--position", "\xff", "--log", file});
    const std::vector<Json> log = read_log(file);
    ASSERT_THAT(log, SizeIs(4));
    EXPECT_EQ(log[3]["event"], "error");
    EXPECT_EQ(log[3]["exit_code"], 2);
    EXPECT_THAT(log[3]["what"].get<std::string>(), HasSubstr("is not a column"));
}

TEST(Log, WorksWithEveryCommand) {
    for (const char* command :
         {"games", "show connect_four", "perft connect_four --depth 3", "params connect_four",
          "bench --depth-limit 3", "demo --quick --game connect_four"}) {
        const TemporaryFolder folder;
        text_of(std::string(command) + " --log " + folder.file("log"));
        const std::vector<Json> log = read_log(folder.file("log"));
        ASSERT_THAT(log, SizeIs(2)) << command;
        EXPECT_EQ(log[0]["event"], "start");
        EXPECT_EQ(log[1]["event"], "result");
    }
}

}  // namespace
}  // namespace karikomi::tests
