// Tuning as a user runs it.
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"
#include "tests/cli/process.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::tune {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::TemporaryFolder;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

Words command(Words words) {
    words.insert(words.begin(), {KARIKOMI_BINARY, "tune", "--json"});
    return words;
}

Json result_of(const std::string& out) {
    const auto lines = tests::lines_of(out);
    EXPECT_FALSE(lines.empty());
    return lines.empty() ? Json() : Json::parse(lines.back());
}

Json tune(const Words& words) {
    const tests::Output o = tests::run(command(words));
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_THAT(o.err, IsEmpty());
    return result_of(o.out);
}

std::string refusal(const Words& words) {
    const tests::Output o = tests::run(command(words));
    EXPECT_EQ(o.exit_code, 2) << o.out << o.err;
    return o.err;
}

TEST(Tune, GridMeasuresEveryPointAndResumes) {
    const TemporaryFolder folder;
    const Words words = {"connect_four",
                         "--param",
                         "late_moves.base=-2,4",
                         "--param",
                         "iid.enabled=true,false",
                         "--depth",
                         "4",
                         "--games",
                         "4",
                         "--hash",
                         "1",
                         "--opening-depth",
                         "2",
                         "--db",
                         folder.file("t.db"),
                         "--chart",
                         folder.file("t.svg"),
                         "--write",
                         folder.file("p.json")};
    const Json r = tune(words);
    EXPECT_EQ(r["method"], "grid");
    ASSERT_THAT(r["points"], SizeIs(4));
    for (const Json& p : r["points"]) {
        EXPECT_EQ(p["games"], 4);
        EXPECT_LE(p["elo"]["low"], p["elo"]["value"]);
    }
    ASSERT_THAT(r["parameters"], SizeIs(2));
    EXPECT_EQ(r["parameters"][0]["path"], "late_moves.base");
    EXPECT_THAT(tests::read_file(folder.file("t.svg")), HasSubstr("<svg"));
    // What it wrote is a parameter file.
    const tests::Output o = tests::run({KARIKOMI_BINARY, "analyze", "connect_four", "--depth", "2",
                                        "--params", folder.file("p.json")});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    const Json again = tune({"--resume", folder.file("t.db")});
    EXPECT_EQ(again["points"], r["points"]);
}

TEST(Tune, ClimbsAndResumes) {
    const TemporaryFolder folder;
    const std::string db = folder.file("t.db");
    const Words words = {"connect_four",
                         "--method",
                         "spsa",
                         "--param",
                         "late_moves.base=1,c=1",
                         "--param",
                         "late_moves.full_moves",
                         "--depth",
                         "5",
                         "--hash",
                         "1",
                         "--opening-depth",
                         "2",
                         "--games",
                         "400",
                         "--db",
                         db};
    tests::Process process(command(words));
    ASSERT_TRUE(process.wait_for_output("\"number\":3", 120s));
    process.send(SIGINT);
    const auto stopped = process.wait(10s);
    ASSERT_TRUE(stopped) << "does not stop";
    EXPECT_EQ(stopped->exit_code, 1);
    const Json part = result_of(stopped->out);
    EXPECT_EQ(part["complete"], false);
    EXPECT_THAT(part["resume"].get<std::string>(), HasSubstr("karikomi tune --resume '" + db));
    const Json whole =
        tune({"--resume", db, "--concurrency", "2", "--chart", folder.file("c.svg")});
    EXPECT_EQ(whole["trials"], 200);
    EXPECT_EQ(whole["games"], 400);
    EXPECT_EQ(whole["faults"], 0);
    for (const Json& p : whole["parameters"]) {
        EXPECT_GT(p["error"], 0);
        EXPECT_LE(p["low"], p["value"]);
        EXPECT_GE(p["high"], p["value"]);
    }
    EXPECT_THAT(tests::read_file(folder.file("c.svg")), HasSubstr("polyline"));
    EXPECT_THAT(refusal({"connect_four", "--method", "spsa", "--param", "late_moves.base",
                         "--depth", "5", "--db", db}),
                HasSubstr("another"));
}

TEST(Tune, GoesOnAfterItWasKilled) {
    const TemporaryFolder folder;
    const std::string db = folder.file("t.db");
    tests::Process process(
        command({"connect_four", "--method", "spsa", "--param", "late_moves.*", "--param",
                 "aspiration.*", "--pairs", "2", "--nodes", "300", "--hash", "1", "--opening-depth",
                 "2", "--games", "120", "--db", db}));
    ASSERT_TRUE(process.wait_for_output("\"number\":3", 120s));
    process.send(SIGKILL);
    ASSERT_TRUE(process.wait(10s));
    const Json whole = tune({"--resume", db});
    EXPECT_EQ(whole["complete"], true);
    EXPECT_EQ(whole["trials"], 30);
    EXPECT_EQ(whole["games"], 120);
    EXPECT_GT(whole["parameters"].size(), 10U);
}

