// What is kept of a match: through kills, beside other runs, and in the formats of others.
#include "karikomi/games/othello/records.hpp"

#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shogi/record.hpp"
#include "karikomi/lab/match/export.hpp"
#include "karikomi/lab/match/openings.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::match {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;
using tests::TemporaryFolder;

const Words kDeterministic = {"internal:othello?hash=1&name=a",
                              "internal:othello?hash=1&off=all&name=b",
                              "--nodes",
                              "1500",
                              "--opening-depth",
                              "2",
                              "--concurrency",
                              "2"};

Words command(const Words& words) {
    return with({KARIKOMI_BINARY, "match", "--json"}, words);
}

std::map<int, std::string> moves_in(const std::string& database) {
    const tests::Output o = tests::run({KARIKOMI_BINARY, "match", "export", database});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    std::map<int, std::string> moves;
    for (const Json& g : parse_played(o.out).games) moves[g["game"]] = g["moves"];
    return moves;
}

TEST(MatchRecords, KillsLoseOnlyGamesInFlight) {
    const TemporaryFolder folder;
    const std::string calm = folder.file("calm.db");
    const std::string shaken = folder.file("shaken.db");
    const Words words = with(kDeterministic, {"--games", "60"});
    const Played undisturbed = play(with(words, {"--db", calm}));
    std::mt19937 random(11);
    int interrupted = 0;
    for (int i = 0; i < 10; ++i) {
        tests::Process process(command(with(words, {"--db", shaken})));
        // Some in the middle of the games, some while it is starting.
        if (i % 3 != 2) (void)process.wait_for_output("event", 20s);
        interrupted += !process.wait(std::chrono::milliseconds(random() % 100));
        process.send(SIGKILL);
        (void)process.wait(5s);
    }
    EXPECT_GE(interrupted, 5);
    const Played resumed = play(with(words, {"--db", shaken}));
    EXPECT_EQ(resumed.result["games"], 60);
    for (const char* key : {"wins", "draws", "losses", "pentanomial", "first_player", "plies"}) {
        EXPECT_EQ(resumed.result[key], undisturbed.result[key]) << key;
    }
    EXPECT_EQ(moves_in(shaken), moves_in(calm));
}

TEST(MatchRecords, CtrlCStopsCleanlyAndSaysHowToGoOn) {
    const TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    tests::Process process(command(with(kDeterministic, {"--games", "400", "--db", db})));
    ASSERT_TRUE(process.wait_for_output("\"game\":1,", 20s));
    process.send(SIGINT);
    const auto o = process.wait(10s);
    ASSERT_TRUE(o) << "does not stop";
    EXPECT_EQ(o->exit_code, 1);
    const Played p = parse_played(o->out);
    EXPECT_EQ(p.result["complete"], false);
    EXPECT_EQ(p.result["games"], p.games.size());
    const std::string resume = p.result["resume"];
    EXPECT_THAT(resume, HasSubstr("karikomi match --resume '" + db + "'"));
    const Played rest = play({"--resume", db, "--games", std::to_string(p.games.size() + 2)});
    EXPECT_GE(rest.result["games"], p.games.size() + 2);
}

TEST(MatchRecords, TwoRunsOnOneDatabaseAreRefused) {
    const TemporaryFolder folder;
    const Words words = with(kDeterministic, {"--games", "400", "--db", folder.file("m.db")});
    tests::Process process(command(words));
    ASSERT_TRUE(process.wait_for_output("\"game\":0,", 20s));
    EXPECT_THAT(refusal(words, 3), HasSubstr("another run is using it"));
    // Looking is allowed.
    const tests::Output o =
        tests::run({KARIKOMI_BINARY, "match", "show", folder.file("m.db"), "--json"});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_GE(Json::parse(o.out)["games"], 1);
}

