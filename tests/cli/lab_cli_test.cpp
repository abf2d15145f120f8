// The laboratory on the command line, as a user meets it.
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "karikomi/lab/samples.hpp"
#include "tests/cli/process.hpp"
#include "tests/lab/sample_files.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using Words = std::vector<std::string>;

Words lab(Words arguments) {
    arguments.insert(arguments.begin(), {KARIKOMI_BINARY, "lab"});
    return arguments;
}

Json json_of(const Output& out) {
    EXPECT_THAT(lines_of(out.out), SizeIs(1)) << out.out;
    return Json::parse(out.out);
}

Words collect(const std::string& db, int games) {
    return lab({"collect", "connect_four", "--db", db, "--games", std::to_string(games), "--depth",
                "5", "--per-game", "6", "--threads", "2", "--json"});
}

TEST(LabCommands, FromSamplesToParametersToEvidence) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    const Output collected = run(collect(db, 250));
    ASSERT_EQ(collected.exit_code, 0) << collected.err;
    EXPECT_EQ(collected.err, "");
    const Json c = json_of(collected);
    EXPECT_EQ(c["units"], 250);
    EXPECT_GT(c["samples"].get<int>(), 800);
    EXPECT_EQ(c["complete"], true);
    EXPECT_EQ(c["conditions"]["evaluation"], "connect_four-threats-1");
    const Json again = json_of(run(collect(db, 250)));
    EXPECT_EQ(again["added"], 0);
    EXPECT_EQ(again["samples"], c["samples"]);

    const std::string params = folder.file("fitted.json");
    const Output fitted =
        run(lab({"fit", "connect_four", "--db", db, "--write", params, "--json"}));
    ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
    const Json f = json_of(fitted);
    EXPECT_GT(f["own_cells"].get<int>(), 20);
    EXPECT_LE(f["cross_validation"]["error_ratio"].get<double>(), 1.3);
    const Json written = Json::parse(read_file(params));
    EXPECT_EQ(written["game"], "connect_four");
    EXPECT_THAT(written["provenance"]["command"].get<std::string>(), HasSubstr("lab fit"));
    EXPECT_TRUE(written["provenance"].contains("commit"));
    EXPECT_TRUE(written["provenance"].contains("fingerprint"));
    EXPECT_TRUE(written["provenance"].contains("positions"));
    EXPECT_EQ(written["calibration"]["model"]["max_deep"], 5);
    // The file serves every command that takes one.
    const Output used = run(
        {KARIKOMI_BINARY, "analyze", "connect_four", "--params", params, "--depth", "6", "--json"});
    EXPECT_EQ(used.exit_code, 0) << used.err;

    const Output verified =
        run(lab({"verify", "connect_four", "--db", db, "--params", params, "--positions", "2",
                 "--depth", "4", "--move-time", "0", "--cuts", "20", "--hash", "1", "--json"}));
    EXPECT_THAT(verified.exit_code, testing::AnyOf(0, 1)) << verified.err;
    const Json v = json_of(verified);
    EXPECT_EQ(v["met"].get<bool>(), verified.exit_code == 0);
    EXPECT_GT(v["coverage"]["all"]["samples"].get<int>(), 500);
    for (const Json& level : v["coverage"]["all"]["levels"]) {
        EXPECT_NEAR(level["excess_points"].get<double>(), 0, 6) << level.dump();
    }
    EXPECT_GT(v["ablation"].size(), 10U);

    const Output gains =
        run(lab({"futility", "connect_four", "--db", db, "--positions", "10", "--depth", "5",
                 "--write", folder.file("margins.json"), "--json"}));
    ASSERT_EQ(gains.exit_code, 0) << gains.err;
    const Json g = json_of(gains);
    EXPECT_EQ(g["margins"].size(), 4U);
    for (const Json& row : g["rows"]) {
        EXPECT_LE(row["p90"], row["p95"]);
        EXPECT_LE(row["p95"], row["p99"]);
        EXPECT_LE(row["p99"], row["max"]);
    }
    EXPECT_EQ(Json::parse(read_file(folder.file("margins.json")))["futility"]["self_first"][0], 0);
    // The second time nothing is searched, and the answer is the same.
    EXPECT_EQ(json_of(run(lab({"futility", "connect_four", "--db", db, "--positions", "10",
                               "--depth", "5", "--json"})))["rows"],
              g["rows"]);
}