TEST(Tune, RefusesNonsense) {
    EXPECT_THAT(refusal({"--depth", "3"}), HasSubstr("no game"));
    EXPECT_THAT(refusal({"connect_four", "--depth", "3"}), HasSubstr("nothing to tune"));
    EXPECT_THAT(refusal({"connect_four", "magic", "--depth", "3"}), HasSubstr("no ready grid"));
    EXPECT_THAT(refusal({"connect_four", "iid"}), HasSubstr("no limit"));
    EXPECT_THAT(refusal({"connect_four", "--param", "iid.min_depth=1,2", "--depth", "2"}),
                HasSubstr("iid.min_depth"));
    EXPECT_THAT(refusal({"connect_four", "--method", "spsa", "--depth", "3"}),
                HasSubstr("needs --param"));
    EXPECT_THAT(refusal({"connect_four", "--method", "spsa", "--param", "late_moves.base",
                         "--param", "late_moves.*", "--depth", "3"}),
                HasSubstr("late_moves.base is named twice"));
    EXPECT_THAT(refusal({"connect_four", "--method", "magic", "--depth", "3"}),
                HasSubstr("'magic'"));
    const std::string unusable = "connect_four cannot use this technique; use ";
    EXPECT_THAT(refusal({"connect_four", "null_move", "--depth", "3"}),
                HasSubstr("tune null_move: " + unusable));
    EXPECT_THAT(refusal({"connect_four", "--param", "null_move.reduction=2,3", "--depth", "3"}),
                HasSubstr("--param null_move.reduction: " + unusable));
    EXPECT_THAT(refusal({"connect_four", "--method", "spsa", "--param", "null_move.reduction",
                         "--depth", "3"}),
                HasSubstr("--param null_move.reduction: " + unusable));
}

// What plays the same with every value cannot be tuned by games.
TEST(Tune, RefusesWhatDoesNotChangeTheTree) {
    const std::string idle = "none of its values changes the search of connect_four";
    EXPECT_THAT(refusal({"connect_four", "--base", "set=iid.variant=reduce", "--param",
                         "iid.depth_reduction=1,2", "--depth", "3"}),
                HasSubstr("--param iid.depth_reduction: " + idle));
    EXPECT_THAT(refusal({"connect_four", "--base", "off=late_moves", "--method", "spsa", "--param",
                         "late_moves.base", "--depth", "3"}),
                HasSubstr("--param late_moves.base: " + idle));
}

// The ready grid of a technique switches on what it is about.
TEST(Tune, AReadyGridHasPointsThatDiffer) {
    const Json r = tune({"connect_four", "iid", "--base", "off=iid", "--depth", "3", "--games", "2",
                         "--hash", "1", "--opening-depth", "1", "--openings", "random:4",
                         "--concurrency", "2", "--db", "none"});
    EXPECT_THAT(r["points"], SizeIs(20));
}

TEST(Tune, OptionsOfAnotherProgram) {
    const TemporaryFolder folder;
    const std::string log = folder.file("log");
    const std::string engine = match::mock("usi", "log=" + log, "option.Foo=bar");
    const Words how = {"--depth",    "1",        "--opening-depth", "1",
                       "--openings", "random:4", "--hash",          "1",
                       "--db",       "none"};
    const auto with = [&](Words words) {
        words.insert(words.end(), how.begin(), how.end());
        return words;
    };
    const Json grid = tune(with({"connect_four", "--engine", engine, "--param", "Strength=3,9",
                                 "--param", "Use Book=true,false", "--games", "2"}));
    EXPECT_THAT(grid["points"], SizeIs(4));
    EXPECT_THAT(grid["engine"].get<std::string>(), HasSubstr("option.Strength="));
    EXPECT_THAT(grid["engine"].get<std::string>(), HasSubstr("option.Foo=bar"));
    auto said = tests::lines_of(tests::read_file(log));
    EXPECT_THAT(said, testing::Contains("setoption name Strength value 9"));
    EXPECT_THAT(said, testing::Contains("setoption name Use Book value false"));

    std::filesystem::remove(log);
    const Json climb = tune(with({"connect_four", "--engine", engine, "--method", "spsa", "--param",
                                  "Strength=20,c=5", "--games", "12"}));
    EXPECT_EQ(climb["games"], 12);
    EXPECT_EQ(climb["faults"], 0);
    EXPECT_EQ(climb["parameters"][0]["path"], "Strength");
    // Each pair has another value, and the program that is already running is told.
    std::set<std::string> values;
    for (const std::string& line : tests::lines_of(tests::read_file(log))) {
        if (line.starts_with("setoption name Strength")) values.insert(line);
    }
    EXPECT_GE(values.size(), 4U);

    const auto refused = [&](const Words& words) { return refusal(with(words)); };
    EXPECT_THAT(refused({"connect_four", "--engine", engine, "--param", "Strenth=3,9"}),
                HasSubstr("did you mean 'Strength'?"));
    EXPECT_THAT(refused({"connect_four", "--engine", engine, "--param", "Strength=3,99"}),
                HasSubstr("whole numbers in 0..40"));
    EXPECT_THAT(refused({"connect_four", "--engine", engine, "--param", "Use Book=yes,no"}),
                HasSubstr("use true or false"));
    EXPECT_THAT(
        refused({"connect_four", "--engine", engine, "--method", "spsa", "--param", "Use Book"}),
        HasSubstr("of type check"));
    EXPECT_THAT(refused({"connect_four", "--engine", engine, "--base", "off=iid", "--param",
                         "Strength=1,2"}),
                HasSubstr("are of our own engine"));
}

}  // namespace
}  // namespace karikomi::tune
