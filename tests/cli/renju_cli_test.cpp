// Renju and gomoku on the command line, as a user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"

namespace karikomi::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// f6 makes two threes.
const std::string kDoubleThree = "11/11/11/5X5/5X5/3XX6/11/11/11/11/11 b";
// e6 makes a four and a three.
const std::string kFourThree = "11/11/11/4X6/4X6/OXXX7/11/11/11/11/11 b";
const std::string kOneStone = "11/11/11/11/11/5X5/11/11/11/11/11 b";

Output command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), KARIKOMI_BINARY);
    return run(arguments);
}

std::vector<std::string> texts(const Json& list) {
    return list.get<std::vector<std::string>>();
}

TEST(RenjuCommands, ARuleBringsItsOwnEvaluationAndParameters) {
    const auto analyzed = [](const std::vector<std::string>& words) {
        std::vector<std::string> all = {"analyze"};
        all.insert(all.end(), words.begin(), words.end());
        for (const char* w : {"--moves", "h8 h7 i7 g9", "--depth", "6", "--json"}) {
            all.emplace_back(w);
        }
        const Output out = command(all);
        EXPECT_EQ(out.exit_code, 0) << out.err;
        Json j = Json::parse(out.out);
        return std::tuple(j["evaluation"], j["fingerprint"], j["nodes"], j["bestmove"]);
    };
    const auto standard = analyzed({"standard_gomoku"});
    EXPECT_EQ(analyzed({"gomoku", "--rule", "standard"}), standard);
    EXPECT_EQ(analyzed({"renju", "--rule", "standard"}), standard);
    EXPECT_EQ(analyzed({"gomoku", "--rule", "renju"}), analyzed({"renju"}));
    EXPECT_EQ(analyzed({"renju", "--rule", "freestyle"}), analyzed({"gomoku"}));
    EXPECT_NE(analyzed({"renju"}), standard);
}

TEST(RenjuCommands, ShowListsForbiddenPoints) {
    const Output out = command({"show", "renju", "--position", kDoubleThree, "--json"});
    ASSERT_EQ(out.exit_code, 0) << out.err;
    const Json facts = Json::parse(out.out);
    EXPECT_THAT(texts(facts["forbidden"]), ElementsAre("f6"));
    EXPECT_EQ(facts["position"], kDoubleThree);
    EXPECT_EQ(facts["side"], "first");
    for (const Json& move : facts["legal"]) EXPECT_NE(move, "f6");
    EXPECT_THAT(command({"show", "renju", "--position", kDoubleThree}).out,
                HasSubstr("forbidden     f6"));
    const Output freestyle =
        command({"show", "renju", "--rule", "freestyle", "--position", kDoubleThree, "--json"});
    EXPECT_THAT(texts(Json::parse(freestyle.out)["forbidden"]), IsEmpty());
}

TEST(RenjuCommands, AForbiddenMoveIsRefusedWithItsReason) {
    const Output out = command({"show", "renju", "--position", kDoubleThree, "--moves", "f6"});
    EXPECT_EQ(out.exit_code, 2);
    EXPECT_THAT(out.err, HasSubstr("f6 is forbidden for Black: a double three"));
}

TEST(RenjuCommands, RulesAndSizes) {
    const Output out = command({"show", "gomoku", "--size", "20", "--moves", "t20 a1", "--json"});
    ASSERT_EQ(out.exit_code, 0) << out.err;
    EXPECT_THAT(texts(Json::parse(out.out)["legal"]), SizeIs(398));
    for (const auto& wrong : std::vector<std::vector<std::string>>{
             {"--size", "4"}, {"--size", "x"}, {"--rule", "caro"}}) {
        std::vector<std::string> all = {"show", "gomoku"};
        all.insert(all.end(), wrong.begin(), wrong.end());
        const Output bad = command(all);
        EXPECT_EQ(bad.exit_code, 2) << wrong[1];
        EXPECT_THAT(bad.err, HasSubstr("karikomi: " + wrong[0] + ": "));
    }
    EXPECT_EQ(command({"show", "connect_four", "--rule", "renju"}).exit_code, 2);
}

TEST(RenjuCommands, AnalyzeFindsTheWin) {
    const Output out =
        command({"analyze", "renju", "--position", kFourThree, "--depth", "3", "--json"});
    ASSERT_EQ(out.exit_code, 0) << out.err;
    const Json found = Json::parse(out.out);
    EXPECT_EQ(found["bestmove"], "e6");
    EXPECT_EQ(found["decisive"], true);
}