TEST(LabCommands, HaveHelpWithExamplesThatWork) {
    for (const std::string command :
         {"collect", "fit", "verify", "export", "futility", "calibrate"}) {
        const Output help = run(lab({command, "--help"}));
        ASSERT_EQ(help.exit_code, 0) << command;
        int examples = 0;
        for (const std::string& line : lines_of(help.out)) {
            EXPECT_LE(line.size(), 100U) << line;
            if (!line.starts_with("  karikomi ")) continue;
            ++examples;
            const TemporaryFolder state;
            const std::string folder =
                std::filesystem::path(KARIKOMI_BINARY).parent_path().string();
            const Output out =
                run({"/bin/sh", "-c",
                     "PATH='" + folder + "':\"$PATH\"; export XDG_STATE_HOME=" + state.file("") +
                         "; " + line});
            EXPECT_EQ(out.exit_code, 0) << line << "\n" << out.out << out.err;
            EXPECT_EQ(out.err, "") << line;
        }
        EXPECT_GT(examples, 0) << command;
    }
}

TEST(LabCommands, ABarThatIsMissedIsExitCodeOne) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    ASSERT_EQ(run(collect(db, 60)).exit_code, 0);
    const std::string params = folder.file("fitted.json");
    ASSERT_EQ(
        run(lab({"fit", "connect_four", "--db", db, "--least", "20", "--write", params})).exit_code,
        0);
    Json bold = Json::parse(read_file(params));
    for (Json& cell : bold["calibration"]["cells"]) cell[5] = 1.0;
    bold.erase("checksum");  // an edit that is meant
    const std::string file = folder.write("bold.json", bold.dump());
    const Output out =
        run(lab({"verify", "connect_four", "--db", db, "--params", file, "--only", "coverage"}));
    EXPECT_EQ(out.exit_code, 1) << out.err;
    EXPECT_THAT(out.out, HasSubstr("MISSED"));
}

TEST(LabCommands, SaysWhenWhatIsJudgedWasFitted) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    ASSERT_EQ(run(collect(db, 40)).exit_code, 0);
    const auto warned = [&](const std::string& fitted, const std::string& judged) {
        const std::string params = folder.file("fitted.json");
        (void)run(lab({"fit", "connect_four", "--db", db, "--least", "20", "--holdout", fitted,
                       "--write", params}));
        const Output out = run(lab({"verify", "connect_four", "--db", db, "--params", params,
                                    "--only", "coverage", "--holdout", judged, "--json"}));
        EXPECT_EQ(json_of(out)["warnings"].empty(), out.err.empty()) << out.err;
        return out.err;
    };
    EXPECT_THAT(warned("0", "20"), HasSubstr("warning: `lab fit --holdout 0` held nothing out"));
    EXPECT_THAT(warned("20", "50"), HasSubstr("held 20 % of the games out, not 50"));
    EXPECT_EQ(warned("20", "20"), "");
}

TEST(LabCommands, TheLawOfErrorsIsFittedJudgedAndAskedFor) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    ASSERT_EQ(run(collect(db, 150)).exit_code, 0);
    const std::string plain = folder.file("plain.json"), lawful = folder.file("lawful.json");
    ASSERT_EQ(
        run(lab({"fit", "connect_four", "--db", db, "--law", "none", "--write", plain})).exit_code,
        0);
    EXPECT_FALSE(Json::parse(read_file(plain))["calibration"].contains("law"));
    const Output fitted = run(lab({"fit", "connect_four", "--db", db, "--law", "only", "--params",
                                   plain, "--write", lawful}));
    ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
    EXPECT_THAT(fitted.out, HasSubstr("Law of the errors"));
    Json before = Json::parse(read_file(plain)), after = Json::parse(read_file(lawful));
    EXPECT_TRUE(after["calibration"]["law"].contains("model"));
    after["calibration"].erase("law");
    EXPECT_EQ(before["calibration"], after["calibration"]);
    EXPECT_EQ(before["multi_probcut"], after["multi_probcut"]);

    const Output judged = run(lab({"verify", "connect_four", "--db", db, "--params", lawful,
                                   "--only", "coverage", "--bound", "quantile", "--json"}));
    const Json v = json_of(judged);
    EXPECT_EQ(v["coverage"]["bound"], "quantile");
    EXPECT_EQ(v["other_bound"]["bound"], "normal");
    EXPECT_FALSE(v["coverage"]["probed"].empty());
    const Output refused = run(lab({"verify", "connect_four", "--db", db, "--params", plain,
                                    "--only", "coverage", "--bound", "quantile"}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("no law of errors"));

    const auto search = [&](const std::string& params) {
        return run({KARIKOMI_BINARY, "analyze", "connect_four", "--params", params, "--depth", "6",
                    "--set", "multi_probcut.bound=quantile", "--json"});
    };
    EXPECT_EQ(search(lawful).exit_code, 0);
    EXPECT_EQ(search(plain).exit_code, 2);
    EXPECT_THAT(search(plain).err, HasSubstr("karikomi lab fit"));
}

