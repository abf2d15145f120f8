// `karikomi solve` as a user meets it.
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "karikomi/base/files.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// 10 and 9 empties; scores found by a plain alpha-beta of another program.
const std::string kFirst = "OXXX--O-XOXXXOOX--OXOOOXOOOOXXOXOOOXXXXXOOOOOOXX-OOOOOOX--O-X-XO X";
const std::string kSecond = "XO-XXXX-OXOOOO-O-OXXOXO-XXOXOXXXXX-OXXXXXXOOOX-XXX-OXOXX-XXXXXOX O";
const std::string kStart = "---------------------------OX------XO--------------------------- X";

Output solve(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {KARIKOMI_BINARY, "solve", "othello", "--hash", "8"});
    return run(arguments);
}

TEST(SolveCommand, AFileBecomesALineAPositionAndTotals) {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("two.obf", kFirst + "; H1:+16;\n% comment\n" + kSecond + "\n");
    const Output out = solve({"--file", file, "--json"});
    EXPECT_EQ(out.exit_code, 0);
    EXPECT_THAT(out.err, IsEmpty());
    const auto lines = lines_of(out.out);
    ASSERT_THAT(lines, SizeIs(3));
    const Json first = Json::parse(lines[0]);
    EXPECT_EQ(first["position"], kFirst);
    EXPECT_EQ(first["solved"], true);
    EXPECT_EQ(first["value"], 16);
    EXPECT_EQ(first["selectivity"], 100);
    EXPECT_EQ(first["expected"], 16);
    EXPECT_EQ(first["matches"], true);
    EXPECT_EQ(first["line"][0], first["bestmove"]);
    EXPECT_GT(first["nodes"], 0);
    EXPECT_TRUE(first.contains("time_ms") && first.contains("nps"));
    const Json second = Json::parse(lines[1]);
    EXPECT_EQ(second["value"], -22);
    EXPECT_FALSE(second.contains("expected"));
    const Json totals = Json::parse(lines[2])["totals"];
    EXPECT_EQ(totals["positions"], 2);
    EXPECT_EQ(totals["solved"], 2);
    EXPECT_EQ(totals["matched"], 1);
    EXPECT_EQ(totals["contradicted"], 0);
    EXPECT_TRUE(totals.contains("cpu_ms"));
    EXPECT_EQ(totals["nodes"].get<int>(), first["nodes"].get<int>() + second["nodes"].get<int>());
}

TEST(SolveCommand, AContradictedScoreIsAnswerNo) {
    const Output out = solve({"--position", kFirst + "; H1:+14;", "--json"});
    EXPECT_EQ(out.exit_code, 1);
    const auto lines = lines_of(out.out);
    EXPECT_EQ(Json::parse(lines[0])["matches"], false);
    EXPECT_EQ(Json::parse(lines[1])["totals"]["contradicted"], 1);
    const Output text = solve({"--position", kFirst + "; H1:+14;"});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_THAT(text.out, HasSubstr("0 as expected, 1 not"));
}

TEST(SolveCommand, ByResultComparesResultsOnly) {
    const Output out = solve({"--position", kFirst + "; H1:+2;", "--wld", "--json"});
    EXPECT_EQ(out.exit_code, 0);
    EXPECT_EQ(Json::parse(lines_of(out.out)[0])["value"], 1);
    EXPECT_THAT(solve({"--position", kFirst, "--wld"}).out, HasSubstr("win"));
}

TEST(SolveCommand, SeveralMovesAndLowerConfidence) {
    const Json lines =
        Json::parse(lines_of(solve({"--position", kFirst, "--multipv", "3", "--json"}).out)[0]);
    ASSERT_THAT(lines["lines"], SizeIs(3));
    EXPECT_EQ(lines["lines"][0]["value"], 16);
    EXPECT_GE(lines["lines"][1]["value"], lines["lines"][2]["value"]);
    const Output selective = solve({"--position", kFirst, "--selectivity", "73", "--json"});
    EXPECT_EQ(selective.exit_code, 0);
    EXPECT_EQ(Json::parse(lines_of(selective.out)[1])["selectivity"], 73);
}