TEST(MatchRecords, AChangedEngineIsNoticed) {
    const TemporaryFolder folder;
    const std::string script = folder.write("engine.sh", "#!/bin/sh\nexec \"$@\"\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    std::string engine = mock("nboard", "", "name=m");
    engine.insert(engine.find(':') + 1, script + " ");
    const Words words = {"internal:othello?hash=1", engine, "--depth", "1", "--games", "2", "--db",
                         folder.file("m.db")};
    (void)play(words);
    folder.write("engine.sh", "#!/bin/sh\n# new\nexec \"$@\"\n");
    EXPECT_THAT(refusal(words), HasSubstr("an engine has changed"));
}

TEST(MatchRecords, ADatabaseOfSomethingElseIsRefused) {
    const TemporaryFolder folder;
    const std::string text =
        folder.write("text", "this is no database, but long enough to be one?");
    EXPECT_THAT(refusal(with(kDeterministic, {"--db", text})), HasSubstr("database"));
    EXPECT_THAT(refusal({"show", text}), HasSubstr("database"));
    EXPECT_THAT(refusal({"show"}), HasSubstr("needs one database"));
    EXPECT_EQ(tests::read_file(text), "this is no database, but long enough to be one?");
}

TEST(MatchRecords, OthelloGamesComeOutAsTheyWere) {
    const TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    const Played p = play(with(kDeterministic, {"--games", "6", "--db", db}));
    const auto lines = [&](const Words& more) {
        const tests::Output o = tests::run(with({KARIKOMI_BINARY, "match", "export", db}, more));
        EXPECT_EQ(o.exit_code, 0) << o.err;
        return tests::lines_of(o.out);
    };
    const auto referee = std::move(*make_engine("othello"));
    const Words transcripts = lines({"--format", "transcript"});
    ASSERT_THAT(transcripts, SizeIs(6));
    std::map<int, Json> games;
    for (const Json& g : p.games) games[g["game"]] = g;
    for (int i = 0; i < 6; ++i) {
        const auto parsed = othello::parse_transcript(transcripts[static_cast<std::size_t>(i)]);
        ASSERT_TRUE(parsed) << parsed.error().what;
        EXPECT_EQ(othello::final_result(*parsed), games[i]["margin"].get<int>());
    }
    const std::string ggf = folder.file("games.ggf");
    (void)lines({"--format", "ggf", "--out", ggf});
    const auto records = othello::read_ggf(tests::read_file(ggf));
    EXPECT_EQ(records.error_count, 0U);
    EXPECT_EQ(records.note_count, 0U);
    ASSERT_THAT(records.games, SizeIs(6));
    EXPECT_EQ(records.games[0].black, games[0]["first"].get<std::string>());
    EXPECT_EQ(records.games[0].result, games[0]["margin"].get<double>());
    EXPECT_THAT(lines({"--format", "usi"})[0], HasSubstr("startpos moves "));
    EXPECT_THAT(refusal({"export", db, "--format", "csa"}), HasSubstr("othello is not written as"));
}

// ---- Formats of other games ---------------------------------------------------------------------

GameRow row_of(const Words& moves, Winner winner, End end) {
    GameRow row;
    row.started = "2026-11-15T12:00:00Z";
    row.result.winner = winner;
    row.result.end = end;
    for (const std::string& m : moves) row.result.moves.push_back({m, {}, 0, 0, 1500, true});
    return row;
}

std::string written(const GameRow& row, const std::string& game, const std::string& format,
                    const Words& names = {"One", "Two"}) {
    MatchConfig config;
    config.game = game;
    const auto exporter = Exporter::make(format, config);
    if (!exporter) return exporter.error().what;
    const auto text = exporter->text(row, names);
    return text ? *text : text.error().what;
}

TEST(MatchRecords, Shogi) {
    GameRow row = row_of({"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"}, Winner::Second, End::Resigned);
    row.slot.second = 1;
    for (const char* format : {"csa", "kif"}) {
        const std::string text = written(row, "shogi", format);
        const auto read = shogi::parse_record(text);
        ASSERT_TRUE(read) << read.error().what << "\n" << text;
        EXPECT_EQ(read->names[0], "One");
        EXPECT_EQ(read->names[1], "Two");
        ASSERT_THAT(read->moves, SizeIs(5));
        EXPECT_EQ(shogi::format_usi(read->moves[2].move), "8h2b+");
        EXPECT_EQ(shogi::format_usi(read->moves[4].move), "B*4e");
        EXPECT_EQ(read->ending, shogi::Ending::Resignation);
    }
    EXPECT_THAT(written(row, "shogi", "csa"), HasSubstr("+8822UM"));
    EXPECT_THAT(written(row, "shogi", "sgf"), HasSubstr("shogi is not written as 'sgf'"));
}

TEST(MatchRecords, ShogiFromAPosition) {
    GameRow row = row_of({"S*5b", "5a4b", "win"}, Winner::First, End::ByRules);
    row.opening.position = "4k4/9/4P4/9/9/9/9/9/4K4 b RS2p 1";
    const auto read = shogi::parse_record(written(row, "shogi", "csa"));
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(shogi::format_sfen(read->start.board, 1), row.opening.position);
    EXPECT_EQ(read->ending, shogi::Ending::DeclaredWin);
    EXPECT_EQ(read->winner(), shogi::kBlack);
}

TEST(MatchRecords, SgfAndPsq) {
    GameRow row = row_of({"h8", "i9", "a15", "o1"}, Winner::Second, End::ByRules);
    row.slot.second = 1;
    EXPECT_EQ(written(row, "standard_gomoku", "sgf", {"a]b", "c"}),
              "(;FF[4]GM[4]AP[karikomi]SZ[15]PB[a\\]b]PW[c]RE[W+]EV[karikomi match]DT[2026-11-15]"
              ";B[hh]C[1500ms];W[ig]C[1500ms];B[aa]C[1500ms];W[oo]C[1500ms])\n");
    EXPECT_EQ(written(row, "renju", "psq"),
              "Piskvorky 15x15, 11:11, 0\n8,8,1500\n9,7,1500\n1,1,1500\n15,15,1500\n");
}

TEST(MatchRecords, PsqOfSeveralGamesIsAFileForEach) {
    const TemporaryFolder folder;
    const std::string db = folder.file("t.db");
    const std::string engine = "internal:gomoku?hash=1";
    play({engine, engine, "--depth", "1", "--games", "2", "--openings", "start", "--max-plies", "6",
          "--db", db});
    EXPECT_THAT(refusal({"export", db, "--format", "psq"}), HasSubstr("PSQ holds one game"));
    const tests::Output o = tests::run(
        {KARIKOMI_BINARY, "match", "export", db, "--format", "psq", "--out", folder.file("r.psq")});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    const tests::Output read = tests::run({KARIKOMI_BINARY, "records", "gomoku", "--json",
                                           folder.file("r-1.psq"), folder.file("r-2.psq")});
    EXPECT_EQ(read.exit_code, 0) << read.err;
    const Json report = Json::parse(read.out);
    EXPECT_EQ(report["games"], 2);
    for (const Json& file : report["files"]) EXPECT_EQ(file["moves"], 6);
}

}  // namespace
}  // namespace karikomi::match
