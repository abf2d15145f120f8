// `karikomi lab worth` and `lab evidence` as a user runs them, and the plan behind them.
#include "karikomi/lab/evidence/worth.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::evidence {
namespace {

using match::Words;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using tests::TemporaryFolder;
using namespace std::chrono_literals;

std::vector<Cell> plan(const std::string& game, std::vector<std::string> only = {}) {
    const auto engine = make_engine(game);
    WorthOptions options;
    options.match.game = game;
    options.subjects = std::move(only);
    options.budgets = {{*curve::parse_budget("20k"), 20}, {*curve::parse_budget("160k"), 35}};
    auto cells = plan_of(**engine, options);
    EXPECT_TRUE(cells) << cells.error().what;
    return *cells;
}

const Cell& cell(const std::vector<Cell>& cells, const std::string& subject) {
    for (const Cell& c : cells) {
        if (c.subject.name == subject) return c;
    }
    ADD_FAILURE() << "no " << subject;
    return cells.front();
}

// ---- The plan -----------------------------------------------------------------------------------

TEST(WorthPlan, DocumentsAndWhatShipsComeFirst) {
    const auto cells = plan("othello");
    EXPECT_EQ(cells.front().id, "worth.othello.multi_probcut.20k");
    EXPECT_EQ(cells[1].id, "worth.othello.futility.20k");
    const auto engine = make_engine("othello");
    for (std::size_t i = 1; i < cells.size(); ++i) EXPECT_LE(cells[i - 1].rank, cells[i].rank);
    std::set<std::string> ids;
    for (const Cell& c : cells) {
        EXPECT_TRUE(ids.insert(c.id).second) << c.id;
        for (const Technique t : c.subject.techniques) {
            EXPECT_THAT((*engine)->info().techniques, Contains(t)) << "what the game cannot use";
        }
    }
}

TEST(WorthPlan, BothSidesDifferInTheTechniqueAlone) {
    const auto othello = plan("othello");
    EXPECT_EQ(cell(othello, "multi_probcut").subject.with, "");
    EXPECT_EQ(cell(othello, "multi_probcut").subject.without, "off=multi_probcut");
    const Subject& off = cell(othello, "late_moves").subject;
    EXPECT_FALSE(off.shipped);
    EXPECT_EQ(off.with, "set=late_moves.enabled=true") << "what switching it on is worth";
    EXPECT_EQ(off.without, "");
    const Subject& pair = cell(othello, "multi_probcut x futility").subject;
    EXPECT_EQ(pair.with, "off=futility");
    EXPECT_EQ(pair.without, "off=multi_probcut,futility");
    // Of a pair the one that ships is measured, with the other as it does not ship.
    const auto shogi = plan("shogi");
    EXPECT_EQ(cell(shogi, "probcut x null_move").subject.with, "off=null_move");
    EXPECT_THAT(cell(shogi, "all").subject.without, HasSubstr("late_moves"));
}

TEST(WorthPlan, AMatchHasTheBudgetAndThePrecision) {
    WorthOptions options;
    options.match.game = "othello";
    options.most_games = 700;
    const auto cells = plan("othello", {"futility"});
    ASSERT_THAT(cells, SizeIs(2));
    const auto m = match_of(options, cells[1]);
    ASSERT_TRUE(m);
    EXPECT_EQ(m->time.nodes, 160'000U);
    EXPECT_EQ(m->half_width, 35);
    EXPECT_EQ(m->games, 700U);
    EXPECT_EQ(m->engines[0].name, "with futility");
    EXPECT_EQ(m->engines[1].name, "without futility");
    const auto engine = make_engine("othello");
    options.subjects = {"castling"};
    const auto wrong = plan_of(**engine, options);
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().what, HasSubstr("castling"));
    EXPECT_THAT(wrong.error().remedy, HasSubstr("multi_probcut"));
}

TEST(WorthPlan, WhatChangesNothingIsFound) {
    match::MatchConfig c;
    c.game = "connect_four";
    c.hash_mb = 1;
    c.time.nodes = 3000;
    const auto engines = [&](const std::string& a, const std::string& b) {
        c.engines = {*match::parse_engine(a), *match::parse_engine(b)};
    };
    engines("internal:connect_four", "internal:connect_four?off=all");
    EXPECT_TRUE(*changes_search(c));
    engines("internal:connect_four", "internal:connect_four?off=iid");
    EXPECT_FALSE(*changes_search(c)) << "it is off as shipped";
}

// ---- The table ----------------------------------------------------------------------------------

Json record(const std::string& subject, const std::string& kind, const std::string& budget,
            double elo, double half) {
    return {{"id", subject + budget},
            {"kind", "worth"},
            {"game", "g"},
            {"worth",
             {{"subject", subject},
              {"kind", kind},
              {"shipped", true},
              {"budget", budget},
              {"techniques", {"a"}},
              {"flipped", "b"},
              {"other_ships", true}}},
            {"result", {{"value", elo}, {"low", elo - half}, {"high", elo + half}}}};
}

TEST(WorthTable, IsByBudgetAndTellsInteractions) {
    Records records;
    for (const Json& r :
         {record("a", "technique", "160k", 40, 6), record("a", "technique", "20k", 30, 3),
          record("a x b", "interaction", "20k", 70, 4)}) {
        records[r["id"]] = r;
    }
    const WorthTable table = worth_table("g", records);
    EXPECT_THAT(table.budgets, testing::ElementsAre("20k", "160k"));
    ASSERT_THAT(table.rows, SizeIs(2));
    EXPECT_EQ(table.rows[0].subject, "a");
    EXPECT_THAT(table.rows[0].by_budget, SizeIs(2));
    EXPECT_THAT(worth_table("other", records).rows, IsEmpty());
    const auto pairs = interactions_of("g", records);
    ASSERT_THAT(pairs, SizeIs(1));
    EXPECT_NEAR(pairs[0].difference.value, -40, 1e-9) << "with b on 30, with b off 70";
    EXPECT_NEAR(pairs[0].difference.high, -35, 1e-9) << "errors of 3 and 4 make 5";
    EXPECT_THAT(worth_svg(table), HasSubstr("160k"));
}

TEST(WorthTodo, NamesWhatIsOlderMissingOrHalfDone) {
    const Shipped now{"new", "net"};
    const auto cells = plan("othello", {"futility", "multi_probcut"});
    Records records;
    Json done = {{"id", cells[0].id},
                 {"kind", "worth"},
                 {"game", "othello"},
                 {"parameters", "new"},
                 {"evaluation", "net"},
                 {"complete", true},
                 {"worth", {{"half_width", 20}}}};
    records[cells[0].id] = done;
    done["parameters"] = "old";
    records[cells[1].id] = done;
    done["parameters"] = "new", done["complete"] = false, done["file"] = "elsewhere.json";
    records[cells[2].id] = done;
    records["m"] = {{"id", "m"},           {"kind", "match"},     {"game", "othello"},
                    {"parameters", "old"}, {"evaluation", "net"}, {"config", Json::object()}};
    records["p"] = {{"id", "p"},
                    {"kind", "match"},
                    {"game", "othello"},
                    {"parameters", nullptr},
                    {"evaluation", nullptr}};
    records["x"] = {{"id", "x"}, {"kind", "match"}, {"game", "renju"}};
    const auto todos = todo_of(cells, "othello", records, now, "w.json");
    std::map<std::string, std::string> why;
    for (const Todo& t : todos) why[t.id] = t.why;
    EXPECT_EQ(why.count(cells[0].id), 0U) << "of what ships, and complete";
    EXPECT_EQ(why[cells[1].id], "older parameters");
    EXPECT_EQ(why[cells[2].id], "not complete");
    EXPECT_EQ(why[cells[3].id], "missing");
    EXPECT_EQ(why["m"], "older parameters");
    EXPECT_EQ(why.count("x"), 0U);
    EXPECT_EQ(todos.front().id, cells[1].id) << "the smallest budget of what a document names";
    EXPECT_EQ(todos.back().id, "p") << "nobody knows how it was played";
    EXPECT_FALSE(todos.back().can);
}

// ---- As a user runs it --------------------------------------------------------------------------

Words worth(const std::string& db, const Words& more, const char* half_width = "150") {
    return match::with({KARIKOMI_BINARY,
                        "lab",
                        "worth",
                        "connect_four",
                        "--json",
                        "--db",
                        db,
                        "--hash",
                        "1",
                        "--opening-depth",
                        "1",
                        "--concurrency",
                        "2",
                        "--positions",
                        "5",
                        "--budgets",
                        "100,400",
                        "--half-width",
                        half_width,
                        "--only",
                        "futility",
                        "--only",
                        "iid"},
                       more);
}

TEST(Worth, MeasuresKeepsAndSkipsWhatDoesNothing) {
    const TemporaryFolder folder;
    const std::string file = folder.file("worth.json");
    const tests::Output o =
        tests::run(worth(folder.file("w"), {"--evidence", file, "--chart", folder.file("w.svg")}));
    ASSERT_EQ(o.exit_code, 0) << o.err;
    EXPECT_THAT(o.err, IsEmpty());
    const auto lines = tests::lines_of(o.out);
    const Json result = Json::parse(lines.back());
    EXPECT_EQ(result["complete"], true);
    EXPECT_EQ(result["planned"], 4);
    const auto records = read_records(file);
    ASSERT_TRUE(records);
    ASSERT_THAT(*records, SizeIs(4));
    const Json& r = records->at("worth.connect_four.futility.400");
    EXPECT_GE(r["counts"]["pairs"], match::kLeastPairs);
    EXPECT_EQ(r["complete"], true);
    EXPECT_EQ(r["stop"]["rule"], "half-width");
    EXPECT_EQ(r["acts"]["positions"], 5);
    EXPECT_GT(r["acts"]["techniques"]["futility"]["succeeded"], 0);
    EXPECT_GT(r["acts"]["techniques"]["futility"]["in_1000_nodes"], 0);
    // Switched off IID that would do something is a match; what changes nothing is not played.
    const std::string svg = tests::read_file(folder.file("w.svg"));
    EXPECT_THAT(svg, HasSubstr("futility"));
    // The same command again plays nothing.
    const tests::Output again = tests::run(worth(folder.file("w"), {"--evidence", file}));
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_THAT(tests::lines_of(again.out), SizeIs(1)) << "only the result";
    const tests::Output shown =
        tests::run({KARIKOMI_BINARY, "lab", "worth", "connect_four", "--show", "--db",
                    folder.file("w"), "--evidence", file, "--budgets", "100,400"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("futility"));
}

TEST(Worth, AKillLosesNothing) {
    const TemporaryFolder folder;
    const std::string db = folder.file("w");
    const auto games = [&] {
        const auto store = match::Store::read(db + "/worth.connect_four.futility.400.db");
        std::uint64_t n = 0;
        if (store) (*store)->each_summary([&](const match::GameSummary&) { ++n; });
        return n;
    };
    std::uint64_t before = 0;
    {
        tests::Process process(worth(db, {}, "1"));
        for (int i = 0; i < 600 && (before = games()) < 20; ++i) std::this_thread::sleep_for(50ms);
        process.send(SIGKILL);
        process.wait(10s);
    }
    ASSERT_GE(before, 20U);
    const tests::Output o = tests::run(worth(db, {}));
    ASSERT_EQ(o.exit_code, 0) << o.err;
    EXPECT_GE(games(), before);
    EXPECT_THAT(*read_records(db + "/worth.json"), SizeIs(4));
}

TEST(Worth, RefusesWhatItCannotMeasure) {
    const auto refusal = [](const Words& more) {
        const tests::Output o =
            tests::run(match::with({KARIKOMI_BINARY, "lab", "worth", "connect_four"}, more));
        EXPECT_EQ(o.exit_code, 2) << o.out;
        return o.err;
    };
    EXPECT_THAT(refusal({"--only", "null_move"}), HasSubstr("'null_move' cannot be measured"));
    EXPECT_THAT(refusal({"--budgets", "many"}), HasSubstr("--budgets: 'many'"));
    EXPECT_THAT(refusal({"--half-width", "1,2"}), HasSubstr("2 numbers for 3 budgets"));
    EXPECT_THAT(refusal({"--half-width", "0"}), HasSubstr("out of reach"));
    EXPECT_THAT(refusal({"--hours", "-1"}), HasSubstr("--hours"));
    EXPECT_THAT(refusal({"--nodes", "100"}), HasSubstr("there are budgets instead"));
    EXPECT_THAT(refusal({"--db", "none"}), HasSubstr("must be kept"));
}

TEST(LabEvidence, RenewsWhatIsOlder) {
    const TemporaryFolder folder;
    const std::string results = folder.file("results");
    std::filesystem::create_directories(results);
    const std::string file = results + "/m.json";
    match::play({"internal:connect_four?hash=1", "internal:connect_four?hash=1&off=all", "--nodes",
                 "100", "--games", "4", "--db", "none", "--opening-depth", "1", "--evidence",
                 file});
    // As if the parameters had changed since.
    Json document = Json::parse(tests::read_file(file));
    document["records"][0]["parameters"] = "0123456789abcdef";
    document["records"][0]["what"] = "a remark of a person";
    std::ofstream(file) << document;
    const auto evidence = [&](const Words& more) {
        const tests::Output o = tests::run(match::with({KARIKOMI_BINARY,
                                                        "lab",
                                                        "evidence",
                                                        "connect_four",
                                                        "--json",
                                                        "--results",
                                                        results,
                                                        "--db",
                                                        folder.file("db"),
                                                        "--hash",
                                                        "1",
                                                        "--opening-depth",
                                                        "1",
                                                        "--budgets",
                                                        "100",
                                                        "--half-width",
                                                        "200",
                                                        "--only",
                                                        "futility",
                                                        "--positions",
                                                        "3"},
                                                       more));
        EXPECT_EQ(o.exit_code, 0) << o.err;
        return Json::parse(tests::lines_of(o.out).back());
    };
    const Json before = evidence({"--list"});
    ASSERT_THAT(before["to_do"], SizeIs(2));
    EXPECT_EQ(before["to_do"][0]["why"], "missing");
    EXPECT_EQ(before["to_do"][1]["id"], "m");
    EXPECT_EQ(before["to_do"][1]["why"], "older parameters");
    const Json after = evidence({});
    EXPECT_THAT(after["to_do"], IsEmpty());
    const auto records = read_folder(results);
    ASSERT_TRUE(records);
    EXPECT_EQ(records->at("m")["parameters"], shipped_of("connect_four")->parameters);
    EXPECT_EQ(records->at("m")["what"], "a remark of a person");
    EXPECT_THAT(tests::read_file(file), Not(HasSubstr("\"file\"")));
    EXPECT_EQ(records->count("worth.connect_four.futility.100"), 1U);
}

}  // namespace
}  // namespace karikomi::evidence