TEST(SolveCommand, TimeRunsOut) {
    const Output out = solve({"--position", kStart, "--time-ms", "200", "--json"});
    EXPECT_EQ(out.exit_code, 1);
    const auto lines = lines_of(out.out);
    EXPECT_EQ(Json::parse(lines[0])["solved"], false);
    EXPECT_EQ(Json::parse(lines[1])["totals"]["solved"], 0);
}

TEST(SolveCommand, CtrlCKeepsWhatIsDone) {
    const TemporaryFolder folder;
    const std::string file = folder.write("two.obf", kSecond + "\n" + kStart + "\n");
    Process process({KARIKOMI_BINARY, "solve", "othello", "--hash", "8", "--file", file, "--json"});
    ASSERT_TRUE(process.wait_for_output("\"nps\"", std::chrono::seconds(60)));
    process.send(SIGINT);
    const auto out = process.wait(std::chrono::seconds(60));
    ASSERT_TRUE(out);
    EXPECT_EQ(out->exit_code, 1);
    const auto lines = lines_of(out->out);
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_EQ(Json::parse(lines[0])["value"], -22);
    EXPECT_EQ(Json::parse(lines[1])["solved"], false);
    EXPECT_EQ(Json::parse(lines[2])["interrupted"], true);
    EXPECT_EQ(Json::parse(lines[2])["totals"]["solved"], 1);
}

TEST(SolveCommand, GoesOnWhereItWasStopped) {
    const TemporaryFolder folder;
    const std::string one = folder.write("one.obf", kFirst + "; H1:+16;\n");
    const std::string both = folder.write("two.obf", kFirst + "; H1:+16;\n" + kSecond + "\n");
    const std::string answers = folder.file("answers.jsonl");
    EXPECT_EQ(solve({"--file", one, "--out", answers, "--json"}).exit_code, 0);
    const auto kept = lines_of(read_file(answers));
    ASSERT_THAT(kept, SizeIs(2));  // the conditions, and a row
    EXPECT_EQ(Json::parse(kept[1])["row"]["value"], 16);

    // Killed while it wrote: half a line is no answer.
    ASSERT_TRUE(write_file(answers, read_file(answers) + "{\"problem\":\"XX"));
    const Output out = solve({"--file", both, "--out", answers, "--json"});
    EXPECT_EQ(out.exit_code, 0);
    const auto lines = lines_of(out.out);
    ASSERT_THAT(lines, SizeIs(2));  // the first position is not solved again
    EXPECT_EQ(Json::parse(lines[0])["position"], kSecond);
    const Json totals = Json::parse(lines[1])["totals"];
    EXPECT_EQ(totals["before"], 1);
    EXPECT_EQ(totals["done"], 2);
    EXPECT_EQ(totals["solved"], 2);
    EXPECT_EQ(totals["matched"], 1);
    EXPECT_EQ(lines_of(read_file(answers)).size(), 3u);
    const Output text = solve({"--file", both, "--out", answers});
    EXPECT_THAT(text.out, HasSubstr("2 of 2 were solved before"));
    EXPECT_THAT(text.out, HasSubstr("2 of 2 solved"));
}

TEST(SolveCommand, WhatWasNotSolvedIsTriedAgain) {
    const TemporaryFolder folder;
    const std::string answers = folder.file("answers.jsonl");
    const auto ask = [&] {
        return solve({"--position", kStart, "--time-ms", "100", "--out", answers, "--json"});
    };
    EXPECT_EQ(ask().exit_code, 1);
    const Output again = ask();
    EXPECT_EQ(again.exit_code, 1);
    EXPECT_THAT(lines_of(again.out), SizeIs(2));
    EXPECT_EQ(Json::parse(lines_of(again.out)[1])["totals"]["before"], 0);
}

