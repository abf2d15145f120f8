// `karikomi records` as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "karikomi/games/othello/records.hpp"
#include "tests/cli/process.hpp"
#include "tests/games/othello/random_games.hpp"

namespace karikomi::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Output records(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {KARIKOMI_BINARY, "records", "othello"});
    return run(arguments);
}

std::string transcripts(int count) {
    std::mt19937_64 random(11);
    std::string text;
    for (int i = 0; i < count; ++i) text += *othello::format_transcript(random_game(random)) + "\n";
    return text;
}

TEST(RecordsCommand, ConvertsRoundTheFormats) {
    const TemporaryFolder folder;
    const std::string games = transcripts(12);
    const std::string start = folder.write("games.txt", games);
    const std::string ggf = folder.file("games.ggf");
    const std::string wtb = folder.file("games.wtb");
    EXPECT_EQ(records({start, "--to", "ggf", "--out", ggf}).exit_code, 0);
    EXPECT_EQ(records({ggf, "--to", "wthor", "--out", wtb}).exit_code, 0);
    EXPECT_THAT(read_file(folder.file("games.jou")), SizeIs(16 + 20));
    const Output back = records({wtb, "--to", "transcript"});
    EXPECT_EQ(back.exit_code, 0);
    EXPECT_EQ(back.out, games);
    EXPECT_THAT(back.err, IsEmpty());
    EXPECT_THAT(lines_of(records({wtb, "--to", "obf"}).out), SizeIs(12));
    EXPECT_GT(lines_of(records({wtb, "--to", "obf", "--all-positions"}).out).size(), 12U * 40);
    const auto lines = lines_of(records({wtb, ggf, "--to", "json"}).out);
    ASSERT_THAT(lines, SizeIs(24));
    EXPECT_EQ(Json::parse(lines[0])["moves"], Json::parse(lines[12])["moves"]);
}

TEST(RecordsCommand, NamesWhatIsWrongAndKeepsTheRest) {
    const TemporaryFolder folder;
    const std::string file = folder.write("games.txt", transcripts(2) + "f5a1\n" + transcripts(1));
    const Output text = records({file});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_THAT(text.out, HasSubstr("error: game 3 (line 3, byte "));
    const Output data = records({file, "--to", "transcript"});
    EXPECT_EQ(data.exit_code, 1);
    EXPECT_EQ(data.out, transcripts(2) + transcripts(1));
    EXPECT_THAT(data.err, HasSubstr("a1 is not a legal move for White"));
    const Json json = Json::parse(records({file, "--json"}).out);
    EXPECT_EQ(json["games"], 3);
    EXPECT_EQ(json["files"][0]["format"], "transcript");
    EXPECT_EQ(json["files"][0]["errors"][0]["game"], 3);
}

TEST(RecordsCommand, RefusesWrongUse) {
    const auto refusal = [](std::vector<std::string> arguments) {
        const Output o = records(std::move(arguments));
        EXPECT_EQ(o.exit_code, 2) << o.out << o.err;
        EXPECT_THAT(lines_of(o.err), SizeIs(1));
        return o.err;
    };
    EXPECT_THAT(refusal({}), HasSubstr("files or --text"));
    EXPECT_THAT(refusal({"--text", "f5", "--to", "pgn"}), HasSubstr("transcript, ggf"));
    EXPECT_THAT(refusal({"--text", "f5", "--to", "wthor"}), HasSubstr("--out FILE"));
    EXPECT_THAT(refusal({"--text", "hello"}), HasSubstr("no kind of Othello record"));
    EXPECT_THAT(refusal({"/nowhere.ggf"}), HasSubstr("cannot be opened"));
    const Output other = run({KARIKOMI_BINARY, "records", "connect_four", "x"});
    EXPECT_EQ(other.exit_code, 2);
}

}  // namespace
}  // namespace karikomi::tests
