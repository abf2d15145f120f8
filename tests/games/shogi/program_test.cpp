// Shogi on the command line: the real program.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Output call(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), KARIKOMI_BINARY);
    return run(arguments);
}
Json json_of(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Output o = call(arguments);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return Json::parse(o.out);
}

TEST(ShogiProgram, CountsDrawsAndAnalyses) {
    EXPECT_EQ(json_of({"perft", "shogi", "--depth", "4"})["nodes"], 719731);
    const Json shown = json_of({"show", "shogi", "--moves", "7g7f 3c3d 8h2b+"});
    EXPECT_EQ(shown["side"], "second");
    EXPECT_EQ(shown["position"],
              "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
    EXPECT_EQ(shown["legal"].size(), 33U);
    const Json found = json_of({"analyze", "shogi", "--depth", "5"});
    EXPECT_EQ(found["depth"], 5);
    EXPECT_GE(found["pv"].size(), 3U) << "reductions may end the line before the depth";
}

TEST(ShogiProgram, PerftOfTheMatsuriPositionInPieces) {
    const std::string matsuri =
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    const std::string depth = test::kSanitized ? "3" : "4";
    const std::uint64_t expected = test::kSanitized ? 4'809'015 : 516'925'165;
    EXPECT_EQ(json_of({"perft", "shogi", "--depth", depth, "--position", matsuri})["nodes"],
              expected);
}

TEST(ShogiProgram, RefusalsSayWhatIsWrong) {
    const Output bad = call({"show", "shogi", "--position", "4k4/9 b - 1"});
    EXPECT_EQ(bad.exit_code, 2);
    EXPECT_THAT(bad.err, HasSubstr("SFEN: 2 of 9 ranks"));
    const Output move = call({"show", "shogi", "--moves", "7g7f 7g7f"});
    EXPECT_EQ(move.exit_code, 2);
    EXPECT_THAT(move.err, HasSubstr("move 2: 7g7f is not a legal move"));
}

TEST(ShogiProgram, SolvesMates) {
    const TemporaryFolder folder;
    const std::string file = folder.file("problems");
    std::ofstream(file) << "# two\nsfen 4k4/9/4P4/9/9/9/9/9/9 b G 1\n4k4/9/9/9/9/9/9/9/9 b G 1\n";
    const Output o =
        call({"solve", "shogi", "--file", file, "--hash", "4", "--shortest", "--json"});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    const auto lines = lines_of(o.out);
    ASSERT_EQ(lines.size(), 3U);
    const Json mate = Json::parse(lines[0]);
    EXPECT_EQ(mate["value"], "mate");
    EXPECT_EQ(mate["line"], Json({"G*5b"}));
    EXPECT_EQ(Json::parse(lines[1])["value"], "nomate");
    EXPECT_EQ(Json::parse(lines[2])["totals"]["solved"], 2);
    const Output wrong = call({"solve", "shogi", "--position", "4k4/9", "--wld"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("--wld"));
}

TEST(ShogiProgram, ReadsAndConvertsRecords) {
    const TemporaryFolder folder;
    const std::string line = "position startpos moves 7g7f 3c3d 8h2b+";
    const std::string csa = folder.file("games.csa");
    ASSERT_EQ(call({"records", "shogi", "--text", line + "\n" + line, "--to", "csa", "--out", csa})
                  .exit_code,
              0);
    const Json report = json_of({"records", "shogi", csa});
    EXPECT_EQ(report["files"][0]["format"], "csa");
    EXPECT_EQ(report["games"], 2);
    EXPECT_EQ(report["files"][0]["moves"], 6);
    const std::string kif = folder.file("game.kif");
    ASSERT_EQ(call({"records", "shogi", "--text", line, "--to", "kif", "--out", kif}).exit_code, 0);
    EXPECT_EQ(call({"records", "shogi", kif, "--to", "usi"}).out, line + "\n");
    const Output json = call({"records", "shogi", csa, "--to", "json"});
    const Json game = Json::parse(lines_of(json.out).at(0));
    EXPECT_EQ(game["moves"], Json({"7g7f", "3c3d", "8h2b+"}));
    EXPECT_EQ(game["ending"], "open");
    const Output wrong = call({"records", "shogi", "--text", "startpos moves 7g9z"});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_THAT(wrong.out, HasSubstr("error: game 1 (line 1, byte 0): "));
}

TEST(ShogiProgram, PlaysTrainingGamesOnce) {
    const TemporaryFolder folder;
    const std::vector<std::string> command = {"train",   "shogi", "--folder", folder.file("data"),
                                              "--games", "16",    "--nodes",  "60"};
    const Json first = json_of(command);
    EXPECT_EQ(first["games"], 16);
    EXPECT_GT(first["positions"], 100);
    const std::string chunk = read_file(folder.file("data/chunk_000000.pos"));
    EXPECT_EQ(chunk.size(), first["positions"].get<std::size_t>() * 52);
    EXPECT_EQ(json_of(command)["games"], 0) << "the chunk is there already";
    EXPECT_EQ(read_file(folder.file("data/chunk_000000.pos")), chunk);
}

}  // namespace
}  // namespace karikomi::tests