TEST(LabCommands, EveryRunOfVerifyIsKeptAndExported) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    ASSERT_EQ(run(collect(db, 40)).exit_code, 0);
    const auto verify = [&](const Words& more) {
        Words words = {
            "verify", "connect_four", "--db", db,       "--depth", "5",     "--positions",
            "3",      "--move-time",  "0",    "--cuts", "5",       "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Output out = run(lab(words));
        EXPECT_THAT(out.exit_code, testing::AnyOf(0, 1)) << out.err;
        return json_of(out);
    };
    const auto rows = [&](const std::string& what, const Words& more = {}) {
        Words words = {"export", "connect_four", "--db", db, "--what", what};
        words.insert(words.end(), more.begin(), more.end());
        const Output out = run(lab(words));
        EXPECT_EQ(out.exit_code, 0) << what << out.err;
        return lines_of(out.out);
    };
    const Output none = run(lab({"export", "connect_four", "--db", db, "--what", "runs"}));
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("karikomi lab verify connect_four"));
    const Json first = verify({"--only", "ablation"});
    verify({"--only", "audit,coverage"});
    EXPECT_EQ(rows("runs").size(), 3U) << "the second run erased the first";
    const auto searches = rows("ablation", {"--run", "1"});
    EXPECT_EQ(searches.front(),
              "run,position,setting,nodes,cpu_us,value,first_move_cut_rate,move,depth_at_time");
    EXPECT_EQ(searches.size(), 1 + 3 * first["ablation"].size());
    EXPECT_GT(rows("coverage").size(), 50U);
    EXPECT_GT(rows("audit").size(), 3U);
    const auto samples = rows("samples");
    EXPECT_THAT(samples.front(), testing::StartsWith("position,game,held_out,stage"));
    EXPECT_GT(samples.size(), 100U);
    EXPECT_EQ(
        run(lab({"export", "connect_four", "--db", db, "--what", "runs", "--run", "9"})).exit_code,
        2);
    EXPECT_EQ(run(lab({"export", "connect_four", "--db", db, "--what", "all"})).exit_code, 2);
}

TEST(LabCommands, CalibrateRefusesWhatChangesNothing) {
    const TemporaryFolder folder;
    const Words words = {"calibrate",     "connect_four",
                         "--db",          folder.file("db"),
                         "--technique",   "probcut",
                         "--depth",       "2",
                         "--games",       "2",
                         "--match-depth", "1"};
    const Output out = run(lab(words));
    EXPECT_EQ(out.exit_code, 2) << out.out;
    EXPECT_THAT(out.err, HasSubstr("there is nothing to calibrate"));
    // Margins that are off are switched on, and that is said.
    const Output futility =
        run(lab({"calibrate", "othello", "--db", folder.file("o"), "--technique", "futility",
                 "--depth", "5", "--games", "2", "--match-depth", "1", "--steps", "1"}));
    EXPECT_THAT(futility.exit_code, testing::AnyOf(0, 1)) << futility.err;
    EXPECT_THAT(futility.out, HasSubstr("switched on for this: futility.max_depth=3"));
}

