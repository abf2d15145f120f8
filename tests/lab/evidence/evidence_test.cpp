// Results files: what is written, what is read, what is refused, and how old a figure is.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/evidence/record.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::evidence {
namespace {

using match::Words;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using tests::TemporaryFolder;

Json only_record(const std::string& file) {
    const auto records = read_records(file);
    EXPECT_TRUE(records) << (records ? "" : records.error().what);
    EXPECT_EQ(records->size(), 1U);
    return records->begin()->second;
}

TEST(Evidence, AFigureIsAsOldAsWhatItWasMeasuredWith) {
    const Shipped now{"aaaa", "net-2"};
    EXPECT_EQ(age_of({{"parameters", "aaaa"}, {"evaluation", "net-2"}}, now), Age::Current);
    EXPECT_EQ(age_of({{"parameters", "bbbb"}, {"evaluation", "net-2"}}, now), Age::OlderParameters);
    EXPECT_EQ(age_of({{"parameters", "aaaa"}, {"evaluation", "net-1"}}, now), Age::OlderEvaluation);
    EXPECT_EQ(age_of({{"parameters", nullptr}, {"evaluation", "net-2"}}, now), Age::Unknown);
    EXPECT_EQ(age_of({{"parameters", nullptr}, {"evaluation", "net-1"}}, now),
              Age::OlderEvaluation);
}

TEST(Evidence, AFileHoldsManyAndReplacesByName) {
    const TemporaryFolder folder;
    const std::string file = folder.file("r.json");
    EXPECT_TRUE(read_records(file)->empty()) << "no file, no figures";
    ASSERT_TRUE(save_record(file, {{"id", "a"}, {"n", 1}}));
    ASSERT_TRUE(save_record(file, {{"id", "b"}, {"n", 2}}));
    ASSERT_TRUE(save_record(file, {{"id", "a"}, {"n", 3}}));
    const auto records = read_records(file);
    ASSERT_TRUE(records);
    EXPECT_THAT(*records, ElementsAre(Key("a"), Key("b")));
    EXPECT_EQ(records->at("a")["n"], 3);
    // Tables and whatever else people have put beside the records stay.
    Json document = Json::parse(tests::read_file(file));
    document["tables"] = {{{"id", "t"}}};
    std::ofstream(file) << document;
    ASSERT_TRUE(save_record(file, {{"id", "c"}}));
    EXPECT_TRUE(Json::parse(tests::read_file(file)).contains("tables"));
}

TEST(Evidence, RefusesWhatIsNoResultsFile) {
    const TemporaryFolder folder;
    for (const char* text : {"", "[]", "{}", R"({"format":2,"records":[]})", R"({"format":1})",
                             R"({"format":1,"records":[{}]})", R"({"format":1,"records":{}})",
                             R"({"format":1,"records":[{"id":7}]})",
                             R"({"format":1,"records":[{"id":"a"},{"id":"a"}]})"}) {
        const std::string file = folder.write("r.json", text);
        const auto records = read_records(file);
        ASSERT_FALSE(records) << text;
        EXPECT_THAT(records.error().what, HasSubstr("r.json"));
    }
    EXPECT_FALSE(save_record(folder.write("broken.json", "{"), {{"id", "a"}}))
        << "what is there is not thrown away";
    EXPECT_FALSE(read_folder(folder.file("nowhere")));
    EXPECT_FALSE(save_record(folder.file("broken.json/r.json"), {{"id", "a"}})) << "no folder";
    EXPECT_TRUE(save_record(folder.file("new/r.json"), {{"id", "a"}})) << "made where it is not";
}

TEST(Evidence, AMatchSaysAllOfItself) {
    const TemporaryFolder folder;
    const std::string file = folder.file("even.json");
    const std::string db = folder.file("m.db");
    const Words words = {"internal:connect_four?hash=1",
                         "internal:connect_four?hash=1&off=all",
                         "--nodes",
                         "200",
                         "--games",
                         "6",
                         "--db",
                         db,
                         "--opening-depth",
                         "1",
                         "--concurrency",
                         "2",
                         "--evidence",
                         file};
    match::play(words);
    const Json r = only_record(file);
    EXPECT_EQ(r["id"], "even");
    EXPECT_EQ(r["kind"], "match");
    EXPECT_EQ(r["source"], "run");
    EXPECT_EQ(r["game"], "connect_four");
    EXPECT_THAT(r["command"].get<std::string>(),
                HasSubstr("'internal:connect_four?hash=1&off=all' --nodes 200"));
    const Shipped now = *shipped_of("connect_four");
    EXPECT_EQ(r["parameters"], now.parameters);
    EXPECT_EQ(r["evaluation"], now.evaluation);
    EXPECT_NE(r["engines"][0]["fingerprint"], r["engines"][1]["fingerprint"]);
    EXPECT_EQ(r["engines"][0]["fingerprint"], now.parameters);
    EXPECT_EQ(r["counts"]["games"], 6);
    EXPECT_EQ(r["counts"]["pairs"], 3);
    EXPECT_EQ(r["result"]["unit"], "Elo");
    EXPECT_LE(r["result"]["low"], r["result"]["value"]);
    EXPECT_EQ(r["stop"]["rule"], "games");
    EXPECT_EQ(r["config"]["openings"]["seed"], 1);
    for (const char* name : {"commit", "date", "version", "compiler"}) {
        EXPECT_FALSE(r[name].get<std::string>().empty()) << name;
    }
    EXPECT_EQ(age_of(r, now), Age::Current);
    // The same from the database, later.
    const std::string later = folder.file("later.json");
    const tests::Output o = tests::run({KARIKOMI_BINARY, "match", "show", db, "--evidence", later});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    Json again = only_record(later);
    EXPECT_EQ(again["counts"], r["counts"]);
    EXPECT_EQ(again["parameters"], r["parameters"]);
}

TEST(Evidence, AMatchMayEndWhenEnoughIsKnown) {
    const TemporaryFolder folder;
    const std::string file = folder.file("r.json");
    const Words words = {"internal:connect_four?hash=1",
                         "internal:connect_four?hash=1&depth=1",
                         "--nodes",
                         "100",
                         "--half-width",
                         "500",
                         "--db",
                         "none",
                         "--opening-depth",
                         "1",
                         "--concurrency",
                         "2",
                         "--evidence",
                         file};
    const Json result = match::play(words).result;
    EXPECT_EQ(result["half_width"]["reached"], true);
    EXPECT_EQ(result["complete"], true);
    EXPECT_GE(result["pairs"], match::kLeastPairs);
    EXPECT_LE(result["pairs"], match::kLeastPairs + 3U);
    const Json r = only_record(file);
    EXPECT_EQ(r["stop"]["rule"], "half-width");
    EXPECT_EQ(r["stop"]["reached"], true);
    EXPECT_THAT(match::refusal({"internal:connect_four", "internal:connect_four", "--nodes", "1",
                                "--sprt", "elo1=5", "--half-width", "9"}),
                HasSubstr("--half-width"));
}

TEST(Evidence, OtherCommandsKeepTheirLastDocument) {
    const TemporaryFolder folder;
    const std::string file = folder.file("speed.json");
    const tests::Output o =
        tests::run({KARIKOMI_BINARY, "bench", "--game", "connect_four", "--evidence", file});
    ASSERT_EQ(o.exit_code, 0) << o.err;
    const Json r = only_record(file);
    EXPECT_EQ(r["kind"], "bench");
    EXPECT_EQ(r["command"], "karikomi bench --game connect_four --evidence " + file);
    EXPECT_FALSE(r["result"].is_null());
    const tests::Output wrong = tests::run({KARIKOMI_BINARY, "bench", "--game", "connect_four",
                                            "--evidence", folder.write("file", "") + "/r.json"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("--evidence: "));
}

}  // namespace
}  // namespace karikomi::evidence
