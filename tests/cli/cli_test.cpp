// The program as a user meets it: the real binary, its output and its exit codes.
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "tests/cli/process.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using namespace std::chrono_literals;

using Words = std::vector<std::string>;
const Words kCommands = {"games",  "show",    "perft",   "analyze", "bench", "demo",
                         "params", "match",   "curve",   "tune",    "lab",   "nboard",
                         "gtp",    "gomocup", "records", "book"};

Words split(const std::string& text) {
    Words words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

Words karikomi(Words arguments) {
    arguments.insert(arguments.begin(), KARIKOMI_BINARY);
    return arguments;
}

// Arguments in one text, separated by spaces.
Output call(const std::string& arguments) {
    return run(karikomi(split(arguments)));
}

// The JSON that a command must print, and nothing else.
Json json_of(const std::string& arguments) {
    const Output o = call(arguments + " --json");
    EXPECT_EQ(o.exit_code, 0) << arguments << "\n" << o.err;
    EXPECT_THAT(o.err, IsEmpty()) << arguments;
    EXPECT_THAT(lines_of(o.out), SizeIs(1)) << arguments;
    const Json document = Json::parse(o.out, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << arguments << "\n" << o.out;
    return document;
}

void expect_keys(const Json& object, const Words& keys) {
    for (const std::string& key : keys) EXPECT_TRUE(object.contains(key)) << "no key " << key;
}

std::string text_of(const std::string& arguments) {
    const Output o = call(arguments);
    EXPECT_EQ(o.exit_code, 0) << arguments << "\n" << o.err;
    EXPECT_THAT(o.err, IsEmpty()) << arguments;
    EXPECT_THAT(o.out, Not(HasSubstr("\033"))) << "colour in a file";
    return o.out;
}

// The one line of a refused command.
std::string refusal(const Words& arguments) {
    const Output o = run(karikomi(arguments));
    const std::string shown = testing::PrintToString(arguments);
    EXPECT_EQ(o.exit_code, 2) << shown << "\n" << o.out << o.err;
    EXPECT_THAT(o.out, IsEmpty()) << shown;
    EXPECT_THAT(lines_of(o.err), SizeIs(1)) << shown << "\n" << o.err;
    EXPECT_THAT(o.err, StartsWith("karikomi: ")) << shown;
    EXPECT_THAT(o.err, HasSubstr("; ")) << shown << ": says not what to do";
    return o.err;
}

// ---- Help and version ---------------------------------------------------------------------------

Words examples_of(const std::string& help) {
    Words examples;
    for (const std::string& line : lines_of(help)) {
        const bool is_example = line.starts_with("  karikomi ") || line.starts_with("  printf ");
        if (is_example) examples.push_back(line.substr(2));
    }
    return examples;
}

// As pasted into a shell that finds the program.
Output paste(const std::string& line) {
    const std::string folder = std::filesystem::path(KARIKOMI_BINARY).parent_path().string();
    const TemporaryFolder state;  // records of matches must not pile up in the user's home
    return run(
        {"/bin/sh", "-c",
         "PATH='" + folder + "':\"$PATH\"; export XDG_STATE_HOME=" + state.file("") + "; " + line});
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
        {"book", "othello"},
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