TEST(LabCommands, NothingCheckedIsNotAPass) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    ASSERT_EQ(run(collect(db, 3)).exit_code, 0);
    const Words shallow = {"verify", "connect_four", "--db", db, "--only", "audit", "--depth", "2"};
    const Output out = run(lab(shallow));
    EXPECT_EQ(out.exit_code, 1) << out.err;
    EXPECT_THAT(out.out, HasSubstr("nothing could be checked"));
    Words json = shallow;
    json.push_back("--json");
    EXPECT_TRUE(json_of(run(lab(json)))["met"].is_null());
    // Too few samples for any cell: the file is written by the model alone, and that is said.
    const Output fit = run(lab({"fit", "connect_four", "--db", db}));
    EXPECT_EQ(fit.exit_code, 1) << fit.err;
    EXPECT_THAT(fit.out, HasSubstr("collect more"));
}

TEST(LabCommands, SayWhatIsMissing) {
    const TemporaryFolder folder;
    const auto refused = [](const Words& words) {
        const Output out = run(lab(words));
        EXPECT_EQ(out.exit_code, 2) << out.out << out.err;
        EXPECT_THAT(lines_of(out.err), SizeIs(1));
        return out.err;
    };
    EXPECT_THAT(refused({}), HasSubstr("see `karikomi lab --help`"));
    EXPECT_THAT(refused({"colect", "othello"}), HasSubstr("did you mean 'collect'?"));
    EXPECT_THAT(refused({"collect", "othello", "--gams", "3"}),
                HasSubstr("unknown option '--gams' of `karikomi lab collect`"));
    EXPECT_THAT(refused({"fit", "connect_four", "--db", folder.file("none")}),
                HasSubstr("karikomi lab collect connect_four"));
    EXPECT_THAT(refused({"collect", "othello", "--pairs", "6:2", "--db", folder.file("x")}),
                HasSubstr("--pairs"));
    const std::string db = folder.file("lab.db");
    ASSERT_EQ(run(collect(db, 2)).exit_code, 0);
    EXPECT_THAT(refused({"fit", "othello", "--db", db}), HasSubstr("is of connect_four"));
    EXPECT_THAT(refused({"collect", "connect_four", "--db", db, "--depth", "6"}),
                HasSubstr("have depth 5, not 6"));
}

TEST(LabCommands, StopOnASignalAndGoOn) {
    const TemporaryFolder folder;
    const std::string db = folder.file("lab.db");
    const Words long_run =
        lab({"collect", "connect_four", "--db", db, "--games", "100000", "--depth", "6", "--json"});
    Process process(long_run);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    process.send(SIGINT);
    const auto out = process.wait(std::chrono::minutes(1));
    ASSERT_TRUE(out.has_value());
    EXPECT_EQ(out->exit_code, 1) << out->err;
    const Json result = Json::parse(out->out);
    EXPECT_EQ(result["complete"], false);
    EXPECT_THAT(result["resume"].get<std::string>(), HasSubstr("lab collect connect_four"));
    EXPECT_EQ(result["samples"].get<std::size_t>(), samples_of(db).size());
}

TEST(LabCommands, KilledAtTenRandomMomentsNoSampleIsLostOrDoubled) {
    constexpr int kGames = 150;
    const TemporaryFolder folder;
    const std::string whole = folder.file("whole.db");
    ASSERT_EQ(run(collect(whole, kGames)).exit_code, 0);
    const std::string db = folder.file("killed.db");
    std::mt19937 random(7);
    std::size_t before = 0;
    int unfinished = 0;
    for (int i = 0; i < 10; ++i) {
        Process process(collect(db, kGames));
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 150));
        process.send(SIGKILL);
        const auto out = process.wait(std::chrono::minutes(1));
        ASSERT_TRUE(out.has_value());
        unfinished += out->exit_code == 0 ? 0 : 1;
        const auto store = lab::SampleStore::read(db);
        if (!store) continue;  // killed before there was a file
        EXPECT_GE((*store)->size(), before) << "something was lost";
        before = (*store)->size();
    }
    EXPECT_GE(unfinished, 3) << "it was too quick to be killed: make kGames larger";
    const Output rest = run(collect(db, kGames));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(samples_of(db), samples_of(whole));
}

}  // namespace
}  // namespace karikomi::tests
