// Shogi on the command line: the real program.
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
    EXPECT_EQ(found["pv"].size(), 5U);
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

}  // namespace
}  // namespace karikomi::tests