TEST(RenjuCommands, SolveAFile) {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("two.txt", kFourThree + " ; four and three\n# nothing here\n" + kOneStone);
    const Output out = command({"solve", "renju", "--file", file, "--threats", "fours", "--json"});
    EXPECT_EQ(out.exit_code, 1);  // one has no solution
    const auto lines = lines_of(out.out);
    ASSERT_THAT(lines, SizeIs(3));
    const Json first = Json::parse(lines[0]);
    EXPECT_EQ(first["solved"], true);
    EXPECT_EQ(first["by"], "vcf");
    EXPECT_EQ(first["bestmove"], "e6");
    EXPECT_THAT(texts(first["line"]), SizeIs(5));
    EXPECT_TRUE(first.contains("nodes") && first.contains("time_ms"));
    const Json second = Json::parse(lines[1]);
    EXPECT_EQ(second["solved"], false);
    EXPECT_EQ(second["complete"], true);
    EXPECT_EQ(Json::parse(lines[2])["totals"]["solved"], 1);
}

TEST(RenjuCommands, SolveRefusesNonsense) {
    EXPECT_EQ(command({"solve", "renju", "--position", "nonsense"}).exit_code, 2);
    EXPECT_EQ(command({"solve", "renju", "--file", "/no/such/file"}).exit_code, 2);
    EXPECT_EQ(command({"solve", "renju", "--position", kOneStone, "--threats", "twos"}).exit_code,
              2);
    const TemporaryFolder folder;
    for (const char* text : {"", "# nothing here\n\n"}) {
        const Output out = command({"solve", "renju", "--file", folder.write("none.txt", text)});
        EXPECT_EQ(out.exit_code, 2);
        EXPECT_THAT(out.err, HasSubstr("solve: no positions in"));
    }
}

// ---- Records ------------------------------------------------------------------------------------

TEST(RenjuCommands, RecordsAreReadAndConverted) {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("games.sgf", "(;SZ[15]PB[a]PW[b]RE[B+];B[hh];W[hi];B[ij])(;SZ[15];B[aa])");
    const Output json = command({"records", "renju", file, "--to", "json"});
    ASSERT_EQ(json.exit_code, 0) << json.err;
    const auto lines = lines_of(json.out);
    ASSERT_THAT(lines, SizeIs(2));
    const Json game = Json::parse(lines[0]);
    EXPECT_THAT(texts(game["moves"]), ElementsAre("h8", "h7", "i6"));
    EXPECT_EQ(game["black"], "a");
    EXPECT_EQ(game["ending"], "open");
    EXPECT_EQ(command({"records", "renju", file, "--to", "transcript"}).out, "h8 h7 i6\na15\n");
    EXPECT_THAT(lines_of(command({"records", "gomoku", file, "--to", "positions"}).out), SizeIs(2));
    EXPECT_THAT(
        lines_of(command({"records", "gomoku", file, "--to", "positions", "--all-positions"}).out),
        SizeIs(6));
    EXPECT_EQ(command({"records", "renju", file, "--to", "ggf"}).exit_code, 2);
    EXPECT_EQ(command({"records", "renju", folder.write("x", "nothing")}).exit_code, 2);
}

TEST(RenjuCommands, RecordsAreJudgedByTheRules) {
    // Black's sixth stone, c15, makes six.
    const std::string six =
        "(;SZ[15];B[aa];W[oo];B[ba];W[mo];B[da];W[ko];B[ea];W[io];B[fa];W[go];B[ca])";
    const auto ending = [&](const std::string& game) {
        return Json::parse(command({"records", game, "--text", six, "--to", "json"}).out)["ending"];
    };
    EXPECT_EQ(ending("renju"), "white_by_foul");
    EXPECT_EQ(ending("gomoku"), "black");
    EXPECT_EQ(ending("standard_gomoku"), "open");
    const std::string longer = six.substr(0, six.size() - 1) + ";W[aj])";
    const Output out = command({"records", "gomoku", "--text", longer});
    EXPECT_EQ(out.exit_code, 1);
    EXPECT_THAT(out.out, HasSubstr("game 1: move 12 a6: the game is over before it"));
    EXPECT_EQ(command({"records", "standard_gomoku", "--text", longer}).exit_code, 0);
}

}  // namespace
}  // namespace karikomi::tests
