// Sets of positions, and how often a search finds their moves.
#include "karikomi/lab/curve/agreement.hpp"

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::curve {
namespace {

using match::Words;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::TemporaryFolder;
using namespace std::chrono_literals;

Json lab(const Words& words, int exit_code = 0) {
    const tests::Output o = tests::run(match::with({KARIKOMI_BINARY, "lab", "--json"}, words));
    EXPECT_EQ(o.exit_code, exit_code) << o.err;
    EXPECT_THAT(o.err, IsEmpty());
    return Json::parse(o.out);
}

Words positions(const std::string& file, const char* count) {
    return {"positions", "connect_four", "--out",    file, "--count", count,
            "--play",    "200",          "--budget", "4k", "--hash",  "1"};
}

TEST(Positions, AreMadeOfSelfPlayAndGoOn) {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.jsonl");
    EXPECT_EQ(lab(positions(file, "6"))["positions"], 6);
    const auto six = read_positions(file);
    ASSERT_TRUE(six) << six.error().what;
    ASSERT_THAT(*six, SizeIs(6));
    std::set<std::string> different;
    for (const KnownPosition& p : *six) {
        different.insert(p.position);
        EXPECT_FALSE(p.move.empty());
        EXPECT_LE(2 * p.since_nodes, p.nodes) << "settled in the first half";
        EXPECT_EQ(p.fingerprint.size(), 16U);
    }
    EXPECT_THAT(different, SizeIs(6));
    // As a crash leaves it: a line that is cut off is done again.
    std::string text = tests::read_file(file);
    text.resize(text.size() - 20);
    std::ofstream(file) << text;
    EXPECT_THAT(*read_positions(file), SizeIs(5));
    EXPECT_EQ(lab(positions(file, "8"))["positions"], 8);
    const std::string undisturbed = folder.file("u.jsonl");
    lab(positions(undisturbed, "8"));
    EXPECT_EQ(tests::read_file(file), tests::read_file(undisturbed));
    std::ofstream(file, std::ios::app) << "nonsense\n{}\n";
    EXPECT_FALSE(read_positions(file));
}

TEST(Agreement, ComparesEnginesAndGoesOn) {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.jsonl");
    lab(positions(file, "8"));
    const Words words = {"agreement",
                         file,
                         "internal:connect_four?hash=1",
                         "internal:connect_four?hash=1&off=all&name=plain",
                         "--budgets",
                         "4k,d4",
                         "--rows",
                         folder.file("rows.jsonl")};
    const Json r = lab(words);
    ASSERT_THAT(r["rows"], SizeIs(4));
    EXPECT_EQ(r["rows"][0]["rate"]["value"], 1.0) << "the same search finds the same moves";
    EXPECT_LT(r["rows"][0]["rate"]["low"], 1.0);
    EXPECT_EQ(r["rows"][2]["budget"], "d4");
    EXPECT_EQ(r["rows"][2]["depth"], 4.0);
    EXPECT_GT(r["rows"][3]["nodes_ratio"]["value"], 1.0) << "plain search needs more nodes";
    EXPECT_FALSE(r["rows"][2].contains("nodes_ratio"));
    EXPECT_THAT(tests::lines_of(tests::read_file(folder.file("rows.jsonl"))), SizeIs(32));
    EXPECT_EQ(lab(words)["rows"], r["rows"]) << "nothing is searched again, times included";
}

TEST(Agreement, AsksOtherPrograms) {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.jsonl");
    lab(positions(file, "4"));
    const Json r =
        lab({"agreement", file, match::mock("usi", "", "name=mock"), "--budgets", "100,20ms"});
    ASSERT_THAT(r["rows"], SizeIs(2));
    EXPECT_EQ(r["rows"][0]["searches"], 4);
    const tests::Output wrong =
        tests::run({KARIKOMI_BINARY, "lab", "agreement", file, "internal:othello"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("the positions are of connect_four"));
}

TEST(Agreement, CountsByPosition) {
    std::vector<AgreementRow> rows;
    const Budget b = *parse_budget("1k");
    for (std::size_t i = 0; i < 100; ++i) {
        rows.push_back({0, b, i, "m", i < 50, 8, 1000, 10});
        rows.push_back({1, b, i, "m", i < 60, 9, 500, 20});
    }
    const AgreementCell cell = cell_of(rows, 1, b);
    EXPECT_EQ(cell.right, 60U);
    EXPECT_NEAR(cell.rate.low, 0.502, 0.002) << "Wilson";
    EXPECT_NEAR(cell.rate_difference.value, 0.1, 1e-9);
    EXPECT_GT(cell.rate_difference.low, 0) << "paired: ten gained, none lost";
    EXPECT_NEAR(cell.nodes_ratio.value, 0.5, 1e-9);
    EXPECT_NEAR(cell.time_ratio.high, 2, 1e-6);
    EXPECT_EQ(cell_of(rows, 1, *parse_budget("2k")).searches, 0U);
}

}  // namespace
}  // namespace karikomi::curve