TEST(SolveCommand, AnswersToOtherQuestionsAreNotMixed) {
    const TemporaryFolder folder;
    const std::string answers = folder.file("answers.jsonl");
    EXPECT_EQ(solve({"--position", kFirst, "--out", answers}).exit_code, 0);
    const std::string before = read_file(answers);
    const Output other = solve({"--position", kFirst, "--wld", "--out", answers});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("was begun with other options"));
    EXPECT_EQ(read_file(answers), before);
    // More threads give the same answers.
    EXPECT_EQ(solve({"--position", kFirst, "--threads", "2", "--out", answers}).exit_code, 0);

    const std::string letter = folder.write("letter.txt", "Dear reader\n");
    const Output wrong = solve({"--position", kFirst, "--out", letter});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("has no answers of solve"));
    EXPECT_EQ(read_file(letter), "Dear reader\n");
    const std::string damaged = folder.write("damaged.jsonl", before + "what\n");
    EXPECT_THAT(solve({"--position", kFirst, "--out", damaged}).err,
                HasSubstr("is damaged in line 3"));
    EXPECT_EQ(solve({"--position", kFirst, "--out", "/no/such/folder/x"}).exit_code, 3);
}

TEST(SolveCommand, BadInputIsRefused) {
    const auto refused = [](const std::vector<std::string>& arguments, const std::string& what) {
        const Output out = solve(arguments);
        EXPECT_EQ(out.exit_code, 2);
        EXPECT_THAT(out.out, IsEmpty());
        EXPECT_THAT(out.err, HasSubstr(what));
        EXPECT_THAT(lines_of(out.err), SizeIs(1));
    };
    refused({}, "give --position or --file");
    refused({"--position", kFirst, "--file", "x"}, "not both");
    refused({"--position", "XO X"}, "of 64 cells");
    refused({"--file", "/no/such/file"}, "cannot be opened");
    refused({"--position", kFirst, "--selectivity", "80"}, "80 is no level");
    refused({"--position", kFirst, "--wld", "--multipv", "2"}, "one move only");
    refused({"--position", kFirst, "--weights", "/dev/null"}, "shorter than its header");
    const Output other = run({KARIKOMI_BINARY, "solve", "connect_four", "--position", "44"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("no solver for 'connect_four'"));
}

TEST(SolveCommand, WhatASolverHasNoUseForIsRefused) {
    struct Wrong {
        std::string game;
        std::vector<std::string> option;
        std::string says;
    };
    const std::vector<Wrong> kTable = {
        {"othello", {"--shortest"}, "--shortest is for shogi; drop it for othello"},
        {"othello", {"--rule", "renju"}, "--rule is for renju and gomoku"},
        {"othello", {"--threats", "fours"}, "--threats is for renju and gomoku"},
        {"othello", {"--nodes", "9"}, "--nodes is for renju and gomoku"},
        {"shogi", {"--wld"}, "--wld is for othello; drop it for shogi"},
        {"shogi", {"--selectivity", "100"}, "--selectivity is for othello"},
        {"shogi", {"--threads", "2"}, "--threads is for othello"},
        {"gomoku", {"--multipv", "2"}, "--multipv is for othello; drop it for gomoku"},
        {"gomoku", {"--weights", "x"}, "--weights is for othello"},
        {"gomoku", {"--shortest"}, "--shortest is for shogi"},
        {"gomoku", {"--size", "15"}, "unknown option '--size'"},  // the position says it
    };
    for (const Wrong& wrong : kTable) {
        std::vector<std::string> command = {KARIKOMI_BINARY, "solve", wrong.game, "--position",
                                            "x"};
        command.insert(command.end(), wrong.option.begin(), wrong.option.end());
        const Output out = run(command);
        EXPECT_EQ(out.exit_code, 2) << wrong.says;
        EXPECT_THAT(out.err, HasSubstr(wrong.says));
    }
}

}  // namespace
}  // namespace karikomi::tests
