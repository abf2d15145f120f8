// Samples of another program: its values are read from what it says, bounds and other lines are
// not; a program that fails is started again, and one that is another is refused.
#include "karikomi/lab/subject.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/collect.hpp"
#include "karikomi/lab/error_table.hpp"
#include "tests/cli/call.hpp"
#include "tests/lab/match/match_runs.hpp"
#include "tests/lab/sample_files.hpp"

namespace karikomi::lab {
namespace {

using match::mock;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using tests::samples_of;
using tests::TemporaryFolder;

CollectPlan plan_of(const std::string& game, const std::string& engine) {
    CollectPlan plan;
    plan.game = game;
    const auto own = make_engine(game);
    plan.params = *measuring_params(**own, (*own)->params(), {});
    plan.engine = engine;
    plan.depth = 5;
    plan.games = 6;
    plan.per_game = 4;
    plan.hash_mb = 1;
    return plan;
}

struct Collected {
    bool complete = false;
    std::string error;
    Json result;
};
Collected collect(const CollectPlan& plan, const std::string& file, int threads = 1) {
    auto collector = Collector::make(plan, file);
    if (!collector) return {false, collector.error().what, nullptr};
    const auto queue = queue::make_local_queue(sample_makers(), threads);
    auto complete = (*collector)->run(*queue, {}, {});
    if (!complete) return {false, complete.error().what, nullptr};
    return {*complete, "", (*collector)->result()};
}

std::vector<Sample> all_of(const std::string& file) {
    std::vector<Sample> out;
    (*SampleStore::read(file))->for_each(0, [&](const Sample& s, bool) { out.push_back(s); });
    return out;
}

/// As the mock engine has it.
int value_at(const std::string& position, Depth depth) {
    std::uint64_t h = 1469598103934665603ULL;
    for (const char c : position) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return static_cast<int>((h >> 20) % 601) - 300 + 10 * depth;
}

class SubjectBy : public testing::TestWithParam<const char*> {};

TEST_P(SubjectBy, EveryDepthHasTheValueThatTheProgramTells) {
    const TemporaryFolder folder;
    const std::string protocol = GetParam();
    const std::string game = protocol == "usi" ? "connect_four" : "othello";
    const CollectPlan plan = plan_of(game, mock(protocol, "values=plain"));
    const Collected c = collect(plan, folder.file("db"));
    ASSERT_TRUE(c.complete) << c.error;
    EXPECT_THAT(c.result["faults"], IsEmpty());
    const auto samples = all_of(folder.file("db"));
    EXPECT_GT(samples.size(), 15U);
    const auto board = make_engine(game);
    for (const Sample& s : samples) {
        EXPECT_EQ(s.value(0), kNoValue) << "its static value is not told";
        ASSERT_TRUE((*board)->set_position(s.position));
        const Depth deepest = std::min(5, (*board)->moves_left().value_or(99) - 1);
        for (Depth d = 1; d <= deepest; ++d) {
            EXPECT_EQ(s.value(d), value_at(s.position, d)) << s.position << " at " << d;
            if (protocol == "nboard") continue;  // which counts the nodes of no depth
            EXPECT_EQ(s.nodes[static_cast<std::size_t>(d) - 1], 100U);
        }
    }
    // Interrupted, and by three at once: the same.
    CollectPlan half = plan;
    half.games = 2;
    ASSERT_TRUE(collect(half, folder.file("halves"), 2).complete);
    ASSERT_TRUE(collect(plan, folder.file("halves"), 3).complete);
    EXPECT_EQ(samples_of(folder.file("halves")), samples_of(folder.file("db")));
}
INSTANTIATE_TEST_SUITE_P(All, SubjectBy, testing::Values("usi", "nboard", "gomocup"),
                         [](const auto& which) { return std::string(which.param); });

TEST(Subject, MateScoresAreDecisiveValues) {
    const TemporaryFolder folder;
    const Collected c =
        collect(plan_of("connect_four", mock("usi", "values=mate")), folder.file("db"));
    ASSERT_TRUE(c.complete) << c.error;
    for (const Sample& s : all_of(folder.file("db"))) {
        EXPECT_EQ(s.values[1], value_at(s.position, 2));
        EXPECT_EQ(s.values[2], loss_in(4));
        EXPECT_EQ(s.value(3), kNoValue) << "no fit takes it";
    }
}

TEST(Subject, SamplesOfTwoProgramsAreNotMixed) {
    const TemporaryFolder folder;
    const std::string db = folder.file("db");
    const CollectPlan plan = plan_of("connect_four", mock("usi", "values=plain"));
    ASSERT_TRUE(collect(plan, db).complete);
    const auto refused = [&](const std::string& engine) {
        const std::string error = collect(plan_of("connect_four", engine), db).error;
        EXPECT_THAT(error, HasSubstr("its samples have")) << engine;
    };
    refused(mock("usi", "values=plain", "option.Strength=3"));
    refused(mock("usi", "values=plain", "threads=2"));
    refused(mock("usi", "values=plain seed=2"));
    refused("");  // our own
    const Json engine = (*SampleStore::read(db))->conditions().at("engine");
    EXPECT_EQ(engine["name"], "Mock of USI 1.0");
    EXPECT_EQ(engine["protocol"], "usi");
    EXPECT_EQ(engine["unit"], "centipawn");
    EXPECT_THAT(engine["binary_hash"].get<std::string>(), Not(IsEmpty()));
    EXPECT_EQ(samples_of(db).size(), all_of(db).size());
}

TEST(Subject, OneThatFailsIsStartedAgainAndThenTheRunEnds) {
    const TemporaryFolder folder;
    // It crashes at its 4th search and lives again after that: nothing is lost.
    const Collected once = collect(
        plan_of("connect_four", mock("usi", "values=plain fault=crash at=4")), folder.file("once"));
    ASSERT_TRUE(once.complete) << once.error;
    EXPECT_THAT(once.result["faults"], IsEmpty());
    const Collected always =
        collect(plan_of("connect_four", mock("usi", "values=plain fault=crash at=1")),
                folder.file("always"));
    EXPECT_THAT(always.error, HasSubstr("killed by signal 6"));
    EXPECT_THAT(always.error, HasSubstr("3 positions in a row"));
    const Collected silent =
        collect(plan_of("connect_four", mock("usi", "values=silent")), folder.file("silent"));
    EXPECT_THAT(silent.error, HasSubstr("told no value of any depth"));
}

TEST(Subject, WhatCannotBeMeasuredIsRefused) {
    const auto error = [](const std::string& engine) {
        const auto s = Subject::make(engine, {"othello"}, 1);
        return s ? std::string("accepted") : s.error().what + "; " + s.error().remedy;
    };
    EXPECT_THAT(error("internal:othello"), HasSubstr("leave --engine out"));
    EXPECT_THAT(error("gtp:cat"), HasSubstr("usi, nboard or gomocup"));
    EXPECT_THAT(error("nboard?depth=3:cat"), HasSubstr("--depth says how deep"));
    EXPECT_THAT(error("nboard:sh -c 'exit 7'"), HasSubstr("ended with code 7"));
}

TEST(Subject, OnTheCommandLineFromSamplesToATable) {
    const TemporaryFolder folder;
    const std::string db = folder.file("db");
    const auto lab = [&](const std::string& command, tests::Words more) {
        tests::Words words = {"lab", command, "connect_four", "--db", db};
        words.insert(words.end(), more.begin(), more.end());
        return tests::run(tests::karikomi(words));
    };
    const std::string engine = mock("usi", "values=plain");
    const auto collected =
        lab("collect", {"--engine", engine, "--games", "60", "--depth", "4", "--threads", "2"});
    ASSERT_EQ(collected.exit_code, 0) << collected.err;
    const std::string file = folder.file("fit.json");
    ASSERT_EQ(lab("fit", {"--one-stage", "--write", file}).exit_code, 0);
    // The mock's error is exactly 10 a ply.
    const auto table = lab("fit", {"--one-stage", "--as", "json"});
    ASSERT_EQ(table.exit_code, 0) << table.err;
    const Json cells = Json::parse(table.out).at("cells");
    EXPECT_THAT(cells, SizeIs(6)) << "depths 1 to 4, no static value";
    for (const Json& c : cells) {
        EXPECT_EQ(c["stage"], -1);
        EXPECT_NEAR(c["a"].get<double>(), 1, 1e-3);
        EXPECT_NEAR(c["b"].get<double>(), 10 * (c["deep"].get<int>() - c["shallow"].get<int>()),
                    0.5);
        EXPECT_NEAR(c["sigma"].get<double>(), 0, 0.5);
    }
    const auto verified = lab("verify", {"--params", file, "--json"});
    EXPECT_THAT(verified.exit_code, testing::AnyOf(0, 1)) << verified.err;
    const Json v = Json::parse(verified.out);
    EXPECT_GT(v["coverage"]["all"]["samples"].get<int>(), 20);
    EXPECT_THAT(v["conditions"]["evaluation"].get<std::string>(), HasSubstr("Mock of USI 1.0"));

    // What the samples are not good for.
    EXPECT_THAT(lab("verify", {"--params", file, "--only", "audit"}).err,
                HasSubstr("use --only coverage"));
    EXPECT_THAT(lab("verify", {}).err, HasSubstr("--params FILE"));
    EXPECT_THAT(lab("futility", {}).err, HasSubstr("which this command cannot search with"));
    EXPECT_THAT(lab("fit", {"--as", "cobol"}).err, HasSubstr("use one of hpp, json"));
    EXPECT_THAT(lab("collect", {"--engine", engine, "--with", "iid"}).err,
                HasSubstr("are of our own search"));
    // The file is not one for our own engine.
    const auto used = tests::run(tests::karikomi({"analyze", "connect_four", "--params", file}));
    EXPECT_EQ(used.exit_code, 2);
    EXPECT_THAT(used.err, HasSubstr("Mock of USI 1.0"));
}

// ---- The table ----------------------------------------------------------------------------------

ErrorTable small_table() {
    ErrorTable t;
    t.evaluation = "Any engine \"1\"\\\n#error";
    t.game = "othello", t.unit = "1/100 disc", t.command = "karikomi lab fit";
    t.stages = 2, t.positions = 1234;
    t.cells = {{0, 1, 3, {0.95, -12, 100}, 400}, {1, 2, 4, {1, 0.5, 87.25}, 0}};
    return t;
}

TEST(ErrorTable, IsCodeThatCompiles) {
    const TemporaryFolder folder;
    const std::string text = *table_text(small_table(), "hpp");
    const std::string source = folder.write(
        "use.cpp", text +
                       "static_assert(sizeof(search_error::kCells) / sizeof(search_error::Cell) == "
                       "2);\nstatic_assert(search_error::kCells[0].b == -12.0);\n"
                       "static_assert(search_error::kCells[1].sigma == 87.25);\nint main() {}\n");
    const auto out = tests::run(
        {"/bin/sh", "-c",
         "c++ -std=c++20 -Wall -Wno-pragma-once-outside-header -fsyntax-only '" + source + "'"});
    EXPECT_EQ(out.exit_code, 0) << out.err << text;
}

TEST(ErrorTable, SaysTheSameInEveryForm) {
    const auto form = [](const std::string& name) { return *table_text(small_table(), name); };
    EXPECT_THAT(form("csv"), HasSubstr("\nstage,shallow,deep,a,b,sigma,samples\n"
                                       "0,1,3,0.95,-12.0,100.0,400\n1,2,4,1.0,0.5,87.25,0\n"));
    EXPECT_THAT(form("rust"), HasSubstr("pub const CELLS: [Cell; 2] = ["));
    EXPECT_THAT(form("rust"), HasSubstr("Cell { stage: 0, shallow: 1, deep: 3, a: 0.95, b: -12.0, "
                                        "sigma: 100.0, samples: 400 },"));
    EXPECT_THAT(form("csharp"), HasSubstr("new(0, 1, 3, 0.95, -12.0, 100.0, 400),"));
    EXPECT_THAT(form("typescript"), HasSubstr("{ stage: 1, shallow: 2, deep: 4, a: 1.0, b: 0.5, "
                                              "sigma: 87.25, samples: 0 },"));
    const Json json = Json::parse(form("json"));
    EXPECT_EQ(json["cells"][0]["b"], -12.0);
    EXPECT_EQ(json["evaluation"], small_table().evaluation);
    for (const std::string& name : table_forms()) {
        if (name == "json") continue;
        EXPECT_THAT(form(name), Not(HasSubstr("\n#error"))) << "a name broke out of its comment";
        EXPECT_THAT(form(name), HasSubstr("1/100 disc"));
    }
    EXPECT_FALSE(table_text(small_table(), "cobol"));
}

TEST(ErrorTable, HasEveryPairMeasuredOrByTheModel) {
    CalibrationModel model;
    model.a = {1}, model.b = {5}, model.log_sigma = {std::log(50.0)}, model.max_deep = 3;
    const Calibration c(2, {{0, 1, 2, {0.9, 1, 60}, 200}}, model, "e");
    const auto cells = all_cells(c, 2, 4);
    EXPECT_THAT(cells, SizeIs(2 * 6)) << "6 pairs up to the model's depth 3, 2 stages";
    const auto count = [&](std::int64_t samples) {
        return std::count_if(cells.begin(), cells.end(),
                             [&](const CalibrationCell& x) { return x.samples == samples; });
    };
    EXPECT_EQ(count(200), 1);
    EXPECT_EQ(count(0), 11);
    EXPECT_NEAR(cells.back().fit.sigma, 50, 1e-6);
}

}  // namespace
}  // namespace karikomi::lab
