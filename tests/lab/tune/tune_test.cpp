// Tuning as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"
#include "tests/cli/process.hpp"

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
    ASSERT_TRUE(process.wait_for_output("\"number\":3", 20s));
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
    ASSERT_TRUE(process.wait_for_output("\"number\":3", 20s));
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

}  // namespace
}  // namespace karikomi::tune
